//! What authors submitted over the network.
//!
//! Owns the table `submissions`: a component is kept in it from the moment it has arrived until it is
//! checked. Refuses to show an author what others submitted, and to take more than a server can check.

use arena_core::Sha256Hex;
use rusqlite::{OptionalExtension, Row, TransactionBehavior, params};

use super::Store;
use crate::failure::Failure;

/// What a submission came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It is stored, and will be checked.
    Waiting,
    /// It takes part.
    Accepted,
    /// It is no contestant, or may not have that name.
    Refused,
    /// The arena could not check it, which is not the agent's doing.
    Failed,
}

impl State {
    const ALL: [State; 4] = [State::Waiting, State::Accepted, State::Refused, State::Failed];

    /// As it is stored and told.
    pub(crate) fn name(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Accepted => "accepted",
            State::Refused => "refused",
            State::Failed => "failed",
        }
    }
}

/// A component as it arrives.
pub(crate) struct Upload<'a> {
    pub(crate) author: &'a str,
    pub(crate) name: &'a str,
    pub(crate) bytes: &'a [u8],
}

/// How much may wait to be checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Door {
    /// Of one author.
    pub(crate) of_author: u64,
    /// Of all of them.
    pub(crate) in_all: u64,
}

/// Whether there was room for a component.
#[derive(Debug)]
pub(crate) enum Uploaded {
    Stored(Received),
    /// So many of this author wait already.
    AuthorWaits(u64),
    /// So many wait in all.
    AllWait(u64),
}

/// A submission, as its author sees it.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) sha256: Sha256Hex,
    /// In bytes.
    pub(crate) size: u64,
    /// UTC.
    pub(crate) received: String,
    pub(crate) state: State,
    pub(crate) message: Option<String>,
    /// JSON.
    pub(crate) report: Option<String>,
}

/// A submission that is to be checked.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) author: String,
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// What is told of a submission once it is checked.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) state: State,
    pub(crate) message: String,
    /// JSON.
    pub(crate) report: Option<String>,
}

const COLUMNS: &str = "s.id, s.name, s.sha256, s.size, s.received, s.state, s.message, s.report";

impl Store {
    /// Stores a component to be checked, if there is room.
    pub(crate) fn receive(&mut self, upload: &Upload<'_>, door: Door) -> Result<Uploaded, Failure> {
        let failed = self.failing();
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        let (of_author, in_all) = transaction
            .query_row(
                "SELECT count(*) FILTER (WHERE a.name = ?1), count(*) FROM submissions s JOIN authors a ON a.id = s.author \
                 WHERE s.state = 'waiting'",
                [upload.author],
                |row| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64)),
            )
            .map_err(&failed)?;
        if of_author >= door.of_author {
            return Ok(Uploaded::AuthorWaits(of_author));
        }
        if in_all >= door.in_all {
            return Ok(Uploaded::AllWait(in_all));
        }
        let sha256 = Sha256Hex::of(upload.bytes);
        let sql = "INSERT INTO submissions (author, name, sha256, size, bytes, received, state) \
                   SELECT id, ?2, ?3, ?4, ?5, datetime('now'), 'waiting' FROM authors WHERE name = ?1";
        let values = params![upload.author, upload.name, sha256.0, upload.bytes.len() as i64, upload.bytes];
        transaction.execute(sql, values).map_err(&failed)?;
        let sql = format!("SELECT {COLUMNS} FROM submissions s WHERE id = ?1");
        let id = transaction.last_insert_rowid();
        let received = transaction.query_row(&sql, [id], read).map_err(&failed)?;
        transaction.commit().map_err(&failed)?;
        self.still_there()?;
        Ok(Uploaded::Stored(received))
    }

    /// How many wait to be checked.
    pub(crate) fn waiting(&self) -> Result<u64, Failure> {
        if self.format < 4 {
            return Ok(0);
        }
        let sql = "SELECT count(*) FROM submissions WHERE state = 'waiting'";
        let count = self.connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        Ok(count.map_err(self.failing())? as u64)
    }

    /// The submission that has waited longest of every author of whom any waits.
    pub(crate) fn heads_of_lines(&self) -> Result<Vec<(String, u64)>, Failure> {
        let failed = self.failing();
        let sql = "SELECT a.name, min(s.id) FROM submissions s JOIN authors a ON a.id = s.author \
                   WHERE s.state = 'waiting' GROUP BY a.id";
        let mut statement = self.connection.prepare_cached(sql).map_err(&failed)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64))).map_err(&failed)?;
        rows.collect::<Result<_, _>>().map_err(&failed)
    }

    /// A submission, if it waits.
    pub(crate) fn waiting_submission(&self, id: u64) -> Result<Option<Waiting>, Failure> {
        let sql = "SELECT a.name, s.name, s.bytes FROM submissions s JOIN authors a ON a.id = s.author \
                   WHERE s.state = 'waiting' AND s.id = ?1";
        let row = self.connection.query_row(sql, [id as i64], |row| {
            let bytes = row.get::<_, Option<Vec<u8>>>(2)?.unwrap_or_default();
            Ok(Waiting { author: row.get(0)?, name: row.get(1)?, bytes })
        });
        row.optional().map_err(self.failing())
    }

    /// Notes what a submission came to. Its bytes are not needed any more.
    pub(crate) fn judge(&self, id: u64, verdict: &Verdict) -> Result<(), Failure> {
        let sql = "UPDATE submissions SET state = ?2, message = ?3, report = ?4, bytes = NULL \
                   WHERE id = ?1 AND state = 'waiting'";
        let values = params![id as i64, verdict.state.name(), verdict.message, verdict.report];
        self.connection.execute(sql, values).map_err(self.failing())?;
        self.still_there()
    }

    /// The last submissions of an author, the newest first.
    pub(crate) fn submissions_of(&self, author: &str, most: u64) -> Result<Vec<Received>, Failure> {
        let failed = self.failing();
        let sql = format!(
            "SELECT {COLUMNS} FROM submissions s JOIN authors a ON a.id = s.author WHERE a.name = ?1 \
             ORDER BY s.id DESC LIMIT ?2"
        );
        let mut statement = self.connection.prepare(&sql).map_err(&failed)?;
        let rows = statement.query_map(params![author, most as i64], read).map_err(&failed)?;
        rows.collect::<Result<_, _>>().map_err(&failed)
    }

    /// A submission, if it is this author's.
    pub(crate) fn submission_of(&self, author: &str, id: u64) -> Result<Option<Received>, Failure> {
        let sql = format!(
            "SELECT {COLUMNS} FROM submissions s JOIN authors a ON a.id = s.author WHERE a.name = ?1 AND s.id = ?2"
        );
        self.connection.query_row(&sql, params![author, id as i64], read).optional().map_err(self.failing())
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Received> {
    let state: String = row.get(5)?;
    Ok(Received {
        id: row.get::<_, i64>(0)? as u64,
        name: row.get(1)?,
        sha256: Sha256Hex(row.get(2)?),
        size: row.get::<_, i64>(3)? as u64,
        received: row.get(4)?,
        // The table has no others.
        state: State::ALL.into_iter().find(|known| known.name() == state).unwrap_or(State::Failed),
        message: row.get(6)?,
        report: row.get(7)?,
    })
}
