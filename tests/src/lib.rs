//! What the end-to-end tests share: guests written in WebAssembly text, and the `arena` program.

mod guest;
mod program;

pub use guest::Guest;
pub use program::{Output, arena, arena_fed, arena_in, sample, samples};
