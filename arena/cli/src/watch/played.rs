//! Matches to draw, for tests: golden records, and matches of agents that bank at so many points.

use std::rc::Rc;
use std::sync::Arc;

use arena_core::analysis::{Analysis, Analyst};
use arena_core::oracle::Oracle;
use arena_core::{
    Agent, AgentError, Allowance, Answer, Contestant, EngineId, Record, RecordSeat, Referee, Sha256Hex, Start, Table,
    Turn,
};
use farkle::{Chart, Next, Points, Ruleset, ScoreTable, presets};

use super::story::Story;

/// Of two seats, with what came of every roll in five events.
pub(super) const TWO_SEATS: &str = include_str!("../../../../tests/golden/native-two-seats.json");

/// Of three seats, with penalties and a fault.
pub(super) const FAULT: &str = include_str!("../../../../tests/golden/native-fault-and-penalty.json");

/// Keeps the best, and banks so many points.
struct BanksAt(Points);

struct Seated(Points, Chart, Points);

impl Contestant for BanksAt {
    fn sha256(&self) -> [u8; 32] {
        [self.0 as u8; 32]
    }

    fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Seated(self.0, Chart::new(table.ruleset()), table.ruleset().target)))
    }
}

impl Agent for Seated {
    fn start(&mut self, _: &Start) -> Result<(), AgentError> {
        Ok(())
    }

    fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
        let keep = self.1.best_keep(turn.roll).expect("an agent is asked only where a keep is legal");
        let at_risk = turn.at_risk + keep.points;
        let bank = at_risk >= turn.opening_due && (at_risk >= self.0 || turn.score + at_risk >= self.2);
        Ok(Answer::from_decision(keep.dice, if bank { Next::Bank } else { Next::Roll }))
    }
}

/// A match of agents of these names; each banks later than the one before.
pub(super) fn record(rules: &Ruleset, seed: u64, names: &[&str]) -> Record {
    let agents: Vec<BanksAt> = (0..names.len()).map(|seat| BanksAt(250 + 100 * seat as Points)).collect();
    let contestants: Vec<&dyn Contestant> = agents.iter().map(|agent| agent as &dyn Contestant).collect();
    let limits = Allowance::Standard.limits();
    let mut referee = Referee::new(Arc::new(ScoreTable::new(rules)), names.len(), limits).unwrap();
    let result = referee.play(seed, &contestants).unwrap().result;
    let seats = names
        .iter()
        .zip(&contestants)
        .map(|(name, contestant)| RecordSeat { name: (*name).to_owned(), sha256: Sha256Hex(contestant.sha256()) });
    let engine = EngineId { arena: String::new(), wasmtime: String::new(), fingerprint: String::new(), wasi: None };
    Record::new(engine, rules.clone(), seed, limits, seats.collect(), referee.events().to_vec(), result)
}

/// Short, so that it is solved in a moment.
pub(super) fn short() -> Ruleset {
    Ruleset { target: 1_000, ..presets::IMMEDIATE_WIN }
}

pub(super) fn analysis(record: &Record) -> Analysis {
    let oracle = Arc::new(Oracle::solve(&record.ruleset, |_| {}).unwrap());
    Analyst::new(oracle).judge(record.seats.len(), &record.events).unwrap()
}

/// With everything that can be said about it.
pub(super) fn story(record: Record) -> Story {
    let judged = if record.seats.len() == 2 { Ok(analysis(&record)) } else { Err(Some("not two seats".to_owned())) };
    Story::new(record, None, judged).unwrap()
}

/// One of each kind: two seats, one, twelve, penalties and a fault, names that try something.
pub(super) fn all() -> Vec<Story> {
    let twelve = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "a name of 40 columns, which are a lot.."];
    let hostile = ["\u{1b}[31m\r\n\u{202e}red", "骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子骰子"];
    let from = Some("record \u{1b}]0;x\u{7}.json");
    vec![
        story(Record::from_json(TWO_SEATS).unwrap()),
        story(record(&short(), 3, &["left", "right"])),
        story(record(&presets::SOLO_TEN, 4, &["alone"])),
        story(record(&Ruleset { target: 2_000, ..presets::PLAY_TABLE }, 5, &twelve)),
        story(Record::from_json(FAULT).unwrap()),
        Story::new(record(&short(), 7, &hostile), from, Err(None)).unwrap(),
    ]
}
