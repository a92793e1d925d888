//! `arena build`: from source to a component.

use serde_json::json;

use crate::args::{BuildArgs, Format};
use crate::build::{NoProject, Said, build_agent};
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(args: &BuildArgs) -> Result<(), Failure> {
    let built = build_agent(&args.path, args.out.as_deref(), args.adapter.as_deref()).map_err(failure)?;
    let path = built.path.display();
    match args.format {
        Format::Text => output::print(&format!(
            "{path}: {} bytes, SHA-256 {}\n",
            output::thousands(built.size as i64),
            built.sha256
        )),
        Format::Json => {
            let built = json!({"path": path.to_string(), "bytes": built.size, "sha256": built.sha256});
            output::print_json(&format!("{built}\n"))
        }
    }
}

fn failure(error: anyhow::Error) -> Failure {
    if error.is::<Said>() {
        Failure::No
    } else if error.is::<NoProject>() {
        Failure::Usage(error)
    } else {
        Failure::Failed(error)
    }
}
