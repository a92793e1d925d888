//! The records in `tests/golden` and the page that explains them, `docs/record.md`: played again,
//! hashed again, and hashed a third time by the script beside the page.
//!
//! With `ARENA_WRITE_GOLDEN` set, the records are written instead of compared.

use std::path::{Path, PathBuf};
use std::process::Command;

use arena_core::{AgentError, Answer, EngineId, Event, Fault, FaultKind, Limits, Record, RecordSeat, Sha256Hex, What};
use farkle::presets::{IMMEDIATE_WIN, PLAY_TABLE};
use farkle::{Ending, Faces, MatchResult, Next, Ruleset};
use sha2::{Digest, Sha256};

use crate::scripted::{Native, banker, in_turn, limits, play_within};

pub(crate) fn engine() -> EngineId {
    EngineId { arena: "0.1.0".into(), wasmtime: "none".into(), fingerprint: "native agents".into(), wasi: None }
}

pub(crate) fn record_of(limits: Limits, rules: &Ruleset, seed: u64, seats: &[(&str, &Native)]) -> Record {
    let natives: Vec<&Native> = seats.iter().map(|seat| seat.1).collect();
    let (played, events) = play_within(limits, rules, seed, &natives);
    let named = |seat: &(&str, &Native)| {
        let sha256 = Sha256Hex(arena_core::Contestant::sha256(seat.1));
        RecordSeat { name: seat.0.into(), sha256 }
    };
    let seats = seats.iter().map(named).collect();
    let record = Record::new(engine(), rules.clone(), seed, limits, seats, events, played.result);
    assert_eq!(record.hash.0, played.hash, "the record's hash is the match's");
    record
}

/// Two seats to 1,000 points.
pub(crate) fn two_seats() -> Record {
    let rules = Ruleset { target: 1_000, ..IMMEDIATE_WIN };
    record_of(limits(1_000), &rules, 215, &[("banks-at-300", &banker(1, 300)), ("banks-at-500", &banker(2, 500))])
}

/// Three seats, a penalty without a floor, and a seat that keeps nothing in its fourth turn.
pub(crate) fn fault_and_penalty() -> Record {
    let rules = Ruleset {
        name: "two farkles cost 500".into(),
        penalty: 500,
        penalty_after: 2,
        opening: 350,
        target: 1_500,
        ..PLAY_TABLE
    };
    let faulty =
        in_turn(4, 2, 300, |_| -> Result<Answer, AgentError> { Ok(Answer { keep: [0; 6], next: Next::Bank }) });
    let seats = [("banks-at-600", &banker(1, 600)), ("keeps-nothing", &faulty), ("banks-at-300", &banker(3, 300))];
    record_of(limits(1_000), &rules, 18_446_744_073_709_551_542, &seats)
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn golden() -> [(PathBuf, Record); 2] {
    let folder = repository().join("tests/golden");
    [
        (folder.join("native-two-seats.json"), two_seats()),
        (folder.join("native-fault-and-penalty.json"), fault_and_penalty()),
    ]
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn page() -> String {
    text(&repository().join("docs/record.md"))
}

/// The fenced block after a marker of the page.
fn block(marker: &str) -> String {
    let page = page();
    let marked = page.split(&format!("<!-- {marker} -->\n")).nth(1).expect("the page has the marker");
    let fenced = marked.split("```").nth(1).expect("a fenced block follows");
    fenced.split_once('\n').expect("of more than a line").1.to_owned()
}

#[test]
fn golden_records_come_out_as_they_did() {
    for (path, record) in golden() {
        if std::env::var_os("ARENA_WRITE_GOLDEN").is_some() {
            std::fs::write(&path, record.to_json()).unwrap();
        }
        assert_eq!(text(&path), record.to_json(), "{}", path.display());
        let read = Record::from_json(&text(&path)).unwrap();
        assert_eq!(read, record);
        assert_eq!(read.computed_hash(), read.hash);
        assert_eq!(read.first_difference(&record), None);
    }
}

#[test]
fn golden_records_hold_what_they_are_for() {
    let [(_, two), (_, three)] = golden();
    let has = |record: &Record, what: fn(&What) -> bool| record.events.iter().any(|event| what(&event.what));
    for record in [&two, &three] {
        assert!(has(record, |what| matches!(what, What::Rolled(_))));
        assert!(has(record, |what| matches!(what, What::Banked { .. })));
        assert!(has(record, |what| matches!(what, What::Farkled { penalty: None, .. })));
        assert!(record.events.len() <= 40, "short enough to read");
    }
    assert_eq!(two.result.ending, Ending::ImmediateWin);
    assert!(has(&three, |what| matches!(what, What::Farkled { penalty: Some((500, banked)), .. } if *banked < 0)));
    assert!(has(&three, |what| matches!(what, What::Faulted { roll: Some(_), .. })));
    assert_eq!(three.result.ending, Ending::FinalRound);
    assert_eq!(three.result.ranks[1], 3);
}

#[test]
fn the_page_shows_the_golden_record() {
    let [(path, record), _] = golden();
    assert_eq!(block("record"), text(&path));
    assert!(page().contains(&record.hash.to_string()));
}

/// The page's bytes, one after another, hash to the record's hash.
#[test]
fn the_bytes_on_the_page_are_those_that_are_hashed() {
    let [(_, record), _] = golden();
    let mut bytes = Vec::new();
    for line in block("bytes").lines() {
        let [offset, hex, ..] = line.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{line}") };
        assert_eq!(offset.parse(), Ok(bytes.len()), "{line}");
        bytes.extend((0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()));
    }
    assert_eq!(Sha256Hex(Sha256::digest(&bytes).into()), record.hash);
    // The digest of the ruleset's text is in them, after the label.
    let rules = Sha256::digest(block("ruleset"));
    assert_eq!(bytes[22..54], rules[..]);
}

#[test]
fn the_codes_on_the_page_are_those_in_use() {
    let page = page();
    for kind in FaultKind::ALL {
        assert!(page.contains(&format!("| {} | `{kind}` |", kind.code())), "{kind}");
    }
}

/// Runs the script beside the page; `None` where there is no Python.
fn script(arguments: &[&Path]) -> Option<(bool, String)> {
    let script = repository().join("docs/check-record.py");
    match Command::new("python3").arg(script).args(arguments).output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            Some((output.status.success(), said))
        }
        Err(error) => {
            println!("skipped: python3 cannot be run ({error})");
            None
        }
    }
}

#[test]
fn the_script_agrees_on_the_golden_records() {
    let paths = golden().map(|golden| golden.0);
    let Some((success, said)) = script(&[&paths[0], &paths[1]]) else { return };
    assert!(success, "{said}");
    assert_eq!(said.matches(": equal").count(), 2, "{said}");
    let (_, bytes) = script(&[Path::new("--bytes"), &paths[0]]).unwrap();
    assert_eq!(bytes, block("bytes"));
}

/// Every shape of event, every kind of fault, every ending: more than one match can show.
fn every_shape() -> Vec<Record> {
    let mut events: Vec<Event> = two_seats().events;
    let roll: Faces = "123456".parse().unwrap();
    let (lost, penalty) = (12_345, Some((1_000, -7_000)));
    events.push(Event { seat: 1, turn: 70_000, what: What::Farkled { roll, lost, penalty } });
    let keep = events.iter().find_map(|event| match event.what {
        What::Rolled(keep) => Some(keep),
        _ => None,
    });
    events.push(Event { seat: 0, turn: 2, what: What::Won(keep.unwrap()) });
    for kind in FaultKind::ALL {
        let fault = |turn, roll| {
            let fault = Fault { kind, message: "\"quoted\", über, \u{1f3b2}\n".into() };
            Event { seat: 1, turn, what: What::Faulted { roll, fault } }
        };
        events.extend([fault(0, None), fault(3, Some(roll))]);
    }
    let endings = [
        Ending::ImmediateWin,
        Ending::FinalRound,
        Ending::Turns,
        Ending::TurnLimit,
        Ending::OutrightWin,
        Ending::Forfeit,
    ];
    let rules = Ruleset { six_wins: true, keep_all: true, toxic_twos: true, no_score: 500, ..IMMEDIATE_WIN };
    endings
        .into_iter()
        .map(|ending| {
            let result = MatchResult { scores: vec![-1, i32::MAX], ranks: vec![2, 1], ending };
            let limits = Limits { start_fuel: u64::MAX, decide_fuel: 1 << 33, memory_bytes: 0, turns: u32::MAX };
            Record::new(engine(), rules.clone(), u64::MAX, limits, two_seats().seats, events.clone(), result)
        })
        .collect()
}

#[test]
fn the_script_agrees_on_every_shape_and_sees_a_change() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("records");
    std::fs::create_dir_all(&folder).unwrap();
    let mut paths = Vec::new();
    for (number, record) in every_shape().into_iter().enumerate() {
        assert_eq!(Record::from_json(&record.to_json()).unwrap(), record);
        let path = folder.join(format!("shape-{number}.json"));
        std::fs::write(&path, record.to_json()).unwrap();
        paths.push(path);
    }
    let arguments: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let Some((success, said)) = script(&arguments) else { return };
    assert!(success, "{said}");
    let changed = folder.join("changed.json");
    let text = two_seats().to_json().replace("\"lost\":250", "\"lost\":300");
    assert_ne!(text, two_seats().to_json());
    std::fs::write(&changed, text).unwrap();
    let (success, said) = script(&[&changed]).unwrap();
    assert!(!success && said.contains("NOT equal"), "{said}");
}
