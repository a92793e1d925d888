//! A component that a tool of another language built.
//!
//! Owns the removal of what is of no use in it. Refuses to change what it does.

use anyhow::{Result, bail};
use wasmparser::{Encoding, Parser, Payload};

/// The section that names functions, for backtraces.
const NAMES: &str = "name";

/// The component without the names of its functions. Those of an interpreter say nothing of the
/// agent that it runs, and would stand in every fault.
pub(super) fn without_names(component: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(component.len());
    copy(component, &mut out)?;
    Ok(out)
}

/// Copies one module or component, header and all, section by section.
fn copy(wasm: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let mut parser = Parser::new(0);
    let mut at = 0;
    while at < wasm.len() {
        let (consumed, payload) = match parser.parse(&wasm[at..], true)? {
            wasmparser::Chunk::Parsed { consumed, payload } => (consumed, payload),
            wasmparser::Chunk::NeedMoreData(_) => bail!("it ends too soon"),
        };
        match payload {
            Payload::Version { encoding: Encoding::Module | Encoding::Component, .. } => {
                out.extend_from_slice(&wasm[at..at + consumed]);
            }
            Payload::CustomSection(section) if section.name() == NAMES => {}
            Payload::ModuleSection { unchecked_range, .. } | Payload::ComponentSection { unchecked_range, .. } => {
                let (start, end) = (unchecked_range.start as usize, unchecked_range.end as usize);
                let Some(inner) = wasm.get(start..end) else { bail!("it ends too soon") };
                let mut copied = Vec::with_capacity(inner.len());
                copy(inner, &mut copied)?;
                out.push(wasm[at]);
                leb128(copied.len(), out);
                out.extend_from_slice(&copied);
                at = end;
                continue;
            }
            Payload::CodeSectionStart { range, .. } => {
                let end = range.end as usize;
                let Some(section) = wasm.get(at..end) else { bail!("it ends too soon") };
                out.extend_from_slice(section);
                parser.skip_section();
                at = end;
                continue;
            }
            Payload::End(_) => break,
            _ => out.extend_from_slice(&wasm[at..at + consumed]),
        }
        at += consumed;
    }
    Ok(())
}

fn leb128(mut number: usize, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_and_all_else_stays() {
        let named = wat::parse_str(
            r#"(component (core module $inner (func $secret (export "f")) (memory 1) (data (i32.const 0) "kept"))
            (component (core module (func $deeper (export "g")))))"#,
        )
        .unwrap();
        let has = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        assert!(has(&named, "secret") && has(&named, "deeper"));
        let bare = without_names(&named).unwrap();
        assert!(!has(&bare, "secret") && !has(&bare, "deeper") && has(&bare, "kept"));
        wasmparser::validate(&bare).unwrap();
    }
}
