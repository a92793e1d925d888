//! Bakes the exact expectation of every built-in ruleset into the agent.
//!
//! A table holds what rolling gains over banking, by points at risk and dice, up to where banking
//! is always best, in 16 bits an entry; above that the straight line that the worth approaches.
//! Presets whose tables are alike share them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use farkle::{Expectation, Points, presets};

/// No gain is positive this far above the tables of any ruleset that can be solved.
const FAR: Points = 10_000_000;

fn main() {
    let mut columns = Columns::default();
    let mut tables = String::new();
    for preset in presets::ALL {
        let Ok(exact) = Expectation::solve(preset) else {
            tables.push_str("    None,\n");
            continue;
        };
        let gain = |entry: usize, dice: u8, opened: bool| {
            let at_risk = entry as Points * exact.step();
            exact.roll(at_risk, dice, opened) - f64::from(at_risk)
        };
        let below_opening = (preset.opening / exact.step()) as usize;
        let opened: Vec<Vec<f64>> = (1..=preset.dice)
            .map(|dice| {
                let pays = (0..20_000).rev().find(|entry| gain(*entry, dice, true) > 0.0);
                (0..pays.map_or(0, |last| last + 1)).map(|entry| gain(entry, dice, true)).collect()
            })
            .collect();
        let unopened: Vec<Vec<f64>> =
            (1..=preset.dice).map(|dice| (0..below_opening).map(|entry| gain(entry, dice, false)).collect()).collect();
        let largest = opened.iter().chain(&unopened).flatten().fold(0.0f64, |most, gain| most.max(gain.abs()));
        let unit = largest / f64::from(i16::MAX);
        let line = |dice: u8| {
            let (near, far) = (exact.roll(FAR, dice, true), exact.roll(2 * FAR, dice, true));
            (2.0 * near - far, (far - near) / f64::from(FAR))
        };
        let lines: Vec<(f64, f64)> = (1..=preset.dice).map(line).collect();
        writeln!(
            tables,
            "    Some(Table {{ step: {}, opening: {}, unit: {unit:?}, opened: &{}, unopened: &{}, lines: &{lines:?} }}),",
            exact.step(),
            preset.opening,
            columns.names(&opened, unit),
            columns.names(&unopened, unit),
        )
        .expect("a string takes text");
    }
    let source = format!(
        "{}/// By preset, in the order of `presets::ALL`.\npub(crate) static TABLES: [Option<Table>; {}] = [\n{tables}];\n",
        columns.source,
        presets::ALL.len()
    );
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(std::path::Path::new(&out).join("tables.rs"), source).expect("OUT_DIR can be written to");
    println!("cargo::rerun-if-changed=build.rs");
}

/// The columns of all tables, each once.
#[derive(Default)]
struct Columns {
    known: BTreeMap<Vec<i16>, usize>,
    source: String,
}

impl Columns {
    /// The names of a table's columns, as an array.
    fn names(&mut self, table: &[Vec<f64>], unit: f64) -> String {
        let names: Vec<String> = table.iter().map(|column| self.name(column, unit)).collect();
        format!("[{}]", names.join(", "))
    }

    fn name(&mut self, column: &[f64], unit: f64) -> String {
        let column: Vec<i16> = column.iter().map(|gain| (gain / unit).round() as i16).collect();
        let number = self.known.len();
        let number = *self.known.entry(column).or_insert_with_key(|column| {
            writeln!(self.source, "static COLUMN_{number}: [i16; {}] = {column:?};", column.len())
                .expect("a string takes text");
            number
        });
        format!("&COLUMN_{number}")
    }
}
