//! `arena standings`: the standings of a tournament file.

use std::collections::BTreeSet;

use arena_core::formats::{KnockoutRow, Standing, SwissRow};
use arena_core::pentanomial::{PairScore, Pentanomial};
use arena_core::ratings::{Anchor, Options};
use arena_core::rulebook::counted;
use arena_core::schedule::Planned;
use arena_core::standings::{Outcome, Standings, Tally};
use farkle::Ending;
use serde_json::{Value, json};

use crate::args::{StandingsArgs, TableFormat};
use crate::commands::run::{left, scored};
use crate::commands::sprt::two_agents;
use crate::failure::Failure;
use crate::output;
use crate::output::{harmless, thousands};
use crate::play::Course;
use crate::standings_table::{self, Grid};
use crate::store::{Entry, Settings, Store};

pub(crate) fn run(args: &StandingsArgs) -> Result<(), Failure> {
    let store = Store::open_to_read(&args.file)?;
    let anchor = args.anchor.as_deref().map(|anchor| anchored(anchor, &store.entries()?)).transpose()?;
    let extras = Extras { anchor, cross_table: args.cross_table, matrix: args.matrix };
    output::print(&of(&store, args.format, &extras)?)
}

/// What standings can have beside the usual.
#[derive(Default)]
pub(crate) struct Extras {
    pub(crate) anchor: Option<Anchor>,
    pub(crate) cross_table: bool,
    pub(crate) matrix: bool,
}

/// `NAME=ELO`: the latest version of that name.
fn anchored(text: &str, entries: &[Entry]) -> Result<Anchor, Failure> {
    let malformed = || Failure::usage(format!("`{text}` is no anchor: write NAME=ELO, as in max-ev=2000"));
    let (name, elo) = text.rsplit_once('=').ok_or_else(malformed)?;
    let elo: f64 = elo.trim().parse().map_err(|_| malformed())?;
    let agent = entries.iter().rposition(|entry| entry.name == name).ok_or_else(|| {
        let guess = arena_core::nearest(name, entries.iter().map(|entry| entry.name.as_str()));
        let guess = guess.map_or(String::new(), |guess| format!(" (did you mean `{guess}`?)"));
        Failure::usage(format!("no agent is named `{name}`{guess}"))
    })?;
    if !(-10_000.0..=10_000.0).contains(&elo) {
        return Err(Failure::usage(format!("an anchor at {elo} Elo: allowed are -10000 to 10000")));
    }
    Ok(Anchor { agent, elo })
}

/// The standings in print.
pub(crate) fn of(store: &Store, format: TableFormat, extras: &Extras) -> Result<String, Failure> {
    let (settings, entries, planned) = (store.settings()?, store.entries()?, store.planned()?);
    if entries.is_empty() {
        let path = store.path().display();
        return Err(Failure::failed(format!("no agent takes part in {path} yet: `arena submit` enters one")));
    }
    let mut compared = compared(&settings, &entries, &planned);
    if compared.is_empty() && format == TableFormat::Json {
        // For programs nothing is an answer as well.
        compared = (0..entries.len()).collect();
    }
    if compared.is_empty() {
        let path = store.path().display();
        return Err(Failure::failed(format!("no match of {path} is played yet: `arena run {path}` plays them")));
    }
    let unplayed: Vec<String> = (0..entries.len())
        .filter(|agent| !entries[*agent].withdrawn && !compared.contains(agent))
        .map(|agent| label(&entries[agent], &entries))
        .collect();
    let left = left(&planned, &entries);
    let played: u64 = planned.iter().map(|planned| planned.played * planned.block.agents.len() as u64).sum();
    let Counted { tally, matches, unfinished, duel } = count(store, &compared, &planned)?;
    let anchor = extras.anchor.map(|anchor| match compared.binary_search(&anchor.agent) {
        Ok(place) => Ok(Anchor { agent: place, ..anchor }),
        Err(_) => Err(Failure::usage(format!("{} is not among those compared", entries[anchor.agent].name))),
    });
    let options = Options { anchor: anchor.transpose()? };
    let standings = tally.standings_with(&options).map_err(Failure::failed)?;
    let secrets = store.secrets()?;
    let scored = scored(store, &settings, &planned)?;
    let course =
        Course { settings: &settings, secrets: &secrets, entries: &entries, planned: &planned, scored: &scored };
    let standing = course.standing().map_err(Failure::failed)?;
    let labels: Vec<String> = compared.iter().map(|agent| label(&entries[*agent], &entries)).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let all_labels: Vec<String> = entries.iter().map(|entry| label(entry, &entries)).collect();
    let all = entries;
    let entries = &all;
    // By place among those compared from here on.
    let entries: Vec<Entry> = compared.iter().map(|agent| entries[*agent].clone()).collect();
    let seed = secrets.last().seed.map(|seed| seed.to_string());
    Ok(match format {
        TableFormat::Csv => {
            if extras.cross_table || extras.matrix {
                return Err(Failure::usage("--cross-table and --matrix are for text, markdown and json"));
            }
            standings_table::csv(&standings, &entries)
        }
        TableFormat::Text | TableFormat::Markdown => {
            let mut text = match format {
                TableFormat::Markdown => standings_table::markdown(&standings, &labels),
                _ => standings_table::draw(&standings, &labels),
            };
            let seats = if settings.seats == 2 {
                String::new()
            } else {
                format!(" at {}", counted(settings.seats as i64, "seat"))
            };
            text += &format!(
                "\n{}, {}: {} of {} planned matches played{seats}\n",
                settings.ruleset.name,
                settings.play.name(),
                thousands(played as i64),
                thousands((played + left) as i64),
            );
            if !unplayed.is_empty() {
                text += &format!("not played yet: {}\n", unplayed.join(", "));
            }
            if settings.seats == 1 {
                let common = standings.standings.first().map_or(0, |row| row.matches);
                let of_block = |p: &Planned| p.block.first_pair..p.block.first_pair + p.played;
                let seeds: BTreeSet<u64> = planned.iter().flat_map(of_block).collect();
                text += &format!(
                    "compared on the {} of {} seeds that all of these have played\n",
                    thousands(common as i64),
                    thousands(seeds.len() as i64)
                );
            }
            if unfinished > 0 {
                let limit = counted(settings.limits.turns, "turn");
                let unfinished = thousands(unfinished as i64);
                text += &format!("matches ended by the limit of {limit} a seat: {unfinished}\n");
            }
            text += &standings_table::model_line(&standings, settings.seats);
            if let Some(duel) = duel.filter(|duel| duel.pairs() > 0) {
                text += &format!("{} against {}: {}", labels[0], labels[1], two_agents(&duel));
            }
            text += &first_faults(&standings, &labels, store);
            text += &by_format(&standing, &all_labels);
            let style = if format == TableFormat::Markdown { Grid::Markdown } else { Grid::Terminal };
            if extras.cross_table {
                text += "\nscore against each (wins–draws–losses):\n";
                text += &standings_table::cross_table(&standings, &labels, style);
            }
            if extras.matrix {
                text += "\nlikelihood that the row is truly stronger than the column:\n";
                text += &standings_table::los_matrix(&standings, &labels, style);
            }
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
            let mut whole = json!({
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
            let name = |entry: usize| json!({"name": all[entry].name, "version": all[entry].version});
            match &standing {
                Standing::ByRating => {}
                Standing::Swiss(rows) => {
                    let row = |row: &SwissRow| {
                        json!({"agent": name(row.entry), "points": row.half_points as f64 / 2.0,
                        "buchholz": row.buchholz as f64 / 2.0, "byes": row.byes})
                    };
                    whole["swiss"] = rows.iter().map(row).collect();
                }
                Standing::Knockout(rows) => {
                    let row = |row: &KnockoutRow| {
                        json!({"agent": name(row.entry), "rank": row.rank,
                        "rounds_won": row.rounds_won, "winner": row.winner, "lost_to": row.lost_to.map(name)})
                    };
                    whole["knockout"] = rows.iter().map(row).collect();
                }
            }
            if let Some(duel) = duel {
                whole["pentanomial"] = json!(duel.counts());
                whole["figures"] = json!(duel.figures());
            }
            if extras.matrix {
                whole["los"] = json!(standings.los);
            }
            if extras.cross_table {
                let agents = 0..entries.len();
                let cells = |a: usize| -> Vec<_> { agents.clone().map(|b| standings.cross_table.get(a, b)).collect() };
                whole["cross_table"] = json!(agents.clone().map(cells).collect::<Vec<_>>());
            }
            if extras.matrix || extras.cross_table {
                // Rows and columns are in the order of submission.
                whole["agents"] = json!(labels);
            }
            format!("{whole}\n")
        }
    })
}

/// The order that the format itself makes, where it makes one.
fn by_format(standing: &Standing, labels: &[String]) -> String {
    let mut text = String::new();
    match standing {
        Standing::ByRating => {}
        Standing::Swiss(rows) => {
            text += "\nafter the rounds played, by points, then Buchholz:\n";
            for (place, row) in rows.iter().enumerate() {
                let points = row.half_points as f64 / 2.0;
                let buchholz = row.buchholz as f64 / 2.0;
                let byes = if row.byes > 0 { ", a bye among them" } else { "" };
                text +=
                    &format!("{:>3}. {}: {points} points{byes}, Buchholz {buchholz}\n", place + 1, labels[row.entry]);
            }
        }
        Standing::Knockout(rows) => {
            text += "\nthe knockout:\n";
            for row in rows {
                let fate = match (row.winner, row.lost_to) {
                    (true, _) => "winner".to_owned(),
                    (_, Some(rival)) => format!("out against {}", labels[rival]),
                    (_, None) => "still in".to_owned(),
                };
                text += &format!("{:>3}. {}: {fate}\n", row.rank, labels[row.entry]);
            }
        }
    }
    text
}

/// For every kind of fault that an agent showed, the match in which its author can see it.
fn first_faults(standings: &Standings, labels: &[&str], store: &Store) -> String {
    let mut text = String::new();
    for row in &standings.standings {
        for (kind, number) in &row.first_faults {
            text += &format!(
                "{}: {kind} first in match {number}: `arena show {} {number}`\n",
                labels[row.agent],
                store.path().display()
            );
        }
    }
    text
}

/// What the outcomes come to.
struct Counted {
    tally: Tally,
    matches: u64,
    /// Matches that the turn limit ended.
    unfinished: u64,
    /// Where there are two agents: their pairs, by the first one's points.
    duel: Option<Pentanomial>,
}

/// Who is compared, by index: all who have played; of agents alone those who still take part, since a
/// seed is compared once all of them have played it, and those who left never will.
fn compared(settings: &Settings, entries: &[Entry], planned: &[Planned]) -> Vec<usize> {
    let mut played = vec![false; entries.len()];
    for planned in planned.iter().filter(|planned| planned.played > 0) {
        planned.block.agents.iter().for_each(|agent| played[*agent] = true);
    }
    let all = (0..entries.len()).filter(|agent| played[*agent]);
    let stayed: Vec<usize> = all.clone().filter(|agent| !entries[*agent].withdrawn).collect();
    if settings.seats == 1 && !stayed.is_empty() { stayed } else { all.collect() }
}

/// Counts every stored outcome of those compared, in schedule order.
fn count(store: &Store, compared: &[usize], planned: &[Planned]) -> Result<Counted, Failure> {
    let is_duel = compared.len() == 2 && planned.iter().all(|planned| planned.block.agents.len() == 2);
    let duel = is_duel.then(Pentanomial::default);
    let mut counted = Counted { tally: Tally::new(compared.len()), matches: 0, unfinished: 0, duel };
    let mut outcomes: Vec<(u64, Outcome)> = Vec::new();
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
        let mut outcome = stored.outcome;
        let places = outcome.agents.iter().map(|agent| compared.binary_search(agent).ok()).collect::<Option<Vec<_>>>();
        let Some(places) = places else {
            // Alone, and gone.
            return Ok(true);
        };
        outcome.agents = places;
        outcomes.push((stored.number, outcome));
        if outcomes.len() == seats {
            let pair = block.block.first_pair + offset / seats as u64;
            counted.tally.add_numbered_pair(pair, &outcomes);
            if let Some(duel) = &mut counted.duel {
                let [first, second] = [&outcomes[0].1, &outcomes[1].1].map(Outcome::clone);
                duel.add(PairScore::of(0, &[first, second]).map_err(Failure::failed)?);
            }
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
