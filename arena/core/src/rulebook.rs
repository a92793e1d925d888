//! The rules of a table in print: its chart and its rules in plain words.
//!
//! Owns what people read about a ruleset, made from the ruleset's own fields and held against the
//! scorer: where the scorer pays something else than a row says, the page says so. Refuses to
//! hold any figure of its own, and to know how it is laid out.

mod chart;
mod words;

use farkle::Faces;

pub use chart::{Row, chart, remarks, wasted};
pub use words::{Section, origin, sections, summary};

/// `1-1-5`.
pub fn dashed(dice: Faces) -> String {
    dice.dice().map(|die| die.to_string()).collect::<Vec<_>>().join("-")
}

/// `12,345`.
pub fn thousands(number: impl Into<i64>) -> String {
    let number: i64 = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// `1 turn`, `2 turns`, `2 matches`: a number with its noun.
pub fn counted(number: impl Into<i64>, noun: &str) -> String {
    let number: i64 = number.into();
    let ending = match number {
        1 => "",
        _ if noun.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{} {noun}{ending}", thousands(number))
}
