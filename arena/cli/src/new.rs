//! New agents' projects, as `arena new` makes them.
//!
//! Owns what stands in one, which names are allowed, and where the SDK is found. Refuses to touch
//! what exists: a project is made beside its place and moved there whole, or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::args::Language;
use crate::build;
use crate::failure::Failure;

/// The most characters of a name: that of an agent in a tournament.
const LONGEST: usize = 40;
/// Words that Rust and Cargo keep for themselves, and the crates that every agent depends on.
const TAKEN: [&str; 64] = [
    "abstract",
    "agent-sdk",
    "agent_sdk",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "build",
    "const",
    "continue",
    "core",
    "crate",
    "deps",
    "do",
    "dyn",
    "else",
    "enum",
    "examples",
    "extern",
    "false",
    "farkle",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "incremental",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc_macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "wit_bindgen",
    "yield",
];

/// A file of a project: its path and what it says, before names are put in. What no author changes
/// is that of the sample agent in the same language.
type Template = (&'static str, &'static str);

const RUST: [Template; 4] = [
    (".gitignore", include_str!("new/rust/gitignore")),
    ("Cargo.toml", include_str!("new/rust/Cargo.toml.in")),
    ("README.md", include_str!("new/rust/README.md.in")),
    ("src/lib.rs", include_str!("new/rust/lib.rs")),
];
const C: [Template; 5] = [
    (".gitignore", include_str!("new/c/gitignore")),
    ("README.md", include_str!("new/c/README.md.in")),
    ("agent.c", include_str!("new/c/agent.c.in")),
    ("arena.h", include_str!("../../../sample-agents/c-threshold/arena.h")),
    ("farkle.h", include_str!("../../../sample-agents/c-threshold/farkle.h")),
];
const PYTHON: [Template; 8] = [
    (".gitignore", include_str!("new/python/gitignore")),
    ("README.md", include_str!("new/python/README.md.in")),
    ("agent.py", include_str!("new/python/agent.py.in")),
    ("app.py", include_str!("../../../sample-agents/python-threshold/app.py")),
    ("farkle.py", include_str!("../../../sample-agents/python-threshold/farkle.py")),
    ("requirements.txt", include_str!("new/python/requirements.txt.in")),
    ("test_agent.py", include_str!("new/python/test_agent.py")),
    ("wit/arena.wit", build::WIT),
];
const JAVASCRIPT: [Template; 8] = [
    (".gitignore", include_str!("new/javascript/gitignore")),
    ("README.md", include_str!("new/javascript/README.md.in")),
    ("agent.js", include_str!("new/javascript/agent.js.in")),
    ("agent.test.js", include_str!("new/javascript/agent.test.js")),
    ("app.js", include_str!("../../../sample-agents/javascript-threshold/app.js")),
    ("farkle.js", include_str!("../../../sample-agents/javascript-threshold/farkle.js")),
    ("package.json", include_str!("new/javascript/package.json.in")),
    ("wit/arena.wit", build::WIT),
];

/// What to put in the place of each `{{name}}` of a template.
type Fillings<'a> = [(&'a str, String)];

/// A project that was made.
pub(crate) struct Made {
    /// The agent's name.
    pub(crate) name: String,
    /// The checkout that the SDK was found in, if it was.
    pub(crate) checkout: Option<PathBuf>,
}

/// Makes a project.
pub(crate) fn make(path: &Path, language: Language, sdk: Option<&Path>) -> Result<Made, Failure> {
    let name = name_of(path)?;
    if sdk.is_some() && language != Language::Rust {
        return Err(Failure::usage("--sdk is for an agent in Rust; the SDK is a crate"));
    }
    if fs::symlink_metadata(path).is_ok() {
        return Err(Failure::usage(format!("{} exists already: nothing is overwritten", path.display())));
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !parent.is_dir() {
        let what = if parent.exists() { "is no folder" } else { "does not exist" };
        return Err(Failure::usage(format!("{} cannot be made: {} {what}", path.display(), parent.display())));
    }
    let found = Sdk::find(sdk, parent)?;
    let cannot = |error: io::Error| Failure::failed(format!("{} cannot be made: {error}", path.display()));
    // Beside its place, so that moving it there is one step. When anything fails, it goes again.
    let draft = tempfile::Builder::new().prefix(".arena-new-").tempdir_in(parent).map_err(cannot)?;
    let fill = |templates: &[Template], fillings: &Fillings<'_>| {
        templates.iter().try_for_each(|(file, text)| write(&draft.path().join(file), &filled(text, fillings)))
    };
    let named = ("name", name.clone());
    match language {
        Language::Rust => {
            fill(&RUST, &[named.clone(), ("sdk", found.dependency()), ("workspace", String::new())]).map_err(cannot)?;
        }
        Language::C => fill(&C, &[named]).map_err(cannot)?,
        Language::Python => {
            fill(&PYTHON, &[named, ("componentize-py", build::COMPONENTIZE_PY.into())]).map_err(cannot)?
        }
        Language::JavaScript => {
            fill(&JAVASCRIPT, &[named, ("componentize-js", build::COMPONENTIZE_JS.into())]).map_err(cannot)?;
        }
    }
    // A temporary folder is private; a project is as readable as any other folder.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(draft.path(), fs::Permissions::from_mode(0o755)).map_err(cannot)?;
    }
    fs::rename(draft.path(), path).map_err(cannot)?;
    // There is nothing left to remove.
    let _ = draft.keep();
    // A workspace takes crates in by their names, so this is asked where the project has its own.
    if language == Language::Rust && !is_member(path, parent) {
        let own = found.alone(path, &name);
        own.inspect_err(|_| _ = fs::remove_dir_all(path)).map_err(cannot)?;
    }
    Ok(Made { name, checkout: found.checkout() })
}

/// What makes a crate build inside the folder of another one.
const OWN_WORKSPACE: &str = "\n# A workspace of its own, so that it builds wherever it lies.\n[workspace]\n";

fn name_of(path: &Path) -> Result<String, Failure> {
    let refuse = |name: &str, why: &str| {
        Failure::usage(format!(
            "`{name}` is no name for an agent's project: {why}. Allowed are 1 to {LONGEST} of a-z, A-Z, 0-9, - and _, \
             beginning with a letter"
        ))
    };
    let Some(name) = path.file_name() else {
        return Err(refuse(&path.display().to_string(), "it does not end in a name"));
    };
    let Some(name) = name.to_str() else {
        return Err(refuse(&path.display().to_string(), "it is not UTF-8"));
    };
    if let Some(odd) = name.chars().find(|c| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_')) {
        return Err(refuse(name, &format!("it holds `{odd}`")));
    }
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Err(refuse(name, "it does not begin with a letter"));
    }
    if name.len() > LONGEST {
        return Err(refuse(name, &format!("it has {} characters", name.len())));
    }
    if TAKEN.contains(&name) {
        return Err(refuse(name, "Rust, Cargo or the SDK has that name already"));
    }
    Ok(name.to_owned())
}

fn filled(text: &str, fillings: &Fillings<'_>) -> String {
    let text =
        fillings.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{{{name}}}}}"), value));
    text.trim_end().to_owned() + "\n"
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

/// Whether a crate, as it lies, is a member of a workspace that lies around it. One that lies in
/// another's workspace and is no member of it is refused by Cargo.
fn is_member(draft: &Path, parent: &Path) -> bool {
    let around = fs::canonicalize(parent).is_ok_and(|parent| {
        parent.ancestors().any(|folder| {
            fs::read_to_string(folder.join("Cargo.toml"))
                .is_ok_and(|text| toml::from_str::<toml::Table>(&text).is_ok_and(|it| it.contains_key("workspace")))
        })
    });
    let mut ask = Command::new("cargo");
    ask.current_dir(draft).args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    #[derive(Deserialize)]
    struct Metadata {
        workspace_root: PathBuf,
    }
    let answer =
        |ask: &mut Command| ask.stdin(Stdio::null()).stderr(Stdio::null()).output().ok().filter(|a| a.status.success());
    let root = |output: std::process::Output| serde_json::from_slice::<Metadata>(&output.stdout).ok();
    around
        && answer(&mut ask)
            .and_then(root)
            .is_some_and(|metadata| fs::canonicalize(draft).is_ok_and(|draft| metadata.workspace_root != draft))
}

/// Where an agent in Rust takes the SDK from.
struct Sdk(PathBuf);

impl Sdk {
    /// The one that is given; or that of the checkout that the new project lies in, or that this program
    /// lies in, or was built from.
    fn find(given: Option<&Path>, parent: &Path) -> Result<Sdk, Failure> {
        if let Some(given) = given {
            return match is_sdk(given) {
                Ok(()) => std::path::absolute(given)
                    .and_then(fs::canonicalize)
                    .map(Sdk)
                    .map_err(|error| Failure::usage(format!("--sdk {}: {error}", given.display()))),
                Err(why) => Err(Failure::usage(format!(
                    "--sdk {} is not the folder of the crate agent-sdk: {why:#}",
                    given.display()
                ))),
            };
        }
        let around = fs::canonicalize(parent).ok();
        let around = around.iter().flat_map(|parent| parent.ancestors()).map(|folder| folder.join("agent-sdk"));
        // The program lies in `target/release` of its checkout.
        let program = std::env::current_exe().and_then(fs::canonicalize).ok();
        let beside =
            program.iter().flat_map(|program| program.ancestors().skip(1)).map(|folder| folder.join("agent-sdk"));
        let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../agent-sdk");
        let found = around.chain(beside).chain([built_from]).find(|folder| is_sdk(folder).is_ok());
        match found.and_then(|folder| fs::canonicalize(folder).ok()) {
            Some(folder) => Ok(Sdk(folder)),
            None => Err(Failure::usage(
                "the SDK is not found: it comes with the checkout of Farkle Arena, and --sdk PATH says where its folder \
                 agent-sdk is (a crate of that name from crates.io is somebody else's)",
            )),
        }
    }

    /// Makes a project a workspace of its own, with the versions that the SDK is tested with.
    fn alone(&self, project: &Path, name: &str) -> io::Result<()> {
        let (_, manifest) = RUST.into_iter().find(|(file, _)| *file == "Cargo.toml").expect("a crate has a manifest");
        let fillings = [("name", name.to_owned()), ("sdk", self.dependency()), ("workspace", OWN_WORKSPACE.to_owned())];
        write(&project.join("Cargo.toml"), &filled(manifest, &fillings))?;
        // Cargo leaves out what the new crate does not use, and needs to look for nothing.
        match self.lock() {
            Some(lock) => fs::copy(lock, project.join("Cargo.lock")).map(|_| ()),
            None => Ok(()),
        }
    }

    /// As it stands in a manifest.
    fn dependency(&self) -> String {
        format!("{{ path = {} }}", toml::Value::String(self.0.display().to_string()))
    }

    /// The versions that the SDK's own workspace is tested with.
    fn lock(&self) -> Option<PathBuf> {
        self.checkout().map(|root| root.join("Cargo.lock")).filter(|lock| lock.is_file())
    }

    /// The checkout that the folder belongs to, when it is one.
    fn checkout(&self) -> Option<PathBuf> {
        self.0.parent().filter(|root| root.join("sample-agents/built").is_dir()).map(Path::to_path_buf)
    }
}

/// Whether a folder holds the crate agent-sdk.
fn is_sdk(folder: &Path) -> Result<()> {
    #[derive(Deserialize)]
    struct Manifest {
        package: Package,
    }
    #[derive(Deserialize)]
    struct Package {
        name: String,
    }
    let path = folder.join("Cargo.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let manifest: Manifest = toml::from_str(&text).with_context(|| format!("reading {}", path.display()))?;
    anyhow::ensure!(manifest.package.name == "agent-sdk", "its crate is `{}`", manifest.package.name);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_crates() {
        for good in ["my-agent", "a", "Agent_7", "bots/deep/my-agent", "../x"] {
            assert!(name_of(Path::new(good)).is_ok(), "{good}");
        }
        for (bad, why) in [
            ("", "does not end in a name"),
            ("..", "does not end in a name"),
            ("7up", "does not begin with a letter"),
            ("my agent", "it holds ` `"),
            ("f\u{e4}rkle", "it holds `\u{e4}`"),
            ("match", "has that name already"),
            ("agent-sdk", "has that name already"),
        ] {
            let said = name_of(Path::new(bad)).unwrap_err().to_string();
            assert!(said.contains(why) && said.contains("Allowed are 1 to 40"), "{said}");
        }
        assert!(name_of(Path::new(&"a".repeat(41))).unwrap_err().to_string().contains("41 characters"));
    }

    /// Nothing is left to be put in, and nothing is put in that no template asks for.
    #[test]
    fn templates_ask_for_what_is_put_in() {
        let asked = |templates: &[Template]| {
            let mut names: Vec<&str> = Vec::new();
            for (_, text) in templates {
                names.extend(text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")).map(|(name, _)| name));
            }
            names.sort_unstable();
            names.dedup();
            names.join(" ")
        };
        assert_eq!(asked(&RUST), "name sdk workspace");
        assert_eq!(asked(&C), "name");
        assert_eq!(asked(&PYTHON), "componentize-py name");
        assert_eq!(asked(&JAVASCRIPT), "componentize-js name");
    }

    /// The page for beginners shows this project.
    #[test]
    fn the_template_is_what_the_page_shows() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let page = fs::read_to_string(root.join("docs/your-first-agent.md")).unwrap();
        let shown = page.split_once("```rust\n").unwrap().1.split_once("```").unwrap().0;
        assert!(include_str!("new/rust/lib.rs").contains(shown), "{shown}");
    }
}
