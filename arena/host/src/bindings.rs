//! Types and exports of the contract, generated from `wit/`.

#![allow(unsafe_code, missing_docs, unreachable_pub)]

use wasmtime::component::types::{ComponentFunc, ComponentItem};
use wasmtime::component::{ComponentExportIndex, Func, Instance, InstancePre, TypedFunc};
use wasmtime::{Result, Store};

use exports::farkle::arena::agent::{About, Turn};

wasmtime::component::bindgen!({
    path: "../../wit",
    world: "contestant",
});

/// Where a component exports the calls of the contract. The generated bindings would look up every
/// export for every instance, and that is a good part of what an instance costs.
#[derive(Clone, Copy)]
pub(crate) struct Calls {
    identity: ComponentExportIndex,
    start: ComponentExportIndex,
    decide: ComponentExportIndex,
}

/// The interface that a contestant exports.
pub(crate) const AGENT: &str = "farkle:arena/agent@0.1.0";

type StartTold = (u32, u32, u64, u32, u64);
pub(crate) type Start = TypedFunc<StartTold, ()>;
pub(crate) type Identity = TypedFunc<(), (About,)>;
pub(crate) type Decide = TypedFunc<(Turn,), (u32,)>;

impl Calls {
    /// Finds the calls in a component and checks that it is a contestant in full, with the types of the
    /// contract. The generated bindings look only for names before there is an instance.
    pub(crate) fn find<T: 'static>(pre: &InstancePre<T>) -> Result<Calls> {
        ContestantPre::new(pre.clone())?;
        let (component, engine) = (pre.component(), pre.engine());
        let all = component.component_type();
        let types = all.instance_type();
        let function = |name| -> Result<ComponentFunc> {
            let interface = match all.get_export(engine, AGENT).map(|export| export.ty) {
                Some(ComponentItem::ComponentInstance(interface)) => interface,
                _ => return Err(wasmtime::format_err!("there is no export `{AGENT}`")),
            };
            match interface.get_export(engine, name).map(|export| export.ty) {
                Some(ComponentItem::ComponentFunc(function)) => Ok(function),
                _ => Err(wasmtime::format_err!("there is no export `{name}`")),
            }
        };
        let of = |name: &'static str| move |error: wasmtime::Error| error.context(format!("the type of `{name}`"));
        function("identity")?.typecheck::<(), (About,)>(&types).map_err(of("identity"))?;
        function("start")?.typecheck::<StartTold, ()>(&types).map_err(of("start"))?;
        function("decide")?.typecheck::<(Turn,), (u32,)>(&types).map_err(of("decide"))?;
        let interface = component.get_export_index(None, AGENT);
        let find = |name| {
            let index = interface.as_ref().and_then(|interface| component.get_export_index(Some(interface), name));
            index.ok_or_else(|| wasmtime::format_err!("there is no export `{name}`"))
        };
        Ok(Calls { identity: find("identity")?, start: find("start")?, decide: find("decide")? })
    }

    /// The calls of a match, of an instance of that component.
    pub(crate) fn of<T: 'static>(&self, store: &mut Store<T>, instance: &Instance) -> Result<(Start, Decide)> {
        let (start, decide) = (function(store, instance, self.start)?, function(store, instance, self.decide)?);
        // SAFETY: `find` checked these types for this component. What its instances have can differ from
        // them in the case of letters in names, and in nothing else.
        Ok(unsafe { (TypedFunc::new_unchecked(start), TypedFunc::new_unchecked(decide)) })
    }

    /// The call that says who the agent is.
    pub(crate) fn identity<T: 'static>(&self, store: &mut Store<T>, instance: &Instance) -> Result<Identity> {
        let identity = function(store, instance, self.identity)?;
        // SAFETY: as above.
        Ok(unsafe { TypedFunc::new_unchecked(identity) })
    }
}

fn function<T: 'static>(store: &mut Store<T>, instance: &Instance, index: ComponentExportIndex) -> Result<Func> {
    let function = instance.get_func(store, index);
    function.ok_or_else(|| wasmtime::format_err!("an export is gone from an instance"))
}
