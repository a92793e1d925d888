//! From a component's bytes to machine code for this engine, and from that to a contestant.
//!
//! Owns what is looked at before bytes are compiled, and the one door by which machine code comes in
//! that was compiled elsewhere. Refuses to know where code is kept.

use arena_core::Sha256Hex;
use wasmtime::component::Component;

use crate::bounds::COMPONENT_BYTES;
use crate::component::{ComponentAgent, Refused, one_line};
use crate::composition;
use crate::engine::Sandbox;

/// Why machine code makes no contestant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotLoaded {
    /// It was compiled for another engine, another version or another machine.
    #[error("the code does not fit this engine: {0}")]
    OtherEngine(String),
    /// The component is no contestant.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// Looks at size, kind and composition, which takes little time, before bytes are compiled.
///
/// # Errors
///
/// [`Refused::TooLarge`], [`Refused::NotWasm`], [`Refused::CoreModule`], [`Refused::Composition`].
pub fn look_at(bytes: &[u8]) -> Result<(), Refused> {
    if bytes.len() > COMPONENT_BYTES {
        return Err(Refused::TooLarge { bytes: bytes.len() });
    }
    match bytes {
        [0, b'a', b's', b'm', 1, 0, 0, 0, ..] => Err(Refused::CoreModule),
        [0, b'a', b's', b'm', ..] => {
            composition::refusal(bytes).map_or(Ok(()), |reason| Err(Refused::Composition(reason)))
        }
        _ => Err(Refused::NotWasm),
    }
}

impl Sandbox {
    /// Compiles a component and checks that it is a contestant, here: nothing bounds the time and the
    /// memory that the compiler takes.
    ///
    /// # Errors
    ///
    /// [`Refused`] says why it is none.
    pub fn load(&self, bytes: &[u8]) -> Result<ComponentAgent, Refused> {
        look_at(bytes)?;
        let component = Component::new(self.engine(), bytes).map_err(|error| Refused::Invalid(one_line(&error)))?;
        self.link(component, Sha256Hex::of(bytes))
    }

    /// Compiles a component to machine code for sandboxes of this version on this kind of machine.
    ///
    /// # Errors
    ///
    /// [`Refused`] when it is no valid component.
    pub fn compile(&self, bytes: &[u8]) -> Result<Vec<u8>, Refused> {
        look_at(bytes)?;
        self.engine().precompile_component(bytes).map_err(|error| Refused::Invalid(one_line(&error)))
    }

    /// Takes the machine code of a component of that hash and checks that it is a contestant.
    ///
    /// # Errors
    ///
    /// [`NotLoaded::OtherEngine`] for code of another engine; and what [`load`](Sandbox::load) refuses.
    ///
    /// # Safety
    ///
    /// The code must be, byte for byte, what [`compile`](Sandbox::compile) once made of the component: it
    /// is run as it is, outside any sandbox where it says so.
    #[allow(unsafe_code)]
    pub unsafe fn load_compiled(&self, code: &[u8], sha256: Sha256Hex) -> Result<ComponentAgent, NotLoaded> {
        // SAFETY: the caller's promise is the one that is asked for here.
        let component = unsafe { Component::deserialize(self.engine(), code) };
        let component = component.map_err(|error| NotLoaded::OtherEngine(one_line(&error)))?;
        Ok(self.link(component, sha256)?)
    }
}
