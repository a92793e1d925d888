//! What a tournament is, fixed when it is made, and the secrets of its dice.
//!
//! Owns the tables `tournament` and `secrets`. Refuses to change a setting later.

use arena_core::seeds::TournamentSecret;
use arena_core::{Limits, Sha256Hex};
use arena_host::Wasi;
use farkle::Ruleset;
use rusqlite::{Connection, params};

use super::Store;
use crate::failure::Failure;
use crate::play::Play;
use crate::secrets::{Secret, Secrets};

/// What a tournament is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    pub(crate) ruleset: Ruleset,
    pub(crate) play: Play,
    pub(crate) seats: usize,
    pub(crate) pairs: u64,
    pub(crate) limits: Limits,
    /// What agents may import.
    pub(crate) wasi: Wasi,
}

pub(super) fn insert(connection: &Connection, settings: &Settings, secrets: &Secrets) -> rusqlite::Result<()> {
    let limits = &settings.limits;
    connection.execute(
        "INSERT INTO tournament VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, datetime('now'), ?9)",
        params![
            serde_json::to_string(&settings.ruleset).expect("a ruleset is plain data"),
            serde_json::to_string(&settings.play).expect("a format is plain data"),
            settings.seats as i64,
            settings.pairs as i64,
            limits.start_fuel as i64,
            limits.decide_fuel as i64,
            limits.memory_bytes as i64,
            limits.turns,
            settings.wasi != Wasi::None,
        ],
    )?;
    secrets.iter().try_for_each(|secret| insert_secret(connection, secret))
}

pub(super) fn insert_secret(connection: &Connection, secret: &Secret) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO secrets VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            secret.first_pair as i64,
            secret.secret.as_bytes(),
            Sha256Hex(secret.secret.commitment()).to_string(),
            secret.seed.map(|seed| seed.to_string()),
            secret.revealed,
        ],
    )?;
    Ok(())
}

impl Store {
    /// What the tournament is.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        let damaged = |what: &str| Failure::usage(format!("tournament {} is damaged: {what}", self.path.display()));
        let wasi = if self.format < 2 { "0" } else { "wasi" };
        let sql = format!(
            "SELECT ruleset, play, seats, pairs, start_fuel, decide_fuel, memory_bytes, turn_limit, {wasi} FROM tournament"
        );
        let row = self.connection.query_row(&sql, [], |row| {
            let limits = Limits {
                start_fuel: row.get::<_, i64>(4)? as u64,
                decide_fuel: row.get::<_, i64>(5)? as u64,
                memory_bytes: row.get::<_, i64>(6)? as u64,
                turns: row.get(7)?,
            };
            let (seats, pairs) = (row.get::<_, i64>(2)? as usize, row.get::<_, i64>(3)? as u64);
            let wasi = if row.get(8)? { Wasi::Deterministic } else { Wasi::None };
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, seats, pairs, limits, wasi))
        });
        let (ruleset, play, seats, pairs, limits, wasi) = row.map_err(self.failing())?;
        let ruleset: Ruleset = serde_json::from_str(&ruleset).map_err(|e| damaged(&format!("its ruleset: {e}")))?;
        ruleset.validate().map_err(|e| damaged(&e.to_string()))?;
        let play = serde_json::from_str(&play).map_err(|e| damaged(&format!("its format: {e}")))?;
        if !(usize::from(ruleset.min_seats)..=usize::from(ruleset.max_seats)).contains(&seats) {
            return Err(damaged(&format!("its rules are not for {} seats", seats as i64)));
        }
        Ok(Settings { ruleset, play, seats, pairs, limits, wasi })
    }

    /// The secrets of its dice.
    pub(crate) fn secrets(&self) -> Result<Secrets, Failure> {
        let failed = self.failing();
        let damaged = |what: &str| Failure::usage(format!("tournament {} is damaged: {what}", self.path.display()));
        let sql = "SELECT first_pair, secret, seed, revealed, commitment FROM secrets ORDER BY first_pair";
        let mut statement = self.connection.prepare(sql).map_err(&failed)?;
        let rows = statement.query_map([], |row| {
            let secret = row.get::<_, [u8; 32]>(1).ok().map(TournamentSecret::from_bytes);
            let seed = row.get::<_, Option<String>>(2)?.map(|seed| seed.parse::<u64>());
            Ok((row.get::<_, i64>(0)?, secret, seed, row.get::<_, bool>(3)?, row.get::<_, String>(4)?))
        });
        let mut secrets = Vec::new();
        for row in rows.map_err(&failed)? {
            let (first_pair, secret, seed, revealed, commitment) = row.map_err(&failed)?;
            let secret = secret.ok_or_else(|| damaged("its secret is not 32 bytes"))?;
            if Sha256Hex(secret.commitment()).to_string() != commitment {
                return Err(damaged("its secret is not the one that was committed to"));
            }
            let seed = seed.transpose().map_err(|_| damaged("its seed is no number"))?;
            if seed.is_some_and(|seed| TournamentSecret::from_seed(seed) != secret) {
                return Err(damaged("its secret does not come from its seed"));
            }
            secrets.push(Secret { first_pair: first_pair as u64, secret, seed, revealed });
        }
        if secrets.first().is_none_or(|secret| secret.first_pair != 0) {
            return Err(damaged("it has no secret for its first pair"));
        }
        Ok(Secrets(secrets))
    }

    /// The dice of all pairs below this one have been shown.
    pub(crate) fn shown_pairs(&self) -> Result<u64, Failure> {
        let shown = self.connection.query_row("SELECT shown_pairs FROM tournament", [], |row| row.get::<_, i64>(0));
        Ok(shown.map_err(self.failing())? as u64)
    }

    /// Notes that the dice of all pairs below this one have been shown.
    pub(crate) fn show_pairs(&self, below: u64) -> Result<(), Failure> {
        if self.connection.is_readonly("main").map_err(self.failing())? {
            return Ok(());
        }
        // Nothing is written where nothing changes.
        let sql = "UPDATE tournament SET shown_pairs = ?1 WHERE shown_pairs < ?1";
        self.connection.execute(sql, [below as i64]).map_err(self.failing())?;
        Ok(())
    }

    /// Publishes all secrets. Whoever submits later plays under a new one.
    pub(crate) fn reveal(&self) -> Result<(), Failure> {
        self.connection.execute("UPDATE secrets SET revealed = 1", []).map_err(self.failing())?;
        self.still_there()
    }
}
