//! Goes through a sample of the matches again and again, and times their parts.
//!
//! Owns the order in which parts are timed. Refuses to time one of them for all matches before the next.

use std::path::Path;
use std::time::{Duration, Instant};

use arena_core::Referee;
use arena_core::dice::MatchDice;
use arena_core::standings::Tally;

use super::figures::{AgentFigures, PartTimes};
use super::recording::Recording;
use super::sample::Sample;
use super::{parts, storing};
use crate::agents;
use crate::failure::Failure;
use crate::runner::Contest;

/// What was measured.
pub(crate) struct Measured {
    /// Matches of the sample, and the seeds that they were played on.
    pub(crate) matches: u64,
    pub(crate) pairs: u64,
    pub(crate) decisions: u64,
    pub(crate) rolls: u64,
    pub(crate) times: PartTimes,
    /// By row.
    pub(crate) agents: Vec<AgentFigures>,
}

impl Measured {
    pub(crate) fn decisions_per_match(&self) -> f64 {
        self.decisions as f64 / self.matches.max(1) as f64
    }

    fn count(&mut self, matches: &[Recording], rows: &[usize]) {
        for recorded in matches {
            self.matches += 1;
            self.rolls += recorded.rolls.len() as u64;
            for (seat, agent) in recorded.agents.iter().enumerate() {
                self.decisions += recorded.seats[seat].turns.len() as u64;
                self.agents[rows[*agent]].count(recorded, seat);
            }
        }
    }
}

/// Measures for a time, and for the whole sample at least; a round of the schedule has so many tables.
/// Every agent's figures go to a row, copies of an agent have the same one. Files for storing are made in the folder.
///
/// # Errors
///
/// A match that is void twice; one that does not come out again as it was; a folder that takes no files.
pub(crate) fn measure(
    contest: &Contest,
    tables: u64,
    rows: &[usize],
    folder: &Path,
    time: Duration,
) -> Result<Measured, Failure> {
    let referee = || Referee::new(contest.rules.clone(), contest.seats, contest.limits).map_err(Failure::usage);
    let (mut recording, mut whole, mut acting) = (referee()?, referee()?, referee()?);
    recording.keep_calls();
    let rehearsal = recording.rehearsal();
    let mut dice = MatchDice::new(0, contest.seats as u8);
    let all: Vec<_> = (0..contest.agents.len()).map(|agent| contest.agent(agent)).collect();
    let looks = |import: &String| import.starts_with("farkle:arena/table@");
    let looks: Vec<bool> = all.iter().map(|agent| agent.component.imports().iter().any(looks)).collect();
    let writer = |name: &str| {
        let (ruleset, wasi) = (contest.rules.ruleset(), agents::wasi_of(&all));
        storing::writer(&folder.join(name), ruleset, contest.seats, contest.limits, wasi)
    };
    let (mut whole_writer, mut writer) = (writer("whole.db")?, writer("parts.db")?);
    let (mut whole_tally, mut tally) = (Tally::new(contest.agents.len()), Tally::new(contest.agents.len()));

    let mut sample = Sample::new(tables, contest.seats);
    let mut measured = Measured {
        matches: 0,
        pairs: 0,
        decisions: 0,
        rolls: 0,
        times: PartTimes::default(),
        agents: vec![AgentFigures::default(); rows.iter().max().map_or(0, |row| row + 1)],
    };
    let begun = Instant::now();
    loop {
        let batch = sample.next_batch(contest, &mut recording)?;
        let (encounters, matches, offset) = (batch.encounters, batch.matches, batch.offset);
        if batch.new {
            measured.count(&matches, rows);
        }
        let times = &mut measured.times;
        times.matches += matches.len() as u64;
        times.whole +=
            parts::whole(contest, &mut whole, &mut whole_tally, &mut whole_writer, encounters.clone(), offset)?;
        times.schedule += parts::schedule(contest, encounters);
        parts::agents(contest, &rehearsal, &looks, &matches, |agent, decisions, took| {
            times.instantiation += took.instantiation;
            times.calls += took.calls;
            measured.agents[rows[agent]].time(took, decisions);
        })?;
        times.dice += parts::dice(&mut dice, &matches)?;
        times.referee_and_dice += parts::referee_and_dice(&mut acting, contest, &matches)?;
        times.statistics += parts::statistics(&mut tally, contest.seats, &matches, offset);
        times.storing += parts::storing(&mut writer, &matches, offset)?;
        if sample.is_complete() && begun.elapsed() >= time {
            break;
        }
    }
    measured.pairs = sample.pairs();
    // What still waits is stored too.
    for (writer, total) in [(whole_writer, &mut measured.times.whole), (writer, &mut measured.times.storing)] {
        let begun = Instant::now();
        writer.finish()?;
        *total += begun.elapsed();
    }
    Ok(measured)
}
