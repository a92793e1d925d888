//! Luck against values that are known exactly: those of two strategies, from the rules and nothing else.

use std::rc::Rc;
use std::sync::Arc;

use arena_core::luck::{Luck, LuckyPair, MEASURES, RollValues, correct, of_match};
use arena_core::moments::Moment;
use arena_core::ratings::{Correction, Finish, Options, Pair, RatingError, Seen, fit, fit_corrected};
use arena_core::seeds::TournamentSecret;
use arena_core::{Agent, AgentError, Allowance, Answer, Contestant, Referee, Start, Table, Turn};
use farkle::{Chart, Faces, Keep, Next, Points, Ruleset, ScoreTable, presets};

/// Keeps what scores most, and banks from so many points on, or when that wins.
#[derive(Clone, Copy)]
struct Banker {
    enough: Points,
}

impl Banker {
    fn decides(self, chart: &Chart, roll: Faces, at_risk: Points, score: Points, target: Points) -> (Keep, Next) {
        let keep = chart.best_keep(roll).expect("who is asked has a keep");
        let at_risk = at_risk + keep.points;
        (keep, if at_risk >= self.enough || score + at_risk >= target { Next::Bank } else { Next::Roll })
    }
}

struct Seated(Banker, Rc<Table>);

impl Contestant for Banker {
    fn sha256(&self) -> [u8; 32] {
        [self.enough as u8; 32]
    }

    fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Seated(*self, table.clone())))
    }
}

impl Agent for Seated {
    fn start(&mut self, _: &Start) -> Result<(), AgentError> {
        Ok(())
    }

    fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
        let rules = self.1.ruleset();
        let (keep, next) = self.0.decides(&Chart::new(rules), turn.roll, turn.at_risk, turn.score, rules.target);
        Ok(Answer::from_decision(keep.dice, next))
    }
}

const STEP: Points = 50;

/// The exact chance that seat 0 wins under immediate win, by seat to move and both scores in steps, by
/// repeating what the rules say until nothing changes.
struct Known {
    rules: Ruleset,
    chart: Chart,
    seats: [Banker; 2],
    values: Vec<f64>,
    /// By number of dice: what keeping the most of a roll scores and leaves, and its chance; no points for a
    /// farkle.
    rolls: Vec<Vec<(Points, u8, f64)>>,
}

/// By points at risk in steps, then dice: what rolling is worth to seat 0.
type Turns = Vec<[f64; 7]>;

impl Known {
    fn solve(rules: Ruleset, seats: [Banker; 2]) -> Known {
        let steps = (rules.target / STEP) as usize;
        let chart = Chart::new(&rules);
        let rolls = (0..=6).map(|dice| {
            let mut sums = std::collections::BTreeMap::new();
            for roll in Faces::all(dice) {
                let (points, left) = chart.best_keep(roll).map_or((0, 0), |k| (k.points, dice - k.dice.len()));
                *sums.entry((points, left)).or_default() += f64::from(roll.ways()) / 6f64.powi(dice.into());
            }
            sums.into_iter().map(|((points, left), chance)| (points, left, chance)).collect()
        });
        let rolls = rolls.collect();
        let mut known = Known { chart, rules, seats, values: vec![0.5; 2 * steps * steps], rolls };
        loop {
            let mut change: f64 = 0.0;
            for place in 0..known.values.len() {
                let (seat, scores) = (place / (steps * steps), [place / steps % steps, place % steps]);
                let value = known.turn(seat, scores.map(|score| score as Points * STEP))[0][6];
                change = change.max((value - known.values[place]).abs());
                known.values[place] = value;
            }
            if change < 1e-15 {
                return known;
            }
        }
    }

    /// At the start of a turn.
    fn start(&self, seat: usize, scores: [Points; 2]) -> f64 {
        let steps = (self.rules.target / STEP) as usize;
        let [a, b] = scores.map(|score| (score / STEP) as usize);
        self.values[(seat * steps + a) * steps + b]
    }

    fn turn(&self, seat: usize, scores: [Points; 2]) -> Turns {
        // Whoever has this much banks, and does not roll.
        let enough = (self.seats[seat].enough / STEP) as usize;
        let mut turn = vec![[0.0; 7]; enough];
        for at_risk in (0..enough).rev() {
            for dice in 1..=6_usize {
                let rolls = self.rolls[dice].iter();
                let worth = |points, left| match points {
                    0 => self.start(1 - seat, scores),
                    _ => self.kept(seat, scores, at_risk as Points * STEP + points, left, &turn),
                };
                turn[at_risk][dice] = rolls.map(|&(p, left, chance)| chance * worth(p, left)).sum();
            }
        }
        turn
    }

    /// What standing behind a keep is worth.
    fn kept(&self, seat: usize, mut scores: [Points; 2], at_risk: Points, left: u8, turn: &Turns) -> f64 {
        let wins = scores[seat] + at_risk >= self.rules.target;
        if wins {
            return (1 - seat) as f64;
        }
        if at_risk >= self.seats[seat].enough {
            scores[seat] += at_risk;
            return self.start(1 - seat, scores);
        }
        turn[(at_risk / STEP) as usize][usize::from(if left == 0 { 6 } else { left })]
    }
}

impl RollValues for Known {
    type Error = ();

    fn luck(&self, moment: &Moment) -> Result<Luck, ()> {
        let seat = usize::from(moment.seat);
        let turn = self.turn(seat, moment.scores);
        let before = turn[(moment.at_risk / STEP) as usize][usize::from(moment.roll.len())];
        let after = match self.chart.best_keep(moment.roll) {
            None => self.start(1 - seat, moment.scores),
            Some(keep) => {
                let left = moment.roll.len() - keep.dice.len();
                self.kept(seat, moment.scores, moment.at_risk + keep.points, left, &turn)
            }
        };
        // Values are those of seat 0, and luck is that of the seat that rolls.
        let luck = if seat == 0 { after - before } else { before - after };
        Ok(std::array::from_fn(|measure| if measure == 0 { luck } else { 0.0 }))
    }
}

fn rules() -> Ruleset {
    Ruleset { target: 600, ..presets::IMMEDIATE_WIN }
}

/// Pairs of the first banker against the second, with the luck that two sets of values see: for the match in
/// which the first has seat 0, and for the other.
fn pairs(seats: [Banker; 2], values: [&dyn RollValues<Error = ()>; 2], count: u64) -> Vec<LuckyPair> {
    struct Of<'a>(&'a dyn RollValues<Error = ()>);
    impl RollValues for Of<'_> {
        type Error = ();
        fn luck(&self, moment: &Moment) -> Result<Luck, ()> {
            self.0.luck(moment)
        }
    }
    let rules = rules();
    let table = Arc::new(ScoreTable::new(&rules));
    let mut referee = Referee::new(table, 2, Allowance::Standard.limits()).unwrap();
    let secret = TournamentSecret::from_seed(5);
    let mut pair = |pair: u64| {
        let (mut score, mut luck) = (0.0, [[0.0; MEASURES]; 2]);
        for first in 0..2 {
            let table: [&dyn Contestant; 2] = [&seats[first], &seats[1 - first]];
            let won = f64::from(referee.play_in_place(secret.match_seed(pair), &table).unwrap().ranks[first] == 1);
            let by_seat = of_match(&Of(values[first]), &rules, 2, &referee.events()).unwrap();
            score += won;
            for agent in 0..2 {
                luck[agent][0] += by_seat[agent ^ first][0];
            }
        }
        LuckyPair { pair, agents: [0, 1], score, luck }
    };
    (0..count).map(&mut pair).collect()
}

#[test]
fn with_the_exact_values_of_both_strategies_nothing_is_left_to_luck() {
    let seats = [Banker { enough: 300 }, Banker { enough: 500 }];
    let values = [seats, [seats[1], seats[0]]].map(|seats| Known::solve(rules(), seats));
    // The score of a pair without luck.
    let fair = values[0].start(0, [0, 0]) + 1.0 - values[1].start(0, [0, 0]);
    let pairs = pairs(seats, [&values[0], &values[1]], 80);
    for pair in &pairs {
        assert!((pair.score - pair.luck[0][0] + pair.luck[1][0] - fair).abs() < 1e-10, "{pair:?} {fair}");
    }
    let gain = correct(&pairs).gains[0];
    assert!(gain.variance > 0.1, "{gain:?}");
    assert!(gain.corrected_variance < 1e-12, "{gain:?}");
    assert!((gain.corrected_score - fair).abs() < 1e-9);
}

#[test]
fn values_of_other_strategies_help_less_and_shift_nothing() {
    let seats = [Banker { enough: 300 }, Banker { enough: 500 }];
    // They roll where the players would, so that there are values for all that can happen.
    let others = Known::solve(rules(), [Banker { enough: 500 }; 2]);
    let exact = [seats, [seats[1], seats[0]]].map(|seats| Known::solve(rules(), seats));
    let fair = exact[0].start(0, [0, 0]) + 1.0 - exact[1].start(0, [0, 0]);
    let gain = correct(&pairs(seats, [&others, &others], 3_000)).gains[0];
    assert!(gain.ratio().unwrap() > 1.5, "{gain:?}");
    let [plain, corrected] = gain.standard_errors().map(|error| error.expect("pairs differ"));
    assert!((gain.score - fair).abs() < 4.0 * plain && (gain.corrected_score - fair).abs() < 4.0 * corrected);
}

fn pairing(seed: u64, ranks: [[u32; 2]; 2]) -> Pair {
    let finish = |agents: [usize; 2], ranks: [u32; 2]| Finish { agents: agents.into(), ranks: ranks.into() };
    Pair {
        finishes: vec![finish([0, 1], ranks[0]), finish([1, 0], ranks[1])],
        seen: Seen::Seeds([seed].into_iter().collect()),
    }
}

#[test]
fn a_correction_is_a_score_that_was_not_played() {
    // A win each on one seed, and a seed on which the second won both.
    let shared = [pairing(1, [[1, 2], [1, 2]]), pairing(2, [[2, 1], [1, 2]])];
    // As if the first had won one of those.
    let corrections = [Correction { seed: 2, agents: [0, 1], score: 1.0 }];
    let corrected = fit_corrected(2, &shared, &corrections, &Options::default()).unwrap();
    // And as if that had been so: seats do not matter, since each has two wins of its own either way.
    let played = [pairing(1, [[1, 2], [1, 2]]), pairing(2, [[1, 2], [1, 2]])];
    let played = fit(2, &played, &Options::default()).unwrap();
    assert!((played.difference(0, 1).unwrap().elo).abs() < 1e-9);
    assert!((corrected.difference(0, 1).unwrap().elo).abs() < 1e-9, "{corrected:?}");
    assert_eq!(fit_corrected(2, &shared, &[], &Options::default()), fit(2, &shared, &Options::default()));
}

#[test]
fn corrections_that_correct_nothing_are_refused() {
    let shared = [pairing(1, [[1, 2], [1, 2]])];
    let refused = |agents, score| {
        fit_corrected(2, &shared, &[Correction { seed: 1, agents, score }], &Options::default()).unwrap_err()
    };
    assert_eq!(refused([0, 2], 0.5), RatingError::UnknownAgent { agent: 2, agents: 2 });
    assert!(matches!(refused([0, 1], f64::NAN), RatingError::Correction { seats: 2, .. }));
}

mod optimal {
    use arena_core::analysis::{Analyst, Mistake};
    use arena_core::luck::{Measures, of_match};
    use arena_core::oracle::{Oracle, Position};
    use farkle::{Ending, EndingRule};

    use super::*;

    /// Rulesets of every kind that is solved for two, small enough to be solved here.
    fn rulesets() -> [Ruleset; 3] {
        let penalty = Ruleset { penalty: 100, penalty_after: 2, penalty_floor: true, ..presets::PLAY_TABLE };
        [
            Ruleset { target: 1_000, ..presets::IMMEDIATE_WIN },
            Ruleset { target: 1_000, opening: 300, ..presets::PLAY_TABLE },
            Ruleset { target: 600, ending: EndingRule::ImmediateWin, ..penalty },
        ]
    }

    #[test]
    fn result_is_chance_and_luck_less_what_decisions_lost() {
        for rules in rulesets() {
            let oracle = Arc::new(Oracle::solve(&rules, |_| ()).unwrap());
            let (measures, analyst) = (Measures::new(oracle.clone()), Analyst::new(oracle.clone()));
            let seats = [Banker { enough: 200 }, Banker { enough: 450 }];
            let mut referee = Referee::new(Arc::new(ScoreTable::new(&rules)), 2, Allowance::Standard.limits()).unwrap();
            let mut kinds = std::collections::BTreeSet::new();
            for seed in 0..40 {
                let result = referee.play_in_place(seed, &[&seats[0], &seats[1]]).unwrap().clone();
                if result.ending == Ending::Forfeit {
                    // An opening that a banker does not know of.
                    continue;
                }
                let score = match result.ranks[..] {
                    [1, 1] => 0.5,
                    [rank, _] => f64::from(rank == 1),
                    _ => unreachable!("two seats"),
                };
                let analysis = analyst.judge(2, &referee.events()).unwrap();
                let [own, other] = [0, 1].map(|seat| analysis.play(seat));
                let sum = analysis.start + own.luck - other.luck - own.loss + other.loss;
                assert!((sum - score).abs() < 1e-4, "{sum} {score} in match {seed}");
                let luck = of_match(&measures, &rules, 2, &referee.events()).unwrap();
                assert!((luck[0][0] - own.luck).abs() < 1e-9 && (luck[1][0] - other.luck).abs() < 1e-9);
                kinds.extend(analysis.rolls.iter().filter_map(|roll| roll.decided?.mistake));
                for roll in &analysis.rolls {
                    assert!(roll.loss() >= 0.0 && (0.0..=1.0).contains(&roll.before));
                }
            }
            assert!(kinds.contains(&Mistake::BankedEarly) && kinds.contains(&Mistake::Endgame), "{kinds:?}");
        }
    }

    /// Decides by the oracle.
    struct Best(Arc<Oracle>);

    impl Contestant for Best {
        fn sha256(&self) -> [u8; 32] {
            [1; 32]
        }

        fn seat(&self, _: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
            Ok(Box::new(Best(self.0.clone())))
        }
    }

    impl Agent for Best {
        fn start(&mut self, _: &Start) -> Result<(), AgentError> {
            Ok(())
        }

        fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
            let (own, rival, closing) = (turn.score, turn.best_rival, turn.closing);
            let here = self.0.turn(&Position { own, rival, closing, ..Position::default() }).unwrap();
            let chart = Chart::new(self.0.rules());
            let all = chart.legal_keeps(turn.roll).flat_map(|keep| [keep.bank(), keep.roll()]);
            let worth = all.filter_map(|d| here.decision(turn.at_risk, turn.roll, d).map(|value| (value, d)));
            let (_, best) = worth.max_by(|a, b| a.0.total_cmp(&b.0)).expect("who is asked has a decision");
            Ok(Answer::from_decision(best.keep, best.next))
        }
    }

    #[test]
    fn best_play_loses_nothing() {
        for rules in [Ruleset { target: 1_000, ..presets::IMMEDIATE_WIN }, Ruleset { target: 800, ..presets::DUEL }] {
            let oracle = Arc::new(Oracle::solve(&rules, |_| ()).unwrap());
            let (best, banker) = (Best(oracle.clone()), Banker { enough: 500 });
            let analyst = Analyst::new(oracle);
            let mut referee = Referee::new(Arc::new(ScoreTable::new(&rules)), 2, Allowance::Standard.limits()).unwrap();
            let mut lost = 0.0;
            for seed in 0..20 {
                referee.play_in_place(seed, &[&best, &banker]).unwrap();
                let analysis = analyst.judge(2, &referee.events()).unwrap();
                let [own, other] = [0, 1].map(|seat| analysis.play(seat));
                assert_eq!((own.loss, own.blunders), (0.0, 0), "match {seed}");
                assert!(own.mattered > 0 && own.rating() == Some(0.0));
                lost += other.loss;
            }
            assert!(lost > 0.1, "a banker is not that good: {lost}");
        }
    }
}
