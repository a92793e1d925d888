//! What a tournament file says about its agents.
//!
//! Owns the reading of a file's outcomes into standings and everything around them. Refuses to
//! print: that is `commands/standings.rs`.

use arena_core::EngineId;
use arena_core::formats::{KnockoutRow, Standing, SwissRow};
use arena_core::pentanomial::{PairScore, Pentanomial};
use arena_core::ratings::{Anchor, Options};
use arena_core::schedule::Planned;
use arena_core::standings::{LuckAdjusted, Outcome, Standings, Tally};
use farkle::Ending;

use crate::course::Course;
use crate::failure::Failure;
use crate::playing::{left, scored};
use crate::store::{Entry, Settings, Store};
use crate::{oracles, replays};

/// Everything that is known about a tournament's agents.
pub(crate) struct Report {
    pub(crate) settings: Settings,
    /// The seed that was chosen by hand, if one was.
    pub(crate) seed: Option<u64>,
    pub(crate) engines: Vec<EngineId>,
    /// Everybody, in the order of submission.
    pub(crate) entries: Vec<Entry>,
    /// Those in the standings, by index of entry; the standings count by place in this list.
    pub(crate) compared: Vec<usize>,
    /// Matches that are played.
    pub(crate) played: u64,
    /// Matches that are left of what is planned.
    pub(crate) left: u64,
    /// Seeds on which somebody has played.
    pub(crate) seeds: u64,
    /// Matches of those compared.
    pub(crate) matches: u64,
    /// Matches that the turn limit ended.
    pub(crate) unfinished: u64,
    /// Where two are compared: their pairs, by the first one's points.
    pub(crate) duel: Option<Pentanomial>,
    pub(crate) standings: Standings,
    /// The ratings corrected for luck, if that was asked for.
    pub(crate) luck_adjusted: Option<LuckAdjusted>,
    /// The order that the format itself makes.
    pub(crate) standing: Standing,
    /// How ratings were fitted.
    pub(crate) options: Options,
}

/// The order that a format makes, which is not that of the ratings.
pub(crate) struct FormatOrder {
    /// What it goes by.
    pub(crate) title: &'static str,
    /// From the first place down.
    pub(crate) rows: Vec<Placed>,
}

/// An entry at its place.
pub(crate) struct Placed {
    pub(crate) place: usize,
    /// By index.
    pub(crate) entry: usize,
    /// How it came there.
    pub(crate) how: String,
}

impl Report {
    /// Reads a file, with an agent (by index of entry) held at a rating if wanted. With `lucks` the ratings
    /// are corrected for luck as well, for which all matches are played again on so many threads.
    pub(crate) fn read(store: &Store, anchor: Option<Anchor>, lucks: Option<usize>) -> Result<Report, Failure> {
        let (settings, entries, planned) = (store.settings()?, store.entries()?, store.planned()?);
        if entries.is_empty() {
            let path = store.path().display();
            return Err(Failure::failed(format!("no agent takes part in {path} yet: `arena submit` enters one")));
        }
        let secrets = store.secrets()?;
        let scored = scored(store, &settings, &planned)?;
        let course =
            Course { settings: &settings, secrets: &secrets, entries: &entries, planned: &planned, scored: &scored };
        let standing = course.standing().map_err(Failure::failed)?;

        let compared = compared(&settings, &entries, &planned);
        let anchor = anchor.map(|anchor| match compared.binary_search(&anchor.agent) {
            Ok(place) => Ok(Anchor { agent: place, ..anchor }),
            Err(_) => Err(Failure::usage(format!("{} is not among those compared", entries[anchor.agent].name))),
        });
        let Counted { tally, matches, unfinished, duel } = count(store, &compared, &planned)?;
        let options = Options { anchor: anchor.transpose()? };
        let standings = tally.standings_with(&options).map_err(Failure::failed)?;
        let luck_adjusted = match lucks {
            None => None,
            Some(jobs) => {
                let oracle = oracles::of_two(&settings.ruleset, settings.seats)?;
                let pairs = replays::lucky_pairs(store, oracle, &compared, jobs)?;
                Some(LuckAdjusted::new(&tally, &pairs, &options).map_err(Failure::failed)?)
            }
        };
        Ok(Report {
            seed: secrets.last().seed,
            engines: store.engines()?.into_iter().map(|(_, engine)| engine).collect(),
            played: planned.iter().map(|planned| planned.played * planned.block.agents.len() as u64).sum(),
            left: left(&planned, &entries),
            seeds: seeds(&planned),
            settings,
            entries,
            compared,
            matches,
            unfinished,
            duel,
            standings,
            luck_adjusted,
            standing,
            options,
        })
    }

    /// The order that the format itself makes, where it makes one; `label` names entries.
    pub(crate) fn order(&self, label: impl Fn(usize) -> String) -> Option<FormatOrder> {
        match &self.standing {
            Standing::ByRating => None,
            Standing::Swiss(rows) => {
                let how = |row: &SwissRow| {
                    let (points, buchholz) = (row.half_points as f64 / 2.0, row.buchholz as f64 / 2.0);
                    let byes = if row.byes > 0 { ", a bye among them" } else { "" };
                    let word = if row.half_points == 2 { "point" } else { "points" };
                    format!("{points} {word}{byes}, Buchholz {buchholz}")
                };
                let rows = rows.iter().enumerate();
                let rows = rows.map(|(index, row)| Placed { place: index + 1, entry: row.entry, how: how(row) });
                Some(FormatOrder { title: "after the rounds played, by points, then Buchholz", rows: rows.collect() })
            }
            Standing::Knockout(rows) => {
                let how = |row: &KnockoutRow| match (row.winner, row.lost_to) {
                    (true, _) => "winner".to_owned(),
                    (_, Some(rival)) => format!("out against {}", label(rival)),
                    (_, None) => "still in".to_owned(),
                };
                let rows = rows.iter();
                let rows = rows.map(|row| Placed { place: row.rank, entry: row.entry, how: how(row) });
                Some(FormatOrder { title: "the knockout", rows: rows.collect() })
            }
        }
    }

    /// How an entry is called, by index.
    pub(crate) fn label(&self, entry: usize) -> String {
        label(&self.entries[entry], &self.entries)
    }

    /// How those in the standings are called, by place.
    pub(crate) fn labels(&self) -> Vec<String> {
        self.compared.iter().map(|entry| self.label(*entry)).collect()
    }

    /// The entry at a place of the standings' agents.
    pub(crate) fn entry(&self, place: usize) -> &Entry {
        &self.entries[self.compared[place]]
    }

    /// Who takes part and is not in the standings yet, by index.
    pub(crate) fn unplayed(&self) -> impl Iterator<Item = usize> {
        (0..self.entries.len()).filter(|entry| !self.entries[*entry].withdrawn && !self.compared.contains(entry))
    }
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
    let compared: Vec<usize> = if settings.seats == 1 && !stayed.is_empty() { stayed } else { all.collect() };
    // Before the first match everybody is as good as everybody.
    if compared.is_empty() { (0..entries.len()).collect() } else { compared }
}

/// How many seeds somebody has played on.
fn seeds(planned: &[Planned]) -> u64 {
    // Blocks overlap: most have the same seeds.
    let mut played: Vec<(u64, u64)> =
        planned.iter().map(|p| (p.block.first_pair, p.block.first_pair + p.played)).collect();
    played.sort_unstable();
    let (mut seeds, mut end) = (0, 0);
    for (first, after) in played {
        seeds += after.saturating_sub(first.max(end));
        end = end.max(after);
    }
    seeds
}

/// What the outcomes come to.
struct Counted {
    tally: Tally,
    matches: u64,
    unfinished: u64,
    duel: Option<Pentanomial>,
}

/// Counts every stored outcome of those compared, in schedule order.
fn count(store: &Store, compared: &[usize], planned: &[Planned]) -> Result<Counted, Failure> {
    let is_duel = compared.len() == 2 && planned.iter().all(|planned| planned.block.agents.len() == 2);
    let duel = is_duel.then(Pentanomial::default);
    let mut counted = Counted { tally: Tally::new(compared.len()), matches: 0, unfinished: 0, duel };
    // The plan was found to fit the matches: every pair is whole, and its matches follow each other.
    let mut outcomes: Vec<(u64, Outcome)> = Vec::new();
    store.each_match(planned, 1, |stored| {
        let mut outcome = stored.outcome;
        let seats = outcome.agents.len();
        let places = outcome.agents.iter().map(|agent| compared.binary_search(agent).ok()).collect::<Option<Vec<_>>>();
        let Some(places) = places else {
            // Alone, and gone.
            return Ok(true);
        };
        outcome.agents = places;
        counted.matches += 1;
        counted.unfinished += u64::from(outcome.ending == Ending::TurnLimit);
        outcomes.push((stored.number, outcome));
        if outcomes.len() == seats {
            let block = &planned[stored.block];
            let pair = block.block.first_pair + (stored.number - block.first_match) / seats as u64;
            counted.tally.add_numbered_pair(pair, &outcomes);
            if let (Some(duel), [(_, first), (_, second)]) = (&mut counted.duel, &outcomes[..]) {
                duel.add(PairScore::of(0, &[first.clone(), second.clone()]).map_err(Failure::failed)?);
            }
            outcomes.clear();
        }
        Ok(true)
    })?;
    Ok(counted)
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
        label += match (latest, &entry.suspended) {
            (_, Some(_)) => " (suspended)",
            (true, None) => " (withdrawn)",
            (false, None) => " (replaced)",
        };
    }
    label
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use arena_core::formats::Block;

    use super::*;

    /// Against a set of all of them.
    #[test]
    fn seeds_of_overlapping_blocks_count_once() {
        let mut random = 5u64;
        let mut draw = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        for _ in 0..200 {
            let planned: Vec<Planned> = (0..draw(6))
                .map(|_| {
                    let block = Block { agents: vec![0], first_pair: draw(12), pairs: 9 };
                    Planned { block, first_match: 1, played: draw(10) }
                })
                .collect();
            let all = planned.iter().flat_map(|p| p.block.first_pair..p.block.first_pair + p.played);
            assert_eq!(seeds(&planned), all.collect::<BTreeSet<u64>>().len() as u64);
        }
    }
}
