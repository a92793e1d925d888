//! Knockout.

use arena_core::formats::{Block, Entry, Format, FormatError, KnockoutRow, Next, Plan, Scored, Standing};
use arena_core::seeds::TournamentSecret;

use crate::driving::{Blocks, agents, dice, entries, next, plan, refused, run};

fn table(plan: &Plan<'_>, entries: &[Entry], blocks: &Blocks) -> Vec<KnockoutRow> {
    let Standing::Knockout(rows) = plan.standing(entries, blocks).unwrap() else { panic!("a knockout") };
    rows
}

/// A block of which the agent takes everything.
fn won_by(agent: usize) -> impl Fn(&Block) -> Scored {
    move |block| {
        let mut scored = Scored::new(2);
        let seat = block.agents.iter().position(|own| *own == agent);
        scored.forfeit(seat.map_or(1, |seat| 1 - seat), block.pairs);
        scored
    }
}

#[test]
fn every_field_has_one_winner_after_the_right_number_of_ties() {
    for count in 2..=17_usize {
        for seed in 0..8 {
            let secret = TournamentSecret::from_seed(seed);
            let plan = plan(Format::Knockout, 2, 1, &secret);
            let mut blocks = Blocks::new();
            run(&plan, &entries(count), &mut blocks, seed, &dice(seed));
            let rows = table(&plan, &entries(count), &blocks);
            assert_eq!(rows.len(), count);
            assert_eq!(rows.iter().filter(|row| row.winner).count(), 1);
            // Everybody but the winner was put out, by somebody who got further.
            let mut ties: Vec<_> = agents(&blocks).into_iter().filter(|agents| agents.len() == 2).collect();
            ties.sort();
            ties.dedup();
            assert_eq!(ties.len(), count - 1, "each tie puts one out");
            assert_eq!(blocks.iter().filter(|(block, _)| block.is_bye()).count(), count.next_power_of_two() - count);
            for row in &rows[1..] {
                let by = rows.iter().find(|other| Some(other.entry) == row.lost_to).unwrap();
                assert!(by.rounds_won > row.rounds_won && by.rank < row.rank);
                assert!(ties.contains(&vec![row.entry.min(by.entry), row.entry.max(by.entry)]));
            }
            assert_eq!((rows[0].rank, rows[0].lost_to), (1, None));
            assert_eq!(rows[0].rounds_won, count.next_power_of_two().trailing_zeros());
        }
    }
}

#[test]
fn five_by_hand() {
    let secret = TournamentSecret::from_seed(1);
    let plan = plan(Format::Knockout, 2, 10, &secret);
    let mut blocks = Blocks::new();
    // The better seed always wins.
    let better = |block: &Block| won_by(block.agents[0])(block);
    run(&plan, &entries(5), &mut blocks, 1, &better);
    let all: Vec<_> = blocks.iter().map(|(b, _)| (&b.agents[..], b.first_pair, b.pairs)).collect();
    let expected: [(&[usize], u64, u64); 7] = [
        (&[0], 0, 0),
        (&[3, 4], 0, 10),
        (&[1], 0, 0),
        (&[2], 0, 0),
        (&[0, 3], 10, 10),
        (&[1, 2], 10, 10),
        (&[0, 1], 20, 10),
    ];
    assert_eq!(all, expected);
    let rows: Vec<_> =
        table(&plan, &entries(5), &blocks).iter().map(|r| (r.entry, r.rank, r.rounds_won, r.lost_to)).collect();
    assert_eq!(rows, [(0, 1, 3, None), (1, 2, 2, Some(0)), (2, 3, 1, Some(1)), (3, 3, 1, Some(0)), (4, 5, 0, Some(3))]);
}

#[test]
fn the_order_in_which_blocks_finish_changes_nothing() {
    let secret = TournamentSecret::from_seed(2);
    let plan = plan(Format::Knockout, 2, 1, &secret);
    for seed in 0..10 {
        let all = |order| {
            let mut blocks = Blocks::new();
            run(&plan, &entries(13), &mut blocks, order, &dice(seed));
            blocks
        };
        let first = all(0);
        for order in 1..8 {
            assert_eq!(all(order), first);
        }
    }
}

#[test]
fn level_ties_play_three_further_blocks_and_then_the_better_seed_is_through() {
    let secret = TournamentSecret::from_seed(1);
    let plan = plan(Format::Knockout, 2, 1, &secret);
    let level = |_: &Block| {
        let mut scored = Scored::new(2);
        scored.add_pair(&[&[1, 1], &[1, 1]]);
        scored
    };
    let mut blocks = Blocks::new();
    run(&plan, &entries(4), &mut blocks, 1, &level);
    let mut expected: Vec<_> = [vec![0, 3], vec![1, 2]].into_iter().cycle().take(8).collect();
    expected.extend(vec![vec![0, 1]; 4]);
    assert_eq!(agents(&blocks), expected);
    let firsts: Vec<_> = blocks.iter().map(|(block, _)| block.first_pair).collect();
    assert_eq!(firsts, [0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7], "never the same dice twice");
    assert_eq!(table(&plan, &entries(4), &blocks)[0].entry, 0);

    // The last further block decides for the other.
    let last = |block: &Block| if block.first_pair == 3 { won_by(block.agents[1])(block) } else { level(block) };
    let mut blocks = Blocks::new();
    run(&plan, &entries(2), &mut blocks, 1, &last);
    assert_eq!((blocks.len(), table(&plan, &entries(2), &blocks)[0].entry), (4, 1));
}

#[test]
fn the_withdrawn_lose_their_next_tie_by_walkover() {
    let secret = TournamentSecret::from_seed(1);
    let plan = plan(Format::Knockout, 2, 2, &secret);
    let mut entries = entries(8);
    let mut blocks = Blocks::new();
    let Next::Play(first) = next(&plan, &entries, &blocks) else { panic!("a first round") };
    blocks.extend(first.into_iter().map(|block| (block, None)));
    for (block, scored) in &mut blocks {
        *scored = Some(won_by(block.agents[0])(block));
    }
    // The favourite leaves halfway, and both of the other semi-final: 0 v 3 and 1 v 2.
    for gone in [0, 1, 2] {
        entries[gone].withdrawn = true;
    }
    run(&plan, &entries, &mut blocks, 0, &dice(1));
    assert_eq!(agents(&blocks)[4..], [vec![3], vec![1], vec![3]]);
    let rows = table(&plan, &entries, &blocks);
    assert!(rows[0].winner && rows[0].entry == 3);
    assert_eq!((rows[1].entry, rows[1].lost_to), (1, Some(3)));
    // Whoever leaves after the final stays what it was.
    entries[3].withdrawn = true;
    assert_eq!(next(&plan, &entries, &blocks), Next::Finished);
    assert_eq!(table(&plan, &entries, &blocks), rows);
}

#[test]
fn who_comes_late_is_refused_by_number() {
    let secret = TournamentSecret::from_seed(1);
    let plan = plan(Format::Knockout, 2, 2, &secret);
    let mut entries = entries(3);
    let mut blocks = Blocks::new();
    let Next::Play(first) = next(&plan, &entries, &blocks) else { panic!("a first round") };
    blocks.extend(first.into_iter().map(|block| (block, None)));
    entries.push(Entry::default());
    let error = plan.next_blocks(&entries, &blocks).unwrap_err();
    assert_eq!(error, FormatError::Late { format: "knockout", entry: 3 });
    assert_eq!(error.to_string(), "the knockout had begun before agent 4 came; allowed are those that it began with");
    entries[3].withdrawn = true;
    run(&plan, &entries, &mut blocks, 0, &dice(1));
    assert_eq!(table(&plan, &entries, &blocks).len(), 3);
}

#[test]
fn a_knockout_of_one_and_foreign_blocks_are_refused() {
    let secret = TournamentSecret::from_seed(1);
    let plan = plan(Format::Knockout, 2, 2, &secret);
    let message = refused(&plan, &entries(1)).to_string();
    assert_eq!(message, "the format knockout at 2 seats takes at least 2 agents, and there are 1");
    let block = |a, b| (Block { agents: vec![a, b], first_pair: 0, pairs: 2 }, None);
    let error = plan.next_blocks(&entries(4), &[block(0, 1), block(2, 3)]).unwrap_err();
    assert_eq!(error.to_string(), "block 1 is not what this knockout plans there");
    let error = plan.next_blocks(&entries(4), &[block(0, 3), block(1, 2), block(0, 1)]).unwrap_err();
    assert!(matches!(error, FormatError::BadBlock { block: 2, .. }), "{error}");
}
