//! docs/rules.md, made from the presets and held against the file.

use std::fmt::Write as _;
use std::path::Path;

use arena_core::rulebook::{chart, origin, sections, summary, thousands};
use farkle::{EndingRule, Ruleset, presets};

fn page() -> String {
    let mut text = String::from(
        "# The rules of every preset\n\n\
         This page is made from the presets themselves; `arena rules show NAME` prints the same for any ruleset, and \
         `docs/rulesets.md` says how to describe a table of your own.\n\n\
         | preset | players | dice | three 1s | four / five / six alike | straight | three pairs | four + pair | two \
         triplets | opening | penalty | the end |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let points = |points: i32| if points == 0 { "–".to_owned() } else { thousands(points) };
    for rules in presets::ALL {
        let players = match (rules.min_seats, rules.max_seats) {
            (least, most) if least == most => least.to_string(),
            (least, most) => format!("{least}–{most}"),
        };
        let end = match rules.ending {
            EndingRule::ImmediateWin => format!("first to {}", thousands(rules.target)),
            EndingRule::FinalRound => format!("final round at {}", thousands(rules.target)),
            EndingRule::Turns => format!("{} turns", rules.turns),
        };
        let _ = writeln!(
            text,
            "| [`{name}`](#{name}) | {players} | {} | {} | {} / {} / {} | {} | {} | {} | {} | {} | {} | {end} |",
            rules.dice,
            points(rules.three_ones),
            points(rules.four_of_a_kind),
            points(rules.five_of_a_kind),
            points(rules.six_of_a_kind),
            points(rules.straight),
            points(rules.three_pairs),
            points(rules.four_and_pair),
            points(rules.two_triplets),
            points(rules.opening),
            points(rules.penalty),
            name = rules.name,
        );
    }
    for rules in presets::ALL {
        text += &section(rules);
    }
    text
}

fn section(rules: &Ruleset) -> String {
    let origin = origin(rules).expect("a preset says where it is from");
    let mut text =
        format!("\n## {}\n\n{origin}\n\n{}.\n\n| dice | points |\n|---|---|\n", rules.name, capital(&summary(rules)));
    for row in chart(rules) {
        let _ = writeln!(text, "| {} | {} |", row.label, row.worth);
    }
    for section in sections(rules) {
        let _ = writeln!(text, "\n{}:\n", section.title);
        for rule in section.rules {
            let _ = writeln!(text, "- {rule}");
        }
    }
    text
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

#[test]
fn the_page_is_that_of_the_presets() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md"));
    let made = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == made,
        "docs/rules.md is not what the presets say; make it again with \
         UPDATE_DOCS=1 cargo test -p arena-core --test rulesets the_page"
    );
}
