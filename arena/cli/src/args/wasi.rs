//! The grammar of what agents may import beside the contract.

use arena_host::Wasi;
use clap::Args;

/// What agents may import.
#[derive(Clone, Copy, Args)]
pub(crate) struct WasiArgs {
    /// Also play agents that import WASI: theirs is deterministic, without files and network
    #[arg(long)]
    pub(crate) allow_wasi: bool,
}

impl WasiArgs {
    pub(crate) fn wasi(&self) -> Wasi {
        if self.allow_wasi { Wasi::Deterministic } else { Wasi::None }
    }
}
