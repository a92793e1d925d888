//! One module a command: from its arguments to what it prints.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod create;
pub(crate) mod export;
pub(crate) mod hint;
pub(crate) mod keeps;
pub(crate) mod match_;
pub(crate) mod matches;
pub(crate) mod new;
pub(crate) mod odds;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod score;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod sprt;
pub(crate) mod standings;
pub(crate) mod submit;
pub(crate) mod token;
pub(crate) mod tournament;
pub(crate) mod verify;
pub(crate) mod watch;
pub(crate) mod withdraw;

use crate::failure::Failure;

/// A seed from the operating system, where none was given.
fn seed_or_random(given: Option<u64>) -> Result<u64, Failure> {
    match given {
        Some(seed) => Ok(seed),
        None => getrandom::u64().map_err(|error| Failure::failed(format!("no random seed to be had: {error}"))),
    }
}
