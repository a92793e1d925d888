//! Swiss: a round at a time, each agent against one of about its own score.
//!
//! Owns points, byes, tie-breaks and the pairing of a round. Refuses to pair before a round is
//! finished.

use serde::Serialize;

use super::matching::{self, cost};
use super::{Block, Next, View};

/// Half points for a block won, and for a bye; one tied counts half of it.
const WIN: u64 = 2;

/// One agent's place in a Swiss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SwissRow {
    /// The index of the entry.
    #[serde(skip)]
    pub entry: usize,
    /// Half points: 2 for every block won (more points in it than the rival) and for every bye, 1
    /// for every block tied.
    pub half_points: u64,
    /// The half points of all rivals of finished blocks, summed; a rival met twice counts twice, a
    /// bye nothing.
    pub buchholz: u64,
    /// Byes had.
    pub byes: u32,
}

/// All entries, by points, then Buchholz, then order of entry. Counts finished blocks only.
pub(super) fn table(view: &View<'_>) -> Vec<SwissRow> {
    let mut rows: Vec<SwissRow> =
        (0..view.entries.len()).map(|entry| SwissRow { entry, half_points: 0, buchholz: 0, byes: 0 }).collect();
    let mut rivals = Vec::new();
    for (block, scored) in view.blocks {
        match (&block.agents[..], scored) {
            ([agent], _) => {
                rows[*agent].half_points += WIN;
                rows[*agent].byes += 1;
            }
            ([a, b], Some(scored)) => {
                let [own, other] = [scored.points()[0], scored.points()[1]];
                rows[*a].half_points += if own == other { WIN / 2 } else { WIN * u64::from(own > other) };
                rows[*b].half_points += if own == other { WIN / 2 } else { WIN * u64::from(own < other) };
                rivals.extend([(*a, *b), (*b, *a)]);
            }
            _ => {}
        }
    }
    for (own, rival) in rivals {
        rows[own].buchholz += rows[rival].half_points;
    }
    rows.sort_by_key(|row| (std::cmp::Reverse((row.half_points, row.buchholz)), row.entry));
    rows
}

pub(super) fn next(view: &View<'_>, rounds: u32) -> Next {
    if view.is_open() {
        return Next::Wait;
    }
    let played = view.blocks.chunk_by(|(a, _), (b, _)| a.first_pair == b.first_pair).count();
    let mut order = view.active();
    if played >= rounds as usize || order.len() < 2 {
        return Next::Finished;
    }
    let first_pair = view.next_first_pair(&order);
    let rows = table(view);
    if played == 0 {
        let drawn = view.plan.secret.draw(first_pair, view.entries.len());
        order = drawn.into_iter().filter(|entry| !view.entries[*entry].withdrawn).collect();
    } else {
        order = rows.iter().map(|row| row.entry).filter(|entry| !view.entries[*entry].withdrawn).collect();
    }
    let mut met = vec![vec![0; view.entries.len()]; view.entries.len()];
    for (block, _) in view.blocks {
        if let [a, b] = block.agents[..] {
            met[a][b] += 1;
            met[b][a] += 1;
        }
    }
    let among = |order: &[usize]| -> Vec<Vec<u32>> {
        order.iter().map(|own| order.iter().map(|other| met[*own][*other]).collect()).collect()
    };
    let bye = (order.len() % 2 == 1).then(|| {
        let mut byes = vec![0; view.entries.len()];
        rows.iter().for_each(|row| byes[row.entry] = row.byes);
        order.remove(place_of_bye(&order, &byes, &among))
    });
    let pairs = matching::pairing(&among(&order)).into_iter();
    let tables = pairs.map(|[a, b]| Block { agents: vec![order[a], order[b]], first_pair, pairs: view.plan.pairs });
    let bye = bye.map(|agent| Block { agents: vec![agent], first_pair, pairs: 0 });
    Next::Play(tables.chain(bye).collect())
}

/// Who gets the bye: among those who had fewest, one that spares the others rematches; of those the
/// last.
fn place_of_bye(order: &[usize], byes: &[u32], among: &dyn Fn(&[usize]) -> Vec<Vec<u32>>) -> usize {
    let fewest = order.iter().map(|entry| byes[*entry]).min();
    let mut best = None;
    for place in (0..order.len()).rev().filter(|place| Some(byes[order[*place]]) == fewest) {
        let mut others = order.to_vec();
        others.remove(place);
        let own = cost(&among(&others));
        if best.is_none_or(|(least, _)| own < least) {
            best = Some((own, place));
        }
        if own == (0, 0) {
            break;
        }
    }
    best.map_or(order.len() - 1, |(_, place)| place)
}
