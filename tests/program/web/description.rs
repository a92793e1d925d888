//! What is served is what `/api/openapi.json` says, and what the commands print.

use serde_json::Value;

use super::{Answer, Server, token, tournament};
use crate::database::done;

/// Whether a value has the shape that a schema describes: as much of JSON Schema as is used there. The first
/// difference, or none.
fn difference(all: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    let object = schema.as_object().expect("a schema is an object");
    let wrong = |what: &str| Some(format!("{place}: {what}: {value}"));
    for (keyword, wanted) in object {
        let found = match keyword.as_str() {
            "$ref" => {
                let target = wanted.as_str().unwrap().trim_start_matches('#');
                difference(all, all.pointer(target).unwrap_or_else(|| panic!("{wanted}")), value, place)
            }
            "oneOf" => {
                let fit = |one: &&Value| difference(all, one, value, place).is_none();
                if wanted.as_array().unwrap().iter().filter(fit).count() == 1 { None } else { wrong("fits not one") }
            }
            "type" => {
                let one = |name: &Value| match name.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    other => panic!("unknown type {other}"),
                };
                let fits = wanted.as_array().map_or_else(|| one(wanted), |several| several.iter().any(one));
                if fits { None } else { wrong(&format!("is no {wanted}")) }
            }
            "const" => {
                if value == wanted {
                    None
                } else {
                    wrong("is another constant")
                }
            }
            "enum" => {
                if wanted.as_array().unwrap().contains(value) {
                    None
                } else {
                    wrong("is none of those")
                }
            }
            "pattern" => {
                assert_eq!(wanted, "^[0-9a-f]{64}$");
                let is_hash =
                    |text: &str| text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
                if value.as_str().is_some_and(is_hash) { None } else { wrong("is no hash") }
            }
            "items" => value
                .as_array()
                .into_iter()
                .flatten()
                .enumerate()
                .find_map(|(index, item)| difference(all, wanted, item, &format!("{place}/{index}"))),
            "required" => {
                let missing =
                    wanted.as_array().unwrap().iter().find(|name| value.get(name.as_str().unwrap()).is_none());
                missing.and_then(|name| wrong(&format!("lacks {name}")))
            }
            "properties" => wanted.as_object().unwrap().iter().find_map(|(name, schema)| {
                value.get(name).and_then(|part| difference(all, schema, part, &format!("{place}/{name}")))
            }),
            "additionalProperties" => {
                let known = object.get("properties").and_then(Value::as_object);
                let others = value.as_object().into_iter().flatten();
                others.filter(|(name, _)| known.is_none_or(|known| !known.contains_key(*name))).find_map(
                    |(name, part)| match wanted {
                        Value::Bool(true) => None,
                        Value::Bool(false) => wrong(&format!("has {name} beside")),
                        schema => difference(all, schema, part, &format!("{place}/{name}")),
                    },
                )
            }
            "description" => None,
            other => panic!("unknown keyword {other}"),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Refuses an answer that is not described for its path, method and status.
#[track_caller]
pub(super) fn assert_described(all: &Value, method: &str, path: &str, answer: &Answer) {
    let response = &all["paths"][path][method]["responses"][answer.status.to_string()];
    assert!(response.is_object(), "{method} {path} is not said to answer {}: {answer:?}", answer.status);
    let response = match response["$ref"].as_str() {
        Some(target) => all.pointer(target.trim_start_matches('#')).unwrap(),
        None => response,
    };
    assert_eq!(answer.header("content-type"), Some("application/json"), "{answer:?}");
    let schema = &response["content"]["application/json"]["schema"];
    assert_eq!(difference(all, schema, &answer.json(), ""), None, "{method} {path}");
}

#[test]
fn answers_are_as_described_and_as_the_commands_print() {
    let (folder, banks) = tournament("3");
    let here = folder.path();
    let (ann, ben) = (token(here, "Ann"), token(here, "Ben"));
    let server = Server::start(here, &["t.db"]);
    let all = server.get("/api/openapi.json").json();
    let described = |method: &str, path: &str, answer: Answer| {
        assert_described(&all, method, path, &answer);
        answer
    };
    // Before anybody takes part.
    described("get", "/api/status", server.get("/api/status"));
    let none = described("get", "/api/standings", server.get("/api/standings"));
    assert_eq!(none.error(), (404, "too-few-agents".to_owned()));
    described("get", "/api/agents", server.get("/api/agents"));
    described("get", "/api/matches", server.get("/api/matches"));

    for (token, name) in [(&ann, "a"), (&ben, "b")] {
        let sent = described("post", "/api/submissions", server.submit(token, name, &banks));
        assert_eq!((sent.status, sent.json()["state"].as_str()), (202, Some("waiting")));
        let id = sent.json()["id"].as_u64().unwrap();
        assert_eq!(sent.header("location").unwrap(), format!("/api/submissions/{id}"));
        assert_eq!(server.judged(token, id)["state"], "accepted");
        described("get", "/api/submissions/{id}", server.get_as(token, &format!("/api/submissions/{id}")));
    }
    server.status(|status| status["playing"]["state"] == "idle" && status["matches"]["played"] == 6);
    described("get", "/api/status", server.get("/api/status"));
    described("get", "/api/submissions", server.get_as(&ann, "/api/submissions"));
    described("get", "/api/faults", server.get_as(&ann, "/api/faults"));
    described("get", "/api/agents", server.get("/api/agents"));

    let standings = described("get", "/api/standings", server.get("/api/standings"));
    assert_eq!(standings.body, done(here, &["standings", "t.db", "--format", "json"]));
    let rows = described("get", "/api/matches", server.get("/api/matches?agent=a&against=b&from=2&limit=4"));
    let printed = done(here, &["matches", "t.db", "--format", "json", "--from", "2", "--limit", "4"]);
    let printed: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((rows.json()["matches"].as_array().unwrap(), &rows.json()["next"]), (&printed, &6.into()));
    let record = described("get", "/api/matches/{number}", server.get("/api/matches/3"));
    let shown = done(here, &["show", "t.db", "3", "--format", "json"]);
    assert!(record.body.trim_end() == shown.trim_end(), "{}", record.body);
    described("get", "/api/matches/{number}/logs", server.get_as(&ann, "/api/matches/3/logs"));

    // An answer that is known already is not sent again.
    let etag = standings.header("etag").unwrap();
    let again = server.ask("GET", "/api/standings", &[("if-none-match", etag)], b"");
    assert_eq!((again.status, again.body.as_str(), again.header("etag")), (304, "", Some(etag)));
    assert_eq!(server.ask("GET", "/api/standings", &[("if-none-match", "\"other\"")], b"").status, 200);

    // Errors, too.
    for (method, described_as, path, status) in [
        ("GET", "/api/status", "/api/status?x=1", 400),
        ("GET", "/api/matches", "/api/matches?limit=1001", 400),
        ("GET", "/api/matches", "/api/matches?agent=nobody", 400),
        ("GET", "/api/matches", "/api/matches?faults=maybe", 400),
        ("GET", "/api/matches/{number}", "/api/matches/7", 404),
        ("GET", "/api/matches/{number}", "/api/matches/0", 404),
        ("GET", "/api/matches/{number}", "/api/matches/-1", 404),
        ("GET", "/api/matches/{number}", "/api/matches/99999999999999999999", 404),
        ("GET", "/api/submissions", "/api/submissions", 401),
        ("GET", "/api/faults", "/api/faults", 401),
        ("POST", "/api/submissions", "/api/submissions?name=x", 401),
    ] {
        let answer = described(&method.to_lowercase(), described_as, server.ask(method, path, &[], b""));
        assert_eq!(answer.error().0, status, "{method} {path}");
    }
    let limit = server.get("/api/matches?limit=0").json();
    assert_eq!(limit["error"]["message"], "`limit` is `0`: allowed are 1 to 1000");
    let guess = server.get("/api/matches?agent=A").json();
    assert!(guess["error"]["message"].as_str().unwrap().contains("no agent has that name"), "{guess}");
    for (method, path, status, code) in [
        ("GET", "/api/nothing", 404, "not-found"),
        ("GET", "/api/../t.db", 404, "not-found"),
        ("GET", "/t.db", 404, "not-found"),
        ("GET", "/api/matches/%2e%2e%2ft.db", 404, "not-found"),
        ("POST", "/api/status", 405, "method-not-allowed"),
        ("DELETE", "/api/submissions", 405, "method-not-allowed"),
    ] {
        assert_eq!(server.ask(method, path, &[], b"").error(), (status, code.to_owned()), "{method} {path}");
    }
    let stopped = server.stop();
    assert_eq!(stopped.code, 0, "{stopped:?}");
    assert!(!here.join("t.db-wal").exists(), "the file is whole without others beside it");
    done(here, &["verify", "t.db", "--all"]);
}
