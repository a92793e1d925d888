//! The grammar of the commands about agents' projects.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Format;

#[derive(Args)]
pub(crate) struct NewArgs {
    /// The project's folder, which must not exist; its last part is the agent's name
    #[arg(value_name = "NAME")]
    pub(crate) path: PathBuf,
    /// The language
    #[arg(long, value_enum, default_value = "rust")]
    pub(crate) lang: Language,
    /// The folder of the crate agent-sdk, for an agent in Rust [default: that of the checkout that
    /// this program or the project is in]
    #[arg(long, value_name = "PATH")]
    pub(crate) sdk: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// A crate with the SDK
    Rust,
    /// Built by componentize-py
    Python,
    /// Built by componentize-js
    #[value(name = "javascript")]
    JavaScript,
    /// Built by clang, without a C library
    C,
}

#[derive(Args)]
pub(crate) struct BuildArgs {
    /// The folder of a project, in Rust, Python, JavaScript or C, or a core module
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) path: PathBuf,
    /// Where to write the component [default: NAME.wasm in the current folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// What stands in for WASI preview 1, for a core module that imports it:
    /// wasi_snapshot_preview1.reactor.wasm, from the releases of wasmtime
    #[arg(long, value_name = "FILE")]
    pub(crate) adapter: Option<PathBuf>,
    /// How to print what was built
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}
