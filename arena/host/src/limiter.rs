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

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        if self.refused {
            return Ok(());
        }
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
