//! Examining a submission in a process of its own.
//!
//! Owns what goes to that process and what comes back. It is this same program, run with a command that
//! is in no help: told on its standard input what is played and the component, it plays the trial matches
//! of `arena submit` and `arena check`. Refuses to tell it where the tournament's file is, which holds the
//! secrets of the dice.

use std::io::{BufRead as _, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use arena_core::Allowance;
use arena_host::COMPONENT_BYTES;
use farkle::presets;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::apart::{self, Bounds, Ended, XCPU};
use crate::args::{CheckArgs, Format, WasiArgs};
use crate::commands::check;
use crate::entrance::{self, Examined, Terms};
use crate::failure::Failure;
use crate::harmless::one_line;
use crate::loader::Loader;
use crate::{agents, output};

/// The hidden command.
const COMMAND: &str = "examine-component";
/// Processor time of all threads together, the compiler's aside, and memory that is written to.
const BOUNDS: Bounds = Bounds { seconds: 600, mebibytes: 4 << 10 };
/// After so long a process stands still.
const PATIENCE: Duration = Duration::from_secs(1_800);
/// The longest answer.
const ANSWER_BYTES: u64 = 4 << 20;

/// What is to be examined; the component follows it on a line of its own.
#[derive(Serialize, Deserialize)]
struct Order {
    name: String,
    terms: Terms,
}

/// What came of it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Finding {
    /// It is a contestant.
    Contestant { examined: Examined, report: Value },
    /// It is none.
    Refused { reason: String, report: Option<Value> },
}

/// Examines the component on the standard input: what the hidden command does.
pub(crate) fn run(bounds: Bounds) -> Result<(), Failure> {
    apart::limit_this_process(bounds)?;
    let unreadable = |error: std::io::Error| Failure::failed(format!("the component cannot be read: {error}"));
    let mut input = std::io::stdin().lock();
    let (mut order, mut bytes) = (String::new(), Vec::new());
    input.read_line(&mut order).map_err(unreadable)?;
    input.take(COMPONENT_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    let order = serde_json::from_str(&order).map_err(|error| Failure::usage(format!("no order: {error}")))?;
    let finding = match examine(&order, &bytes) {
        Ok(finding) => finding,
        Err(Failure::Refused(reason)) => Finding::Refused { reason: format!("{reason:#}"), report: None },
        Err(other) => return Err(other),
    };
    output::print_json(&serde_json::to_string(&finding).expect("a finding is plain data"))
}

fn examine(order: &Order, bytes: &[u8]) -> Result<Finding, Failure> {
    let Order { name, terms } = order;
    // Only to be named in what is told.
    let path = Path::new(name);
    let agent = agents::load(&Loader::new(terms.wasi())?, name.clone(), path, bytes)?;
    let args = check_args(terms);
    let report = check::in_json(&args, bytes, &agent.component, std::slice::from_ref(&terms.ruleset), terms.limits)?;
    match entrance::examine(&agent, path, terms) {
        Ok(examined) => Ok(Finding::Contestant { examined, report }),
        Err(Failure::Refused(reason)) => Ok(Finding::Refused { reason: format!("{reason:#}"), report: Some(report) }),
        Err(other) => Err(other),
    }
}

/// What an author types to see the same, with the component as `agent.wasm`.
fn check_args(terms: &Terms) -> CheckArgs {
    let is_preset = presets::ALL.into_iter().any(|preset| *preset == terms.ruleset);
    let allowances = [Allowance::Blitz, Allowance::Standard, Allowance::Deep];
    let same = |allowance: &Allowance| allowance.limits().decide_fuel == terms.limits.decide_fuel;
    CheckArgs {
        agent: PathBuf::from("agent.wasm"),
        rules: Some(if is_preset { terms.ruleset.name.to_string() } else { "RULES.toml".to_owned() }),
        set: Vec::new(),
        allowance: allowances.into_iter().find(same).unwrap_or_default(),
        wasi: WasiArgs { allow_wasi: terms.wasi },
        format: Format::Json,
    }
}

/// What is told of a component that could not even be loaded.
pub(super) fn without_figures(reason: &str) -> Value {
    json!({"format": 1, "accepted": false, "reason": reason})
}

/// Examines a component in a process of its own.
///
/// # Errors
///
/// What kept the machine from it: that is nobody's fault.
pub(super) async fn examine_apart(name: &str, terms: &Terms, bytes: &[u8]) -> Result<Finding, String> {
    let order = Order { name: name.to_owned(), terms: terms.clone() };
    let order = format!("{}\n", serde_json::to_string(&order).map_err(|error| error.to_string())?);
    let ended = apart::run(COMMAND, BOUNDS, PATIENCE, ANSWER_BYTES, &[order.as_bytes(), bytes]).await;
    let refused = |reason: String| Ok(Finding::Refused { reason, report: None });
    match ended.map_err(|error| format!("the examiner cannot be run: {error}"))? {
        Ended::Well(answer) => {
            serde_json::from_slice(&answer).map_err(|error| format!("the examiner answered no finding: {error}"))
        }
        Ended::OutOfPatience => Err(format!("the examiner was not done after {} seconds", PATIENCE.as_secs())),
        Ended::TooMuch => refused(format!("agent {name} is refused: what is to be told of it has no end")),
        Ended::Badly(status, complaint) => {
            let said = complaint.lines().next().map(one_line).unwrap_or_default();
            match apart::signal(status) {
                Some(XCPU) => refused(format!(
                    "agent {name} is refused: its trial matches take more than {} seconds of processor time",
                    BOUNDS.seconds
                )),
                Some(signal) => Err(format!("the examiner broke down (signal {signal})")),
                None => Err(format!("the examiner failed: {}", said.trim_start_matches("arena: "))),
            }
        }
    }
}
