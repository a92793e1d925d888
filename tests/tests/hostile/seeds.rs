//! Agents that search the seed of a match to know the dice to come. What stands against them is how
//! seeds are made; that an agent submitted after seeds were shown plays only fresh ones is proven in
//! `arena/core/tests/formats/round_robin.rs`.

use arena_core::seeds::{TournamentSecret, agent_seed};

/// The seed of a match that a search through small numbers finds for what seat 0 was given.
fn found(given: u64) -> Option<u64> {
    (0..20_000).find(|seed| agent_seed(*seed, 0) == given)
}

#[test]
fn a_small_seed_chosen_by_hand_can_be_searched_and_one_of_a_secret_cannot() {
    assert_eq!(found(agent_seed(12_345, 0)), Some(12_345));
    let secret = TournamentSecret::from_bytes([0x5a; 32]);
    for pair in 0..50 {
        let seed = secret.match_seed(pair);
        assert!(seed > 20_000);
        assert_eq!(found(agent_seed(seed, 0)), None);
    }
}

#[test]
fn seeds_of_a_tournament_do_not_follow_from_each_other() {
    let secret = TournamentSecret::from_bytes([0x5a; 32]);
    let seeds: std::collections::BTreeSet<u64> = (0..1_000).map(|pair| secret.match_seed(pair)).collect();
    assert_eq!(seeds.len(), 1_000);
    // Half of the bits change from one to the next.
    let changed: u32 =
        (0..1_000).map(|pair| (secret.match_seed(pair) ^ secret.match_seed(pair + 1)).count_ones()).sum();
    assert!((31_000..33_000).contains(&changed), "{changed} bits");
}

/// An agent is given a number of its own, which is neither the seed nor another seat's.
#[test]
fn the_seed_of_an_agent_is_not_the_seed_of_its_match() {
    for seed in 0..100 {
        let given: Vec<u64> = (0..12).map(|seat| agent_seed(seed, seat)).collect();
        assert!(given.iter().all(|own| *own != seed));
        assert!((0..12).all(|seat| given[..seat].iter().all(|other| *other != given[seat])));
    }
}
