//! `arena standings`: the standings of a tournament file.

use arena_core::rulebook::counted;
use arena_core::schedule::Planned;
use arena_core::standings::{Outcome, Tally};
use farkle::Ending;
use serde_json::{Value, json};

use crate::args::{StandingsArgs, TableFormat};
use crate::failure::Failure;
use crate::output::{harmless, thousands};
use crate::store::{Entry, Store};
use crate::{output, standings_table};

pub(crate) fn run(args: &StandingsArgs) -> Result<(), Failure> {
    let store = Store::open_to_read(&args.file)?;
    output::print(&of(&store, args.format)?)
}

/// The standings in print.
pub(crate) fn of(store: &Store, format: TableFormat) -> Result<String, Failure> {
    let (settings, entries, planned) = (store.settings()?, store.entries()?, store.planned()?);
    if entries.is_empty() {
        let path = store.path().display();
        return Err(Failure::failed(format!("no agent takes part in {path} yet: `arena submit` enters one")));
    }
    let Counted { tally, matches, unfinished } = count(store, &entries, &planned)?;
    let standings = tally.standings().map_err(Failure::failed)?;
    let labels: Vec<String> = entries.iter().map(|entry| label(entry, &entries)).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let secrets = store.secrets()?;
    let seed = secrets.last().seed.map(|seed| seed.to_string());
    Ok(match format {
        TableFormat::Csv => standings_table::csv(&standings, &labels),
        TableFormat::Text | TableFormat::Markdown => {
            let mut text = match format {
                TableFormat::Markdown => standings_table::markdown(&standings, &labels),
                _ => standings_table::draw(&standings, &labels),
            };
            let total: u64 = planned.iter().map(|planned| planned.block.matches()).sum();
            let seats = if settings.seats == 2 { String::new() } else { format!(" at {} seats", settings.seats) };
            text += &format!(
                "\n{}, {}: {} of {} planned matches played{seats}\n",
                settings.ruleset.name,
                settings.play.name(),
                thousands(matches as i64),
                thousands(total as i64),
            );
            if unfinished > 0 {
                let limit = counted(settings.limits.turns, "turn");
                let unfinished = thousands(unfinished as i64);
                text += &format!("matches ended by the limit of {limit} a seat: {unfinished}\n");
            }
            text += &standings_table::model_line(&standings, settings.seats);
            harmless(&text)
        }
        TableFormat::Json => {
            let rows: Vec<Value> = standings
                .standings
                .iter()
                .map(|row| {
                    let entry = &entries[row.agent];
                    let mut json = serde_json::to_value(row).expect("a row is plain data");
                    json["name"] = entry.name.as_str().into();
                    json["version"] = entry.version.into();
                    json["author"] = entry.author.as_deref().into();
                    json["withdrawn"] = entry.withdrawn.into();
                    json["sha256"] = entry.sha256.to_string().into();
                    json
                })
                .collect();
            let engines: Vec<_> = store.engines()?.into_iter().map(|(_, engine)| engine).collect();
            let whole = json!({
                "format": 1,
                "ruleset": settings.ruleset.name,
                "seed": seed,
                "engine": engines.first(),
                "engines": engines,
                "limits": settings.limits,
                "play": settings.play,
                "seats": settings.seats,
                "pairs": settings.pairs,
                "matches": matches,
                "model": standings.model,
                "standings": rows,
            });
            format!("{whole}\n")
        }
    })
}

/// What the outcomes come to.
struct Counted {
    tally: Tally,
    matches: u64,
    /// Matches that the turn limit ended.
    unfinished: u64,
}

/// Counts every stored outcome, in schedule order.
fn count(store: &Store, entries: &[Entry], planned: &[Planned]) -> Result<Counted, Failure> {
    let mut counted = Counted { tally: Tally::new(entries.len()), matches: 0, unfinished: 0 };
    let mut outcomes: Vec<Outcome> = Vec::new();
    let path = store.path().display().to_string();
    let mut first = 0;
    store.each_match(planned, 1, |stored| {
        let block = &planned[stored.block];
        let seats = stored.outcome.agents.len();
        let offset = stored.number - block.first_match;
        if outcomes.is_empty() {
            first = stored.number;
        }
        if stored.number != first + outcomes.len() as u64 || (offset % seats as u64) as usize != outcomes.len() {
            return Err(Failure::usage(format!(
                "tournament {path} is damaged: a match is missing before match {}",
                stored.number
            )));
        }
        counted.matches += 1;
        counted.unfinished += u64::from(stored.outcome.ending == Ending::TurnLimit);
        outcomes.push(stored.outcome);
        if outcomes.len() == seats {
            let pair = block.block.first_pair + offset / seats as u64;
            counted.tally.add_pair(pair, &outcomes);
            outcomes.clear();
        }
        Ok(true)
    })?;
    match outcomes.is_empty() {
        true => Ok(counted),
        false => Err(Failure::usage(format!("tournament {path} is damaged: its last pair is not complete"))),
    }
}

/// A name with its version where there are several, and whether it still takes part.
pub(crate) fn label(entry: &Entry, entries: &[Entry]) -> String {
    let versions = entries.iter().filter(|other| other.name == entry.name);
    let latest = versions.clone().map(|other| other.version).max() == Some(entry.version);
    let mut label = entry.name.clone();
    if versions.count() > 1 {
        label += &format!(" v{}", entry.version);
    }
    if entry.withdrawn {
        label += if latest { " (withdrawn)" } else { " (replaced)" };
    }
    label
}
