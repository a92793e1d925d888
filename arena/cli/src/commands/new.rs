//! `arena new`: a project to start an agent from.

use crate::args::{Language, NewArgs};
use crate::failure::Failure;
use crate::harmless::shell_word;
use crate::{new, output};

pub(crate) fn run(args: &NewArgs) -> Result<(), Failure> {
    let made = new::make(&args.path, args.lang, args.sdk.as_deref())?;
    let name = &made.name;
    let rival = made.checkout.map(|root| root.join("sample-agents/built/threshold-300.wasm"));
    let rival = rival
        .filter(|rival| rival.is_file())
        .map_or_else(|| format!("other={name}.wasm"), |rival| shell_word(&rival.display().to_string()));
    let (language, test, install) = match args.lang {
        Language::Rust => ("Rust", Some("cargo test"), None),
        Language::Python => (
            "Python",
            Some("python3 -m unittest"),
            Some("python3 -m venv .venv && .venv/bin/pip install -r requirements.txt"),
        ),
        Language::JavaScript => ("JavaScript", Some("node --test"), Some("npm install")),
        Language::C => ("C", None, None),
    };
    let mut told = format!("{}: an agent in {language}. Next:\n\n", args.path.display());
    let cd = format!("cd {}", shell_word(&args.path.display().to_string()));
    let play = format!("arena match {name}.wasm {rival} --seed 7");
    for line in [Some(cd.as_str()), test, install, Some("arena build ."), Some(&play)].into_iter().flatten() {
        told += &format!("    {line}\n");
    }
    output::print(&told)
}
