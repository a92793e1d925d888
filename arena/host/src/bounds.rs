//! What a component may take beside the limits of a match.
//!
//! Owns the numbers that are the same in every tournament. Refuses to be configured: some of them are
//! part of what a match is.

/// The longest log that is kept of one seat in one match, in bytes.
pub const LOG_BYTES: usize = 64 << 10;

/// The largest component that is loaded, in bytes.
pub const COMPONENT_BYTES: usize = 32 << 20;

/// Bytes that a component can hand over in one call of an import.
pub(crate) const HOSTCALL_BYTES: usize = 128 << 10;
/// Core instances, memories and tables that one component may have.
pub(crate) const INSTANCES: u32 = 64;
pub(crate) const MEMORIES: u32 = 8;
pub(crate) const TABLES: u32 = 32;
/// Elements that one table may have.
pub(crate) const TABLE_ELEMENTS: usize = 100_000;
/// Elements for tables that one module may hold. To make one when it is set up takes up to 100 nanoseconds and
/// no fuel, so that all instances of a component take 0.6 seconds.
pub(crate) const SET_UP_ELEMENTS: u32 = 100_000;
/// Bytes that the engine may keep for the functions and globals of all instances of a component.
pub(crate) const CONTEXT_BYTES: usize = 64 << 20;
/// Functions that a component may lift and lower.
pub(crate) const FUNCTIONS_LIFTED: u32 = 10_000;
/// Bytes of a page of linear memory.
pub(crate) const PAGE: u64 = 64 << 10;
/// Linear memory that a slot of the pool can hold, in bytes: no limit on matches is above it.
pub(crate) const POOL_MEMORY_BYTES: usize = 64 << 20;

/// The watchdog's patience with a call: a minute, and a further second for so many units of fuel that the
/// call may use. Within its fuel a call takes a second at most for every 20 million units
/// (docs/security.md), so that only what has gone wrong with the sandbox or the machine comes near.
pub const FUEL_OF_A_SECOND: u64 = 333_333;
const PATIENCE_SECONDS: u64 = 60;

/// The seconds after which the watchdog stops a call.
pub(crate) fn patience(fuel: u64) -> u64 {
    PATIENCE_SECONDS + fuel / FUEL_OF_A_SECOND
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_core::Allowance;

    /// What docs/security.md says of them.
    #[test]
    fn a_decision_is_waited_for_two_minutes_and_a_set_up_eleven() {
        let limits = Allowance::Standard.limits();
        assert_eq!((patience(limits.decide_fuel), patience(limits.start_fuel)), (120, 660));
        assert_eq!((limits.decide_fuel, limits.start_fuel), (20_000_000, 200_000_000));
    }
}
