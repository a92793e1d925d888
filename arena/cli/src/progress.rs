//! How far matches being played, or a ruleset being solved, have come.
//!
//! Owns the bar on a terminal and the lines where there is none, both on the standard error stream.
//! Refuses to be a result: the scores it shows are those of this run alone.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::thousands;
use crate::played_match::PlayedMatch;

/// Between two lines of progress where there is no terminal.
const QUIET: Duration = Duration::from_secs(30);

/// What matches being played show of themselves: a bar on a terminal, else a line now and then.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    total: u64,
    done: u64,
    begun: Instant,
    said: Instant,
    names: Vec<String>,
    /// By agent: matches, and the sum of their scores.
    scores: Vec<(u64, f64)>,
}

impl Progress {
    /// Of so many matches between agents of these names.
    pub(crate) fn new(total: u64, names: Vec<String>) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let template = "{wide_bar} {human_pos}/{human_len} matches, {per_sec}, {eta} left\n{msg}";
            ProgressBar::new(total).with_style(ProgressStyle::with_template(template).expect("the template is sound"))
        });
        let now = Instant::now();
        let scores = vec![(0, 0.0); names.len()];
        Progress { bar, total, done: 0, begun: now, said: now, names, scores }
    }

    /// Counts matches that were played.
    pub(crate) fn add(&mut self, played: &[PlayedMatch]) {
        self.done += played.len() as u64;
        for played in played {
            // Who plays alone outranks nobody.
            for (seat, agent) in played.outcome.agents.iter().enumerate().filter(|_| played.outcome.agents.len() > 1) {
                self.scores[*agent].0 += 1;
                self.scores[*agent].1 += played.outcome.score(seat);
            }
        }
        match &self.bar {
            Some(bar) => {
                bar.inc(played.len() as u64);
                if self.said.elapsed() > Duration::from_millis(500) {
                    bar.set_message(self.leaders());
                    self.said = Instant::now();
                }
            }
            None if self.said.elapsed() > QUIET => {
                let rate = self.done as f64 / self.begun.elapsed().as_secs_f64();
                let leaders = self.leaders();
                let left = Duration::from_secs(((self.total - self.done) as f64 / rate) as u64);
                crate::output::tell(&format!(
                    "{} of {} matches, {rate:.0} a second, {} left{}",
                    thousands(self.done as i64),
                    thousands(self.total as i64),
                    indicatif::HumanDuration(left),
                    if leaders.is_empty() { leaders } else { format!("; {leaders}") }
                ));
                self.said = Instant::now();
            }
            None => {}
        }
    }

    /// The best scores of this run so far.
    fn leaders(&self) -> String {
        let mut order: Vec<usize> = (0..self.names.len()).filter(|agent| self.scores[*agent].0 > 0).collect();
        let score = |agent: usize| self.scores[agent].1 / self.scores[agent].0 as f64;
        order.sort_by(|a, b| score(*b).total_cmp(&score(*a)).then(a.cmp(b)));
        if order.is_empty() {
            return String::new();
        }
        let best = order.iter().take(3).map(|agent| format!("{} {:.1}%", self.names[*agent], 100.0 * score(*agent)));
        format!("leading: {}", best.collect::<Vec<_>>().join(", "))
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// How much of one long piece of work is done: a bar on a terminal, else a line now and then.
pub(crate) struct Portion {
    what: String,
    bar: Option<ProgressBar>,
    begun: Instant,
    said: Mutex<Instant>,
}

/// The bar's length.
const WHOLE: f64 = 1_000.0;

impl Portion {
    /// Of work that is called so.
    pub(crate) fn new(what: String) -> Portion {
        let bar = std::io::stderr().is_terminal().then(|| {
            let template = "{msg} {wide_bar} {percent}%, {eta} left";
            let style = ProgressStyle::with_template(template).expect("the template is sound");
            ProgressBar::new(WHOLE as u64).with_style(style).with_message(what.clone())
        });
        let now = Instant::now();
        Portion { what, bar, begun: now, said: Mutex::new(now) }
    }

    /// So much is done, of 1.
    pub(crate) fn tell(&self, done: f64) {
        if let Some(bar) = &self.bar {
            bar.set_position((WHOLE * done) as u64);
            return;
        }
        let Ok(mut said) = self.said.lock() else { return };
        if said.elapsed() > QUIET && done > 0.0 {
            let left = Duration::from_secs_f64(self.begun.elapsed().as_secs_f64() * (1.0 / done - 1.0).min(1e6));
            crate::output::tell(&format!(
                "{}: {:.0}%, {} left",
                self.what,
                100.0 * done,
                indicatif::HumanDuration(left)
            ));
            *said = Instant::now();
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
