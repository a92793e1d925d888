//! `arena matches`: the matches of a tournament file, listed.

use std::fmt::Write as _;

use arena_core::standings::Outcome;
use serde_json::{Value, json};

use crate::args::{ListFormat, MatchesArgs};
use crate::failure::Failure;
use crate::output::{self, thousands};
use crate::report::label;
use crate::store::{Entry, Store, StoredMatch, ending_name, unknown_agent};

/// Whether agents of these names play in a match, each in a seat of its own: of one name those are two versions.
pub(crate) fn is_between(stored: &StoredMatch, entries: &[Entry], names: [&Option<String>; 2]) -> bool {
    let seats = |name: &str| stored.outcome.agents.iter().filter(|agent| entries[**agent].name == name).count();
    match names {
        [Some(one), Some(other)] if one == other => seats(one) >= 2,
        _ => names.into_iter().flatten().all(|name| seats(name) > 0),
    }
}

pub(crate) fn run(args: &MatchesArgs) -> Result<(), Failure> {
    let store = Store::open_to_read(&args.file)?;
    let (entries, planned) = (store.entries()?, store.planned()?);
    let labels: Vec<String> = entries.iter().map(|entry| label(entry, &entries)).collect();
    for name in args.agent.iter().chain(&args.against) {
        if !entries.iter().any(|entry| entry.name == *name) {
            return Err(unknown_agent(name, &entries, &args.file));
        }
    }
    let wanted = |stored: &StoredMatch| {
        is_between(stored, &entries, [&args.agent, &args.against])
            && (!args.faults || !stored.outcome.faults.is_empty())
    };
    let print = match args.format {
        ListFormat::Text | ListFormat::Csv => output::print,
        ListFormat::Json | ListFormat::Jsonl => output::print_json,
    };
    let mut text = String::new();
    if args.format == ListFormat::Csv {
        text += "match,pair,seat,agent,version,score,rank,ending,fault,hash\n";
    }
    let (mut listed, mut more) = (0, false);
    store.each_match(&planned, args.from, |stored| {
        if !wanted(&stored) {
            return Ok(true);
        }
        if listed == args.limit {
            more = true;
            return Ok(false);
        }
        listed += 1;
        let encounter = planned[stored.block].encounter_of(stored.number).expect("it is a match of its block");
        let outcome = &stored.outcome;
        let ending = ending_name(outcome.ending);
        let fault = |seat| fault_of(outcome, seat);
        let seats = || outcome.agents.iter().enumerate();
        match args.format {
            ListFormat::Text => {
                let told: Vec<String> = seats()
                    .map(|(seat, agent)| {
                        let fault = fault(seat).map_or(String::new(), |kind| format!(" [{kind}]"));
                        format!("{} {}{fault}", labels[*agent], thousands(outcome.scores[seat]))
                    })
                    .collect();
                let _ = writeln!(text, "{:>8}  {}  ({ending})", thousands(stored.number as i64), told.join(", "));
            }
            ListFormat::Csv => {
                for (seat, agent) in seats() {
                    let entry = &entries[*agent];
                    let _ = writeln!(
                        text,
                        "{},{},{seat},{},{},{},{},{ending},{},{}",
                        stored.number,
                        encounter.pair,
                        output::csv_field(&entry.name),
                        entry.version,
                        outcome.scores[seat],
                        outcome.ranks[seat],
                        fault(seat).unwrap_or(""),
                        stored.hash()
                    );
                }
            }
            ListFormat::Json | ListFormat::Jsonl => {
                let _ = writeln!(text, "{}", in_json(&stored, encounter.pair, &entries));
            }
        }
        // Long lists are not held in memory.
        if text.len() > 1 << 20 {
            print(&text)?;
            text.clear();
        }
        Ok(true)
    })?;
    if listed == 0 && args.format == ListFormat::Text {
        text += "no such match is stored\n";
    }
    print(&text)?;
    if more && args.format == ListFormat::Text {
        crate::output::tell("arena: there are more; --from and --limit show them");
    }
    Ok(())
}

/// A stored match for programs.
pub(crate) fn in_json(stored: &StoredMatch, pair: u64, entries: &[Entry]) -> Value {
    let outcome = &stored.outcome;
    let seat = |(seat, agent): (usize, &usize)| {
        let entry = &entries[*agent];
        json!({"name": entry.name, "version": entry.version, "score": outcome.scores[seat],
               "rank": outcome.ranks[seat], "fault": fault_of(outcome, seat)})
    };
    let seats: Vec<Value> = outcome.agents.iter().enumerate().map(seat).collect();
    json!({"match": stored.number, "pair": pair, "seats": seats, "ending": outcome.ending, "hash": stored.hash()})
}

/// The kind of a seat's fault, if it has one.
fn fault_of(outcome: &Outcome, seat: usize) -> Option<&'static str> {
    outcome.faults.iter().find(|(faulty, _)| usize::from(*faulty) == seat).map(|(_, kind)| kind.name())
}
