//! Matches between scripted native agents: what the referee makes of them.

mod cases;
mod endings;
mod faults;
mod forgotten;
mod golden;
mod re_add;
mod records;
mod sameness;
mod scripted;
mod telling;
mod tournaments;
