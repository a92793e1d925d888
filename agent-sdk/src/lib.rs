//! What a Farkle Arena agent is written with.
//!
//! An agent is a type that decides, at every roll, which dice to keep and whether to bank:
//!
//! ```
//! use agent_sdk::{Agent, Decision, Turn};
//!
//! #[derive(Default)]
//! struct Cautious;
//!
//! impl Agent for Cautious {
//!     fn decide(&mut self, turn: &Turn) -> Decision {
//!         let keep = turn.best_keep();
//!         if turn.can_bank(&keep) { keep.bank() } else { keep.roll() }
//!     }
//! }
//!
//! agent_sdk::export!(Cautious);
//! ```
//!
//! # A tour
//!
//! **A decision** is a [`Keep`] and what follows it: [`keep.bank()`](Keep::bank) or
//! [`keep.roll()`](Keep::roll). One that breaks the rules forfeits the match.
//!
//! **The roll.** [`Turn::best_keep`] and [`Turn::best_bank`] answer most questions;
//! [`Turn::legal_keeps`] lists every keep, the most valuable first. Of a keep a turn can say what
//! it leads to: [`at_risk_with`](Turn::at_risk_with), [`dice_left`](Turn::dice_left),
//! [`is_hot`](Turn::is_hot), [`can_bank`](Turn::can_bank), [`farkle_chance`](Turn::farkle_chance),
//! [`gain_by_rolling`](Turn::gain_by_rolling).
//!
//! **The match.** [`Turn::score`], [`Turn::best_rival`] and [`Turn::points_to_target`] say how it
//! stands, [`Turn::wins_by_banking`] and [`Turn::loses_by_banking`] whether a bank decides it,
//! [`Turn::rivals`] who is where, [`Turn::closed_by`] who began the last round, [`Turn::news`] what
//! happened since the agent asked last.
//!
//! ```
//! use agent_sdk::{Agent, Decision, EventKind, Turn};
//!
//! /// Takes more risk for every farkle of the others.
//! #[derive(Default)]
//! struct Gloating {
//!     farkles: i32,
//! }
//!
//! impl Agent for Gloating {
//!     fn decide(&mut self, turn: &Turn) -> Decision {
//!         let me = turn.game().seat();
//!         let news = turn.news();
//!         self.farkles += news.iter().filter(|e| e.seat != me && e.kind == EventKind::Farkled).count() as i32;
//!         match turn.best_bank() {
//!             Some(keep) if turn.at_risk_with(&keep) >= 300 + 10 * self.farkles || turn.wins_by_banking(&keep) => keep.bank(),
//!             _ => turn.best_keep().roll(),
//!         }
//!     }
//! }
//! # agent_sdk::testing::assert_always_legal::<Gloating>(100);
//! ```
//!
//! **The game.** [`Turn::game`] holds what stays the same: [`ruleset`](Game::ruleset) and
//! [`chart`](Game::chart), [`random`](Game::random) numbers, exact odds by
//! [`farkle_chance`](Game::farkle_chance) and [`expectation`](Game::expectation). What the arena
//! knows of the game (scores, keeps, odds) is the arena's own code, re-exported as [`farkle`].
//!
//! **Tests** run natively, with the arena's referee and dice: [`testing`].
//!
//! **Notes** to yourself with [`log!`]; `arena match --logs` shows them beside the roll. A panic's
//! message is always shown.
//!
//! # The component
//!
//! An agent's crate needs `crate-type = ["cdylib", "rlib"]`: the first makes the component
//! (`arena build`), the second lets `cargo test` find the agent.
//!
//! Memory comes from an allocator that is seven kilobytes smaller than the standard library's. An
//! agent that brings its own `#[global_allocator]`, or wants the standard one, turns it off:
//!
//! ```toml
//! agent-sdk = { path = "…", default-features = false }
//! ```
//!
//! Owns the trait, the macro that turns a type into a component, the game as an agent sees it, and
//! the test kit. Refuses to hold opinions: strategy is the agent's.

/// A component allocates little and in small pieces; the standard library's allocator would be
/// half of a small agent.
#[cfg(all(target_arch = "wasm32", feature = "small-allocator"))]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

#[cfg(target_arch = "wasm32")]
#[doc(hidden)]
pub mod contract;
mod game;
mod history;
mod random;
#[cfg(not(target_arch = "wasm32"))]
pub mod testing;
mod turn;
#[cfg(any(target_arch = "wasm32", test))]
mod wire;

pub use farkle;
pub use farkle::{Chart, Decision, Expectation, Faces, Keep, Next, Points, Ruleset};

pub use game::Game;
pub use history::{Event, EventKind, Rival};
pub use random::Random;
pub use turn::Turn;

/// A contestant: one value plays one seat of one match.
pub trait Agent: Default + 'static {
    /// The match begins. Called once, before the first turn of any seat; has an allowance of
    /// computing of its own.
    fn start(&mut self, game: &Game) {
        let _ = game;
    }

    /// Decides on one roll. Keeping dice that do not score, or banking where
    /// [`Turn::can_bank`] says no, forfeits the match.
    fn decide(&mut self, turn: &Turn) -> Decision;
}

/// Notes a line beside the roll it belongs to, for the agent's author. It costs fuel by its
/// length and never reaches a result. In native tests it goes to standard error.
///
/// ```
/// agent_sdk::log("a quiet turn");
/// agent_sdk::log!("{} points at risk", 300);
/// ```
pub fn log(message: &str) {
    #[cfg(target_arch = "wasm32")]
    contract::log(message);
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("log: {message}");
}

/// [`log`](fn@log) with a format, as in `log!("{} points at risk", turn.at_risk)`.
#[macro_export]
macro_rules! log {
    ($($message:tt)*) => { $crate::log(&::std::format!($($message)*)) };
}

/// Makes a component of an [`Agent`]: written once, at the top level of its crate. The name,
/// version and authors that the component gives are those of the crate's `Cargo.toml`.
///
/// Natively it only checks that the type is an agent.
#[macro_export]
macro_rules! export {
    ($agent:ty) => {
        #[cfg(not(target_arch = "wasm32"))]
        const _: () = {
            const fn is_an_agent<A: $crate::Agent>() {}
            is_an_agent::<$agent>()
        };

        #[cfg(target_arch = "wasm32")]
        const _: () = {
            use $crate::contract::{Seat, bindings, exported};

            ::std::thread_local! {
                // No allocation: an agent that makes none itself has no use for more memory than it
                // begins with, and the arena need not clear any.
                static SEAT: Seat<$agent> = const { Seat::blank() };
            }

            struct Contestant;

            impl exported::Guest for Contestant {
                fn identity() -> exported::About {
                    exported::About {
                        name: ::core::env!("CARGO_PKG_NAME").into(),
                        version: ::core::env!("CARGO_PKG_VERSION").into(),
                        author: ::core::env!("CARGO_PKG_AUTHORS").into(),
                    }
                }

                fn start(seat: u32, seats: u32, agent_seed: u64, turn_limit: u32, ruleset_id: u64) {
                    SEAT.with(|at| at.start(seat, seats, agent_seed, turn_limit, ruleset_id));
                }

                fn decide(turn: exported::Turn) -> u32 {
                    SEAT.with(|at| at.decide(turn))
                }
            }

    bindings::export!(Contestant with_types_in bindings);
        };
    };
}
