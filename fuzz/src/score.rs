//! The chart and the table of a ruleset against the slow scorer.
//!
//! Owns the comparison of points, readings, keeps and farkles, for rolls and selections that the input
//! names.

use arbitrary::{Result, Unstructured};
use farkle::{Chart, Faces, IllegalKeep, NotScoring, ScoreTable};

use crate::drawn;
use crate::slow_keeps::{SlowKeeps, parts, size};
use crate::slow_scorer::{Counts, Piece, faces};

/// Rolls that one input may name.
const ROLLS: usize = 16;

/// Bytes that a ruleset and a roll take at least; shorter inputs would all be the same rules.
const FEWEST: usize = 8;

/// A ruleset, and rolls under it.
pub fn score(data: &[u8]) {
    if data.len() < FEWEST {
        return;
    }
    // Bytes that end too soon, or name no possible ruleset, are no finding.
    let _ = try_score(&mut Unstructured::new(data));
}

fn try_score(u: &mut Unstructured<'_>) -> Result<()> {
    let rules = drawn::ruleset(u)?;
    let keeps = SlowKeeps::new(&rules);
    let table = ScoreTable::new(&rules);
    let chart = Chart::new(&rules);
    let mut followed = Chart::new(&farkle::presets::FIVE_DICE);
    followed.follow(&rules);
    for _ in 0..ROLLS {
        if u.is_empty() {
            break;
        }
        let roll = dice(u)?;
        compare_selection(&chart, &keeps, roll);
        assert_eq!(followed.points(faces(roll)), chart.points(faces(roll)));
        if size(roll) <= rules.dice {
            compare_roll(&chart, &table, &keeps, roll);
            let keep = dice(u)?;
            compare_check(&table, &keeps, roll, keep);
        }
    }
    Ok(())
}

/// Up to six dice.
fn dice(u: &mut Unstructured<'_>) -> Result<Counts> {
    let mut counts = [0; 6];
    let number: u32 = u.arbitrary()?;
    // Half of all draws are of six dice.
    let dice = if number & 1 == 0 { 6 } else { (number >> 1) % 6 + 1 };
    let mut rest = number >> 4;
    for _ in 0..dice {
        counts[(rest % 6) as usize] += 1;
        rest /= 6;
    }
    Ok(counts)
}

fn compare_selection(chart: &Chart, keeps: &SlowKeeps, selection: Counts) {
    let slow = keeps.slow();
    let dice = faces(selection);
    let context = || format!("{dice} under {:?}", slow.rules);
    let expected = slow.score(selection);
    assert_eq!(chart.points(dice), expected.as_ref().map(|score| score.points), "{}", context());
    match (chart.reading(dice), expected) {
        (Ok(groups), Some(score)) => {
            let combinations: Vec<_> = groups.iter().map(|group| group.combination).collect();
            assert_eq!(combinations, score.combinations, "{}", context());
            let mut covered = [0; 6];
            for group in groups {
                let dice = group.dice.counts();
                let piece = Piece { combination: group.combination, dice, points: group.points };
                assert!(slow.has_piece(piece), "{piece:?} of {}", context());
                covered = std::array::from_fn(|face| covered[face] + dice[face]);
            }
            assert_eq!(covered, selection, "{}", context());
        }
        (Err(why), None) => match why {
            NotScoring::Empty => assert_eq!(size(selection), 0, "{}", context()),
            NotScoring::TooManyDice { .. } => assert!(size(selection) > slow.rules.dice, "{}", context()),
            NotScoring::ToxicTwos => assert!(slow.is_toxic(selection), "{}", context()),
            NotScoring::DeadDice { dead } => {
                // As many dice as possible are counted in: the rest is as small as it can be.
                let counted = parts(selection).into_iter().filter(|part| keeps.points(*part).is_some());
                let most = counted.map(size).max().unwrap_or(0);
                assert_eq!(dead.len(), size(selection) - most, "{dead} of {}", context());
                assert!(dice.contains(dead), "{dead} of {}", context());
            }
            other => panic!("{other:?}: {}", context()),
        },
        (found, expected) => panic!("{found:?}, not {expected:?}: {}", context()),
    }
}

fn compare_roll(chart: &Chart, table: &ScoreTable, keeps: &SlowKeeps, roll: Counts) {
    let rolled = faces(roll);
    let context = || format!("{rolled} under {:?}", keeps.rules());
    let mut expected = keeps.of(roll).to_vec();
    let mut listed: Vec<_> = chart.legal_keeps(rolled).map(|keep| (keep.dice.counts(), keep.points)).collect();
    expected.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, expected, "{}", context());
    assert_eq!(chart.is_farkle(rolled), expected.is_empty(), "{}", context());
    assert_eq!(table.is_farkle(rolled), expected.is_empty(), "{}", context());
    // Most points, then fewest dice; of equal ones either will do.
    let best = expected.iter().map(|(keep, points)| (*points, -i32::from(size(*keep)))).max();
    let found = chart.best_keep(rolled);
    assert_eq!(found.map(|keep| (keep.points, -i32::from(keep.dice.len()))), best, "{}", context());
    if let Some(keep) = found {
        assert!(expected.contains(&(keep.dice.counts(), keep.points)), "{keep:?} of {}", context());
    }
    for (keep, points) in expected {
        assert_eq!(table.check_keep(rolled, faces(keep)), Ok(points), "{}", context());
    }
}

/// A keep that may be anything.
fn compare_check(table: &ScoreTable, keeps: &SlowKeeps, roll: Counts, keep: Counts) {
    let slow = keeps.slow();
    let legal = keeps.of(roll);
    let expected = legal.iter().find(|(dice, _)| *dice == keep).map(|(_, points)| *points);
    let found = table.check_keep(faces(roll), faces(keep));
    let context = || format!("{keep:?} of {roll:?} under {:?}", slow.rules);
    assert_eq!(found.ok(), expected, "{}", context());
    let rolled_all = keep.iter().zip(roll).all(|(kept, rolled)| *kept <= rolled);
    match found {
        Ok(_) => {}
        Err(IllegalKeep::Empty) => assert_eq!(size(keep), 0, "{}", context()),
        Err(IllegalKeep::NotRolled { .. }) => assert!(!rolled_all, "{}", context()),
        Err(IllegalKeep::NotScoring { .. }) => {
            assert!(slow.score(keep).is_none() || slow.is_toxic(roll), "{}", context());
        }
        Err(IllegalKeep::LeavesScorers { most, .. }) => {
            assert!(slow.rules.keep_all, "{}", context());
            assert_eq!(Some(most), legal.first().map(|(dice, _)| size(*dice)), "{}", context());
        }
        Err(other) => panic!("{other:?}: {}", context()),
    }
    assert_eq!(table.check_keep(faces(roll), Faces::NONE), Err(IllegalKeep::Empty));
}
