//! What the game must get right, proved against the words of the rules.

mod cases_ending;
mod cases_scoring;
mod cases_turn;
mod drawn_rulesets;
mod keeps;
mod known_values;
mod ledger;
mod monotonic;
mod played;
mod preset_table;
mod scoring;
mod slow_scorer;
mod walks;
