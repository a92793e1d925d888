//! Authors: their tokens, and what they see of others.

use std::fs;

use arena_tests::Guest;
use rusqlite::Connection;

use super::{Server, token, tournament};
use crate::database::{done, refused};

#[test]
fn tokens_are_made_replaced_revoked_and_kept_nowhere() {
    let (folder, banks) = tournament("2");
    let here = folder.path();
    assert!(done(here, &["token", "t.db"]).starts_with("nobody has a token yet"));
    let first = token(here, "Ann");
    let told = done(here, &["token", "t.db", "Ann"]);
    assert!(told.contains("the token before is good for nothing any more"), "{told}");
    let second = told.lines().next().unwrap();
    let listed = done(here, &["token", "t.db"]);
    assert!(listed.starts_with("Ann: token of ") && !listed.contains(&second[8..]), "{listed}");

    let server = Server::start(here, &["t.db", "--no-play"]);
    let unknown = (401, "bad-token".to_owned());
    assert_eq!(server.submit(&first, "a", &banks).error(), unknown);
    assert_eq!(server.get_as("nonsense", "/api/submissions").error(), unknown);
    assert_eq!(server.get_as(&first.to_uppercase(), "/api/submissions").error(), unknown);
    let none = server.get("/api/submissions");
    assert_eq!((none.error(), none.header("www-authenticate")), ((401, "no-token".to_owned()), Some("Bearer")));
    assert_eq!(server.ask("GET", "/api/submissions", &[("authorization", second)], b"").error(), unknown);
    assert_eq!(server.submit(second, "a", &banks).status, 202);
    assert!(done(here, &["token", "t.db", "Ann", "--revoke"]).contains("Ann submits no more"));
    assert_eq!(server.submit(second, "a", &banks).error(), unknown);
    refused(here, &["token", "t.db", "Ann", "--revoke"], 1, "the token of Ann is revoked already");
    refused(here, &["token", "t.db", "Anne", "--revoke"], 2, "no author of t.db is named `Anne`");
    refused(here, &["token", "t.db", "a\u{7}"], 2, "is no name for an author");
    server.stop();

    // Neither a token nor its hash is printed by anybody.
    for args in
        [&["export", "t.db"][..], &["standings", "t.db", "--format", "json"], &["verify", "t.db"], &["token", "t.db"]]
    {
        let output = crate::arena::arena_in(here, args);
        assert!(!output.stdout.contains("farkle_") && !output.stdout.contains("token\""), "{args:?}: {output:?}");
    }
    let whole = fs::read(here.join("t.db")).unwrap();
    let token = second.as_bytes();
    assert!(!whole.windows(token.len()).any(|window| window == token), "the token is in the file");
    assert!(!whole.windows(64).any(|window| window == &token[7..]), "the token is in the file");
}

/// Names are text, wherever they go.
#[test]
fn names_are_checked_and_harmless() {
    let (folder, banks) = tournament("2");
    let here = folder.path();
    let ann = token(here, "Ann");
    let server = Server::start(here, &["t.db", "--no-play"]);
    for bad in ["", "%00", "a%0ab", "%1b[2J", "%20a", "a%E2%80%AEb", "%ff", &"x".repeat(41)] {
        assert_eq!(server.submit(&ann, bad, &banks).error(), (400, "bad-value".to_owned()), "{bad}");
    }
    let good = ["..%2F..%2Fetc%2Fpasswd", "%3Cscript%3Ealert(1)%3C%2Fscript%3E", "a%26b%3Dc", "%E9%AA%B0%E5%AD%90"];
    for (name, is) in good.into_iter().zip(["../../etc/passwd", "<script>alert(1)</script>", "a&b=c", "骰子"]) {
        let sent = server.submit(&ann, name, &banks);
        assert_eq!((sent.status, sent.json()["name"].as_str()), (202, Some(is)), "{sent:?}");
        let id = sent.json()["id"].as_u64().unwrap();
        assert_eq!(server.judged(&ann, id)["state"], "accepted");
    }
    let agents = server.get("/api/agents");
    assert_eq!(agents.header("x-content-type-options"), Some("nosniff"));
    server.status(|status| status["agents"] == 4);
    let twice =
        server.ask("POST", "/api/submissions?name=a&name=b", &[("authorization", &format!("Bearer {ann}"))], b"x");
    assert_eq!(twice.error(), (400, "bad-value".to_owned()));
    let files: Vec<_> = fs::read_dir(here).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(files.iter().all(|file| file.to_string_lossy().starts_with("t.db") || file == "banks.wasm"), "{files:?}");
}

/// Submissions, what agents said when they failed, and what they noted, are their authors' alone.
#[test]
fn authors_see_their_own_and_nobody_elses() {
    let (folder, banks) = tournament("2");
    let here = folder.path();
    let log = r#"(import "farkle:arena/logging@0.1.0" "log" (func $log (param i32 i32)))"#;
    let note = "(call $log (i32.const 8192) (i32.const 12))";
    let faulty = Guest::banks()
        .imports(log)
        .also("(data (i32.const 8192) \"a secret not\") (global $decisions (mut i32) (i32.const 0))")
        .start(note)
        .before_deciding(
            "(global.set $decisions (i32.add (global.get $decisions) (i32.const 1)))
             (if (i32.eq (global.get $decisions) (i32.const 3)) (then unreachable))",
        );
    fs::write(here.join("faulty.wasm"), faulty.component()).unwrap();
    // Only `tournament` lets in who faults; whose agents they are is written into the file.
    let args = ["tournament", "faulty.wasm", "banks.wasm", "--pairs", "2", "--seed", "3", "--turn-limit", "60"];
    fs::remove_file(here.join("t.db")).unwrap();
    done(here, &[&args[..], &["--rules", "play-table", "--db", "t.db"]].concat());
    let file = Connection::open(here.join("t.db")).unwrap();
    file.execute_batch(
        "UPDATE agents SET author = 'Ann' WHERE name = 'faulty'; UPDATE agents SET author = 'Ben' WHERE name = 'banks'",
    )
    .unwrap();
    drop(file);
    let (ann, ben, cleo) = (token(here, "Ann"), token(here, "Ben"), token(here, "Cleo"));
    let server = Server::start(here, &["t.db", "--no-play"]);

    let own = server.get_as(&ann, "/api/faults").json();
    let first = &own["faults"][0];
    assert_eq!((&first["agent"], &first["kind"], &first["match"]), (&"faulty".into(), &"trap".into(), &1.into()));
    assert!(first["message"].as_str().unwrap().contains("unreachable"), "{own}");
    assert_eq!(first["command"], "arena show t.db 1");
    assert_eq!(server.get_as(&ben, "/api/faults").json()["faults"].as_array().unwrap().len(), 0);
    // In public there are kinds, and no words.
    let (public, annes, bens) =
        (server.get("/api/matches/1"), server.get_as(&ann, "/api/matches/1"), server.get_as(&ben, "/api/matches/1"));
    assert!(public.body == bens.body && !public.body.contains("unreachable") && public.body.contains("\"trap\""));
    assert!(annes.body.contains("unreachable"), "{}", annes.body);
    assert_eq!(annes.json()["hash"], public.json()["hash"]);
    // Without them it is the same match.
    fs::write(here.join("r.json"), &public.body).unwrap();
    assert!(done(here, &["replay", "r.json", "--agents", "."]).starts_with("identical: "));
    assert!(!server.get("/api/matches?faults=true").body.contains("unreachable"));

    let notes = server.get_as(&ann, "/api/matches/1/logs").json();
    assert_eq!(
        (&notes["seats"], &notes["notes"][0]["lines"]),
        (&serde_json::json!([0]), &serde_json::json!(["a secret not"]))
    );
    let bens = server.get_as(&ben, "/api/matches/1/logs");
    assert!(bens.status == 200 && !bens.body.contains("secret"), "{bens:?}");
    assert_eq!(server.get_as(&cleo, "/api/matches/1/logs").error(), (403, "not-yours".to_owned()));
    assert_eq!(server.get("/api/matches/1/logs").error(), (401, "no-token".to_owned()));
    assert_eq!(server.get_as(&ann, "/api/matches/99/logs").error(), (404, "not-found".to_owned()));

    // A name belongs to its author.
    assert_eq!(server.submit(&ben, "faulty", &banks).error(), (409, "name-taken".to_owned()));
    let id = server.submit(&ann, "faulty", &banks).json()["id"].as_u64().unwrap();
    let judged = server.judged(&ann, id);
    assert!(judged["message"].as_str().unwrap().starts_with("faulty takes part as version 2"), "{judged}");
    let path = format!("/api/submissions/{id}");
    assert_eq!(server.get_as(&ben, &path).error(), (404, "not-found".to_owned()));
    assert_eq!(server.get_as(&ben, "/api/submissions").json()["submissions"].as_array().unwrap().len(), 0);
    assert_eq!(server.get_as(&ann, "/api/submissions").json()["submissions"].as_array().unwrap().len(), 1);
}
