//! What the game must get right, proved against the words of the rules.

mod drawn_rulesets;
mod keeps;
mod known_values;
mod ledger;
mod monotonic;
mod scoring;
mod slow_scorer;
mod walks;
