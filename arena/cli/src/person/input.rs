//! What a person types, read.
//!
//! Owns the grammar of a line: commands, keeps by number or by dice, and what then. Refuses to know
//! the roll: whether there is such a keep, the [offer](super::offer::Offer) says.

use arena_core::nearest;
use farkle::{Faces, MAX_DICE, Next};

use crate::harmless::harmless;

/// A line, as far as it can be understood without the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Nothing was typed.
    Empty,
    /// A question, or the wish to stop.
    Command(Command),
    /// A keep, what then, or both.
    Choice {
        /// What to keep.
        keep: Option<Wanted>,
        /// What then.
        next: Option<Next>,
    },
}

/// A keep as somebody names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// By its number in the list, from 1.
    Number(usize),
    /// By its dice.
    Dice(Faces),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Help,
    Odds,
    Score,
    History,
    Rules,
    Undo,
    Quit,
}

/// Every word with its meaning; the first of each meaning is the one that people are told.
const COMMANDS: [(&str, Command); 17] = [
    ("help", Command::Help),
    ("h", Command::Help),
    ("?", Command::Help),
    ("odds", Command::Odds),
    ("o", Command::Odds),
    ("score", Command::Score),
    ("scores", Command::Score),
    ("s", Command::Score),
    ("history", Command::History),
    ("rules", Command::Rules),
    ("quit", Command::Quit),
    ("q", Command::Quit),
    ("exit", Command::Quit),
    ("undo", Command::Undo),
    ("u", Command::Undo),
    ("back", Command::Undo),
    ("redo", Command::Undo),
];

/// Words of a decision.
const DECISIONS: [&str; 3] = ["keep", "roll", "bank"];

/// A piece of a line.
#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Word(String),
    Digits(String),
    /// `#`, before a number of the list.
    Number,
}

/// Reads a line.
///
/// # Errors
///
/// What is wrong with it, in words.
pub(super) fn read(text: &str) -> Result<Line, String> {
    let pieces = pieces(text)?;
    let mut rest = &pieces[..];
    if let [Piece::Word(word), others @ ..] = rest
        && let Some((_, command)) = COMMANDS.iter().find(|(known, _)| known == word)
    {
        return match others {
            [] => Ok(Line::Command(*command)),
            _ => Err(format!("`{word}` stands alone on its line")),
        };
    }
    if rest.is_empty() {
        return Ok(Line::Empty);
    }
    let named = matches!(rest, [Piece::Word(word), ..] if matches!(&**word, "keep" | "k"));
    if named {
        rest = &rest[1..];
    }
    let dice = rest.iter().take_while(|piece| !matches!(piece, Piece::Word(_))).count();
    let (numbers, words) = rest.split_at(dice);
    let keep = wanted(numbers, named)?;
    let mut next = None;
    for (place, piece) in words.iter().enumerate() {
        let word = match piece {
            Piece::Word(word) => word,
            _ if next.is_some() && keep.is_none() => {
                return Err("the keep comes first, as in `1 roll` or `keep 1 1 5 bank`".to_owned());
            }
            _ => return Err("a line takes one keep, and then `roll` or `bank`".to_owned()),
        };
        let meant = match &**word {
            "roll" | "r" => Next::Roll,
            "bank" | "b" => Next::Bank,
            "and" | "then" if place == 0 && keep.is_some() && words.len() > 1 => continue,
            other => return Err(unknown(other)),
        };
        if next.is_some_and(|next| next != meant) {
            return Err("`roll` and `bank`: after a keep it is one of them".to_owned());
        }
        next = Some(meant);
    }
    if named && keep.is_none() {
        return Err("`keep` is followed by dice, as in `keep 1 1 5`".to_owned());
    }
    Ok(Line::Choice { keep, next })
}

fn pieces(text: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut joins = false;
    for c in text.trim().chars().flat_map(char::to_lowercase) {
        match (c, pieces.last_mut()) {
            ('0'..='9', Some(Piece::Digits(digits))) if joins => digits.push(c),
            ('0'..='9', _) => pieces.push(Piece::Digits(c.to_string())),
            (c, Some(Piece::Word(word))) if joins && c.is_alphabetic() => word.push(c),
            (c, _) if c.is_alphabetic() || c == '?' => pieces.push(Piece::Word(c.to_string())),
            ('#', _) => pieces.push(Piece::Number),
            (c, _) if c.is_whitespace() || "-,;.+/&".contains(c) => {
                joins = false;
                continue;
            }
            (c, _) => {
                return Err(format!("`{}` means nothing here", harmless(&c.to_string()).replace('\n', "\\n")));
            }
        }
        joins = true;
    }
    Ok(pieces)
}

/// The keep that digits name; after the word `keep` they are always dice.
fn wanted(pieces: &[Piece], named: bool) -> Result<Option<Wanted>, String> {
    let number = |digits: &str| match digits.parse() {
        Ok(0) | Err(_) => Err(format!("there is no keep number {digits}: they are numbered from 1")),
        Ok(number) => Ok(Some(Wanted::Number(number))),
    };
    match pieces {
        [] => return Ok(None),
        [Piece::Digits(digit)] if digit.len() == 1 && !named => return number(digit),
        [Piece::Number, Piece::Digits(digits)] if !named => return number(digits),
        _ => {}
    }
    let mut dice = Vec::new();
    for piece in pieces {
        let Piece::Digits(digits) = piece else {
            return Err("`#` stands before the number of a keep and nothing else, as in `#2 bank`".to_owned());
        };
        for face in digits.bytes().map(|digit| digit - b'0') {
            if !(1..=6).contains(&face) {
                return Err(format!("there is no {face} on a die: its faces are 1 to 6"));
            }
            dice.push(face);
        }
    }
    match Faces::from_dice(&dice) {
        Ok(dice) => Ok(Some(Wanted::Dice(dice))),
        Err(_) => Err(format!("{} dice are more than the {MAX_DICE} of a table", dice.len())),
    }
}

fn unknown(word: &str) -> String {
    let known = COMMANDS.iter().map(|(word, _)| *word).chain(DECISIONS).filter(|word| word.len() > 1);
    let guess = nearest(word, known).map_or(String::new(), |guess| format!(" (did you mean `{guess}`?)"));
    let shown: String = word.chars().take(40).collect();
    format!("`{}` is no word that is known here{guess}", harmless(&shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(keep: Option<Wanted>, next: Option<Next>) -> Result<Line, String> {
        Ok(Line::Choice { keep, next })
    }

    fn dice(text: &str) -> Option<Wanted> {
        Some(Wanted::Dice(text.parse().unwrap()))
    }

    #[test]
    fn keeps_are_named_by_dice_in_every_way_people_write_them() {
        for text in [
            "1 1 5",
            "115",
            "1-1-5",
            "keep 1 1 5",
            "keep 115",
            "k 1,1,5",
            "5 1 1",
            "511",
            " 11 5 ",
            "1, 1, 5",
            "KEEP 1-1-5",
            "1+1+5",
            "keep1 1 5",
            "k115",
        ] {
            assert_eq!(read(text), choice(dice("115"), None), "{text}");
            for (word, next) in [("bank", Next::Bank), ("b", Next::Bank), ("roll", Next::Roll), ("R", Next::Roll)] {
                for joined in [format!("{text} {word}"), format!("{text}{word}"), format!("{text}, then {word}")] {
                    assert_eq!(read(&joined), choice(dice("115"), Some(next)), "{joined}");
                }
            }
        }
        assert_eq!(read("keep 5"), choice(dice("5"), None));
        assert_eq!(read("15"), choice(dice("15"), None), "two digits are dice, however long the list is");
        assert_eq!(read("123456 and roll"), choice(dice("123456"), Some(Next::Roll)));
    }

    #[test]
    fn a_lone_digit_is_a_number_of_the_list() {
        for (text, number, next) in [
            ("1", 1, None),
            ("2 b", 2, Some(Next::Bank)),
            ("1 r", 1, Some(Next::Roll)),
            ("9roll", 9, Some(Next::Roll)),
            ("#12 bank", 12, Some(Next::Bank)),
            ("# 3", 3, None),
        ] {
            assert_eq!(read(text), choice(Some(Wanted::Number(number)), next), "{text}");
        }
    }

    #[test]
    fn half_a_decision_is_understood_and_nothing_is_nothing() {
        assert_eq!(read("roll"), choice(None, Some(Next::Roll)));
        assert_eq!(read("b"), choice(None, Some(Next::Bank)));
        for text in ["", "  ", "\t\r\n", "-"] {
            assert_eq!(read(text), Ok(Line::Empty), "{text:?}");
        }
    }

    #[test]
    fn commands_are_words_of_their_own() {
        for (word, command) in COMMANDS {
            assert_eq!(read(&format!(" {} ", word.to_uppercase())), Ok(Line::Command(command)), "{word}");
            assert!(read(&format!("{word} 1")).unwrap_err().contains("stands alone"), "{word}");
        }
    }

    #[test]
    fn every_mistake_is_named() {
        for (text, says) in [
            ("keep 1 1 9", "there is no 9 on a die: its faces are 1 to 6"),
            ("107", "there is no 0 on a die"),
            ("0", "there is no keep number 0: they are numbered from 1"),
            ("#99999999999999999999999", "there is no keep number 99999999999999999999999"),
            ("1111111", "7 dice are more than the 6 of a table"),
            ("keep", "`keep` is followed by dice"),
            ("keep roll", "`keep` is followed by dice"),
            ("keep #1", "`#` stands before the number of a keep"),
            ("1 # 1", "`#` stands before the number of a keep"),
            ("#", "`#` stands before the number of a keep"),
            ("roll 1", "the keep comes first"),
            ("1 roll 2", "a line takes one keep"),
            ("1 roll bank", "`roll` and `bank`: after a keep it is one of them"),
            ("1 bnak", "`bnak` is no word that is known here (did you mean `bank`?)"),
            ("hlep", "did you mean `help`?"),
            ("and", "`and` is no word"),
            ("1 then", "`then` is no word"),
            ("1 bank help", "`help` is no word"),
            ("1 = bank", "`=` means nothing here"),
            ("\u{1b}[2J", "`\\u{1b}` means nothing here"),
            ("zzzzzz", "`zzzzzz` is no word that is known here"),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.contains(says), "{text:?}: {said}");
            assert!(!said.contains(['\n', '\u{1b}']), "{said:?}");
        }
    }
}
