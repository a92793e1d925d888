//! Tournaments of native agents: a schedule, the referee, standings.

use std::sync::Arc;

use arena_core::schedule::Schedule;
use arena_core::seeds::TournamentSecret;
use arena_core::standings::{Outcome, Row, Tally};
use arena_core::{Contestant, FaultKind, Referee, What};
use farkle::presets::PLAY_TABLE;
use farkle::{EndingRule, Ruleset, ScoreTable};

use crate::scripted::{Native, bank_at, banker, fault, limits, play};

/// Plays all of it on so many threads, each of which takes every so-manieth encounter.
fn outcomes(rules: &Ruleset, schedule: &Schedule, agents: &[Native], threads: u64) -> Vec<(u64, Vec<Outcome>)> {
    let table = Arc::new(ScoreTable::new(rules));
    let secret = TournamentSecret::from_seed(11);
    let play_some = |first: u64| {
        let mut referee = Referee::new(table.clone(), schedule.seats(), limits(1_000)).unwrap();
        let indices = (first..schedule.encounters()).step_by(threads as usize);
        let played = indices.map(|index| {
            let encounter = schedule.encounter(index).unwrap();
            let matches = encounter.matches().map(|(_, seats)| {
                let contestants: Vec<_> = seats.iter().map(|agent| &agents[*agent] as &dyn Contestant).collect();
                let played = referee.play(secret.match_seed(encounter.pair), &contestants).unwrap();
                Outcome::new(seats, &played.result, &referee.events())
            });
            let matches = matches.collect();
            (index, encounter.pair, matches)
        });
        played.collect::<Vec<_>>()
    };
    let mut all: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|first| scope.spawn(move || play_some(first))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    all.sort_by_key(|(index, ..)| *index);
    all.into_iter().map(|(_, pair, matches)| (pair, matches)).collect()
}

fn rows(rules: &Ruleset, seats: usize, pairs: u64, agents: &[Native], threads: u64) -> Vec<Row> {
    let schedule = Schedule::new(agents.len(), seats, pairs, &TournamentSecret::from_seed(11)).unwrap();
    let mut tally = Tally::new(agents.len());
    for (pair, outcomes) in outcomes(rules, &schedule, agents, threads) {
        tally.add_pair(pair, &outcomes);
    }
    tally.standings().unwrap().standings
}

/// Six agents at tables of four. Banking at 300 beats banking at once, and far beats 5,000.
#[test]
fn four_seats() {
    let agents = [banker(1, 50), banker(2, 300), banker(3, 5_000), banker(4, 350), banker(5, 100), banker(6, 3_000)];
    let standings = rows(&PLAY_TABLE, 4, 12, &agents, 1);
    // 15 tables a seed, each agent at 10 of them, in 4 rotations.
    assert!(standings.iter().all(|row| row.matches == 12 * 10 * 4 && row.solo.is_none()), "{standings:?}");
    let order: Vec<_> = standings.iter().map(|row| row.agent).collect();
    assert!(order[..2].contains(&1) && order[..2].contains(&3), "{order:?}");
    assert_eq!(order[5], 2);
    let scores: f64 = standings.iter().map(|row| row.score).sum();
    assert!((scores - 3.0).abs() < 1e-5, "shares of opponents outranked have the mean one half");
    // Every match has one winner, or several that share the win.
    let matches = 12 * 15 * 4;
    let (wins, draws) = (sum(&standings, |row| row.wins), sum(&standings, |row| row.draws));
    assert!(wins <= matches && wins + draws / 2 >= matches, "{wins} {draws}");
    assert_eq!(standings, rows(&PLAY_TABLE, 4, 12, &agents, 3));
}

fn sum(rows: &[Row], figure: impl Fn(&Row) -> u64) -> u64 {
    rows.iter().map(figure).sum()
}

fn ten_turns() -> Ruleset {
    Ruleset {
        name: "ten-turns".into(),
        opening: 500,
        ending: EndingRule::Turns,
        target: 0,
        turns: 10,
        min_seats: 1,
        max_seats: 1,
        ..PLAY_TABLE
    }
}

#[test]
fn alone_on_the_same_seeds() {
    let traps =
        Native::new(
            4,
            |seat, turn| {
                if turn.turns == 3 { Err(fault(FaultKind::Trap)) } else { Ok(bank_at(300, seat, turn)) }
            },
        );
    let agents = [banker(1, 3_000), banker(2, 400), banker(3, 400), traps];
    let standings = rows(&ten_turns(), 1, 60, &agents, 1);
    let order: Vec<_> = standings.iter().map(|row| row.agent).collect();
    assert_eq!(order, [1, 2, 0, 3], "the higher mean total first, equal ones as given");
    assert!(standings.iter().all(|row| row.matches == 60));

    // Two that decide alike meet the same dice: all totals are equal, and so are they.
    let solo: Vec<_> = standings.iter().map(|row| row.solo.clone().unwrap()).collect();
    assert_eq!(solo[0], solo[1]);
    assert_eq!((standings[0].elo, standings[0].los_next), (standings[1].elo, Some(0.5)));
    assert_eq!(standings[0].wins, 0, "they share every first rank");
    assert!(solo[0].total_low.unwrap() < solo[0].total_mean && solo[0].total_mean < solo[0].total_high.unwrap());

    // Who always faults ranks below all others on every seed.
    assert_eq!((standings[3].score, standings[3].losses), (0.0, 60));
    assert_eq!(standings[3].faults[&FaultKind::Trap], 60);
    assert_eq!(solo[3].total_mean, 0.0);

    // By the events of its matches: total, best and worst turn, share of farkles.
    let (mut totals, mut best, mut worst, mut farkles) = (0, 0, i32::MAX, 0);
    for pair in 0..60 {
        let (played, events) = play(&ten_turns(), TournamentSecret::from_seed(11).match_seed(pair), &[&agents[0]]);
        totals += played.result.scores[0];
        for event in &events {
            match event.what {
                What::Banked { keep, .. } => (best, worst) = (best.max(keep.at_risk), worst.min(keep.at_risk)),
                What::Farkled { lost, .. } => (farkles, worst) = (farkles + 1, worst.min(-lost)),
                _ => {}
            }
        }
    }
    let third = &solo[2];
    assert!((third.total_mean - f64::from(totals) / 60.0).abs() < 0.01);
    assert_eq!((third.best_turn, third.worst_turn), (Some(best), Some(worst)));
    assert!((third.farkle_rate - f64::from(farkles) / 600.0).abs() < 1e-6);
    assert_eq!(standings, rows(&ten_turns(), 1, 60, &agents, 4));
}

/// Ten seats with a shared win, found by search; played again, it is the same match.
#[test]
fn ten_seats_with_a_shared_win() {
    let seats: Vec<Native> = (0..10).map(|seat| banker(seat, 300 + 50 * i32::from(seat))).collect();
    let seats: Vec<&Native> = seats.iter().collect();
    let winners = |seed| play(&PLAY_TABLE, seed, &seats).0.result.ranks.iter().filter(|rank| **rank == 1).count();
    assert_eq!((0..1_000).find(|seed| winners(*seed) > 1), Some(61));
    let (played, events) = play(&PLAY_TABLE, 61, &seats);
    let result = &played.result;
    let best = *result.scores.iter().max().unwrap();
    let shared: Vec<usize> = (0..10).filter(|seat| result.scores[*seat] == best).collect();
    assert!(shared.len() > 1 && shared.iter().all(|seat| result.ranks[*seat] == 1));
    assert!(!result.ranks.contains(&2), "ranks after a shared one are skipped: {:?}", result.ranks);
    assert_eq!((played, events), play(&PLAY_TABLE, 61, &seats));
}
