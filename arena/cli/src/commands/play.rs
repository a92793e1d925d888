//! `arena play`: people at the terminal against agents.
//!
//! The match is played on a thread of its own, which may wait for a line as long as it likes;
//! this one waits for signals.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arena_core::rulebook::{self, counted};
use arena_core::{Contestant, EngineId, Record, RecordSeat, Referee, Sha256Hex};
use arena_host::{Sandbox, Wasi};
use farkle::ScoreTable;
use tokio::sync::oneshot;

use crate::agents::{self, AgentFile};
use crate::args::PersonArgs;
use crate::failure::Failure;
use crate::harmless::{harmless, shell_word};
use crate::loader::Loader;
use crate::person::{self, Console, Person, Plays, SaveFile, Saved, SavedSeat, Stop};
use crate::{output, play_by_play, rules, runner};

/// The opponent of who names none: of the sample agents the one that plays well under every ruleset.
pub(crate) const BUILT_IN: &[u8] = include_bytes!("../../../../sample-agents/built/max-ev.wasm");
const BUILT_IN_NAME: &str = "max-ev";

pub(crate) fn run(args: &PersonArgs) -> Result<(), Failure> {
    let (save, agents, engine) = match &args.resume {
        None => begin(args)?,
        Some(file) => resume(args, file.as_deref())?,
    };
    let saved = &save.saved;
    let resumed = args.resume.is_some().then_some(saved.decisions.len());
    output::print(&introduction(&save, resumed))?;

    let table = Arc::new(ScoreTable::new(&saved.ruleset));
    let (seed, limits) = (saved.seed(), saved.limits);
    let names: Vec<String> = saved.seats.iter().map(|seat| seat.name.clone()).collect();
    let command = resuming(save.path(), args.record.as_deref());
    let save = Arc::new(Mutex::new(save));
    let game =
        Game { console: Arc::new(Mutex::new(Console::new(names, table.clone(), limits.turns, save.clone()))), agents };
    let playing = Playing { table, seed, game, engine, save: save.clone(), record: args.record.clone(), command };
    until_stopped(playing, &save)
}

/// Everything that sits at the table.
struct Game {
    console: Arc<Mutex<Console>>,
    /// By seat; none where a person sits.
    agents: Vec<Option<arena_host::ComponentAgent>>,
}

/// A match with everything that it needs on a thread of its own.
struct Playing {
    table: Arc<ScoreTable>,
    seed: u64,
    game: Game,
    engine: EngineId,
    save: Arc<Mutex<SaveFile>>,
    record: Option<PathBuf>,
    /// The command that goes on.
    command: String,
}

type Prepared = (SaveFile, Vec<Option<arena_host::ComponentAgent>>, EngineId);

/// A new match.
fn begin(args: &PersonArgs) -> Result<Prepared, Failure> {
    let ruleset = rules::find(&args.game.rules)?;
    let limits = args.game.limits();
    let people = people(args)?;
    let mut files = agents::read_all(&args.agents)?;
    let given = files.len();
    if given == 0 {
        // Nobody is needed where the ruleset is content with the people.
        let missing = usize::from(ruleset.min_seats).saturating_sub(people.len());
        files.extend((1..=missing).map(|number| {
            let name = if number == 1 { BUILT_IN_NAME.to_owned() } else { format!("{BUILT_IN_NAME}-{number}") };
            AgentFile { name, path: PathBuf::from("(built in)"), bytes: BUILT_IN.to_vec() }
        }));
    }
    let seats = people.len() + files.len();
    // Judges the number of seats and the limits before anything is compiled.
    let table = Arc::new(ScoreTable::new(&ruleset));
    Referee::new(table, seats, limits).map_err(Failure::usage)?;
    let first = usize::from(args.seat);
    if first + people.len() > seats {
        let (last, who) = (seats - people.len(), if people.len() == 1 { "you sit" } else { "the people sit from" });
        return Err(Failure::usage(format!(
            "--seat {first}: with {} {who} 0{}",
            counted(seats as i64, "seat"),
            if last == 0 { String::new() } else { format!(" to {last}") }
        )));
    }
    if let Some(twice) = people.iter().find(|name| files.iter().any(|file| file.name == **name)) {
        return Err(Failure::usage(format!(
            "a person and an agent are named `{twice}`; --name gives you another name"
        )));
    }
    let mut seated = Vec::with_capacity(seats);
    for file in &files {
        let absolute = std::path::absolute(&file.path)
            .map_err(|error| Failure::failed(format!("agent {}: {error}", file.path.display())))?;
        if given > 0 && absolute.to_str().is_none() {
            return Err(Failure::usage(format!(
                "agent {}: its path cannot be saved, it is no UTF-8",
                absolute.display()
            )));
        }
        seated.push(SavedSeat {
            name: file.name.clone(),
            plays: if given > 0 { Plays::Component } else { Plays::BuiltIn },
            sha256: Some(Sha256Hex::of(&file.bytes)),
            path: (given > 0).then_some(absolute),
        });
    }
    let person = |name| SavedSeat { name, plays: Plays::Person, sha256: None, path: None };
    let loader = Loader::new(args.game.wasi.wasi())?;
    let loaded = agents::load_all(&loader, &files)?;
    let engine = Sandbox::id(agents::wasi_of(&loaded.iter().collect::<Vec<_>>()));
    let mut playing: Vec<_> = loaded.into_iter().map(|agent| Some(agent.component)).collect();
    playing.splice(first..first, people.iter().map(|_| None));
    seated.splice(first..first, people.into_iter().map(person));

    let seed = super::seed_or_random(args.seed)?;
    let path = args.save.clone().unwrap_or_else(|| person::usual_name(seed));
    check_record(args, &path)?;
    let save = SaveFile::create(path, Saved::new(engine.clone(), ruleset, seed, limits, seated))?;
    Ok((save, playing, engine))
}

/// The people's names.
fn people(args: &PersonArgs) -> Result<Vec<String>, Failure> {
    let count = usize::from(args.people);
    if args.name.len() > count {
        let named = args.name.len();
        return Err(Failure::usage(format!("{named} names are given for {count} of --people")));
    }
    let unnamed = |person: usize| if count == 1 { "you".to_owned() } else { format!("player {}", person + 1) };
    let names: Vec<String> =
        (0..count).map(|person| args.name.get(person).cloned().unwrap_or_else(|| unnamed(person))).collect();
    for (place, name) in names.iter().enumerate() {
        agents::check_name(name)
            .map_err(|refused| Failure::usage(format!("--name: {refused}").replace("an agent", "a seat")))?;
        if names[..place].contains(name) {
            return Err(Failure::usage(format!("two people are named `{name}`")));
        }
    }
    Ok(names)
}

/// A saved match, with the components that it was played with.
fn resume(args: &PersonArgs, file: Option<&Path>) -> Result<Prepared, Failure> {
    let path = file.map_or_else(person::only_one, |path| Ok(path.to_owned()))?;
    check_record(args, &path)?;
    let save = SaveFile::open(path)?;
    let saved = &save.saved;
    Referee::new(Arc::new(ScoreTable::new(&saved.ruleset)), saved.seats.len(), saved.limits)
        .map_err(|error| Failure::usage(format!("save {}: {error}", save.path().display())))?;
    // The save says what was allowed.
    let wasi = if saved.engine.wasi.is_some() { Wasi::Deterministic } else { Wasi::None };
    let loader = Loader::new(wasi)?;
    let mut playing = Vec::with_capacity(saved.seats.len());
    for seat in &saved.seats {
        let (path, bytes) = match (seat.plays, &seat.path) {
            (Plays::Person, _) => {
                playing.push(None);
                continue;
            }
            (Plays::Component, Some(path)) => {
                let bytes = std::fs::read(path).map_err(|error| {
                    Failure::usage(format!("the component of `{}` is missing: {}: {error}", seat.name, path.display()))
                })?;
                (path.clone(), bytes)
            }
            (Plays::BuiltIn | Plays::Component, _) => (PathBuf::from("(built in)"), BUILT_IN.to_vec()),
        };
        let found = Sha256Hex::of(&bytes);
        if let Some(saved) = seat.sha256.filter(|saved| *saved != found) {
            return Err(Failure::usage(format!(
                "the component of `{}` has changed since the match was saved: {} has the SHA-256 {found}, not {saved}",
                seat.name,
                path.display()
            )));
        }
        playing.push(Some(agents::load(&loader, seat.name.clone(), &path, &bytes)?.component));
    }
    let engine = Sandbox::id(wasi);
    if saved.engine.fingerprint != engine.fingerprint {
        crate::output::tell(&format!(
            "arena: note: the match was begun with arena {} on wasmtime {}; another engine may count fuel differently",
            harmless(&saved.engine.arena),
            harmless(&saved.engine.wasmtime)
        ));
    }
    Ok((save, playing, engine))
}

/// Refuses a record in the place of the save.
fn check_record(args: &PersonArgs, save: &Path) -> Result<(), Failure> {
    let absolute = |path: &Path| {
        std::fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
    };
    match &args.record {
        Some(record) if absolute(record) == absolute(save) => {
            Err(Failure::usage("--record names the file in which the match is saved; name another one"))
        }
        // A match takes long; what is in the way is better known before.
        Some(record) if record.exists() => Err(Failure::usage(format!(
            "{} is there already, and nothing is written over: --record names a new file",
            record.display()
        ))),
        _ => Ok(()),
    }
}

fn introduction(save: &SaveFile, resumed: Option<usize>) -> String {
    let saved = &save.saved;
    let mut text = format!("{}, seed {}\n", saved.ruleset.name, saved.seed());
    for (number, seat) in saved.seats.iter().enumerate() {
        let built_in = match seat.plays {
            Plays::BuiltIn => " (a strong sample agent, part of this program)",
            Plays::Component | Plays::Person => "",
        };
        text += &format!("  seat {number}: {}{built_in}\n", seat.name);
    }
    text += &format!("{}\n", rulebook::summary(&saved.ruleset));
    let path = save.path().display();
    text += &match resumed {
        None => format!("saved in {path} after every decision\n"),
        Some(decisions) => {
            format!("{path} goes on after {}; `history` tells what happened\n", counted(decisions as i64, "decision"))
        }
    };
    harmless(&text) + "`help` says what can be typed\n"
}

/// The command that goes on with a match.
fn resuming(save: &Path, record: Option<&Path>) -> String {
    let word = |path: &Path| shell_word(&path.display().to_string());
    let record = record.map_or(String::new(), |record| format!(" --record {}", word(record)));
    format!("arena play --resume {}{record}", word(save))
}

/// Plays until the match ends or somebody ends it.
fn until_stopped(playing: Playing, save: &Mutex<SaveFile>) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::failed(format!("the runtime does not start: {error}")))?;
    let command = playing.command.clone();
    runtime.block_on(async {
        let (sender, ended) = oneshot::channel();
        let stopped = runner::stop_signal();
        tokio::pin!(stopped);
        std::thread::spawn(move || sender.send(play(&playing)));
        tokio::select! {
            biased;
            ended = ended => ended.unwrap_or_else(|_| {
                Err(Failure::failed("the playing thread broke down; this is a fault of the arena, not of an agent"))
            }),
            () = &mut stopped => {
                // Held to the end of the process, so that no file is left half-written.
                let save = save.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = output::print("\n");
                let text = if save.is_over() {
                    "stopped, and the match is over".to_owned()
                } else {
                    format!("stopped: the match is saved; `{command}` goes on")
                };
                std::mem::forget(save);
                Err(Failure::Stopped(anyhow::Error::msg(text)))
            }
        }
    })
}

/// The whole match, on its own thread.
fn play(playing: &Playing) -> Result<(), Failure> {
    let Playing { table, seed, game, engine, save, record: record_path, command } = playing;
    let console = || game.console.lock().unwrap_or_else(PoisonError::into_inner);
    let saved = save.lock().unwrap_or_else(PoisonError::into_inner).saved.clone();
    let person = Person(game.console.clone());
    let contestants: Vec<&dyn Contestant> = game
        .agents
        .iter()
        .map(|agent| agent.as_ref().map_or(&person as &dyn Contestant, |agent| agent as &dyn Contestant))
        .collect();
    let mut referee = Referee::new(table.clone(), contestants.len(), saved.limits).map_err(Failure::usage)?;
    // A void match is not tried again here: nobody decides twice, and the save goes on.
    let played = referee.play(*seed, &contestants);
    let ended = match played {
        Ok(played) => console().finish(&referee.events()).map(|()| played),
        Err(failure) => Err(console().take_stop().unwrap_or_else(|| {
            Stop::Failed(Failure::failed(format!("{failure}; the match is saved, and `{command}` goes on")))
        })),
    };
    let played = match ended {
        Ok(played) => played,
        Err(Stop::Quit) => return output::print(&format!("the match is saved; `{command}` goes on\n")),
        Err(Stop::NoMoreInput) => {
            return Err(Failure::failed(format!("the input has ended: the match is saved; `{command}` goes on")));
        }
        Err(Stop::Failed(failure)) => return Err(failure),
    };
    let seat = |(seat, contestant): (&SavedSeat, &&dyn Contestant)| RecordSeat {
        name: seat.name.clone(),
        sha256: Sha256Hex(contestant.sha256()),
    };
    let seats = saved.seats.iter().zip(&contestants).map(seat).collect();
    let events = referee.events().to_vec();
    let record = Record::new(engine.clone(), saved.ruleset, *seed, saved.limits, seats, events, played.result);
    output::print(&format!("\n{}\nhash {}\n", play_by_play::outcome(&record), record.hash))?;
    if let Some(path) = record_path {
        // Before the save is gone: who cannot write here can try elsewhere.
        output::write_json(path, &record.to_json()).map_err(|failure| {
            Failure::failed(format!("{failure}; the match is saved, and `{command}` tries again"))
        })?;
    }
    save.lock().unwrap_or_else(PoisonError::into_inner).remove()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a shell reads it.
    #[test]
    fn the_command_that_goes_on_can_be_pasted() {
        let told = |save: &str, record: Option<&str>| resuming(Path::new(save), record.map(Path::new));
        assert_eq!(told("farkle-1.save.json", None), "arena play --resume farkle-1.save.json");
        assert_eq!(told("-a", Some("my r.json")), "arena play --resume ./-a --record 'my r.json'");
        assert_eq!(told("it's", None), r"arena play --resume 'it'\''s'");
    }
}
