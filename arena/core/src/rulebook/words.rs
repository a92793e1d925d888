//! The rules of a table in sentences, chart aside.
//!
//! Owns the wording. Refuses to say anything that a field of the ruleset or the scorer does not.

use farkle::{EndingRule, Kinds, Reading, Ruleset};

use super::chart::{remarks, wasted};
use super::{counted, thousands};

/// The rules about one matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The matter.
    pub title: &'static str,
    /// Its rules, a sentence or two each.
    pub rules: Vec<String>,
}

/// Where a preset comes from, and what else is played at that table; `None` of other rules.
///
/// ```
/// use arena_core::rulebook::origin;
/// assert!(origin(&farkle::presets::PATCH).unwrap().contains("my-turn-yet"));
/// assert_eq!(origin(&farkle::Ruleset { target: 5_000, ..farkle::presets::PATCH }), None);
/// ```
pub fn origin(rules: &Ruleset) -> Option<&'static str> {
    let preset = farkle::presets::by_name(&rules.name)?;
    preset.same_rules(rules).then_some(match &*preset.name {
        "immediate-win" => "A race of two, with no last turn for the other. Every face counts as one group.",
        "play-table" => {
            "The family table with the full chart. Some open with 500 (`--set opening=500`) or play a shorter game \
             (`--set target=5000` or `2500`)."
        }
        "play-table-simple" => "The beginners' chart of `play-table`.",
        "duel" => "The game of two under the chart of `play-table`, with an opening.",
        "solo-ten" => "The game of one under the rules of `duel`: as many points as ten turns give.",
        "patch" => "The Patch Products sheet. Rule for rule the same as `my-turn-yet`.",
        "elverson" => {
            "The Elverson Puzzle sheet: three pairs, two triplets, and three farkles in a row that cost 1,000. What \
             that sheet leaves open is as at `play-table`."
        }
        "pocket" => "Pocket Farkel: three 1s for 300. What its sheet leaves open is as at `play-table`, or absent.",
        "five-dice" => "The older game with five dice, also called Hot Dice.",
        "my-turn-yet" => {
            "A table whose host chooses: `--set target=` 5000, 10000 or 15000; `--set opening=` 0, 500 or 1000; \
             `--set three_ones=` 300 or 1000; a penalty for three farkles in a row with `--set penalty=1000 --set \
             penalty_after=3 --set penalty_floor=true`. Unchanged, it is `patch`."
        }
        "my-turn-yet-plain" => "The table of `my-turn-yet` with the special combinations off.",
        _ => return None,
    })
}

/// One line about a ruleset: what most tells it from others.
pub fn summary(rules: &Ruleset) -> String {
    let target = thousands(rules.target);
    let mut parts = vec![players(rules), format!("{} dice", count(rules.dice))];
    parts.push(match rules.ending {
        EndingRule::ImmediateWin => format!("the first to bank a total of {target} wins"),
        EndingRule::FinalRound if rules.max_seats == 1 => format!("alone to {target}"),
        EndingRule::FinalRound => format!("a final round at {target}"),
        EndingRule::Turns => counted(rules.turns, "turn"),
    });
    if rules.three_ones > 0 {
        parts.push(format!("three 1s {}", thousands(rules.three_ones)));
    }
    if rules.opening > 0 {
        parts.push(format!("opening {}", thousands(rules.opening)));
    }
    if rules.penalty > 0 {
        let penalty = thousands(rules.penalty);
        parts.push(match rules.penalty_after {
            1 => format!("every farkle costs {penalty}"),
            n => format!("{n} farkles in a row cost {penalty}"),
        });
    }
    if is_plain(rules) {
        parts.push("singles and triples only".to_owned());
    } else {
        let off = [
            (rules.straight, "straight"),
            (rules.three_pairs, "three pairs"),
            (rules.four_and_pair, "four and a pair"),
            (rules.two_triplets, "two triplets"),
        ];
        let off: Vec<&str> = off.iter().filter(|(points, _)| *points == 0).map(|(_, name)| *name).collect();
        if !off.is_empty() && rules.dice == 6 {
            parts.push(format!("no {}", listed(&off, "or")));
        }
    }
    parts.join(", ")
}

/// Whether there is nothing but single dice and triples.
fn is_plain(rules: &Ruleset) -> bool {
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
    special == [0; 9] && rules.kinds == Kinds::None
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
    let small = match (rules.single_one > 0, rules.single_five > 0) {
        (true, true) => "only 1s and 5s count",
        (true, false) => "only 1s count",
        (false, true) => "only 5s count",
        (false, false) => "nothing of it counts",
    };
    if rules.dice == 6 {
        if rules.two_triplets == 0 {
            said.push("Two triplets are no combination of their own: they add up.".to_owned());
        }
        match (rules.three_pairs > 0, rules.four_and_pair > 0) {
            (true, true) => {}
            (true, false) => said.push(format!(
                "Three pairs show three different faces. Four of a kind and a pair is no combination of its own: of the \
                 pair {small}."
            )),
            (false, _) => said.push(format!("Three pairs are no combination: of a pair {small}.")),
        }
        if rules.straight == 0 {
            said.push(format!("A straight is no combination: {small}."));
        }
    } else if rules.five_run == 0 && rules.full_house == 0 {
        said.push(
            "1-2-3-4-5 and a full house are no combinations: their 1s, 5s and triples count by themselves.".to_owned(),
        );
    }
    if rules.kinds == Kinds::None && rules.six_of_a_kind == 0 {
        said.push(
            "There is nothing above three of a kind: of four 2s only three can be set aside, and six are two triplets."
                .to_owned(),
        );
    }
    if rules.six_wins {
        said.push("Who sets six of a kind aside wins the match at once.".to_owned());
    }
    said.extend(remarks(rules));
    said.extend(wasted(rules));
    said
}

fn turn(rules: &Ruleset) -> Vec<String> {
    let all = count(rules.dice);
    let mut said = vec![format!("A turn begins with a roll of all {all} dice.")];
    said.push("After every roll at least one die is set aside, and every die set aside must score.".to_owned());
    said.push(if rules.keep_all {
        "All dice that score must be set aside.".to_owned()
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
        "Hot dice: once all {all} dice are set aside, in one roll or over several, the player {} roll all of them again \
         with the turn's points still at risk. There is no limit.",
        if rules.must_roll_hot_dice { "must" } else { "may bank, or" }
    ));
    if rules.penalty > 0 {
        let penalty = thousands(rules.penalty);
        let floor = if rules.penalty_floor { ", down to zero at most" } else { ", even below zero" };
        said.push(match rules.penalty_after {
            1 => format!("Every farkle costs {penalty} banked points{floor}."),
            n => format!(
                "{n} farkled turns in a row cost {penalty} banked points{floor}, and the count starts again; a bank \
                 starts it again too."
            ),
        });
    }
    said
}

fn banking(rules: &Ruleset) -> Vec<String> {
    let mut said = vec![match rules.penalty {
        0 => "Banked points are safe; points of a turn are not until they are banked.".to_owned(),
        _ => "Banked points are safe, but for the penalty; points of a turn are not until they are banked.".to_owned(),
    }];
    let can_fall_below = rules.penalty > 0 && !rules.penalty_floor;
    said.push(match rules.opening {
        0 => "The first bank may be of any size.".to_owned(),
        least => format!(
            "A player whose banked score is zero{} may bank only with at least {} in the turn, and with less must roll \
             on. Later banks may be of any size.",
            if can_fall_below { " or less" } else { "" },
            thousands(least)
        ),
    });
    if rules.opening > 0 && rules.penalty > 0 {
        let to = if can_fall_below { "zero or below" } else { "zero" };
        said.push(format!("A score that falls to {to} must open again."));
    }
    if rules.exact_landing {
        said.push(format!(
            "A bank that would pass {} is not allowed: the player must roll on.",
            thousands(rules.target)
        ));
    }
    said
}

fn ending(rules: &Ruleset) -> Vec<String> {
    let target = thousands(rules.target);
    let alone = rules.max_seats == 1;
    let mut said = vec![format!("For {}.", players(rules))];
    let shared = "The highest total wins; equal totals share the win.";
    match rules.ending {
        EndingRule::ImmediateWin => {
            let exactly = if rules.exact_landing { format!("exactly {target}") } else { format!("{target} or more") };
            said.push(format!("The first player to bank a total of {exactly} wins on the spot."));
        }
        EndingRule::FinalRound if alone => {
            said.push(format!("The match ends when the player's banked total reaches {target}."));
        }
        EndingRule::FinalRound => {
            said.push(format!(
                "The first player whose banked total reaches {target} starts the final round: every other player has \
                 exactly one more turn, in order."
            ));
            said.push(if rules.opening > 0 {
                "The opening holds in these turns too. Passing the leader starts no further round.".to_owned()
            } else {
                "Passing the leader starts no further round.".to_owned()
            });
            said.push("The highest total wins, whoever started the round; equal totals share the win.".to_owned());
        }
        EndingRule::Turns => {
            let who = if alone { "The player" } else { "Every player" };
            let each = if rules.turns == 1 { ", which ends" } else { ", each ending" };
            said.push(format!("{who} has {}{each} with a bank or a farkle.", counted(rules.turns, "turn")));
            said.push(if alone { "The total is the result.".to_owned() } else { shared.to_owned() });
        }
    }
    if rules.ending != EndingRule::Turns {
        said.push(
            "Where nobody gets there, a limit of turns ends the match (1,000 each, unless set otherwise).".to_owned(),
        );
    }
    said
}

fn players(rules: &Ruleset) -> String {
    match (rules.min_seats, rules.max_seats) {
        (least, most) if least == most => counted(least, "player"),
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
