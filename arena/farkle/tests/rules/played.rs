//! Playing a match by hand: turns worth exactly so much, farkles, and what came of them.

use std::sync::Arc;

use farkle::{Faces, IllegalAction, MatchState, Phase, Points, Ruleset, ScoreTable};

pub(crate) fn dice(text: &str) -> Faces {
    text.parse().unwrap()
}

pub(crate) fn table(rules: &Ruleset, seats: usize) -> MatchState {
    rules.validate().unwrap();
    MatchState::new(Arc::new(ScoreTable::new(rules)), seats, 1_000)
}

/// Rolls and keeps until exactly so many points are at risk: six 2s where they are worth 3,000,
/// else single 1s and 5s between dice that score nothing.
pub(crate) fn gather(game: &mut MatchState, points: Points) {
    let six_twos = game.table().chart().points(dice("222222")).filter(|_| !game.table().ruleset().six_wins);
    while game.at_risk() < points {
        let missing = points - game.at_risk();
        let free = match game.phase() {
            Phase::ToRoll { dice } | Phase::ToChoose { dice, .. } => dice,
            other => panic!("{other:?}"),
        };
        let (roll, keep) = match missing {
            3_000.. if free == 6 && six_twos == Some(3_000) => (dice("222222"), dice("222222")),
            100.. => (dice(&"122334"[..free.into()]), dice("1")),
            _ => (dice(&"522334"[..free.into()]), dice("5")),
        };
        assert_eq!(game.roll(roll), Ok(None));
        game.keep(keep).unwrap();
    }
    assert_eq!(game.at_risk(), points, "no multiple of 50");
}

/// A turn of the seat to move that banks so many points.
pub(crate) fn bank(game: &mut MatchState, points: Points) -> Result<Points, IllegalAction> {
    gather(game, points);
    Ok(game.bank()?.banked)
}

/// A turn that farkles at once; returns the banked total after it.
pub(crate) fn farkle(game: &mut MatchState) -> Points {
    game.roll(dice("223346")).unwrap().expect("nothing scores").banked
}

/// Turns in seat order, each banking so many points, 0 for a farkle.
pub(crate) fn turns(game: &mut MatchState, points: &[Points]) {
    for points in points {
        match points {
            0 => {
                farkle(game);
            }
            _ => {
                bank(game, *points).unwrap();
            }
        }
    }
}

/// Legal keeps of a roll as text with their points, sorted.
pub(crate) fn keeps(rules: &Ruleset, roll: &str) -> Vec<(String, Points)> {
    let table = ScoreTable::new(rules);
    let mut keeps: Vec<_> =
        table.chart().legal_keeps(dice(roll)).map(|keep| (keep.dice.to_string(), keep.points)).collect();
    keeps.sort();
    keeps
}

/// The points of a selection, `None` where it is not legal.
pub(crate) fn points(rules: &Ruleset, selection: &str) -> Option<Points> {
    rules.validate().unwrap();
    ScoreTable::new(rules).chart().points(dice(selection))
}
