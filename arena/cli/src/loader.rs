//! How a component's bytes become a contestant: compiled in another process, within limits, and kept
//! for the next time.
//!
//! Owns the order of things: what is kept is used, what is not is compiled and then kept. Refuses to
//! compile anything in this process, which holds everybody's results.

mod cache;
mod compiler;

use arena_core::Sha256Hex;
use arena_host::{ComponentAgent, NotLoaded, Refused, Sandbox, Wasi, look_at};

pub(crate) use self::cache::Cache;
use crate::failure::Failure;
use crate::harmless::harmless;
use crate::watchdog;

pub(crate) use self::compiler::run as compile_here;

/// The engine, and what makes code for it.
pub(crate) struct Loader {
    sandbox: Sandbox,
    cache: Option<Cache>,
}

/// Why there is no contestant.
#[derive(Debug)]
pub(crate) enum Unloaded {
    /// The component's doing.
    Refused(Refused),
    /// The machine's.
    Failed(Failure),
}

impl Loader {
    /// Starts the engine and its watchdog, and opens the cache of this user.
    ///
    /// # Errors
    ///
    /// A machine that cannot run the engine; a folder named by `ARENA_CACHE` that cannot be used.
    pub(crate) fn new(wasi: Wasi) -> Result<Loader, Failure> {
        let sandbox = Sandbox::with(wasi).map_err(Failure::failed)?;
        watchdog::watch(&sandbox)?;
        allow_many_open_files();
        Ok(Loader { sandbox, cache: Cache::of_user()? })
    }

    /// A contestant, of code that is kept or of code made now.
    pub(crate) fn load(&self, bytes: &[u8]) -> Result<ComponentAgent, Unloaded> {
        look_at(bytes)?;
        let sha256 = Sha256Hex::of(bytes);
        let key = format!("{sha256}-{}", Sandbox::code_id());
        let kept = self.cache.as_ref().and_then(|cache| cache.get(&key));
        if let Some(code) = kept {
            match self.take(&code, sha256) {
                Ok(loaded) => return Ok(loaded),
                Err(NotLoaded::Refused(refused)) => return Err(refused.into()),
                // Code that does not fit is made anew: it says so before any of it runs.
                Err(_) => {}
            }
        }
        let code = compiler::compile_apart(bytes)?;
        let loaded = self.take(&code, sha256).map_err(|error| match error {
            NotLoaded::Refused(refused) => Unloaded::from(refused),
            other => {
                let why = harmless(&other.to_string());
                Failure::failed(format!("what was just compiled cannot be loaded: {why}")).into()
            }
        })?;
        if let Some(cache) = &self.cache {
            cache.put(&key, &code);
        }
        Ok(loaded)
    }

    #[allow(unsafe_code)]
    fn take(&self, code: &[u8], sha256: Sha256Hex) -> Result<ComponentAgent, NotLoaded> {
        // SAFETY: the code comes from this program, run with `compile-component` by `compile_apart`; or
        // from a file that only this user can write to, that holds what was put there under a name made
        // of the component's hash, and that says so with its own hash (`Cache::get`).
        unsafe { self.sandbox.load_compiled(code, sha256) }
    }
}

/// Every agent that is loaded holds a file, the image of its memory, and the usual limit of 1,024 is soon
/// reached. Where there may be no more of them, loading says so.
#[cfg(unix)]
fn allow_many_open_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}

#[cfg(not(unix))]
fn allow_many_open_files() {}

impl From<Refused> for Unloaded {
    fn from(refused: Refused) -> Unloaded {
        Unloaded::Refused(refused)
    }
}

impl From<Failure> for Unloaded {
    fn from(failure: Failure) -> Unloaded {
        Unloaded::Failed(failure)
    }
}
