//! `arena create`: a tournament file.

use arena_core::Sha256Hex;
use arena_core::rulebook::counted;
use arena_core::seeds::TournamentSecret;
use arena_host::Wasi;
use farkle::Ruleset;

use crate::args::CreateArgs;
use crate::failure::Failure;
use crate::play::Play;
use crate::secrets::Secrets;
use crate::store::{Settings, Store};
use crate::{output, rules};

pub(crate) fn run(args: &CreateArgs) -> Result<(), Failure> {
    let ruleset = rules::find(&args.game.rules)?;
    let play = Play::new(&args.play)?;
    let seats = seats(args.tables.seats, play, &ruleset)?;
    let settings = Settings {
        ruleset,
        play,
        seats,
        pairs: args.tables.pairs,
        limits: args.game.limits(),
        wasi: args.game.wasi.wasi(),
    };
    let secrets = secrets(args.seed)?;
    Store::create(&args.file, &settings, &secrets)?;
    let mut text = format!(
        "{}: {}, {}, {}, {} a pairing\ncommitment to the dice: {}\n",
        args.file.display(),
        settings.ruleset.name,
        settings.play.name(),
        counted(settings.seats as i64, "seat"),
        counted(settings.pairs as i64, "pair"),
        Sha256Hex(secrets.last().secret.commitment()),
    );
    if settings.wasi != Wasi::None {
        text += "agents that import WASI may take part\n";
    }
    if args.seed.is_some() {
        text += "the seed was chosen by hand: good for trying and repeating, but who guesses it knows all the dice\n";
    }
    output::print(&text)
}

/// The secret of a new tournament: of a seed, if there is one.
pub(crate) fn secrets(seed: Option<u64>) -> Result<Secrets, Failure> {
    Ok(match seed {
        Some(seed) => Secrets::first(TournamentSecret::from_seed(seed), Some(seed)),
        None => Secrets::first(random_secret()?, None),
    })
}

/// 32 bytes from the operating system.
pub(crate) fn random_secret() -> Result<TournamentSecret, Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| Failure::failed(format!("no random secret to be had: {error}")))?;
    Ok(TournamentSecret::from_bytes(bytes))
}

/// The seats of a table: what was asked for, else 2, else as few as the ruleset allows.
pub(crate) fn seats(asked: Option<u8>, play: Play, ruleset: &Ruleset) -> Result<usize, Failure> {
    let seats = asked.unwrap_or_else(|| 2.clamp(ruleset.min_seats, ruleset.max_seats));
    if !(ruleset.min_seats..=ruleset.max_seats).contains(&seats) {
        let (min, max) = (ruleset.min_seats, ruleset.max_seats);
        let range = if min == max { counted(min, "seat") } else { format!("{min} to {max} seats") };
        return Err(Failure::usage(format!("ruleset `{}` is for {range}, not {seats}", ruleset.name)));
    }
    if seats == 1 && ruleset.ending != farkle::EndingRule::Turns {
        return Err(Failure::usage(format!(
            "a tournament of agents alone needs `ending = \"turns\"`, and ruleset `{}` has another ending",
            ruleset.name
        )));
    }
    if seats != 2 && play != Play::RoundRobin {
        return Err(Failure::usage(format!(
            "{} is for two seats, not {seats}; any number of seats takes round-robin",
            play.name()
        )));
    }
    Ok(seats.into())
}
