//! Pages that show a tournament: standings, agents, matches, replays.
//!
//! Owns what people see in a browser: the pages, their pictures, their style and scripts. The same pages are
//! files that open from disk and what `arena serve` answers; [`Site::live`] says which. Refuses to read files,
//! to play and to compute statistics: everything on a page is handed in as [`Tournament`] or [`Replay`].
//!
//! Pages ask for nothing from elsewhere: no fonts, no scripts but their own, which a strict
//! Content-Security-Policy can hold them to. Whatever strangers wrote is text.

mod agent_page;
mod assets;
pub mod charts;
mod cross_table;
mod faults_page;
mod figure;
mod matches_page;
mod replay;
mod rules_page;
mod shell;
mod standings_page;
mod submit_page;
mod tournament;

pub use agent_page::agent_page;
pub use assets::{ASSETS, Asset};
pub use cross_table::cross_table_page;
pub use faults_page::faults_page;
pub use figure::{FigureRow, standings_figure};
pub use matches_page::{Asked, Listing, matches_page};
pub use replay::{Group, Replay, Seat, Step, Verdict, replay_page};
pub use rules_page::rules_page;
pub use shell::{Site, message_page, waiting_page};
pub use standings_page::{Progress, standings_page};
pub use submit_page::submit_page;
pub use tournament::{Agent, Listed, Order, Tournament};
