//! `arena export`: everything that a tournament file holds, for other programs.

use std::fmt::Write as _;

use serde_json::json;

use crate::args::{ExportArgs, ExportFormat, ListFormat, MatchesArgs, TableFormat};
use crate::commands::{matches, standings};
use crate::failure::Failure;
use crate::output;
use crate::store::Store;

pub(crate) fn run(args: &ExportArgs) -> Result<(), Failure> {
    let store = Store::open_to_show(&args.file)?;
    // Exported matches show their dice to whoever plays them again.
    let planned = store.planned()?;
    let shown = planned.iter().filter(|p| p.played > 0).map(|p| p.block.first_pair + p.played).max().unwrap_or(0);
    store.show_pairs(shown)?;
    let list = |format| {
        matches::run(&MatchesArgs {
            file: args.file.clone(),
            agent: None,
            against: None,
            faults: false,
            from: 1,
            limit: u64::MAX,
            format,
        })
    };
    match args.format {
        ExportFormat::Csv => list(ListFormat::Csv),
        ExportFormat::Jsonl => list(ListFormat::Jsonl),
        ExportFormat::Json => {
            let secrets = store.secrets()?;
            let settings = store.settings()?;
            let entries = store.entries()?;
            let mut text = standings::of(&store, TableFormat::Json, &standings::Extras::default())?;
            text.truncate(text.trim_end().len() - 1);
            let agents: Vec<_> = entries
                .iter()
                .map(|e| {
                    json!({"name": e.name, "version": e.version, "author": e.author, "claim": e.claim,
                                "sha256": e.sha256, "withdrawn": e.withdrawn, "suspended": e.suspended})
                })
                .collect();
            let _ = write!(text, ",\"rules\":{},\"agents\":{}", json!(settings.ruleset), json!(agents));
            let seeds: Vec<String> = (0..shown).map(|pair| secrets.match_seed(pair).to_string()).collect();
            let _ = write!(text, ",\"seeds\":{},\"matches\":[", json!(seeds));
            output::print_json(&text)?;
            let mut text = String::new();
            store.each_match(&planned, 1, |stored| {
                let pair = planned[stored.block].encounter_of(stored.number).expect("it is a match of its block").pair;
                let line = matches::in_json(&stored, pair, &entries);
                let _ = write!(text, "{}{line}", if stored.number == 1 { "" } else { "," });
                if text.len() > 1 << 20 {
                    output::print_json(&text)?;
                    text.clear();
                }
                Ok(true)
            })?;
            output::print_json(&(text + "]}\n"))
        }
    }
}
