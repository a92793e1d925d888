//! What the end-to-end tests share: guests written in WebAssembly text, and the lines
//! that say what came of them. And what makes the SDK's bindings.
//!
//! The tests of the program itself are in `program/`. Cargo hands a program's path only to tests
//! of its own package, so they are declared in `arena/cli/Cargo.toml`.

pub mod bindings;
mod guest;
mod nested;
pub mod zoo;

pub use guest::Guest;
pub use nested::{guest_beside, guest_beside_components, guest_that_logs_to, guest_with_nest};
