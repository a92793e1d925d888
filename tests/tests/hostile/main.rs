//! A zoo of hostile agents: what each of them comes to, and that the arena goes on as before.
//!
//! `faults.rs` has what authors do by mistake; here is what nobody does by mistake.

mod arena;
mod bulk;
mod floods;
mod loops;
mod memory;
mod proposals;
mod seeds;
mod shapes;
mod spies;
mod strings;
