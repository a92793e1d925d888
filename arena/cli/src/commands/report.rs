//! `arena report`: a tournament as a folder of web pages.
//!
//! Owns the folder. Refuses to touch one that is no report, and to leave half of one.

use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use arena_core::Record;
use arena_core::analysis::{Analysis, Analyst};
use arena_core::rulebook::counted;
use arena_site::{ASSETS, Listing, Progress, Site, Tournament};

use crate::args::ReportArgs;
use crate::failure::Failure;
use crate::harmless::{harmless, shell_word};
use crate::loader::Loader;
use crate::oracles;
use crate::output;
use crate::pages::{self, Sample, Styles};
use crate::playing::OnStderr;
use crate::report::Report;
use crate::store::Store;
use crate::stored_match::{self, Again, Replayer, compare};

/// Matches that are played again to see how agents play.
const LOOKED_AT: u64 = 10_000;
/// Tells a report from other folders, and names its files, a line each after the first.
const MARK: &str = ".farkle-arena-report";

/// Its folders.
const INNER: [&str; 3] = ["assets", "agents", "matches"];

pub(crate) fn run(args: &ReportArgs) -> Result<(), Failure> {
    let folder = Folder::make(&args.out)?;
    let store = Store::open_to_read(&args.file)?;
    let report = Report::read(&store, None, None)?;
    let mut progress = OnStderr::default();
    let (replays, styles) = match args.figures_only {
        true => (0, Styles::Unknown),
        false => (
            args.replays as usize,
            Styles::Played { jobs: args.jobs.count(), most: LOOKED_AT, onlooker: &mut progress },
        ),
    };
    let tournament = pages::gather(&store, &report, Sample { replays, also: &args.matches, styles })?;
    if let Some(missing) = args.matches.iter().find(|number| !tournament.replays.iter().any(|r| r.number == **number)) {
        let path = args.file.display();
        return Err(Failure::usage(format!(
            "match {missing} of {path} is not played: `arena matches {path}` lists them"
        )));
    }
    drop(store);
    let name = name_of(&args.file);
    let site = Site { name: &name, live: false };
    write_pages(&folder, site, &tournament)?;
    if !tournament.replays.is_empty() {
        write_replays(args, &folder, site, &tournament)?;
    }
    folder.put_in_place()?;
    let index = args.out.join("index.html");
    output::print(&format!(
        "{}: {}, {}\n",
        index.display(),
        counted(tournament.agents.len() as i64, "agent"),
        counted(tournament.replays.len() as i64, "replay"),
    ))
}

/// What a tournament is called on its pages: its file's name.
pub(crate) fn name_of(file: &Path) -> String {
    file.file_stem().map_or_else(|| "tournament".to_owned(), |stem| harmless(&stem.to_string_lossy()))
}

fn write_pages(folder: &Folder, site: Site<'_>, tournament: &Tournament) -> Result<(), Failure> {
    for asset in ASSETS.iter().filter(|asset| !asset.live) {
        folder.write(asset.path, asset.text)?;
    }
    let of = match tournament.replays.len() {
        0 => "This report has no replays.".to_owned(),
        n if n as u64 == tournament.played => "All matches of the tournament.".to_owned(),
        _ => "Matches worth seeing: faults, close wins, heavy defeats.".to_owned(),
    };
    let listing = Listing { matches: tournament.replays.clone(), of, ..Listing::default() };
    let now = Progress { played: tournament.played, left: tournament.left };
    folder.write("index.html", &arena_site::standings_page(site, tournament, now))?;
    folder.write("cross-table.html", &arena_site::cross_table_page(site, tournament))?;
    folder.write("matches.html", &arena_site::matches_page(site, tournament, &listing))?;
    folder.write("faults.html", &arena_site::faults_page(site, tournament))?;
    folder.write("rules.html", &arena_site::rules_page(site, &tournament.ruleset))?;
    for (place, agent) in tournament.agents.iter().enumerate() {
        folder.write(&format!("agents/{}.html", agent.id), &arena_site::agent_page(site, tournament, place))?;
    }
    Ok(())
}

fn write_replays(args: &ReportArgs, folder: &Folder, site: Site<'_>, tournament: &Tournament) -> Result<(), Failure> {
    let analyst = if args.no_analysis { None } else { analyst(tournament)? };
    // Their dice are shown.
    let store = Store::open_to_show(&args.file)?;
    let loader = Loader::new(store.settings()?.wasi)?;
    let mut replayer = Replayer::new(&store, &loader)?;
    let mut told = false;
    let numbers: Vec<u64> = tournament.replays.iter().map(|listed| listed.number).collect();
    for (index, listed) in tournament.replays.iter().enumerate() {
        let Again { record, stored, other_engine, .. } = replayer.again(listed.number)?;
        if let Some(engine) = other_engine.filter(|_| !std::mem::replace(&mut told, true)) {
            stored_match::tell_other_engine(&engine);
        }
        compare(&args.file, &record, &stored)?;
        let neighbours = [index.checked_sub(1).map(|before| numbers[before]), numbers.get(index + 1).copied()];
        let agents: Vec<Option<u64>> =
            listed.agents.iter().map(|place| tournament.agents.get(*place).map(|agent| agent.id)).collect();
        let command = format!("arena show {} {}", shell_word(&args.file.display().to_string()), listed.number);
        let title = format!("Match {}", listed.number);
        let analysis = analyst.as_ref().map(|analyst| judge(analyst, &record)).transpose()?;
        let replay = pages::replay(&record, analysis.as_ref(), title, &agents, command, neighbours);
        folder.write(&format!("matches/{}.html", listed.number), &arena_site::replay_page(site, &replay))?;
    }
    Ok(())
}

/// Who judges matches, where best play is known.
fn analyst(tournament: &Tournament) -> Result<Option<Analyst>, Failure> {
    if tournament.seats != 2 {
        return Ok(None);
    }
    match oracles::of_two(&tournament.ruleset, tournament.seats) {
        Ok(oracle) => Ok(Some(Analyst::new(oracle))),
        // The pages are as good without.
        Err(Failure::Usage(why)) => {
            output::tell(&format!("arena: note: replays are not judged: {why}"));
            Ok(None)
        }
        Err(other) => Err(other),
    }
}

fn judge(analyst: &Analyst, record: &Record) -> Result<Analysis, Failure> {
    analyst.judge(record.seats.len(), &record.events).map_err(Failure::failed)
}

/// A folder that takes its place when it is complete.
struct Folder {
    draft: tempfile::TempDir,
    place: PathBuf,
    /// What is written, as the mark names it.
    written: RefCell<String>,
}

impl Folder {
    /// Beside its place, where nothing is that is no report.
    fn make(place: &Path) -> Result<Folder, Failure> {
        let shown = place.display();
        // A link stands for what it leads to.
        let found = fs::canonicalize(place);
        let place = found.as_deref().unwrap_or(place);
        match fs::read_dir(place) {
            Ok(mut there) => {
                if there.next().is_some() && !place.join(MARK).is_file() {
                    return Err(Failure::usage(format!(
                        "{shown} is a folder with other things in it; choose another name, or an earlier report"
                    )));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) if place.is_file() => {
                return Err(Failure::usage(format!("{shown} is a file; a report is a folder")));
            }
            Err(error) => return Err(Failure::usage(format!("{shown} cannot be made: {error}"))),
        }
        let above = match place.parent() {
            Some(above) if !above.as_os_str().is_empty() => above,
            _ => Path::new("."),
        };
        if !above.is_dir() {
            return Err(Failure::usage(format!("{shown} cannot be made: there is no folder {}", above.display())));
        }
        let draft = tempfile::Builder::new().prefix(".arena-report-").tempdir_in(above);
        let draft = draft.map_err(|error| {
            Failure::usage(format!("{shown} cannot be made in {}: {}", above.display(), error.kind()))
        })?;
        let folder = Folder { draft, place: place.to_owned(), written: RefCell::default() };
        for inner in INNER {
            fs::create_dir(folder.draft.path().join(inner)).map_err(|error| folder.unwritten(inner, &error))?;
        }
        Ok(folder)
    }

    fn write(&self, path: &str, text: &str) -> Result<(), Failure> {
        self.written.borrow_mut().push_str(&format!("{path}\n"));
        fs::write(self.draft.path().join(path), text).map_err(|error| self.unwritten(path, &error))
    }

    fn unwritten(&self, path: &str, error: &io::Error) -> Failure {
        Failure::failed(format!("{path} of the report {} cannot be written: {error}", self.place.display()))
    }

    /// Puts it in its place, and the earlier one away. What somebody else has put into that stays.
    fn put_in_place(self) -> Result<PathBuf, Failure> {
        let mark =
            format!("Files of a report of Farkle Arena, which `arena report` may replace:\n{}", self.written.borrow());
        fs::write(self.draft.path().join(MARK), mark).map_err(|error| self.unwritten(MARK, &error))?;
        let unmoved = |error: io::Error| {
            Failure::failed(format!("the report cannot be put at {}: {error}", self.place.display()))
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // A temporary folder is private; a report is for others.
            fs::set_permissions(self.draft.path(), fs::Permissions::from_mode(0o755)).map_err(unmoved)?;
        }
        // The earlier one stays until the new one has its name.
        let earlier = self.draft.path().with_extension("earlier");
        let is_replaced = self.place.exists();
        if is_replaced {
            fs::rename(&self.place, &earlier).map_err(unmoved)?;
        }
        if let Err(error) = fs::rename(self.draft.path(), &self.place) {
            if is_replaced {
                let _ = fs::rename(&earlier, &self.place);
            }
            return Err(unmoved(error));
        }
        // Nothing is at its old name any more.
        let _ = self.draft.keep();
        if is_replaced {
            let left = |error: io::Error| {
                let (place, earlier) = (self.place.display(), earlier.display());
                Failure::failed(format!(
                    "{place} is the new report; what was in the earlier one is in {earlier}: {error}"
                ))
            };
            take_over(&earlier, &self.place).map_err(left)?;
            fs::remove_dir_all(&earlier).map_err(left)?;
        }
        Ok(self.place)
    }
}

/// Moves what is no part of an earlier report to the same place in the new one.
fn take_over(earlier: &Path, new: &Path) -> io::Result<()> {
    let mark = fs::read_to_string(earlier.join(MARK)).unwrap_or_default();
    let is_own = |name: &str| name == MARK || mark.lines().skip(1).any(|own| own == name);
    for inner in [""].into_iter().chain(INNER) {
        let Ok(entries) = fs::read_dir(earlier.join(inner)) else { continue };
        for entry in entries {
            let name = entry?.file_name();
            let path = Path::new(inner).join(&name);
            let is_folder = inner.is_empty() && INNER.iter().any(|own| *own == name);
            if is_folder || path.to_str().is_some_and(is_own) || new.join(&path).exists() {
                continue;
            }
            fs::rename(earlier.join(&path), new.join(&path))?;
        }
    }
    Ok(())
}
