//! The sandbox: agents as WebAssembly components.
//!
//! Owns everything that touches wasmtime: the engine and its settings, the loading of components,
//! and the seat in which one instance plays one match. Refuses to know files, matches and
//! results: it implements [`arena_core::Contestant`] and [`arena_core::Agent`], nothing more.

mod bindings;
mod component;
mod engine;
mod imports;
mod seat;
mod wasi;

pub use component::{About, ComponentAgent, Refused};
pub use engine::Sandbox;
pub use wasi::Wasi;

/// The longest log that is kept of one seat in one match, in bytes.
pub const LOG_BYTES: usize = 64 << 10;

/// The largest component that is loaded, in bytes.
pub const COMPONENT_BYTES: usize = 32 << 20;
