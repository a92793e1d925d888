//! `arena sprt`: two agents, until it is sure enough whether the first is stronger.

use std::ops::ControlFlow;
use std::sync::Arc;

use arena_core::luck::Measures;
use arena_core::pentanomial::{PairScore, Pentanomial};
use arena_core::schedule::{Encounter, Schedule};
use arena_core::seeds::TournamentSecret;
use arena_core::sprt::{Hypotheses, LEAST_PAIRS, LuckAdjustedSprt, Sprt, State, Verdict};
use arena_core::standings::Outcome;
use farkle::{Ending, ScoreTable};
use indicatif::ProgressBar;
use serde_json::json;

use crate::args::{Format, SprtArgs};
use crate::failure::Failure;
use crate::loader::Loader;
use crate::output::thousands;
use crate::played_match::PlayedMatch;
use crate::runner::{self, Contest, End, Judge, Wanted, Work};
use crate::secrets::Secrets;
use crate::{agents, oracles, output, replays, rules};

pub(crate) fn run(args: &SprtArgs) -> Result<(), Failure> {
    let hypotheses = Hypotheses::new(args.elo0, args.elo1, args.alpha, args.beta).map_err(Failure::usage)?;
    let ruleset = rules::find(&args.game.rules)?;
    if !(ruleset.min_seats..=ruleset.max_seats).contains(&2) {
        return Err(Failure::usage(format!("the test is for two seats, and ruleset `{}` is not", ruleset.name)));
    }
    if args.luck_adjusted && args.most_pairs < LEAST_PAIRS {
        return Err(Failure::usage(format!(
            "--most-pairs {}: a test corrected for luck looks at its pairs for the first time after {LEAST_PAIRS}",
            args.most_pairs
        )));
    }
    let files = agents::read_all(&[args.agent.clone(), args.against.clone()])?;
    if files.len() != 2 {
        return Err(Failure::usage(format!("the test is between two agents, and {} were given", files.len())));
    }
    let seed = super::seed_or_random(args.seed)?;
    let secret = TournamentSecret::from_seed(seed);
    let schedule = Schedule::new(2, 2, args.most_pairs, &secret).map_err(Failure::usage)?;
    let loader = Loader::new(args.game.wasi.wasi())?;
    let loaded = agents::load_all(&loader, &files)?;
    let names: Vec<String> = loaded.iter().map(|agent| agent.name.clone()).collect();
    let judge = match args.luck_adjusted {
        true => Some(Judge::Luck(Arc::new(Measures::new(oracles::of_two(&ruleset, 2)?)))),
        false => None,
    };
    let contest = Arc::new(Contest {
        agents: loaded.into_iter().map(|agent| Some(Arc::new(agent))).collect(),
        rules: Arc::new(ScoreTable::new(&ruleset)),
        limits: args.game.limits(),
        seats: 2,
        work: Work::Schedule(schedule),
        secrets: Secrets::first(secret, Some(seed)),
        wanted: Wanted::Outcomes,
        judge,
    });
    let mut test = match args.luck_adjusted {
        true => Test::LuckAdjusted(LuckAdjustedSprt::new(hypotheses), Pentanomial::default()),
        false => Test::Plain(Sprt::new(hypotheses)),
    };
    let mut faults = [0u64; 2];
    let mut unfinished = 0u64;
    let spinner = ProgressBar::new_spinner();
    // Pairs come in the order of their seeds, so the verdict is that of a prefix of them, whatever
    // the number of jobs.
    let take = |encounter: Encounter, played: Vec<PlayedMatch>| {
        let state = test.add(&encounter, &played)?;
        for outcome in played.iter().map(|played| &played.outcome) {
            unfinished += u64::from(outcome.ending == Ending::TurnLimit);
            for (seat, _) in &outcome.faults {
                faults[outcome.agents[usize::from(*seat)]] += 1;
            }
        }
        if state.pairs.is_multiple_of(256) {
            spinner.set_message(line(&state, &hypotheses));
            spinner.tick();
        }
        Ok(match state.verdict {
            Verdict::Continue => ControlFlow::Continue(()),
            Verdict::AcceptH0 | Verdict::AcceptH1 => ControlFlow::Break(()),
        })
    };
    let end = runner::play_all(contest.clone(), args.jobs.count(), None, take);
    spinner.finish_and_clear();
    let end = end?;
    if let End::HeldUp(held_up) = &end {
        return Err(held_up.failure(&contest));
    }
    let state = test.state();
    match args.format {
        Format::Text => output::print(&told(args, &names, &ruleset.name, seed, &test, faults, unfinished))?,
        Format::Json => {
            let mut whole = json!({
                "format": 1, "ruleset": ruleset.name, "seed": seed.to_string(), "agents": names,
                "elo0": args.elo0, "elo1": args.elo1, "alpha": args.alpha, "beta": args.beta,
                "llr": state.llr, "lower_bound": hypotheses.lower_bound(), "upper_bound": hypotheses.upper_bound(),
                "pairs": state.pairs, "pentanomial": test.pairs().counts(), "figures": test.pairs().figures(),
                "faults": faults, "verdict": state.verdict,
            });
            if let Test::LuckAdjusted(test, _) = &test
                && let Some(gain) = test.gain()
            {
                whole["luck_adjusted"] = json!({
                    "score": gain.corrected_score / 2.0,
                    "standard_error": gain.standard_errors()[1].map(|error| error / 2.0),
                    "gain": gain.ratio(),
                });
            }
            output::print_json(&format!("{whole}\n"))?;
        }
    }
    match (end, state.verdict) {
        (End::Interrupted, Verdict::Continue) => Err(Failure::failed("stopped before a verdict")),
        _ => Ok(()),
    }
}

/// A test, on scores as they are or corrected for luck.
enum Test {
    Plain(Sprt),
    /// With the plain scores of the pairs that it used.
    LuckAdjusted(LuckAdjustedSprt, Pentanomial),
}

impl Test {
    fn add(&mut self, encounter: &Encounter, played: &[PlayedMatch]) -> Result<State, Failure> {
        let outcomes: Vec<Outcome> = played.iter().map(|played| played.outcome.clone()).collect();
        let score = PairScore::of(0, &outcomes).map_err(Failure::failed)?;
        Ok(match self {
            Test::Plain(test) => test.add(score),
            Test::LuckAdjusted(test, plain) => {
                if test.state().verdict == Verdict::Continue {
                    plain.add(score);
                }
                test.add(&replays::lucky_pair(encounter, played)?)
            }
        })
    }

    fn state(&self) -> State {
        match self {
            Test::Plain(test) => test.state(),
            Test::LuckAdjusted(test, _) => test.state(),
        }
    }

    fn hypotheses(&self) -> &Hypotheses {
        match self {
            Test::Plain(test) => test.hypotheses(),
            Test::LuckAdjusted(test, _) => test.hypotheses(),
        }
    }

    fn pairs(&self) -> &Pentanomial {
        match self {
            Test::Plain(test) => test.pairs(),
            Test::LuckAdjusted(_, plain) => plain,
        }
    }
}

fn line(state: &State, hypotheses: &Hypotheses) -> String {
    format!(
        "LLR {:.2} ({:.2} to {:.2}) after {} pairs",
        state.llr,
        hypotheses.lower_bound(),
        hypotheses.upper_bound(),
        thousands(state.pairs as i64)
    )
}

fn told(
    args: &SprtArgs,
    names: &[String],
    rules: &str,
    seed: u64,
    test: &Test,
    faults: [u64; 2],
    unfinished: u64,
) -> String {
    let (state, hypotheses) = (test.state(), test.hypotheses());
    let nearer = |near: f64, far: f64| format!("the difference is {near} Elo rather than {far}");
    let verdict = match state.verdict {
        Verdict::AcceptH1 => format!("accept H1: {}", nearer(args.elo1, args.elo0)),
        Verdict::AcceptH0 => format!("accept H0: {}", nearer(args.elo0, args.elo1)),
        Verdict::Continue => "no verdict".to_owned(),
    };
    let mut text =
        format!("{} against {}, {rules}, seed {seed}\n{}\n{verdict}\n", names[0], names[1], line(&state, hypotheses));
    if let Test::LuckAdjusted(test, _) = test
        && let Some(gain) = test.gain()
    {
        let times = gain.ratio().map_or(String::new(), |gain| format!(", as of {gain:.1} times as many plain pairs"));
        let interval = gain
            .corrected_interval()
            .map_or(String::new(), |(low, high)| format!(" (95% interval {:.2} to {:.2}%)", 50.0 * low, 50.0 * high));
        text += &format!("corrected for luck: score {:.2}%{interval}{times}\n", 50.0 * gain.corrected_score);
        if unfinished > 0 {
            text += &format!(
                "{} matches were ended by the limit of turns, and luck is judged as if there were none\n",
                thousands(unfinished as i64)
            );
        }
        text += "plain: ";
    }
    text += &two_agents(test.pairs());
    for (name, faults) in names.iter().zip(faults).filter(|(_, faults)| *faults > 0) {
        text += &format!("{name} faulted in {} matches\n", thousands(faults as i64));
    }
    text
}

/// What the pairs of two agents say, for people.
pub(crate) fn two_agents(pairs: &Pentanomial) -> String {
    let figures = pairs.figures();
    let elo = |elo: Option<f64>| elo.map_or("unbounded".to_owned(), |elo| format!("{elo:+.1}"));
    let mut text = format!(
        "Elo difference {} (95% interval {} to {}), LOS {:.1}%, score {:.2}%\n",
        elo(figures.elo),
        elo(figures.elo_low),
        elo(figures.elo_high),
        100.0 * figures.los,
        100.0 * figures.score
    );
    if let Some(normalised) = figures.normalised_elo {
        text += &format!("normalised Elo {normalised:+.1}\n");
    }
    let counts = pairs.counts().map(|count| thousands(count as i64));
    text + &format!("pairs with 0, ½, 1, 1½ and 2 points: {}\n", counts.join(", "))
}
