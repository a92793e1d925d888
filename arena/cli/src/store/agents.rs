//! Who takes part: names, versions, components.
//!
//! Owns the tables `agents` and `components`. Refuses to lose an old version: its results stay
//! with it.

use std::path::Path;

use arena_core::Sha256Hex;
use arena_core::seeds::TournamentSecret;
use rusqlite::{OptionalExtension, Row, TransactionBehavior, params};

use super::Store;
use super::settings::insert_secret;
use crate::agents::AgentFile;
use crate::failure::Failure;
use crate::secrets::Secret;

/// How many versions of agents ever came, and how many of them went. Neither gets less: others take part where
/// one of them is another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attendance {
    came: usize,
    went: usize,
}

impl Attendance {
    /// Of all entries of a file.
    pub(crate) fn of(entries: &[Entry]) -> Attendance {
        Attendance { came: entries.len(), went: entries.iter().filter(|entry| entry.withdrawn).count() }
    }
}

/// One version of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) version: u32,
    pub(crate) author: Option<String>,
    /// Who the component says it is.
    pub(crate) claim: String,
    pub(crate) sha256: Sha256Hex,
    /// The first pair that it may play.
    pub(crate) fresh_from: u64,
    pub(crate) withdrawn: bool,
    /// Why the arena withdrew it, if it did.
    pub(crate) suspended: Option<String>,
}

/// What is said to who names an agent that a file does not have.
pub(crate) fn unknown_agent(name: &str, entries: &[Entry], file: &Path) -> Failure {
    let guess = arena_core::nearest(name, entries.iter().map(|entry| entry.name.as_str()));
    let guess = guess.map_or(String::new(), |guess| format!(" (did you mean `{guess}`?)"));
    Failure::usage(format!("no agent of {} is named `{name}`{guess}", file.display()))
}

impl Entry {
    /// One that is not stored yet, for asking whether it may come.
    pub(crate) fn newcomer(name: &str) -> Entry {
        Entry {
            name: name.to_owned(),
            version: 0,
            author: None,
            claim: String::new(),
            sha256: Sha256Hex([0; 32]),
            fresh_from: 0,
            withdrawn: false,
            suspended: None,
        }
    }
}

/// That an agent may not come as it wants to: the reason of a [`Failure`] by which this one is known.
#[derive(Debug)]
pub(crate) struct Unwelcome(String);

impl std::fmt::Display for Unwelcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unwelcome {}

impl Unwelcome {
    pub(crate) fn failure(message: impl std::fmt::Display) -> Failure {
        Failure::Usage(Unwelcome(message.to_string()).into())
    }
}

/// Who submits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum By<'a> {
    /// Who has the file, and says whose agent it is, if anybody's.
    Organiser(Option<&'a str>),
    /// Somebody with a token of this author.
    Author(&'a str),
}

impl<'a> By<'a> {
    /// Whose agent it will be.
    pub(crate) fn author(self) -> Option<&'a str> {
        match self {
            By::Organiser(author) => author,
            By::Author(author) => Some(author),
        }
    }

    /// Refuses a new version of an agent that belongs to `owner`. One that belongs to nobody is the organiser's.
    fn check_owner(self, name: &str, owner: Option<&str>) -> Result<(), Failure> {
        match (self, owner) {
            (By::Organiser(_), None) => Ok(()),
            (By::Author(_), None) => Err(Unwelcome::failure(format!(
                "`{name}` is an agent of the organiser: choose another name (--name NAME)"
            ))),
            (_, Some(owner)) if self.author() == Some(owner) => Ok(()),
            (By::Organiser(_), Some(owner)) => Err(Unwelcome::failure(format!(
                "`{name}` is an agent of {owner}: a new version of it takes --author {owner:?}, and another agent \
                 another name (--name NAME)"
            ))),
            (By::Author(_), Some(owner)) => {
                Err(Unwelcome::failure(format!("`{name}` is an agent of {owner}: choose another name (--name NAME)")))
            }
        }
    }
}

/// An agent as it is submitted.
pub(crate) struct Submission<'a> {
    pub(crate) name: &'a str,
    pub(crate) by: By<'a>,
    pub(crate) claim: &'a str,
    pub(crate) bytes: &'a [u8],
    /// The secret of the dice that it plays, should all secrets so far be revealed.
    pub(crate) spare: &'a TournamentSecret,
}

/// What a submission came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Submitted {
    /// The very bytes that this name has already.
    Known { version: u32 },
    /// A new version; the one before, if there is one, plays no further matches.
    Entered {
        version: u32,
        /// The first pair that it may play.
        fresh_from: u64,
        /// Whether the spare secret is that of the pairs from there on.
        needed_spare: bool,
    },
}

impl Store {
    /// All versions of all agents, in the order of submission: an agent's place is its index.
    pub(crate) fn entries(&self) -> Result<Vec<Entry>, Failure> {
        let failed = self.failing();
        let suspended = if self.format < 3 { "NULL" } else { "suspended" };
        let sql = format!(
            "SELECT name, version, author, claim, component, fresh_from, withdrawn, {suspended} FROM agents ORDER BY id"
        );
        let mut statement = self.connection.prepare(&sql).map_err(&failed)?;
        let rows = statement.query_map([], |row| {
            Ok(Entry {
                name: row.get(0)?,
                version: row.get(1)?,
                author: row.get(2)?,
                claim: row.get(3)?,
                sha256: Sha256Hex(row.get(4)?),
                fresh_from: row.get::<_, i64>(5)? as u64,
                withdrawn: row.get(6)?,
                suspended: row.get(7)?,
            })
        });
        rows.map_err(&failed)?.collect::<Result<_, _>>().map_err(&failed)
    }

    /// The bytes of a component, checked against their name.
    fn component(&self, sha256: Sha256Hex) -> Result<Vec<u8>, Failure> {
        let sql = "SELECT bytes FROM components WHERE sha256 = ?1";
        let bytes = self.connection.query_row(sql, [&sha256.0[..]], |row| row.get::<_, Vec<u8>>(0)).optional();
        let damaged = |what: &str| {
            Failure::usage(format!("tournament {} is damaged: the component {sha256} {what}", self.path.display()))
        };
        let bytes = bytes.map_err(self.failing())?.ok_or_else(|| damaged("is gone"))?;
        match Sha256Hex::of(&bytes) == sha256 {
            true => Ok(bytes),
            false => Err(damaged("is not what it was")),
        }
    }

    /// The components of some entries, by index, as files to load agents from.
    pub(crate) fn agent_files(&self, entries: &[Entry], wanted: &[usize]) -> Result<Vec<AgentFile>, Failure> {
        let file = |agent: &usize| {
            let entry = &entries[*agent];
            Ok(AgentFile {
                name: entry.name.clone(),
                path: entry.name.clone().into(),
                bytes: self.component(entry.sha256)?,
            })
        };
        wanted.iter().map(file).collect()
    }

    /// The names that have these bytes already.
    pub(crate) fn names_of(&self, sha256: Sha256Hex) -> Result<Vec<String>, Failure> {
        let entries = self.entries()?;
        let known = entries.into_iter().filter(|entry| entry.sha256 == sha256);
        Ok(known.map(|entry| format!("{} (version {})", entry.name, entry.version)).collect())
    }

    /// Stores a component that was found to be a contestant. Who comes after dice were shown, or their
    /// secrets revealed, gets dice that nobody has seen; this is decided where nobody can plan or
    /// submit meanwhile.
    pub(crate) fn submit(&mut self, submission: &Submission<'_>) -> Result<Submitted, Failure> {
        let failed = self.failing();
        let name = submission.name;
        let sha256 = Sha256Hex::of(submission.bytes).0;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        let latest = transaction
            .query_row(
                "SELECT version, component, withdrawn, author FROM agents WHERE name = ?1 ORDER BY version DESC LIMIT 1",
                [name],
                |row| {
                    let owner = row.get::<_, Option<String>>(3)?;
                    Ok((row.get::<_, u32>(0)?, row.get::<_, [u8; 32]>(1)?, row.get::<_, bool>(2)?, owner))
                },
            )
            .optional()
            .map_err(&failed)?;
        if let Some((_, _, _, owner)) = &latest {
            submission.by.check_owner(name, owner.as_deref())?;
        }
        if let Some((version, component, false, _)) = latest
            && component == sha256
        {
            return Ok(Submitted::Known { version });
        }

        let number = |sql| transaction.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(&failed);
        let shown = number("SELECT shown_pairs FROM tournament")?;
        let last_secret = number("SELECT max(first_pair) FROM secrets")?;
        let needed_spare = number("SELECT count(*) FROM secrets WHERE NOT revealed")? == 0;
        let fresh_from = if needed_spare {
            let planned = number("SELECT coalesce(max(first_pair + pairs), 0) FROM blocks")?;
            shown.max(planned).max(last_secret + 1)
        } else {
            // The secrets before the last one are revealed.
            shown.max(last_secret)
        };
        if needed_spare {
            let secret = Secret::unrevealed(fresh_from as u64, submission.spare.clone());
            insert_secret(&transaction, &secret).map_err(&failed)?;
        }
        transaction
            .execute("INSERT INTO components VALUES (?1, ?2) ON CONFLICT DO NOTHING", params![sha256, submission.bytes])
            .map_err(&failed)?;
        transaction.execute("UPDATE agents SET withdrawn = 1 WHERE name = ?1", [name]).map_err(&failed)?;
        let version = latest.map_or(1, |(version, ..)| version + 1);
        transaction
            .execute(
                "INSERT INTO agents (name, version, author, claim, component, fresh_from, submitted, withdrawn) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, datetime('now'), 0)",
                params![name, version, submission.by.author(), submission.claim, sha256, fresh_from],
            )
            .map_err(&failed)?;
        transaction.commit().map_err(&failed)?;
        self.still_there()?;
        Ok(Submitted::Entered { version, fresh_from: fresh_from as u64, needed_spare })
    }

    /// Who came and went until now.
    pub(super) fn attendance(&self) -> Result<Attendance, Failure> {
        let number = |row: &Row<'_>, column| row.get::<_, i64>(column).map(|number| number as usize);
        let count = |row: &Row<'_>| Ok(Attendance { came: number(row, 0)?, went: number(row, 1)? });
        let sql = "SELECT count(*), count(*) FILTER (WHERE withdrawn) FROM agents";
        self.connection.query_row(sql, [], count).map_err(self.failing())
    }

    /// Refuses a name that is somebody else's, before anything is done for it.
    pub(crate) fn check_owner(&self, name: &str, by: By<'_>) -> Result<(), Failure> {
        let entries = self.entries()?;
        match entries.iter().rfind(|entry| entry.name == name) {
            None => Ok(()),
            Some(latest) => by.check_owner(name, latest.author.as_deref()),
        }
    }

    /// Refuses a further agent of an author of whom so many take part.
    pub(crate) fn check_share(&self, author: &str, name: &str, most: usize) -> Result<(), Failure> {
        let entries = self.entries()?;
        let is_other =
            |entry: &&Entry| !entry.withdrawn && entry.author.as_deref() == Some(author) && entry.name != name;
        match entries.iter().filter(is_other).count() {
            others if others < most => Ok(()),
            others => Err(Unwelcome::failure(format!(
                "{others} agents of {author} take part, and no more of one author may: submit a new version of one of them"
            ))),
        }
    }

    /// Withdraws an agent, by index, for what it did.
    pub(crate) fn suspend(&self, agent: usize, why: &str) -> Result<(), Failure> {
        let sql = "UPDATE agents SET withdrawn = 1, suspended = ?2 WHERE id = ?1";
        self.connection.execute(sql, params![agent as i64 + 1, why]).map_err(self.failing())?;
        self.still_there()
    }

    /// Lets an agent play no further matches. Says whether it took part until now.
    pub(crate) fn withdraw(&self, name: &str) -> Result<bool, Failure> {
        let sql = "UPDATE agents SET withdrawn = 1 WHERE name = ?1 AND withdrawn = 0";
        let withdrawn = self.connection.execute(sql, [name]).map_err(self.failing())? > 0;
        self.still_there()?;
        Ok(withdrawn)
    }
}
