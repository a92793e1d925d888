//! `arena build`: from source to a component.

use crate::args::BuildArgs;
use crate::build::build_agent;
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(args: &BuildArgs) -> Result<(), Failure> {
    let built = build_agent(&args.path, args.out.as_deref())?;
    output::print(&format!(
        "{}: {} bytes, SHA-256 {}\n",
        built.path.display(),
        output::thousands(built.size as i64),
        built.sha256
    ))
}
