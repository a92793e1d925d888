//! Ladder.

use arena_core::formats::{Block, Entry, Format, Next, Scored};
use arena_core::ratings::{Finish, Options, Pair, Seen, fit};
use arena_core::seeds::TournamentSecret;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::driving::{Blocks, dice, entries, next, plan, refused, run};

fn ladder(batch: u64, budget: u64) -> Format {
    Format::Ladder { batch, budget }
}

fn pairs(blocks: &Blocks) -> u64 {
    blocks.iter().map(|(block, _)| block.pairs).sum()
}

fn sorted(block: &Block) -> [usize; 2] {
    [block.agents[0].min(block.agents[1]), block.agents[0].max(block.agents[1])]
}

#[test]
fn it_stops_at_the_budget_and_never_plays_a_seed_twice() {
    let secret = TournamentSecret::from_seed(1);
    for (count, batch, budget) in [(2, 5, 23), (5, 4, 150), (9, 3, 200), (6, 50, 60)] {
        let plan = plan(ladder(batch, budget), 2, 1, &secret);
        let mut blocks = Blocks::new();
        run(&plan, &entries(count), &mut blocks, 1, &dice(9));
        assert_eq!(pairs(&blocks), budget);
        for (n, (block, _)) in blocks.iter().enumerate() {
            let same = blocks[..n].iter().filter(|(other, _)| sorted(other) == sorted(block));
            let next = same.map(|(other, _)| other.first_pair + other.pairs).max().unwrap_or(0);
            assert_eq!(block.first_pair, next);
        }
    }
}

#[test]
fn blocks_depend_on_the_finished_ones_before_them_alone() {
    let secret = TournamentSecret::from_seed(1);
    let plan = plan(ladder(4, 240), 2, 1, &secret);
    let all = |order| {
        let mut blocks = Blocks::new();
        run(&plan, &entries(7), &mut blocks, order, &dice(2));
        blocks
    };
    let first = all(0);
    for order in 1..6 {
        assert_eq!(all(order), first);
    }
    // Every step again, from the steps before it.
    let mut known = 0;
    let mut steps = 0;
    while known < first.len() {
        let Next::Play(more) = next(&plan, &entries(7), &first[..known].to_vec()) else { panic!("a step") };
        let planned: Vec<&Block> = first[known..known + more.len()].iter().map(|(block, _)| block).collect();
        assert_eq!(planned, more.iter().collect::<Vec<_>>());
        let mut busy: Vec<usize> = more.iter().flat_map(|block| block.agents.clone()).collect();
        busy.sort_unstable();
        busy.dedup();
        assert_eq!(busy.len(), 2 * more.len(), "the blocks of a step share no agents");
        known += more.len();
        steps += 1;
    }
    assert!(steps > 15, "{steps}");
}

#[test]
fn newcomers_are_placed_first_and_the_withdrawn_are_left_alone() {
    let secret = TournamentSecret::from_seed(1);
    let mut entries = entries(8);
    let mut blocks = Blocks::new();
    run(&plan(ladder(5, 300), 2, 1, &secret), &entries, &mut blocks, 1, &strengths(&[0.0; 8], 1));
    let before = blocks.len();
    for own in 0..8 {
        let mut rivals: Vec<_> = blocks.iter().map(|(block, _)| sorted(block)).filter(|p| p.contains(&own)).collect();
        rivals.sort_unstable();
        rivals.dedup();
        assert!(rivals.len() >= 3, "log2(8)");
    }
    entries[2].withdrawn = true;
    entries.push(Entry { withdrawn: false, fresh_from: 1_000 });
    run(&plan(ladder(5, 400), 2, 1, &secret), &entries, &mut blocks, 1, &strengths(&[0.0; 9], 1));
    // Eight are active: 8 meets three of them, one after another.
    let own: Vec<_> = blocks[before..].iter().map(|(block, _)| block).take(3).collect();
    assert!(own.iter().all(|block| block.agents.contains(&8)), "{own:?}");
    assert!(blocks[before..].iter().all(|(block, _)| !block.agents.contains(&2)));
    assert!(blocks.iter().all(|(block, _)| !block.agents.contains(&8) || block.first_pair >= 1_000));
}

#[test]
fn equals_do_not_take_the_budget_of_others() {
    let secret = TournamentSecret::from_seed(1);
    let plan = plan(ladder(10, 2_000), 2, 1, &secret);
    let mut blocks = Blocks::new();
    // 0 and 1 alike, 3 and 4 nearly so, 2 far from all.
    run(&plan, &entries(5), &mut blocks, 1, &strengths(&[0.0, 0.0, 300.0, 600.0, 630.0], 5));
    let of = |a, b| blocks.iter().map(|(block, _)| block).filter(|o| sorted(o) == [a, b]).map(|o| o.pairs).sum::<u64>();
    assert!(of(3, 4) > 300 && of(0, 1) > 300, "{} {}", of(0, 1), of(3, 4));
    assert!(of(1, 2) + of(0, 2) + of(2, 3) + of(2, 4) < 400);
}

#[test]
fn budgets_without_sense_are_refused() {
    let secret = TournamentSecret::from_seed(1);
    for (batch, budget) in [(0, 10), (11, 10), (0, 0)] {
        let message = refused(&plan(ladder(batch, budget), 2, 1, &secret), &entries(3)).to_string();
        let said = format!("a ladder of {budget} pairs by {batch} was asked for; a batch is 1 to all pairs, and those");
        assert!(message.starts_with(&said), "{message}");
    }
}

/// Blocks whose matches are won with the odds of these strengths, in Elo.
fn strengths(elo: &[f64], seed: u64) -> impl Fn(&Block) -> Scored {
    move |block| {
        let [a, b] = [block.agents[0], block.agents[1]];
        let p = 1.0 / (1.0 + 10f64.powf((elo[b] - elo[a]) / 400.0));
        let mut scored = Scored::new(2);
        for pair in block.first_pair..block.first_pair + block.pairs {
            let name = ((seed * 64 + a.min(b) as u64) * 64 + a.max(b) as u64) << 32 | pair;
            let mut dice = ChaCha8Rng::seed_from_u64(name);
            let mut wins = || (dice.next_u64() as f64) < p * u64::MAX as f64;
            let ranks = |first: bool| if first { [1, 2] } else { [2, 1] };
            let (first, second) = (wins(), wins());
            scored.add_pair(&[&ranks(first), &ranks(!second)]);
        }
        scored
    }
}

/// How many of all two agents the fitted ratings have in the wrong order.
fn mistakes(elo: &[f64], blocks: &Blocks) -> usize {
    let finish = |agents: [usize; 2], wins: bool| Finish {
        agents: agents.to_vec(),
        ranks: if wins { vec![1, 2] } else { vec![2, 1] },
    };
    let mut all = Vec::new();
    for (block, scored) in blocks {
        let [a, b] = [block.agents[0], block.agents[1]];
        let points = scored.as_ref().unwrap().points();
        for (wins, times) in [(true, points[0] / 2), (false, points[1] / 2)] {
            // Half of the matches from each seat.
            for (finish, times) in [(finish([a, b], wins), times - times / 2), (finish([b, a], !wins), times / 2)] {
                all.push(Pair { finishes: vec![finish], seen: Seen::Times(times) });
            }
        }
    }
    let ratings: Vec<f64> = fit(elo.len(), &all, &Options::default()).unwrap().ratings().map(|r| r.elo).collect();
    let wrong = |a: usize, b: usize| (elo[a] < elo[b]) != (ratings[a] < ratings[b]);
    (0..elo.len()).map(|a| (a + 1..elo.len()).filter(|b| wrong(a, *b)).count()).sum()
}

/// Ten agents in clusters, shuffled, and ten at even distances.
const FIELDS: [[f64; 10]; 2] = [
    [140.0, 0.0, 340.0, 220.0, 20.0, 360.0, 120.0, 240.0, 40.0, 260.0],
    [160.0, 0.0, 320.0, 200.0, 40.0, 360.0, 120.0, 240.0, 80.0, 280.0],
];

/// Orders found and mean number of mistakes, over so many tournaments.
fn measure(field: &[f64], format: Format, pairs: u64, tournaments: u64) -> (u64, f64) {
    let secret = TournamentSecret::from_seed(1);
    let plan = plan(format, 2, pairs, &secret);
    let (mut found, mut wrong) = (0, 0);
    for seed in 1..=tournaments {
        let mut blocks = Blocks::new();
        run(&plan, &entries(field.len()), &mut blocks, seed, &strengths(field, seed));
        let mistakes = mistakes(field, &blocks);
        found += u64::from(mistakes == 0);
        wrong += mistakes;
    }
    (found, wrong as f64 / tournaments as f64)
}

/// `cargo test -p arena-core --test formats fewer_pairs -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn a_ladder_finds_the_order_with_fewer_pairs_than_a_round_robin() {
    let tournaments = 200;
    for field in FIELDS {
        println!("{field:?}");
        println!("| pairs | round robin: orders found | mistakes | ladder: orders found | mistakes |");
        println!("|---|---|---|---|---|");
        let mut results = Vec::new();
        for each in [25, 50, 100, 200] {
            let budget = each * 45;
            let all = measure(&field, Format::RoundRobin, each, tournaments);
            let some = measure(&field, ladder(20, budget), 1, tournaments);
            println!("| {budget} | {} | {:.2} | {} | {:.2} |", all.0, all.1, some.0, some.1);
            results.push((all, some));
        }
        // Half of the pairs, and no fewer orders found.
        for n in 1..results.len() {
            assert!(results[n - 1].1.0 >= results[n].0.0, "{results:?}");
        }
    }
}
