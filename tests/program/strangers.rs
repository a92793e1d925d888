//! Agents that say what commands a terminal, a spreadsheet or a browser: every command, in every format.

use std::fs;
use std::path::Path;

use arena_tests::{Guest, guest_beside};
use serde_json::Value;

use crate::arena::{Output, arena_fed_in, arena_in};

/// Escapes (to clear the screen, set a title, make a link), C1 controls, text turned around, what cannot be
/// seen, ends of strings and lines, and what means something in tables, Markdown and HTML.
const EVIL: &str = "=cmd|' /C calc'!A0 \u{1b}[2J\u{1b}]0;title\u{7}\u{1b}]8;;http://x\u{1b}\\ \u{9b}31m\u{90}\u{7f} \
    \u{202e}turned\u{2066}\u{200f} z\u{200b}e\u{200d}r\u{ad}o\u{feff}\u{2060}\u{e0041}\u{3164} \u{2028} \0 \
    <img src=x onerror=alert(1)> [x](javascript:alert(1)) `code` | a | b |\r\n| - | - |\n\
    arena: it wins\n+1,-1;@x\t\"q\"";

/// What agents may be called, and what breaks a table of whoever does not look: files of these names.
const NAMES: [&str; 5] = [
    "=cmd|' C calc'!A0",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))`c`*b*|",
    "+1;\"@x\",-2",
    "@-\\|<b>\\",
];

const LOG: &str = r#"(import "farkle:arena/logging@0.1.0" "log" (func $log (param i32 i32)))"#;

/// Bytes as WebAssembly text has them.
fn quoted(text: &str) -> String {
    text.bytes().map(|byte| format!("\\{byte:02x}")).collect()
}

/// Says the worst of itself and to its author, and plays by the rules.
fn evil() -> Guest {
    let (at, length) = (8_192, EVIL.len());
    let strings: String = (0..3)
        .map(|place| {
            let (pointer, size) = (64 + 8 * place, 68 + 8 * place);
            format!(
                "(i32.store (i32.const {pointer}) (i32.const {at})) (i32.store (i32.const {size}) (i32.const {length}))"
            )
        })
        .collect();
    let log = format!("(call $log (i32.const {at}) (i32.const {length}))");
    Guest::banks()
        .imports(LOG)
        .also(&format!("(data (i32.const {at}) \"{}\")", quoted(EVIL)))
        .identity(&format!("{strings} (i32.const 64)"))
        .start(&log)
        .before_deciding(&log)
}

/// The same, and traps at its third decision in a function of that name.
fn faulty() -> Guest {
    evil()
        .also("(global $decisions (mut i32) (i32.const 0))")
        .also(&format!("(func $trap (@name \"{}\") unreachable)", quoted(EVIL)))
        .before_deciding(
            "(global.set $decisions (i32.add (global.get $decisions) (i32.const 1)))
             (if (i32.eq (global.get $decisions) (i32.const 3)) (then (call $trap)))",
        )
}

fn file(name: &str) -> String {
    // With a folder, so that no `=` in it parts a name from a path.
    format!("./{name}.wasm")
}

/// A folder with an agent of each name: the first traps.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (place, name) in NAMES.iter().enumerate() {
        let guest = if place == 0 { faulty() } else { evil() }.also(&format!("(func $other{place})"));
        fs::write(folder.path().join(file(name)), guest.component()).unwrap();
    }
    folder
}

/// Control characters, and what Unicode has to turn text around, or to be read without being seen.
fn is_hidden(c: char) -> bool {
    let ignorable = ['\u{ad}', '\u{34f}', '\u{61c}', '\u{115f}', '\u{1160}', '\u{3164}', '\u{feff}', '\u{ffa0}'];
    c.is_control()
        || ignorable.contains(&c)
        || matches!(u32::from(c), 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfe00..=0xfe0f | 0xfff9..=0xfffb | 0xe0000..=0xe0fff)
}

#[track_caller]
fn assert_plain(what: &str, text: &str) {
    let hidden = text.char_indices().find(|(_, c)| *c != '\n' && is_hidden(*c));
    let Some((at, c)) = hidden else { return };
    let begin = text[..at].char_indices().rev().nth(60).map_or(0, |(place, _)| place);
    panic!("{what}: {c:?} after {:?}", &text[begin..at]);
}

/// How a command prints.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Format {
    Text,
    Json,
    Jsonl,
    /// With so many rows below the head.
    Csv(usize),
    /// With tables of so many rows below the head.
    Markdown(usize),
}
use Format::{Csv, Json, Jsonl, Markdown, Text};

/// The fields of CSV (RFC 4180), row by row.
fn rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field, mut in_quotes) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, in_quotes) {
            ('"', true) if chars.next_if_eq(&'"').is_some() => field.push('"'),
            ('"', _) => in_quotes = !in_quotes,
            (',', false) => row.push(std::mem::take(&mut field)),
            ('\n', false) => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            (c, _) => field.push(c),
        }
    }
    assert!(!in_quotes && field.is_empty() && row.is_empty(), "CSV that ends in a row: {text}");
    rows
}

#[track_caller]
fn assert_csv(what: &str, text: &str, expected: usize) {
    let rows = rows(text);
    assert_eq!(rows.len(), expected + 1, "{what}: {text}");
    for field in rows.iter().flat_map(|row| {
        assert_eq!(row.len(), rows[0].len(), "{what}: {row:?}");
        row
    }) {
        let is_formula = field.starts_with(['=', '+', '-', '@']) && field.parse::<f64>().is_err();
        assert!(!is_formula, "{what}: {field:?}");
    }
    // The names are all there, whole.
    let column = rows[0].iter().position(|head| head == "agent").unwrap();
    for name in NAMES {
        assert!(rows.iter().any(|row| row[column].trim_start_matches('\'') == name), "{what}: no {name} in {text}");
    }
}

/// The signs that mean something in a line of Markdown, code aside.
fn signs(line: &str) -> String {
    let (mut signs, mut in_code) = (String::new(), false);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if !in_code => _ = chars.next(),
            '`' => in_code = !in_code,
            '|' => signs.push(c),
            '<' | '>' | '[' | ']' | '*' | '_' | '&' | '#' if !in_code => signs.push(c),
            _ => {}
        }
    }
    assert!(!in_code, "code without an end: {line}");
    signs
}

#[track_caller]
fn assert_markdown(what: &str, text: &str, expected: usize) {
    let lines: Vec<&str> = text.lines().collect();
    let mut tables = 0;
    for table in lines.chunk_by(|one, next| one.starts_with('|') == next.starts_with('|')) {
        if !table[0].starts_with('|') {
            assert!(table.iter().all(|line| signs(line).is_empty()), "{what}: {table:#?}");
            continue;
        }
        tables += 1;
        assert_eq!(table.len(), expected + 2, "{what}: {table:#?}");
        let head = signs(table[0]);
        assert!(head.chars().all(|c| c == '|'), "{what}: {head}");
        assert!(table.iter().all(|line| signs(line) == head), "{what}: {table:#?}");
    }
    assert!(tables > 0, "{what}: {text}");
}

/// The command ended as it does, and what it printed is only text, of its format.
#[track_caller]
fn assert_harmless(folder: &Path, args: &[&str], format: Format, output: &Output) {
    let what = format!("{args:?}");
    assert!([0, 1, 2, 4].contains(&output.code), "{what}: {output:?}");
    assert!(!output.stderr.contains("panicked"), "{what}: {output:?}");
    assert_plain(&format!("{what}, standard output"), &output.stdout);
    assert_plain(&format!("{what}, standard error"), &output.stderr);
    // A complaint is the arena's own, in one piece.
    let told = output.stderr.lines().filter(|line| line.starts_with("arena: ")).count();
    assert!(told <= 1, "{what}: {}", output.stderr);
    match format {
        Text => {}
        Json => _ = serde_json::from_str::<Value>(&output.stdout).unwrap_or_else(|e| panic!("{what}: {e}: {output:?}")),
        Jsonl => {
            assert!(!output.stdout.is_empty(), "{what}");
            for line in output.stdout.lines() {
                serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{what}: {error}: {line}"));
            }
        }
        Csv(expected) => assert_csv(&what, &output.stdout, expected),
        Markdown(expected) => assert_markdown(&what, &output.stdout, expected),
    }
    // What is written is looked at, too.
    for written in ["r.json", "records/0000001.json"] {
        if let Ok(text) = fs::read_to_string(folder.join(written)) {
            assert_plain(&format!("{what}, {written}"), &text);
            serde_json::from_str::<Value>(&text).unwrap();
        }
    }
}

#[test]
fn every_command_shows_hostile_text_as_text_in_every_format() {
    let folder = folder();
    let here = folder.path();
    let files: Vec<String> = NAMES.iter().map(|name| file(name)).collect();
    // The words of a command, with agents for what stands for them.
    let words = |command: &str| -> Vec<String> {
        let agents = |word: &str| match word {
            "FAULTY" => files[..1].to_vec(),
            "EVIL" => files[1..2].to_vec(),
            "ALL" => files.clone(),
            word => vec![word.to_owned()],
        };
        command.split_whitespace().flat_map(agents).collect()
    };
    // Ten pairings in two orders, a row for each seat.
    let seats = 2 * 20;
    let cases = [
        ("check EVIL --rules immediate-win", Text),
        ("check EVIL --rules immediate-win --format json", Json),
        ("check FAULTY --rules immediate-win", Text),
        ("check FAULTY --rules immediate-win --format json", Json),
        ("match FAULTY EVIL --seed 1", Text),
        ("match FAULTY EVIL --seed 1 --logs", Text),
        ("match FAULTY EVIL --seed 1 --logs --trace --record r.json", Text),
        ("match FAULTY EVIL --seed 1 --format json", Json),
        ("match FAULTY EVIL --seed 1 --until-fault=5", Text),
        ("replay r.json --agents .", Text),
        ("replay r.json --agents . --format json", Json),
        ("sprt FAULTY EVIL --seed 1 --most-pairs 2", Text),
        ("sprt FAULTY EVIL --seed 1 --most-pairs 2 --format json", Json),
        ("tournament ALL --pairs 1 --seed 1 --records records", Text),
        ("tournament ALL --pairs 1 --seed 1 --format json", Json),
        ("tournament ALL --pairs 1 --seed 1 --db t.db", Text),
        ("tournament ALL --pairs 1 --seed 1 --db u.db --format json", Json),
        ("standings t.db", Text),
        ("standings t.db --cross-table --matrix", Text),
        ("standings t.db --cross-table --matrix --format json", Json),
        ("standings t.db --format csv", Csv(NAMES.len())),
        ("standings t.db --cross-table --matrix --format markdown", Markdown(NAMES.len())),
        ("matches t.db", Text),
        ("matches t.db --format json", Jsonl),
        ("matches t.db --format jsonl", Jsonl),
        ("matches t.db --format csv", Csv(seats)),
        ("matches t.db --agent =cmd", Text),
        ("show t.db 1", Text),
        ("show t.db 1 --logs --trace", Text),
        ("show t.db 1 --format json", Json),
        ("replay t.db 1", Text),
        ("replay t.db 1 --format json", Json),
        ("verify t.db --all", Text),
        ("export t.db", Json),
        ("export t.db --format jsonl", Jsonl),
        ("export t.db --format csv", Csv(seats)),
        ("create s.db --play swiss --rounds 1 --pairs 1 --seed 1", Text),
        ("submit FAULTY --to s.db", Text),
        ("submit EVIL --to s.db --author =1+1|<b>", Text),
        ("submit EVIL --to s.db --name <b>[x](y)|`c`", Text),
        ("run s.db", Text),
        ("withdraw s.db <b>[x](y)|`c`", Text),
        ("standings s.db", Text),
        ("standings s.db --format markdown", Markdown(2)),
        ("export s.db", Json),
        ("create k.db --play knockout --pairs 1 --seed 1", Text),
        ("submit EVIL --to k.db", Text),
        ("submit EVIL --to k.db --name =1+1|<b>", Text),
        ("run k.db", Text),
        ("submit EVIL --to k.db --name late<i>|", Text),
        ("standings k.db --format markdown", Markdown(2)),
    ];
    let (mut clear, mut turned, mut cut) = (0, 0, 0);
    for (command, format) in cases {
        let args = words(command);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = arena_in(here, &args);
        assert_harmless(here, &args, format, &output);
        clear += usize::from(output.stdout.contains("\\u{1b}[2J") || output.stdout.contains("\\u001b[2J"));
        turned += usize::from(output.stdout.contains("\\u{202e}turned") || output.stdout.contains("\\u202eturned"));
        cut += usize::from(output.stdout.contains("onerror"));
    }
    // The attack was there to be seen: identities, notes, faults and their functions.
    assert!(clear >= 14 && turned >= 14 && cut > 30, "{clear}, {turned}, {cut}");

    // What it says of itself is handed on to programs as it is.
    let figures = arena_in(here, &["check", &files[1], "--rules", "immediate-win", "--format", "json"]);
    let figures: Value = serde_json::from_str(&figures.stdout).unwrap();
    assert_eq!(figures["about"]["name"], EVIL);
    assert_eq!(figures["about"]["author"], EVIL);
}

#[test]
fn a_person_is_shown_hostile_text_as_text() {
    let folder = folder();
    let (faulty, evil) = (file(NAMES[0]), file(NAMES[1]));
    // Whatever may be kept of it is; what is no keep is told so. By then the other has trapped.
    let plays = format!("{}history\nquit\n", "1 bank\n5 bank\n".repeat(20));
    let mut shown = 0;
    for (agents, seat, typed) in [
        (&[&*faulty][..], "1", plays.as_str()),
        (&[&*evil], "0", "history\n1 bank\n5 bank\nhistory\n\u{1b}[2J\u{202e}\nquit\n"),
        (&[&*evil, &*faulty], "2", "scores\nhistory\nquit\n"),
    ] {
        let rules = if agents.len() == 1 { "immediate-win" } else { "play-table" };
        let args = [&["play"], agents, &["--rules", rules, "--seed", "3", "--seat", seat, "--save", "s.json"]].concat();
        let output = arena_fed_in(folder.path(), typed, &args);
        assert_harmless(folder.path(), &args, Text, &output);
        assert!(output.stdout.contains("onerror") || output.stdout.contains("=cmd|"), "{}", output.stdout);
        shown += usize::from(output.stdout.contains("\\u{202e}turned"));
        let _ = fs::remove_file(folder.path().join("s.json"));
    }
    assert!(shown > 0, "the fault of that name is told");
}

/// Names of files, arguments, and of what a component imports: in refusals.
#[test]
fn refusals_show_hostile_names_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let name = "\u{1b}[2J\u{9b}31m\u{202e}x\u{200b}\u{1b}]0;t\u{7}.wasm";
    fs::write(folder.path().join(name), evil().component()).unwrap();
    let module = format!("(module (import \"{0}\" \"{0}\" (func)))", quoted(EVIL));
    fs::write(folder.path().join("imports.wasm"), guest_beside(&Guest::banks(), &module, 1)).unwrap();
    let module = format!("(module (func (export \"{0}\")) (func (export \"{0}\")))", quoted(EVIL));
    let twice = wat::parse_str(module).unwrap();
    fs::write(folder.path().join("core.wasm"), &twice).unwrap();
    fs::write(folder.path().join("evil.wasm"), evil().component()).unwrap();
    let words = quoted(EVIL);
    let nameless = Guest::banks()
        .also(&format!("(func $who (@name \"{words}\") unreachable)"))
        .identity("(call $who) (i32.const 64)");
    fs::write(folder.path().join("nameless.wasm"), nameless.component()).unwrap();
    let (option, named) = (format!("--{name}"), format!("{name}=evil.wasm"));
    fs::write(folder.path().join("r.toml"), format!("extends = \"duel\"\n\"{}\" = 1\n", "\\u001b[2J\\u202e")).unwrap();
    fs::write(folder.path().join("n.toml"), "extends = \"duel\"\nname = \"a\\u200db\\U000e0041\"\nopening = 500\n")
        .unwrap();
    let cases: [(&[&str], i32); 24] = [
        (&["check", "nameless.wasm"], 4),
        (&["check", "nameless.wasm", "--format", "json"], 4),
        (&["tournament", "nameless.wasm", "evil.wasm", "--pairs", "1", "--db", "t.db"], 4),
        (&["check", name, "--rules", "duel"], 4),
        (&["check", "imports.wasm"], 4),
        (&["check", "imports.wasm", "--format", "json"], 4),
        (&["check", "core.wasm"], 4),
        (&["check", &option], 2),
        (&["match", name, "evil.wasm"], 2),
        (&["match", &named, "evil.wasm"], 2),
        (&["match", "imports.wasm", "evil.wasm"], 4),
        (&["match", "evil.wasm", &option], 2),
        (&["match", "evil.wasm", "evil.wasm", "--seed", name], 2),
        (&["match", "evil.wasm", "b=evil.wasm", "--rules", name], 2),
        (&["match", "evil.wasm", "b=evil.wasm", "--rules", "r.toml"], 2),
        (&["match", "evil.wasm", "b=evil.wasm", "--rules", "n.toml"], 0),
        (&["rules", "show", "n.toml"], 0),
        (&["tournament", name, "evil.wasm"], 2),
        (&["tournament", "missing\u{1b}[2J/x.wasm", "evil.wasm"], 2),
        (&["submit", "evil.wasm", "--to", name], 2),
        (&["standings", name], 2),
        (&["replay", name, "--agents", "."], 2),
        (&["play", name], 2),
        (&[name], 2),
    ];
    for (args, code) in cases {
        let output = arena_in(folder.path(), args);
        assert_eq!(output.code, code, "{args:?}: {}", output.stderr);
        assert_plain(&format!("{args:?}, standard output"), &output.stdout);
        assert_plain(&format!("{args:?}, standard error"), &output.stderr);
        assert!(!output.stderr.contains("panicked"), "{args:?}: {output:?}");
        assert!(output.stderr.lines().filter(|line| line.starts_with("arena: ")).count() <= 1, "{}", output.stderr);
    }
    // In each format the name that cannot be seen reads back as it is.
    let shown = |format: &str| arena_in(folder.path(), &["rules", "show", "n.toml", "--format", format]).stdout;
    let (toml, json) = (shown("toml"), shown("json"));
    assert_plain("toml", &toml);
    assert_plain("json", &json);
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["name"], "a\u{200d}b\u{e0041}");
    fs::write(folder.path().join("again.toml"), toml).unwrap();
    let again = arena_in(folder.path(), &["rules", "show", "again.toml", "--format", "json"]);
    assert_eq!(again.stdout, json, "{}", again.stderr);
}
