//! The schema: it takes every ruleset and refuses typos.

use arena_core::ruleset_fields::schema;
use farkle::presets;
use serde_json::{Value, json};

use crate::house::tables;

/// Whether a value is as a schema says: the few keywords that this one uses, and no others.
fn fits(schema: &Value, value: &Value) -> bool {
    let length = || value.as_str().map(|text| text.chars().count() as u64);
    schema.as_object().unwrap().iter().all(|(keyword, says)| match keyword.as_str() {
        "$schema" | "title" | "description" => says.is_string(),
        "type" => match says.as_str().unwrap() {
            "object" => value.is_object(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64(),
            other => panic!("type {other}"),
        },
        "enum" => says.as_array().unwrap().contains(value),
        "minimum" => value.as_i64() >= says.as_i64(),
        "maximum" => value.as_i64() <= says.as_i64(),
        "minLength" => length() >= says.as_u64(),
        "maxLength" => length() <= says.as_u64(),
        // The one pattern there is: no control characters.
        "pattern" => value.as_str().is_some_and(|text| !text.chars().any(char::is_control)),
        "required" => says.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some()),
        "anyOf" => says.as_array().unwrap().iter().any(|one| fits(one, value)),
        "properties" => value
            .as_object()
            .into_iter()
            .flatten()
            .all(|(name, value)| says.get(name).is_none_or(|property| fits(property, value))),
        "additionalProperties" => {
            assert_eq!(says, false);
            value.as_object().into_iter().flatten().all(|(name, _)| schema["properties"].get(name).is_some())
        }
        other => panic!("keyword {other}"),
    })
}

#[test]
fn every_ruleset_fits() {
    for rules in presets::ALL.into_iter().cloned().chain(tables()) {
        let mut value = serde_json::to_value(&rules).unwrap();
        assert!(fits(&schema(), &value), "{rules:?}");
        value.as_object_mut().unwrap().remove("name");
        assert!(fits(&schema(), &value), "a file may leave its name out");
    }
    for preset in presets::ALL {
        assert!(fits(&schema(), &json!({"extends": preset.name, "opening": 500})));
    }
}

#[test]
fn mistakes_do_not_fit() {
    for mistake in [
        json!({"stright": 1}),
        json!({"opening": "500"}),
        json!({"opening": -1}),
        json!({"opening": 0.5}),
        json!({"straight": 10_001}),
        json!({"dice": 4}),
        json!({"reading": "Best"}),
        json!({"ending": "final"}),
        json!({"keep_all": 1}),
        json!({"max_seats": 13}),
        json!({"name": ""}),
        json!({"name": "a\u{7}"}),
        json!({"extends": "nosuch"}),
    ] {
        let mut value = json!({"extends": "play-table"});
        value.as_object_mut().unwrap().extend(mistake.as_object().unwrap().clone());
        assert!(!fits(&schema(), &value), "{value}");
    }
    assert!(!fits(&schema(), &json!({"opening": 500})), "neither based on a preset nor complete");
    assert!(!fits(&schema(), &json!([])));
}

#[test]
fn every_field_is_described() {
    for (name, property) in schema()["properties"].as_object().unwrap() {
        assert!(property["description"].as_str().unwrap().len() > 10, "{name}");
    }
}
