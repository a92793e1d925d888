//! How a component may be put together.
//!
//! Owns a check that comes before compiling. Refuses components inside a component that call each
//! other: the engine panics while it compiles them, because what hands a string from one to the other
//! needs two memories in one module, and with those allowed the copying would cost no fuel. Refuses
//! resources of a component's own: their handles are kept by the engine, outside the memory limit.
//! Refuses more than a slot of the pool holds, so that it is refused without a pool as well. Refuses
//! more elements for tables than a table holds: they are made for each instance, before any fuel is spent.

use wasmparser::{CanonicalFunction, ElementItems, ElementKind, Encoding, Instance, Parser, Payload, TypeRef};

use crate::bounds::{
    CONTEXT_BYTES, FUNCTIONS_LIFTED, INSTANCES, PAGE, POOL_MEMORY_BYTES, SET_UP_ELEMENTS, TABLE_ELEMENTS,
};

/// Components and modules that may be in each other. Tools make three.
const DEEPEST: usize = 32;

/// Bytes that the engine keeps for a function and for a global of each instance, at most.
const FUNCTION_BYTES: u64 = 32;
const GLOBAL_BYTES: u64 = 16;

/// Why the component is refused, if it is for that. What cannot be read is left to the engine, which
/// can say more of it.
pub(crate) fn refusal(bytes: &[u8]) -> Option<String> {
    let mut around: Vec<Encoding> = Vec::new();
    let (mut instances, mut elements, mut lifted) = (0, 0, 0);
    // Of the module that is read, and of the one that takes most.
    let (mut context, mut largest) = (0, 0);
    // Whether a component inside makes instances: it may be instantiated itself, again and again.
    let mut made_inside = false;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.ok()? {
            Payload::Version { encoding, .. } => {
                around.push(encoding);
                (elements, context) = (0, 0);
                if around.len() > DEEPEST {
                    return Some(format!("its components nest too deep: allowed are {DEEPEST}, one in the other"));
                }
            }
            Payload::End(_) => {
                around.pop();
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    context += match import.ok()?.ty {
                        TypeRef::Func(_) | TypeRef::FuncExact(_) => FUNCTION_BYTES,
                        _ => GLOBAL_BYTES,
                    };
                }
                largest = largest.max(context);
            }
            Payload::FunctionSection(functions) => {
                context += FUNCTION_BYTES * u64::from(functions.count());
                largest = largest.max(context);
            }
            Payload::GlobalSection(globals) => {
                context += GLOBAL_BYTES * u64::from(globals.count());
                largest = largest.max(context);
            }
            Payload::MemorySection(memories) => {
                for memory in memories {
                    let pages = memory.ok()?.initial;
                    if pages > POOL_MEMORY_BYTES as u64 / PAGE {
                        return Some(format!(
                            "it begins with a memory of {pages} pages of 64 KiB, and no agent may have more than \
                             {POOL_MEMORY_BYTES} bytes"
                        ));
                    }
                }
            }
            Payload::TableSection(tables) => {
                for table in tables {
                    let elements = table.ok()?.ty.initial;
                    if elements > TABLE_ELEMENTS as u64 {
                        return Some(format!(
                            "it begins with a table of {elements} elements, and a table has at most {TABLE_ELEMENTS}"
                        ));
                    }
                }
            }
            Payload::ElementSection(segments) => {
                for segment in segments {
                    let segment = segment.ok()?;
                    if !matches!(segment.kind, ElementKind::Declared) {
                        elements += match segment.items {
                            ElementItems::Functions(functions) => functions.count(),
                            ElementItems::Expressions(_, items) => items.count(),
                        };
                    }
                }
                if elements > SET_UP_ELEMENTS {
                    return Some(format!(
                        "a module of it holds {elements} elements for tables: allowed are {SET_UP_ELEMENTS}"
                    ));
                }
            }
            Payload::InstanceSection(made) => {
                for instance in made {
                    let made = matches!(instance.ok()?, Instance::Instantiate { .. });
                    instances += u32::from(made);
                    made_inside |= made && around.len() > 1;
                }
                if instances > INSTANCES {
                    return Some(format!("it is made of more than {INSTANCES} instances of modules"));
                }
            }
            Payload::ComponentCanonicalSection(functions) => {
                lifted += functions.count();
                if lifted > FUNCTIONS_LIFTED {
                    return Some(format!("more than {FUNCTIONS_LIFTED} functions cross the border of its modules"));
                }
                for function in functions {
                    match function.ok()? {
                        CanonicalFunction::ResourceDrop { .. } => {}
                        // Bindings of components in components have none: they only rename.
                        CanonicalFunction::Lift { .. } | CanonicalFunction::Lower { .. } if around.len() == 1 => {}
                        CanonicalFunction::Lift { .. } | CanonicalFunction::Lower { .. } => {
                            return Some(
                                "it is composed of components that call each other: link them as modules of one component"
                                    .to_owned(),
                            );
                        }
                        CanonicalFunction::ResourceNew { .. } | CanonicalFunction::ResourceRep { .. } => {
                            return Some(
                                "it defines a resource of its own, which nothing in the contract can take".to_owned(),
                            );
                        }
                        _ => return Some("it uses tasks, threads or streams of components".to_owned()),
                    }
                }
            }
            _ => {}
        }
    }
    // Each instance is of some module, and there are never more of them than may be.
    let instances = if made_inside { INSTANCES } else { instances };
    let contexts = largest * u64::from(instances);
    (contexts > CONTEXT_BYTES as u64).then(|| {
        format!(
            "the functions and globals of {instances} instances of its modules take {contexts} bytes of the arena: \
             allowed are {CONTEXT_BYTES}"
        )
    })
}
