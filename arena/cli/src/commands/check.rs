//! `arena check`: whether a component is a contestant, and what it spends.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::anyhow;
use arena_core::rulebook::counted;
use arena_core::{Contestant as _, Limits, Sha256Hex};
use arena_host::{About, COMPONENT_BYTES, ComponentAgent};
use farkle::{Ruleset, presets};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::agents;
use crate::args::{CheckArgs, DEFAULT_TURN_LIMIT, Format, GameArgs, RulesArgs};
use crate::check_figures::Figures;
use crate::compliance::{Flaw, Trial, What};
use crate::failure::Failure;
use crate::harmless::{harmless, indented};
use crate::loader::{Loader, Unloaded};
use crate::match_command::match_command;
use crate::output::{self, thousands};
use crate::rules;

/// Rounds of one seed at every table, as long as there is fuel for a further one.
const ROUNDS: u64 = 20;
/// Fuel after which no further round begins: some seconds of computing.
const ENOUGH_FUEL: u64 = 5_000_000_000;
/// Fuel after which even the first round ends. Small tables come first in it.
const TOO_MUCH_FUEL: u64 = 100_000_000_000;

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let rulesets = match &args.rules {
        Some(named) => vec![rules::find(&RulesArgs { rules: named.clone(), set: args.set.clone() })?],
        None => presets::ALL.into_iter().cloned().collect(),
    };
    let bytes = agents::read(&args.agent)?;
    let shown = harmless(&args.agent.display().to_string());
    let loader = Loader::new(args.wasi.wasi())?;
    let loaded = match loader.load(&bytes) {
        Err(Unloaded::Failed(failure)) => return Err(failure),
        Err(Unloaded::Refused(refused)) => Err(refused),
        Ok(component) => Ok(component),
    };
    let looked_at = loaded.and_then(|component| Ok((component.about()?, component)));
    let (about, component) = match looked_at {
        Ok(looked_at) => looked_at,
        Err(refused) => {
            let reason = indented(&refused.to_string());
            if args.format == Format::Json {
                output::print_json(&format!("{}\n", json!({ "format": 1, "accepted": false, "reason": reason })))?;
            }
            return Err(Failure::Refused(anyhow!("agent {shown} is refused: {reason}")));
        }
    };

    let limits = args.allowance.limits();
    let (figures, flaws) = play(&component, &rulesets, limits)?;
    let report = Report { args, bytes: &bytes, about: &about, component: &component, limits, figures, flaws };
    match args.format {
        Format::Text => output::print(&report.text(&shown, &rulesets))?,
        Format::Json => output::print_json(&format!("{}\n", report.json(&rulesets)))?,
    }
    match report.flaws.len() {
        0 => Ok(()),
        _ => Err(Failure::Refused(anyhow!("agent {shown} is refused under {}", report.refused_under().join(", ")))),
    }
}

/// What is found out about a component under some rulesets, as `--format json` prints it.
pub(crate) fn in_json(
    args: &CheckArgs,
    bytes: &[u8],
    component: &ComponentAgent,
    rulesets: &[Ruleset],
    limits: Limits,
) -> Result<serde_json::Value, Failure> {
    let about = component.about().map_err(|refused| Failure::Refused(anyhow!("{}", indented(&refused.to_string()))))?;
    let (figures, flaws) = play(component, rulesets, limits)?;
    Ok(Report { args, bytes, about: &about, component, limits, figures, flaws }.json(rulesets))
}

/// Plays every ruleset at tables of every size, round by round. A table that shows a flaw is not
/// played again.
fn play(component: &ComponentAgent, rulesets: &[Ruleset], limits: Limits) -> Result<(Figures, Vec<Flaw>), Failure> {
    let tables = rulesets.iter().flat_map(|ruleset| (ruleset.min_seats..=ruleset.max_seats).map(move |s| (ruleset, s)));
    let trials: Result<Vec<_>, _> =
        tables.map(|(ruleset, seats)| Trial::new(ruleset, usize::from(seats), limits)).collect();
    let mut trials = trials.map_err(Failure::usage)?;
    trials.sort_by_key(Trial::seats);
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} tables").expect("the template is sound");
    let mut figures = Figures::default();
    let mut flaws = Vec::new();
    for round in 0..ROUNDS {
        let bar = ProgressBar::new(trials.len() as u64).with_style(style.clone());
        let mut sound = Vec::with_capacity(trials.len());
        for mut trial in trials {
            if figures.total_fuel() >= TOO_MUCH_FUEL {
                figures.skip_table();
                continue;
            }
            let tried =
                trial.play(component, round..round + 1, |calls| figures.count(calls)).map_err(Failure::failed)?;
            figures.matches += 2 * tried.seeds;
            figures.took += tried.took;
            match tried.flaw {
                Some(flaw) => flaws.push(flaw),
                None => sound.push(trial),
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        trials = sound;
        if figures.total_fuel() >= ENOUGH_FUEL {
            break;
        }
    }
    figures.finish();
    Ok((figures, flaws))
}

/// Everything that was found out.
struct Report<'a> {
    args: &'a CheckArgs,
    bytes: &'a [u8],
    about: &'a About,
    component: &'a ComponentAgent,
    limits: Limits,
    figures: Figures,
    flaws: Vec<Flaw>,
}

impl Report<'_> {
    fn text(&self, shown: &str, rulesets: &[Ruleset]) -> String {
        let Report { figures, limits, about, .. } = self;
        let number = |n: u64| thousands(n as i64);
        let kib = |bytes: u64| number(bytes.div_ceil(1024));
        let mut text = format!("{shown}: {}\n", agents::claim(about));
        let mut row = |name: &str, what: String| _ = writeln!(text, "  {name:<10} {what}");
        row("sha256", Sha256Hex(self.component.sha256()).to_string());
        row("size", format!("{} of {} bytes", number(self.bytes.len() as u64), number(COMPONENT_BYTES as u64)));
        let imports = self.component.imports();
        row("imports", if imports.is_empty() { "nothing".into() } else { harmless(&imports.join(", ")) });
        let initial = self.component.initial_memory().map_or_else(|| "unknown".to_owned(), kib);
        let (peak, most) = (kib(figures.peak_memory()), kib(limits.memory_bytes));
        row("memory", format!("{initial} KiB at first, {peak} KiB at most, of {most} KiB"));
        let seats = |of: fn(&Ruleset) -> u8| rulesets.iter().map(of);
        let (fewest, most) = (seats(|r| r.min_seats).min().unwrap_or(0), seats(|r| r.max_seats).max().unwrap_or(0));
        let which = match rulesets {
            [only] => only.name.to_string(),
            all => format!("{} rulesets", all.len()),
        };
        let sizes = if fewest == most { most.to_string() } else { format!("{fewest} to {most}") };
        let matches = number(figures.matches / 2);
        row("matches", format!("{matches} under {which}, at tables of {sizes} seats, each played twice"));
        let speed = figures.speed() as u64;
        row("decisions", format!("{}; about {} a second here", number(figures.decisions()), number(speed)));
        text += &figures.fuel_text(limits);
        if figures.skipped_tables() > 0 {
            let skipped = counted(figures.skipped_tables() as i64, "larger table");
            let _ = writeln!(text, "\nit spends so much fuel that {skipped} of these rulesets were not played");
        }
        text += &self.verdict(shown);
        text
    }

    fn verdict(&self, shown: &str) -> String {
        if self.flaws.is_empty() {
            return match &self.args.rules {
                None => format!("\nno fault, and the same matches both times: {shown} is a contestant\n"),
                Some(_) => format!("\nno fault, and the same matches both times: {shown} is a contestant there\n"),
            };
        }
        let mut text = String::new();
        for (flaws, first) in self.kinds() {
            let under = &first.ruleset;
            let others = match flaws {
                1 => String::new(),
                n => format!(" (and at {} more of its tables)", n - 1),
            };
            let what = match &first.what {
                What::TwoWays => "plays one seed in two ways".to_owned(),
                What::Fault(seat, fault) => format!("faults in seat {seat}: {fault}"),
            };
            let what = indented(&what);
            let _ = write!(text, "\nunder {under}, it {what}{others}\n    {}\n", self.command(first));
        }
        text
    }

    /// The first flaw of every ruleset and kind, and how many there are like it.
    fn kinds(&self) -> Vec<(usize, &Flaw)> {
        let mut kinds: BTreeMap<_, (usize, &Flaw)> = BTreeMap::new();
        for (place, flaw) in self.flaws.iter().enumerate() {
            let kind = match &flaw.what {
                What::TwoWays => None,
                What::Fault(_, fault) => Some(fault.kind),
            };
            let first = self.flaws.iter().position(|other| other.ruleset == flaw.ruleset).unwrap_or(place);
            kinds.entry((first, kind)).or_insert((0, flaw)).0 += 1;
        }
        kinds.into_values().collect()
    }

    fn refused_under(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for flaw in &self.flaws {
            let name = harmless(&flaw.ruleset);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The command that plays the match of a flaw again.
    fn command(&self, flaw: &Flaw) -> String {
        let args = self.args;
        let agents = (0..flaw.seats).map(|seat| format!("{seat}={}", args.agent.display()));
        let rules = args.rules.as_deref().unwrap_or(&flaw.ruleset);
        let rules = RulesArgs { rules: rules.to_owned(), set: args.set.clone() };
        let game = GameArgs { rules, allowance: args.allowance, turn_limit: DEFAULT_TURN_LIMIT, wasi: args.wasi };
        match_command(agents, &game, flaw.seed)
    }

    fn json(&self, rulesets: &[Ruleset]) -> serde_json::Value {
        let (start_fuel, decide_fuel) = self.figures.fuel_json(&self.limits);
        let about = self.about;
        let flaws: Vec<_> = self
            .flaws
            .iter()
            .map(|flaw| {
                let mut told = json!({
                    "ruleset": flaw.ruleset, "seats": flaw.seats, "seed": flaw.seed.to_string(),
                    "command": self.command(flaw),
                });
                match &flaw.what {
                    What::TwoWays => told["two_ways"] = true.into(),
                    What::Fault(seat, fault) => {
                        told["seat"] = (*seat).into();
                        told["fault"] = json!({ "kind": fault.kind, "message": fault.message });
                    }
                }
                told
            })
            .collect();
        json!({
            "format": 1,
            "accepted": self.flaws.is_empty(),
            "about": { "name": about.name, "version": about.version, "author": about.author },
            "sha256": Sha256Hex(self.component.sha256()),
            "bytes": self.bytes.len(),
            "imports": self.component.imports(),
            "memory": {
                "initial": self.component.initial_memory(), "peak": self.figures.peak_memory(),
                "limit": self.limits.memory_bytes,
            },
            "rulesets": rulesets.iter().map(|ruleset| &*ruleset.name).collect::<Vec<_>>(),
            "matches": self.figures.matches,
            "tables_skipped": self.figures.skipped_tables(),
            "decisions": self.figures.decisions(),
            "decisions_per_second": self.figures.speed(),
            "start_fuel": start_fuel,
            "decide_fuel": decide_fuel,
            "flaws": flaws,
        })
    }
}
