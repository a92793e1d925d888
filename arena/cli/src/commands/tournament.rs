//! `arena tournament`: all agents on the same seeds, at tables of any size, then standings.

use std::fmt::Write as _;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena_core::Sha256Hex;
use arena_core::rulebook::counted;
use arena_core::schedule::Schedule;
use arena_core::seeds::TournamentSecret;
use arena_core::standings::{Standings, Tally};
use arena_host::Sandbox;
use farkle::{Ending, Ruleset, ScoreTable};
use serde_json::{Value, json};

use crate::agents::{AgentFile, LoadedAgent};
use crate::args::{Format, TableFormat, TournamentArgs};
use crate::commands::standings::Extras;
use crate::failure::Failure;
use crate::harmless::harmless_json;
use crate::loader::Loader;
use crate::match_command::match_command;
use crate::play::Play;
use crate::played_match::PlayedMatch;
use crate::playing::{self, OnStderr, Pace};
use crate::progress::Progress;
use crate::runner::{self, Contest, End, Wanted, Work};
use crate::secrets::Secrets;
use crate::store::{By, Settings, Store, Submission};
use crate::{agents, entrance, output, rules, standings_table};

pub(crate) fn run(args: &TournamentArgs) -> Result<(), Failure> {
    let ruleset = rules::find(&args.game.rules)?;
    let limits = args.game.limits();
    let files = agents::read_all(&args.agents)?;
    if files.len() < 2 && args.tables.seats != Some(1) && ruleset.max_seats > 1 {
        return Err(Failure::usage("a tournament takes two agents or more, and one was given"));
    }
    let seats = super::create::seats(args.tables.seats, Play::RoundRobin, &ruleset)?;
    let rules = Arc::new(ScoreTable::new(&ruleset));
    // What is wrong with the sizes is said before any component is compiled.
    arena_core::Referee::new(rules.clone(), seats, limits).map_err(Failure::usage)?;
    let seed = super::seed_or_random(args.seed)?;
    let secret = TournamentSecret::from_seed(seed);
    let schedule = Schedule::new(files.len(), seats, args.tables.pairs, &secret).map_err(Failure::usage)?;
    let loader = Loader::new(args.game.wasi.wasi())?;
    if let Some(path) = &args.db {
        return keep(args, path, &ruleset, seats, &loader, &files);
    }
    let agents = agents::load_all(&loader, &files)?;
    let records = args.records.as_deref().map(RecordFolder::create).transpose()?;
    let contest = Arc::new(Contest {
        agents: agents.into_iter().map(|agent| Some(Arc::new(agent))).collect(),
        rules,
        limits,
        seats,
        work: Work::Schedule(schedule.clone()),
        secrets: Secrets::first(secret, Some(seed)),
        wanted: match args.format {
            _ if records.is_some() => Wanted::Records,
            Format::Json => Wanted::Hashes,
            Format::Text => Wanted::Outcomes,
        },
        judge: None,
    });
    let mut tally = Tally::new(contest.agents.len());
    let mut unfinished = 0;
    let mut matches = (args.format == Format::Json).then(Vec::new);
    let names = (0..contest.agents.len()).map(|agent| contest.agent(agent).name.clone()).collect();
    let mut progress = Progress::new(schedule.matches(), names);
    let mut done = 0;
    let take = |encounter: arena_core::schedule::Encounter, played: Vec<PlayedMatch>| {
        for played in &played {
            if let (Some(folder), Some(record)) = (&records, &played.record) {
                folder.write(played.number, record)?;
            }
            if let Some(matches) = &mut matches {
                matches.push(match_json(&contest, played));
            }
        }
        unfinished += played.iter().filter(|played| played.outcome.ending == Ending::TurnLimit).count();
        done += played.len() as u64;
        progress.add(&played);
        let outcomes: Vec<_> = played.into_iter().map(|played| (played.number, played.outcome)).collect();
        tally.add_numbered_pair(encounter.pair, &outcomes);
        Ok(ControlFlow::Continue(()))
    };
    let end = runner::play_all(contest.clone(), args.jobs.count(), None, take);
    progress.finish();
    let end = end?;
    if let End::HeldUp(held_up) = &end {
        return Err(held_up.failure(&contest));
    }
    if end != End::Finished {
        let left = schedule.matches() - done;
        return Err(Failure::failed(format!(
            "stopped: {done} matches were played, {left} were left; the same command with --seed {seed} plays them all"
        )));
    }

    let standings = tally.standings().map_err(Failure::failed)?;
    match args.format {
        Format::Text => output::print(&text(args, &files, &contest, &schedule, seed, &standings, unfinished)),
        Format::Json => {
            let all: Vec<&LoadedAgent> = (0..contest.agents.len()).map(|agent| contest.agent(agent)).collect();
            let engine = Sandbox::id(agents::wasi_of(&all));
            output::print_json(&in_json(&contest, &schedule, seed, &engine, &standings, matches.unwrap_or_default()))
        }
    }
}

/// The same in a file that stays. Agents that fault take part, as they do without a file.
fn keep(
    args: &TournamentArgs,
    path: &Path,
    ruleset: &Ruleset,
    seats: usize,
    loader: &Loader,
    files: &[AgentFile],
) -> Result<(), Failure> {
    // What is no contestant is refused before there is a file.
    let agents = agents::load_all(loader, files)?;
    let claims: Result<Vec<String>, Failure> =
        agents.iter().zip(files).map(|(agent, file)| entrance::claim(agent, &file.path)).collect();
    let settings = Settings {
        ruleset: ruleset.clone(),
        play: Play::RoundRobin,
        seats,
        pairs: args.tables.pairs,
        limits: args.game.limits(),
        wasi: args.game.wasi.wasi(),
    };
    let secrets = super::create::secrets(args.seed)?;
    let spare = super::create::random_secret()?;
    let mut store = Store::create(path, &settings, &secrets)?;
    for (file, claim) in files.iter().zip(claims?) {
        let (name, bytes) = (file.name.as_str(), &file.bytes);
        store.submit(&Submission { name, by: By::Organiser(None), claim: &claim, bytes, spare: &spare })?;
    }
    let _lock = store.lock_to_play()?;
    let pace = Pace { jobs: args.jobs.count(), until: None, most: None, store: true };
    let mut agents = agents.into_iter().map(Arc::new).enumerate().collect();
    let (store, done) = playing::play_all(store, loader, &mut agents, &pace, &mut OnStderr::default())?;
    if done.end == End::Interrupted {
        return Err(Failure::failed(format!(
            "stopped after {} matches; `arena run {}` plays the others",
            output::thousands(done.matches as i64),
            path.display()
        )));
    }
    let format = match args.format {
        Format::Text => TableFormat::Text,
        Format::Json => TableFormat::Json,
    };
    super::standings::print(&store, format, &Extras::default())
}

fn text(
    args: &TournamentArgs,
    files: &[AgentFile],
    contest: &Contest,
    schedule: &Schedule,
    seed: u64,
    standings: &Standings,
    unfinished: usize,
) -> String {
    let names: Vec<&str> = (0..contest.agents.len()).map(|agent| contest.agent(agent).name.as_str()).collect();
    let mut text = standings_table::draw(standings, &names);
    let (matches, pairs) = (output::thousands(schedule.matches() as i64), output::thousands(schedule.pairs() as i64));
    let played = match schedule.seats() {
        1 => format!("{matches} matches, every agent alone; seeds: {pairs}"),
        2 => format!("{matches} matches, {} a pairing", counted(schedule.pairs() as i64, "pair")),
        seats => {
            let tables = output::thousands(schedule.tables() as i64);
            format!(
                "{matches} matches at {seats} seats; seeds: {pairs}, tables on each: {tables}, in all {seats} rotations"
            )
        }
    };
    let _ = writeln!(text, "{}: {played}, tournament seed {seed}", contest.rules.ruleset().name);
    if unfinished > 0 {
        let limit = counted(contest.limits.turns, "turn");
        let _ =
            writeln!(text, "matches ended by the limit of {limit} a seat: {}", output::thousands(unfinished as i64));
    }
    text += &standings_table::model_line(standings, schedule.seats());
    for row in &standings.standings {
        for (kind, number) in &row.first_faults {
            text +=
                &format!("{}: {kind} first in {}\n", names[row.agent], again(contest, schedule, args, files, *number));
        }
    }
    text
}

/// The command that plays a match of the schedule again.
fn again(contest: &Contest, schedule: &Schedule, args: &TournamentArgs, files: &[AgentFile], number: u64) -> String {
    let encounter = schedule.encounter((number - 1) / schedule.seats() as u64).expect("it was played");
    let (_, seats) = encounter.matches().find(|(known, _)| *known == number).expect("it is a match of its encounter");
    let agents = seats.iter().map(|agent| files[*agent].argument());
    format!("match {number}: {}", match_command(agents, &args.game, contest.secrets.match_seed(encounter.pair)))
}

fn in_json(
    contest: &Contest,
    schedule: &Schedule,
    seed: u64,
    engine: &arena_core::EngineId,
    standings: &Standings,
    matches: Vec<Value>,
) -> String {
    let rows: Vec<Value> = standings
        .standings
        .iter()
        .map(|row| {
            let agent = contest.agent(row.agent).record_seat();
            let mut json = serde_json::to_value(row).expect("a row is plain data");
            json["name"] = agent.name.into();
            json["sha256"] = agent.sha256.to_string().into();
            json
        })
        .collect();
    let seeds: Vec<String> = (0..schedule.pairs()).map(|pair| contest.secrets.match_seed(pair).to_string()).collect();
    let whole = json!({
        "format": 1,
        "ruleset": contest.rules.ruleset().name,
        "seed": seed.to_string(),
        "limits": contest.limits,
        "engine": engine,
        "seats": schedule.seats(),
        "tables": schedule.tables(),
        "pairs": schedule.pairs(),
        "seeds": seeds,
        "model": standings.model,
        "standings": rows,
        "matches": matches,
    });
    format!("{whole}\n")
}

fn match_json(contest: &Contest, played: &PlayedMatch) -> Value {
    let names: Vec<&str> = played.outcome.agents.iter().map(|agent| contest.agent(*agent).name.as_str()).collect();
    json!({
        "match": played.number,
        "seats": names,
        "seed": played.seed.to_string(),
        "scores": played.outcome.scores,
        "ranks": played.outcome.ranks,
        "ending": played.outcome.ending,
        "faults": played.outcome.faults.iter().map(|(seat, kind)| json!({"seat": seat, "kind": kind})).collect::<Vec<_>>(),
        "hash": played.hash.map(|hash| Sha256Hex(hash).to_string()),
    })
}

/// A folder of match records, named by match number. Existing records are never overwritten.
struct RecordFolder(PathBuf);

impl RecordFolder {
    fn create(path: &Path) -> Result<RecordFolder, Failure> {
        let shown = path.display();
        fs::create_dir_all(path).map_err(|error| Failure::usage(format!("folder {shown} cannot be made: {error}")))?;
        let mut entries = fs::read_dir(path).map_err(|error| Failure::usage(format!("folder {shown}: {error}")))?;
        if entries.next().is_some() {
            return Err(Failure::usage(format!("folder {shown} is not empty; records are written to a new folder")));
        }
        Ok(RecordFolder(path.to_owned()))
    }

    fn write(&self, number: u64, record: &str) -> Result<(), Failure> {
        let path = self.0.join(format!("{number:07}.json"));
        output::write_new(&path, harmless_json(record).as_bytes())
            .map_err(|error| Failure::failed(format!("record {} cannot be written: {error}", path.display())))
    }
}
