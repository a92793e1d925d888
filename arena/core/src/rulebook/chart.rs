//! What each combination is worth, for people, and where that is not the whole truth.
//!
//! Owns the rows and the dice that each stands for. Refuses to score: it asks the scorer.

use farkle::{Chart, Combination, Faces, Kinds, Points, Ruleset};

use super::{dashed, thousands};

/// A row of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The combination, for people.
    pub label: String,
    /// What it is worth, for people.
    pub worth: String,
    /// All dice that form it, each with what the row says that they are worth.
    pub dice: Vec<(Faces, Points)>,
}

/// The chart of a ruleset, single dice first. Combinations that are switched off have no row.
///
/// ```
/// let rows = arena_core::rulebook::chart(&farkle::presets::PATCH);
/// assert_eq!((rows[2].label.as_str(), rows[2].worth.as_str()), ("Three 1s", "300"));
/// ```
pub fn chart(rules: &Ruleset) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |label: String, worth: String, mut dice: Vec<(Faces, Points)>| {
        dice.retain(|(dice, points)| *points > 0 && dice.len() <= rules.dice);
        if !dice.is_empty() {
            rows.push(Row { label, worth, dice });
        }
    };
    let flat = |points: Points, dice: Vec<Faces>| (thousands(points), dice.into_iter().map(|d| (d, points)).collect());

    for (label, face, points) in [("Each 1", 0, rules.single_one), ("Each 5", 4, rules.single_five)] {
        let (worth, dice) = flat(points, vec![alike(face, 1)]);
        add(label.to_owned(), worth, dice);
    }
    let triple = |face: usize| if face == 0 { rules.three_ones } else { 100 * (face as Points + 1) };
    // A value for each face: only those that there are.
    let by_face = |number: &str, n: u8, from: usize, worth: &dyn Fn(usize) -> Points| {
        let known: Vec<usize> = (from..6).filter(|face| worth(*face) > 0).collect();
        let join = |texts: Vec<String>| texts.join(" / ");
        let label = join(known.iter().map(|face| format!("{}s", face + 1)).collect());
        let figures = join(known.iter().map(|face| thousands(worth(*face))).collect());
        (format!("{number} {label}"), figures, known.iter().map(|f| (alike(*f, n), worth(*f))).collect::<Vec<_>>())
    };
    let (worth, dice) = flat(rules.three_ones, vec![alike(0, 3)]);
    add("Three 1s".to_owned(), worth, dice);
    let (label, worth, dice) = by_face("Three", 3, 1, &triple);
    add(label, worth, dice);
    for (n, number, points) in
        [(4, "Four", rules.four_of_a_kind), (5, "Five", rules.five_of_a_kind), (6, "Six", rules.six_of_a_kind)]
    {
        let further = u32::from(n) - 3;
        // A value of its own replaces what `kinds` would pay; only six of a kind has one there.
        match rules.kinds {
            Kinds::Doubling if points == 0 => {
                let (label, worth, dice) = by_face(number, n, 0, &|face| triple(face) << further);
                add(label, worth, dice);
            }
            Kinds::Adding if points == 0 => {
                let (label, worth, dice) = by_face(number, n, 0, &|face| triple(face) * (further as Points + 1));
                add(label, worth, dice);
            }
            _ => {
                let (worth, dice) = flat(points, (0..6).map(|face| alike(face, n)).collect());
                add(format!("{number} of a kind"), worth, dice);
            }
        }
    }
    let shaped = |sizes: &[u8]| -> Vec<Faces> {
        let mut sizes = sizes.to_vec();
        sizes.sort_unstable();
        let shape = |dice: &Faces| {
            let mut counts: Vec<u8> = dice.counts().into_iter().filter(|n| *n > 0).collect();
            counts.sort_unstable();
            counts == sizes
        };
        Faces::all(sizes.iter().sum()).filter(shape).collect()
    };
    for (label, points, sizes) in [
        ("Straight, 1-2-3-4-5-6", rules.straight, &[1; 6][..]),
        ("Three pairs", rules.three_pairs, &[2, 2, 2]),
        ("Four of a kind and a pair", rules.four_and_pair, &[4, 2]),
        ("Two triplets", rules.two_triplets, &[3, 3]),
    ] {
        let (worth, dice) = flat(points, shaped(sizes));
        add(label.to_owned(), worth, dice);
    }
    let (worth, dice) = flat(rules.five_run, vec![faces([1, 1, 1, 1, 1, 0]), faces([0, 1, 1, 1, 1, 1])]);
    add("Run of five, 1-2-3-4-5 or 2-3-4-5-6".to_owned(), worth, dice);
    if rules.full_house > 0 {
        let bonus = |dice: Faces| {
            let face = dice.counts().iter().position(|n| *n == 3).map_or(0, triple);
            (dice, if face > 0 { face + rules.full_house } else { 0 })
        };
        let dice = shaped(&[3, 2]).into_iter().map(bonus).collect();
        add(
            "Full house, a triple and a pair".to_owned(),
            format!("the triple + {}", thousands(rules.full_house)),
            dice,
        );
    }
    if rules.no_score > 0 {
        let scorer = Chart::new(rules);
        let nothing = |dice: &Faces| {
            scorer.reading(*dice).is_ok_and(|groups| groups.iter().all(|g| g.combination == Combination::NoScore))
        };
        let (worth, dice) = flat(rules.no_score, Faces::all(6).filter(nothing).collect());
        add("Six dice that score nothing else".to_owned(), worth, dice);
    }
    rows
}

/// Where the scorer pays something else than a row of the chart says, because another reading of
/// the same dice is worth more: a sentence for each row and value.
pub fn remarks(rules: &Ruleset) -> Vec<String> {
    let scorer = Chart::new(rules);
    let mut remarks = Vec::new();
    for row in chart(rules) {
        let other: Vec<(Faces, Points)> = row
            .dice
            .iter()
            .filter_map(|(dice, points)| scorer.points(*dice).map(|paid| (*dice, *points, paid)))
            .filter(|(_, points, paid)| points != paid)
            .map(|(dice, _, paid)| (dice, paid))
            .collect();
        for (dice, paid) in other.iter().take(3) {
            let groups = scorer.reading(*dice).expect("it scores");
            let parts: Vec<String> = groups.iter().rev().map(|group| dashed(group.dice)).collect();
            remarks.push(format!(
                "{} scores {}: it is worth more as {}.",
                dashed(*dice),
                thousands(*paid),
                parts.join(" and ")
            ));
        }
        if other.len() > 3 {
            remarks.push(format!(
                "{}: the same holds for {} more such selections.",
                row.label,
                thousands(other.len() as i64 - 3)
            ));
        }
    }
    remarks
}

/// Where one more die of a face adds nothing, or costs points, as the per-face reading has it: a
/// sentence for each.
pub fn wasted(rules: &Ruleset) -> Vec<String> {
    let scorer = Chart::new(rules);
    let mut remarks = Vec::new();
    for face in 0..6 {
        for n in 2..=rules.dice {
            let (one_fewer, all) = (alike(face, n - 1), alike(face, n));
            if let (Some(before), Some(points)) = (scorer.points(one_fewer), scorer.points(all))
                && points <= before
            {
                let than = if points == before { "no more than" } else { "less than" };
                remarks.push(format!("{} scores {}, {than} {}.", dashed(all), thousands(points), dashed(one_fewer)));
            }
        }
    }
    remarks
}

fn alike(face: usize, n: u8) -> Faces {
    let mut counts = [0; 6];
    counts[face] = n;
    faces(counts)
}

fn faces(counts: [u8; 6]) -> Faces {
    Faces::from_counts(counts).expect("at most six dice")
}
