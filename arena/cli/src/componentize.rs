//! Core WebAssembly modules into components.
//!
//! Owns the encoding, and the words for what is wrong with a module that cannot be one. Refuses
//! to read files and to run anything.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, anyhow, bail};
use wasmparser::{Parser, Payload};
use wit_component::ComponentEncoder;

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

/// Makes a component of a core module that was built with bindings to the contract.
///
/// # Errors
///
/// When this is no core module, when it does not export what the contract asks for or imports
/// what no component of it can (WASI preview 1 among them).
pub fn componentize(core_module: &[u8]) -> Result<Vec<u8>> {
    match kind(core_module) {
        Wasm::Module => {}
        Wasm::Component => bail!("this is a component already: it can play as it is"),
        Wasm::Neither => bail!("this is no WebAssembly module"),
    }
    let surface = Surface::of(core_module).context("this WebAssembly module cannot be read")?;
    if surface.imports.contains(PREVIEW_1) {
        bail!(
            "this module was built for WASI preview 1 (`{PREVIEW_1}`), which no agent can import: \
             build it for `wasm32-unknown-unknown`"
        );
    }
    let missing: Vec<_> = CONTRACT.into_iter().filter(|name| !surface.exports.contains(*name)).collect();
    if !missing.is_empty() {
        bail!(
            "this module is no agent; it does not export {}.\n\
             An agent in Rust exports them with one line: `agent_sdk::export!(MyAgent);`",
            missing.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        );
    }
    let alien: Vec<_> =
        surface.imports.iter().filter(|module| !module.starts_with("farkle:arena/")).map(String::as_str).collect();
    if !alien.is_empty() {
        bail!("this module imports from `{}`, which the arena does not offer", alien.join("`, `"));
    }
    if !surface.describes_itself {
        bail!("this module does not carry the contract's types (a `component-type` section), as bindings write them");
    }
    let component = ComponentEncoder::default()
        .validate(true)
        .module(core_module)
        .and_then(|encoder| encoder.encode())
        .map_err(|error| anyhow!("this module cannot be made a component: {error:#}"))?;
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
        format!("{:#}", componentize(&wat::parse_str(wat).unwrap()).unwrap_err())
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
        assert!(componentize(b"MZ").unwrap_err().to_string().contains("no WebAssembly"));
        let exports = CONTRACT.map(|name| format!("(func (export \"{name}\"))")).concat();
        let said = refusal(&format!(r#"(module (import "env" "now" (func)) {exports})"#));
        assert!(said.contains("imports from `env`"), "{said}");
        assert!(refusal(&format!("(module {exports})")).contains("component-type"));
    }
}
