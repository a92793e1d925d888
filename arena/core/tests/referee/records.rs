//! Records as text: what goes in comes out, and what is no record is refused by name.

use arena_core::{Record, RecordError};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::golden::{fault_and_penalty, two_seats};

fn value() -> Value {
    serde_json::from_str(&fault_and_penalty().to_json()).unwrap()
}

/// The record with one thing changed, as text.
fn with(pointer: &str, new: Value) -> String {
    let mut record = value();
    *record.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = new;
    record.to_string()
}

/// The record without one thing.
fn without(object: &str, field: &str) -> String {
    let mut record = value();
    let fields = record.pointer_mut(object).and_then(Value::as_object_mut).expect("an object");
    fields.remove(field).unwrap_or_else(|| panic!("{object} has no {field}"));
    record.to_string()
}

fn malformed(text: &str, says: &str) {
    match Record::from_json(text) {
        Err(RecordError::Malformed(message)) => assert!(message.contains(says), "{message:?} says nothing of {says:?}"),
        other => panic!("{other:?} for {says:?}"),
    }
}

/// Every path in a JSON value that leads to no object or array.
fn leaves(value: &Value, path: String, all: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| leaves(value, format!("{path}/{name}"), all)),
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(i, value)| leaves(value, format!("{path}/{i}"), all));
        }
        _ => all.push(path),
    }
}

#[test]
fn a_record_comes_back_from_its_text() {
    for record in [two_seats(), fault_and_penalty()] {
        let text = record.to_json();
        let read = Record::from_json(&text).unwrap();
        assert_eq!(read, record);
        assert_eq!(read.to_json(), text);
        // However the JSON is laid out.
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(Record::from_json(&value.to_string()).unwrap(), record);
        assert_eq!(Record::from_json(&serde_json::to_string_pretty(&value).unwrap()).unwrap(), record);
        // An event stands on a line of its own, and in it as it prints itself.
        for event in &record.events {
            assert!(
                text.lines().any(|line| line.trim().trim_end_matches([',', ']']).starts_with(&event.to_string()[..20]))
            );
            assert_eq!(serde_json::from_str::<arena_core::Event>(&event.to_string()).unwrap(), *event);
        }
    }
}

#[test]
fn seeds_are_strings_of_decimal_digits() {
    for seed in [0, 1, 1 << 53, u64::MAX] {
        let read = Record::from_json(&with("/seed", json!(seed.to_string()))).unwrap();
        assert_eq!(read.seed, seed);
        assert!(read.to_json().contains(&format!("\"seed\":\"{seed}\"")));
    }
    for seed in ["", " 7", "7 ", "+7", "-1", "0x10", "1e3", "1.0", "12a", "\u{0661}", "18446744073709551616"] {
        malformed(&with("/seed", json!(seed)), "is not a 64-bit decimal number");
    }
    malformed(&with("/seed", json!(7)), "expected a string");
    malformed(&with("/seed", Value::Null), "expected a string");
}

#[test]
fn a_newer_format_is_refused_as_such() {
    for format in [2, 3, 1 << 40] {
        // Whatever else it holds: that may have changed.
        for text in [with("/format", json!(format)), format!("{{\"format\":{format},\"all\":\"new\"}}")] {
            assert!(matches!(Record::from_json(&text), Err(RecordError::NewerFormat(f)) if f == format), "{text}");
        }
    }
    assert!(Record::from_json(r#"{"format":2}"#).unwrap_err().to_string().contains("newer"));
    for format in [json!(0), json!(-1), json!("1"), json!(1.5), Value::Null] {
        malformed(&with("/format", format), "format");
    }
    malformed(&without("", "format"), "format");
}

#[test]
fn a_missing_field_is_named() {
    let record = value();
    for field in record.as_object().unwrap().keys() {
        malformed(&without("", field), &format!("`{field}`"));
    }
    for object in ["/engine", "/ruleset", "/limits", "/seats/0", "/result", "/result/faults/0"] {
        for field in record.pointer(object).unwrap().as_object().unwrap().keys() {
            malformed(&without(object, field), &format!("`{field}`"));
        }
    }
    let events = record["events"].as_array().unwrap();
    for (number, event) in events.iter().enumerate() {
        // What is gone cannot be read as something else: not a bank as a roll, nor a penalty as none.
        for field in event.as_object().unwrap().keys() {
            let text = without(&format!("/events/{number}"), field);
            assert!(Record::from_json(&text).is_err(), "event {} without {field}", event);
        }
    }
}

#[test]
fn impossible_values_are_refused() {
    malformed(&with("/ruleset/dice", json!(7)), "`dice`");
    malformed(&with("/ruleset/target", json!(0)), "`target`");
    malformed(&with("/ruleset/opening", json!(-50)), "`opening`");
    malformed(&with("/ruleset/reading", json!("worst")), "worst");
    malformed(&with("/limits/turns", json!(-1)), "-1");
    malformed(&with("/limits/start_fuel", json!(1.5)), "1.5");
    malformed(&with("/result/ending", json!("draw")), "draw");
    malformed(&with("/result/scores", json!([1, 2])), "scores");
    malformed(&with("/result/ranks", json!([1, 2, 3, 4])), "ranks");
    malformed(&with("/events/0/roll", json!([1, 2, 3, 4, 5, 7])), "face");
    malformed(&with("/events/0/roll", json!([0])), "face");
    malformed(&with("/events/0/roll", json!([1, 1, 1, 1, 1, 1, 1])), "7 dice");
    malformed(&with("/events/0/roll", json!("123456")), "array");
    malformed(&with("/events/0/next", json!("stop")), "stop");
    malformed(&with("/events/0/points", json!(1u64 << 31)), "2147483648");
    malformed(&with("/events/0/seat", json!(256)), "256");
    for digits in ["", "ab", &"0".repeat(63), &"0".repeat(65), &"g".repeat(64), &"é".repeat(32)] {
        malformed(&with("/hash", json!(digits)), "64 hexadecimal digits");
        malformed(&with("/seats/1/sha256", json!(digits)), "64 hexadecimal digits");
    }
    let fault = value()["events"].as_array().unwrap().iter().position(|event| event.get("fault").is_some()).unwrap();
    malformed(&with(&format!("/events/{fault}/fault/kind"), json!("cheating")), "cheating");
}

#[test]
fn an_unknown_ruleset_field_is_refused_by_name() {
    let mut record = value();
    record["ruleset"]["piggyback"] = json!(true);
    malformed(&record.to_string(), "piggyback");
    // A field beside the known ones of the record may be added within a format.
    let mut record = value();
    record["played_by"] = json!("somebody");
    assert_eq!(Record::from_json(&record.to_string()).unwrap(), fault_and_penalty());
}

#[test]
fn fields_that_contradict_each_other_are_refused() {
    let kinds = |number: usize| value()["events"][number].clone();
    for (number, event) in value()["events"].as_array().unwrap().iter().enumerate() {
        let mut others = vec![("farkle", json!(true)), ("fault", json!({"kind": "trap", "message": ""}))];
        match event.get("next").and_then(Value::as_str) {
            Some("roll") => others.push(("banked", json!(100))),
            Some(_) => {}
            None => others.extend([("points", json!(100)), ("keep", json!([1])), ("next", json!("roll"))]),
        }
        others.push(("penalty", json!(500)));
        for (field, new) in others {
            if event.get(field).is_some() {
                continue;
            }
            let mut record = value();
            record["events"][number][field] = new;
            assert!(Record::from_json(&record.to_string()).is_err(), "{field} beside {}", kinds(number));
        }
    }
}

/// Else two different texts could have one hash, in which no roll and no penalty are zeros.
#[test]
fn what_the_hash_could_confuse_is_refused() {
    let at = |what: &str| value()["events"].as_array().unwrap().iter().position(|e| e.get(what).is_some()).unwrap();
    let (fault, penalty) = (at("fault"), at("penalty"));
    malformed(&without(&format!("/events/{fault}"), "roll"), "turn 0 exactly when it has no `roll`");
    malformed(&with(&format!("/events/{fault}/turn"), json!(0)), "turn 0 exactly when it has no `roll`");
    malformed(&with(&format!("/events/{penalty}/penalty"), json!(0)), "a `penalty` of 0");
    // A rank is one byte of the hash.
    let rank = value()["result"]["ranks"][0].as_u64().unwrap();
    for other in [0, 4, rank + 256, rank + (1 << 24)] {
        malformed(&with("/result/ranks/0", json!(other)), "`ranks` are 1 to 3");
    }
}

#[test]
fn seats_and_faults_must_be_those_of_the_match() {
    malformed(&with("/events/3/seat", json!(3)), "seat 3");
    malformed(&with("/result/faults/0/seat", json!(2)), "faults");
    malformed(&with("/result/faults/0/kind", json!("trap")), "faults");
    malformed(&with("/result/faults", json!([])), "faults");
    let mut record = value();
    for field in ["scores", "ranks"] {
        record["result"][field] = json!(vec![1; 13]);
    }
    record["seats"] = json!(vec![record["seats"][0].clone(); 13]);
    malformed(&record.to_string(), "13");
}

#[test]
fn what_is_no_json_object_is_no_record() {
    let whole = two_seats().to_json();
    for text in
        ["", "null", "[]", "{}", "7", "\"record\"", "\u{0}", &whole[..whole.len() - 3], &format!("{whole}{whole}")]
    {
        assert!(matches!(Record::from_json(text), Err(RecordError::Malformed(_))), "{text}");
    }
    // Cut anywhere but in the space at its end, it is refused.
    let end = whole.trim_end().len();
    assert!((0..end).all(|cut| Record::from_json(&whole[..cut]).is_err()));
}

/// Whatever is changed: either the text is refused, or the hash shows it, or it is one of the
/// things that stay out of the hash.
#[test]
fn every_change_of_the_match_shows_in_the_hash() {
    let original = fault_and_penalty();
    let free = |path: &str| {
        path == "/ruleset/name"
            || path.starts_with("/engine/")
            || (path.starts_with("/seats/") && path.ends_with("/name"))
            || path.ends_with("/message")
    };
    let mut paths = Vec::new();
    leaves(&value(), String::new(), &mut paths);
    let (mut seen, mut refused) = (0, 0);
    for path in &paths {
        let old = value().pointer(path).unwrap().clone();
        let new = match &old {
            Value::Number(n) => json!(n.as_i64().unwrap() + 1),
            Value::Bool(b) => json!(!b),
            Value::String(s) if path.contains("sha256") || path == "/hash" => json!(s.replace(&s[..1], "f")),
            Value::String(s) if path == "/seed" => json!((s.parse::<u64>().unwrap() - 1).to_string()),
            Value::String(s) => json!(format!("{s}x")),
            other => panic!("{other}"),
        };
        match Record::from_json(&with(path, new)) {
            Err(_) => refused += 1,
            Ok(changed) if free(path) => assert_eq!(changed.computed_hash(), original.hash, "{path}"),
            Ok(changed) => {
                assert_ne!(changed.computed_hash(), changed.hash, "{path} was {old}");
                seen += 1;
            }
        }
    }
    assert!(seen > 150 && refused > 5, "{seen} seen, {refused} refused, of {}", paths.len());
}

#[test]
fn a_changed_die_is_found_at_its_event() {
    let original = fault_and_penalty();
    for number in 0..original.events.len() {
        let path = format!("/events/{number}/roll/0");
        let die = value().pointer(&path).unwrap().as_u64().unwrap();
        let changed = Record::from_json(&with(&path, json!(die % 6 + 1))).unwrap();
        assert_ne!(changed.computed_hash(), original.hash);
        let difference = changed.first_difference(&original).expect("a difference");
        assert_eq!(difference.place, format!("event {}", number + 1));
        assert_eq!(difference.replayed, original.events[number].to_string());
        assert_eq!(difference.recorded, changed.events[number].to_string());
    }
    let mut shorter = original.clone();
    shorter.events.pop();
    let difference = original.first_difference(&shorter).expect("a difference");
    assert_eq!((difference.place.as_str(), difference.replayed.as_str()), ("event 26", "no such event"));
    let changed = Record::from_json(&with("/result/scores/0", json!(600))).unwrap();
    assert_eq!(changed.first_difference(&original).expect("a difference").place, "result");
    let changed = Record::from_json(&with("/hash", json!("0".repeat(64)))).unwrap();
    assert_eq!(changed.first_difference(&original).expect("a difference").place, "hash");
    // Names, engines and messages may differ.
    for path in ["/engine/wasmtime", "/seats/0/name", "/result/faults/0/message", "/ruleset/name"] {
        let changed = Record::from_json(&with(path, json!("other"))).unwrap();
        assert_eq!(changed.first_difference(&original), None, "{path}");
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    let text = fault_and_penalty().to_json().into_bytes();
    let mut random = ChaCha8Rng::from_seed([9; 32]);
    let mut read = 0;
    for _ in 0..3_000 {
        let mut changed = text.clone();
        for _ in 0..1 + random.next_u32() % 3 {
            let place = random.next_u32() as usize % changed.len();
            changed[place] = b"0123456789-.eE\"{}[],: tfn\\"[random.next_u32() as usize % 26];
        }
        let Ok(changed) = String::from_utf8(changed) else { continue };
        if let Ok(record) = Record::from_json(&changed) {
            read += 1;
            assert_eq!(Record::from_json(&record.to_json()).unwrap(), record);
            record.computed_hash();
        }
    }
    assert!(read > 100, "{read}");
}
