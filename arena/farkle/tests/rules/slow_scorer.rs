//! A second scorer, obvious and slow, written from the words of the rules and not from the chart.
//!
//! It lists every single combination that a ruleset has, and finds every way to take dice away
//! combination by combination until none is left. Rulings in brackets are those of the rules.

use farkle::{Combination, Faces, Kinds, Points, Reading, Ruleset};

/// How many dice show each face, from 1s to 6s.
pub(crate) type Counts = [u8; 6];

/// One combination: which, of what dice, worth how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) combination: Combination,
    pub(crate) dice: Counts,
    pub(crate) points: Points,
}

/// Scores selections under one ruleset.
pub(crate) struct SlowScorer {
    pub(crate) rules: Ruleset,
    /// Every combination there is, no-score aside.
    pieces: Vec<Piece>,
}

/// What the rules say about one selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) points: Points,
    /// The combinations of the best reading, in order.
    pub(crate) combinations: Vec<Combination>,
}

fn size(dice: Counts) -> u8 {
    dice.iter().sum()
}

fn take(from: Counts, part: Counts) -> Option<Counts> {
    let mut left = from;
    for face in 0..6 {
        left[face] = left[face].checked_sub(part[face])?;
    }
    Some(left)
}

/// `n` dice of a face (0 for 1s).
fn alike(face: usize, n: u8) -> Counts {
    let mut dice = [0; 6];
    dice[face] = n;
    dice
}

fn together(a: Counts, b: Counts) -> Counts {
    std::array::from_fn(|face| a[face] + b[face])
}

/// Three of a face: face × 100, but what the ruleset says for 1s.
fn triple(rules: &Ruleset, face: usize) -> Points {
    if face == 0 { rules.three_ones } else { (face as Points + 1) * 100 }
}

/// Three or more of a face, 0 where there is no such combination.
fn kind(rules: &Ruleset, face: usize, n: u8) -> Points {
    if n == 6 && rules.six_of_a_kind > 0 {
        return rules.six_of_a_kind;
    }
    match (n, rules.kinds) {
        (3, _) => triple(rules, face),
        (4, Kinds::Flat) => rules.four_of_a_kind,
        (5, Kinds::Flat) => rules.five_of_a_kind,
        (_, Kinds::Flat | Kinds::None) => 0,
        // Doubled for each die beyond the third: x2, x4, x8.
        (4, Kinds::Doubling) => triple(rules, face) * 2,
        (5, Kinds::Doubling) => triple(rules, face) * 4,
        (_, Kinds::Doubling) => triple(rules, face) * 8,
        // Added once more for each die beyond the third: x2, x3, x4.
        (4, Kinds::Adding) => triple(rules, face) * 2,
        (5, Kinds::Adding) => triple(rules, face) * 3,
        (_, Kinds::Adding) => triple(rules, face) * 4,
    }
}

/// Every combination of a ruleset. Those worth nothing are switched off.
fn every_piece(rules: &Ruleset) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut add = |combination, dice: Counts, points: Points| {
        if points > 0 && size(dice) <= rules.dice {
            pieces.push(Piece { combination, dice, points });
        }
    };
    add(Combination::Single, alike(0, 1), rules.single_one);
    add(Combination::Single, alike(4, 1), rules.single_five);
    for face in 0..6 {
        add(Combination::Triple, alike(face, 3), kind(rules, face, 3));
        add(Combination::FourOfAKind, alike(face, 4), kind(rules, face, 4));
        add(Combination::FiveOfAKind, alike(face, 5), kind(rules, face, 5));
        add(Combination::SixOfAKind, alike(face, 6), kind(rules, face, 6));
    }
    add(Combination::Straight, [1; 6], rules.straight);
    add(Combination::FiveRun, [1, 1, 1, 1, 1, 0], rules.five_run);
    add(Combination::FiveRun, [0, 1, 1, 1, 1, 1], rules.five_run);
    for a in 0..6 {
        for b in 0..6 {
            // Pairs, triplets and quads of one combination show different faces (ruling 4).
            if a == b {
                continue;
            }
            add(Combination::FourAndPair, together(alike(a, 4), alike(b, 2)), rules.four_and_pair);
            if a < b {
                add(Combination::TwoTriplets, together(alike(a, 3), alike(b, 3)), rules.two_triplets);
            }
            // A bonus on the triple, so there is no full house on a triple that does not score.
            if rules.full_house > 0 && triple(rules, a) > 0 {
                let house = together(alike(a, 3), alike(b, 2));
                add(Combination::FullHouse, house, triple(rules, a) + rules.full_house);
            }
            for c in 0..6 {
                if a < b && b < c {
                    let pairs = together(together(alike(a, 2), alike(b, 2)), alike(c, 2));
                    add(Combination::ThreePairs, pairs, rules.three_pairs);
                }
            }
        }
    }
    pieces
}

impl SlowScorer {
    pub(crate) fn new(rules: &Ruleset) -> SlowScorer {
        SlowScorer { rules: rules.clone(), pieces: every_piece(rules) }
    }

    /// Toxic twos: four or more 2s wipe the turn, whatever else is there (ruling 18).
    pub(crate) fn is_toxic(&self, dice: Counts) -> bool {
        self.rules.toxic_twos && dice[1] >= 4
    }

    /// What a selection scores, or `None` where it is not legal (rulings 1 to 5, 18 and 19).
    pub(crate) fn score(&self, selection: Counts) -> Option<Score> {
        if size(selection) == 0 || size(selection) > self.rules.dice || self.is_toxic(selection) {
            return None;
        }
        let splits = match self.rules.reading {
            Reading::Best => self.every_split(selection),
            Reading::PerFace => self.per_face_splits(selection),
        };
        let scores = splits.into_iter().map(|split| {
            let mut combinations: Vec<_> = split.iter().map(|piece| piece.combination).collect();
            combinations.sort();
            Score { points: split.iter().map(|piece| piece.points).sum(), combinations }
        });
        // Most points; then fewest combinations; then in the order of the combinations.
        let mut scores: Vec<_> = scores.collect();
        scores.sort_by_key(|score| (-score.points, score.combinations.len(), score.combinations.clone()));
        scores.into_iter().next()
    }

    /// Whether these dice are one combination of the ruleset, worth so much.
    pub(crate) fn has_piece(&self, piece: Piece) -> bool {
        self.pieces.contains(&piece) || self.no_score(piece.dice) == Some(piece)
    }

    /// Six dice from which nothing else scores are themselves a combination (ruling 19).
    fn no_score(&self, dice: Counts) -> Option<Piece> {
        let nothing = self.pieces.iter().all(|piece| take(dice, piece.dice).is_none());
        let piece = Piece { combination: Combination::NoScore, dice, points: self.rules.no_score };
        (nothing && size(dice) == 6 && piece.points > 0).then_some(piece)
    }

    /// Every way to split a selection into combinations that use every die once.
    fn every_split(&self, selection: Counts) -> Vec<Vec<Piece>> {
        let mut found = Vec::new();
        self.split_on(selection, 0, &mut Vec::new(), &mut found);
        found.extend(self.no_score(selection).map(|piece| vec![piece]));
        found
    }

    /// Takes combinations from number `from` on, so that each set of combinations comes once.
    fn split_on(&self, left: Counts, from: usize, taken: &mut Vec<Piece>, found: &mut Vec<Vec<Piece>>) {
        if size(left) == 0 {
            found.push(taken.clone());
            return;
        }
        for (number, piece) in self.pieces.iter().enumerate().skip(from) {
            if let Some(rest) = take(left, piece.dice) {
                taken.push(*piece);
                self.split_on(rest, number, taken, found);
                taken.pop();
            }
        }
    }

    /// Per face: each face's dice as one group, or all six dice as one combination (ruling 1).
    fn per_face_splits(&self, selection: Counts) -> Vec<Vec<Piece>> {
        let whole = |piece: &&Piece| piece.dice == selection;
        let mut splits: Vec<Vec<Piece>> =
            self.pieces.iter().filter(whole).filter(|piece| size(piece.dice) == 6).map(|piece| vec![*piece]).collect();
        splits.extend(self.no_score(selection).map(|piece| vec![piece]));
        let groups: Option<Vec<Vec<Piece>>> = (0..6)
            .filter(|face| selection[*face] > 0)
            .map(|face| {
                let all = alike(face, selection[face]);
                if let Some(kind) = self.pieces.iter().find(|piece| piece.dice == all) {
                    return Some(vec![*kind]);
                }
                // No combination of that many dice of the face: they are singles, or they are dead.
                let single = self.pieces.iter().find(|piece| piece.dice == alike(face, 1))?;
                Some(vec![*single; selection[face].into()])
            })
            .collect();
        splits.extend(groups.map(|groups| groups.concat()));
        splits
    }
}

/// Every selection of one to six dice.
pub(crate) fn all_selections() -> Vec<Counts> {
    let mut all = Vec::new();
    for n in 1..=6 {
        all.extend(rolls_by_faces(n));
    }
    assert_eq!(all.len(), 923);
    all
}

/// Every roll of so many dice, distinct by faces: dice in ascending order, one after another.
pub(crate) fn rolls_by_faces(dice: u8) -> Vec<Counts> {
    fn go(dice: u8, least: usize, counts: Counts, all: &mut Vec<Counts>) {
        if dice == 0 {
            all.push(counts);
            return;
        }
        for face in least..6 {
            go(dice - 1, face, together(counts, alike(face, 1)), all);
        }
    }
    let mut all = Vec::new();
    go(dice, 0, [0; 6], &mut all);
    all
}

/// Every roll of so many dice, in the order in which they lie.
pub(crate) fn ordered_rolls(dice: u8) -> impl Iterator<Item = Vec<u8>> {
    (0..6usize.pow(dice.into())).map(move |mut number| {
        (0..dice)
            .map(|_| {
                let die = 1 + (number % 6) as u8;
                number /= 6;
                die
            })
            .collect()
    })
}

/// Counts of dice given one by one.
pub(crate) fn count(dice: impl IntoIterator<Item = u8>) -> Counts {
    let mut counts = [0; 6];
    for die in dice {
        counts[usize::from(die) - 1] += 1;
    }
    counts
}

pub(crate) fn faces(counts: Counts) -> Faces {
    Faces::from_counts(counts).expect("at most six dice")
}
