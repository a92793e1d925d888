//! Solved rulesets: read where they are kept, else solved and kept.
//!
//! Owns the one way from a ruleset to its [`Oracle`], for every command that needs one. Refuses to need the
//! place where they are kept: what cannot be read is solved, and what cannot be written is solved again.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use arena_core::oracle::{MOST_BYTES, Oracle, TableError, Unsolvable, rules_hash};
use farkle::Ruleset;

use crate::failure::Failure;
use crate::loader::Cache;
use crate::output;
use crate::progress::Portion;

/// A solved ruleset, and how it came about.
pub(crate) struct Solved {
    pub(crate) oracle: Oracle,
    /// Whether it was read, not solved.
    pub(crate) was_kept: bool,
    /// Solving it, or reading it.
    pub(crate) seconds: f64,
    /// Where it is kept now, if it is.
    pub(crate) file: Option<PathBuf>,
}

/// A ruleset's solution. With `anew` it is solved although one is kept.
///
/// # Errors
///
/// A ruleset that has no exact solution, before any work.
pub(crate) fn solved(rules: &Ruleset, anew: bool) -> Result<Solved, Failure> {
    let begun = Instant::now();
    let cache = cache();
    let key = rules_hash(rules).to_string();
    let file = cache.as_ref().map(|cache| cache.solved(&key));
    if let Some(cache) = cache.as_ref().filter(|_| !anew)
        && let Some(oracle) = read(cache, &key, rules)
    {
        return Ok(Solved { oracle, was_kept: true, seconds: begun.elapsed().as_secs_f64(), file });
    }
    let portion = Portion::new(format!("solving {}", rules.name));
    let oracle = Oracle::solve(rules, |done| portion.tell(done));
    portion.finish();
    let oracle = oracle.map_err(|why| unsolvable(rules, &why))?;
    let seconds = begun.elapsed().as_secs_f64();
    let kept = match (&cache, file) {
        (Some(cache), Some(file)) => match cache.keep_solved(&key, &oracle.to_bytes()) {
            Ok(()) => Some(file),
            Err(error) => {
                output::tell(&format!("note: the solution is not kept in {}: {error}", file.display()));
                None
            }
        },
        _ => None,
    };
    Ok(Solved { oracle, was_kept: false, seconds, file: kept })
}

/// The solution for judging matches at tables of so many seats.
///
/// # Errors
///
/// Tables that are not of two seats, and rulesets without an exact solution, before any work.
pub(crate) fn of_two(rules: &Ruleset, seats: usize) -> Result<Arc<Oracle>, Failure> {
    if seats != 2 {
        return Err(Failure::usage(format!("best play is known for tables of two seats, and this is one of {seats}")));
    }
    Ok(Arc::new(solved(rules, false)?.oracle))
}

fn unsolvable(rules: &Ruleset, why: &Unsolvable) -> Failure {
    Failure::usage(format!("ruleset `{}` has no exact solution here: {why}", rules.name))
}

/// The user's folder for what is kept; where it cannot be used, that is told.
fn cache() -> Option<Cache> {
    let (folder, _) = Cache::folder()?;
    match Cache::open(&folder) {
        Ok(cache) => Some(cache),
        Err(error) => {
            output::tell(&format!("note: solutions are not kept in {}: {error}", folder.display()));
            None
        }
    }
}

/// A solution that is kept; one that is there and not good is told, and made anew.
fn read(cache: &Cache, key: &str, rules: &Ruleset) -> Option<Oracle> {
    let file = cache.solved(key);
    // Of more than there can be, what was read is not whole, and said to be so.
    let bytes = match cache.read_solved(key, MOST_BYTES + 1) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            output::tell(&format!("note: {} cannot be read, so it is solved anew: {error}", file.display()));
            return None;
        }
    };
    match Oracle::from_bytes(&bytes, rules) {
        Ok(oracle) => Some(oracle),
        // A solution of two seats may be there for a ruleset that does not allow two; solving says so.
        Err(TableError::Unsolvable(_)) => None,
        Err(why) => {
            output::tell(&format!("note: {} is not used, and solved anew: {why}", file.display()));
            None
        }
    }
}
