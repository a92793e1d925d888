//! Writes the SDK's bindings anew, after a change of `wit/`:
//!
//! ```sh
//! cargo run -p arena-tests --example generate-bindings
//! ```

use std::path::Path;
use std::process::ExitCode;

use arena_tests::bindings;

fn main() -> ExitCode {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let file = root.join(bindings::FILE);
    let written = bindings::generate(root)
        .and_then(|code| std::fs::write(&file, code).map_err(|error| format!("writing {}: {error}", bindings::FILE)));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
