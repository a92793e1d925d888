//! Components of several components: a guest, and one that stands between it and the arena.

use wasm_encoder::{
    Alias, Component, ComponentAliasSection, ComponentExportKind, ComponentExportSection, ComponentInstanceSection,
    ComponentSection, ComponentSectionId, Encode, InstanceSection, ModuleArg, RawSection,
};

use crate::Guest;

const TABLE: &str = "farkle:arena/table@0.1.0";
const LOGGING: &str = "farkle:arena/logging@0.1.0";
const AGENT: &str = "farkle:arena/agent@0.1.0";

/// A guest whose `logging` and `table` are another component's, given as text.
///
/// # Panics
///
/// When the text is not WebAssembly.
pub fn guest_that_logs_to(component: &str, guest: &Guest) -> Vec<u8> {
    let component = wat::parse_str(component).unwrap_or_else(|error| panic!("{error}\n{component}"));
    let mut outer = Component::new();
    let guest = guest.component();
    for data in [&component, &guest] {
        outer.section(&RawSection { id: ComponentSectionId::Component.into(), data });
    }
    let alias = |outer: &mut Component, instance, name| {
        let mut aliases = ComponentAliasSection::new();
        aliases.alias(Alias::InstanceExport { instance, kind: ComponentExportKind::Instance, name });
        outer.section(&aliases);
    };
    let mut instances = ComponentInstanceSection::new();
    instances.instantiate(0, Vec::<(&str, ComponentExportKind, u32)>::new());
    outer.section(&instances);
    alias(&mut outer, 0, LOGGING);
    alias(&mut outer, 0, TABLE);
    let mut instances = ComponentInstanceSection::new();
    instances.instantiate(1, [(LOGGING, ComponentExportKind::Instance, 1), (TABLE, ComponentExportKind::Instance, 2)]);
    outer.section(&instances);
    alias(&mut outer, 3, AGENT);
    let mut exports = ComponentExportSection::new();
    exports.export(AGENT, ComponentExportKind::Instance, 4, None);
    outer.section(&exports);
    outer.finish()
}

/// A guest without imports whose component has so many instances of another core module as well.
///
/// # Panics
///
/// When the text is not WebAssembly.
pub fn guest_beside(guest: &Guest, module: &str, instances: usize) -> Vec<u8> {
    let module = wat::parse_str(module).unwrap_or_else(|error| panic!("{error}"));
    let mut component = guest.component();
    RawSection { id: ComponentSectionId::CoreModule.into(), data: &module }.append_to_component(&mut component);
    let mut made = InstanceSection::new();
    for _ in 0..instances {
        // The guest's own module comes first.
        made.instantiate(1, Vec::<(&str, ModuleArg)>::new());
    }
    made.append_to_component(&mut component);
    component
}

/// A guest without imports whose component has so many instances of another component as well.
///
/// # Panics
///
/// When the text is not WebAssembly.
pub fn guest_beside_components(guest: &Guest, component: &str, instances: usize) -> Vec<u8> {
    let inner = wat::parse_str(component).unwrap_or_else(|error| panic!("{error}"));
    let mut component = guest.component();
    RawSection { id: ComponentSectionId::Component.into(), data: &inner }.append_to_component(&mut component);
    let mut made = ComponentInstanceSection::new();
    for _ in 0..instances {
        // A component that renames the guest's exports comes first.
        made.instantiate(1, Vec::<(&str, ComponentExportKind, u32)>::new());
    }
    made.append_to_component(&mut component);
    component
}

/// A guest whose component also holds a component in a component, and so on, so many deep.
pub fn guest_with_nest(guest: &Guest, depth: usize) -> Vec<u8> {
    // From the inside out, and so backwards, or it would take the square of the depth.
    let header = Component::new().finish();
    let mut backwards: Vec<u8> = header.iter().rev().copied().collect();
    for _ in 1..depth {
        let mut section = vec![ComponentSectionId::Component.into()];
        backwards.len().encode(&mut section);
        backwards.extend(section.iter().rev());
        backwards.extend(header.iter().rev());
    }
    let nest: Vec<u8> = backwards.into_iter().rev().collect();
    let mut component = guest.component();
    RawSection { id: ComponentSectionId::Component.into(), data: &nest }.append_to_component(&mut component);
    component
}
