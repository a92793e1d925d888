//! A component that was found to be a contestant.
//!
//! Owns the checks at the door and the compiled component. Refuses whatever is not a component
//! of the world `contestant`, and says why.

use std::borrow::Cow;
use std::rc::Rc;

use arena_core::{Agent, AgentError, Allowance, Contestant, Sha256Hex, Table};
use wasmtime::component::{Component, InstancePre, Linker};

use crate::bindings::{AGENT, Calls};
use crate::bounds::{COMPONENT_BYTES, MEMORIES, PAGE, TABLES};
use crate::imports::OFFERED;
use crate::seat::{self, About, Seat, SeatedAgent};
use crate::wasi::{self, Wasi};

/// Characters of a refusal's reason that are told.
const TEXT_CHARS: usize = 500;

/// Why bytes are no contestant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// Over the size limit.
    #[error("it has {bytes} bytes, and the largest component allowed has {limit}", limit = COMPONENT_BYTES)]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// Not WebAssembly at all.
    #[error("it is not a WebAssembly file")]
    NotWasm,
    /// A core module.
    #[error("it is a core WebAssembly module, not a component; `arena build FILE` makes a component of it")]
    CoreModule,
    /// WebAssembly, but broken, cut short, or using what the arena does not allow.
    #[error("it is not a valid component: {0}")]
    Invalid(String),
    /// It cannot be compiled within the limits on time and memory.
    #[error("it cannot be compiled: {0}")]
    CannotCompile(String),
    /// It is put together in a way that escapes its fuel.
    #[error("{0}")]
    Composition(String),
    /// It imports what the arena does not offer.
    #[error("it imports `{import}`, which the arena does not offer (offered: {})", OFFERED.join(", "))]
    UnknownImport {
        /// The name of the import.
        import: String,
    },
    /// It imports WASI, and is to play without.
    #[error(
        "it imports `{import}`; agents of the ranked class import no WASI, so that no clock, file or network reaches a \
         match: build it for wasm32-unknown-unknown or with `componentize-py --stub-wasi`, or play it with --allow-wasi"
    )]
    Wasi {
        /// The name of the import.
        import: String,
    },
    /// It imports a part of WASI that there is not.
    #[error(
        "it imports `{import}`, which is no part of the WASI that --allow-wasi offers (version 0.2 of {})",
        wasi::names()
    )]
    UnknownWasi {
        /// The name of the import.
        import: String,
    },
    /// It does not export the contract.
    #[error("it does not export `{AGENT}` as the contract has it, so it is a component of another world: {0}")]
    WrongWorld(String),
    /// It cannot be instantiated within the limits.
    #[error("it cannot be instantiated: {0}")]
    CannotStart(String),
}

/// A compiled component, ready to be seated in any number of matches at once.
#[derive(Clone)]
pub struct ComponentAgent {
    pre: InstancePre<Seat>,
    calls: Calls,
    sha256: [u8; 32],
    wasi: Wasi,
}

impl ComponentAgent {
    /// Looks whether a compiled component, made of bytes of that hash, is a contestant.
    pub(crate) fn link(
        linker: &Linker<Seat>,
        allowed: Wasi,
        component: Component,
        sha256: Sha256Hex,
    ) -> Result<ComponentAgent, Refused> {
        let engine = linker.engine();
        // A pool would not have it; without one it is not to be found out in a match.
        if component.resources_required().is_some_and(|all| all.num_memories > MEMORIES || all.num_tables > TABLES) {
            return Err(Refused::Composition(format!("it has more than {MEMORIES} memories or {TABLES} tables")));
        }
        let needs_wasi = component.component_type().imports(engine).any(|(import, _)| wasi::offers(import));
        let wasi = if needs_wasi { allowed } else { Wasi::None };
        let mut linker = Cow::Borrowed(linker);
        if wasi == Wasi::Deterministic {
            let added = wasi::add(linker.to_mut(), engine, &component);
            added.map_err(|error| Refused::Invalid(one_line(&error)))?;
        }
        for (import, _) in component.component_type().imports(engine) {
            let offered = OFFERED.contains(&import) || (wasi == Wasi::Deterministic && wasi::offers(import));
            if !offered && linker.instantiate_pre(&component).is_err() {
                return Err(unknown(cut(import), allowed));
            }
        }
        let exports = component.component_type().exports(engine).any(|(name, _)| name == AGENT);
        let pre = linker.instantiate_pre(&component).map_err(|error| Refused::Invalid(one_line(&error)))?;
        let calls = Calls::find(&pre).map_err(|error| {
            Refused::WrongWorld(if exports { one_line(&error) } else { "there is no such export".to_owned() })
        })?;
        Ok(ComponentAgent { pre, calls, sha256: sha256.0, wasi })
    }

    /// Whether it imports WASI.
    pub fn wasi(&self) -> Wasi {
        self.wasi
    }

    /// The interfaces that the component imports, in its order.
    pub fn imports(&self) -> Vec<String> {
        let component = self.pre.component();
        component.component_type().imports(self.pre.engine()).map(|(name, _)| name.to_owned()).collect()
    }

    /// Bytes of the largest linear memory that the component begins with; `None` where that is not
    /// known before it is instantiated.
    pub fn initial_memory(&self) -> Option<u64> {
        let pages = self.pre.component().resources_required()?.max_initial_memory_size?;
        Some(pages.saturating_mul(PAGE))
    }

    /// Asks the component who it is, outside any match and within the standard allowance.
    ///
    /// # Errors
    ///
    /// [`Refused::CannotStart`] when it cannot even answer that.
    pub fn about(&self) -> Result<About, Refused> {
        seat::about(&self.pre, &self.calls, &Allowance::Standard.limits()).map_err(|error| match error {
            AgentError::Fault(fault) => Refused::CannotStart(format!("{}: {}", fault.kind, fault.message)),
            AgentError::Host(failure) => Refused::CannotStart(failure.to_string()),
        })
    }
}

impl Contestant for ComponentAgent {
    fn sha256(&self) -> [u8; 32] {
        self.sha256
    }

    fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(SeatedAgent::seat(&self.pre, &self.calls, table)?))
    }
}

/// The refusal of an import that is not offered.
fn unknown(import: String, allowed: Wasi) -> Refused {
    match allowed {
        Wasi::None if import.starts_with("wasi:") => Refused::Wasi { import },
        Wasi::Deterministic if import.starts_with("wasi:") => Refused::UnknownWasi { import },
        _ => Refused::UnknownImport { import },
    }
}

/// An error and its causes, on one line.
pub(crate) fn one_line(error: &wasmtime::Error) -> String {
    cut(&format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A text as far as anybody reads it: a stranger's names may be part of it.
fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
