//! Standings as a picture for papers: a file of its own, black on white.
//!
//! Owns its layout, with text of a fixed size. Refuses colour: a printed figure is often grey.

use arena_core::rulebook::thousands;
use maud::{Markup, PreEscaped, html};

use crate::charts::Scale;

/// A row of the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureRow {
    /// The agent.
    pub label: String,
    /// The estimate.
    pub at: f64,
    /// The lower end of its 95% interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

const ROW: usize = 22;
const TOP: usize = 34;
const BELOW: usize = 48;
const PLOT: usize = 420;
/// Width of a character of the labels, about.
const LETTER: usize = 7;

/// Estimates with their intervals, the first at the top. `axis` names what is estimated, `note` is below it.
///
/// ```
/// use arena_site::{FigureRow, standings_figure};
/// let row = FigureRow { label: "a <b>".into(), at: 1500.0, low: 1490.0, high: 1510.0 };
/// let svg = standings_figure("immediate-win", "Elo", "200 matches", &[row]);
/// assert!(svg.starts_with("<?xml") && svg.contains("a &lt;b&gt;"));
/// ```
#[must_use]
pub fn standings_figure(title: &str, axis: &str, note: &str, rows: &[FigureRow]) -> String {
    let left = rows.iter().map(|row| width_of(&row.label)).max().unwrap_or(0).max(5 * LETTER) + 24;
    let values = 130;
    let (width, height) = (left + PLOT + values, TOP + rows.len() * ROW + BELOW);
    let scale = Scale::around(rows.iter().flat_map(|row| [row.low, row.high]), 5);
    let x = |value: f64| format!("{:.1}", left as f64 + scale.share(value) * PLOT as f64);
    let bottom = TOP + rows.len() * ROW;
    let told = format!("{title}: {axis} with 95% intervals");
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(format!("0 0 {width} {height}"))
            font-family="Helvetica, Arial, sans-serif" font-size="12" role="img" aria-label=(told) {
            title { (told) }
            rect width="100%" height="100%" fill="white" {}
            text x=(left) y="20" font-weight="bold" { (title) }
            @for (tick, label) in scale.ticks().into_iter().zip(scale.labels()) {
                line x1=(x(tick)) x2=(x(tick)) y1=(TOP - 4) y2=(bottom) stroke="#d0d0d0" {}
                text x=(x(tick)) y=(bottom + 16) text-anchor="middle" { (thousands_of(&label)) }
            }
            @for (index, row) in rows.iter().enumerate() { (figure_row(row, TOP + index * ROW + ROW / 2, left, &x)) }
            text x=(left + PLOT / 2) y=(bottom + 36) text-anchor="middle" { (axis) " (" (note) ")" }
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", picture.into_string())
}

/// How wide a label is, about, and rather too wide than not.
fn width_of(label: &str) -> usize {
    label.chars().map(|c| if c.is_ascii() && !matches!(c, 'W' | 'M' | '@' | '%') { LETTER } else { 2 * LETTER }).sum()
}

/// Whole numbers of a label in groups, others as they are.
fn thousands_of(label: &str) -> String {
    label.parse::<i64>().map_or_else(|_| label.to_owned(), thousands)
}

fn figure_row(row: &FigureRow, y: usize, left: usize, x: &dyn Fn(f64) -> String) -> Markup {
    html! {
        text x=(left - 12) y=(y + 4) text-anchor="end" { (row.label) }
        line x1=(x(row.low)) x2=(x(row.high)) y1=(y) y2=(y) stroke="black" stroke-width="1.5" {}
        @for end in [row.low, row.high] {
            line x1=(x(end)) x2=(x(end)) y1=(y - 4) y2=(y + 4) stroke="black" stroke-width="1.5" {}
        }
        circle cx=(x(row.at)) cy=(y) r="3.5" fill="black" {}
        text x=(left + PLOT + 12) y=(y + 4) {
            (PreEscaped(format!("{:.0} ({:.0} to {:.0})", row.at, row.low, row.high)))
        }
    }
}
