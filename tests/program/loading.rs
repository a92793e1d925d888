//! How components become agents: compiled apart, within limits, and kept.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use arena_tests::zoo::{Attempt, case};

use crate::arena::program;

/// A sample, and a match of it against another.
const MATCH: [&str; 5] = ["match", "threshold-300.wasm", "bank-asap.wasm", "--seed", "7"];

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-agents/built")
}

/// What the match prints, with a cache; and its exit code and complaint.
fn play(cache: &str) -> (String, i32, String) {
    let output = program().args(MATCH).current_dir(samples()).env("ARENA_CACHE", cache).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), output.status.code().unwrap(), text(&output.stderr))
}

fn kept(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn code_is_kept_and_makes_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("new/cache");
    let without = play("off");
    assert_eq!((without.1, without.2.as_str()), (0, ""));
    let made = play(cache.to_str().unwrap());
    assert_eq!(made, without);
    let files = kept(&cache);
    assert_eq!(files.len(), 2, "{files:?}");
    let before: Vec<_> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    assert_eq!(play(cache.to_str().unwrap()), without);
    assert_eq!(kept(&cache), files);
    assert!(files.iter().zip(&before).all(|(file, before)| fs::read(file).unwrap() == *before));

    // Code that is not whole, or another's, is made anew.
    let mut attempt = Attempt::expecting("cut or exchanged code is made anew, and plays the same");
    fs::write(&files[0], &before[0][..before[0].len() / 2]).unwrap();
    fs::copy(&files[0], &files[1]).unwrap();
    let again = play(cache.to_str().unwrap());
    let anew = files.iter().zip(&before).filter(|(file, before)| fs::read(file).unwrap() == **before).count();
    attempt
        .saw(format!("{anew} of 2 files as before, {} match", if again == without { "the same" } else { "another" }));
    assert_eq!(again, without);
    assert_eq!(anew, 2);
    attempt.held();
}

#[test]
fn a_cache_that_cannot_be_used_is_said_to_be_none() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let assert_not_used = |name: &str, folder: &Path, says: &str| {
        case(name);
        let mut attempt = Attempt::expecting(format!("not used, exit code 2: \u{2026}{says}"));
        let (_, code, complaint) = play(folder.to_str().unwrap());
        let complaint = complaint.replace(folder.to_str().unwrap(), "FOLDER");
        attempt.saw(format!("exit code {code}: {complaint}"));
        assert_eq!(code, 2);
        assert!(complaint.starts_with("arena: ARENA_CACHE=") && complaint.contains(says), "{complaint}");
        attempt.held();
    };
    assert_not_used("a file", &file, "cannot be used");

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        assert_not_used("a folder of everybody", folder.path(), "other users can write to it");
    }
}

/// A component whose one module has so many functions of some hundred operations each.
fn large(functions: usize) -> Vec<u8> {
    let body = "(local.set 0 (i32.rotl (i32.mul (local.get 0) (i32.const 31)) (local.get 1)))".repeat(60);
    let function = format!("(func (param i32 i32) (result i32) {body} (local.get 0))");
    wat::parse_str(format!("(component (core module {}))", function.repeat(functions))).unwrap()
}

/// The hidden command's end: the exit code, the signal, and what it says.
#[cfg(target_os = "linux")]
fn compile(component: &[u8], seconds: &str, mebibytes: &str) -> (Option<i32>, Option<i32>, String) {
    use std::os::unix::process::ExitStatusExt as _;
    let mut command = program();
    command.args(["compile-component", "--seconds", seconds, "--mebibytes", mebibytes]);
    // On a machine of many cores the stacks of its threads would be all that there is.
    command.env("RAYON_NUM_THREADS", "2");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(component);
    let output = child.wait_with_output().unwrap();
    (output.status.code(), output.status.signal(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn a_compiler_has_so_much_time_and_memory_and_no_more() {
    let assert_ends = |component: &[u8], limits: [&str; 2], end: (Option<i32>, Option<i32>), says: &str| {
        let [seconds, mebibytes] = limits;
        case(&format!("{} bytes of component, {seconds} s, {mebibytes} MiB", component.len()));
        let words = |(code, signal): (Option<i32>, Option<i32>), said: &str| match (code, signal) {
            (None, Some(signal)) => format!("the compiler ends by signal {signal}: \u{2026}{said}"),
            (code, _) => format!("the compiler ends with {code:?}: \u{2026}{said}"),
        };
        let mut attempt = Attempt::expecting(words(end, says));
        let (code, signal, said) = compile(component, seconds, mebibytes);
        attempt.saw(words((code, signal), &said));
        assert_eq!((code, signal), end, "{said}");
        assert!(said.contains(says), "{said}");
        attempt.held();
        said
    };
    let large = large(20_000);
    assert_ends(&large, ["1", "2048"], (None, Some(24)), "");
    assert_ends(&large, ["100", "48"], (None, Some(6)), "memory allocation of");
    let sample = fs::read(samples().join("max-ev.wasm")).unwrap();
    assert_eq!(assert_ends(&sample, ["60", "512"], (Some(0), None), ""), "");
}

/// Limits that a process has, of the words of `/proc/PID/limits`.
#[cfg(target_os = "linux")]
fn limit(process: u32, name: &str) -> Option<String> {
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).ok()?;
    let line = limits.lines().find(|line| line.starts_with(name))?;
    line[name.len()..].split_whitespace().next().map(str::to_owned)
}

#[cfg(target_os = "linux")]
#[test]
fn a_compiler_can_write_no_file_and_leaves_no_core() {
    let mut command = program();
    command.args(["compile-component", "--seconds", "7", "--mebibytes", "300"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = std::time::Instant::now();
    let mut attempt = Attempt::expecting("files of 0 bytes, core of 0, 7 s, 314572800 bytes");
    let names = ["Max file size", "Max core file size", "Max cpu time", "Max data size"];
    // It waits for a component, and has set its limits before.
    let found = loop {
        let found = names.map(|name| limit(child.id(), name).unwrap_or_default());
        if found[0] == "0" || begun.elapsed().as_secs() > 60 {
            break found;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    let _ = (child.kill(), child.wait());
    attempt.saw(format!("files of {} bytes, core of {}, {} s, {} bytes", found[0], found[1], found[2], found[3]));
    assert_eq!(found, ["0", "0", "7", "314572800"]);
    attempt.held();
}

/// Ticks of processor time that a process has used, and what it was started with.
#[cfg(target_os = "linux")]
fn used(process: &str) -> Option<(u64, String)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may hold spaces.
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some((ticks, fs::read_to_string(format!("/proc/{process}/cmdline")).ok()?.replace('\0', " ")))
}

/// The processes that a process has started and that are there.
#[cfg(target_os = "linux")]
fn children(process: u32) -> Vec<String> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let listed = threads.map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    listed.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_compiled_where_the_results_are() {
    if !Path::new("/proc/self/task").join(std::process::id().to_string()).join("children").exists() {
        return println!("SKIPPED: this system does not list the children of a process");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("large.wasm"), large(4_000)).unwrap();
    let mut command = program();
    command.args(["check", "large.wasm"]).current_dir(folder.path()).env("ARENA_CACHE", "off");
    let mut attempt = Attempt::expecting("the work of compiling is another process's");
    let mut arena = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (mut own, mut compiler) = (0, 0);
    while arena.try_wait().unwrap().is_none() {
        own = used(&arena.id().to_string()).map_or(own, |(ticks, _)| ticks.max(own));
        for (ticks, command) in children(arena.id()).iter().filter_map(|child| used(child)) {
            // Before it is another program, a child looks like its parent.
            if command.contains("compile-component") {
                compiler = ticks.max(compiler);
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let share = 100 * compiler / (own + compiler).max(1);
    attempt.saw(if share > 75 {
        "the work of compiling is another process's".into()
    } else {
        format!("{share}% of it is")
    });
    assert!(share > 75, "{own} ticks of its own, {compiler} of the compiler");
    attempt.held();
}

/// Who could hand in machine code could do anything.
#[test]
fn machine_code_is_no_agent() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    assert_eq!(play(cache.to_str().unwrap()).1, 0);
    let code = kept(&cache).remove(0);
    let mut attempt = Attempt::expecting("exit code 4: \u{2026}it is not a WebAssembly file");
    let output = program().arg("check").arg(&code).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let (code, why) = (output.status.code().unwrap_or(-1), said.split("refused: ").nth(1).unwrap_or(&said));
    attempt.saw(format!("exit code {code}: {why}"));
    assert_eq!(code, 4, "{said}");
    assert!(why.starts_with("it is not a WebAssembly file"), "{said}");
    attempt.held();
}

#[test]
fn what_is_no_component_is_refused_with_the_reason_of_the_compiler() {
    let folder = tempfile::tempdir().unwrap();
    let mut broken = fs::read(samples().join("max-ev.wasm")).unwrap();
    broken.truncate(20_000);
    let file = folder.path().join("broken.wasm");
    fs::write(&file, broken).unwrap();
    let mut attempt = Attempt::expecting("exit code 4: \u{2026}is refused: it is not a valid component: ");
    let output = program().arg("check").arg(&file).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let shown = said.replace(folder.path().to_str().unwrap(), "FOLDER");
    attempt.saw(format!("exit code {}: {shown}", output.status.code().unwrap_or(-1)));
    assert_eq!(output.status.code(), Some(4));
    assert!(said.contains("is refused: it is not a valid component: "), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    attempt.held();
}
