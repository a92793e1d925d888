//! Types and exports of the contract, generated from `wit/`.

#![allow(unsafe_code, missing_docs, unreachable_pub)]

use wasmtime::component::{ComponentExportIndex, Instance, InstancePre, TypedFunc};
use wasmtime::{Result, Store};

use exports::farkle::arena::agent::Turn;

wasmtime::component::bindgen!({
    path: "../../wit",
    world: "contestant",
});

/// Where a component exports the two calls of a match. The generated bindings would look up every
/// export for every instance, and that is a good part of what an instance costs.
#[derive(Clone, Copy)]
pub(crate) struct Calls {
    start: ComponentExportIndex,
    decide: ComponentExportIndex,
}

pub(crate) type Start = TypedFunc<(u32, u32, u64, u32, u64), ()>;
pub(crate) type Decide = TypedFunc<(Turn,), (u32,)>;

impl Calls {
    /// Finds the calls in a component and checks that it is a contestant in full.
    pub(crate) fn find<T: 'static>(pre: &InstancePre<T>) -> Result<Calls> {
        ContestantPre::new(pre.clone())?;
        let component = pre.component();
        let interface = component.get_export_index(None, "farkle:arena/agent@0.1.0");
        let find = |name| {
            let index = interface.as_ref().and_then(|interface| component.get_export_index(Some(interface), name));
            index.ok_or_else(|| wasmtime::format_err!("there is no export `{name}`"))
        };
        Ok(Calls { start: find("start")?, decide: find("decide")? })
    }

    /// The calls of an instance of that component.
    pub(crate) fn of<T: 'static>(&self, store: &mut Store<T>, instance: &Instance) -> Result<(Start, Decide)> {
        let mut get = |index| {
            let function = instance.get_func(&mut *store, index);
            function.ok_or_else(|| wasmtime::format_err!("an export is gone from an instance"))
        };
        let (start, decide) = (get(&self.start)?, get(&self.decide)?);
        // SAFETY: `find` had the generated bindings check these signatures for this component.
        Ok(unsafe { (TypedFunc::new_unchecked(start), TypedFunc::new_unchecked(decide)) })
    }
}
