//! Standings as a table for people.
//!
//! Owns columns and rounding. Refuses to compute: rows come from [`arena_core::standings`].

use arena_core::standings::{Adjusted, LuckAdjusted, Row, SoloRow, Standings};
use tabled::Table;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

use crate::output::{csv_field, thousands};
use crate::store::Entry;

/// The table for a terminal; `names` by agent.
pub(crate) fn draw(standings: &Standings, names: &[&str]) -> String {
    let (mut table, last) = table(standings, names);
    table
        .with(Style::sharp())
        .modify(Columns::new(2..last), Alignment::right())
        .modify(Columns::first(), Alignment::right());
    table.to_string() + "\n"
}

/// The same in Markdown, of names that mean nothing there.
pub(crate) fn markdown(standings: &Standings, names: &[&str]) -> String {
    let (mut table, _) = table(standings, names);
    table.with(Style::markdown()).to_string() + "\n"
}

/// How a table is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grid {
    Terminal,
    Markdown,
}

/// Every agent against every other, in the order of the standings.
pub(crate) fn cross_table(standings: &Standings, names: &[&str], grid: Grid) -> String {
    square(standings, names, grid, |own, other| match standings.cross_table.get(own, other) {
        Some(cell) => cell.score().map_or("–".to_owned(), |score| {
            format!("{:.1}% ({}–{}–{})", 100.0 * score, cell.wins, cell.draws, cell.losses)
        }),
        None => String::new(),
    })
}

/// How likely each agent is truly stronger than each other, in the order of the standings.
pub(crate) fn los_matrix(standings: &Standings, names: &[&str], grid: Grid) -> String {
    square(standings, names, grid, |own, other| match own == other {
        true => String::new(),
        false => format!("{:.1}%", 100.0 * standings.los[own][other]),
    })
}

/// Ratings beside those corrected for luck, in the order of the standings.
pub(crate) fn luck_adjusted(standings: &Standings, adjusted: &LuckAdjusted, names: &[&str], grid: Grid) -> String {
    let mut table = Builder::default();
    table.push_record(["rank", "agent", "rating", "95% interval", "corrected", "95% interval", "gain"]);
    for row in &standings.standings {
        let Adjusted { corrected, .. } = adjusted.agents[row.agent];
        let interval = |low: f64, high: f64| format!("{low:.1} to {high:.1}");
        table.push_record([
            row.rank.to_string(),
            names[row.agent].to_owned(),
            format!("{:.1}", row.elo),
            interval(row.elo_low, row.elo_high),
            format!("{:.1}", corrected.elo),
            interval(corrected.elo_low, corrected.elo_high),
            adjusted.agents[row.agent].gain().map_or("–".to_owned(), |gain| format!("{gain:.1}")),
        ]);
    }
    let mut table = table.build();
    match grid {
        Grid::Terminal => table.with(Style::sharp()).modify(Columns::first(), Alignment::right()),
        Grid::Markdown => table.with(Style::markdown()),
    };
    table.modify(Columns::new(2..), Alignment::right()).to_string() + "\n"
}

fn square(standings: &Standings, names: &[&str], grid: Grid, cell: impl Fn(usize, usize) -> String) -> String {
    let order: Vec<usize> = standings.standings.iter().map(|row| row.agent).collect();
    let mut table = Builder::default();
    let head = ["rank", "agent"].into_iter().map(str::to_owned);
    table.push_record(head.chain((1..=order.len()).map(|rank| rank.to_string())));
    for (place, own) in order.iter().enumerate() {
        let cells = order.iter().map(|other| cell(*own, *other));
        table.push_record([(place + 1).to_string(), names[*own].to_owned()].into_iter().chain(cells));
    }
    let mut table = table.build();
    match grid {
        Grid::Terminal => table.with(Style::sharp()),
        Grid::Markdown => table.with(Style::markdown()),
    };
    table.modify(Columns::new(2..), Alignment::right()).to_string() + "\n"
}

/// The rows for a spreadsheet, all figures bare.
pub(crate) fn csv<'a>(standings: &Standings, entry: impl Fn(usize) -> &'a Entry) -> String {
    let mut text = String::from(
        "rank,agent,version,withdrawn,elo,elo_low,elo_high,los_next,matches,wins,draws,losses,score,points_mean,faults,total_mean,\
         total_low,total_high,best_turn,worst_turn,farkle_rate\n",
    );
    for row in &standings.standings {
        let optional = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let points = |value: Option<farkle::Points>| value.map_or(String::new(), |value| value.to_string());
        let solo = row.solo.as_ref();
        let faults: u64 = row.faults.values().sum();
        let fields = [
            row.rank.to_string(),
            csv_field(&entry(row.agent).name),
            entry(row.agent).version.to_string(),
            entry(row.agent).withdrawn.to_string(),
            row.elo.to_string(),
            row.elo_low.to_string(),
            row.elo_high.to_string(),
            optional(row.los_next),
            row.matches.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            row.score.to_string(),
            row.points_mean.to_string(),
            faults.to_string(),
            optional(solo.map(|solo| solo.total_mean)),
            optional(solo.and_then(|solo| solo.total_low)),
            optional(solo.and_then(|solo| solo.total_high)),
            points(solo.and_then(|solo| solo.best_turn)),
            points(solo.and_then(|solo| solo.worst_turn)),
            optional(solo.map(|solo| solo.farkle_rate)),
        ];
        text += &(fields.join(",") + "\n");
    }
    text
}

/// What is to be said of the model behind the ratings.
pub(crate) fn model_line(standings: &Standings, seats: usize) -> String {
    let model = &standings.model;
    let (advantage, prior) = (model.seat_advantage, model.prior);
    let interval = format!("95% interval {:+.1} to {:+.1}", model.seat_advantage_low, model.seat_advantage_high);
    match seats {
        1 => format!(
            "worst turn: the most that a farkle lost, or else the smallest bank\n\
             ratings compare totals seed by seed; prior: {prior}\n"
        ),
        2 => format!("the first seat is worth {advantage:+.1} Elo ({interval}); prior: {prior}\n"),
        _ => format!("the first seat is worth {advantage:+.1} Elo over the others ({interval}); prior: {prior}\n"),
    }
}

/// The cells, and the column of faults, which is the last.
fn table(standings: &Standings, names: &[&str]) -> (Table, usize) {
    let is_solo = standings.standings.iter().any(|row| row.solo.is_some());
    let mut table = Builder::default();
    let totals = ["mean total", "95% interval", "best turn", "worst turn", "farkles"];
    let counts = ["matches", "wins", "draws", "losses", "score", "faults"];
    let mut head = vec!["rank", "agent"];
    head.extend(is_solo.then_some(totals).into_iter().flatten());
    head.extend(["rating", "95% interval"].into_iter().chain(counts));
    let last = head.len() - 1;
    table.push_record(head);
    let is_alone = standings.standings.len() == 1;
    // An agent that met nobody is not compared.
    let compared = |figure: String| if is_alone { "–".to_owned() } else { figure };
    for row in &standings.standings {
        let mut cells = vec![row.rank.to_string(), names[row.agent].to_owned()];
        cells.extend(row.solo.as_ref().map(solo).into_iter().flatten());
        cells.extend([
            compared(format!("{:.1}", row.elo)),
            compared(format!("{:.1} to {:.1}", row.elo_low, row.elo_high)),
            thousands(row.matches as i64),
            compared(thousands(row.wins as i64)),
            compared(thousands(row.draws as i64)),
            compared(thousands(row.losses as i64)),
            compared(format!("{:.1}%", 100.0 * row.score)),
            faults(row),
        ]);
        table.push_record(cells);
    }
    (table.build(), last)
}

/// The columns of agents that play alone.
fn solo(solo: &SoloRow) -> [String; 5] {
    let turn = |worth: Option<farkle::Points>| worth.map_or_else(|| "none".to_owned(), thousands);
    let interval = match (solo.total_low, solo.total_high) {
        (Some(low), Some(high)) => format!("{} to {}", tenths(low), tenths(high)),
        _ => "unknown".to_owned(),
    };
    [
        tenths(solo.total_mean),
        interval,
        turn(solo.best_turn),
        turn(solo.worst_turn),
        format!("{:.1}%", 100.0 * solo.farkle_rate),
    ]
}

/// `4,733.3`.
fn tenths(figure: f64) -> String {
    let tenths = (10.0 * figure).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    format!("{sign}{}.{}", thousands(tenths.abs() / 10), tenths.abs() % 10)
}

fn faults(row: &Row) -> String {
    let kinds = row.faults.iter().filter(|(_, n)| **n > 0).map(|(kind, n)| format!("{} {kind}", thousands(*n as i64)));
    let kinds: Vec<_> = kinds.collect();
    if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") }
}
