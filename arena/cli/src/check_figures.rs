//! What `arena check` finds out about an agent, in figures, and how it is printed.
//!
//! Owns counts, fuel and memory of the trial matches. Refuses to play any.

use std::fmt::Write;
use std::time::Duration;

use arena_core::{Allowance, Call, Limits, Told};
use serde_json::{Value, json};

use crate::output::thousands;

/// What the calls of trial matches spent.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) matches: u64,
    /// How long the matches took that were timed.
    pub(crate) took: Duration,
    starts: Vec<u64>,
    decisions: Vec<u64>,
    peak_memory: u64,
    total_fuel: u64,
    skipped_tables: u64,
}

/// The fuel of calls of one kind.
struct Fuel<'a> {
    /// Ascending.
    calls: &'a [u64],
    allowance: u64,
}

impl Figures {
    /// Counts the calls of a match.
    pub(crate) fn count(&mut self, calls: &[Call]) {
        for call in calls {
            let of_its_kind = match call.told {
                Told::Start(_) => &mut self.starts,
                Told::Turn(_) => &mut self.decisions,
            };
            of_its_kind.push(call.spent.fuel);
            self.total_fuel += call.spent.fuel;
            self.peak_memory = self.peak_memory.max(call.spent.memory);
        }
    }

    /// All fuel that was spent so far.
    pub(crate) fn total_fuel(&self) -> u64 {
        self.total_fuel
    }

    /// A table was not played at all.
    pub(crate) fn skip_table(&mut self) {
        self.skipped_tables += 1;
    }

    pub(crate) fn skipped_tables(&self) -> u64 {
        self.skipped_tables
    }

    /// No more matches will be counted.
    pub(crate) fn finish(&mut self) {
        self.starts.sort_unstable();
        self.decisions.sort_unstable();
    }

    pub(crate) fn decisions(&self) -> u64 {
        self.decisions.len() as u64
    }

    pub(crate) fn peak_memory(&self) -> u64 {
        self.peak_memory
    }

    /// Decisions a second, their share of starting included.
    pub(crate) fn speed(&self) -> f64 {
        self.decisions() as f64 / self.took.as_secs_f64().max(1e-9)
    }

    fn start_fuel(&self, limits: &Limits) -> Fuel<'_> {
        Fuel { calls: &self.starts, allowance: limits.start_fuel }
    }

    fn decide_fuel(&self, limits: &Limits) -> Fuel<'_> {
        Fuel { calls: &self.decisions, allowance: limits.decide_fuel }
    }

    /// Fuel in words, and that of decisions as a histogram.
    pub(crate) fn fuel_text(&self, limits: &Limits) -> String {
        let (start, decide) = (self.start_fuel(limits), self.decide_fuel(limits));
        format!(
            "\nfuel of a `start`:  {}\nfuel of a `decide`: {}\n\n{}",
            start.words(),
            decide.words(),
            decide.histogram()
        )
    }

    /// Fuel for programs: `start_fuel` and `decide_fuel`.
    pub(crate) fn fuel_json(&self, limits: &Limits) -> (Value, Value) {
        (self.start_fuel(limits).json(), self.decide_fuel(limits).json())
    }
}

impl Fuel<'_> {
    /// The least fuel that so large a share of the calls did not exceed.
    fn quantile(&self, share: f64) -> u64 {
        let place = (share * self.calls.len() as f64).ceil() as usize;
        self.calls.get(place.max(1) - 1).copied().unwrap_or(0)
    }

    fn most(&self) -> u64 {
        self.calls.last().copied().unwrap_or(0)
    }

    fn words(&self) -> String {
        let number = |fuel: u64| thousands(fuel as i64);
        format!(
            "median {}, 99% at most {}, most {}; allowed are {} ({:.2}% of it used at most)",
            number(self.quantile(0.5)),
            number(self.quantile(0.99)),
            number(self.most()),
            number(self.allowance),
            100.0 * self.most() as f64 / self.allowance as f64
        )
    }

    /// The bounds 1, 2, 5, 10, 20 and so on, and how many calls lie at or below each but above the
    /// one before, from the first to the last that hold any.
    fn bins(&self) -> Vec<(u64, u64)> {
        let bounds = (0..19).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10u64.pow(zeros)));
        let mut bins = Vec::new();
        let mut below = 0;
        for bound in bounds {
            let up_to = self.calls.partition_point(|fuel| *fuel <= bound);
            if up_to > below || (below > 0 && below < self.calls.len()) {
                bins.push((bound, (up_to - below) as u64));
            }
            below = up_to;
        }
        bins
    }

    fn histogram(&self) -> String {
        const WIDTH: f64 = 40.0;
        let bins = self.bins();
        let most = bins.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
        let mut text = format!("{:>15}  {:>9}\n", "fuel, at most", "decisions");
        for (bound, count) in &bins {
            let bar = "#".repeat((WIDTH * *count as f64 / most as f64).ceil() as usize);
            let row = format!("{:>15}  {:>9}  {bar}", thousands(*bound as i64), thousands(*count as i64));
            let _ = writeln!(text, "{}", row.trim_end());
        }
        let name =
            Allowance::ALL.into_iter().find(|a| a.limits().decide_fuel == self.allowance).map_or("", Allowance::name);
        let _ = writeln!(text, "{:>15}  {:-<9}  the allowance `{name}`", thousands(self.allowance as i64), "");
        text
    }

    fn json(&self) -> Value {
        let histogram: Vec<_> =
            self.bins().into_iter().map(|(bound, count)| json!({ "at_most": bound, "calls": count })).collect();
        json!({
            "allowance": self.allowance, "calls": self.calls.len(),
            "median": self.quantile(0.5), "p99": self.quantile(0.99), "most": self.most(),
            "histogram": histogram,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_the_calls_themselves() {
        let calls: Vec<u64> = (1..=200).collect();
        let fuel = Fuel { calls: &calls, allowance: 1_000 };
        assert_eq!((fuel.quantile(0.5), fuel.quantile(0.99), fuel.most()), (100, 198, 200));
        let one = Fuel { calls: &[7], allowance: 10 };
        assert_eq!((one.quantile(0.5), one.quantile(0.99), one.most()), (7, 7, 7));
        let none = Fuel { calls: &[], allowance: 10 };
        assert_eq!((none.quantile(0.5), none.most(), none.bins()), (0, 0, vec![]));
    }

    #[test]
    fn bins_hold_every_call_once() {
        let fuel = Fuel { calls: &[3, 5, 6, 10, 11, 600], allowance: 2_000_000 };
        assert_eq!(fuel.bins(), [(5, 2), (10, 2), (20, 1), (50, 0), (100, 0), (200, 0), (500, 0), (1_000, 1)]);
        let drawn = fuel.histogram();
        assert!(drawn.contains("              5          2  ####"), "{drawn}");
        assert!(drawn.contains("2,000,000  ---------  the allowance `blitz`"), "{drawn}");
    }
}
