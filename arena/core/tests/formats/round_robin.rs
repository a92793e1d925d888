//! Round robin, gauntlet and duel.

use std::collections::BTreeMap;

use arena_core::formats::{Block, Entry, Format, FormatError, Next, Scored};
use arena_core::seeds::TournamentSecret;

use crate::driving::{Blocks, agents, dice, entries, next, plan, refused, run};

/// Appends what is planned, as finished where results do not matter.
fn grow(format: Format, seats: usize, pairs: u64, entries: &[Entry], blocks: &mut Blocks) {
    let secret = TournamentSecret::from_seed(3);
    let plan = plan(format, seats, pairs, &secret);
    while let Next::Play(more) = next(&plan, entries, blocks) {
        blocks.extend(more.into_iter().map(|block| (block, None)));
    }
}

#[test]
fn every_pairing_has_one_block_however_the_entries_came() {
    for together in 2..=7 {
        let mut blocks = Blocks::new();
        for count in [together, together + 1, together + 4] {
            let before = blocks.clone();
            grow(Format::RoundRobin, 2, 10, &entries(count), &mut blocks);
            assert_eq!(blocks[..before.len()], before[..], "what was planned stays");
            let mut met: Vec<_> = agents(&blocks);
            met.iter_mut().for_each(|pairing| pairing.sort_unstable());
            met.sort();
            let all: Vec<_> = (0..count).flat_map(|a| (a + 1..count).map(move |b| vec![a, b])).collect();
            assert_eq!(met, all);
            assert!(blocks.iter().all(|(block, _)| (block.first_pair, block.pairs) == (0, 10)));
        }
    }
}

#[test]
fn the_withdrawn_are_left_out_and_late_agents_meet_fresh_seeds() {
    let mut blocks = Blocks::new();
    let mut entries = entries(3);
    grow(Format::RoundRobin, 2, 10, &entries, &mut blocks);
    entries[0].withdrawn = true;
    entries.push(Entry { withdrawn: false, fresh_from: 10 });
    entries.push(Entry { withdrawn: false, fresh_from: 7 });
    grow(Format::RoundRobin, 2, 10, &entries, &mut blocks);
    let new: Vec<_> = blocks[3..].iter().map(|(block, _)| (&block.agents[..], block.first_pair)).collect();
    assert_eq!(new, [(&[1, 3][..], 10), (&[1, 4], 7), (&[2, 3], 10), (&[2, 4], 7), (&[3, 4], 10)]);
}

#[test]
fn nothing_here_waits() {
    let secret = TournamentSecret::from_seed(3);
    let plan = plan(Format::RoundRobin, 2, 2, &secret);
    let mut late = Blocks::new();
    run(&plan, &entries(4), &mut late, 1, &dice(1));
    run(&plan, &entries(6), &mut late, 2, &dice(1));
    let mut never = Blocks::new();
    grow(Format::RoundRobin, 2, 2, &entries(4), &mut never);
    grow(Format::RoundRobin, 2, 2, &entries(6), &mut never);
    assert_eq!(agents(&late), agents(&never));
}

#[test]
fn at_more_seats_all_meet_equally_often_and_each_newcomer_meets_all_before_it_equally_often() {
    for (seats, first, more) in [(3, 4, 2), (4, 7, 3), (5, 5, 1), (3, 3, 3), (12, 12, 2), (6, 11, 1)] {
        let pairs = 3;
        let mut blocks = Blocks::new();
        grow(Format::RoundRobin, seats, pairs, &entries(first), &mut blocks);
        let mut met = meetings(&blocks, first);
        let each = met[&[0, 1]];
        assert!(met.len() == first * (first - 1) / 2 && met.values().all(|times| *times == each));
        let before = blocks.clone();
        grow(Format::RoundRobin, seats, pairs, &entries(first + more), &mut blocks);
        assert_eq!(blocks[..before.len()], before[..]);
        for newcomer in first..first + more {
            // The blocks with it in which nobody came later.
            let own: Blocks =
                blocks.iter().filter(|(block, _)| block.agents.iter().max() == Some(&newcomer)).cloned().collect();
            met = meetings(&own, newcomer + 1);
            // A table holds `seats - 1` others; a round has one for each other, or a single one.
            let a_round = if newcomer == seats - 1 { 1 } else { seats as u64 - 1 };
            for other in 0..newcomer {
                assert_eq!(met[&[other, newcomer]], pairs * a_round, "{seats} seats: {other} and {newcomer}");
            }
            assert!(own.iter().all(|(block, _)| block.agents.contains(&newcomer)));
        }
        for (block, _) in &blocks {
            let mut seated = block.agents.clone();
            seated.sort_unstable();
            seated.dedup();
            assert_eq!((seated.len(), block.pairs), (seats, 1));
        }
    }
}

fn meetings(blocks: &Blocks, agents: usize) -> BTreeMap<[usize; 2], u64> {
    let mut met = BTreeMap::new();
    for (block, _) in blocks {
        for a in 0..agents {
            for b in a + 1..agents {
                if block.agents.contains(&a) && block.agents.contains(&b) {
                    *met.entry([a, b]).or_default() += block.pairs;
                }
            }
        }
    }
    met
}

#[test]
fn newcomers_share_a_table_where_too_few_others_are_left() {
    let mut blocks = Blocks::new();
    let mut entries = entries(4);
    grow(Format::RoundRobin, 4, 2, &entries, &mut blocks);
    assert_eq!(blocks.len(), 2, "four at four seats: one table a round");
    entries[0].withdrawn = true;
    entries[1].withdrawn = true;
    entries.push(Entry::default());
    let before = blocks.len();
    grow(Format::RoundRobin, 4, 2, &entries, &mut blocks);
    assert_eq!(blocks.len(), before, "three agents do not fill a table");
    entries.push(Entry { withdrawn: false, fresh_from: 9 });
    grow(Format::RoundRobin, 4, 2, &entries, &mut blocks);
    let new: Vec<_> = blocks[before..].iter().map(|(block, _)| (block.first_pair, sorted(&block.agents))).collect();
    assert_eq!(new, [(9, vec![2, 3, 4, 5]), (10, vec![2, 3, 4, 5])]);
}

fn sorted(agents: &[usize]) -> Vec<usize> {
    let mut agents = agents.to_vec();
    agents.sort_unstable();
    agents
}

#[test]
fn agents_alone_all_play_the_same_seeds() {
    let mut blocks = Blocks::new();
    let mut entries = entries(2);
    grow(Format::RoundRobin, 1, 5, &entries, &mut blocks);
    entries.push(Entry::default());
    grow(Format::RoundRobin, 1, 5, &entries, &mut blocks);
    let all =
        |blocks: &Blocks| -> Vec<_> { blocks.iter().map(|(b, _)| (b.agents[0], b.first_pair, b.pairs)).collect() };
    assert_eq!(all(&blocks), [(0, 0, 5), (1, 0, 5), (2, 0, 5)]);
    // One that may not play those is compared with the others on seeds that nobody has seen.
    entries[1].withdrawn = true;
    entries.push(Entry { withdrawn: false, fresh_from: 5 });
    grow(Format::RoundRobin, 1, 5, &entries, &mut blocks);
    assert_eq!(all(&blocks)[3..], [(0, 5, 5), (2, 5, 5), (3, 5, 5)]);
    // Nobody plays a seed again, even if only some had been shown, and none when the last one leaves.
    entries[3].withdrawn = true;
    entries.push(Entry { withdrawn: false, fresh_from: 3 });
    grow(Format::RoundRobin, 1, 5, &entries, &mut blocks);
    entries.push(Entry { withdrawn: false, fresh_from: 7 });
    grow(Format::RoundRobin, 1, 5, &entries, &mut blocks);
    assert_eq!(all(&blocks)[6..], [(4, 5, 5), (0, 10, 5), (2, 10, 5), (4, 10, 5), (5, 10, 5)]);
}

#[test]
fn a_gauntlet_is_the_first_against_each_other() {
    let mut blocks = Blocks::new();
    let mut entries = entries(3);
    grow(Format::Gauntlet, 2, 4, &entries, &mut blocks);
    entries.push(Entry { withdrawn: false, fresh_from: 4 });
    entries[1].withdrawn = true;
    grow(Format::Gauntlet, 2, 4, &entries, &mut blocks);
    assert_eq!(agents(&blocks), [[0, 1], [0, 2], [0, 3]]);
    assert_eq!(blocks[2].0.first_pair, 4);
    entries[0].withdrawn = true;
    entries.push(Entry::default());
    let before = blocks.len();
    grow(Format::Gauntlet, 2, 4, &entries, &mut blocks);
    assert_eq!(blocks.len(), before);
    let secret = TournamentSecret::from_seed(3);
    assert_eq!(refused(&plan(Format::Gauntlet, 2, 4, &secret), &entries), FormatError::NoRunner);
}

#[test]
fn a_duel_is_one_block_of_two() {
    let secret = TournamentSecret::from_seed(3);
    let duel = plan(Format::Duel, 2, 100, &secret);
    let mut blocks = Blocks::new();
    run(&duel, &entries(2), &mut blocks, 1, &dice(1));
    let only = Block { agents: vec![0, 1], first_pair: 0, pairs: 100 };
    assert_eq!(blocks.iter().map(|(block, _)| block).collect::<Vec<_>>(), [&only]);
    assert_eq!(refused(&duel, &entries(3)).to_string(), "a duel takes exactly 2 agents, and there are 3");
    let mut entries = entries(3);
    entries[0].withdrawn = true;
    let late = duel.next_blocks(&entries, &blocks).unwrap_err();
    assert_eq!(late.to_string(), "the duel had begun before agent 3 came; allowed are those that it began with");
    entries[2].withdrawn = true;
    assert_eq!(next(&duel, &entries, &blocks), Next::Finished);
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let secret = TournamentSecret::from_seed(3);
    let message =
        |format, seats, pairs, count| refused(&plan(format, seats, pairs, &secret), &entries(count)).to_string();
    assert_eq!(
        message(Format::Gauntlet, 3, 1, 4),
        "the format gauntlet takes 2 seats, and 3 were given; any number of seats takes round-robin"
    );
    assert_eq!(
        message(Format::RoundRobin, 4, 1, 3),
        "the format round-robin at 4 seats takes at least 4 agents, and there are 3"
    );
    assert_eq!(message(Format::RoundRobin, 2, 0, 3), "a block of 0 pairs was asked for; allowed are 1 to 4294967296");
    assert_eq!(message(Format::RoundRobin, 0, 1, 3), "a table takes at least one seat");
    let plan = plan(Format::RoundRobin, 2, 1, &secret);
    let bad = |agents: Vec<usize>, scored| {
        plan.next_blocks(&entries(3), &[(Block { agents, first_pair: 0, pairs: 1 }, scored)]).unwrap_err().to_string()
    };
    assert_eq!(bad(vec![0, 3], None), "block 1 has an agent that was not entered");
    assert_eq!(bad(vec![1, 1], None), "block 1 seats an agent twice");
    assert_eq!(bad(vec![0], None), "block 1 has not as many agents as there are seats");
    assert_eq!(bad(vec![0, 1], Some(Scored::new(3))), "block 1 has results of another number of seats");
}
