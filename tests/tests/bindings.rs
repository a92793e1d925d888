//! The committed bindings.

use std::path::Path;

use arena_tests::bindings;

#[test]
fn the_bindings_are_those_of_the_contract() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let committed = std::fs::read_to_string(root.join(bindings::FILE)).unwrap();
    assert!(
        committed == bindings::generate(root).unwrap(),
        "{} is not what `wit/` makes: cargo run -p arena-tests --example generate-bindings",
        bindings::FILE
    );
}
