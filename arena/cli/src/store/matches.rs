//! What is to be played, and what came of it.
//!
//! Owns the tables `blocks`, `matches`, `engines` and `endings`. Refuses to store half a pair, or
//! a match twice.

use std::time::{Duration, Instant};

use arena_core::formats::Block;
use arena_core::schedule::Planned;
use arena_core::standings::Outcome;
use arena_core::{EngineId, FaultKind, Sha256Hex, TurnFigures};
use farkle::{Ending, Points};
use rusqlite::{Connection, Row, TransactionBehavior, params};

use super::{Attendance, Store};
use crate::failure::Failure;
use crate::played_match::PlayedMatch;

/// Matches that are stored at one time, at most.
const BATCH: usize = 4_096;
/// How long a match waits to be stored, at most, while others are played: what a loss of power costs.
const WAIT: Duration = Duration::from_secs(1);
/// The endings, by their code in the file.
const ENDINGS: [(i64, Ending); 6] = [
    (1, Ending::ImmediateWin),
    (2, Ending::FinalRound),
    (3, Ending::Turns),
    (4, Ending::TurnLimit),
    (5, Ending::OutrightWin),
    (6, Ending::Forfeit),
];

/// A match as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredMatch {
    pub(crate) number: u64,
    /// The index of its block.
    pub(crate) block: usize,
    pub(crate) engine: i64,
    pub(crate) outcome: Outcome,
    pub(crate) hash: [u8; 32],
}

impl StoredMatch {
    /// Its hash, as text.
    pub(crate) fn hash(&self) -> Sha256Hex {
        Sha256Hex(self.hash)
    }
}

pub(super) fn insert_endings(connection: &Connection) -> rusqlite::Result<()> {
    for (code, ending) in ENDINGS {
        connection.execute("INSERT INTO endings VALUES (?1, ?2)", params![code, ending_name(ending)])?;
    }
    Ok(())
}

/// An ending by its name in records.
pub(crate) fn ending_name(ending: Ending) -> String {
    let json = serde_json::to_value(ending).expect("an ending is plain data");
    json.as_str().expect("an ending is a word").to_owned()
}

/// A kind of fault by its name in records.
fn fault_named(name: &str) -> Option<FaultKind> {
    FaultKind::ALL.into_iter().find(|kind| kind.name() == name)
}

impl Store {
    /// Everything planned, in schedule order, with what is played of it. Refuses blocks and matches
    /// that do not fit together.
    pub(crate) fn planned(&self) -> Result<Vec<Planned>, Failure> {
        let failed = self.failing();
        let (seats, agents) = (self.settings()?.seats, self.entries()?.len());
        let mut statement = self
            .connection
            .prepare(
                "WITH b AS (SELECT *, first_match + pairs * json_array_length(agents) - 1 AS last FROM blocks) \
                 SELECT id, agents, first_pair, pairs, first_match, \
                 (SELECT count(*) FROM matches WHERE number BETWEEN first_match AND last), \
                 (SELECT max(number) FROM matches WHERE number BETWEEN first_match AND last) FROM b ORDER BY id",
            )
            .map_err(&failed)?;
        let rows = statement.query_map([], |row| {
            let numbers = [row.get::<_, i64>(0)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?];
            Ok((row.get::<_, String>(1)?, numbers, row.get::<_, Option<i64>>(6)?))
        });
        let mut planned: Vec<Planned> = Vec::new();
        let (mut next, mut total) = (1, 0);
        for row in rows.map_err(&failed)? {
            let (text, [id, first_pair, pairs, first_match, stored], last) = row.map_err(&failed)?;
            let damaged = |what: String| Err(self.damaged(&format!("block {id} {what}")));
            let ids: Vec<usize> = serde_json::from_str(&text).unwrap_or_default();
            let is_known = ids.iter().all(|id| (1..=agents).contains(id));
            let is_distinct = (1..ids.len()).all(|seat| !ids[..seat].contains(&ids[seat]));
            if !is_known || !is_distinct || ids.len() != if pairs == 0 { 1 } else { seats } {
                return damaged(format!("has the agents {text}, and there are {agents} at tables of {seats}"));
            }
            if id != planned.len() as i64 + 1 || first_match != next || first_pair < 0 || pairs < 0 {
                return damaged(format!("does not follow the one before it: first match {first_match}, {pairs} pairs"));
            }
            if stored % ids.len() as i64 != 0 || last.is_some_and(|last| last != first_match + stored - 1) {
                return damaged("lacks a match among those that were played".to_owned());
            }
            let block = Block {
                agents: ids.into_iter().map(|id| id - 1).collect(),
                first_pair: first_pair as u64,
                pairs: pairs as u64,
            };
            next += block.matches() as i64;
            total += stored as u64;
            let played = stored as u64 / block.agents.len() as u64;
            planned.push(Planned { block, first_match: first_match as u64, played });
        }
        match self.match_count()? {
            stored if stored == total => Ok(planned),
            stored => Err(self.damaged(&format!("{stored} matches are stored, and {total} of them were planned"))),
        }
    }

    /// Plans more, after everything that is planned already.
    /// Refuses where there are not so many blocks as the planner knows of.
    pub(crate) fn append(&mut self, known: usize, blocks: Vec<Block>) -> Result<Vec<Planned>, Failure> {
        let failed = self.failing();
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        let sql = "SELECT coalesce(max(first_match + pairs * json_array_length(agents)), 1) FROM blocks";
        let mut next: i64 = transaction.query_row(sql, [], |row| row.get(0)).map_err(&failed)?;
        let found: i64 = transaction.query_row("SELECT count(*) FROM blocks", [], |row| row.get(0)).map_err(&failed)?;
        if found != known as i64 {
            return Err(Failure::failed(format!(
                "another process plays {} as well, and has planned more; end one of the two",
                self.path.display()
            )));
        }
        let mut appended = Vec::with_capacity(blocks.len());
        for block in blocks {
            let ids: Vec<usize> = block.agents.iter().map(|agent| agent + 1).collect();
            let ids = serde_json::to_string(&ids).expect("numbers are JSON");
            transaction
                .prepare_cached("INSERT INTO blocks (first_match, first_pair, pairs, agents) VALUES (?1, ?2, ?3, ?4)")
                .and_then(|mut insert| insert.execute(params![next, block.first_pair as i64, block.pairs as i64, ids]))
                .map_err(&failed)?;
            let planned = Planned { first_match: next as u64, block, played: 0 };
            next = planned.end() as i64;
            appended.push(planned);
        }
        transaction.commit().map_err(&failed)?;
        Ok(appended)
    }

    /// The engines that have played, by their code.
    pub(crate) fn engines(&self) -> Result<Vec<(i64, EngineId)>, Failure> {
        let failed = self.failing();
        let mut statement =
            self.connection.prepare("SELECT id, arena, wasmtime, fingerprint FROM engines").map_err(&failed)?;
        let rows = statement.query_map([], |row| {
            let (arena, wasmtime, fingerprint) = (row.get(1)?, row.get(2)?, row.get(3)?);
            Ok((row.get(0)?, EngineId { arena, wasmtime, fingerprint, wasi: None }))
        });
        rows.map_err(&failed)?.collect::<Result<_, _>>().map_err(&failed)
    }

    /// Goes through the stored matches from number `from` on, in schedule order, until `take` says
    /// that it has seen enough.
    pub(crate) fn each_match(
        &self,
        planned: &[Planned],
        from: u64,
        take: impl FnMut(StoredMatch) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        self.each_row(planned, "number >= ?1", from, take)
    }

    /// The same for matches with a fault alone.
    pub(crate) fn each_faulty_match(
        &self,
        planned: &[Planned],
        from: u64,
        take: impl FnMut(StoredMatch) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        self.each_row(planned, "number >= ?1 AND faults IS NOT NULL", from, take)
    }

    fn each_row(
        &self,
        planned: &[Planned],
        which: &str,
        from: u64,
        mut take: impl FnMut(StoredMatch) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let failed = self.failing();
        let sql = format!(
            "SELECT number, block, engine, ending, scores, ranks, faults, turns, hash FROM matches \
             WHERE {which} ORDER BY number"
        );
        let mut statement = self.connection.prepare(&sql).map_err(&failed)?;
        let mut rows = statement.query([from as i64]).map_err(&failed)?;
        while let Some(row) = rows.next().map_err(&failed)? {
            let stored = read(row, planned)
                .map_err(&failed)?
                .map_err(|(number, what)| self.damaged(&format!("match {number}: {what}")))?;
            if !take(stored)? {
                break;
            }
        }
        Ok(())
    }

    /// The hashes of the stored matches from one number to another, in order.
    pub(crate) fn hashes(&self, first: u64, last: u64) -> Result<Vec<[u8; 32]>, Failure> {
        let failed = self.failing();
        let sql = "SELECT hash FROM matches WHERE number BETWEEN ?1 AND ?2 ORDER BY number";
        let mut statement = self.connection.prepare_cached(sql).map_err(&failed)?;
        let rows = statement.query_map([first as i64, last as i64], |row| row.get(0)).map_err(&failed)?;
        let hashes: Vec<[u8; 32]> = rows.collect::<Result<_, _>>().map_err(&failed)?;
        let wanted = last + 1 - first;
        if hashes.len() as u64 == wanted {
            Ok(hashes)
        } else {
            Err(self.damaged(&format!("of the matches {first} to {last} only {} are there", hashes.len())))
        }
    }

    /// Whether a match is stored.
    pub(crate) fn has_match(&self, number: u64) -> Result<bool, Failure> {
        let sql = "SELECT count(*) FROM matches WHERE number = ?1";
        let found = self.connection.query_row(sql, [number as i64], |row| row.get::<_, i64>(0));
        Ok(found.map_err(self.failing())? > 0)
    }

    /// How many matches are stored.
    pub(crate) fn match_count(&self) -> Result<u64, Failure> {
        let count = self.connection.query_row("SELECT count(*) FROM matches", [], |row| row.get::<_, i64>(0));
        Ok(count.map_err(self.failing())? as u64)
    }

    fn damaged(&self, what: &str) -> Failure {
        Failure::usage(format!("tournament {} is damaged: {what}", self.path.display()))
    }
}

/// A stored row, or the number of the match and what is wrong with it.
fn read(row: &Row<'_>, planned: &[Planned]) -> rusqlite::Result<Result<StoredMatch, (i64, &'static str)>> {
    let number: i64 = row.get(0)?;
    let (block, code): (i64, i64) = (row.get(1)?, row.get(3)?);
    let text = |column: usize| row.get_ref(column).map(|value| value.as_str_or_null().ok().flatten());
    let (scores, ranks, faults, turns) = (text(4)?, text(5)?, text(6)?, text(7)?);
    let hash: Option<[u8; 32]> = row.get(8).ok();
    let engine = row.get(2)?;
    Ok((|| {
        let index = usize::try_from(block - 1).ok().filter(|index| *index < planned.len());
        let index = index.ok_or((number, "it belongs to no block"))?;
        let planned = &planned[index];
        let encounter = planned.encounter_of(number as u64).ok_or((number, "it is no match of its block"))?;
        let mut agents = encounter.agents;
        agents.rotate_left((number as u64 - encounter.first_match) as usize);
        let seats = agents.len();
        let ending = ENDINGS.iter().find(|(known, _)| *known == code).ok_or((number, "its ending is unknown"))?.1;
        let list = |text: Option<&str>| -> Option<Vec<i64>> {
            let numbers: Vec<i64> = serde_json::from_str(text?).ok()?;
            (numbers.len() == seats).then_some(numbers)
        };
        let scores = list(scores).ok_or((number, "its scores are not one a seat"))?;
        let scores = scores.into_iter().map(|n| Points::try_from(n).ok()).collect::<Option<Vec<_>>>();
        let scores = scores.ok_or((number, "its scores are out of range"))?;
        let ranks = list(ranks).ok_or((number, "its ranks are not one a seat"))?;
        let ranks = ranks.into_iter().map(|n| u32::try_from(n).ok()).collect::<Option<Vec<_>>>();
        let ranks = ranks.ok_or((number, "its ranks are out of range"))?;
        let faults = match faults {
            None => Vec::new(),
            Some(text) => {
                let listed: Vec<(u8, String)> =
                    serde_json::from_str(text).map_err(|_| (number, "its faults cannot be read"))?;
                let known = listed.into_iter().map(|(seat, kind)| {
                    Some((seat, fault_named(&kind)?)).filter(|(seat, _)| usize::from(*seat) < seats)
                });
                known.collect::<Option<Vec<_>>>().ok_or((number, "it has a fault of an unknown kind or seat"))?
            }
        };
        let turns = match turns {
            None if seats == 1 => return Err((number, "its turns are not stored")),
            None => Vec::new(),
            Some(text) => {
                let (turns, farkles, best, worst): (u64, u64, Option<Points>, Option<Points>) =
                    serde_json::from_str(text).map_err(|_| (number, "its turns cannot be read"))?;
                vec![TurnFigures { turns, farkles, best, worst }]
            }
        };
        let hash = hash.ok_or((number, "its hash is not 32 bytes"))?;
        let outcome = Outcome { agents, ranks, scores, faults, ending, turns };
        Ok(StoredMatch { number: number as u64, block: index, engine, outcome, hash })
    })())
}

/// Stores matches in the order in which they come, many at a time.
pub(crate) struct Writer {
    store: Store,
    engine: i64,
    /// Each with the index of its block.
    waiting: Vec<(usize, PlayedMatch)>,
    /// When something was stored last. Reaches no result: rows are the same whenever they are written.
    stored: Instant,
    /// Whether the store has failed: it was said then, and nothing is written any more.
    failed: bool,
    /// Who had come and gone when matches were stored last.
    attendance: Option<Attendance>,
}

impl Writer {
    /// Writes matches that this engine plays.
    pub(crate) fn new(store: Store, engine: &EngineId) -> Result<Writer, Failure> {
        let failed = store.failing();
        let values = params![engine.arena, engine.wasmtime, engine.fingerprint];
        let sql = "INSERT INTO engines (arena, wasmtime, fingerprint) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        store.connection.execute(sql, values).map_err(&failed)?;
        let sql = "SELECT id FROM engines WHERE arena = ?1 AND wasmtime = ?2 AND fingerprint = ?3";
        let engine = store.connection.query_row(sql, values, |row| row.get(0)).map_err(&failed)?;
        let (waiting, stored) = (Vec::new(), Instant::now());
        Ok(Writer { store, engine, waiting, stored, failed: false, attendance: None })
    }

    /// Takes the matches of one encounter of a block.
    pub(crate) fn add(&mut self, block: usize, played: Vec<PlayedMatch>) -> Result<(), Failure> {
        self.waiting.extend(played.into_iter().map(|played| (block, played)));
        if self.waiting.len() >= BATCH || self.stored.elapsed() >= WAIT { self.flush() } else { Ok(()) }
    }

    /// Stores what is waiting: all of it or nothing.
    fn flush(&mut self) -> Result<(), Failure> {
        let written = self.write().and_then(|()| self.store.still_there());
        self.failed |= written.is_err();
        self.stored = Instant::now();
        written?;
        self.attendance = Some(self.store.attendance()?);
        Ok(())
    }

    /// Whether others took part when matches were stored last.
    pub(crate) fn has_seen_others_than(&self, there: Attendance) -> bool {
        self.attendance.is_some_and(|seen| seen != there)
    }

    fn write(&mut self) -> Result<(), Failure> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let failed = self.store.failing();
        let transaction =
            self.store.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        {
            let sql = "INSERT INTO matches VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
            let mut insert = transaction.prepare_cached(sql).map_err(&failed)?;
            for (block, played) in &self.waiting {
                let outcome = &played.outcome;
                let faults: Vec<(u8, &str)> = outcome.faults.iter().map(|(seat, kind)| (*seat, kind.name())).collect();
                let turns = match (&outcome.turns[..], outcome.agents.len()) {
                    ([turns], 1) => Some((turns.turns, turns.farkles, turns.best, turns.worst)),
                    _ => None,
                };
                let json = |value: serde_json::Result<String>| value.expect("plain data is JSON");
                let (code, _) = ENDINGS.iter().find(|(_, e)| *e == outcome.ending).expect("every ending has a code");
                insert
                    .execute(params![
                        played.number as i64,
                        *block as i64 + 1,
                        self.engine,
                        code,
                        json(serde_json::to_string(&outcome.scores)),
                        json(serde_json::to_string(&outcome.ranks)),
                        (!faults.is_empty()).then(|| json(serde_json::to_string(&faults))),
                        turns.map(|turns| json(serde_json::to_string(&turns))),
                        played.hash.expect("of what is to be stored, hashes are wanted"),
                    ])
                    .map_err(&failed)?;
            }
        }
        transaction.commit().map_err(&failed)?;
        self.waiting.clear();
        Ok(())
    }

    /// The store, everything written, unless [`Writer::add`] has failed.
    pub(crate) fn finish(mut self) -> Result<Store, Failure> {
        if !self.failed {
            self.flush()?;
        }
        Ok(self.store)
    }
}
