//! `arena withdraw` and `arena close`.

use std::path::Path;

use crate::failure::Failure;
use crate::output;
use crate::store::{Store, unknown_agent};

/// Lets an agent play no further matches.
pub(crate) fn withdraw(file: &Path, name: &str) -> Result<(), Failure> {
    let store = Store::open(file)?;
    if store.withdraw(name)? {
        let mut text = format!("{name} plays no further matches; those it played stay\n");
        let latest = store.entries()?.into_iter().rfind(|entry| entry.name == name);
        if let Some(author) = latest.and_then(|entry| entry.author) {
            let shown = file.display();
            text += &format!(
                "{author} may submit it again with a token; `arena token {shown} \"{author}\" --revoke` ends that\n"
            );
        }
        return output::print(&text);
    }
    let entries = store.entries()?;
    let shown = file.display();
    if entries.iter().any(|entry| entry.name == name) {
        return Err(Failure::failed(format!("{name} is withdrawn from {shown} already")));
    }
    Err(unknown_agent(name, &entries, file))
}

/// Publishes the secrets of the dice.
pub(crate) fn close(file: &Path) -> Result<(), Failure> {
    let store = Store::open(file)?;
    store.reveal()?;
    let mut text = String::new();
    for secret in store.secrets()?.iter() {
        let hex: String = secret.secret.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        text += &format!(
            "dice of the pairs from {} on: secret {hex}, commitment {}\n",
            secret.first_pair,
            arena_core::Sha256Hex(secret.secret.commitment())
        );
    }
    text += "who is submitted from now on plays under a new secret\n";
    output::print(&text)
}
