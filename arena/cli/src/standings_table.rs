//! Standings as a table for people.
//!
//! Owns columns and rounding. Refuses to compute: rows come from [`arena_core::standings`].

use arena_core::standings::{Row, SoloRow, Standings};
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

use crate::output::thousands;

/// The table; `names` by agent.
pub(crate) fn draw(standings: &Standings, names: &[&str]) -> String {
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
    let mut table = table.build();
    table
        .with(Style::sharp())
        .modify(Columns::new(2..last), Alignment::right())
        .modify(Columns::first(), Alignment::right());
    table.to_string() + "\n"
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
