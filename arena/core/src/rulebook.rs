//! The rules of a table in print: its chart and its rules in plain words.
//!
//! Owns what people read about a ruleset, made from the ruleset's own fields and held against the
//! scorer: where the scorer pays something else than a row says, the chart says so. Refuses to
//! hold any figure of its own, and to know how it is laid out.

use farkle::{Chart, Combination, EndingRule, Faces, Kinds, Points, Reading, Ruleset};

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

/// The rules about one matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The matter.
    pub title: &'static str,
    /// Its rules, a sentence or two each.
    pub rules: Vec<String>,
}

/// The chart of a ruleset, single dice first. Combinations that are switched off have no row.
///
/// ```
/// let rows = arena_core::rulebook::chart(&farkle::presets::PATCH);
/// assert_eq!((rows[2].label.as_str(), rows[2].worth.as_str()), ("Three 1s", "300"));
/// ```
pub fn chart(rules: &Ruleset) -> Vec<Row> {
    let mut rows = Vec::new();
    let alike = |face: usize, n: u8| {
        let mut counts = [0; 6];
        counts[face] = n;
        faces(counts)
    };
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
            remarks.push(format!("So do {} more of that kind: {}.", other.len() - 3, row.label.to_lowercase()));
        }
    }
    remarks
}

/// One line about a ruleset: what most tells it from others.
pub fn summary(rules: &Ruleset) -> String {
    let mut parts = vec![players(rules), format!("{} dice", count(rules.dice))];
    parts.push(match rules.ending {
        EndingRule::ImmediateWin => format!("the first bank of {} wins", thousands(rules.target)),
        EndingRule::FinalRound => format!("a final round at {}", thousands(rules.target)),
        EndingRule::Turns => format!("{} turns", rules.turns),
    });
    if rules.opening > 0 {
        parts.push(format!("opening {}", thousands(rules.opening)));
    }
    if rules.penalty > 0 {
        parts.push(format!("{} farkles cost {}", rules.penalty_after, thousands(rules.penalty)));
    }
    let special = [
        rules.four_of_a_kind,
        rules.six_of_a_kind,
        rules.straight,
        rules.three_pairs,
        rules.four_and_pair,
        rules.two_triplets,
        rules.five_run,
        rules.full_house,
        rules.no_score,
    ];
    if special == [0; 9] && rules.kinds == Kinds::None {
        parts.push("singles and triples only".to_owned());
    }
    parts.join(", ")
}

/// The rules in plain words, chart aside.
pub fn sections(rules: &Ruleset) -> Vec<Section> {
    vec![
        Section { title: "Scoring", rules: scoring(rules) },
        Section { title: "A turn", rules: turn(rules) },
        Section { title: "Banking", rules: banking(rules) },
        Section { title: "The end", rules: ending(rules) },
    ]
}

fn scoring(rules: &Ruleset) -> Vec<String> {
    let mut said = vec![
        "A combination is made of dice of one roll, set aside together; dice set aside earlier never join it."
            .to_owned(),
    ];
    said.push(match rules.reading {
        Reading::Best => {
            "Dice set aside count as the most valuable split into combinations; nobody declares it.".to_owned()
        }
        Reading::PerFace => {
            let six = ["three pairs", "the straight", "four of a kind and a pair", "two triplets"];
            let on = [rules.three_pairs, rules.straight, rules.four_and_pair, rules.two_triplets].map(|p| p > 0);
            let named: Vec<&str> = six.iter().zip(on).filter(|(_, on)| *on).map(|(name, _)| *name).collect();
            let whole = match named.is_empty() {
                true => String::new(),
                false => format!(", unless all six dice together are worth more as {}", listed(&named, "or")),
            };
            format!("All dice of one face that are set aside count as one group{whole}.")
        }
    });
    let six_dice = [rules.straight, rules.three_pairs, rules.four_and_pair, rules.two_triplets, rules.no_score];
    if six_dice.iter().any(|points| *points > 0) {
        said.push("What takes six dice can only come from a roll of all six, set aside whole.".to_owned());
    }
    if rules.dice == 6 {
        let off = |points: Points, text: &str| (points == 0).then(|| text.to_owned());
        said.extend(off(rules.two_triplets, "Two triples are no combination of their own: they add up."));
        if rules.three_pairs == 0 {
            said.push("Three pairs are no combination: pairs count only as their 1s and 5s.".to_owned());
        } else {
            said.extend(off(rules.four_and_pair, "Four of a kind with a pair is no combination of its own."));
        }
        said.extend(off(rules.straight, "A straight is no combination."));
    }
    if rules.kinds == Kinds::None {
        said.push("Four or more of a face count only as triples and singles.".to_owned());
    }
    if rules.six_wins {
        said.push("Who sets six of a kind aside wins the match at once.".to_owned());
    }
    said.extend(remarks(rules));
    said
}

fn turn(rules: &Ruleset) -> Vec<String> {
    let all = count(rules.dice);
    let mut said = vec![format!("A turn begins with a roll of all {all} dice.")];
    said.push("After every roll at least one die is set aside, and every die set aside must score.".to_owned());
    said.push(if rules.keep_all {
        "As many dice must be set aside as can score.".to_owned()
    } else {
        "Other dice that score may be left, to be rolled again.".to_owned()
    });
    said.push("Then the player banks the turn's points, or rolls the dice that are left.".to_owned());
    said.push(
        "A roll of which nothing can be set aside is a farkle: it ends the turn, and the turn's points are lost."
            .to_owned(),
    );
    if rules.toxic_twos {
        said.push("A roll with four or more 2s is a farkle, whatever else it shows.".to_owned());
    }
    said.push(format!(
        "Hot dice: with all {all} dice set aside, the player {} roll all of them again, with the turn's points still at risk.",
        if rules.must_roll_hot_dice { "must" } else { "may bank, or" }
    ));
    if rules.penalty > 0 {
        said.push(format!(
            "{} in a row cost{} {} banked points{}, and the count starts again; a bank starts it again too.",
            match rules.penalty_after {
                1 => "Every farkle".to_owned(),
                n => format!("{n} farkles"),
            },
            if rules.penalty_after == 1 { "s" } else { "" },
            thousands(rules.penalty),
            if rules.penalty_floor { ", down to zero at most" } else { ", even below zero" }
        ));
    }
    said
}

fn banking(rules: &Ruleset) -> Vec<String> {
    let mut said = vec!["Banked points are safe; points of a turn are not until they are banked.".to_owned()];
    if rules.penalty > 0 {
        said[0] =
            "Banked points are safe, but for the penalty; points of a turn are not until they are banked.".to_owned();
    }
    said.push(match rules.opening {
        0 => "The first bank may be of any size.".to_owned(),
        least => format!(
            "A player without points must bank at least {} in one turn; later banks may be of any size.",
            thousands(least)
        ),
    });
    if rules.opening > 0 && rules.penalty > 0 {
        said.push("A score that falls to zero must open again.".to_owned());
    }
    if rules.exact_landing {
        said.push(format!("A bank that would pass {} is not allowed.", thousands(rules.target)));
    }
    said
}

fn ending(rules: &Ruleset) -> Vec<String> {
    let target = thousands(rules.target);
    let mut said = vec![format!("For {}.", players(rules))];
    let shared = "The highest total wins; equal totals share the win.";
    match rules.ending {
        EndingRule::ImmediateWin => {
            said.push(format!("The first player to bank a total of {target} or more wins on the spot."));
        }
        EndingRule::FinalRound => {
            said.push(format!(
                "The first bank that reaches {target} starts the final round: every other player has one more turn."
            ));
            said.push(shared.to_owned());
        }
        EndingRule::Turns => {
            let who = if rules.max_seats == 1 { "The player" } else { "Every player" };
            said.push(format!("{who} has {} turns, each ending with a bank or a farkle.", rules.turns));
            said.push(if rules.max_seats == 1 { "The total is the result.".to_owned() } else { shared.to_owned() });
        }
    }
    if rules.exact_landing && rules.ending == EndingRule::ImmediateWin {
        said[1] = format!("The first player to bank a total of exactly {target} wins on the spot.");
    }
    said
}

fn players(rules: &Ruleset) -> String {
    match (rules.min_seats, rules.max_seats) {
        (1, 1) => "1 player".to_owned(),
        (least, most) if least == most => format!("{least} players"),
        (least, most) => format!("{least} to {most} players"),
    }
}

fn count(dice: u8) -> &'static str {
    if dice == 5 { "five" } else { "six" }
}

fn listed(names: &[&str], and: &str) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}

fn faces(counts: [u8; 6]) -> Faces {
    Faces::from_counts(counts).expect("at most six dice")
}

/// `1-1-5`.
pub fn dashed(dice: Faces) -> String {
    dice.dice().map(|die| die.to_string()).collect::<Vec<_>>().join("-")
}

/// `12,345`.
pub fn thousands(number: impl Into<i64>) -> String {
    let number: i64 = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}
