//! Formats: what they plan, against enumeration and brute force, with results drawn at random from
//! fixed seeds.

mod driving;
mod knockout;
mod ladder;
mod large;
mod round_robin;
mod swiss;
