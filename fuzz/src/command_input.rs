//! What a person types: dice, answers of `arena play`, changes of rules, names.
//!
//! Owns what must hold of every line: it is understood or refused in words that cannot command a
//! terminal, and what was understood can be typed again. The grammar of `arena play` is private to the
//! program, so its file is compiled in here.

use arena_core::{Allowance, Sha256Hex, nearest};
use farkle::{Faces, FacesError};

/// The grammar, as the program has it.
#[path = "../../arena/cli/src/person/input.rs"]
#[allow(dead_code, unreachable_pub, missing_docs)]
mod input;

/// The text, line by line, as each thing that somebody could type.
pub fn command_input(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in text.split('\n') {
        dice(line);
        answer(line);
        names(line);
    }
}

/// The dice of `arena score` and `arena keeps`.
fn dice(line: &str) {
    match line.parse::<Faces>() {
        Ok(dice) => {
            let mut digits: Vec<char> = line.chars().filter(char::is_ascii_digit).collect();
            digits.sort_unstable();
            assert_eq!(dice.to_string(), String::from_iter(digits), "{line:?}");
            assert_eq!(dice.to_string().parse(), Ok(dice));
            assert_eq!(Faces::from_index(dice.index()), Some(dice));
        }
        Err(FacesError::TooMany(count)) => {
            assert_eq!(line.chars().filter(char::is_ascii_digit).count(), count as usize, "{line:?}");
        }
        Err(FacesError::NotAFace(face)) => {
            assert!(!('1'..='6').contains(&face) && line.contains(face), "{line:?}");
        }
        Err(other) => panic!("{other:?}: {line:?}"),
    }
}

/// A line of `arena play`.
fn answer(line: &str) {
    use input::{Line, Wanted};
    match input::read(line) {
        Ok(Line::Empty | Line::Command(_)) => {}
        Ok(Line::Choice { keep, next }) => {
            let keep = match keep {
                Some(Wanted::Number(number)) => {
                    assert!(number > 0, "{line:?}");
                    format!("#{number}")
                }
                Some(Wanted::Dice(dice)) => {
                    assert!(!dice.is_empty(), "{line:?}");
                    format!("keep {dice}")
                }
                None => String::new(),
            };
            let next = next.map_or(String::new(), |next| format!(" {next:?}"));
            assert_eq!(input::read(&format!("{keep}{next}")), input::read(line), "{line:?}");
        }
        Err(why) => {
            assert!(!why.is_empty() && !why.contains(char::is_control), "{line:?}: {why:?}");
            // A long line is not told back at length.
            assert!(why.chars().count() < 400 + line.chars().filter(char::is_ascii_digit).count(), "{why}");
        }
    }
}

/// Words that the command line takes.
fn names(line: &str) {
    if let Ok(allowance) = line.parse::<Allowance>() {
        assert_eq!(allowance.name(), line);
    }
    if let Ok(hash) = line.parse::<Sha256Hex>() {
        assert_eq!(hash.to_string(), line.to_lowercase());
    }
    let presets: Vec<&str> = farkle::presets::ALL.iter().map(|preset| &*preset.name).collect();
    if let Some(guess) = nearest(line, presets.iter().copied()) {
        assert!(presets.contains(&guess));
    }
    if let Some(preset) = farkle::presets::by_name(line) {
        assert_eq!(preset.name, line);
        assert_eq!(nearest(line, presets.iter().copied()), Some(line));
    }
}
