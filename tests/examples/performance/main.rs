//! Measures what the arena costs, and writes the figures into docs/performance.md with a plot beside it.
//!
//! ```sh
//! cargo run -p arena-tests --example performance [quick]
//! ```
//!
//! Builds the program and the benchmarks with optimisation and runs them one after another; three minutes on
//! a quiet machine, and not worth much on another. With `quick` everything is run as shortly as can be and
//! printed, and nothing is written: for seeing that it works. Takes Linux, which says what memory a process
//! has held.

mod growth;
mod plot;
mod program;
mod ratios;

use std::path::Path;
use std::process::ExitCode;

use program::{Failed, Programs};

/// How thoroughly it is measured.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Runs whose median is told.
    pub(crate) rounds: usize,
    /// What `arena bench` is given for each of its parts.
    pub(crate) seconds: &'static str,
    pub(crate) pairs_to_store: u64,
    pub(crate) many_pairs: u64,
}

const THOROUGH: Effort = Effort { rounds: 7, seconds: "2", pairs_to_store: 20_000, many_pairs: 500_000 };
const QUICK: Effort = Effort { rounds: 1, seconds: "0.05", pairs_to_store: 200, many_pairs: 10_000 };

const BEGIN: &str = "<!-- Written by `cargo run -p arena-tests --example performance`: do not edit. -->\n";
const END: &str = "<!-- End of what is written. -->\n";

fn main() -> ExitCode {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let measured = match asked.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => measure(THOROUGH).and_then(|(text, plot)| write(&text, &plot)),
        ["quick"] => measure(QUICK).map(|(text, plot)| print!("{text}\nthe plot has {} bytes\n", plot.len())),
        _ => Err("the only argument is `quick`".into()),
    };
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The section of the page, and the plot.
fn measure(effort: Effort) -> Result<(String, String), Failed> {
    let programs = Programs::build(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")))?;
    let ratios = ratios::measure(&programs, effort)?;
    let growth = growth::measure(&programs, effort)?;
    let text = format!("Measured on {}.\n\n{ratios}\n{}", program::machine(), growth::table(&growth));
    Ok((text, plot::draw(&growth)?))
}

fn write(text: &str, plot: &str) -> Result<(), Failed> {
    let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"));
    let page = docs.join("performance.md");
    let old = std::fs::read_to_string(&page)?;
    let places = old.split_once(BEGIN).and_then(|(head, rest)| Some((head, rest.split_once(END)?.1)));
    let (head, tail) = places.ok_or("docs/performance.md has no place for the figures")?;
    std::fs::write(docs.join("performance-growth.svg"), plot)?;
    std::fs::write(page, format!("{head}{BEGIN}\n{text}\n{END}{tail}"))?;
    Ok(())
}
