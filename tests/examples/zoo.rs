//! Runs every hostile agent of the tests, and prints a table: the attack, what is expected, what was seen.
//!
//! ```sh
//! cargo run -p arena-tests --example zoo
//! ```
//!
//! The rows come from the tests themselves (`arena_tests::zoo`), so that what is expected here is what they
//! assert. Fails where a test failed, where one told nothing, and where nothing was told at all.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::process::{Command, ExitCode, Stdio};

use arena_tests::zoo::Row;
use tabled::builder::Builder;
use tabled::settings::Style;

/// The tests, as arguments of cargo and of the harness.
const RUNS: [(&[&str], &str); 3] = [
    (&["-p", "arena-tests", "--test", "hostile", "--test", "faults", "--test", "watchdog"], ""),
    (&["-p", "arena", "--test", "program"], "loading::"),
    (&["-p", "arena", "--test", "program"], "suspension::an_agent"),
];

fn main() -> ExitCode {
    let mut zoo = Zoo::default();
    for (tests, filter) in RUNS {
        if let Err(why) = zoo.run(tests, filter) {
            zoo.complaints.push(format!("cargo test {}: {why}", tests.join(" ")));
        }
    }
    println!("{}", zoo.table());
    let complaints = zoo.complaints();
    let seen = zoo.rows.len() - zoo.failed_rows();
    println!("{seen} of {} attacks came to what is expected, in {} tests", zoo.rows.len(), zoo.tests.len());
    let compared = zoo.rows.iter().filter(|row| row.others.is_some()).count();
    let same = zoo.rows.iter().filter(|row| row.others == Some(true)).count();
    println!(
        "after {same} of the {compared} where that was looked at, a match of others had the hash that it had before"
    );
    for complaint in &complaints {
        println!("FAILED: {complaint}");
    }
    if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What all tests told.
#[derive(Default)]
struct Zoo {
    rows: Vec<Row>,
    /// Every test that ran, and whether it passed.
    tests: BTreeMap<String, bool>,
    complaints: Vec<String>,
}

impl Zoo {
    fn run(&mut self, tests: &[&str], filter: &str) -> Result<(), String> {
        // Threads have the names of their tests only where there are several.
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.arg("test").args(tests).args(["--no-fail-fast", "--", "--nocapture", "--test-threads=4", filter]);
        command.env("RUST_BACKTRACE", "0").stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let stdout = child.stdout.take().ok_or("its output cannot be read")?;
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line.map_err(|error| error.to_string())?;
            let line = String::from_utf8_lossy(&line);
            if let Some(row) = Row::read(&line) {
                eprint!("\r{} attacks", self.rows.len() + 1);
                self.rows.push(row);
            } else if let Some((test, end)) = line.strip_prefix("test ").and_then(|line| line.split_once(" ... ")) {
                match end {
                    "ok" => _ = self.tests.insert(test.to_owned(), true),
                    "FAILED" => _ = self.tests.insert(test.to_owned(), false),
                    _ => {}
                }
            }
        }
        eprintln!();
        let status = child.wait().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(status.to_string()) }
    }

    fn failed_rows(&self) -> usize {
        self.rows.iter().filter(|row| !row.held).count()
    }

    /// Everything that is not as it should be.
    fn complaints(&self) -> Vec<String> {
        let mut complaints = self.complaints.clone();
        if self.rows.is_empty() {
            complaints.push("nothing was told of any attack".into());
        }
        let told: BTreeSet<&str> = self.rows.iter().map(|row| row.test.as_str()).collect();
        let silent = self.tests.keys().filter(|test| !told.contains(test.as_str()));
        complaints.extend(silent.map(|test| format!("{test} told nothing of its attacks")));
        complaints.extend(self.rows.iter().filter(|row| !row.held).map(|row| format!("{}: {}", row.test, row.seen)));
        complaints.extend(self.tests.iter().filter(|(_, passed)| !**passed).map(|(test, _)| format!("test {test}")));
        complaints
    }

    fn table(&self) -> String {
        // Tests run side by side; a test's own rows are in its order.
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| &row.test);
        let mut table = Builder::default();
        table.push_record(["attack", "expected", "seen", "others", ""]);
        let mut told = "";
        for row in rows {
            let name = row.test.replace("::", ": ").replace('_', " ");
            if told != row.test && !row.case.is_empty() {
                table.push_record([&name, "", "", "", ""]);
            }
            told = &row.test;
            let attack = if row.case.is_empty() { name } else { format!("  \u{2013} {}", row.case) };
            let others = match row.others {
                Some(true) => "as before",
                Some(false) => "CHANGED",
                None => "\u{2013}",
            };
            let verdict = if row.held { "ok" } else { "FAILED" };
            table.push_record([&attack, &row.expected, &row.seen, others, verdict]);
        }
        table.build().with(Style::sharp()).to_string()
    }
}
