//! The SDK's bindings, generated from the contract.

use std::path::Path;

use wit_bindgen_core::wit_parser::Resolve;
use wit_bindgen_core::{Files, WorldGenerator};
use wit_bindgen_rust::Opts;

/// Where the bindings are committed, from the root of the checkout.
pub const FILE: &str = "agent-sdk/src/contract/bindings.rs";

/// What [`FILE`] has to be. It is committed, and not made by a macro in every build, because what
/// makes it takes longer to compile than an agent and its SDK together.
///
/// # Errors
///
/// What is wrong with `wit/`.
pub fn generate(root: &Path) -> Result<String, String> {
    let mut resolve = Resolve::default();
    let said = |error: &dyn std::fmt::Display| format!("{error:#}");
    let (package, _) = resolve.push_path(root.join("wit")).map_err(|error| said(&error))?;
    let world = resolve.select_world(&[package], Some("contestant")).map_err(|error| said(&error))?;
    let options = Opts {
        format: true,
        pub_export_macro: true,
        default_bindings_module: Some("agent_sdk::contract::bindings".into()),
        ..Opts::default()
    };
    let mut files = Files::default();
    options.build().generate(&mut resolve, world, &mut files).map_err(|error| said(&error))?;
    let (_, code) = files.iter().next().ok_or("the generator made no file")?;
    Ok(String::from_utf8_lossy(code).into_owned())
}
