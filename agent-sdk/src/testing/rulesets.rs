//! Rulesets to test under: files, and every rule there is by chance.
//!
//! Owns how a test comes by a ruleset that is no preset, and how it is named in code. Refuses to
//! hold presets: those are [`farkle::presets`].

use std::path::Path;

use farkle::{Chart, EndingRule, Faces, Kinds, Points, Reading, Ruleset, presets};

use crate::Random;

/// What the name of a random ruleset begins with; its seed follows.
const RANDOM: &str = "random-";

/// The ruleset in a TOML file, as `arena --rules FILE` reads it. Cargo runs tests in the folder of
/// their crate, and a path is taken from there.
///
/// For a change or two no file is needed:
///
/// ```
/// use agent_sdk::farkle::{Ruleset, presets};
/// let house = Ruleset { opening: 350, must_roll_hot_dice: true, ..presets::PLAY_TABLE };
/// # assert!(house.validate().is_ok());
/// # let path = std::env::temp_dir().join(format!("sdk-doc-{}.toml", std::process::id()));
/// # std::fs::write(&path, "extends = 'play-table'\nopening = 350\nmust_roll_hot_dice = true\n").unwrap();
/// let same = agent_sdk::testing::ruleset_file(&path);
/// assert!(same.same_rules(&house));
/// # std::fs::remove_file(&path).unwrap();
/// ```
///
/// # Panics
///
/// When there is no such file, or it is no ruleset.
pub fn ruleset_file(path: impl AsRef<Path>) -> Ruleset {
    let path = path.as_ref();
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("reading {}: {error}", path.display()));
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    arena_core::ruleset_from_toml(&text, &name).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A ruleset in which every field is set at random, the same for a seed, and which
/// [validates](Ruleset::validate).
///
/// ```
/// use agent_sdk::testing::random_ruleset;
/// assert_eq!(random_ruleset(7), random_ruleset(7));
/// assert!(random_ruleset(8).validate().is_ok());
/// ```
pub fn random_ruleset(seed: u64) -> Ruleset {
    let random = Random::new(seed);
    let coin = || random.coin();
    let some = |of: &[Points]| *random.pick(of).expect("there is a choice");
    loop {
        let dice = if random.below(4) == 0 { 5 } else { 6 };
        let kinds = *random.pick(&[Kinds::Flat, Kinds::Doubling, Kinds::Adding, Kinds::None]).expect("four kinds");
        let flat = kinds == Kinds::Flat;
        let six = |points: Points| if dice == 6 { points } else { 0 };
        let ending = *random
            .pick(&[EndingRule::ImmediateWin, EndingRule::FinalRound, EndingRule::Turns])
            .expect("three endings");
        let by_turns = ending == EndingRule::Turns;
        let penalty = some(&[0, 0, 500, 1_000, 100_000]);
        let max_seats = 1 + random.below(12) as u8;
        let ruleset = Ruleset {
            name: format!("{RANDOM}{seed}").into(),
            dice,
            reading: if coin() { Reading::Best } else { Reading::PerFace },
            single_one: some(&[0, 50, 100, 100, 110, 1_000]),
            single_five: some(&[0, 50, 50, 25, 37]),
            three_ones: some(&[0, 300, 1_000, 750]),
            kinds,
            four_of_a_kind: if flat { some(&[0, 1_000, 400, 5]) } else { 0 },
            five_of_a_kind: if flat { some(&[0, 2_000, 3]) } else { 0 },
            six_of_a_kind: six(some(&[0, 3_000, 10_000])),
            six_wins: dice == 6 && random.below(4) == 0,
            straight: six(some(&[0, 1_500, 2_500])),
            three_pairs: six(some(&[0, 750, 1_500])),
            four_and_pair: six(some(&[0, 1_500])),
            two_triplets: six(some(&[0, 2_500])),
            five_run: some(&[0, 0, 500]),
            full_house: some(&[0, 0, 250]),
            no_score: six(some(&[0, 0, 500])),
            toxic_twos: coin(),
            keep_all: coin(),
            must_roll_hot_dice: coin(),
            exact_landing: coin(),
            opening: some(&[0, 0, 350, 500, 1_000]),
            penalty,
            penalty_after: if penalty > 0 { 1 + random.below(4) } else { 0 },
            penalty_floor: penalty > 0 && coin(),
            ending,
            target: if by_turns { 0 } else { some(&[1_000, 3_330, 5_000, 10_000]) },
            turns: if by_turns { 1 + random.below(12) } else { 0 },
            min_seats: 1 + random.below(max_seats.into()) as u8,
            max_seats,
        };
        // A table at which no roll scores is possible, and plays nobody's agent.
        if ruleset.validate().is_ok() {
            let chart = Chart::new(&ruleset);
            if Faces::all(dice).any(|roll| !chart.is_farkle(roll)) {
                return ruleset;
            }
        }
    }
}

/// What a ruleset is called in a test: `presets::DUEL`, `random_ruleset(7)`; one of neither kind
/// only by its own name.
pub(super) fn code_of(ruleset: &Ruleset) -> String {
    if let Some(preset) = presets::ALL.iter().find(|preset| **preset == ruleset) {
        return format!("presets::{}", preset.name.to_uppercase().replace('-', "_"));
    }
    match ruleset.name.strip_prefix(RANDOM) {
        Some(seed) => format!("random_ruleset({seed})"),
        None => ruleset.name.replace('-', "_"),
    }
}
