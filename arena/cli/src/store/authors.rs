//! Who may submit over the network.
//!
//! Owns the table `authors`. Refuses to keep a token: what is stored is its SHA-256, from which nobody
//! gets it back.

use rusqlite::{OptionalExtension, params};

use super::Store;
use crate::failure::Failure;

/// What became of an author's token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// The author is new.
    First,
    /// The author had a token, which is good for nothing any more.
    Replaced,
    /// The author had one once, which was revoked.
    Restored,
}

/// An author, as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) name: String,
    /// Whether the token is good.
    pub(crate) may_submit: bool,
    /// When it was made, UTC.
    pub(crate) created: String,
    pub(crate) submissions: u64,
}

impl Store {
    /// Gives an author a token, by its hash.
    pub(crate) fn set_token(&self, author: &str, hash: [u8; 32]) -> Result<Token, Failure> {
        let failed = self.failing();
        let sql = "SELECT token IS NOT NULL FROM authors WHERE name = ?1";
        let before = self.connection.query_row(sql, [author], |row| row.get::<_, bool>(0)).optional();
        let before = before.map_err(&failed)?;
        let sql = "INSERT INTO authors (name, token, created) VALUES (?1, ?2, datetime('now')) \
                   ON CONFLICT (name) DO UPDATE SET token = excluded.token, created = excluded.created";
        self.connection.execute(sql, params![author, hash]).map_err(&failed)?;
        self.still_there()?;
        Ok(match before {
            None => Token::First,
            Some(true) => Token::Replaced,
            Some(false) => Token::Restored,
        })
    }

    /// Makes an author's token good for nothing. Says whether it was good; nothing where there is no such
    /// author.
    pub(crate) fn revoke_token(&self, author: &str) -> Result<Option<bool>, Failure> {
        let failed = self.failing();
        let known = "SELECT token IS NOT NULL FROM authors WHERE name = ?1";
        let was_good = self.connection.query_row(known, [author], |row| row.get(0)).optional().map_err(&failed)?;
        self.connection.execute("UPDATE authors SET token = NULL WHERE name = ?1", [author]).map_err(&failed)?;
        self.still_there()?;
        Ok(was_good)
    }

    /// Everybody who was given a token, by name.
    pub(crate) fn authors(&self) -> Result<Vec<Listed>, Failure> {
        if self.format < 4 {
            return Ok(Vec::new());
        }
        let failed = self.failing();
        let sql = "SELECT name, token IS NOT NULL, created, \
                   (SELECT count(*) FROM submissions WHERE author = authors.id) FROM authors ORDER BY name";
        let mut statement = self.connection.prepare(sql).map_err(&failed)?;
        let rows = statement.query_map([], |row| {
            let submissions = row.get::<_, i64>(3)? as u64;
            Ok(Listed { name: row.get(0)?, may_submit: row.get(1)?, created: row.get(2)?, submissions })
        });
        rows.map_err(&failed)?.collect::<Result<_, _>>().map_err(&failed)
    }

    /// Whose token has this hash.
    pub(crate) fn author_of(&self, hash: [u8; 32]) -> Result<Option<String>, Failure> {
        if self.format < 4 {
            return Ok(None);
        }
        let sql = "SELECT name FROM authors WHERE token = ?1";
        self.connection.query_row(sql, [&hash[..]], |row| row.get(0)).optional().map_err(self.failing())
    }
}
