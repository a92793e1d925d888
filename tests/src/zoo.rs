//! What the tests of hostile agents tell of each attack: a line that `tests/examples/zoo.rs` makes a row
//! of a table of. The harness keeps these lines to itself unless it is run with `--nocapture`.

use std::cell::{Cell, RefCell};

/// What a line begins with.
const MARK: &str = "zoo-row\t";

/// A table is to be read: more of a message is cut.
const MOST: usize = 60;

thread_local! {
    static CASE: RefCell<String> = const { RefCell::new(String::new()) };
    static OTHERS: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Names the variant of a test's attack that comes next.
pub fn case(name: &str) {
    CASE.set(plain(name));
}

/// Whether a match of others, played before and after the attack, has the same hash.
pub fn others_are_as_before(same: bool) {
    // Several arenas may meet one attack.
    OTHERS.set(Some(OTHERS.get().unwrap_or(true) && same));
}

/// An attack, told when it ends: as failed unless [`held`](Attempt::held) was called, so that a test which
/// panics in between leaves a line as well.
#[derive(Debug)]
pub struct Attempt {
    expected: String,
    seen: String,
    held: bool,
}

impl Attempt {
    /// An attack of which this is expected, in words.
    pub fn expecting(expected: impl AsRef<str>) -> Attempt {
        OTHERS.set(None);
        Attempt { expected: plain(expected.as_ref()), seen: "nothing: the test broke off".into(), held: false }
    }

    /// What happened, whether it was expected or not.
    pub fn saw(&mut self, seen: impl AsRef<str>) {
        self.seen = plain(seen.as_ref());
    }

    /// What was expected is what happened.
    pub fn held(mut self) {
        self.held = true;
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        let thread = std::thread::current();
        let (expected, seen) = (std::mem::take(&mut self.expected), std::mem::take(&mut self.seen));
        let test = thread.name().unwrap_or_default().to_owned();
        let case = CASE.with_borrow(String::clone);
        let row = Row { test, case, expected, seen, others: OTHERS.get(), held: self.held };
        println!("{}", row.line());
    }
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The test, as the harness names it.
    pub test: String,
    /// Which of its attacks, if it has several.
    pub case: String,
    /// What the test wants to happen.
    pub expected: String,
    /// What happened.
    pub seen: String,
    /// Whether a match of others was the same before and after, where that was looked at.
    pub others: Option<bool>,
    /// Whether what happened was wanted.
    pub held: bool,
}

impl Row {
    fn line(&self) -> String {
        let Row { test, case, expected, seen, others, held } = self;
        let yes = |yes: bool| if yes { "yes" } else { "no" };
        let others = others.map_or("", yes);
        // A line of its own even after words of the harness.
        format!("{MARK}{test}\t{case}\t{expected}\t{seen}\t{others}\t{}", yes(*held))
    }

    /// Reads a line of a test's output, if it is one of these.
    pub fn read(line: &str) -> Option<Row> {
        let (_, line) = line.split_once(MARK)?;
        let [test, case, expected, seen, others, held] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
        let yes = |word: &str| match word {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        };
        let (test, case, expected, seen) = (test.into(), case.into(), expected.into(), seen.into());
        Some(Row { test, case, expected, seen, others: yes(others), held: yes(held)? })
    }
}

/// The first line, cut, of letters and signs that command no terminal.
fn plain(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown = String::new();
    for (place, c) in line.chars().enumerate() {
        if place == MOST {
            shown.push('\u{2026}');
            break;
        }
        match c {
            ' ' | '\u{2026}' => shown.push(c),
            c if c.is_ascii_graphic() || c.is_alphanumeric() => shown.push(c),
            c => shown.extend(c.escape_unicode()),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let row = Row {
            test: "loops::for_ever".into(),
            case: String::new(),
            expected: plain("refused:\tno"),
            seen: plain("\u{1b}[2J\u{202e}x\nsecond line"),
            others: Some(true),
            held: false,
        };
        assert_eq!((&*row.expected, &*row.seen), ("refused: no", "\\u{1b}[2J\\u{202e}x"));
        assert_eq!(Row::read(&format!("test loops::for_ever ... {}", row.line())), Some(row));
        assert_eq!(Row::read("test loops::for_ever ... ok"), None);
        assert_eq!(plain(&"x".repeat(500)).chars().count(), MOST + 1);
    }
}
