//! Paths of the machine that a module was compiled on, and their removal.
//!
//! Owns which bytes of a compiled module name a user's folders or a registry. Refuses to change a
//! module's length, so that nothing in it moves.

use std::env;
use std::path::PathBuf;

/// Overwrites what the compiler's flags cannot keep out of a module.
pub(super) fn forget(module: &mut [u8]) {
    forget_homes(module);
    forget_registries(module);
}

/// Overwrites the paths of the user's home and of cargo's with others as long. The compiler's flags
/// keep those of what it compiles here out of a module; this is for a standard library that was
/// itself compiled on this machine, and carries the paths of the crates that it is made of.
fn forget_homes(module: &mut [u8]) {
    for home in [cargo_home(), env::home_dir()].into_iter().flatten() {
        let Some(home) = home.to_str().filter(|home| home.len() >= 5) else { continue };
        let nowhere = format!("{:/<width$}", "/home", width = home.len());
        let mut at = 0;
        while let Some(found) = module[at..].windows(home.len()).position(|bytes| bytes == home.as_bytes()) {
            at += found;
            module[at..at + home.len()].copy_from_slice(nowhere.as_bytes());
        }
    }
}

/// Overwrites the names of cargo's registry folders, which carry the host that crates came from.
fn forget_registries(module: &mut [u8]) {
    const FOLDER: &[u8] = b"/registry/src/";
    let mut at = 0;
    while let Some(found) = module[at..].windows(FOLDER.len()).position(|bytes| bytes == FOLDER) {
        at += found + FOLDER.len();
        while module.get(at).is_some_and(|byte| byte.is_ascii_graphic() && *byte != b'/') {
            module[at] = b'/';
            at += 1;
        }
    }
}

/// Where cargo keeps what it downloads.
pub(super) fn cargo_home() -> Option<PathBuf> {
    let set = env::var_os("CARGO_HOME").map(PathBuf::from);
    set.or_else(|| env::home_dir().map(|home| home.join(".cargo"))).filter(|home| home.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registries_are_forgotten_at_the_same_length() {
        let mut module = b"..cargo/registry/src/host.example-1a2b/dlmalloc-0.2/src/lib.rs..".to_vec();
        forget_registries(&mut module);
        assert_eq!(
            module,
            format!("..cargo/registry/src{}dlmalloc-0.2/src/lib.rs..", "/".repeat("/host.example-1a2b/".len()))
                .into_bytes()
        );
    }

    #[test]
    fn homes_are_forgotten_at_the_same_length() {
        let home = cargo_home().unwrap();
        let mut module = format!("..{}/registry/src/a.rs..", home.display()).into_bytes();
        let length = module.len();
        forget_homes(&mut module);
        let text = String::from_utf8(module).unwrap();
        assert!(text.starts_with("../home/") && text.ends_with("/registry/src/a.rs.."), "{text}");
        assert_eq!(text.len(), length);
    }
}
