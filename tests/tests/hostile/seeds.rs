//! Agents that search the seed of a match to know the dice to come. What stands against them is how
//! seeds are made; that an agent submitted after seeds were shown plays only fresh ones is proven in
//! `arena/core/tests/formats/round_robin.rs`.

use arena_core::dice::roll_at;
use arena_core::seeds::{TournamentSecret, agent_seed};
use arena_tests::zoo::{Attempt, case};
use farkle::Faces;

/// Seeds that an agent may try with the fuel of a match.
const TRIED: u64 = 20_000;

/// A tournament's secret, as the operating system might give it.
fn secret() -> TournamentSecret {
    TournamentSecret::from_bytes([0x5a; 32])
}

/// The seed of a match that a search through small numbers finds for what seat 0 was given.
fn found(given: u64) -> Option<u64> {
    (0..TRIED).find(|seed| agent_seed(*seed, 0) == given)
}

#[test]
fn a_small_seed_chosen_by_hand_can_be_searched_and_one_of_a_secret_cannot() {
    case("12345, by the agent's own random numbers");
    let mut attempt = Attempt::expecting("found: a tournament says that its seed was chosen by hand");
    let known = found(agent_seed(12_345, 0));
    attempt.saw(format!("found: {known:?}"));
    assert_eq!(known, Some(12_345));
    attempt.held();
    case("50 of a secret, by the agent's own random numbers");
    let mut attempt = Attempt::expecting("0 found");
    let known = (0..50).filter(|pair| found(agent_seed(secret().match_seed(*pair), 0)).is_some()).count();
    attempt.saw(format!("{known} found"));
    assert_eq!(known, 0);
    attempt.held();
}

/// What seat 0 rolls first in each of its first turns, which it sees whatever it keeps.
fn first_rolls(seed: u64) -> Vec<Faces> {
    (1..=8).map(|turn| roll_at(seed, 0, turn, 1, 6).unwrap()).collect()
}

/// The same for who looks at the dice, and for who tries the seed of the tournament, from which all match
/// seeds follow.
#[test]
fn a_search_from_the_first_rolls_finds_seeds_chosen_by_hand_alone() {
    let chosen = TournamentSecret::from_seed(77).match_seed(3);
    for (name, seed, expected) in [
        ("a match seed of 4321", 4_321, Some(4_321)),
        ("pair 3 of a tournament seed of 77", chosen, Some(77)),
        ("pair 3 of a secret", secret().match_seed(3), None),
    ] {
        case(name);
        let words = |found: Option<u64>| found.map_or_else(|| "not found".into(), |seed| format!("found: {seed}"));
        let mut attempt = Attempt::expecting(words(expected));
        let seen = first_rolls(seed);
        let as_match = |tried: &u64| first_rolls(*tried) == seen;
        let as_tournament = |tried: &u64| first_rolls(TournamentSecret::from_seed(*tried).match_seed(3)) == seen;
        let found = (0..TRIED).find(as_match).or_else(|| (0..TRIED).find(as_tournament));
        attempt.saw(words(found));
        assert_eq!(found, expected);
        attempt.held();
    }
}

/// An agent may carry the dice of every seed that was shown: they are no help with any other.
#[test]
fn dice_of_seeds_already_shown_are_those_of_no_other_seed() {
    let mut attempt = Attempt::expecting("0 of 1000 seeds to come begin like one of 1000 shown");
    let secret = secret();
    let shown: std::collections::BTreeSet<Vec<[u8; 6]>> =
        (0..1_000).map(|pair| dice(secret.match_seed(pair))).collect();
    let alike = (1_000..2_000).filter(|pair| shown.contains(&dice(secret.match_seed(*pair)))).count();
    attempt.saw(format!("{alike} of 1000 seeds to come begin like one of {} shown", shown.len()));
    assert_eq!((shown.len(), alike), (1_000, 0));
    attempt.held();
}

/// The same rolls, so that they can be put in order.
fn dice(seed: u64) -> Vec<[u8; 6]> {
    first_rolls(seed).into_iter().map(|roll| roll.counts()).collect()
}

#[test]
fn seeds_of_a_tournament_do_not_follow_from_each_other() {
    let mut attempt = Attempt::expecting("1000 different seeds, half of the bits changed between neighbours");
    let secret = secret();
    let seeds: std::collections::BTreeSet<u64> = (0..1_000).map(|pair| secret.match_seed(pair)).collect();
    assert_eq!(seeds.len(), 1_000);
    // Half of the bits change from one to the next.
    let changed: u32 =
        (0..1_000).map(|pair| (secret.match_seed(pair) ^ secret.match_seed(pair + 1)).count_ones()).sum();
    attempt.saw(format!("{} different seeds, {changed} of 64000 bits changed", seeds.len()));
    assert!((31_000..33_000).contains(&changed), "{changed} bits");
    attempt.held();
}

/// An agent is given a number of its own, which is neither the seed nor another seat's.
#[test]
fn the_seed_of_an_agent_is_not_the_seed_of_its_match() {
    let mut attempt = Attempt::expecting("no seat of 100 matches is given its match's seed, or another seat's number");
    for seed in 0..100 {
        let given: Vec<u64> = (0..12).map(|seat| agent_seed(seed, seat)).collect();
        assert!(given.iter().all(|own| *own != seed));
        assert!((0..12).all(|seat| given[..seat].iter().all(|other| *other != given[seat])));
    }
    attempt.saw("1200 numbers, none of them a match's seed or another seat's");
    attempt.held();
}
