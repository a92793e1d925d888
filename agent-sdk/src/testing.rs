//! A table to test agents at, natively: no component, no arena.
//!
//! Owns scripted situations ([`Situation`]) and whole matches refereed by the game's own state
//! machine ([`play`], [`assert_always_legal`]). Refuses to rate agents: the dice here are not the
//! arena's.
//!
//! ```
//! use agent_sdk::farkle::presets;
//! use agent_sdk::testing::{Situation, assert_always_legal};
//! # use agent_sdk::{Agent, Decision, Turn};
//! # #[derive(Default)]
//! # struct MyAgent;
//! # impl Agent for MyAgent {
//! #     fn decide(&mut self, turn: &Turn) -> Decision {
//! #         turn.best_bank().map_or_else(|| turn.best_keep().roll(), |keep| keep.bank())
//! #     }
//! # }
//!
//! let situation = Situation::new(&presets::PLAY_TABLE).roll("123445").at_risk(500);
//! assert_eq!(situation.decide::<MyAgent>().to_string(), "keep 1-5, bank");
//! assert_always_legal::<MyAgent>(200);
//! ```

use core::cell::Cell;

use std::sync::Arc;

use farkle::{
    Decision, EndingRule, Faces, Fallen, Kinds, MatchResult, MatchState, Next, Phase, Points, Reading, Ruleset,
    ScoreTable, presets,
};

use crate::{Agent, Chart, Event, EventKind, Game, Random, Turn};

/// What a scripted turn answers where the arena would be asked.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) scores: Vec<Points>,
    pub(crate) history: Vec<Event>,
}

/// A moment of a match, described from what an agent can see of it.
///
/// Starts as the first roll of the first turn of seat 0, of two, nobody having scored.
#[derive(Clone, Debug)]
pub struct Situation {
    ruleset: Ruleset,
    roll: Faces,
    seat: usize,
    scores: Vec<Points>,
    at_risk: Points,
    turns: u32,
    rolls: u32,
    farkles_in_a_row: u32,
    closing: bool,
    turn_limit: u32,
    agent_seed: u64,
    history: Vec<Event>,
}

impl Situation {
    /// Under these rules, with a roll of a single 1 (and as many 2, 3, 4, 6 as there are dice).
    ///
    /// # Panics
    ///
    /// When the ruleset is impossible.
    pub fn new(ruleset: &Ruleset) -> Situation {
        if let Err(impossible) = ruleset.validate() {
            panic!("{impossible}");
        }
        Situation {
            ruleset: ruleset.clone(),
            roll: Faces::from_dice(&[1, 2, 3, 4, 6, 6][..ruleset.dice.into()]).expect("faces of dice"),
            seat: 0,
            scores: vec![0, 0],
            at_risk: 0,
            turns: 0,
            rolls: 1,
            farkles_in_a_row: 0,
            closing: false,
            turn_limit: 1_000,
            agent_seed: 0,
            history: Vec::new(),
        }
    }

    /// The dice on the table, as `"123445"`.
    ///
    /// # Panics
    ///
    /// When these are no dice, or more than the ruleset has.
    #[must_use]
    pub fn roll(&self, dice: &str) -> Situation {
        let roll: Faces = dice.parse().unwrap_or_else(|error| panic!("a roll of `{dice}`: {error}"));
        assert!(roll.len() <= self.ruleset.dice, "{dice} are more than {} dice", self.ruleset.dice);
        Situation { roll, ..self.clone() }
    }

    /// Points kept earlier in this turn.
    #[must_use]
    pub fn at_risk(&self, at_risk: Points) -> Situation {
        Situation { at_risk, ..self.clone() }
    }

    /// The banked scores, one for each seat.
    #[must_use]
    pub fn scores(&self, scores: &[Points]) -> Situation {
        Situation { scores: scores.to_vec(), ..self.clone() }
    }

    /// The agent's seat, from 0.
    #[must_use]
    pub fn seat(&self, seat: usize) -> Situation {
        Situation { seat, ..self.clone() }
    }

    /// Turns finished by the seat, and farkles in a row at their end.
    #[must_use]
    pub fn after(&self, turns: u32, farkles_in_a_row: u32) -> Situation {
        Situation { turns, farkles_in_a_row, ..self.clone() }
    }

    /// Rolls of this turn, the one on the table included.
    #[must_use]
    pub fn rolls(&self, rolls: u32) -> Situation {
        Situation { rolls, ..self.clone() }
    }

    /// Whether this is a closing turn.
    #[must_use]
    pub fn closing(&self, closing: bool) -> Situation {
        Situation { closing, ..self.clone() }
    }

    /// The most turns a seat has; 1,000 unless told.
    #[must_use]
    pub fn turn_limit(&self, turn_limit: u32) -> Situation {
        Situation { turn_limit, ..self.clone() }
    }

    /// The seed of the agent's random numbers; 0 unless told.
    #[must_use]
    pub fn agent_seed(&self, agent_seed: u64) -> Situation {
        Situation { agent_seed, ..self.clone() }
    }

    /// What has happened so far.
    #[must_use]
    pub fn history(&self, history: &[Event]) -> Situation {
        Situation { history: history.to_vec(), ..self.clone() }
    }

    /// The turn, as an agent gets it.
    ///
    /// # Panics
    ///
    /// When the agent's seat has no score.
    pub fn turn(&self) -> Turn {
        assert!(self.seat < self.scores.len(), "seat {} of {}", self.seat, self.scores.len());
        let score = self.scores[self.seat];
        let rivals = self.scores.iter().enumerate().filter(|(seat, _)| *seat != self.seat).map(|(_, score)| *score);
        Turn {
            roll: self.roll,
            at_risk: self.at_risk,
            score,
            best_rival: rivals.max().unwrap_or(0),
            opening_due: if score > 0 { 0 } else { self.ruleset.opening },
            turns: self.turns,
            rolls: self.rolls,
            farkles_in_a_row: self.farkles_in_a_row,
            closing: self.closing,
            best: Cell::new(None),
            game: Game::new(
                Ruleset { name: "".into(), ..self.ruleset.clone() },
                self.seat as u32,
                self.scores.len() as u32,
                self.agent_seed,
                self.turn_limit,
            ),
            seen: Seen { scores: self.scores.clone(), history: self.history.clone() },
        }
    }

    /// What a fresh agent decides here, having been started.
    ///
    /// # Panics
    ///
    /// When the decision would forfeit the match, or the roll is a farkle.
    pub fn decide<A: Agent>(&self) -> Decision {
        let turn = self.turn();
        let mut agent = A::default();
        agent.start(turn.game());
        let decision = agent.decide(&turn);
        let table = ScoreTable::new(&self.ruleset);
        let points = match table.check_keep(turn.roll, decision.keep) {
            Ok(points) => points,
            Err(illegal) => panic!("{illegal}"),
        };
        let keep = farkle::Keep { dice: decision.keep, points };
        let legal = decision.next == Next::Roll || turn.can_bank(&keep) || wins_outright(&self.ruleset, keep.dice);
        assert!(legal, "{decision}, of {turn:?}");
        decision
    }
}

fn wins_outright(ruleset: &Ruleset, keep: Faces) -> bool {
    ruleset.six_wins && keep.counts().contains(&6)
}

/// Plays a match between two agents and returns its result. Dice and agents' seeds come from
/// `seed`; other dice than the arena would roll.
///
/// # Panics
///
/// At the first decision that would forfeit the match, with everything about it.
pub fn play<A: Agent, B: Agent>(ruleset: &Ruleset, seed: u64, turn_limit: u32) -> MatchResult {
    let mut seats = [Seat::new::<A>(ruleset, 0, 2, seed, turn_limit), Seat::new::<B>(ruleset, 1, 2, seed, turn_limit)];
    let table = Arc::new(ScoreTable::new(ruleset));
    run(table, &mut seats, &Random::new(seed), turn_limit).0
}

/// Plays at least `turns` turns of an agent against itself, under every preset and under random
/// rulesets that combine every rule there is, with one to four seats.
///
/// # Panics
///
/// At the first decision that would forfeit the match, with everything about it.
pub fn assert_always_legal<A: Agent>(turns: u32) {
    let random = Random::new(0);
    let mut played = 0;
    let mut tables = 0;
    while played < turns || tables < presets::ALL.len() {
        let ruleset = match presets::ALL.get(tables) {
            Some(preset) => (*preset).clone(),
            None => random_ruleset(&random),
        };
        let table = Arc::new(ScoreTable::new(&ruleset));
        let most = ruleset.max_seats.min(4).max(ruleset.min_seats);
        let seats = u32::from(ruleset.min_seats) + random.below(u32::from(most - ruleset.min_seats) + 1);
        let turn_limit = 1 + random.below(30);
        let mut seats: Vec<Seat> =
            (0..seats).map(|seat| Seat::new::<A>(&ruleset, seat, seats, random.bits(), turn_limit)).collect();
        played += run(table, &mut seats, &random, turn_limit).1;
        tables += 1;
    }
}

/// A ruleset in which every field is set at random, and which [validates](Ruleset::validate).
pub fn random_ruleset(random: &Random) -> Ruleset {
    let coin = || random.coin();
    let some = |of: &[Points]| *random.pick(of).expect("there is a choice");
    loop {
        let dice = if random.below(4) == 0 { 5 } else { 6 };
        let kinds = *random.pick(&[Kinds::Flat, Kinds::Doubling, Kinds::Adding, Kinds::None]).expect("four kinds");
        let flat = kinds == Kinds::Flat;
        let six = |points: Points| if dice == 6 { points } else { 0 };
        let ending = *random
            .pick(&[EndingRule::ImmediateWin, EndingRule::FinalRound, EndingRule::Turns])
            .expect("three endings");
        let by_turns = ending == EndingRule::Turns;
        let penalty = some(&[0, 0, 500, 1_000, 100_000]);
        let max_seats = 1 + random.below(12) as u8;
        let ruleset = Ruleset {
            name: "random".into(),
            dice,
            reading: if coin() { Reading::Best } else { Reading::PerFace },
            single_one: some(&[0, 50, 100, 100, 110, 1_000]),
            single_five: some(&[0, 50, 50, 25, 37]),
            three_ones: some(&[0, 300, 1_000, 750]),
            kinds,
            four_of_a_kind: if flat { some(&[0, 1_000, 400, 5]) } else { 0 },
            five_of_a_kind: if flat { some(&[0, 2_000, 3]) } else { 0 },
            six_of_a_kind: six(some(&[0, 3_000, 10_000])),
            six_wins: dice == 6 && random.below(4) == 0,
            straight: six(some(&[0, 1_500, 2_500])),
            three_pairs: six(some(&[0, 750, 1_500])),
            four_and_pair: six(some(&[0, 1_500])),
            two_triplets: six(some(&[0, 2_500])),
            five_run: some(&[0, 0, 500]),
            full_house: some(&[0, 0, 250]),
            no_score: six(some(&[0, 0, 500])),
            toxic_twos: coin(),
            keep_all: coin(),
            must_roll_hot_dice: coin(),
            exact_landing: coin(),
            opening: some(&[0, 0, 350, 500, 1_000]),
            penalty,
            penalty_after: if penalty > 0 { 1 + random.below(4) } else { 0 },
            penalty_floor: penalty > 0 && coin(),
            ending,
            target: if by_turns { 0 } else { some(&[1_000, 3_330, 5_000, 10_000]) },
            turns: if by_turns { 1 + random.below(12) } else { 0 },
            min_seats: 1 + random.below(max_seats.into()) as u8,
            max_seats,
        };
        // A table at which no roll scores is possible, and plays nobody's agent.
        if ruleset.validate().is_ok() {
            let chart = Chart::new(&ruleset);
            if Faces::all(dice).any(|roll| !chart.is_farkle(roll)) {
                return ruleset;
            }
        }
    }
}

/// One seat of a match: its turn, and what decides.
struct Seat {
    turn: Turn,
    decide: Box<dyn FnMut(&Turn) -> Decision>,
}

impl Seat {
    fn new<A: Agent>(ruleset: &Ruleset, seat: u32, seats: u32, seed: u64, turn_limit: u32) -> Seat {
        let situation = Situation::new(ruleset)
            .seat(seat as usize)
            .scores(&vec![0; seats as usize])
            .turn_limit(turn_limit)
            .agent_seed(seed ^ u64::from(seat));
        let turn = situation.turn();
        let mut agent = A::default();
        agent.start(turn.game());
        Seat { turn, decide: Box::new(move |turn| agent.decide(turn)) }
    }
}

/// The most rolls of one turn: an agent may roll for ever where no roll can be a farkle.
const MOST_ROLLS: u32 = 1_000;

/// Plays a match to its end; returns the result and the number of turns.
fn run(table: Arc<ScoreTable>, seats: &mut [Seat], random: &Random, turn_limit: u32) -> (MatchResult, u32) {
    let mut game = MatchState::new(table, seats.len(), turn_limit);
    loop {
        let dice = match game.phase() {
            Phase::ToRoll { dice } | Phase::ToChoose { dice, .. } => dice,
            Phase::ToKeep { .. } => unreachable!("every roll is answered at once"),
            Phase::Over(_) => break,
        };
        let mover = game.to_move().expect("the match is not over");
        if game.rolls() >= MOST_ROLLS {
            game.forfeit(mover).expect("the seat is in the match");
            continue;
        }
        let roll: Vec<u8> = (0..dice).map(|_| 1 + random.below(6) as u8).collect();
        let roll = Faces::from_dice(&roll).expect("faces of dice");
        let (at_risk, opening_due) = (game.at_risk(), game.opening_due());
        let (best_rival, closing) = (game.best_rival(), game.is_closing());
        let state = game.seats()[mover];
        let mut event = Event {
            seat: mover as u32,
            turn: state.turns + 1,
            kind: EventKind::Farkled,
            roll,
            keep: Faces::NONE,
            points: 0,
            banked: state.banked,
        };
        if let Some(farkle) = game.roll(roll).expect("that many dice are to be rolled") {
            event.points = farkle.lost;
            event.banked = farkle.banked;
            note(seats, event);
            continue;
        }
        let Seat { turn, decide } = &mut seats[mover];
        turn.roll = roll;
        turn.at_risk = at_risk;
        turn.score = state.banked;
        turn.best_rival = best_rival;
        turn.opening_due = opening_due;
        turn.turns = state.turns;
        turn.rolls = game.rolls();
        turn.farkles_in_a_row = state.farkles_in_a_row;
        turn.closing = closing;
        turn.seen.scores.clear();
        turn.seen.scores.extend(game.seats().iter().map(|seat| seat.banked));
        let decision = decide(turn);
        let kept = match game.decide(decision) {
            Ok(kept) => kept,
            Err(illegal) => panic!("{illegal}: {decision}, of {turn:#?}"),
        };
        event.keep = decision.keep;
        event.points = kept.points;
        event.kind = match kept.then {
            Fallen::Rolls(_) => EventKind::RolledOn,
            Fallen::Wins => EventKind::Won,
            Fallen::Banked(bank) => {
                event.banked = bank.banked;
                EventKind::Banked
            }
        };
        note(seats, event);
    }
    let turns = game.seats().iter().map(|seat| seat.turns).sum();
    (game.result().expect("the match is over"), turns)
}

/// Everybody at the table sees it.
fn note(seats: &mut [Seat], event: Event) {
    for seat in seats {
        seat.turn.seen.history.push(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Greedy;

    impl Agent for Greedy {
        fn decide(&mut self, turn: &Turn) -> Decision {
            match turn.best_bank() {
                Some(keep) => keep.bank(),
                None => turn.best_keep().roll(),
            }
        }
    }

    #[derive(Default)]
    struct KeepsNothing;

    impl Agent for KeepsNothing {
        fn decide(&mut self, _: &Turn) -> Decision {
            Decision { keep: Faces::NONE, next: Next::Roll }
        }
    }

    #[test]
    fn a_legal_agent_passes() {
        assert_always_legal::<Greedy>(5_000);
        let result = play::<Greedy, Greedy>(&presets::PLAY_TABLE, 1, 1_000);
        assert!(result.scores.iter().any(|score| *score >= 10_000));
    }

    #[test]
    #[should_panic(expected = "no dice are kept")]
    fn an_illegal_keep_is_found() {
        assert_always_legal::<KeepsNothing>(1);
    }

    /// `can_bank` answers as the referee does, in every situation of many random matches.
    #[test]
    fn can_bank_agrees_with_the_referee() {
        #[derive(Default)]
        struct Prober;
        impl Agent for Prober {
            fn decide(&mut self, turn: &Turn) -> Decision {
                let keeps = turn.legal_keeps();
                assert_eq!(keeps[0].points, turn.best_keep().points);
                assert_eq!(keeps[0].dice.len(), turn.best_keep().dice.len());
                let random = turn.game().random();
                let keep = *random.pick(&keeps).expect("a roll with a keep");
                // Banks whenever it thinks it may; the referee objects to any error on that side.
                if turn.can_bank(&keep) && random.below(3) == 0 { keep.bank() } else { keep.roll() }
            }
        }
        assert_always_legal::<Prober>(20_000);
    }

    /// The history that agents see adds up to the scores that they see.
    #[test]
    fn history_adds_up_to_the_scores() {
        #[derive(Default)]
        struct Historian {
            read: u32,
            banked: Vec<Points>,
        }
        impl Agent for Historian {
            fn start(&mut self, game: &Game) {
                self.banked = vec![0; game.seats() as usize];
            }
            fn decide(&mut self, turn: &Turn) -> Decision {
                let mut turn_points = 0;
                for event in turn.history(self.read) {
                    self.read += 1;
                    self.banked[event.seat as usize] = event.banked;
                    turn_points = match event.kind {
                        EventKind::RolledOn if event.seat == turn.game().seat() => turn_points + event.points,
                        _ => 0,
                    };
                }
                assert_eq!(self.banked, turn.scores());
                assert!(turn.rolls == 1 || turn_points > 0);
                let keep = turn.best_keep();
                if turn.can_bank(&keep) && turn.at_risk_with(&keep) >= 300 { keep.bank() } else { keep.roll() }
            }
        }
        assert_always_legal::<Historian>(2_000);
    }

    #[test]
    fn a_bank_is_refused_for_its_reasons() {
        let hot = Ruleset { must_roll_hot_dice: true, ..presets::PLAY_TABLE };
        let turn = Situation::new(&hot).roll("111555").turn();
        assert!(!turn.can_bank(&turn.best_keep()));
        assert_eq!(turn.dice_left(&turn.best_keep()), 6);
        // The best of the keeps that leave a die: three 1s and two 5s.
        assert_eq!(turn.best_bank().unwrap().points, 1_100);

        let opening = Situation::new(&presets::MY_TURN_YET).roll("11").at_risk(300);
        assert!(opening.turn().can_bank(&opening.turn().best_keep()), "exactly the opening is enough");
        assert!(!opening.at_risk(299).turn().can_bank(&opening.turn().best_keep()));
        assert!(opening.at_risk(0).scores(&[50, 0]).turn().can_bank(&opening.turn().best_keep()));
    }

    #[test]
    fn winning_is_known_for_certain_only() {
        let wins = |situation: &Situation| {
            let turn = situation.turn();
            turn.wins_by_banking(&turn.best_keep())
        };
        let loses = |situation: &Situation| {
            let turn = situation.turn();
            turn.loses_by_banking(&turn.best_keep())
        };
        // Each roll below is worth 100.
        let at_once = Situation::new(&presets::IMMEDIATE_WIN).scores(&[9_900, 9_999]);
        assert!(wins(&at_once));
        assert!(!wins(&at_once.scores(&[9_899, 0])));

        let last_turn = Situation::new(&presets::PLAY_TABLE).scores(&[9_950, 10_000]).closing(true);
        assert!(wins(&last_turn) && !loses(&last_turn));
        assert!(!wins(&last_turn.scores(&[9_900, 10_000])), "a shared win is no win");
        assert!(!loses(&last_turn.scores(&[9_900, 10_000])));
        assert!(loses(&last_turn.scores(&[9_899, 10_000])));
        assert!(!wins(&last_turn.scores(&[9_950, 10_000, 0])), "another may still close");
        let target = Situation::new(&presets::PLAY_TABLE).scores(&[9_950, 0]);
        assert!(!wins(&target), "the rival has a closing turn");

        let ten = Ruleset { ending: EndingRule::Turns, turns: 10, target: 0, min_seats: 1, ..presets::PLAY_TABLE };
        let tenth = Situation::new(&ten).seat(1).scores(&[500, 450]).after(9, 0);
        assert!(wins(&tenth));
        assert!(!wins(&tenth.after(8, 0)));
        assert!(!wins(&tenth.seat(0)), "seat 1 has its tenth turn to come");
        assert!(loses(&tenth.seat(0).scores(&[450, 551])));
        assert!(!wins(&Situation::new(&ten).scores(&[450]).after(9, 0)), "alone, only points count");
    }
}
