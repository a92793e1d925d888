//! Swiss.

use std::collections::{BTreeMap, BTreeSet};

use arena_core::formats::{Block, Entry, Format, FormatError, Next, Plan, Scored, Standing, SwissRow};
use arena_core::seeds::TournamentSecret;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::driving::{Blocks, agents, dice, entries, next, plan, refused, run};

fn table(plan: &Plan<'_>, entries: &[Entry], blocks: &Blocks) -> Vec<SwissRow> {
    let Standing::Swiss(rows) = plan.standing(entries, blocks).unwrap() else { panic!("a Swiss") };
    rows
}

/// Blocks of each round.
fn rounds(blocks: &Blocks) -> Vec<Vec<Block>> {
    let mut rounds: Vec<Vec<Block>> = Vec::new();
    for (block, _) in blocks {
        match rounds.last_mut().filter(|round| round[0].first_pair == block.first_pair) {
            Some(round) => round.push(block.clone()),
            None => rounds.push(vec![block.clone()]),
        }
    }
    rounds
}

/// The fewest rematches with which these players can be paired, by enumeration; with an odd number
/// one of `may_sit_out` has the bye.
fn fewest_rematches(players: &[usize], may_sit_out: &[usize], met: &dyn Fn(usize, usize) -> bool) -> usize {
    if players.len() % 2 == 1 {
        let without = |bye: &usize| players.iter().copied().filter(|own| own != bye).collect::<Vec<_>>();
        return may_sit_out.iter().map(|bye| fewest_rematches(&without(bye), &[], met)).min().unwrap();
    }
    let Some((&first, others)) = players.split_first() else { return 0 };
    let with = |other: &usize| {
        let left: Vec<usize> = others.iter().copied().filter(|left| left != other).collect();
        usize::from(met(first, *other)) + fewest_rematches(&left, &[], met)
    };
    others.iter().map(with).min().unwrap()
}

#[test]
fn nobody_meets_again_or_sits_out_twice_who_need_not() {
    for count in 2..=9 {
        for seed in 0..12 {
            let secret = TournamentSecret::from_seed(seed);
            // To the last round without rematches, and beyond it.
            let plan = plan(Format::Swiss { rounds: count as u32 + 1 }, 2, 2, &secret);
            let mut blocks = Blocks::new();
            run(&plan, &entries(count), &mut blocks, seed, &dice(seed));
            let rounds = rounds(&blocks);
            assert_eq!(rounds.len(), count + 1);
            let mut met: BTreeMap<[usize; 2], u32> = BTreeMap::new();
            let mut byes = vec![0; count];
            for (number, round) in rounds.iter().enumerate() {
                let mut seated: Vec<usize> = round.iter().flat_map(|block| block.agents.clone()).collect();
                seated.sort_unstable();
                assert_eq!(seated, (0..count).collect::<Vec<_>>(), "everybody, once");
                assert_eq!(round[0].first_pair, 2 * number as u64);

                let fewest = *byes.iter().min().unwrap();
                let may: Vec<usize> = (0..count).filter(|own| byes[*own] == fewest).collect();
                // While not everybody has met everybody, as few rematches as any pairing has.
                if met.len() < count * (count - 1) / 2 && met.values().all(|times| *times < 2) {
                    let again = |a: usize, b: usize| met.contains_key(&[a.min(b), a.max(b)]);
                    let rematches =
                        round.iter().filter(|block| block.agents.len() == 2 && again(block.agents[0], block.agents[1]));
                    let all: Vec<usize> = (0..count).collect();
                    assert_eq!(
                        rematches.count(),
                        fewest_rematches(&all, &may, &again),
                        "{count} agents, round {number}"
                    );
                }
                for block in round {
                    match block.agents[..] {
                        [a, b] => *met.entry([a.min(b), a.max(b)]).or_default() += 1,
                        [a] => {
                            assert!(may.contains(&a) && block.is_bye());
                            byes[a] += 1;
                        }
                        _ => panic!("two seats"),
                    }
                }
            }
            assert!(byes.iter().max().unwrap() - byes.iter().min().unwrap() <= 1);
        }
    }
}

/// Histories that no Swiss has, such as an agent that met all but one of the others.
#[test]
fn the_bye_goes_where_it_spares_rematches() {
    let secret = TournamentSecret::from_seed(1);
    let mut moved = 0;
    for seed in 0..300 {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let count = 5 + 2 * (seed as usize % 2);
        let mut met = BTreeSet::new();
        let mut byes = vec![0; count];
        let mut blocks = Blocks::new();
        for pairing in (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b])) {
            if dice.next_u64().is_multiple_of(2) {
                met.insert(pairing);
                let block = Block { agents: pairing.to_vec(), first_pair: blocks.len() as u64, pairs: 1 };
                blocks.push((block, Some(scored(dice.next_u64() as u32 % 3))));
            }
        }
        for agent in (0..count).filter(|agent| (seed >> agent).is_multiple_of(2)) {
            byes[agent] += 1;
            blocks.push((Block { agents: vec![agent], first_pair: blocks.len() as u64, pairs: 0 }, None));
        }
        let plan = plan(Format::Swiss { rounds: 100 }, 2, 1, &secret);
        let Next::Play(round) = next(&plan, &entries(count), &blocks) else { panic!("a round") };

        let all: Vec<usize> = (0..count).collect();
        let again = |a: usize, b: usize| met.contains(&[a.min(b), a.max(b)]);
        let fewest = *byes.iter().min().unwrap();
        let order = table(&plan, &entries(count), &blocks).into_iter().map(|row| row.entry);
        let may: Vec<usize> = order.filter(|agent| byes[*agent] == fewest).collect();
        let least = fewest_rematches(&all, &may, &again);
        let last = may.iter().rev().find(|agent| fewest_rematches(&all, &[**agent], &again) == least).unwrap();
        assert_eq!(round.last().unwrap().agents, [*last]);
        let rematches = round.iter().filter(|block| !block.is_bye() && again(block.agents[0], block.agents[1]));
        assert_eq!(rematches.count(), least);
        moved += usize::from(Some(last) != may.last());
    }
    assert!(moved > 10, "{moved}");
}

/// A block of one pair in which the first agent takes both matches, or one, or none.
fn scored(wins: u32) -> Scored {
    let rank = |wins: bool| if wins { [1, 2] } else { [2, 1] };
    let mut scored = Scored::new(2);
    scored.add_pair(&[&rank(wins > 0), &rank(wins < 2)]);
    scored
}

#[test]
fn equal_points_meet_and_ties_are_broken_as_promised() {
    let secret = TournamentSecret::from_seed(1);
    let plan = plan(Format::Swiss { rounds: 3 }, 2, 1, &secret);
    let block = |a, b, first_pair| Block { agents: vec![a, b], first_pair, pairs: 1 };
    let bye = |a, first_pair| Block { agents: vec![a], first_pair, pairs: 0 };
    // Round 1: 0 beats 1, 2 beats 3, 4 sits out. Round 2: 4 beats 0, 2 and 1 tie, 3 sits out.
    let mut blocks = vec![
        (block(0, 1, 0), Some(scored(2))),
        (block(2, 3, 0), Some(scored(2))),
        (bye(4, 0), None),
        (block(0, 4, 1), Some(scored(0))),
        (block(2, 1, 1), Some(scored(1))),
        (bye(3, 1), None),
    ];
    // Half points: 4 has 4, 2 has 3, 0 has 2, 3 has 2, 1 has 1. Buchholz: 0 met 1 and 4: 5; 3 met 2: 3.
    let rows: Vec<_> =
        table(&plan, &entries(5), &blocks).iter().map(|r| (r.entry, r.half_points, r.buchholz, r.byes)).collect();
    assert_eq!(rows, [(4, 4, 2, 1), (2, 3, 3, 0), (0, 2, 5, 0), (3, 2, 3, 1), (1, 1, 5, 0)]);
    // Last without a bye: 1. Then 4 meets 2 and 0 meets 3.
    let Next::Play(third) = next(&plan, &entries(5), &blocks) else { panic!("a third round") };
    assert_eq!(third, [block(4, 2, 2), block(0, 3, 2), bye(1, 2)]);
    blocks.extend(third.into_iter().map(|block| (block, None)));
    assert_eq!(next(&plan, &entries(5), &blocks), Next::Wait);
    for (_, open) in &mut blocks {
        open.get_or_insert(scored(1));
    }
    assert_eq!(next(&plan, &entries(5), &blocks), Next::Finished);
}

#[test]
fn the_order_in_which_blocks_finish_changes_nothing() {
    let secret = TournamentSecret::from_seed(2);
    let plan = plan(Format::Swiss { rounds: 5 }, 2, 3, &secret);
    let all = |order| {
        let mut blocks = Blocks::new();
        run(&plan, &entries(11), &mut blocks, order, &dice(4));
        blocks
    };
    let first = all(0);
    assert_eq!(first.len(), 5 * 6);
    for order in 1..20 {
        assert_eq!(all(order), first);
    }
}

#[test]
fn the_first_round_is_drawn_from_the_secret() {
    let first = |seed| {
        let secret = TournamentSecret::from_seed(seed);
        let Next::Play(blocks) = next(&plan(Format::Swiss { rounds: 1 }, 2, 1, &secret), &entries(6), &Blocks::new())
        else {
            panic!("a first round")
        };
        blocks.into_iter().map(|block| block.agents).collect::<Vec<_>>()
    };
    // `TournamentSecret::from_seed(1).draw(0, 6)` is 2 0 5 1 4 3 (docs/dice.md).
    assert_eq!(first(1), [[2, 0], [5, 1], [4, 3]]);
    assert_ne!(first(1), first(2));
}

#[test]
fn the_leader_can_leave_and_others_can_come_between_rounds() {
    let secret = TournamentSecret::from_seed(3);
    let halfway = plan(Format::Swiss { rounds: 2 }, 2, 5, &secret);
    let mut entries = entries(6);
    let mut blocks = Blocks::new();
    run(&halfway, &entries, &mut blocks, 0, &dice(1));
    let leader = table(&halfway, &entries, &blocks)[0];
    assert_eq!((blocks.len(), leader.half_points), (6, 4));
    entries[leader.entry].withdrawn = true;
    entries.push(Entry { withdrawn: false, fresh_from: 13 });
    entries.push(Entry { withdrawn: false, fresh_from: 10 });
    let full = plan(Format::Swiss { rounds: 4 }, 2, 5, &secret);
    run(&full, &entries, &mut blocks, 0, &dice(1));
    let rounds = rounds(&blocks);
    assert_eq!(rounds.iter().map(|round| round[0].first_pair).collect::<Vec<_>>(), [0, 5, 13, 18]);
    for round in &rounds[2..] {
        let mut seated: Vec<usize> = round.iter().flat_map(|block| block.agents.clone()).collect();
        seated.sort_unstable();
        assert_eq!(seated, (0..8).filter(|entry| *entry != leader.entry).collect::<Vec<_>>());
        assert_eq!(round.len(), 4, "seven agents: three blocks and a bye");
    }
    let rows = table(&full, &entries, &blocks);
    assert_eq!(rows.iter().find(|row| row.entry == leader.entry).unwrap().half_points, 4, "what it won stays");
}

#[test]
fn a_block_that_cannot_be_played_on_is_closed_by_forfeit() {
    let secret = TournamentSecret::from_seed(3);
    let plan = plan(Format::Swiss { rounds: 2 }, 2, 10, &secret);
    let mut entries = entries(2);
    let mut blocks: Blocks = Blocks::new();
    let Next::Play(first) = next(&plan, &entries, &blocks) else { panic!("a first round") };
    blocks.extend(first.into_iter().map(|block| (block, None)));
    entries[blocks[0].0.agents[0]].withdrawn = true;
    assert_eq!(next(&plan, &entries, &blocks), Next::Wait);
    let mut scored = Scored::new(2);
    scored.add_pair(&[&[1, 2], &[2, 1]]);
    scored.forfeit(0, 9);
    assert_eq!((scored.points(), scored.pentanomial()), (&[4, 36][..], [9, 0, 0, 0, 1]));
    blocks[0].1 = Some(scored);
    assert_eq!(next(&plan, &entries, &blocks), Next::Finished, "alone");
    entries.push(Entry::default());
    assert!(matches!(next(&plan, &entries, &blocks), Next::Play(_)));
}

#[test]
fn two_play_every_round_against_each_other() {
    let secret = TournamentSecret::from_seed(3);
    let mut blocks = Blocks::new();
    run(&plan(Format::Swiss { rounds: 3 }, 2, 4, &secret), &entries(2), &mut blocks, 0, &dice(1));
    let mut pairings = agents(&blocks);
    pairings.iter_mut().for_each(|pairing| pairing.sort_unstable());
    assert_eq!(pairings, [[0, 1], [0, 1], [0, 1]]);
    assert_eq!(blocks.iter().map(|(block, _)| block.first_pair).collect::<Vec<_>>(), [0, 4, 8]);
}

#[test]
fn no_rounds_and_one_agent_are_refused() {
    let secret = TournamentSecret::from_seed(3);
    assert_eq!(refused(&plan(Format::Swiss { rounds: 0 }, 2, 1, &secret), &entries(4)), FormatError::NoRounds);
    let message = refused(&plan(Format::Swiss { rounds: 2 }, 2, 1, &secret), &entries(1)).to_string();
    assert_eq!(message, "the format swiss at 2 seats takes at least 2 agents, and there are 1");
}
