//! Core WebAssembly modules into components.
//!
//! Owns the encoding, with or without an adapter for WASI preview 1, and the words for what is
//! wrong with a module that cannot be one. Refuses to run anything.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use wasmparser::{Parser, Payload};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::{Resolve, WorldId};

use crate::build::{WIT, WORLD};
use crate::custom_sections::trim;

/// The functions that the contract asks of an agent, as a module built for it exports them.
const CONTRACT: [&str; 3] =
    ["farkle:arena/agent@0.1.0#identity", "farkle:arena/agent@0.1.0#start", "farkle:arena/agent@0.1.0#decide"];

/// The module that WASI preview 1 imports name.
const PREVIEW_1: &str = "wasi_snapshot_preview1";

/// What a file turns out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wasm {
    /// A core module.
    Module,
    /// A component.
    Component,
    /// Neither.
    Neither,
}

/// What some bytes are, by their header.
pub fn kind(bytes: &[u8]) -> Wasm {
    if Parser::is_core_wasm(bytes) {
        Wasm::Module
    } else if Parser::is_component(bytes) {
        Wasm::Component
    } else {
        Wasm::Neither
    }
}

/// A module that makes WASI preview 1 of the WASI that components import.
#[derive(Clone, Debug)]
pub struct Adapter(Vec<u8>);

impl Adapter {
    /// Where adapters come from.
    pub const ORIGIN: &str = "https://github.com/bytecodealliance/wasmtime/releases";

    /// The adapter in a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or holds no adapter for a library.
    pub fn read(path: &Path) -> Result<Adapter> {
        let bytes = fs::read(path).with_context(|| format!("reading the adapter {}", path.display()))?;
        Adapter::of(bytes).with_context(|| format!("{} is no adapter", path.display()))
    }

    fn of(bytes: Vec<u8>) -> Result<Adapter> {
        let from = Adapter::ORIGIN;
        if kind(&bytes) != Wasm::Module {
            bail!("it is no core WebAssembly module; `{PREVIEW_1}.reactor.wasm` comes with wasmtime, {from}");
        }
        let surface = Surface::of(&bytes)?;
        if !surface.describes_itself || !surface.exports.contains("fd_write") {
            bail!("it does not export WASI preview 1 (`fd_write`); `{PREVIEW_1}.reactor.wasm` does, {from}");
        }
        if surface.exports.iter().any(|name| name.starts_with("wasi:cli/run@")) {
            bail!("it is for programs with a `main`; an agent is a library, and takes `{PREVIEW_1}.reactor.wasm`");
        }
        Ok(Adapter(bytes))
    }
}

/// Makes a component of a core module that was built with bindings to the contract, or that
/// exports the contract's functions without them.
///
/// # Errors
///
/// When this is no core module, when it does not export what the contract asks for, or imports
/// what no component of it can: WASI preview 1 among them, unless an adapter stands in for it.
pub fn componentize(core_module: &[u8], adapter: Option<&Adapter>) -> Result<Vec<u8>> {
    match kind(core_module) {
        Wasm::Module => {}
        Wasm::Component => bail!("this is a component already: it can play as it is"),
        Wasm::Neither => bail!("this is no WebAssembly module"),
    }
    let surface = Surface::of(core_module).context("this WebAssembly module cannot be read")?;
    match (surface.imports.contains(PREVIEW_1), adapter) {
        (true, None) => bail!(
            "this module was built for WASI preview 1 (`{PREVIEW_1}`), which no agent can import. Build it for \
             `wasm32-unknown-unknown`; or give the adapter that comes with wasmtime ({}):\n\n    \
             --adapter {PREVIEW_1}.reactor.wasm\n\n\
             The agent then imports WASI, and plays only where that is allowed",
            Adapter::ORIGIN
        ),
        (false, Some(_)) => bail!("this module does not import WASI preview 1, so it takes no adapter"),
        _ => {}
    }
    let missing: Vec<_> = CONTRACT.into_iter().filter(|name| !surface.exports.contains(*name)).collect();
    if !missing.is_empty() {
        bail!(
            "this module is no agent; it does not export {}.\n\
             In Rust one line exports them all, with the name of the type that decides:\n\n    \
             agent_sdk::export!(MyAgent);\n",
            missing.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        );
    }
    let offered = |module: &str| module.starts_with("farkle:arena/") || module == PREVIEW_1;
    let alien: Vec<_> = surface.imports.iter().map(String::as_str).filter(|module| !offered(module)).collect();
    if !alien.is_empty() {
        bail!("this module imports from `{}`, which the arena does not offer", alien.join("`, `"));
    }
    if surface.describes_itself {
        return encode(core_module, adapter);
    }
    // Built without bindings, by somebody who exports the functions by their names.
    let mut described = core_module.to_vec();
    let (contract, world) = contract()?;
    embed_component_metadata(&mut described, &contract, world, StringEncoding::UTF8)
        .context("writing the contract's types into this module")?;
    encode(&described, adapter)
}

/// The contract that this program was built with, and the world of an agent.
fn contract() -> Result<(Resolve, WorldId)> {
    let mut contract = Resolve::default();
    let package = contract.push_str("arena.wit", WIT)?;
    let world = contract.select_world(&[package], Some(WORLD))?;
    Ok((contract, world))
}

fn encode(core_module: &[u8], adapter: Option<&Adapter>) -> Result<Vec<u8>> {
    let encode = || {
        let mut encoder = ComponentEncoder::default();
        encoder.validate(true).module(core_module)?;
        if let Some(Adapter(bytes)) = adapter {
            encoder.adapter(PREVIEW_1, bytes)?;
        }
        encoder.encode()
    };
    let component = encode().map_err(|error| anyhow!("this module cannot be made a component: {error:#}"))?;
    trim(&component)
}

/// What a module shows to the outside.
struct Surface {
    exports: BTreeSet<String>,
    imports: BTreeSet<String>,
    describes_itself: bool,
}

impl Surface {
    fn of(module: &[u8]) -> Result<Surface> {
        let mut surface = Surface { exports: BTreeSet::new(), imports: BTreeSet::new(), describes_itself: false };
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ExportSection(exports) => {
                    for export in exports {
                        surface.exports.insert(export?.name.to_owned());
                    }
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        surface.imports.insert(import?.module.to_owned());
                    }
                }
                Payload::CustomSection(custom) => {
                    surface.describes_itself |= custom.name().starts_with("component-type");
                }
                _ => {}
            }
        }
        Ok(surface)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(wat: &str) -> String {
        format!("{:#}", componentize(&wat::parse_str(wat).unwrap(), None).unwrap_err())
    }

    /// By the contract itself, read by a parser that had no part in this file.
    #[test]
    fn the_contract_s_exports_are_those_of_the_wit() {
        let mut resolve = wit_parser::Resolve::default();
        let (package, _) = resolve.push_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit")).unwrap();
        let interface = resolve.packages[package].interfaces["agent"];
        let id = resolve.id_of(interface).unwrap();
        let names: Vec<String> =
            resolve.interfaces[interface].functions.keys().map(|name| format!("{id}#{name}")).collect();
        assert_eq!(names, CONTRACT);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let said = refusal(r#"(module (func (export "farkle:arena/agent@0.1.0#start")))"#);
        assert!(said.contains("does not export `farkle:arena/agent@0.1.0#identity`, `"), "{said}");
        assert!(said.contains("#decide`") && !said.contains("#start`"), "{said}");
        let said = refusal(r#"(module (import "wasi_snapshot_preview1" "fd_write" (func)))"#);
        assert!(said.contains("WASI preview 1"), "{said}");
        assert!(refusal("(component)").contains("a component already"));
        assert!(componentize(b"MZ", None).unwrap_err().to_string().contains("no WebAssembly"));
        let exports = CONTRACT.map(|name| format!("(func (export \"{name}\"))")).concat();
        let said = refusal(&format!(r#"(module (import "env" "now" (func)) {exports})"#));
        assert!(said.contains("imports from `env`"), "{said}");
        let said = refusal(&format!("(module {exports})"));
        assert!(said.contains("cannot be made a component") && said.contains("#identity"), "{said}");
    }
}
