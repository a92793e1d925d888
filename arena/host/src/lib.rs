//! The sandbox: agents as WebAssembly components.
//!
//! Owns everything that touches wasmtime: the engine and its settings, the loading of components,
//! and the seat in which one instance plays one match. Refuses to know files, matches and
//! results: it implements [`arena_core::Contestant`] and [`arena_core::Agent`], nothing more.

mod bindings;
mod bounds;
mod compile;
mod component;
mod composition;
mod engine;
mod failed_call;
mod fuel;
mod imports;
mod limiter;
mod seat;
mod wasi;

pub use bounds::{COMPONENT_BYTES, FUEL_OF_A_SECOND, LOG_BYTES};
pub use compile::{NotLoaded, look_at};
pub use component::{ComponentAgent, Refused};
pub use engine::{Clock, Sandbox};
pub use seat::About;
pub use wasi::Wasi;
