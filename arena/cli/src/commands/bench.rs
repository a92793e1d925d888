//! `arena bench`: how fast agents are played here, and what a match's time goes to.

mod report;

use std::sync::Arc;
use std::time::Duration;

use arena_core::Referee;
use arena_core::schedule::Schedule;
use arena_core::seeds::TournamentSecret;
use farkle::ScoreTable;
use indicatif::{ProgressBar, ProgressStyle};

use self::report::Report;
use crate::agents::{self, LoadedAgent};
use crate::args::{BenchArgs, Format};
use crate::bench::{self, meter, native, speed};
use crate::failure::Failure;
use crate::loader::{Loader, Unloaded};
use crate::play::Play;
use crate::runner::{Contest, Wanted, Work};
use crate::secrets::Secrets;
use crate::{output, rules};

/// More than anybody waits for; matches are played until the time is over.
const ENDLESS: u64 = 1_000_000_000;

pub(crate) fn run(args: &BenchArgs) -> Result<(), Failure> {
    let time = args.time()?;
    let ruleset = rules::find(&args.game.rules)?;
    let limits = args.game.limits();
    let files = agents::read_all(&args.agents)?;
    let seats = super::create::seats(args.seats, Play::RoundRobin, &ruleset)?;
    let rules = Arc::new(ScoreTable::new(&ruleset));
    // What is wrong with the sizes is said before any component is compiled.
    Referee::new(rules.clone(), seats, limits).map_err(Failure::usage)?;
    let players = if files.len() <= 1 { seats } else { files.len() };
    let secret = TournamentSecret::from_seed(args.seed);
    let schedule = Schedule::new(players, seats, ENDLESS, &secret).map_err(Failure::usage)?;
    let tables = schedule.tables();

    let loader = Loader::new(args.game.wasi.wasi())?;
    let known = embedded(&loader)?;
    let given: Vec<Arc<LoadedAgent>> = match files.is_empty() {
        true => vec![known.clone()],
        false => agents::load_all(&loader, &files)?.into_iter().map(Arc::new).collect(),
    };
    // One agent plays against copies of itself.
    let rows: Vec<usize> = (0..players).map(|player| if given.len() == 1 { 0 } else { player }).collect();
    let contest = Arc::new(Contest {
        agents: rows.iter().map(|row| Some(given[*row].clone())).collect(),
        rules,
        limits,
        seats,
        work: Work::Schedule(schedule),
        secrets: Secrets::first(secret, Some(args.seed)),
        // As for a tournament in a file, which is what its matches are measured for.
        wanted: Wanted::Hashes,
        judge: None,
    });
    if cfg!(debug_assertions) {
        output::tell("arena: note: this program was built without optimisation, and is slower than it could be");
    }

    let progress = Progress::begin();
    progress.tell("the same strategy, native and in the sandbox");
    // It takes a third of the time: its two figures are steady soon.
    let comparison = bench::unless_stopped(move || native::compare(&known.component, time / 3))?;
    progress.tell("the parts of a match");
    let folder = tempfile::tempdir()
        .map_err(|error| Failure::failed(format!("there is no folder for a file to store matches in: {error}")))?;
    let (contest_there, rows_there, path) = (contest.clone(), rows.clone(), folder.path().to_owned());
    let measured = bench::unless_stopped(move || meter::measure(&contest_there, tables, &rows_there, &path, time))?;
    drop(folder);
    let match_time = Duration::from_secs_f64(measured.times.whole() / 1e6);
    let jobs = args.jobs.count();
    let mut speeds = Vec::new();
    for jobs in if jobs == 1 { vec![1] } else { vec![1, jobs] } {
        progress.tell(&format!("whole matches, {jobs} at a time"));
        speeds.push(speed::measure(&contest, jobs, time, match_time)?);
    }
    progress.end();

    let report = Report {
        args,
        files: &files,
        given: &given,
        rows: &rows,
        contest: &contest,
        tables,
        comparison,
        measured,
        speeds,
    };
    output::print(&match args.format {
        Format::Text => report.text(),
        Format::Json => format!("{}\n", report.json()),
    })
}

/// The sample agent that this program carries with it.
fn embedded(loader: &Loader) -> Result<Arc<LoadedAgent>, Failure> {
    match loader.load(native::COMPONENT) {
        Ok(component) => Ok(Arc::new(LoadedAgent { name: native::NAME.to_owned(), component })),
        Err(Unloaded::Failed(failure)) => Err(failure),
        Err(Unloaded::Refused(refused)) => {
            Err(Failure::failed(format!("this program's own {} is refused: {refused}", native::NAME)))
        }
    }
}

/// What is being measured, on a terminal.
struct Progress(ProgressBar);

impl Progress {
    fn begin() -> Progress {
        let bar = ProgressBar::new_spinner();
        bar.set_style(ProgressStyle::with_template("measuring {msg} ({elapsed})").expect("the template is sound"));
        // Seldom, so that it is not measured as well.
        bar.enable_steady_tick(Duration::from_secs(1));
        Progress(bar)
    }

    fn tell(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }

    fn end(&self) {
        self.0.finish_and_clear();
    }
}
