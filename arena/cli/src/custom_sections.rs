//! What of a component's custom sections is worth its bytes.
//!
//! Owns the choice: the names of functions that an author can do something about, as people read
//! them, and nothing else. No custom section changes what a component does. Refuses to touch any
//! other section.

use anyhow::{Context as _, Result, bail};
use wasm_encoder::{Component, ComponentSectionId, Module, NameMap, NameSection, RawSection, SectionId};
use wasmparser::{BinaryReader, CustomSectionReader, KnownCustom, Name};

/// Code that no author wrote: what a panic passes through, and what the language brings along.
const NOT_THE_AUTHOR_S: [&str; 8] =
    ["std::", "core::", "alloc::", "__rustc::", "rlsf::", "dlmalloc::", "wit_bindgen::", "compiler_builtins::"];

/// A module's or a component's bytes with only those custom sections that an author gains from.
///
/// # Errors
///
/// When these bytes are neither.
pub(crate) fn trim(wasm: &[u8]) -> Result<Vec<u8>> {
    match crate::componentize::kind(wasm) {
        crate::componentize::Wasm::Module => module(wasm),
        crate::componentize::Wasm::Component => component(wasm),
        crate::componentize::Wasm::Neither => bail!("this is no WebAssembly"),
    }
}

fn module(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut trimmed = Module::new();
    let mut names = None;
    for section in sections(wasm)? {
        if section.id == SectionId::Custom as u8 {
            names = names.or(function_names(section.data));
        } else {
            trimmed.section(&section);
        }
    }
    if let Some(names) = names {
        let mut section = NameSection::new();
        section.functions(&names);
        trimmed.section(&section);
    }
    Ok(trimmed.finish())
}

fn component(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut trimmed = Component::new();
    for section in sections(wasm)? {
        let id = section.id;
        if id == ComponentSectionId::CoreModule as u8 || id == ComponentSectionId::Component as u8 {
            trimmed.section(&RawSection { id, data: &trim(section.data)? });
        } else if id != ComponentSectionId::CoreCustom as u8 {
            trimmed.section(&section);
        }
    }
    Ok(trimmed.finish())
}

/// The sections below a header, as they are.
fn sections(wasm: &[u8]) -> Result<Vec<RawSection<'_>>> {
    let mut reader = BinaryReader::new(wasm.get(8..).context("it ends in its header")?, 8);
    let mut sections = Vec::new();
    while !reader.eof() {
        let id = reader.read_u8()?;
        let size = reader.read_var_u32()?;
        sections.push(RawSection { id, data: reader.read_bytes(size as usize)? });
    }
    Ok(sections)
}

/// The names worth keeping, if this is a name section that can be read: a broken one is no error.
fn function_names(custom: &[u8]) -> Option<NameMap> {
    let custom = CustomSectionReader::new(BinaryReader::new(custom, 0)).ok()?;
    let KnownCustom::Name(names) = custom.as_known() else { return None };
    let mut kept = NameMap::new();
    for part in names {
        let Name::Function(functions) = part.ok()? else { continue };
        for function in functions {
            let function = function.ok()?;
            let name = format!("{:#}", rustc_demangle::demangle(function.name));
            if is_the_author_s(&name) {
                kept.append(function.index, &name);
            }
        }
    }
    Some(kept)
}

fn is_the_author_s(name: &str) -> bool {
    // `<alloc::vec::Vec<T> as …>::…` is not.
    let path = name.trim_start_matches(['<', '&', '[', '(']);
    let glue = path.starts_with("cabi_")
        || path.starts_with("farkle:arena/")
        || path.starts_with("__wasm_")
        || path.contains("agent_sdk::contract::bindings::");
    !glue && !NOT_THE_AUTHOR_S.iter().any(|part| path.starts_with(part))
}
