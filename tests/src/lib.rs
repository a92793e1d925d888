//! What the end-to-end tests share: guests written in WebAssembly text.
//!
//! The tests of the program itself are in `program/`. Cargo hands a program's path only to tests
//! of its own package, so they are declared in `arena/cli/Cargo.toml`.

mod guest;

pub use guest::Guest;
