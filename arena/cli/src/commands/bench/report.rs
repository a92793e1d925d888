//! What `arena bench` found out, for people and for programs.
//!
//! Owns words, units and rounding. Refuses to measure.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use arena_core::Contestant as _;
use arena_core::rulebook::counted;
use arena_host::Sandbox;
use serde_json::{Value, json};
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

use crate::agents::{self, AgentFile, LoadedAgent};
use crate::args::BenchArgs;
use crate::bench::figures::{AgentFigures, Faulted};
use crate::bench::meter::Measured;
use crate::bench::native::{COMPARED, Comparison, NAME};
use crate::bench::speed::Speed;
use crate::match_command::match_command;
use crate::output::thousands;
use crate::runner::Contest;

/// Everything that was measured.
pub(super) struct Report<'a> {
    pub(super) args: &'a BenchArgs,
    /// None where the program's own agent plays.
    pub(super) files: &'a [AgentFile],
    /// Every agent once.
    pub(super) given: &'a [Arc<LoadedAgent>],
    /// Which of them each player is.
    pub(super) rows: &'a [usize],
    pub(super) contest: &'a Contest,
    /// Of a round.
    pub(super) tables: u64,
    pub(super) comparison: Comparison,
    pub(super) measured: Measured,
    pub(super) speeds: Vec<Speed>,
}

impl Report<'_> {
    pub(super) fn text(&self) -> String {
        let Report { args, contest, measured, .. } = self;
        let mut text = format!(
            "{}\n{}, {}, allowance {}, seed {}\n\n",
            self.who(),
            contest.rules.ruleset().name,
            counted(contest.seats as i64, "seat"),
            args.game.allowance.name(),
            args.seed
        );
        text += &self.speed_table();
        let _ = writeln!(
            text,
            "\nwhat the time of a match goes to, one at a time; {} of {}",
            counted(measured.matches as i64, "match"),
            decimal(measured.decisions_per_match(), 1) + " decisions"
        );
        text += &self.parts_table();
        text += "\nwhat an agent takes in its seat of a match; a start is all before the first roll\n";
        text += &self.agents_table();
        text += &self.faults();
        let Comparison { native, sandbox, matches } = self.comparison;
        let each = |time: std::time::Duration| decimal(1e6 * time.as_secs_f64() / matches.max(1) as f64, 1);
        let _ = writeln!(
            text,
            "\n{NAME} against itself under immediate-win: {} µs a match in the sandbox, {} µs natively, {} times as much",
            each(sandbox),
            each(native),
            decimal(self.ratio(), 1)
        );
        text
    }

    fn who(&self) -> String {
        match (self.given, self.files) {
            ([only], []) => format!("{}, which is part of this program, {}", only.name, self.alone()),
            ([only], _) => format!("{} {}", only.name, self.alone()),
            (all, _) => format!(
                "{} agents, everyone against everyone: {}",
                all.len(),
                counted(self.tables as i64, "table") + " a round"
            ),
        }
    }

    fn alone(&self) -> &'static str {
        if self.contest.seats == 1 { "plays alone" } else { "plays against copies of itself" }
    }

    fn speed_table(&self) -> String {
        let mut table = Builder::default();
        table.push_record(["", "matches a second", "decisions a second", "µs a match"]);
        for speed in &self.speeds {
            let rate = speed.matches_per_second();
            table.push_record([
                counted(speed.jobs as i64, "job"),
                whole(rate),
                whole(rate * self.measured.decisions_per_match()),
                decimal(1e6 / rate, 2),
            ]);
        }
        drawn(table)
    }

    fn parts_table(&self) -> String {
        let times = &self.measured.times;
        let sum = times.sum();
        let share = |time: f64| format!("{:.1}%", 100.0 * time / sum);
        let mut table = Builder::default();
        table.push_record(["part, measured alone", "µs a match", "share"]);
        for (name, time) in times.parts() {
            table.push_record([name.to_owned(), decimal(time, 2), share(time)]);
        }
        table.push_record(["all parts".to_owned(), decimal(sum, 2), share(sum)]);
        table.push_record(["the same matches in one go".to_owned(), decimal(times.whole(), 2), share(times.whole())]);
        drawn(table)
    }

    fn agents_table(&self) -> String {
        let mut table = Builder::default();
        let head =
            ["agent", "decisions", "fuel of a start", "fuel of a decision", "most", "ns a decision", "µs to start"];
        table.push_record(head);
        for (agent, figures) in self.agents() {
            table.push_record([
                agent.name.clone(),
                decimal(figures.decisions_per_seat(), 1),
                whole(figures.start.mean()),
                decimal(figures.decide.mean(), 1),
                thousands(figures.decide.most as i64),
                decimal(figures.nanoseconds_per_decision(), 1),
                decimal(figures.microseconds_to_start(), 2),
            ]);
        }
        drawn(table)
    }

    fn agents(&self) -> impl Iterator<Item = (&LoadedAgent, &AgentFigures)> {
        self.given.iter().map(Arc::as_ref).zip(&self.measured.agents)
    }

    fn faults(&self) -> String {
        let mut text = String::new();
        for (agent, figures) in self.agents() {
            for (kind, faulted) in &figures.faults {
                let (times, matches) =
                    (thousands(faulted.times as i64), counted(self.measured.matches as i64, "match"));
                let _ = write!(text, "{}: {kind} {times} times in {matches}", agent.name);
                text += &self.again(faulted).map_or("\n".to_owned(), |command| format!(", first in: {command}\n"));
            }
        }
        if text.is_empty() { text } else { format!("\n{text}") }
    }

    /// The command that plays a match again. What is part of this program has no file to name.
    fn again(&self, faulted: &Faulted) -> Option<String> {
        let agents = match self.files {
            [] => return None,
            [only] => faulted.agents.iter().map(|copy| format!("{copy}={}", only.path.display())).collect(),
            files => faulted.agents.iter().map(|agent| files[self.rows[*agent]].argument()).collect::<Vec<_>>(),
        };
        Some(match_command(agents, &self.args.game, faulted.seed))
    }

    fn ratio(&self) -> f64 {
        self.comparison.sandbox.as_secs_f64() / self.comparison.native.as_secs_f64().max(1e-9)
    }

    pub(super) fn json(&self) -> Value {
        let Report { args, contest, measured, comparison, .. } = self;
        let times = &measured.times;
        let sum = times.sum();
        let speeds = self.speeds.iter().map(|speed| {
            let rate = speed.matches_per_second();
            json!({
                "jobs": speed.jobs,
                "matches": speed.matches,
                "seconds": speed.took.as_secs_f64(),
                "matches_per_second": rate,
                "decisions_per_second": rate * measured.decisions_per_match(),
                "microseconds_per_match": 1e6 / rate,
            })
        });
        let part =
            |(name, time): (&str, f64)| json!({ "part": name, "microseconds_per_match": time, "share": time / sum });
        let each = |time: std::time::Duration| 1e6 * time.as_secs_f64() / comparison.matches.max(1) as f64;
        let loaded: Vec<&LoadedAgent> = self.given.iter().map(Arc::as_ref).collect();
        json!({
            "format": 1,
            "ruleset": contest.rules.ruleset().name,
            "seed": args.seed.to_string(),
            "limits": contest.limits,
            "engine": Sandbox::id(agents::wasi_of(&loaded)),
            "seats": contest.seats,
            "tables": self.tables,
            "copies": self.given.len() == 1 && contest.seats > 1,
            "speeds": speeds.collect::<Vec<_>>(),
            "sample": {
                "pairs": measured.pairs,
                "matches": measured.matches,
                "decisions": measured.decisions,
                "rolls": measured.rolls,
                "decisions_per_match": measured.decisions_per_match(),
            },
            "timed_matches": times.matches,
            "parts": times.parts().into_iter().map(part).collect::<Vec<_>>(),
            "parts_microseconds_per_match": sum,
            "whole_microseconds_per_match": times.whole(),
            "agents": self.agents().map(agent_json).collect::<Vec<_>>(),
            "native": {
                "strategy": NAME,
                "ruleset": "immediate-win",
                "seats": 2,
                "matches_compared": COMPARED,
                "sandbox_microseconds_per_match": each(comparison.sandbox),
                "native_microseconds_per_match": each(comparison.native),
                "sandbox_per_native": self.ratio(),
            },
        })
    }
}

fn agent_json((agent, figures): (&LoadedAgent, &AgentFigures)) -> Value {
    let faults: BTreeMap<_, _> = figures.faults.iter().map(|(kind, faulted)| (kind, faulted.times)).collect();
    json!({
        "name": agent.name,
        "sha256": arena_core::Sha256Hex(agent.component.sha256()).to_string(),
        "seats": figures.seats,
        "decisions": figures.decide.calls,
        "decisions_per_seat": figures.decisions_per_seat(),
        "start_fuel": { "mean": figures.start.mean(), "most": figures.start.most },
        "decide_fuel": { "mean": figures.decide.mean(), "most": figures.decide.most },
        "nanoseconds_per_decision": figures.nanoseconds_per_decision(),
        "microseconds_to_start": figures.microseconds_to_start(),
        "faults": faults,
    })
}

fn drawn(table: Builder) -> String {
    table.build().with(Style::sharp()).modify(Columns::new(1..), Alignment::right()).to_string() + "\n"
}

fn whole(figure: f64) -> String {
    thousands(figure.round() as i64)
}

/// `4,733.3`.
fn decimal(figure: f64, places: u32) -> String {
    let scale = 10_i64.pow(places);
    let scaled = (figure * scale as f64).round() as i64;
    format!("{}.{:0width$}", thousands(scaled / scale), scaled % scale, width = places as usize)
}
