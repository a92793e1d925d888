//! Components on their way in: broken, many at once, and across the end of a server.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::net::{Shutdown, TcpStream};

use arena_tests::Guest;
use rusqlite::Connection;
use wasm_encoder::ComponentSection as _;

use super::{Server, marked, read, token, tournament};
use crate::arena::arena_where;
use crate::database::done;

#[test]
fn broken_uploads_are_refused_and_leave_nothing() {
    let (folder, banks) = tournament("2");
    let here = folder.path();
    let ann = token(here, "Ann");
    let server = Server::start(here, &["t.db", "--no-play"]);
    let head = |length: usize| {
        format!(
            "POST /api/submissions?name=a HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {ann}\r\n\
             content-type: application/wasm\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n",
            server.address
        )
    };
    let count = || server.get_as(&ann, "/api/submissions").json()["submissions"].as_array().unwrap().len();

    // Cut off in the middle, by who sends.
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.write_all(head(banks.len()).as_bytes()).unwrap();
    stream.write_all(&banks[..banks.len() / 2]).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    assert!(matches!(read(&mut stream).status, 0 | 400));
    drop(stream);
    // Larger than allowed: by its own word, and without one.
    let most = 32 << 20;
    assert_eq!(server.raw(head(most + 1).as_bytes()).error(), (413, "too-large".to_owned()));
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let chunked = head(0).replace("content-length: 0", "transfer-encoding: chunked");
    stream.write_all(chunked.as_bytes()).unwrap();
    let megabyte = vec![0u8; 1 << 20];
    for _ in 0..40 {
        // Refused before the last of it.
        let sent = write!(stream, "{:x}\r\n", megabyte.len()).and_then(|()| stream.write_all(&megabyte));
        if sent.and_then(|()| stream.write_all(b"\r\n")).is_err() {
            break;
        }
    }
    assert!(matches!(read(&mut stream).status, 0 | 413));
    drop(stream);
    // A length that is none.
    for length in ["-1", "1e3", "5, 6", "99999999999999999999999"] {
        let lying = head(0).replace("content-length: 0", &format!("content-length: {length}"));
        assert_eq!(server.raw(lying.as_bytes()).status, 400, "{length}");
    }
    // Of another kind, empty, or packed.
    let bearer = format!("Bearer {ann}");
    for (headers, body, status) in [
        (vec![("content-type", "application/octet-stream")], &banks[..], 415),
        (vec![], &banks, 415),
        (vec![("content-type", "application/wasm"), ("content-encoding", "gzip")], &banks, 415),
        (vec![("content-type", "application/wasm")], b"", 400),
    ] {
        let headers = [&[("authorization", &*bearer)], &headers[..]].concat();
        let answer = server.ask("POST", "/api/submissions?name=a", &headers, body);
        assert_eq!(answer.error().0, status, "{headers:?}");
    }
    assert_eq!(count(), 0, "nothing was stored");

    // Whole as far as the network goes, and no component.
    for (place, bytes) in
        [&b"this is not a component"[..], &banks[..banks.len() - 100], b"\0asm\x01\0\0\0"].iter().enumerate()
    {
        let sent = server.submit(&ann, &format!("bad{place}"), bytes);
        assert_eq!(sent.status, 202, "{sent:?}");
        let judged = server.judged(&ann, sent.json()["id"].as_u64().unwrap());
        assert_eq!((&judged["state"], &judged["report"]["accepted"]), (&"refused".into(), &false.into()), "{judged}");
        let message = judged["message"].as_str().unwrap();
        assert!(message.starts_with(&format!("agent bad{place} is refused: it is ")), "{message}");
    }
    assert_eq!(server.get("/api/agents").json()["agents"].as_array().unwrap().len(), 0);
    // A length that is too small: what comes after is no request.
    let short = [head(4).replace("connection: close\r\n", "").into_bytes(), banks].concat();
    assert_eq!(server.raw(&short).status, 202);
}

/// None is lost, and none is mixed up with another.
#[test]
fn a_hundred_authors_submit_at_once() {
    let (folder, banks) = tournament("1");
    let here = folder.path();
    let server = Server::start(here, &["t.db", "--no-play"]);
    let authors: Vec<(String, String, Vec<u8>)> = (0..100)
        .map(|number| {
            let author = format!("author{number}");
            let token = token(here, &author);
            (author, token, marked(&banks, number))
        })
        .collect();
    let ids: Vec<u64> = std::thread::scope(|scope| {
        let sending: Vec<_> = (authors.iter().enumerate())
            .map(|(number, (_, token, bytes))| {
                let server = &server;
                scope.spawn(move || {
                    let sent = server.submit(token, &format!("agent{number}"), bytes);
                    assert_eq!(sent.status, 202, "{sent:?}");
                    sent.json()["id"].as_u64().unwrap()
                })
            })
            .collect();
        sending.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 100, "every submission has its number");
    for ((_, token, _), id) in authors.iter().zip(&ids) {
        assert_eq!(server.judged(token, *id)["state"], "accepted");
    }
    assert_eq!(server.stop().code, 0);
    let file = Connection::open(here.join("t.db")).unwrap();
    for (number, (author, _, bytes)) in authors.iter().enumerate() {
        let sql =
            "SELECT a.author, c.bytes FROM agents a JOIN components c ON c.sha256 = a.component WHERE a.name = ?1";
        let found: (String, Vec<u8>) =
            file.query_row(sql, [format!("agent{number}")], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(&found.0, author);
        assert!(&found.1 == bytes, "agent{number} has the bytes of another");
    }
    let kept: i64 = file.query_row("SELECT count(bytes) FROM submissions", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 0, "what is checked is not kept twice");
}

#[test]
fn what_waits_when_a_server_is_killed_is_checked_by_the_next_one() {
    let (folder, banks) = tournament("1");
    let here = folder.path();
    let authors: Vec<String> = (0..6).map(|number| token(here, &format!("author{number}"))).collect();
    let mut sent = Vec::new();
    for round in 0..3 {
        let server = Server::start(here, &["t.db", "--no-play"]);
        for (number, token) in authors.iter().enumerate().skip(2 * round).take(2) {
            let answer = server.submit(token, &format!("agent{number}"), &marked(&banks, number as u32));
            assert_eq!(answer.status, 202, "{answer:?}");
            sent.push((number, answer.json()["id"].as_u64().unwrap()));
        }
        // What was answered is stored; a check is going on.
        server.kill();
    }
    let server = Server::start(here, &["t.db", "--no-play"]);
    for (number, id) in sent {
        assert_eq!(server.judged(&authors[number], id)["state"], "accepted");
    }
    server.status(|status| status["agents"] == 6);
    assert_eq!(server.stop().code, 0);
    done(here, &["run", "t.db"]);
    done(here, &["verify", "t.db", "--all"]);
}

#[test]
fn who_submits_too_much_waits() {
    let (folder, banks) = tournament("1");
    let here = folder.path();
    let (ann, ben) = (token(here, "Ann"), token(here, "Ben"));
    let server = Server::start(here, &["t.db", "--no-play"]);
    let mut refused = None;
    for number in 0..12 {
        let answer = server.submit(&ann, &format!("agent{number}"), &marked(&banks, number));
        if answer.status != 202 {
            assert_eq!(answer.error(), (429, "too-many-requests".to_owned()));
            refused = answer.header("retry-after").map(str::to_owned);
            break;
        }
    }
    let seconds: u64 = refused.expect("there is a limit").parse().unwrap();
    assert!(seconds > 0);
    // Others do not wait for that.
    assert_eq!(server.submit(&ben, "another", &banks).status, 202);
}

/// Whoever is refused is told so, however much is on its way.
#[test]
fn large_components_are_refused_in_words() {
    let (folder, banks) = tournament("1");
    let here = folder.path();
    done(here, &["submit", "house=banks.wasm", "--to", "t.db"]);
    let ann = token(here, "Ann");
    let server = Server::start(here, &["t.db", "--no-play"]);
    // A custom section of 12 MB that nobody reads.
    let mut large = banks;
    wasm_encoder::CustomSection { name: "padding".into(), data: vec![0; 12_000_000].into() }
        .append_to_component(&mut large);
    std::fs::write(here.join("large.wasm"), &large).unwrap();
    let url = server.url();
    let submit = |name: &str| {
        let agent = format!("{name}=large.wasm");
        arena_where(here, &["submit", &agent, "--to", &url], &[("ARENA_TOKEN", Some(&ann))])
    };
    for _ in 0..3 {
        let taken = submit("house");
        assert_eq!(taken.code, 2, "{taken:?}");
        assert!(taken.stderr.contains("`house` is an agent of the organiser: choose another name"), "{taken:?}");
        // The same for programs that send everything before they read.
        assert_eq!(server.submit(&ann, "house", &large).error(), (409, "name-taken".to_owned()));
    }
    let entered = submit("mine");
    assert_eq!(entered.code, 0, "{entered:?}");
}

/// However many slow agents somebody hands in, others wait for one of them.
#[test]
fn authors_take_turns() {
    let (folder, banks) = tournament("1");
    let here = folder.path();
    let (ann, ben) = (token(here, "Ann"), token(here, "Ben"));
    let counts = "(global.set $left (i32.const 200000))
        (loop $on (global.set $left (i32.sub (global.get $left) (i32.const 1))) (br_if $on (global.get $left)))";
    let slow = Guest::banks().also("(global $left (mut i32) (i32.const 0))").before_deciding(counts).component();
    let server = Server::start(here, &["t.db", "--no-play"]);
    let submitted =
        |token: &str, name: &str, bytes: &[u8]| server.submit(token, name, bytes).json()["id"].as_u64().unwrap();
    let slow: Vec<u64> = (0..4).map(|n| submitted(&ann, &format!("slow{n}"), &marked(&slow, n))).collect();
    let quick = submitted(&ben, "quick", &banks);
    assert_eq!(server.judged(&ben, quick)["state"], "accepted");
    let waiting = |id: &u64| server.get_as(&ann, &format!("/api/submissions/{id}")).json()["state"] == "waiting";
    assert!(slow[2..].iter().all(waiting), "all of Ann's were checked before Ben's");
    assert_eq!(server.judged(&ann, slow[3])["state"], "accepted");
}

#[test]
fn an_author_has_so_many_agents_and_no_more() {
    let (folder, banks) = tournament("1");
    let here = folder.path();
    let (ann, ben) = (token(here, "Ann"), token(here, "Ben"));
    let server = Server::start(here, &["t.db", "--no-play", "--agents", "1"]);
    let id = server.submit(&ann, "one", &banks).json()["id"].as_u64().unwrap();
    assert_eq!(server.judged(&ann, id)["state"], "accepted");
    assert_eq!(server.submit(&ann, "two", &banks).error(), (409, "too-many-agents".to_owned()));
    // A new version is no further agent, and others have theirs.
    assert_eq!(server.submit(&ann, "one", &marked(&banks, 1)).status, 202);
    assert_eq!(server.submit(&ben, "two", &banks).status, 202);
    // Two that came before either took part: the second is one too many.
    let cleo = token(here, "Cleo");
    let ids: Vec<u64> = ["three", "four"]
        .iter()
        .map(|name| server.submit(&cleo, name, &banks).json()["id"].as_u64().unwrap_or_default())
        .collect();
    let states: BTreeSet<String> =
        ids.iter().filter(|id| **id > 0).map(|id| server.judged(&cleo, *id)["state"].to_string()).collect();
    assert!(states.contains("\"accepted\"") && states.len() == ids.iter().filter(|id| **id > 0).count(), "{states:?}");
}
