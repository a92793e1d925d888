//! A match is a function of its inputs: what changes its dice and its hash, and what does not.

use std::collections::BTreeMap;

use arena_core::{Contestant, Event, FaultKind, Limits, What};
use farkle::presets::{IMMEDIATE_WIN, PLAY_TABLE};
use farkle::{Faces, Ruleset};

use crate::scripted::{Native, banker, fault, in_turn, limits, never_banks, play, play_within, referee};

/// The rolls of a seat by turn and by number within it.
fn rolls_of(seat: u8, events: &[Event]) -> BTreeMap<(u32, usize), Faces> {
    let mut number = BTreeMap::new();
    let mut rolls = BTreeMap::new();
    for event in events.iter().filter(|event| event.seat == seat) {
        let roll = match &event.what {
            What::Rolled(keep) | What::Banked { keep, .. } | What::Won(keep) => keep.roll,
            What::Farkled { roll, .. } => *roll,
            What::Faulted { roll, .. } => roll.expect("faults here are in turns"),
        };
        let n: &mut usize = number.entry(event.turn).or_default();
        rolls.insert((event.turn, *n), roll);
        *n += 1;
    }
    rolls
}

#[test]
fn a_seats_dice_do_not_depend_on_what_other_seats_do() {
    for seed in 0..20 {
        let faulty = in_turn(7, 2, 500, |_| Err(fault(FaultKind::Trap)));
        let rivals = [banker(2, 50), banker(3, 1_000), never_banks(4), faulty];
        let mut seen: BTreeMap<(u32, usize), Faces> = BTreeMap::new();
        for rival in &rivals {
            for third in &rivals {
                let (_, events) = play_within(limits(60), &PLAY_TABLE, seed, &[&banker(1, 300), rival, third]);
                for (place, roll) in rolls_of(0, &events) {
                    let before = *seen.entry(place).or_insert(roll);
                    assert_eq!(before, roll, "turn {}, roll {} of seed {seed}", place.0, place.1);
                }
            }
            // Nor on how many seats there are.
            let (_, events) = play_within(limits(60), &PLAY_TABLE, seed, &[&banker(1, 300), rival]);
            for (place, roll) in rolls_of(0, &events) {
                assert_eq!(*seen.entry(place).or_insert(roll), roll);
            }
        }
        assert!(seen.len() > 15);
    }
}

/// A roll's first dice are the same, however many are rolled: so what a seat kept before does not
/// shift the dice either.
#[test]
fn the_first_dice_of_a_roll_do_not_depend_on_their_number() {
    for seed in 0..200 {
        for roll in 0..10 {
            let of = |dice| arena_core::dice::roll_at(seed, 1, 3, roll, dice).unwrap();
            assert!((1..6).all(|dice| of(dice + 1).contains(of(dice))));
        }
    }
}

fn hash_of(limits: Limits, rules: &Ruleset, seed: u64, seats: &[&Native]) -> [u8; 32] {
    play_within(limits, rules, seed, seats).0.hash
}

#[test]
fn the_same_match_has_one_hash() {
    let seats = [banker(1, 300), banker(2, 500)];
    let contestants: [&dyn Contestant; 2] = [&seats[0], &seats[1]];
    let mut used = referee(&PLAY_TABLE, 2, limits(1_000));
    let first: Vec<_> = (0..20).map(|seed| used.play(seed, &contestants).unwrap()).collect();
    // Again, in the other order, in the same referee and in fresh ones.
    for seed in (0..20).rev() {
        assert_eq!(used.play(seed, &contestants).unwrap(), first[seed as usize]);
        assert_eq!(play(&PLAY_TABLE, seed, &[&seats[0], &seats[1]]).0, first[seed as usize]);
    }
    let mut hashes: Vec<_> = first.iter().map(|played| played.hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 20, "each seed its own");
}

#[test]
fn a_match_is_the_same_where_its_hash_is_asked_for_later() {
    let seats = [banker(1, 300), banker(2, 500)];
    let contestants: [&dyn Contestant; 2] = [&seats[0], &seats[1]];
    let mut at_once = referee(&PLAY_TABLE, 2, limits(1_000));
    let mut later = referee(&PLAY_TABLE, 2, limits(1_000));
    for seed in 0..20 {
        let played = at_once.play(seed, &contestants).unwrap();
        assert_eq!(*later.play_in_place(seed, &contestants).unwrap(), played.result);
        assert_eq!(*later.events(), *at_once.events());
        assert_eq!((later.hash(), later.result()), (played.hash, &played.result));
        assert_eq!(later.hash(), played.hash, "asked for again");
        assert_eq!(*later.play_or_retry_in_place(seed, &contestants).unwrap(), played.result);
    }
}

#[test]
fn everything_that_fixes_a_match_changes_its_hash() {
    // All play alike; only their components differ.
    let (a, b) = (banker(1, 300), banker(2, 300));
    let standard = limits(1_000);
    let base = hash_of(standard, &PLAY_TABLE, 1, &[&a, &b]);
    let mut others = vec![
        ("swapped components", hash_of(standard, &PLAY_TABLE, 1, &[&b, &a])),
        ("another component", hash_of(standard, &PLAY_TABLE, 1, &[&a, &banker(3, 300)])),
        ("twice the same", hash_of(standard, &PLAY_TABLE, 1, &[&a, &a])),
        ("another decision", hash_of(standard, &PLAY_TABLE, 1, &[&a, &banker(2, 350)])),
        ("another seed", hash_of(standard, &PLAY_TABLE, 2, &[&a, &b])),
        ("a third seat", hash_of(standard, &PLAY_TABLE, 1, &[&a, &b, &a])),
        ("start fuel", hash_of(Limits { start_fuel: 1, ..standard }, &PLAY_TABLE, 1, &[&a, &b])),
        ("decide fuel", hash_of(Limits { decide_fuel: 1, ..standard }, &PLAY_TABLE, 1, &[&a, &b])),
        ("memory", hash_of(Limits { memory_bytes: 1, ..standard }, &PLAY_TABLE, 1, &[&a, &b])),
        ("turns", hash_of(limits(999), &PLAY_TABLE, 1, &[&a, &b])),
        ("ruleset", hash_of(standard, &Ruleset { max_seats: 11, ..PLAY_TABLE }, 1, &[&a, &b])),
        ("ending", hash_of(standard, &IMMEDIATE_WIN, 1, &[&a, &b])),
        ("base", base),
    ];
    others.sort_by_key(|other| other.1);
    for two in others.windows(2) {
        assert_ne!(two[0].1, two[1].1, "{} and {}", two[0].0, two[1].0);
    }
    // The name of a table is no rule.
    assert_eq!(hash_of(standard, &Ruleset { name: "ours".into(), ..PLAY_TABLE }, 1, &[&a, &b]), base);
}

#[test]
fn a_faults_message_is_not_hashed_but_its_kind_is() {
    let faulty = |kind, message: &'static str| {
        Native::new(2, move |_, _| Err(arena_core::Fault { kind, message: message.into() }.into()))
    };
    let hash = |kind, message| hash_of(limits(9), &PLAY_TABLE, 1, &[&banker(1, 300), &faulty(kind, message)]);
    assert_eq!(hash(FaultKind::Trap, "here"), hash(FaultKind::Trap, "there"));
    assert_ne!(hash(FaultKind::Trap, "here"), hash(FaultKind::OutOfFuel, "here"));
}

#[test]
fn agents_get_their_seat_and_seed_and_never_the_match_seed() {
    let (a, b) = (banker(1, 300), banker(2, 300));
    play_within(limits(9), &PLAY_TABLE, 77, &[&a, &b]);
    play_within(limits(9), &PLAY_TABLE, 77, &[&b, &a]);
    for (native, seats) in [(&a, [0, 1]), (&b, [1, 0])] {
        for (start, seat) in native.started().iter().zip(seats) {
            assert_eq!((start.seat, start.seats, start.turn_limit), (seat, 2, 9));
            assert_eq!(start.agent_seed, arena_core::seeds::agent_seed(77, seat));
            assert_ne!(start.agent_seed, 77);
        }
    }
}
