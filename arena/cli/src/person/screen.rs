//! What a person sees.
//!
//! Owns the drawing of scores and offers. Refuses to say anything by colour alone: what is
//! emphasised on a terminal reads the same without.

use std::fmt::Write;
use std::io::IsTerminal;

use arena_core::odds::odds;
use arena_core::rulebook::{self, dashed, thousands};
use farkle::{EndingRule, Expectation, Faces, MatchState, Ruleset, ScoreTable};

use super::offer::Offer;
use crate::{commands, output, pips};

/// Whether the screen shows emphasis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style(bool);

impl Style {
    /// Emphasis on a terminal, unless its user wants none (<https://no-color.org>).
    pub(super) fn of_output() -> Style {
        Style(std::io::stdout().is_terminal() && !output::is_unadorned() && !output::is_dumb())
    }

    pub(super) fn strong(self, text: &str) -> String {
        if self.0 { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// For what can be lost.
    pub(super) fn warning(self, text: &str) -> String {
        if self.0 { format!("\u{1b}[33m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// The scores in one line.
pub(super) fn scores(names: &[String], state: &MatchState) -> String {
    let rules = state.table().ruleset();
    let seats = names.iter().zip(state.seats()).map(|(name, seat)| {
        let out = if seat.forfeited.is_some() { " (forfeited)" } else { "" };
        format!("{name} {}{out}", thousands(seat.banked))
    });
    let seats: Vec<String> = seats.collect();
    let end = match rules.ending {
        EndingRule::Turns => format!("{} turns each", rules.turns),
        _ if rules.exact_landing => format!("exactly {} to win", thousands(rules.target)),
        _ => format!("{} to win", thousands(rules.target)),
    };
    format!("scores: {}; {end}", seats.join(", "))
}

/// Every seat on a line of its own.
pub(super) fn score_lines(names: &[String], state: &MatchState) -> String {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (index, (name, seat)) in names.iter().zip(state.seats()).enumerate() {
        let mut said = vec![rulebook::counted(seat.turns, "turn")];
        if seat.farkles_in_a_row > 0 {
            said.push(format!("{} in a row", rulebook::counted(seat.farkles_in_a_row, "farkle")));
        }
        if seat.forfeited.is_some() {
            said.push("forfeited".to_owned());
        } else if state.to_move() == Some(index) {
            said.push(format!("to move, {} at risk", thousands(state.at_risk())));
        }
        let _ = writeln!(text, "  {index}. {name:<width$}  {:>7}  {}", thousands(seat.banked), said.join(", "));
    }
    text
}

/// The roll, where the seat stands, and what it may keep. `chances` are of a farkle, by dice - 1.
pub(super) fn turn(offer: &Offer, names: &[String], state: &MatchState, chances: &[f64], style: Style) -> String {
    let rules = state.table().ruleset();
    let mut text = format!("  {}\n", scores(names, state));
    let Some(seat) = state.to_move() else { return text };
    let own = state.seats()[seat];
    let mut stand = vec![match state.rolls() {
        1 => "first roll".to_owned(),
        n => format!("roll {n}"),
    }];
    match state.at_risk() {
        0 => stand.push("nothing at risk yet".to_owned()),
        points => stand.push(style.warning(&format!("{} points at risk", thousands(points)))),
    }
    if rules.ending == EndingRule::Turns {
        stand.push(format!("turn {} of {}", own.turns + 1, rules.turns));
    }
    if state.opening_due() > 0 {
        stand.push(format!("an opening of {} is due", thousands(state.opening_due())));
    }
    if rules.penalty > 0 && own.farkles_in_a_row + 1 == rules.penalty_after {
        stand.push(style.warning(&format!("a farkle now costs {}", thousands(rules.penalty))));
    }
    let _ = writeln!(text, "  {}", stand.join(", "));
    if state.is_closing() {
        let best =
            format!("closing turn: the highest is {}, and this is the last turn here", thousands(state.best_rival()));
        let _ = writeln!(text, "  {}", style.strong(&best));
    }
    for line in pips::side_by_side(offer.roll) {
        let _ = writeln!(text, "  {line}");
    }
    let _ = writeln!(text, "  {}", style.strong(&dashed(offer.roll)));
    text += &keeps(offer, rules, chances);
    text
}

fn keeps(offer: &Offer, rules: &Ruleset, chances: &[f64]) -> String {
    let mut text = format!(
        "  {:>3}  {:<11} {:>6} {:>8}  {:<15} {:>7}  or\n",
        "no.", "keep", "points", "at risk", "then roll", "farkle"
    );
    for (index, keep) in offer.keeps.iter().enumerate() {
        // A number of two digits would be read as dice.
        let number = if index < 9 { (index + 1).to_string() } else { format!("#{}", index + 1) };
        let chance = keep.rolls.map_or(String::new(), |dice| percent(chances[usize::from(dice) - 1]));
        let line = format!(
            "  {number:>3}  {:<11} {:>6} {:>8}  {:<15} {chance:>7}  {}",
            dashed(keep.dice),
            thousands(keep.points),
            thousands(keep.at_risk),
            keep.then(),
            keep.banking(rules.target)
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// The chance that so many dice are a farkle, for one die to all.
pub(super) fn farkle_chances(table: &ScoreTable) -> Vec<f64> {
    let chance = |dice: u8| {
        let farkles: u32 = Faces::all(dice).filter(|roll| table.is_farkle(*roll)).map(Faces::ways).sum();
        f64::from(farkles) / 6f64.powi(dice.into())
    };
    (1..=table.ruleset().dice).map(chance).collect()
}

/// The odds of every number of dice, and of every keep of this roll.
pub(super) fn odds_here(offer: &Offer, state: &MatchState, chances: &[f64]) -> String {
    let rules = state.table().ruleset();
    let opening = state.opening_due() > 0;
    let (odds, solved) = match (odds(rules, opening), Expectation::solve(rules)) {
        (Ok(odds), Ok(solved)) => (odds, solved),
        (Err(why), _) | (_, Err(why)) => {
            let mut text = format!("  only the chances of a farkle: {why}\n");
            for (dice, chance) in (1..).zip(chances) {
                let _ = writeln!(text, "  {}: {}", dice_in_words(dice), percent(*chance));
            }
            return text;
        }
    };
    let mut text = commands::odds::told(rules, &odds, opening);
    text += "From here, on average:\n";
    for keep in &offer.keeps {
        let Some(dice) = keep.rolls else { continue };
        let (has, gets) = (f64::from(keep.at_risk), solved.roll(keep.at_risk, dice, !opening));
        let _ = writeln!(
            text,
            "  {:<11} {:>6} at risk, rolling {} banks {gets:.1} ({:+.1})",
            dashed(keep.dice),
            thousands(keep.at_risk),
            dice_in_words(dice),
            gets - has
        );
    }
    text
}

/// `1 die`, `2 dice`.
pub(super) fn dice_in_words(dice: u8) -> String {
    if dice == 1 { "1 die".to_owned() } else { format!("{dice} dice") }
}

/// The rules in a few lines.
pub(super) fn rules(rules: &Ruleset) -> String {
    let mut text = format!("  {}: {}\n", rules.name, rulebook::summary(rules));
    let chart = rulebook::chart(rules);
    let width = chart.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
    for row in &chart {
        let _ = writeln!(text, "    {:<width$}  {}", row.label, row.worth);
    }
    for section in rulebook::sections(rules).iter().skip(1) {
        let _ = writeln!(text, "  {}", section.title);
        for rule in &section.rules {
            let _ = writeln!(text, "  - {rule}");
        }
    }
    text
}

/// What can be typed.
pub(super) fn help() -> &'static str {
    "  Every roll takes a keep, and then a roll of the dice that are left, or a bank:
    2 bank           keep number 2 of the list and bank; short: 2 b
    1 roll           keep number 1 and roll on; short: 1 r
    115 roll         keep these dice; 1 1 5, 1-1-5 and keep 1 1 5 mean the same
    keep 5 bank      one die: without `keep`, a lone digit is a number of the list
    #12 roll         number 12 of a long list
    115              asks what then; a keep that wins needs nothing more
  Questions cost nothing:
    odds             farkle chances, what rolling is worth, when to stop
    score            all seats
    history          what happened in this match
    rules            what scores, and how it ends
    quit             stop here; the match is saved after every decision, and goes on later
"
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use farkle::{Next, presets};

    use super::*;

    /// A match of two with these rolls, of each the keep and what then.
    fn after(rules: &Ruleset, decisions: &[(&str, &str, Next)]) -> MatchState {
        let mut state = MatchState::new(Arc::new(ScoreTable::new(rules)), 2, 1_000);
        for (roll, keep, next) in decisions {
            let farkle = state.roll(roll.parse().unwrap()).unwrap();
            if farkle.is_none() {
                state.decide(farkle::Decision { keep: keep.parse().unwrap(), next: *next }).unwrap();
            }
        }
        state
    }

    /// What is drawn of a roll.
    fn drawn(mut state: MatchState, roll: &str) -> String {
        assert_eq!(state.roll(roll.parse().unwrap()), Ok(None));
        let chances = farkle_chances(state.table());
        let offer = Offer::new(state.clone()).unwrap();
        turn(&offer, &["a".to_owned(), "b".to_owned()], &state, &chances, Style(false))
    }

    #[test]
    fn a_turn_says_what_matters_in_it() {
        let rules = Ruleset { target: 1_000, ..presets::PLAY_TABLE };
        let closing = drawn(after(&rules, &[("123456", "123456", Next::Bank)]), "112346");
        assert!(closing.contains("scores: a 1,500, b 0; 1,000 to win"), "{closing}");
        assert!(closing.contains("closing turn: the highest is 1,500, and this is the last turn here"), "{closing}");
        let nothing = ("223446", "", Next::Roll);
        let one = ("112346", "11", Next::Bank);
        let penalised = drawn(after(&presets::ELVERSON, &[nothing, one, nothing, one]), "112346");
        assert!(penalised.contains("a farkle now costs 1,000"), "{penalised}");
        let not_yet = drawn(after(&presets::ELVERSON, &[nothing, one]), "112346");
        assert!(!not_yet.contains("a farkle now costs"), "{not_yet}");
        let due = drawn(after(&presets::DUEL, &[("112346", "11", Next::Roll)]), "1234");
        assert!(due.contains("roll 2, 200 points at risk, an opening of 500 is due"), "{due}");
        let long = drawn(after(&presets::PLAY_TABLE, &[]), "111555");
        assert!(long.contains("\n    9  ") && long.contains("\n  #10  "), "{long}");
        assert!(!long.contains('\u{1b}'), "{long}");
    }

    /// Banking is as good from 450 points on with three dice, from 300 with two: published with the
    /// rules.
    #[test]
    fn odds_tell_when_to_stop() {
        for (roll, kept, next, says, sign) in [
            ("152344", "15", "1344", "250 at risk, rolling 3 dice banks", "(+"),
            ("155234", "155", "134", "300 at risk, rolling 2 dice banks", "(-"),
        ] {
            let mut state = after(&presets::IMMEDIATE_WIN, &[(roll, kept, Next::Roll)]);
            assert_eq!(state.roll(next.parse().unwrap()), Ok(None));
            let told = odds_here(&Offer::new(state.clone()).unwrap(), &state, &farkle_chances(state.table()));
            let line = told.lines().find(|line| line.contains(says)).unwrap_or_else(|| panic!("{says} in {told}"));
            assert!(line.contains(sign), "{line}");
        }
    }

    /// 4 of 6, 16 of 36, 60 of 216: counted by hand for 1s, 5s and triples.
    #[test]
    fn chances_are_those_of_the_rules() {
        let table = Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN));
        let chances = farkle_chances(&table);
        assert_eq!(chances.len(), 6);
        assert_eq!(chances[..3], [4.0 / 6.0, 16.0 / 36.0, 60.0 / 216.0]);
    }
}
