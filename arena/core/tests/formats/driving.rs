//! Runs a plan as a tournament would: blocks finish in any order, and only finished ones show.

use arena_core::formats::{Block, Entry, Format, FormatError, Next, Plan, Scored};
use arena_core::seeds::TournamentSecret;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

pub(crate) type Blocks = Vec<(Block, Option<Scored>)>;

/// How a block ends: by its agents and pairs alone, whenever it is played.
pub(crate) type Play<'a> = &'a dyn Fn(&Block) -> Scored;

pub(crate) fn entries(count: usize) -> Vec<Entry> {
    vec![Entry::default(); count]
}

pub(crate) fn plan(format: Format, seats: usize, pairs: u64, secret: &TournamentSecret) -> Plan<'_> {
    Plan { format, seats, pairs, secret }
}

pub(crate) fn next(plan: &Plan<'_>, entries: &[Entry], blocks: &Blocks) -> Next {
    plan.next_blocks(entries, blocks).unwrap()
}

pub(crate) fn refused(plan: &Plan<'_>, entries: &[Entry]) -> FormatError {
    plan.next_blocks(entries, &[]).unwrap_err()
}

/// Asks and plays until nothing is left to do, blocks finishing in an order drawn from `order`;
/// asks again after every one.
pub(crate) fn run(plan: &Plan<'_>, entries: &[Entry], blocks: &mut Blocks, order: u64, play: Play<'_>) {
    let mut order = ChaCha8Rng::seed_from_u64(order);
    loop {
        match next(plan, entries, blocks) {
            Next::Play(more) => {
                assert!(!more.is_empty());
                blocks.extend(more.into_iter().map(|block| (block, None)));
                continue;
            }
            Next::Wait => assert!(open(blocks).next().is_some(), "waits for nothing"),
            Next::Finished => {
                if open(blocks).next().is_none() {
                    return;
                }
            }
        }
        let open: Vec<usize> = open(blocks).collect();
        let chosen = open[order.next_u64() as usize % open.len()];
        blocks[chosen].1 = Some(play(&blocks[chosen].0));
    }
}

fn open(blocks: &Blocks) -> impl Iterator<Item = usize> + '_ {
    blocks.iter().enumerate().filter(|(_, (block, scored))| !block.is_bye() && scored.is_none()).map(|(n, _)| n)
}

/// Results of two seats drawn at random from what names the block, with some ties.
pub(crate) fn dice(seed: u64) -> impl Fn(&Block) -> Scored {
    move |block| {
        let name =
            block.agents.iter().fold(block.first_pair + seed * 1_000_003, |name, agent| name * 31 + *agent as u64);
        let mut dice = ChaCha8Rng::seed_from_u64(name);
        let mut scored = Scored::new(2);
        for _ in 0..block.pairs {
            let mut ranks = || [[1, 2], [2, 1], [1, 1]][dice.next_u64() as usize % 3];
            scored.add_pair(&[&ranks(), &ranks()]);
        }
        scored
    }
}

pub(crate) fn agents(blocks: &Blocks) -> Vec<Vec<usize>> {
    blocks.iter().map(|(block, _)| block.agents.clone()).collect()
}
