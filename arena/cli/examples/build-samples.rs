//! Builds the sample agents' components and their manifest anew, in this checkout.

use std::path::Path;

fn main() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for built in arena::samples::rebuild(&root)? {
        let name = built.path.file_name().unwrap_or_default().display();
        println!("{:>7} bytes  {}  {name}", built.size, built.sha256);
    }
    Ok(())
}
