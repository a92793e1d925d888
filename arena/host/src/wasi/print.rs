//! What an agent prints, as lines.
//!
//! Owns the lines of stdout and stderr that are not at their end yet, and the last words of an
//! agent that traps: what a panic or a traceback printed. Refuses lines that no log could hold.

/// Where something is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// For notes.
    Stdout,
    /// For notes and for last words.
    Stderr,
}

/// Of last words so many bytes are kept, the last.
const WORDS_BYTES: usize = 4 << 10;
/// What Rust prints after a panic, and nobody here can follow.
const ADVICE: &str = "note: run with `RUST_BACKTRACE=";

/// What was printed and is not a note yet, and what was said last.
#[derive(Default)]
pub(crate) struct Printed {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    words: String,
}

impl Printed {
    /// Takes what is printed, and returns the lines that it ends.
    pub(crate) fn add(&mut self, channel: Channel, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let rest = self.rest(channel);
            let (text, ends) = match part.split_last() {
                Some((b'\n', text)) => (text, true),
                _ => (part, false),
            };
            // One byte more than a log holds, and the whole line is dropped.
            let room = (crate::LOG_BYTES + 1).saturating_sub(rest.len());
            rest.extend_from_slice(&text[..text.len().min(room)]);
            if ends {
                lines.push(self.end_line(channel));
            }
        }
        lines
    }

    /// Ends the lines that are begun, and returns them.
    pub(crate) fn end_lines(&mut self) -> Vec<String> {
        let begun = |printed: &mut Printed, channel| !printed.rest(channel).is_empty();
        let mut lines = Vec::new();
        for channel in [Channel::Stdout, Channel::Stderr] {
            if begun(self, channel) {
                lines.push(self.end_line(channel));
            }
        }
        lines
    }

    /// What was said before is not the last any more.
    pub(crate) fn forget_words(&mut self) {
        self.words.clear();
    }

    pub(super) fn last_words(&self) -> Option<String> {
        let too_many = self.words.len().saturating_sub(WORDS_BYTES);
        let words = self.words[self.words.ceil_char_boundary(too_many)..].trim();
        (!words.is_empty()).then(|| words.to_owned())
    }

    fn rest(&mut self, channel: Channel) -> &mut Vec<u8> {
        match channel {
            Channel::Stdout => &mut self.stdout,
            Channel::Stderr => &mut self.stderr,
        }
    }

    fn end_line(&mut self, channel: Channel) -> String {
        let rest = self.rest(channel);
        let line = String::from_utf8_lossy(rest).into_owned();
        rest.clear();
        if channel == Channel::Stderr && !line.starts_with(ADVICE) {
            self.words.push_str(&line);
            self.words.push('\n');
            // Rarely, so that a line costs as much as it is long.
            if self.words.len() > 2 * WORDS_BYTES {
                let too_many = self.words.len() - WORDS_BYTES;
                self.words.drain(..self.words.ceil_char_boundary(too_many));
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Channel::{Stderr, Stdout};

    #[test]
    fn what_is_printed_in_parts_becomes_lines() {
        let mut printed = Printed::default();
        assert_eq!(printed.add(Stdout, b"a\n\nb"), ["a", ""]);
        assert_eq!(printed.add(Stderr, b"x"), [""; 0]);
        assert_eq!(printed.add(Stdout, "\u{e9}".as_bytes().split_at(1).0), [""; 0]);
        assert_eq!(printed.add(Stdout, "\u{e9}\n".as_bytes().split_at(1).1), ["b\u{e9}"]);
        assert_eq!(printed.add(Stdout, b"\xff!"), [""; 0]);
        assert_eq!(printed.end_lines(), ["\u{fffd}!", "x"]);
        assert_eq!(printed.end_lines(), [""; 0]);
    }

    #[test]
    fn a_line_longer_than_a_log_does_not_grow() {
        let mut printed = Printed::default();
        for _ in 0..40 {
            printed.add(Stdout, &[b'x'; 10_000]);
        }
        assert_eq!(printed.stdout.len(), crate::LOG_BYTES + 1);
        assert_eq!(printed.add(Stdout, b"\nshort\n")[1..], ["short"]);
    }

    #[test]
    fn last_words_are_the_end_of_stderr_without_advice() {
        let mut printed = Printed::default();
        assert_eq!(printed.last_words(), None);
        printed.add(Stdout, b"on stdout\n");
        printed.add(Stderr, b"\nthread 'main' panicked at src/lib.rs:1:1:\nboom\n");
        printed.add(Stderr, b"note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n");
        assert_eq!(printed.last_words().unwrap(), "thread 'main' panicked at src/lib.rs:1:1:\nboom");
        printed.forget_words();
        assert_eq!(printed.last_words(), None);
        printed.add(Stderr, "\u{e9}".repeat(10_000).as_bytes());
        printed.add(Stderr, b"\nthe end\n");
        let words = printed.last_words().unwrap();
        assert!(words.len() <= WORDS_BYTES && words.ends_with("\u{e9}\nthe end"), "{}", words.len());
    }
}
