//! What an instance may have of the machine.
//!
//! Owns the counting of memory, tables and instances. Refuses growth over a limit; and a growth that
//! is allowed but that the machine has no memory for is remembered, since no agent may see it.

use wasmtime::ResourceLimiter;

use crate::bounds::{INSTANCES, MEMORIES, TABLE_ELEMENTS, TABLES};

/// Counts linear memory, and remembers what it refused.
pub(crate) struct Limiter {
    /// Bytes that may still be grown.
    pub(crate) left: u64,
    /// A growth was refused in the current call.
    pub(crate) refused: bool,
    /// The machine had no memory for a growth that was allowed.
    pub(crate) machine_failed: Option<String>,
}

impl Limiter {
    /// An instance that may grow to so many bytes of linear memory.
    pub(crate) fn new(memory_bytes: u64) -> Limiter {
        Limiter { left: memory_bytes, refused: false, machine_failed: None }
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        let more = desired.saturating_sub(current) as u64;
        if more > self.left || maximum.is_some_and(|maximum| desired > maximum) {
            self.refused = true;
            return Ok(false);
        }
        self.left -= more;
        Ok(true)
    }

    /// Called only after a growth was allowed, whatever was refused earlier in the same call.
    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        self.machine_failed = Some(format!("{error:#}"));
        Err(error)
    }

    fn table_growing(&mut self, _: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        let allowed = desired <= TABLE_ELEMENTS && maximum.is_none_or(|maximum| desired <= maximum);
        self.refused |= !allowed;
        Ok(allowed)
    }

    fn table_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        self.memory_grow_failed(error)
    }

    fn instances(&self) -> usize {
        INSTANCES as usize
    }

    fn tables(&self) -> usize {
        TABLES as usize
    }

    fn memories(&self) -> usize {
        MEMORIES as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Else an agent could see, by asking for too much first, that the machine is short of memory.
    #[test]
    fn a_machine_that_fails_is_remembered_after_a_refusal_too() {
        let mut limiter = Limiter::new(1 << 20);
        assert!(!limiter.memory_growing(0, 2 << 20, None).unwrap());
        assert!(limiter.memory_growing(0, 1 << 16, None).unwrap());
        assert!(limiter.machine_failed.is_none());
        assert!(limiter.memory_grow_failed(wasmtime::format_err!("no memory")).is_err());
        assert!(limiter.machine_failed.is_some());
    }
}
