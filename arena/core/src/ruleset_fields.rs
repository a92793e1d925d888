//! The fields of a ruleset, by name: what each means and which values it takes.
//!
//! Owns the one list from which files are read, `--set` is understood, schemas and templates are
//! made. Refuses to know which values go together: that is [`Ruleset::validate`]'s.

use farkle::Ruleset;
use serde_json::{Map, Value, json};

/// A field of a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in TOML, JSON and `--set`.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// Which values it takes.
    pub takes: Takes,
}

/// Which values a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// 1 to 100 characters, none of them control characters.
    Name,
    /// A whole number in a range.
    Number(i64, i64),
    /// One of a few words.
    Word(&'static [&'static str]),
    /// `true` or `false`.
    Switch,
}

/// The longest name of a ruleset, in characters.
pub const LONGEST_NAME: usize = 100;

const POINTS: Takes = Takes::Number(0, Ruleset::MOST_POINTS as i64);
const TOTAL: Takes = Takes::Number(0, Ruleset::HIGHEST_TARGET as i64);
const COUNT: Takes = Takes::Number(0, Ruleset::MOST_TURNS as i64);
const SEATS: Takes = Takes::Number(1, Ruleset::MOST_SEATS as i64);

const fn field(name: &'static str, takes: Takes, about: &'static str) -> Field {
    Field { name, about, takes }
}

/// Every field, in the order of [`Ruleset`].
pub const FIELDS: [Field; 31] = [
    field("name", Takes::Name, "what the table is called"),
    field("dice", Takes::Number(5, 6), "dice on the table"),
    field(
        "reading",
        Takes::Word(&["best", "per-face"]),
        "best: the most valuable split of the dice set aside; per-face: the dice of each face as one group",
    ),
    field("single_one", POINTS, "points for a single 1; 0 for none"),
    field("single_five", POINTS, "points for a single 5; 0 for none"),
    field("three_ones", POINTS, "points for three 1s; 0 for none"),
    field(
        "kinds",
        Takes::Word(&["flat", "doubling", "adding", "none"]),
        "four and more of a kind: the values below, the triple doubled for each further die, the triple added for each, or none",
    ),
    field("four_of_a_kind", POINTS, "points for four of a kind, with kinds = \"flat\""),
    field("five_of_a_kind", POINTS, "points for five of a kind, with kinds = \"flat\""),
    field("six_of_a_kind", POINTS, "points for six of a kind, with any kinds; 0 for what kinds says"),
    field("six_wins", Takes::Switch, "whether six of a kind wins the match at once"),
    field("straight", POINTS, "points for 1-2-3-4-5-6; 0 for none"),
    field("three_pairs", POINTS, "points for three pairs of different faces; 0 for none"),
    field("four_and_pair", POINTS, "points for four of a kind with a pair; 0 for none"),
    field("two_triplets", POINTS, "points for two triples of different faces; 0 for none"),
    field("five_run", POINTS, "points for 1-2-3-4-5 or 2-3-4-5-6; 0 for none"),
    field("full_house", POINTS, "points added to a triple kept with a pair; 0 for none"),
    field("no_score", POINTS, "points for six dice of which nothing scores; 0 for none"),
    field("toxic_twos", Takes::Switch, "whether a roll of four or more 2s is a farkle"),
    field("keep_all", Takes::Switch, "whether as many dice must be set aside as can score"),
    field("must_roll_hot_dice", Takes::Switch, "whether hot dice must be rolled"),
    field("exact_landing", Takes::Switch, "whether a bank may not pass the target"),
    field("opening", TOTAL, "the least points of a player's first bank; 0 for any"),
    field("penalty", POINTS, "points that a row of farkles costs; 0 for none"),
    field("penalty_after", COUNT, "farkles in a row that cost the penalty; 0 without one"),
    field("penalty_floor", Takes::Switch, "whether the penalty stops at a score of zero"),
    field("ending", Takes::Word(&["immediate-win", "final-round", "turns"]), "what ends a match"),
    field("target", TOTAL, "the score to reach; 0 with ending = \"turns\""),
    field("turns", COUNT, "turns of each player, with ending = \"turns\"; else 0"),
    field("min_seats", SEATS, "the fewest players"),
    field("max_seats", SEATS, "the most players"),
];

impl Field {
    /// The field of that name.
    pub fn by_name(name: &str) -> Option<&'static Field> {
        FIELDS.iter().find(|field| field.name == name)
    }

    /// What it takes, for a sentence that begins with "allowed are".
    pub fn allowed(&self) -> String {
        match self.takes {
            Takes::Name => format!("1 to {LONGEST_NAME} characters, none of them control characters"),
            Takes::Number(least, most) => format!("whole numbers from {least} to {most}"),
            Takes::Word(words) => words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", "),
            Takes::Switch => "true, false".to_owned(),
        }
    }

    /// Whether it takes the value.
    pub fn accepts(&self, value: &Value) -> bool {
        match self.takes {
            Takes::Name => value
                .as_str()
                .is_some_and(|name| (1..=LONGEST_NAME).contains(&name.chars().count()) && !name.chars().any(commands)),
            Takes::Number(least, most) => value.as_i64().is_some_and(|number| (least..=most).contains(&number)),
            Takes::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Takes::Switch => value.is_boolean(),
        }
    }
}

/// Whether a character commands a terminal, or turns the direction of text around.
fn commands(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The fields of a ruleset by name.
pub(crate) fn values(ruleset: &Ruleset) -> Map<String, Value> {
    match serde_json::to_value(ruleset) {
        Ok(Value::Object(fields)) => fields,
        _ => unreachable!("a ruleset is a flat object"),
    }
}

/// The JSON Schema (draft 2020-12) of a ruleset file.
///
/// It says which fields there are and which values each takes; which values go together is said
/// by [`Ruleset::validate`] alone.
pub fn schema() -> Value {
    let presets: Vec<&str> = farkle::presets::ALL.iter().map(|preset| &*preset.name).collect();
    let mut properties = Map::new();
    properties.insert(
        "extends".to_owned(),
        json!({"description": "the preset that gives every field not set here", "enum": presets}),
    );
    for field in &FIELDS {
        let mut property = match field.takes {
            // No control characters: neither the first 32 nor those from 127 to 159, nor marks of direction.
            Takes::Name => json!({"type": "string", "minLength": 1, "maxLength": LONGEST_NAME,
                "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$"}),
            Takes::Number(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
            Takes::Word(words) => json!({"enum": words}),
            Takes::Switch => json!({"type": "boolean"}),
        };
        property["description"] = field.about.into();
        properties.insert(field.name.to_owned(), property);
    }
    let all: Vec<&str> = FIELDS.iter().map(|field| field.name).filter(|name| *name != "name").collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A ruleset of Farkle Arena",
        "description": "a preset with changed fields (extends), or every field",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "anyOf": [{"required": ["extends"]}, {"required": all}],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use farkle::presets;

    #[test]
    fn the_list_is_that_of_the_ruleset() {
        // serde_json's map is sorted, so the order is read from the text.
        let text = serde_json::to_string(&presets::PLAY_TABLE).unwrap();
        let mut places: Vec<(usize, &str)> = FIELDS
            .iter()
            .map(|field| (text.find(&format!("\"{}\":", field.name)).expect(field.name), field.name))
            .collect();
        places.sort();
        assert!(places.iter().map(|place| place.1).eq(FIELDS.iter().map(|field| field.name)));
        assert_eq!(values(&presets::PLAY_TABLE).len(), FIELDS.len());
    }

    #[test]
    fn words_are_those_of_the_ruleset() {
        for field in &FIELDS {
            let Takes::Word(words) = field.takes else { continue };
            let with = |word: &str| {
                let mut fields = values(&presets::PLAY_TABLE);
                fields.insert(field.name.to_owned(), word.into());
                serde_json::from_value::<Ruleset>(fields.into())
            };
            for word in words {
                assert!(with(word).is_ok(), "{} = {word}", field.name);
            }
            // Serde names every word that it would have taken.
            let error = with("nosuch").unwrap_err().to_string();
            assert_eq!(error.matches('`').count(), 2 * (1 + words.len()), "{error}");
        }
    }

    #[test]
    fn ranges_are_those_of_the_rules() {
        // A base on which every number but those tested may stand alone.
        for field in &FIELDS {
            let Takes::Number(least, most) = field.takes else { continue };
            let with = |number: i64| {
                let mut fields = values(&presets::PLAY_TABLE);
                fields.insert(field.name.to_owned(), number.into());
                // A negative number fits no unsigned field.
                serde_json::from_value::<Ruleset>(fields.into()).ok()
            };
            let refused_for = |number: i64, reason: &str| match with(number).map(|rules| rules.validate()) {
                None => true,
                Some(Err(error)) => error.field == field.name && error.reason.contains(reason),
                Some(Ok(())) => false,
            };
            let reason = if field.name == "dice" { "5 or 6" } else { "allowed are" };
            assert!(refused_for(least - 1, reason), "{}", field.name);
            assert!(refused_for(most + 1, reason), "{}", field.name);
            for inside in [least, most] {
                let range = format!("{least} to {most}");
                assert!(!refused_for(inside, &range), "{} = {inside}", field.name);
            }
        }
    }
}
