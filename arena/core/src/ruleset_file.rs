//! From text to a ruleset and back.
//!
//! Owns the TOML form of a ruleset, changes of single fields, and what is said about mistakes:
//! the field, its value, what is allowed, the nearest name, the line. Refuses to read files: the
//! text comes in.

use std::fmt::Write as _;
use std::str::FromStr;

use farkle::{Ruleset, RulesetError, presets};
use serde_json::{Map, Value};
use toml::de::{DeTable, DeValue};

use crate::ruleset_fields::{FIELDS, Field, Takes, values};

/// A text that is no ruleset, or a change that makes none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesetFileError {
    /// The line to look at, from 1, where there is one.
    pub line: Option<usize>,
    /// What is wrong there.
    pub mistake: Mistake,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mistake {
    /// Not TOML.
    #[error("not TOML: {0}")]
    Syntax(String),
    /// No field of a ruleset.
    #[error("there is no ruleset field `{field}`{}", hint(field, FIELDS.iter().map(|field| field.name).chain(["extends"])))]
    UnknownField {
        /// What was written.
        field: String,
    },
    /// A value that the field does not take.
    #[error("ruleset field `{field}` is {value}{guess}: allowed are {allowed}")]
    Value {
        /// The field.
        field: &'static str,
        /// What was written.
        value: String,
        /// The nearest word, as a question, or nothing.
        guess: String,
        /// What it takes.
        allowed: String,
    },
    /// Not complete, and based on no preset.
    #[error("no `extends`: begin with `extends = \"play-table\"` (or another preset), or set every field; missing: {}", .0.join(", "))]
    Missing(Vec<&'static str>),
    /// The name of a preset on other rules than that preset's.
    #[error("the name `{0}` is that of a preset with other rules: set another `name`")]
    NameTaken(String),
    /// Not `field=value`.
    #[error("`{0}` is no change of a ruleset: write FIELD=VALUE, as in opening=500")]
    NoChange(String),
    /// A change of what a ruleset is based on.
    #[error("`extends` is for files; choose what the changes are made to with `--rules {0}`")]
    ExtendsChanged(String),
    /// A field that is changed twice.
    #[error("ruleset field `{0}` is set twice")]
    Twice(&'static str),
    /// Values that do not go together.
    #[error(transparent)]
    Impossible(#[from] RulesetError),
}

impl std::fmt::Display for RulesetFileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.mistake),
            None => self.mistake.fmt(f),
        }
    }
}

impl std::error::Error for RulesetFileError {}

impl From<Mistake> for RulesetFileError {
    fn from(mistake: Mistake) -> RulesetFileError {
        RulesetFileError { line: None, mistake }
    }
}

/// The name most like the given one, if any is like it at all.
///
/// ```
/// assert_eq!(arena_core::nearest("stright", ["straight", "turns"].into_iter()), Some("straight"));
/// ```
pub fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    names
        .map(|name| (strsim::jaro_winkler(&given, name), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// ` (did you mean …?)`, or nothing.
fn hint<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> String {
    nearest(given, names).map_or(String::new(), |guess| format!(" (did you mean `{guess}`?)"))
}

/// Reads a ruleset from TOML: `extends = "preset"` and changed fields, or every field. Where no
/// `name` is set it is called `default_name`.
///
/// # Errors
///
/// [`RulesetFileError`] for the first mistake, fields in the order of their lines.
///
/// ```
/// let house = arena_core::ruleset_from_toml("extends = 'play-table'\nopening = 500", "house").unwrap();
/// assert_eq!((&*house.name, house.opening, house.straight), ("house", 500, 1_500));
/// let error = arena_core::ruleset_from_toml("extends = 'play-table'\nstright = 1", "house").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: there is no ruleset field `stright` (did you mean `straight`?)");
/// ```
pub fn ruleset_from_toml(text: &str, default_name: &str) -> Result<Ruleset, RulesetFileError> {
    let line_of = |at: usize| 1 + text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count();
    let document = DeTable::parse(text).map_err(|error| RulesetFileError {
        line: error.span().map(|span| line_of(span.start)),
        mistake: Mistake::Syntax(error.message().lines().collect::<Vec<_>>().join("; ")),
    })?;
    let mut entries: Vec<(usize, &str, &DeValue<'_>)> = document
        .get_ref()
        .iter()
        .map(|(key, value)| (line_of(key.span().start), key.get_ref().as_ref(), value.get_ref()))
        .collect();
    entries.sort_by_key(|entry| entry.0);

    let mut base = None;
    let mut given = Map::new();
    let mut lines = Vec::new();
    for (line, name, value) in entries {
        let at = |mistake| RulesetFileError { line: Some(line), mistake };
        if name == "extends" {
            base = Some(extended(value).map_err(at)?);
            continue;
        }
        let field =
            Field::by_name(name).ok_or_else(|| at(Mistake::UnknownField { field: name.escape_debug().to_string() }))?;
        given.insert(name.to_owned(), taken(field, plain(value), shown(value)).map_err(at)?);
        lines.push((field.name, line));
    }
    let line_of_field = |name: &str| lines.iter().find(|(field, _)| *field == name).map(|(_, line)| *line);

    let mut fields = base.map(values).unwrap_or_default();
    fields.insert("name".to_owned(), default_name.into());
    fields.extend(given);
    // A name that the file sets is one; what the file is called may be none.
    let name = Field::by_name("name").expect("rulesets have names");
    taken(name, fields["name"].clone(), fields["name"].to_string())?;
    let missing: Vec<&str> = FIELDS.iter().map(|field| field.name).filter(|name| !fields.contains_key(*name)).collect();
    if !missing.is_empty() {
        return Err(Mistake::Missing(missing).into());
    }
    let ruleset = from_values(fields)
        .map_err(|error| RulesetFileError { line: line_of_field(error.field), mistake: error.into() })?;
    match presets::by_name(&ruleset.name) {
        Some(preset) if !preset.same_rules(&ruleset) => {
            Err(RulesetFileError { line: line_of_field("name"), mistake: Mistake::NameTaken(ruleset.name.to_string()) })
        }
        _ => Ok(ruleset),
    }
}

/// Changes single fields, each given as `field=value`. All are set before the result is judged, so
/// that values which only go together can be reached. A ruleset that is no longer the same and got
/// no other name is called after what was changed.
///
/// # Errors
///
/// [`RulesetFileError`] for the first change that is none, or the ruleset that they make together.
///
/// ```
/// use farkle::presets::PLAY_TABLE;
/// let changes = ["ending=turns".to_owned(), "turns=10".to_owned(), "target=0".to_owned()];
/// let changed = arena_core::change_ruleset(&PLAY_TABLE, &changes).unwrap();
/// assert_eq!(changed.name, "play-table with ending=turns, turns=10, target=0");
/// assert!(arena_core::change_ruleset(&PLAY_TABLE, &changes[..1]).is_err());
/// ```
pub fn change_ruleset(base: &Ruleset, changes: &[String]) -> Result<Ruleset, RulesetFileError> {
    let mut fields = values(base);
    let mut changed: Vec<&str> = Vec::new();
    for change in changes {
        let (name, text) = change.split_once('=').ok_or_else(|| Mistake::NoChange(change.clone()))?;
        let (name, text) = (name.trim(), text.trim());
        if name == "extends" {
            return Err(Mistake::ExtendsChanged(text.escape_debug().to_string()).into());
        }
        let field =
            Field::by_name(name).ok_or_else(|| Mistake::UnknownField { field: name.escape_debug().to_string() })?;
        if changed.contains(&field.name) {
            return Err(Mistake::Twice(field.name).into());
        }
        changed.push(field.name);
        let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
        let value = match field.takes {
            Takes::Name | Takes::Word(_) => Value::from(bare),
            Takes::Number(..) => whole_number(text).map_or(Value::Null, Value::from),
            Takes::Switch => bool::from_str(text).map_or(Value::Null, Value::from),
        };
        fields.insert(name.to_owned(), taken(field, value, format!("`{text}`"))?);
    }
    let mut ruleset = from_values(fields).map_err(Mistake::from)?;
    let renamed = changed.contains(&"name");
    if renamed {
        if let Some(preset) = presets::by_name(&ruleset.name)
            && !preset.same_rules(&ruleset)
        {
            return Err(Mistake::NameTaken(ruleset.name.to_string()).into());
        }
    } else if !ruleset.same_rules(base) {
        let list: Vec<&str> = changes.iter().map(|change| change.trim()).collect();
        let long = format!("{} with {}", base.name, list.join(", "));
        let short = format!("{} with {} changes", base.name, changes.len());
        let name = Field::by_name("name").expect("rulesets have names");
        ruleset.name = if name.accepts(&long.as_str().into()) { long } else { short }.into();
    }
    Ok(ruleset)
}

/// A ruleset as a complete file, each field with what it means.
pub fn ruleset_to_toml(ruleset: &Ruleset) -> String {
    let mut text = String::new();
    let fields = values(ruleset);
    for field in &FIELDS {
        // The strings and escapes of JSON are those of TOML.
        let entry = format!("{} = {}", field.name, fields[field.name]);
        let _ = writeln!(text, "{entry:<32} # {}", field.about);
    }
    text
}

fn extended(value: &DeValue<'_>) -> Result<&'static Ruleset, Mistake> {
    let names = || presets::ALL.iter().map(|preset| &*preset.name);
    value.as_str().and_then(presets::by_name).ok_or_else(|| Mistake::Value {
        field: "extends",
        value: shown(value),
        guess: value.as_str().map_or(String::new(), |given| hint(given, names())),
        allowed: format!("the presets {}", names().collect::<Vec<_>>().join(", ")),
    })
}

fn taken(field: &Field, value: Value, shown: String) -> Result<Value, Mistake> {
    if field.accepts(&value) {
        return Ok(value);
    }
    let guess = match (field.takes, &value) {
        (Takes::Word(words), Value::String(given)) => hint(given, words.iter().copied()),
        _ => String::new(),
    };
    Err(Mistake::Value { field: field.name, value: shown, guess, allowed: field.allowed() })
}

fn from_values(fields: Map<String, Value>) -> Result<Ruleset, RulesetError> {
    let ruleset: Ruleset =
        serde_json::from_value(fields.into()).expect("every field is there and has a value that it takes");
    ruleset.validate()?;
    Ok(ruleset)
}

/// A TOML value as a plain one; null for what no field takes.
fn plain(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).map_or(Value::Null, Value::from)
        }
        DeValue::Boolean(is) => Value::from(*is),
        _ => Value::Null,
    }
}

/// A TOML value for a message.
fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => serde_json::to_string(text.as_ref()).expect("a string is JSON"),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(is) => is.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(_) => "an array".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// A whole number as TOML writes decimal ones: underscores only between digits.
fn whole_number(text: &str) -> Option<i64> {
    match DeValue::parse(text).ok()?.get_ref() {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    }
}
