//! What stays the same through a match.
//!
//! Owns the seat, the rules in play and the agent's random numbers. Refuses to change.

use core::cell::{Cell, OnceCell};

use std::borrow::Cow;

use farkle::{Chart, EndingRule, Expectation, Faces, Keep, Points, Ruleset, presets};

use crate::history::Watch;
use crate::random::Random;

/// One match, as one seat sees it.
///
/// ```
/// use agent_sdk::{farkle::presets, testing::Situation};
/// let turn = Situation::new(&presets::PLAY_TABLE).seat(1).scores(&[0, 0, 0]).turn();
/// let game = turn.game();
/// assert_eq!((game.seat(), game.seats(), game.turn_limit()), (1, 3, 1_000));
/// assert_eq!(game.chart().points("115".parse()?), Some(250));
/// assert!(game.random().below(6) < 6);
/// # Ok::<(), agent_sdk::farkle::FacesError>(())
/// ```
#[derive(Debug)]
pub struct Game {
    seat: u32,
    seats: u32,
    turn_limit: u32,
    /// The most turns that the rules and the limit leave to a seat.
    pub(crate) turns: u32,
    /// The least score that wins at once; never reached where none does.
    pub(crate) wins_from: Points,
    /// Whether no rule but the opening bars a bank: never [`bars_bank`](Game::bars_bank).
    pub(crate) banks_freely: bool,
    agent_seed: u64,
    /// Made when it is first asked for: most agents never do.
    random: OnceCell<Random>,
    ruleset: Cow<'static, Ruleset>,
    chart: Chart,
    /// By dice - 1, as they are asked for; 0 is not worked out.
    farkle_chances: [Cell<f64>; 6],
    expectation: OnceCell<Option<Box<Expectation>>>,
    /// How many events [`news`](crate::Turn::news) has told.
    pub(crate) news: Cell<u32>,
    pub(crate) watch: Cell<Watch>,
}

/// The game of a turn: in a component the seat's own, so that a turn is numbers and no more;
/// natively shared, so that a turn outlives what made it.
#[cfg(target_arch = "wasm32")]
pub(crate) type GameOf<'m> = &'m Game;

/// The same, natively.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Debug)]
pub(crate) struct GameOf<'m>(std::rc::Rc<Game>, core::marker::PhantomData<&'m Game>);

#[cfg(not(target_arch = "wasm32"))]
impl GameOf<'_> {
    pub(crate) fn new(game: Game) -> GameOf<'static> {
        GameOf(game.into(), core::marker::PhantomData)
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl core::ops::Deref for GameOf<'_> {
    type Target = Game;

    fn deref(&self) -> &Game {
        &self.0
    }
}

impl Game {
    /// Before a match: a game by the rules that most are played by. They are worked out by the
    /// compiler, so that nothing is to be done for them when a match begins.
    pub(crate) const fn blank() -> Game {
        Game {
            seat: 0,
            seats: 0,
            turn_limit: 0,
            turns: 0,
            wins_from: Points::MAX,
            banks_freely: true,
            agent_seed: 0,
            random: OnceCell::new(),
            ruleset: Cow::Borrowed(&presets::IMMEDIATE_WIN),
            chart: Chart::new(&presets::IMMEDIATE_WIN),
            farkle_chances: [const { Cell::new(0.0) }; 6],
            expectation: OnceCell::new(),
            news: Cell::new(0),
            watch: Cell::new(Watch { read: 0, out: 0, reached: None }),
        }
    }

    /// A match begins, by the rules that [`follow`](Game::follow) was last given.
    pub(crate) fn begin(&mut self, seat: u32, seats: u32, agent_seed: u64, turn_limit: u32) {
        self.seat = seat;
        self.seats = seats;
        self.turn_limit = turn_limit;
        self.agent_seed = agent_seed;
        self.turns = match self.ruleset.ending {
            EndingRule::Turns => turn_limit.min(self.ruleset.turns),
            EndingRule::ImmediateWin | EndingRule::FinalRound => turn_limit,
        };
        self.wins_from = match self.ruleset.ending {
            EndingRule::ImmediateWin => self.ruleset.target,
            EndingRule::FinalRound | EndingRule::Turns => Points::MAX,
        };
        self.banks_freely = !self.ruleset.must_roll_hot_dice && !self.ruleset.exact_landing;
    }

    /// Whether the rules bar a bank, of hot dice or with this score.
    #[inline(never)]
    pub(crate) fn bars_bank(&self, hot: bool, total: Points) -> bool {
        self.ruleset.must_roll_hot_dice && hot || self.ruleset.exact_landing && total > self.ruleset.target
    }

    /// Takes the rules of that [id](Ruleset::id): a preset's, or else those that it is told, which are
    /// without a name. In place, and not a new value: every copy on its way would be more of the stack
    /// to clear between matches.
    pub(crate) fn follow(&mut self, ruleset_id: u64, told: impl FnOnce() -> Ruleset) {
        let blank = const { presets::IMMEDIATE_WIN.id() };
        if ruleset_id != blank {
            // Being told costs more than many an agent's whole match.
            self.ruleset = presets::by_id(ruleset_id).map_or_else(|| Cow::Owned(told()), Cow::Borrowed);
            self.chart.follow(&self.ruleset);
        }
    }

    /// What [`Turn::best_keep`](crate::Turn::best_keep) answers.
    #[inline]
    pub(crate) fn best_keep(&self, roll: Faces) -> Keep {
        self.chart.best_keep(roll).unwrap_or(Keep { dice: Faces::NONE, points: 0 })
    }

    /// The agent's place at the table, from 0 in turn order.
    #[inline]
    pub fn seat(&self) -> u32 {
        self.seat
    }

    /// How many seats the table has.
    #[inline]
    pub fn seats(&self) -> u32 {
        self.seats
    }

    /// The most turns that any seat has, closing turns aside.
    #[inline]
    pub fn turn_limit(&self) -> u32 {
        self.turn_limit
    }

    /// The rules of this match. Their name is that of the preset with these rules, whatever the
    /// arena's file calls them, and empty where no preset has them.
    ///
    /// ```
    /// use agent_sdk::{farkle::presets, testing::Situation};
    /// let turn = Situation::new(&presets::PLAY_TABLE).turn();
    /// assert_eq!(turn.game().ruleset(), &presets::PLAY_TABLE);
    /// ```
    #[inline]
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// What selections of dice score under these rules.
    #[inline]
    pub fn chart(&self) -> &Chart {
        &self.chart
    }

    /// The agent's own random numbers: others in every match and seat, the same when a match is
    /// played again.
    #[inline]
    pub fn random(&self) -> &Random {
        self.random.get_or_init(|| Random::new(self.agent_seed))
    }

    /// The chance that a roll of so many dice is a farkle: exact, from the chart of the rules in
    /// play. Worked out when it is first asked for, which costs some 250,000 units of fuel for six
    /// dice and less for fewer; then it is known.
    ///
    /// ```
    /// use agent_sdk::{farkle::presets, testing::Situation};
    /// let turn = Situation::new(&presets::PLAY_TABLE).turn();
    /// // Neither a 1 nor a 5.
    /// assert_eq!(turn.game().farkle_chance(1), 4.0 / 6.0);
    /// assert_eq!(turn.game().farkle_chance(2), 16.0 / 36.0);
    /// ```
    ///
    /// # Panics
    ///
    /// When `dice` is 0 or more than six.
    pub fn farkle_chance(&self, dice: u8) -> f64 {
        let known = &self.farkle_chances[usize::from(dice) - 1];
        if known.get() == 0.0 {
            let farkles = Faces::all(dice).filter(|roll| self.chart.is_farkle(*roll));
            let ways: u32 = farkles.map(Faces::ways).sum();
            known.set(f64::from(ways) / f64::from(6u32.pow(dice.into())));
        }
        known.get()
    }

    /// What rolling on is worth in points, solved exactly for the rules in play; `None` where
    /// points are not all that a turn can win (`six_wins`), or the table would be too large.
    ///
    /// Solved when it is first asked for, which costs some 50 million units of fuel: ask in
    /// [`Agent::start`](crate::Agent::start), whose allowance is 200 million, and not in `decide`,
    /// whose allowance is 20. It costs less than 1 KB in the component and some 100 KB of memory.
    ///
    /// ```
    /// use agent_sdk::{Agent, Decision, Game, Turn, farkle::presets, testing::Situation};
    /// #[derive(Default)]
    /// struct MyAgent;
    /// impl Agent for MyAgent {
    ///     fn start(&mut self, game: &Game) {
    ///         game.expectation();
    ///     }
    ///     fn decide(&mut self, turn: &Turn) -> Decision {
    ///         let keep = turn.best_keep();
    ///         match turn.gain_by_rolling(&keep) {
    ///             Some(gain) if gain < 0.0 => keep.bank(),
    ///             _ => keep.roll(),
    ///         }
    ///     }
    /// }
    /// let situation = Situation::new(&presets::IMMEDIATE_WIN).roll("155");
    /// assert_eq!(situation.decide::<MyAgent>().to_string(), "keep 1-5-5, roll", "hot dice");
    /// ```
    pub fn expectation(&self) -> Option<&Expectation> {
        /// The built-in rulesets take about 800.
        const MOST_ENTRIES: usize = 1_200;
        let solve = || Expectation::solve_within(&self.ruleset, MOST_ENTRIES).ok().map(Box::new);
        self.expectation.get_or_init(solve).as_deref()
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn agent_seed(&self) -> u64 {
        self.agent_seed
    }
}
