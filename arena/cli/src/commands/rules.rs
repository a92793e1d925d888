//! `arena rules`: rulesets, listed, shown, checked and described.

use std::fmt::Write as _;

use arena_core::{rulebook, ruleset_fields, ruleset_to_toml};
use farkle::{Ruleset, presets};

use crate::args::{Format, RulesCommand, ShowFormat};
use crate::failure::Failure;
use crate::harmless::harmless_toml;
use crate::{output, rules};

pub(crate) fn run(command: &RulesCommand) -> Result<(), Failure> {
    match command {
        RulesCommand::List { format } => output::print(&list(*format)),
        RulesCommand::Show { rules, set, format } => {
            let ruleset = rules::changed(rules::named(rules)?, set)?;
            match format {
                ShowFormat::Text => output::print(&told(&ruleset)),
                ShowFormat::Json => output::print_json(&in_json(&ruleset)),
                ShowFormat::Toml => output::print(&harmless_toml(&ruleset_to_toml(&ruleset))),
            }
        }
        RulesCommand::Check { file } => {
            let ruleset = rules::read(file)?;
            let like = presets::ALL.iter().find(|preset| preset.same_rules(&ruleset));
            let same = like.map_or(String::new(), |preset| format!(", the rules of preset `{}`", preset.name));
            let text =
                format!("{}: ruleset `{}`{same}: {}\n", file.display(), ruleset.name, rulebook::summary(&ruleset));
            output::print(&text)
        }
        RulesCommand::Schema => output::print(&format!("{:#}\n", ruleset_fields::schema())),
    }
}

fn list(format: Format) -> String {
    let mut text = String::new();
    let width = presets::ALL.iter().map(|preset| preset.name.len()).max().unwrap_or(0);
    for preset in presets::ALL {
        match format {
            Format::Text => {
                let _ = writeln!(text, "{:<width$}  {}", preset.name, rulebook::summary(preset));
            }
            Format::Json => text += &in_json(preset),
        }
    }
    text
}

fn in_json(ruleset: &Ruleset) -> String {
    format!("{}\n", serde_json::to_string(ruleset).expect("a ruleset is plain data"))
}

fn told(ruleset: &Ruleset) -> String {
    let mut text = format!("{}: {}\n", ruleset.name, rulebook::summary(ruleset));
    if let Some(origin) = rulebook::origin(ruleset) {
        text += &format!("{origin}\n");
    }
    text.push('\n');
    let chart = rulebook::chart(ruleset);
    let labels = chart.iter().map(|row| row.label.len()).max().unwrap_or(0);
    let figures = chart.iter().map(|row| row.worth.len()).filter(|n| *n <= 6).max().unwrap_or(0);
    for row in &chart {
        let _ = writeln!(text, "  {:<labels$}  {:>figures$}", row.label, row.worth);
    }
    for section in rulebook::sections(ruleset) {
        let _ = writeln!(text, "\n{}", section.title);
        for rule in &section.rules {
            let _ = writeln!(text, "  - {rule}");
        }
    }
    text
}
