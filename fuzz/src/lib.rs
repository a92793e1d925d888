//! What the fuzzers do with one input.
//!
//! Owns a function for each target, from bytes to a panic or none, so that the same code runs under
//! libFuzzer, over files that are named, and over the committed seeds in plain tests. Refuses to know
//! how inputs are found. A finding is mended, and tested, in the crate at fault.

#[path = "../../arena/cli/src/harmless.rs"]
#[allow(dead_code, unreachable_pub)]
mod harmless;

mod command_input;
#[cfg(feature = "sandbox")]
mod component;
mod drawn;
mod judge;
mod mutants;
mod record;
mod referee;
mod ruleset_file;
mod score;
mod scripted;
mod slow_keeps;
#[path = "../../arena/farkle/tests/rules/slow_scorer.rs"]
#[allow(dead_code)]
mod slow_scorer;

pub use command_input::command_input;
#[cfg(feature = "sandbox")]
pub use component::component;
pub use mutants::Mutants;
pub use record::record;
pub use referee::referee;
pub use ruleset_file::ruleset_file;
pub use score::score;

#[cfg(fuzzing)]
#[doc(hidden)]
pub use libfuzzer_sys;

/// The main function of a target.
#[macro_export]
macro_rules! target {
    ($target:path) => {
        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_target!(|data: &[u8]| $target(data));

        #[cfg(not(fuzzing))]
        fn main() {
            $crate::play_back($target);
        }
    };
}

/// Gives every file that is named on the command line to a target: with stable Rust, a crash is looked
/// at without libFuzzer.
#[doc(hidden)]
pub fn play_back(target: fn(&[u8])) {
    for name in std::env::args_os().skip(1) {
        target(&std::fs::read(&name).unwrap_or_else(|error| panic!("{}: {error}", name.display())));
    }
}
