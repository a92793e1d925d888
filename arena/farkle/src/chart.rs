//! What a selection of dice scores.
//!
//! Owns the values of combinations and the reading of a selection, by [`Reading::Best`] and
//! [`Reading::PerFace`]. Refuses to know a roll: whether a selection may be kept is decided in
//! [`keeps`](crate::ScoreTable).
//!
//! All combinations but the six-dice ones, the five-die run and the full house take dice of one
//! face, so a selection's score is a sum over faces, or one of the few mixed combinations plus
//! such a sum for the dice that it leaves.

mod face_values;

use core::fmt;

use self::face_values::{FaceRules, FaceValues, NOTHING};
use crate::faces::Faces;
use crate::ruleset::{Points, Reading, Ruleset};

/// The scoring chart of a ruleset: small and quick to make, so that an agent can make one in
/// every match.
#[derive(Clone, Debug)]
pub struct Chart {
    pub(crate) dice: u8,
    pub(crate) toxic_twos: bool,
    pub(crate) keep_all: bool,
    /// Whether nothing mixes faces but [`is_six_dice_combination`], and no rule bars a keep.
    adds_up: bool,
    reading: Reading,
    /// What dice of one face are worth, for whoever asks how they split.
    rules: FaceRules,
    /// By face, 0 for 1s.
    faces: [Face; 6],
    straight: Points,
    three_pairs: Points,
    four_and_pair: Points,
    two_triplets: Points,
    five_run: Points,
    full_house: Points,
    no_score: Points,
}

/// What dice of one face score.
#[derive(Clone, Debug)]
struct Face {
    /// By number of dice: what all of them score, or [`NOTHING`].
    whole: [Points; 8],
    /// By number of dice: the most valuable part of them; where as many dice must be kept as can
    /// score, the largest that scores.
    best_part: [Part; 8],
}

/// Some dice and what they score: points in the high half, packed [`Faces`] in the low one, so
/// that the parts of a roll add up in one step a face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Part(u64);

impl Part {
    const fn new(face: usize, n: usize, points: Points) -> Part {
        Part((points as u64) << 32 | (n as u64) << (4 * face))
    }

    const fn of(dice: Faces, points: Points) -> Part {
        Part((points as u64) << 32 | dice.packed() as u64)
    }

    #[inline]
    const fn points(self) -> Points {
        (self.0 >> 32) as Points
    }

    #[inline]
    fn keep(self) -> crate::Keep {
        crate::Keep { dice: Faces::from_packed(self.0 as u32), points: self.points() }
    }
}

/// The kinds of scoring combination. Their order breaks ties between equal readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Combination {
    /// One 1 or one 5.
    Single,
    /// Three of a face.
    Triple,
    /// Four of a face.
    FourOfAKind,
    /// Five of a face.
    FiveOfAKind,
    /// Six of a face.
    SixOfAKind,
    /// 1-2-3-4-5-6.
    Straight,
    /// Three pairs of different faces.
    ThreePairs,
    /// Four of a face and two of another.
    FourAndPair,
    /// Three of a face and three of another.
    TwoTriplets,
    /// 1-2-3-4-5 or 2-3-4-5-6.
    FiveRun,
    /// Three of a face and two of another.
    FullHouse,
    /// Six dice of which nothing else scores.
    NoScore,
}

/// One combination in a reading: which, of what dice, worth how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Which combination.
    pub combination: Combination,
    /// The dice that form it.
    pub dice: Faces,
    /// Its points.
    pub points: Points,
}

/// Why a selection scores nothing as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotScoring {
    /// There are no dice.
    #[error("no dice are selected")]
    Empty,
    /// More dice than this ruleset has.
    #[error("{selected} dice are selected, and this ruleset has {dice}")]
    TooManyDice {
        /// How many were selected.
        selected: u8,
        /// How many the ruleset has.
        dice: u8,
    },
    /// Some dice belong to no combination.
    #[error("{} {} nothing", Listed(*dead), if dead.len() == 1 { "left over scores" } else { "left over score" })]
    DeadDice {
        /// The dice that are left when as many as possible are counted in.
        dead: Faces,
    },
    /// Toxic twos: such a roll is a farkle.
    #[error("four or more 2s wipe the turn under this ruleset")]
    ToxicTwos,
}

/// Dice for a sentence: `3`, `2-2-4`.
pub(crate) struct Listed(pub(crate) Faces);

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, die) in self.0.dice().enumerate() {
            if i > 0 {
                f.write_str("-")?;
            }
            write!(f, "{die}")?;
        }
        Ok(())
    }
}

const STRAIGHT: Faces = Faces::from_packed(0x11_1111);
const RUNS: [Faces; 2] = [Faces::from_packed(0x01_1111), Faces::from_packed(0x11_1110)];

/// Whether six dice are a straight, three pairs, four and a pair or two triplets; also true of six
/// alike.
#[inline]
fn is_six_dice_combination(dice: Faces) -> bool {
    let odd = dice.packed() & 0x11_1111;
    // No count is odd, or all are, or all are threes.
    odd == 0 || dice == STRAIGHT || dice.packed() == 3 * odd
}

/// Which combination of different faces six dice are, whatever it scores; [`Combination::NoScore`]
/// aside.
#[inline]
fn six_dice_combination(dice: Faces) -> Option<Combination> {
    // By the bits of the counts: 1s, 2s and 4s.
    let counts = dice.packed();
    let (ones, twos, fours) = (counts & 0x11_1111, counts >> 1 & 0x11_1111, counts >> 2 & 0x11_1111);
    if !is_six_dice_combination(dice) {
        None
    } else if ones != 0 {
        Some(if twos == 0 { Combination::Straight } else { Combination::TwoTriplets })
    } else if fours == 0 {
        Some(Combination::ThreePairs)
    } else if fours & twos == 0 {
        Some(Combination::FourAndPair)
    } else {
        // Six alike are a kind.
        None
    }
}

impl Face {
    /// Of which no dice score.
    const BLANK: Face =
        Face { whole: [0, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, 0], best_part: [Part(0); 8] };

    /// Works out what up to so many dice of this face (0 for 1s) are worth. Not inlined six times:
    /// agents carry this code.
    #[inline(never)]
    const fn fill(&mut self, rules: &FaceRules, reading: Reading, dice: u8, keep_all: bool, number: usize) {
        *self = Face::BLANK;
        let FaceValues { single, mut kinds } = FaceValues::new(rules, number);
        let is_best = matches!(reading, Reading::Best);
        if is_best && kinds[6] < 2 * kinds[3] {
            // Of dice that are all to score, the best split is one kind, two triples, or has a single.
            kinds[6] = 2 * kinds[3];
        }
        // Where singles score any number of dice does, and else three at least.
        let (mut n, mut whole) = if single > 0 { (1, 0) } else { (3, NOTHING) };
        let mut best = Part(0);
        while n <= (dice & 7) as usize {
            // The masks leave nothing to check.
            let kind = kinds[n & 7];
            let with_single = match single {
                0 => NOTHING,
                single if is_best => whole + single,
                single => n as Points * single,
            };
            let kind_first = kind > 0 && (kind > with_single || !is_best);
            whole = if kind_first { kind } else { with_single };
            if whole > if keep_all { 0 } else { best.points() } {
                best = Part::new(number, n, whole);
            }
            self.whole[n & 7] = whole;
            self.best_part[n & 7] = best;
            n += 1;
        }
    }
}

impl Chart {
    /// No dice, of which nothing scores: a chart before its ruleset is known.
    pub const BLANK: Chart = Chart {
        dice: 0,
        toxic_twos: false,
        keep_all: false,
        adds_up: true,
        reading: Reading::Best,
        rules: FaceRules::BLANK,
        faces: [Face::BLANK; 6],
        straight: 0,
        three_pairs: 0,
        four_and_pair: 0,
        two_triplets: 0,
        five_run: 0,
        full_house: 0,
        no_score: 0,
    };

    /// The chart of a ruleset that [validates](Ruleset::validate).
    pub const fn new(rules: &Ruleset) -> Chart {
        let mut chart = Chart::BLANK;
        chart.follow(rules);
        chart
    }

    /// Becomes the chart of a ruleset, in place: an agent spares the copies of a new one.
    ///
    /// ```
    /// use farkle::{Chart, presets};
    /// let mut chart = Chart::BLANK;
    /// chart.follow(&presets::FIVE_DICE);
    /// assert_eq!((chart.dice(), chart.points("11".parse()?)), (5, Some(200)));
    /// # Ok::<(), farkle::FacesError>(())
    /// ```
    pub const fn follow(&mut self, rules: &Ruleset) {
        self.dice = rules.dice;
        self.toxic_twos = rules.toxic_twos;
        self.keep_all = rules.keep_all;
        self.adds_up = !rules.toxic_twos && rules.five_run == 0 && rules.full_house == 0 && rules.no_score == 0;
        self.reading = rules.reading;
        self.straight = rules.straight;
        self.three_pairs = rules.three_pairs;
        self.four_and_pair = rules.four_and_pair;
        self.two_triplets = rules.two_triplets;
        self.five_run = rules.five_run;
        self.full_house = rules.full_house;
        self.no_score = rules.no_score;
        self.rules = FaceRules::of(rules);
        let mut number = 0;
        while number < self.faces.len() {
            self.faces[number].fill(&self.rules, rules.reading, rules.dice, rules.keep_all, number);
            number += 1;
        }
    }

    /// How many dice the ruleset has.
    pub fn dice(&self) -> u8 {
        self.dice
    }

    /// What a selection scores as a whole, or `None` when some of its dice do not score
    /// (rulings 1 to 5).
    ///
    /// ```
    /// use farkle::{Chart, Faces, presets};
    /// let chart = Chart::new(&presets::IMMEDIATE_WIN);
    /// assert_eq!(chart.points("222233".parse()?), Some(1_500));
    /// assert_eq!(chart.points("153".parse()?), None);
    /// # Ok::<(), farkle::FacesError>(())
    /// ```
    pub fn points(&self, selection: Faces) -> Option<Points> {
        if selection.is_empty() || selection.len() > self.dice || self.is_toxic(selection) {
            return None;
        }
        let mut best = self.by_face(selection);
        if self.mixes_five() {
            for group in self.mixed_five(selection) {
                let rest = selection.less(group.dice);
                best = best.max(self.by_face(rest).map(|points| points + group.points));
            }
        }
        if selection.len() == 6 {
            best = best.max(self.six_dice(selection).map(|group| group.points));
        }
        best
    }

    /// The reading of a selection: the combinations that it is scored as. Of equal readings the
    /// one with the fewest combinations, then the first in the order of [`Combination`].
    ///
    /// # Errors
    ///
    /// [`NotScoring`] when some of its dice do not score.
    pub fn reading(&self, selection: Faces) -> Result<Vec<Group>, NotScoring> {
        if selection.is_empty() {
            return Err(NotScoring::Empty);
        }
        if selection.len() > self.dice {
            return Err(NotScoring::TooManyDice { selected: selection.len(), dice: self.dice });
        }
        if self.is_toxic(selection) {
            return Err(NotScoring::ToxicTwos);
        }
        let mut readings: Vec<Vec<Group>> = self.groups_by_face(selection).into_iter().collect();
        for group in self.mixed_five(selection) {
            readings.extend(self.groups_by_face(selection.less(group.dice)).map(|mut groups| {
                groups.push(group);
                groups
            }));
        }
        readings.extend(self.six_dice(selection).map(|group| vec![group]));
        let order = |groups: &Vec<Group>| {
            let points: Points = groups.iter().map(|g| g.points).sum();
            let mut kinds: Vec<_> = groups.iter().map(|g| (g.combination, g.dice.packed())).collect();
            kinds.sort_unstable();
            (-points, groups.len(), kinds)
        };
        match readings.into_iter().min_by_key(order) {
            Some(mut reading) => {
                reading.sort_by_key(|g| (g.combination, g.dice.packed()));
                Ok(reading)
            }
            None => Err(NotScoring::DeadDice { dead: self.dead_dice(selection) }),
        }
    }

    /// The most valuable keep of a roll, of equal ones that with the fewest dice; `None` for a
    /// farkle. Takes a few steps where listing all keeps takes up to 63.
    ///
    /// ```
    /// use farkle::{Chart, Faces, presets};
    /// let chart = Chart::new(&presets::PLAY_TABLE);
    /// let keep = chart.best_keep("112346".parse()?).unwrap();
    /// assert_eq!((keep.dice.to_string(), keep.points), ("11".into(), 200));
    /// # Ok::<(), farkle::FacesError>(())
    /// ```
    #[inline]
    pub fn best_keep(&self, roll: Faces) -> Option<crate::Keep> {
        let best = if self.adds_up {
            let by_face = self.best_by_face(roll);
            let is_mixed = roll.len() == 6 && is_six_dice_combination(roll);
            if is_mixed { self.best_with_six_dice(roll, by_face) } else { by_face }
        } else {
            self.best_of_mixed_keeps(roll)
        };
        (best.points() > 0).then(|| best.keep())
    }

    /// The better of a six-dice combination and the best parts of every face.
    #[inline(never)]
    fn best_with_six_dice(&self, roll: Faces, by_face: Part) -> Part {
        let points = six_dice_combination(roll).map_or(0, |combination| self.six_dice_points(combination));
        // Where as many dice must be kept as can score, any points will do.
        let least = if self.keep_all && by_face.keep().dice != roll { 0 } else { by_face.points() };
        if points > least { Part::of(roll, points) } else { by_face }
    }

    /// The most valuable keep where combinations of five dice mix faces or a rule bars keeps; no
    /// points for a farkle. A function of its own, to keep the usual case short, and one that returns a
    /// number, to keep it off the stack of an agent that is otherwise not touched.
    #[inline(never)]
    fn best_of_mixed_keeps(&self, roll: Faces) -> Part {
        use crate::Keep;
        if self.is_toxic(roll) {
            return Part(0);
        }
        let mut best = self.best_by_face(roll).keep();
        let mut consider = |keep: Keep| {
            let fewer = best.dice.len().cmp(&keep.dice.len());
            let more_points = keep.points.cmp(&best.points);
            let order = if self.keep_all { fewer.reverse().then(more_points) } else { more_points.then(fewer) };
            if order.is_gt() {
                best = keep;
            }
        };
        if self.mixes_five() {
            for group in self.mixed_five(roll) {
                let rest = self.best_by_face(roll.less(group.dice)).keep();
                let dice = Faces::from_packed(group.dice.packed() + rest.dice.packed());
                consider(Keep { dice, points: group.points + rest.points });
            }
        }
        if roll.len() == 6
            && let Some(group) = self.six_dice(roll)
        {
            consider(Keep { dice: roll, points: group.points });
        }
        Part::of(best.dice, best.points)
    }

    /// Whether there are combinations of five dice of different faces.
    #[inline]
    pub(crate) fn mixes_five(&self) -> bool {
        self.five_run > 0 || self.full_house > 0
    }

    /// Whether so many dice of a face (0 for 1s) score without any other.
    #[inline]
    pub(crate) fn splits_alone(&self, face: usize, n: u8) -> bool {
        self.faces[face].whole[usize::from(n)] != NOTHING
    }

    /// Whether such a roll is a farkle whatever else it shows.
    #[inline]
    pub(crate) fn is_toxic(&self, roll: Faces) -> bool {
        self.toxic_twos && roll.count(2) >= 4
    }

    /// What the dice of every face score, added up, if every die scores.
    #[inline]
    fn by_face(&self, selection: Faces) -> Option<Points> {
        let mut points = 0;
        let mut all_score = true;
        for (face, n) in self.faces.iter().zip(selection.counts()) {
            let scored = face.whole[usize::from(n & 7)];
            all_score &= scored != NOTHING;
            points += scored;
        }
        all_score.then_some(points)
    }

    /// The most valuable parts of every face.
    #[inline]
    fn best_by_face(&self, roll: Faces) -> Part {
        let mut sum = 0;
        for (face, n) in self.faces.iter().zip(roll.counts()) {
            // A count is at most six; the mask leaves nothing to check.
            sum += face.best_part[usize::from(n & 7)].0;
        }
        Part(sum)
    }

    fn groups_by_face(&self, selection: Faces) -> Option<Vec<Group>> {
        let mut groups = Vec::new();
        for (face, n) in selection.counts().into_iter().enumerate() {
            let values = FaceValues::new(&self.rules, face);
            let split = values.best_split(self.reading, n)?;
            debug_assert_eq!(split.points, self.faces[face].whole[usize::from(n)]);
            for _ in 0..split.singles {
                let dice = Faces::of(face + 1, 1);
                groups.push(Group { combination: Combination::Single, dice, points: values.single });
            }
            for size in split.kinds.into_iter().filter(|size| *size > 0) {
                let combination = match size {
                    3 => Combination::Triple,
                    4 => Combination::FourOfAKind,
                    5 => Combination::FiveOfAKind,
                    _ => Combination::SixOfAKind,
                };
                let points = values.kinds[usize::from(size)];
                groups.push(Group { combination, dice: Faces::of(face + 1, size), points });
            }
        }
        Some(groups)
    }

    /// The five-die runs and full houses in a selection.
    fn mixed_five(&self, selection: Faces) -> impl Iterator<Item = Group> {
        let places = if selection.len() >= 5 { 0..8 } else { 0..0 };
        places.filter_map(move |place| self.mixed_group(selection, place))
    }

    /// The run at place 0 or 1, or the full house whose triple shows that place's face less one, if
    /// the selection has it. One small function instead of a chain of iterators: agents carry this
    /// code, and most of them never run it.
    #[cold]
    #[inline(never)]
    fn mixed_group(&self, selection: Faces, place: usize) -> Option<Group> {
        let group = if let Some(run) = RUNS.get(place) {
            Group { combination: Combination::FiveRun, dice: *run, points: self.five_run }
        } else {
            let face = place - RUNS.len();
            let triple = if face < 6 { self.rules.triple(face) } else { return None };
            // At most one other face shows two or more: a triple leaves three dice.
            let counts = selection.packed();
            let pair = (counts >> 1 | counts >> 2) & 0x11_1111 & !(1 << (4 * face));
            let points = if triple > 0 && self.full_house > 0 && pair != 0 { triple + self.full_house } else { 0 };
            Group {
                combination: Combination::FullHouse,
                dice: Faces::unchecked((3 << (4 * face)) | (2 * pair)),
                points,
            }
        };
        (group.points > 0 && selection.contains(group.dice)).then_some(group)
    }

    /// The most valuable combination of all six dice of different faces (rulings 4 and 19).
    fn six_dice(&self, selection: Faces) -> Option<Group> {
        if selection.len() != 6 {
            return None;
        }
        let group = |combination, points| Group { combination, dice: selection, points };
        if let Some(combination) = six_dice_combination(selection)
            && let points @ 1.. = self.six_dice_points(combination)
        {
            return Some(group(combination, points));
        }
        // Where no triple scores there is no full house either.
        let nothing_scores = self.no_score > 0
            && self.best_by_face(selection).points() == 0
            && !(self.five_run > 0 && RUNS.iter().any(|run| selection.contains(*run)));
        nothing_scores.then(|| group(Combination::NoScore, self.no_score))
    }

    /// What a combination of [`six_dice_combination`] scores.
    #[inline]
    fn six_dice_points(&self, combination: Combination) -> Points {
        match combination {
            Combination::Straight => self.straight,
            Combination::ThreePairs => self.three_pairs,
            Combination::FourAndPair => self.four_and_pair,
            Combination::TwoTriplets => self.two_triplets,
            _ => 0,
        }
    }

    /// What is left of a selection when as many dice as possible are scored.
    fn dead_dice(&self, selection: Faces) -> Faces {
        selection
            .parts()
            .filter(|part| part.is_empty() || self.points(*part).is_some())
            .max_by_key(|part| part.len())
            .and_then(|part| selection.without(part))
            .unwrap_or(selection)
    }
}
