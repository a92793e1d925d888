//! The chance to win in the course of a match, as bars.
//!
//! Owns the fitting of places to columns, and of chances to heights. Refuses to show what is still to come.

/// Bars of one to eight eighths of a line.
const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The place that a column shows, if it is reached: the last of those that share the column.
fn shown(column: usize, columns: usize, places: usize, now: usize) -> Option<(usize, usize)> {
    let (first, end) = match places <= columns {
        true => (column, column + 1),
        false => (column * places / columns, (column + 1) * places / columns),
    };
    (first <= now && first < places).then(|| (first, (end - 1).min(now)))
}

/// Lines of bars, the highest first, and a line of marks: `!` below a place that is marked, `^` below the one
/// that is shown. `chances` are by place.
pub(super) fn bars(
    chances: &[f64],
    now: usize,
    columns: u16,
    lines: u16,
    is_marked: impl Fn(usize) -> bool,
) -> (Vec<String>, String) {
    let columns = usize::from(columns);
    let places = |column| shown(column, columns, chances.len(), now);
    let bar = |column, from_below: usize| {
        let Some((_, place)) = places(column) else { return ' ' };
        let eighths = (chances[place].clamp(0.0, 1.0) * f64::from(lines) * 8.0).round() as usize;
        EIGHTHS[eighths.saturating_sub(8 * from_below).min(8)]
    };
    let rows = (0..usize::from(lines)).rev().map(|line| (0..columns).map(|column| bar(column, line)).collect());
    let mark = |column| match places(column) {
        Some((first, last)) if (first..=last).any(&is_marked) => '!',
        Some((first, last)) if (first..=last).contains(&now) => '^',
        _ => ' ',
    };
    (rows.collect(), (0..columns).map(mark).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_high_as_its_chance() {
        let (rows, marks) = bars(&[0.5, 0.25, 1.0, 0.0, 0.75], 3, 6, 2, |place| place == 1);
        assert_eq!(rows, ["  █   ", "█▄█   "]);
        assert_eq!(marks, " ! ^  ");
        let (rows, marks) = bars(&[0.5, 0.25, 1.0, 0.0, 0.75], 4, 6, 2, |_| false);
        assert_eq!((rows, marks.as_str()), (vec!["  █ ▄ ".to_owned(), "█▄█ █ ".to_owned()], "    ^ "));
    }

    /// More places than columns: every place is in one column, and none of what is to come is seen.
    #[test]
    fn a_long_match_fits() {
        for places in [10, 11, 97, 1_000] {
            for now in 0..places {
                let (rows, marks) = bars(&vec![1.0; places], now, 10, 1, |place| place == now);
                assert_eq!(marks.matches('!').count(), 1, "{now} of {places}");
                assert_eq!(rows[0].trim_end().chars().count(), marks.find('!').unwrap() + 1);
            }
        }
        assert_eq!(bars(&[0.5], 0, 0, 3, |_| true), (vec![String::new(); 3], String::new()));
    }
}
