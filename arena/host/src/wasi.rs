//! The WASI that an agent may import where it is allowed: deterministic, and nothing in it waits.
//!
//! Owns which interfaces are offered, and what a seat keeps for them: a clock that calls move on,
//! random numbers of the seat's own seed, and what was printed. `docs/wasi.md` tells what an agent
//! sees. Refuses files, the network, the machine's clock and its randomness: nothing of the
//! machine reaches a match.

mod cli;
mod clocks;
mod filesystem;
mod io;
mod print;
mod random;
mod shapes;
mod sockets;

use std::any::Any;

use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, Linker, LinkerInstance, Resource, ResourceTable, ResourceType};
use wasmtime::{Engine, Result, StoreContextMut};

use crate::imports::{CALL, charge};
use crate::seat::Seat;

use self::clocks::Clock;
pub(crate) use self::print::Channel;
use self::print::Printed;
use self::random::Random;

/// Whether there is WASI: what a sandbox offers, and what a component needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wasi {
    /// There is none: the ranked class.
    #[default]
    None,
    /// The deterministic one.
    Deterministic,
}

/// Goes up whenever a component could notice a change of anything here.
pub(crate) const VERSION: u32 = 2;

/// Streams, pollables and the like that an agent may hold at one time.
const HANDLES: usize = 1_000;

type Add = fn(&mut LinkerInstance<'_, Seat>) -> Result<()>;

/// The interfaces offered, of any version 0.2.
const INTERFACES: [(&str, Add); 27] = [
    ("wasi:cli/environment", cli::add_environment),
    ("wasi:cli/exit", cli::add_exit),
    ("wasi:cli/stdin", cli::add_stdin),
    ("wasi:cli/stdout", cli::add_stdout),
    ("wasi:cli/stderr", cli::add_stderr),
    ("wasi:cli/terminal-input", cli::add_terminal_input),
    ("wasi:cli/terminal-output", cli::add_terminal_output),
    ("wasi:cli/terminal-stdin", cli::add_terminal_stdin),
    ("wasi:cli/terminal-stdout", cli::add_terminal_stdout),
    ("wasi:cli/terminal-stderr", cli::add_terminal_stderr),
    ("wasi:clocks/monotonic-clock", clocks::add_monotonic_clock),
    ("wasi:clocks/wall-clock", clocks::add_wall_clock),
    ("wasi:filesystem/preopens", filesystem::add_preopens),
    ("wasi:filesystem/types", filesystem::add_types),
    ("wasi:io/error", io::add_error),
    ("wasi:io/poll", io::add_poll),
    ("wasi:io/streams", io::add_streams),
    ("wasi:random/insecure", random::add_insecure),
    ("wasi:random/insecure-seed", random::add_insecure_seed),
    ("wasi:random/random", random::add_random),
    ("wasi:sockets/instance-network", sockets::add_instance_network),
    ("wasi:sockets/ip-name-lookup", sockets::add_ip_name_lookup),
    ("wasi:sockets/network", sockets::add_network),
    ("wasi:sockets/tcp", sockets::add_tcp),
    ("wasi:sockets/tcp-create-socket", sockets::add_tcp_create_socket),
    ("wasi:sockets/udp", sockets::add_udp),
    ("wasi:sockets/udp-create-socket", sockets::add_udp_create_socket),
];

/// What adds an interface, if it is offered.
fn offered(import: &str) -> Option<Add> {
    let (name, version) = import.split_once('@')?;
    let patch = version.strip_prefix("0.2.")?;
    if patch.is_empty() || !patch.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    INTERFACES.iter().find(|(known, _)| *known == name).map(|(_, add)| *add)
}

/// Whether an import is one of the interfaces.
pub(crate) fn offers(import: &str) -> bool {
    offered(import).is_some()
}

/// Names of the interfaces, for a refusal that says what is on offer.
pub(crate) fn names() -> String {
    INTERFACES.map(|(name, _)| name).join(", ")
}

/// Adds the interfaces that a component imports, under the versions that it imports them by.
/// Functions of theirs that only a file or a socket could be used with are there, and trap.
pub(crate) fn add(linker: &mut Linker<Seat>, engine: &Engine, component: &Component) -> Result<()> {
    // What is made by hand takes the place of what traps.
    linker.allow_shadowing(true);
    for (import, item) in component.component_type().imports(engine) {
        let (Some(add), ComponentItem::ComponentInstance(interface)) = (offered(import), item.ty) else { continue };
        let mut instance = linker.instance(import)?;
        for (function, item) in interface.exports(engine) {
            if matches!(item.ty, ComponentItem::ComponentFunc(_)) {
                let message = format!("`{import}` `{function}` is not offered: there are no files and no network");
                instance.func_new(function, move |_, _, _, _| Err(wasmtime::format_err!("{message}")))?;
            }
        }
        add(&mut instance)?;
    }
    Ok(())
}

/// What a seat keeps for the WASI of its agent.
pub(crate) struct State {
    clock: Clock,
    random: Random,
    printed: Printed,
    handles: ResourceTable,
}

impl State {
    /// For an agent whose match has this seed; none before `start`.
    pub(crate) fn new(agent_seed: Option<u64>) -> State {
        let mut handles = ResourceTable::new();
        handles.set_max_capacity(HANDLES);
        State { clock: Clock::default(), random: Random::new(agent_seed), printed: Printed::default(), handles }
    }

    /// The seed of the match is known.
    pub(crate) fn seed(&mut self, agent_seed: u64) {
        self.random = Random::new(Some(agent_seed));
    }

    /// What was printed, as lines.
    pub(crate) fn printed(&mut self) -> &mut Printed {
        &mut self.printed
    }

    /// What was printed to stderr in this call, if that was the last that the agent told.
    pub(crate) fn last_words(&self) -> Option<String> {
        self.printed.last_words()
    }

    fn hold<T: Any + Send>(&mut self, thing: T) -> Result<Resource<T>> {
        self.handles
            .push(thing)
            .map_err(|_| wasmtime::format_err!("the agent holds {HANDLES} handles of WASI and asks for more"))
    }
}

/// Adds a resource whose handles are held in the table.
fn add_held<T: Any + Send>(instance: &mut LinkerInstance<'_, Seat>, name: &str) -> Result<()> {
    instance.resource(name, ResourceType::host::<T>(), |mut store: StoreContextMut<'_, Seat>, handle| {
        charge(&mut store, CALL)?;
        store.data_mut().wasi().handles.delete(Resource::<T>::new_own(handle))?;
        Ok(())
    })
}

/// Adds a resource of which there is none.
fn add_absent<T: 'static>(instance: &mut LinkerInstance<'_, Seat>, name: &str) -> Result<()> {
    instance.resource(name, ResourceType::host::<T>(), |_, _| Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interfaces_are_offered_in_every_version_of_the_second_preview() {
        for import in ["wasi:cli/exit@0.2.0", "wasi:io/streams@0.2.12", "wasi:random/insecure-seed@0.2.3"] {
            assert!(offers(import), "{import}");
        }
        for import in [
            "wasi:cli/exit",
            "wasi:cli/exit@0.3.0",
            "wasi:cli/exit@0.2.0-rc-2023-11-10",
            "wasi:cli/exit@0.2.",
            "wasi:cli/run@0.2.0",
            "wasi:http/types@0.2.0",
            "mine:cli/exit@0.2.0",
        ] {
            assert!(!offers(import), "{import}");
        }
    }
}
