//! All matches of one agent of a tournament file, judged.
//!
//! Owns the sums and the worst decisions of each kind. Refuses to keep more decisions than are shown: a
//! tournament has millions.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use arena_core::analysis::{Analyst, Mistake, Play, Roll};
use arena_core::rulebook::thousands;
use serde_json::json;

use super::one_match::{percent, play_in_json, roll_in_json, situation, summary};
use crate::args::{AnalyzeArgs, Format};
use crate::failure::Failure;
use crate::harmless::shell_word;
use crate::playing::OnStderr;
use crate::runner::Judge;
use crate::store::{Entry, Store, unknown_agent};
use crate::{oracles, output, replays};

/// Decisions of each kind that are shown.
const WORST: usize = 3;

/// What is known of one kind of mistake.
#[derive(Default)]
struct Kind {
    count: u64,
    loss: f64,
    /// The worst, the worst first.
    worst: Vec<Worst>,
}

/// A decision, and where it was made.
struct Worst {
    number: u64,
    rival: usize,
    roll: Roll,
}

pub(super) fn run(args: &AnalyzeArgs, name: &str) -> Result<(), Failure> {
    let store = Store::open_to_show(&args.file)?;
    let (settings, entries, planned) = (store.settings()?, store.entries()?, store.planned()?);
    let is_own = |agent: usize| entries[agent].name == name;
    if !(0..entries.len()).any(is_own) {
        return Err(unknown_agent(name, &entries, &args.file));
    }
    let oracle = oracles::of_two(&settings.ruleset, settings.seats)?;
    let own = planned.iter().filter(|planned| planned.block.agents.iter().any(|agent| is_own(*agent)));
    // What is told shows dice, up to the last seed that was played.
    if let Some(pairs) = own.filter(|planned| planned.played > 0).map(|p| p.block.first_pair + p.played).max() {
        store.show_pairs(pairs)?;
    }

    let shown = args.worst.unwrap_or(WORST);
    let mut play = Play::default();
    let mut matches = 0_u64;
    let mut kinds: BTreeMap<Mistake, Kind> = BTreeMap::new();
    let with_own = |planned: &arena_core::schedule::Planned| {
        if planned.block.agents.iter().any(|agent| is_own(*agent)) { planned.played } else { 0 }
    };
    replays::play_again(
        &store,
        Judge::Decisions(Arc::new(Analyst::new(oracle))),
        args.jobs.count(),
        with_own,
        &mut OnStderr::default(),
        |_, played| {
            for played in &played {
                let analysis = played.analysis.as_ref().expect("these matches are judged by their decisions");
                let agents = &played.outcome.agents;
                for seat in (0..agents.len()).filter(|seat| is_own(agents[*seat])) {
                    matches += 1;
                    play.add(&analysis.play(seat as u8));
                    for roll in analysis.rolls.iter().filter(|roll| usize::from(roll.moment.seat) == seat) {
                        let Some(mistake) = roll.decided.and_then(|decided| decided.mistake) else { continue };
                        let kind = kinds.entry(mistake).or_default();
                        kind.count += 1;
                        kind.loss += roll.loss();
                        let worse = |other: &Worst| other.roll.loss() >= roll.loss();
                        let place = kind.worst.partition_point(worse);
                        if place < shown {
                            let rival = agents[1 - seat];
                            kind.worst.insert(place, Worst { number: played.number, rival, roll: *roll });
                            kind.worst.truncate(shown);
                        }
                    }
                }
            }
            Ok(())
        },
    )?;
    if matches == 0 {
        let file = shell_word(&args.file.display().to_string());
        return Err(Failure::failed(format!("no match of {name} is played yet: `arena run {file}` plays them")));
    }
    let mut kinds: Vec<(Mistake, Kind)> = kinds.into_iter().collect();
    kinds.sort_by(|a, b| b.1.loss.total_cmp(&a.1.loss));
    match args.format {
        Format::Text => output::print(&told(args, name, &entries, matches, &play, &kinds)),
        Format::Json => {
            let kind = |(mistake, kind): &(Mistake, Kind)| {
                let worst = kind.worst.iter().map(|worst| {
                    let mut json = roll_in_json(&worst.roll);
                    json["match"] = worst.number.into();
                    json["against"] = entries[worst.rival].name.as_str().into();
                    json
                });
                json!({"mistake": mistake, "decisions": kind.count, "loss": kind.loss, "worst": worst.collect::<Vec<_>>()})
            };
            let mut whole = play_in_json(&play);
            whole["format"] = 1.into();
            whole["agent"] = name.into();
            whole["ruleset"] = settings.ruleset.name.as_ref().into();
            whole["matches"] = matches.into();
            whole["mistakes"] = kinds.iter().map(kind).collect();
            output::print_json(&format!("{whole}\n"))
        }
    }
}

fn told(
    args: &AnalyzeArgs,
    name: &str,
    entries: &[Entry],
    matches: u64,
    play: &Play,
    kinds: &[(Mistake, Kind)],
) -> String {
    let each = |sum: f64| percent(sum / matches as f64);
    let mean = Play { loss: play.loss / matches as f64, luck: play.luck / matches as f64, ..*play };
    let mut text = summary([(name, mean, play.rating())].into_iter());
    let _ = writeln!(
        text,
        "{} matches; what decisions lost and luck brought is the mean of a match",
        thousands(matches as i64)
    );
    for (mistake, kind) in kinds {
        let _ = writeln!(
            text,
            "\n{}: {} decisions, {} a match, {:.0}% of what was lost",
            mistake.name(),
            thousands(kind.count as i64),
            each(kind.loss),
            100.0 * kind.loss / play.loss
        );
        for Worst { number, rival, roll } in &kind.worst {
            let (Some(decided), moment) = (roll.decided, &roll.moment) else { continue };
            let own = usize::from(moment.seat);
            let (score, other) = (thousands(moment.scores[own]), thousands(moment.scores[1 - own]));
            let closing = if moment.closing { ", closing turn" } else { "" };
            let _ = writeln!(
                text,
                "  {} lost at {score} to {other}{closing}, {}: {}, better {}\n    against {}, turn {}: \
                 arena analyze {} {number}",
                percent(roll.loss()),
                situation(roll),
                decided.decision,
                decided.best,
                entries[*rival].name,
                moment.turn,
                shell_word(&args.file.display().to_string()),
            );
        }
    }
    text
}
