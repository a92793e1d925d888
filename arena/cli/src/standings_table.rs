//! Standings as a table for people.
//!
//! Owns columns and rounding. Refuses to compute: rows come from [`arena_core::standings`].

use arena_core::standings::{Row, Standings};
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

use crate::output::thousands;

/// The table; `names` by agent.
pub(crate) fn draw(standings: &Standings, names: &[&str]) -> String {
    let mut table = Builder::default();
    table.push_record([
        "rank",
        "agent",
        "rating",
        "95% interval",
        "matches",
        "wins",
        "draws",
        "losses",
        "score",
        "faults",
    ]);
    for row in &standings.standings {
        table.push_record([
            row.rank.to_string(),
            names[row.agent].to_owned(),
            format!("{:.1}", row.elo),
            format!("{:.1} to {:.1}", row.elo_low, row.elo_high),
            thousands(row.matches as i64),
            thousands(row.wins as i64),
            thousands(row.draws as i64),
            thousands(row.losses as i64),
            format!("{:.1}%", 100.0 * row.score),
            faults(row),
        ]);
    }
    let mut table = table.build();
    table
        .with(Style::sharp())
        .modify(Columns::new(2..9), Alignment::right())
        .modify(Columns::first(), Alignment::right());
    table.to_string() + "\n"
}

fn faults(row: &Row) -> String {
    let kinds = row.faults.iter().filter(|(_, n)| **n > 0).map(|(kind, n)| format!("{} {kind}", thousands(*n as i64)));
    let kinds: Vec<_> = kinds.collect();
    if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") }
}
