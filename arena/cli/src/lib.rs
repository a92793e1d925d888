//! The command line of the arena.
//!
//! Owns all input and output: arguments, files, threads, progress, tables. Refuses to know rules
//! and statistics: those are [`farkle`]'s and [`arena_core`]'s.

mod agents;
mod apart;
mod args;
pub mod bench;
pub mod build;
mod check_figures;
mod commands;
mod compliance;
pub mod componentize;
mod course;
mod custom_sections;
mod entrance;
mod failure;
mod fault_search;
mod harmless;
mod lines;
mod loader;
mod match_command;
mod new;
mod oracles;
mod output;
mod pages;
mod person;
mod pips;
mod play;
mod play_by_play;
mod played_match;
mod playing;
mod progress;
mod record_file;
mod remote;
mod replays;
mod report;
mod rules;
mod runner;
pub mod samples;
mod secrets;
mod standings_table;
mod store;
mod stored_match;
mod tokens;
mod watch;
mod watchdog;
mod web;

use std::ffi::OsString;

use clap::Parser;

pub use failure::{Failure, tell_panics_in_a_line};

/// clap prints its own help and errors, with the exit codes 0 and 2. It quotes arguments as they are, which
/// may be names of strangers' files.
fn refuse(error: clap::Error, args: &[OsString]) -> ! {
    let shown = args.iter().map(|arg| OsString::from(harmless::harmless(&arg.to_string_lossy())));
    args::Cli::try_parse_from(shown).err().unwrap_or(error).exit()
}

/// Runs one command line and prints what it has to say.
///
/// # Errors
///
/// [`Failure`] with the exit code and a message for people.
pub fn run(args: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    let args: Vec<OsString> = args.into_iter().collect();
    let cli = args::Cli::try_parse_from(&args).unwrap_or_else(|error| refuse(error, &args));
    match cli.command {
        args::Command::Match(args) => commands::match_::run(&args),
        args::Command::Watch(args) => commands::watch::run(&args),
        args::Command::Play(args) => commands::play::run(&args),
        args::Command::New(args) => commands::new::run(&args),
        args::Command::Build(args) => commands::build::run(&args),
        args::Command::Check(args) => commands::check::run(&args),
        args::Command::Replay(args) => commands::replay::run(&args),
        args::Command::Rules { command } => commands::rules::run(&command),
        args::Command::Score(args) => commands::score::run(&args),
        args::Command::Keeps(args) => commands::keeps::run(&args),
        args::Command::Odds(args) => commands::odds::run(&args),
        args::Command::Solve(args) => commands::solve::run(&args),
        args::Command::Hint(args) => commands::hint::run(&args),
        args::Command::Analyze(args) => commands::analyze::run(&args),
        args::Command::Sprt(args) => commands::sprt::run(&args),
        args::Command::Create(args) => commands::create::run(&args),
        args::Command::Submit(args) => commands::submit::run(&args),
        args::Command::Run(args) => commands::run::run(&args),
        args::Command::Report(args) => commands::report::run(&args),
        args::Command::Standings(args) => commands::standings::run(&args),
        args::Command::Matches(args) => commands::matches::run(&args),
        args::Command::Show(args) => commands::show::run(&args),
        args::Command::Verify(args) => commands::verify::run(&args),
        args::Command::Export(args) => commands::export::run(&args),
        args::Command::Withdraw { file, name } => commands::withdraw::withdraw(&file, &name),
        args::Command::Close { file } => commands::withdraw::close(&file),
        args::Command::Token(args) => commands::token::run(&args),
        args::Command::Serve(args) => commands::serve::run(&args),
        args::Command::Bench(args) => commands::bench::run(&args),
        args::Command::CompileComponent(bounds) => loader::compile_here(bounds),
        args::Command::ExamineComponent(bounds) => web::examine_here(bounds),
        args::Command::Tournament(args) => commands::tournament::run(&args),
    }
}
