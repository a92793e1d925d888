//! The oracle against known solutions, and against a slow and obvious second one.

use std::collections::HashMap;
use std::sync::Arc;

use arena_core::oracle::{Impossible, Oracle, Position, TableError, Unsolvable};
use farkle::presets::{DUEL, ELVERSON, FIVE_DICE, IMMEDIATE_WIN, PLAY_TABLE, PLAY_TABLE_SIMPLE, POCKET, SOLO_TEN};
use farkle::{EndingRule, Faces, Kinds, MatchState, Phase, Points, Reading, Ruleset, ScoreTable};

fn solve(rules: &Ruleset) -> Oracle {
    Oracle::solve(rules, |_| ()).unwrap()
}

#[track_caller]
fn assert_close(found: f64, expected: f64, off: f64) {
    assert!((found - expected).abs() <= off, "{found:.10}, not {expected:.10}");
}

/// A match as a graph, straight from the state machine: what is to be rolled where, and where every
/// decision on every roll leads. Solved by going through all of it until nothing changes.
struct Graph {
    nodes: Vec<MatchState>,
    found: HashMap<Key, usize>,
    /// By node, then roll: its chance, and where its decisions lead.
    rolls: Vec<Vec<(f64, Vec<To>)>>,
    /// What the first seat wins.
    values: Vec<f64>,
    /// At so many points at risk nobody rolls on who may bank, hot dice aside, which are rolled up to three
    /// times that; nor does a closing seat that is ahead, while one that is not always does.
    most_at_risk: Points,
}

type Key = ([Points; 2], [u32; 2], usize, bool, Points, u8);

#[derive(Clone, Copy)]
enum To {
    Node(usize),
    Over(f64),
}

impl Graph {
    fn solve(rules: &Ruleset, most_at_risk: Points) -> Graph {
        let start = MatchState::new(Arc::new(ScoreTable::new(rules)), 2, u32::MAX);
        let mut graph = Graph { nodes: vec![], found: HashMap::new(), rolls: vec![], values: vec![], most_at_risk };
        graph.at(start);
        while graph.rolls.len() < graph.nodes.len() {
            let node = graph.nodes[graph.rolls.len()].clone();
            let (Phase::ToRoll { dice } | Phase::ToChoose { dice, .. }) = node.phase() else { unreachable!() };
            let rolls = Faces::all(dice).map(|roll| (f64::from(roll.ways()), graph.after(&node, roll))).collect();
            graph.rolls.push(rolls);
        }
        graph.values = vec![0.5; graph.nodes.len()];
        loop {
            let mut changed = 0.0f64;
            for node in (0..graph.nodes.len()).rev() {
                let value = graph.value(node);
                changed = changed.max((value - graph.values[node]).abs());
                graph.values[node] = value;
            }
            if changed < 1e-12 {
                return graph;
            }
        }
    }

    /// Where the decisions on a roll lead.
    fn after(&mut self, node: &MatchState, roll: Faces) -> Vec<To> {
        let mut rolled = node.clone();
        if rolled.roll(roll).unwrap().is_some() {
            return vec![self.at(rolled)];
        }
        let mut to = Vec::new();
        let table = Arc::clone(node.table());
        for keep in table.chart().legal_keeps(roll) {
            let mut banked = rolled.clone();
            let may_bank = banked.decide(keep.bank()).is_ok();
            if may_bank {
                to.push(self.at(banked));
            }
            let at_risk = rolled.at_risk() + keep.points;
            let enough = if keep.dice == roll { 3 } else { 1 } * self.most_at_risk;
            let own = rolled.seats()[rolled.to_move().unwrap()].banked;
            let behind = rolled.is_closing() && own + at_risk <= rolled.best_rival();
            if !may_bank || behind || !rolled.is_closing() && at_risk < enough {
                let mut on = rolled.clone();
                on.decide(keep.roll()).unwrap();
                to.push(self.at(on));
            }
        }
        to
    }

    fn at(&mut self, state: MatchState) -> To {
        if let Some(result) = state.result() {
            let first = match result.ranks[..] {
                [1, 1] => 0.5,
                [first, _] => f64::from(u8::from(first == 1)),
                _ => unreachable!(),
            };
            return To::Over(first);
        }
        let rules = state.table().ruleset();
        let (Phase::ToRoll { dice } | Phase::ToChoose { dice, .. }) = state.phase() else { unreachable!() };
        let seats = state.seats();
        let row = |seat: usize| if rules.penalty > 0 { seats[seat].farkles_in_a_row } else { 0 };
        let to_move = state.to_move().unwrap();
        // Where nothing depends on them, points past the target are the same.
        let alike = rules.exact_landing || rules.ending == EndingRule::ImmediateWin;
        let at_risk = state.at_risk().min(if alike { rules.target + 1 } else { 4 * self.most_at_risk });
        let banked = [seats[0].banked, seats[1].banked];
        let key = (banked, [row(0), row(1)], to_move, state.is_closing(), at_risk, dice);
        let next = self.nodes.len();
        let node = *self.found.entry(key).or_insert(next);
        if node == next {
            self.nodes.push(state);
        }
        To::Node(node)
    }

    fn value(&self, node: usize) -> f64 {
        let first_moves = self.nodes[node].to_move() == Some(0);
        let better = if first_moves { f64::max } else { f64::min };
        let (mut sum, mut all) = (0.0, 0.0);
        for (ways, to) in &self.rolls[node] {
            let worth = to.iter().map(|to| match to {
                To::Node(node) => self.values[*node],
                To::Over(value) => *value,
            });
            sum += ways * worth.reduce(better).unwrap();
            all += ways;
        }
        sum / all
    }

    /// Compares every place where dice are rolled, up to so many points at risk.
    fn assert_agrees(&self, oracle: &Oracle, off: f64) {
        let mut compared = 0;
        for (node, value) in self.nodes.iter().zip(&self.values) {
            let (Phase::ToRoll { dice } | Phase::ToChoose { dice, .. }) = node.phase() else { unreachable!() };
            let banked = node.seats().iter().map(|seat| seat.banked).max().unwrap();
            if banked + node.at_risk() > self.most_at_risk {
                continue;
            }
            let (own, rival) = if node.to_move() == Some(0) { (0, 1) } else { (1, 0) };
            let expected = if own == 0 { *value } else { 1.0 - value };
            let (own, rival) = (node.seats()[own], node.seats()[rival]);
            let position = Position {
                own: own.banked,
                rival: rival.banked,
                own_farkles: own.farkles_in_a_row,
                rival_farkles: rival.farkles_in_a_row,
                closing: node.is_closing(),
            };
            let turn = oracle.turn(&position).unwrap();
            let found = turn.before_roll(node.at_risk(), dice).unwrap();
            assert!(
                (found - expected).abs() <= off,
                "{found:.9}, not {expected:.9}: {dice} dice, {} at risk, {position:?}, {:?}",
                node.at_risk(),
                oracle.rules()
            );
            let kept = oracle.kept_turn(&position).unwrap();
            assert_close(kept.before_roll(node.at_risk(), dice).unwrap(), found, 1e-6);
            compared += 1;
        }
        assert!(compared > 20, "only {compared} places");
        assert_close(oracle.first_player(), self.values[0], off);
    }
}

/// Scores in hundreds and few of them, so that the graph is small.
fn small() -> Ruleset {
    Ruleset {
        single_five: 0,
        three_ones: 300,
        kinds: Kinds::None,
        four_of_a_kind: 0,
        five_of_a_kind: 0,
        target: 300,
        ..FIVE_DICE
    }
}

fn immediate(rules: Ruleset) -> Ruleset {
    Ruleset { ending: EndingRule::ImmediateWin, ..rules }
}

#[test]
fn a_slow_and_obvious_solver_agrees_under_an_immediate_win() {
    let fifties = || Ruleset { single_five: 50, ..immediate(small()) };
    for rules in [
        fifties(),
        Ruleset { opening: 200, ..fifties() },
        Ruleset { must_roll_hot_dice: true, ..fifties() },
        Ruleset { keep_all: true, five_run: 150, full_house: 50, ..fifties() },
        Ruleset { exact_landing: true, ..fifties() },
        Ruleset { exact_landing: true, must_roll_hot_dice: true, ..fifties() },
        Ruleset { toxic_twos: true, opening: 150, ..fifties() },
        Ruleset { penalty: 100, penalty_after: 2, penalty_floor: true, target: 200, ..fifties() },
        Ruleset { penalty: 100, penalty_after: 1, penalty_floor: true, opening: 150, ..fifties() },
        Ruleset { penalty: 150, penalty_after: 3, penalty_floor: true, exact_landing: true, target: 150, ..fifties() },
    ] {
        Graph::solve(&rules, 600).assert_agrees(&solve(&rules), 1e-9);
    }
}

#[test]
fn a_slow_and_obvious_solver_agrees_under_a_final_round() {
    let smaller = || Ruleset { target: 200, ..small() };
    for rules in [
        Ruleset { opening: 200, ..smaller() },
        Ruleset { exact_landing: true, ..smaller() },
        Ruleset { penalty: 100, penalty_after: 2, penalty_floor: true, ..smaller() },
    ] {
        Graph::solve(&rules, 500).assert_agrees(&solve(&rules), 1e-6);
    }
}

/// Takes a minute.
#[test]
#[ignore = "slow: run by hand, in a release build"]
fn a_slow_and_obvious_solver_agrees_on_larger_tables() {
    let fifties = || Ruleset { single_five: 50, ..small() };
    for rules in [
        small(),
        Ruleset { keep_all: true, full_house: 100, ..small() },
        Ruleset { must_roll_hot_dice: true, ..small() },
        Ruleset { penalty: 100, penalty_after: 2, penalty_floor: true, ..small() },
        Ruleset { penalty: 50, penalty_after: 2, penalty_floor: true, ..immediate(fifties()) },
    ] {
        Graph::solve(&rules, 600).assert_agrees(&solve(&rules), 1e-7);
    }
    // Where a turn makes more, rolling on is better for longer.
    let opening = Ruleset { opening: 150, target: 200, ..fifties() };
    Graph::solve(&opening, 1_400).assert_agrees(&solve(&opening), 1e-7);
    // Six dice, with what takes six of them.
    let six = Ruleset { target: 300, opening: 0, ..IMMEDIATE_WIN };
    for rules in [
        six.clone(),
        Ruleset { six_wins: true, ..six.clone() },
        Ruleset { no_score: 500, exact_landing: true, ..six.clone() },
        Ruleset { no_score: 500, reading: Reading::Best, toxic_twos: true, ..six.clone() },
    ] {
        Graph::solve(&rules, 600).assert_agrees(&solve(&rules), 1e-9);
    }
}

/// Solutions that another program found.
#[test]
fn known_solutions_of_short_matches() {
    let short = Ruleset { target: 1_000, ..IMMEDIATE_WIN };
    assert_close(solve(&short).first_player(), 0.610_787_60, 1e-7);
    let best = Ruleset { reading: Reading::Best, target: 2_000, ..IMMEDIATE_WIN };
    assert_close(solve(&best).first_player(), 0.574_297_46, 1e-7);
}

/// Solutions that another program found; seconds in a release build, but minutes in another.
#[test]
#[ignore = "slow: run by hand, in a release build"]
fn known_solutions() {
    for (rules, known) in [
        (IMMEDIATE_WIN, 0.532_499_95),
        (Ruleset { reading: Reading::Best, ..IMMEDIATE_WIN }, 0.532_518_92),
        (immediate(PLAY_TABLE_SIMPLE), 0.536_953_03),
    ] {
        assert_close(solve(&rules).first_player(), known, 1e-7);
    }
}

#[test]
fn threads_can_share_it() {
    fn shared<T: Send + Sync>() {}
    shared::<Oracle>();
}

#[test]
fn one_seat_has_an_expected_total() {
    let oracle = solve(&SOLO_TEN);
    // Known, from another program.
    assert_close(oracle.first_player(), 5_978.209_4, 1e-4);
    assert!(oracle.is_solo());
    assert_eq!(oracle.value(&Position::default()), Err(Impossible::Solo));
    // Without an opening, ten turns are ten times the known single one, 601.5587.
    let unopened = solve(&Ruleset { opening: 0, ..SOLO_TEN });
    assert_close(unopened.first_player(), 6_015.587, 1e-3);
}

#[test]
fn what_has_no_solution_is_refused_with_the_field() {
    let refused = |rules: Ruleset| -> Unsolvable { Oracle::solve(&rules, |_| panic!("work began")).unwrap_err() };
    for (field, rules) in [
        ("dice", Ruleset { dice: 4, ..PLAY_TABLE }),
        ("min_seats", Ruleset { min_seats: 3, ..PLAY_TABLE }),
        ("max_seats", Ruleset { min_seats: 1, max_seats: 1, ..PLAY_TABLE }),
        ("ending", Ruleset { max_seats: 2, ..SOLO_TEN }),
        ("six_wins", Ruleset { six_wins: true, ..SOLO_TEN }),
        ("penalty", Ruleset { penalty: 100, penalty_after: 3, ..SOLO_TEN }),
        ("penalty_floor", Ruleset { penalty_floor: false, ..ELVERSON }),
        ("target", Ruleset { target: 1_000_000, ..PLAY_TABLE }),
        ("target", Ruleset { single_one: 101, ..PLAY_TABLE }),
        ("penalty_after", Ruleset { penalty_after: 10_000, ..ELVERSON }),
        ("opening", Ruleset { opening: 100_000, target: 100_000, ..PLAY_TABLE }),
        // From 9,900 on nothing but a single 5 lands on 10,000 exactly.
        ("exact_landing", Ruleset { exact_landing: true, single_one: 0, single_five: 150, ..PLAY_TABLE }),
    ] {
        let error = refused(rules);
        assert_eq!(error.field, field, "{error}");
    }
    let error = refused(Ruleset { max_seats: 2, ..SOLO_TEN }).to_string();
    assert!(error.starts_with("ruleset field `ending` is \"turns\": over a number of turns one seat alone"), "{error}");
}

#[test]
fn impossible_positions_are_refused() {
    let oracle = solve(&Ruleset { target: 1_000, ..DUEL });
    let at = |own, rival, closing| Position { own, rival, closing, ..Position::default() };
    for (position, says) in [
        (at(-50, 0, false), "is -50: it is never below 0"),
        (at(525, 0, false), "is 525: under this ruleset scores are multiples of 50"),
        (at(0, 450, false), "score of the other seat is 450: the first bank takes 500, so it is 0, or 500 or more"),
        (at(1_000, 0, false), "is 1000, which reaches the target of 1000: the match is over"),
        (at(500, 1_000, false), "which reaches the target of 1000: only a closing turn is left"),
        (at(500, 900, true), "in a closing turn the rival has at least the target of 1000"),
        (at(1_000, 1_000, true), "is 1000, which reaches the target"),
    ] {
        let error = oracle.value(&position).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
        assert!(oracle.turn(&position).is_err() && oracle.kept_turn(&position).is_err());
    }
    assert!(oracle.value(&at(950, 1_000_000_000, true)).unwrap() < 1e-9);
    let immediate = solve(&Ruleset { target: 500, ..IMMEDIATE_WIN });
    assert_eq!(immediate.value(&at(0, 500, true)), Err(Impossible::NoClosing));
    let penalty = solve(&Ruleset { penalty: 100, penalty_after: 2, penalty_floor: true, ..immediate_small() });
    let long = Position { own_farkles: 2, ..Position::default() };
    assert_eq!(penalty.value(&long), Err(Impossible::Row { farkles: 2, after: 2 }));
}

fn immediate_small() -> Ruleset {
    Ruleset { target: 200, ..immediate(small()) }
}

#[test]
fn decisions_are_worth_what_they_lead_to() {
    let oracle = solve(&Ruleset { target: 1_000, ..DUEL });
    let position = Position { own: 0, rival: 600, ..Position::default() };
    let turn = oracle.turn(&position).unwrap();
    assert_close(turn.start(), oracle.value(&position).unwrap(), 1e-9);
    let roll: Faces = "112346".parse().unwrap();
    let chart = farkle::Chart::new(oracle.rules());
    let keeps: Vec<_> = chart.legal_keeps(roll).collect();
    let best = keeps.iter().flat_map(|keep| {
        [keep.bank(), keep.roll()].into_iter().filter_map(|decision| turn.decision(350, roll, decision))
    });
    assert_close(best.fold(0.0, f64::max), turn.after_roll(350, roll).unwrap(), 1e-12);
    // 450 does not open; 550 does, and hands over.
    assert_eq!(turn.decision(350, roll, farkle::Keep { dice: "1".parse().unwrap(), points: 100 }.bank()), None);
    let both = farkle::Keep { dice: "11".parse().unwrap(), points: 200 };
    let after = Position { own: 600, rival: 550, ..Position::default() };
    let banked = turn.decision(350, roll, both.bank()).unwrap();
    assert_close(banked, 1.0 - oracle.value(&after).unwrap(), 1e-12);
    assert_eq!(turn.decision(350, roll, both.roll()), turn.before_roll(550, 4));
    // Far above the target, where nothing is kept row by row.
    assert!(turn.after_roll(20_000, roll).unwrap() > 0.999);
    assert!(turn.before_roll(20_000, 6).unwrap() < turn.after_roll(20_000, roll).unwrap());
    // What there is not.
    assert_eq!(turn.before_roll(25, 6), None);
    assert_eq!((turn.before_roll(0, 0), turn.before_roll(0, 7), turn.before_roll(-50, 6)), (None, None, None));
    assert_eq!(turn.after_roll(0, Faces::NONE), None);
    assert_eq!(turn.after_roll(0, "223466".parse().unwrap()), Some(turn.farkle()));
}

/// With 900 to 800 at hand, a 1 reaches the target of 1,000, and the other seat has a closing turn in which
/// 250 points win. A 5 stops short at 950: the other seat must bank 200 to trigger, and then the closing turn
/// is ours.
#[test]
fn under_a_final_round_fewer_points_can_be_better() {
    let oracle = solve(&Ruleset { target: 1_000, ..PLAY_TABLE });
    let position = Position { own: 500, rival: 800, ..Position::default() };
    let turn = oracle.turn(&position).unwrap();
    let roll: Faces = "1566".parse().unwrap();
    let bank = |dice: &str| {
        let keep = farkle::Keep { dice: dice.parse().unwrap(), points: 0 };
        turn.decision(400, roll, keep.bank()).unwrap()
    };
    assert_eq!(turn.after_roll(400, roll), Some(bank("5")));
    assert!(bank("5") > 3.0 * bank("1") && bank("5") > 3.0 * bank("15"));
}

#[test]
fn a_table_that_is_not_whole_is_refused() {
    let rules = Ruleset { target: 300, ..ELVERSON };
    let oracle = solve(&rules);
    let bytes = oracle.to_bytes();
    let again = Oracle::from_bytes(&bytes, &rules).unwrap();
    assert_eq!(again.first_player(), oracle.first_player());
    let other = Ruleset { name: "house".into(), max_seats: 5, ..rules.clone() };
    assert!(Oracle::from_bytes(&bytes, &other).is_ok(), "the same rules by another name");

    let refused = |bytes: &[u8]| Oracle::from_bytes(bytes, &rules).unwrap_err();
    assert_eq!(refused(b""), TableError::Foreign);
    assert_eq!(refused(b"farkle arena code 1\n"), TableError::Foreign);
    assert_eq!(Oracle::from_bytes(&bytes, &POCKET).unwrap_err(), TableError::OtherRules);
    for cut in 0..bytes.len() {
        assert!(matches!(refused(&bytes[..cut]), TableError::Foreign | TableError::Length { .. }), "{cut}");
    }
    for place in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[place] ^= 0x10;
        refused(&changed);
    }
    let mut version = bytes.clone();
    version[20] = 2;
    assert_eq!(refused(&version), TableError::Newer(2));
    version[20] = 0;
    assert_eq!(refused(&version), TableError::Older(0));
    let mut longer = bytes;
    longer.push(0);
    assert!(matches!(refused(&longer), TableError::Length { .. }));
    let solo = solve(&SOLO_TEN);
    assert_eq!(Oracle::from_bytes(&solo.to_bytes(), &SOLO_TEN).unwrap().first_player(), solo.first_player());
}
