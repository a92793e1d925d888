//! The engine: one set of settings, chosen so that the same component plays the same match
//! everywhere.
//!
//! Owns every setting and constant of the sandbox that can reach a result, and the fingerprint
//! that names them. Refuses to have options: two arenas of one version run the same engine.

use arena_core::{EngineId, HostFailure, Sha256Hex};
use wasmtime::component::{Component, Linker};
use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig};

use crate::bounds::{CONTEXT_BYTES, INSTANCES, LOG_BYTES, MEMORIES, POOL_MEMORY_BYTES, TABLE_ELEMENTS, TABLES};
use crate::component::{ComponentAgent, Refused};
use crate::fuel;
use crate::imports;
use crate::seat::Seat;
use crate::wasi::{self, Wasi};

/// The version of wasmtime that this crate is pinned to.
const WASMTIME: &str = "48.0.8";
/// Stack for a component's calls, in bytes.
const STACK_BYTES: usize = 512 << 10;
/// Seats that can be filled at one time, over all threads.
const SEATS_AT_ONCE: u32 = 256;
/// Memory of a slot that is kept resident for the next match, in bytes.
const KEEP_RESIDENT: usize = 1 << 20;

/// The engine with everything that components can import. Made once; shared by all threads.
pub struct Sandbox {
    engine: Engine,
    linker: Linker<Seat>,
    pooled: bool,
    wasi: Wasi,
}

/// The watchdog's clock of a sandbox. Without ticks it stands, and nothing is ever stopped.
pub struct Clock(Engine);

impl Clock {
    /// A second has passed in which matches may have been played. A call that takes a minute, and a
    /// further second for each [`FUEL_OF_A_SECOND`](crate::FUEL_OF_A_SECOND) units of fuel that it may use,
    /// is stopped, and its match is void.
    pub fn tick(&self) {
        self.0.increment_epoch();
    }
}

impl Sandbox {
    /// Starts the engine for the ranked class: components that import no WASI.
    ///
    /// # Errors
    ///
    /// [`HostFailure`] when this machine cannot run the engine.
    pub fn new() -> Result<Sandbox, HostFailure> {
        Sandbox::with(Wasi::None)
    }

    /// Starts the engine, with a pool of instance slots where the machine allows one. The pool
    /// makes matches faster and changes nothing else; a component that imports no WASI plays the
    /// same whether there is WASI or not.
    ///
    /// # Errors
    ///
    /// [`HostFailure`] when this machine cannot run the engine.
    pub fn with(wasi: Wasi) -> Result<Sandbox, HostFailure> {
        let sandbox = match Sandbox::with_pool(true) {
            Ok(sandbox) => sandbox,
            Err(_) => Sandbox::with_pool(false)?,
        };
        Ok(Sandbox { wasi, ..sandbox })
    }

    /// For the ranked class, with or without a pool.
    ///
    /// # Errors
    ///
    /// [`HostFailure`] when this machine cannot run the engine that way.
    pub fn with_pool(pooled: bool) -> Result<Sandbox, HostFailure> {
        let failed = |error: wasmtime::Error| HostFailure::Failed(format!("the engine does not start: {error:#}"));
        let mut config = settings().map_err(failed)?;
        if pooled {
            config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool()));
        }
        let engine = Engine::new(&config).map_err(failed)?;
        let mut linker = Linker::new(&engine);
        imports::add(&mut linker).map_err(failed)?;
        Ok(Sandbox { engine, linker, pooled, wasi: Wasi::None })
    }

    /// Whether instances come from a pool.
    pub fn is_pooled(&self) -> bool {
        self.pooled
    }

    /// Looks whether a compiled component, made of bytes of that hash, is a contestant.
    pub(crate) fn link(&self, component: Component, sha256: Sha256Hex) -> Result<ComponentAgent, Refused> {
        ComponentAgent::link(&self.linker, self.wasi, component, sha256)
    }

    /// The engine itself, for benchmarks that measure it bare.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// What the watchdog counts seconds on.
    pub fn clock(&self) -> Clock {
        Clock(self.engine.clone())
    }

    /// Names what machine code is made for, in letters, digits and dashes. Pooling makes no difference.
    pub fn code_id() -> String {
        format!("wasmtime-{}-{}", WASMTIME.replace('.', "-"), fingerprint(Wasi::None))
    }

    /// What a record says about this engine. WASI is part of it where a component of the match
    /// imports WASI, and else cannot matter.
    pub fn id(imported: Wasi) -> EngineId {
        EngineId {
            arena: env!("CARGO_PKG_VERSION").into(),
            wasmtime: WASMTIME.into(),
            fingerprint: fingerprint(imported),
            wasi: match imported {
                Wasi::None => None,
                Wasi::Deterministic => Some(wasi::VERSION),
            },
        }
    }
}

/// Hash of everything about the engine that can change a result: its version, its settings, the
/// sandbox's constants, and the processor architecture (the depth of calls that a stack holds
/// depends on it).
fn fingerprint(imported: Wasi) -> String {
    let mut text = format!(
        "wasmtime {WASMTIME}; cranelift speed; baseline {}; fuel; epochs; nan canonical; stack {STACK_BYTES}; \
         instances {INSTANCES}; memories {MEMORIES}; tables {TABLES}; table elements {TABLE_ELEMENTS}; \
         log {}; {}; {}",
        std::env::consts::ARCH,
        LOG_BYTES,
        imports::COSTS,
        fuel::COSTS,
    );
    if imported == Wasi::Deterministic {
        text += &format!("; wasi {}", wasi::VERSION);
    }
    Sha256Hex::of(text.as_bytes()).to_string()[..16].to_owned()
}

fn settings() -> wasmtime::Result<Config> {
    let mut config = Config::new();
    // An explicit target keeps the compiler from using what only this processor has.
    config.target(&target_lexicon::HOST.to_string())?;
    config
        .cranelift_opt_level(OptLevel::Speed)
        .consume_fuel(true)
        // For the watchdog alone: fuel decides, and what the watchdog stops is never scored.
        .epoch_interruption(true)
        .operator_cost(fuel::costs())
        .cranelift_nan_canonicalization(true)
        .max_wasm_stack(STACK_BYTES)
        .wasm_relaxed_simd(false)
        .wasm_multi_memory(false)
        .wasm_memory64(false)
        .wasm_tail_call(false)
        .concurrency_support(false)
        .memory_init_cow(true);
    Ok(config)
}

fn pool() -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(SEATS_AT_ONCE)
        .total_core_instances(INSTANCES * SEATS_AT_ONCE)
        .total_memories(MEMORIES * SEATS_AT_ONCE)
        .total_tables(TABLES * SEATS_AT_ONCE)
        .max_core_instances_per_component(INSTANCES)
        .max_memories_per_component(MEMORIES)
        .max_tables_per_component(TABLES)
        // Refused before they are compiled are more tables, functions and globals than fit: with a pool and
        // without.
        .max_tables_per_module(TABLES)
        .max_core_instance_size(2 * CONTEXT_BYTES)
        .max_component_instance_size(CONTEXT_BYTES)
        .max_memory_size(POOL_MEMORY_BYTES)
        .table_elements(TABLE_ELEMENTS)
        .linear_memory_keep_resident(KEEP_RESIDENT)
        .table_keep_resident(KEEP_RESIDENT)
        .pagemap_scan(Enabled::Auto);
    pool
}
