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
    ["std::", "core::", "alloc::", "__rustc::", "talc::", "dlmalloc::", "wit_bindgen::", "compiler_builtins::"];

/// A module's or a component's bytes with only those custom sections that an author gains from.
///
/// # Errors
///
/// When these bytes are neither.
pub(crate) fn trim(wasm: &[u8]) -> Result<Vec<u8>> {
    rewrite(wasm, function_names)
}

/// The same without any custom section. The names of an interpreter's functions say nothing of the
/// agent that it runs, and would stand in every fault.
///
/// # Errors
///
/// When these bytes are neither.
pub(crate) fn strip(wasm: &[u8]) -> Result<Vec<u8>> {
    rewrite(wasm, |_| None)
}

/// What a custom section is worth keeping of as names of functions.
type Kept = fn(&[u8]) -> Option<NameMap>;

fn rewrite(wasm: &[u8], kept: Kept) -> Result<Vec<u8>> {
    match crate::componentize::kind(wasm) {
        crate::componentize::Wasm::Module => module(wasm, kept),
        crate::componentize::Wasm::Component => component(wasm, kept),
        crate::componentize::Wasm::Neither => bail!("this is no WebAssembly"),
    }
}

fn module(wasm: &[u8], kept: Kept) -> Result<Vec<u8>> {
    let mut rewritten = Module::new();
    let mut names = None;
    for section in sections(wasm)? {
        if section.id == SectionId::Custom as u8 {
            names = names.or(kept(section.data));
        } else {
            rewritten.section(&section);
        }
    }
    if let Some(names) = names {
        let mut section = NameSection::new();
        section.functions(&names);
        rewritten.section(&section);
    }
    Ok(rewritten.finish())
}

fn component(wasm: &[u8], kept: Kept) -> Result<Vec<u8>> {
    let mut rewritten = Component::new();
    for section in sections(wasm)? {
        let id = section.id;
        if id == ComponentSectionId::CoreModule as u8 || id == ComponentSectionId::Component as u8 {
            rewritten.section(&RawSection { id, data: &rewrite(section.data, kept)? });
        } else if id != ComponentSectionId::CoreCustom as u8 {
            rewritten.section(&section);
        }
    }
    Ok(rewritten.finish())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of functions in all modules of some WebAssembly, and of all other custom sections.
    fn custom(wasm: &[u8]) -> (Vec<String>, Vec<String>) {
        let (mut functions, mut others) = (Vec::new(), Vec::new());
        for payload in wasmparser::Parser::new(0).parse_all(wasm) {
            let wasmparser::Payload::CustomSection(section) = payload.unwrap() else { continue };
            let KnownCustom::Name(names) = section.as_known() else {
                others.push(section.name().to_owned());
                continue;
            };
            for part in names {
                match part.unwrap() {
                    Name::Function(map) => functions.extend(map.into_iter().map(|name| name.unwrap().name.to_owned())),
                    _ => others.push("names of something else".into()),
                }
            }
        }
        (functions, others)
    }

    const MODULE: &str = r#"(module $inner
        (func $_ZN8my_agent6choose17h0123456789abcdefE (param $dice i32))
        (func $_RNvCs1234_8my_agent6pounce (export "pounce"))
        (func $_ZN4core9panicking9panic_fmt17h0123456789abcdefE)
        (func $_ZN63_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..clone..Clone$GT$5clone17h0123456789abcdefE)
        (func $written_in_c)
        (global $score i32 (i32.const 7))
        (@custom "producers" "\00"))"#;

    #[test]
    fn an_author_s_functions_keep_their_names() {
        let module = wat::parse_str(MODULE).unwrap();
        assert_eq!(custom(&module).1.iter().filter(|section| *section == "producers").count(), 1);
        let trimmed = trim(&module).unwrap();
        assert_eq!(
            custom(&trimmed),
            (vec!["my_agent::choose".into(), "my_agent::pounce".into(), "written_in_c".into()], vec![])
        );
        wasmparser::validate(&trimmed).unwrap();
        // Trimmed once, there is nothing more to trim.
        assert_eq!(trim(&trimmed).unwrap(), trimmed);
    }

    #[test]
    fn components_are_trimmed_all_through() {
        let inner = MODULE.replacen("(module", "(core module", 1);
        let text = format!(r#"(component {inner} (component {inner} (@custom "producers" "\00")) (@custom "x" "y"))"#);
        let component = wat::parse_str(text).unwrap();
        let trimmed = trim(&component).unwrap();
        let (functions, others) = custom(&trimmed);
        assert_eq!((functions.len(), others.len()), (6, 0), "{others:?}");
        wasmparser::validate(&trimmed).unwrap();
        let stripped = strip(&component).unwrap();
        assert_eq!(custom(&stripped), (vec![], vec![]));
        wasmparser::validate(&stripped).unwrap();
        assert!(stripped.len() < trimmed.len());
    }

    #[test]
    fn what_is_no_webassembly_is_refused() {
        assert!(trim(b"MZ").is_err());
        let module = wat::parse_str(MODULE).unwrap();
        assert!(trim(&module[..module.len() - 1]).is_err(), "cut short");
    }
}
