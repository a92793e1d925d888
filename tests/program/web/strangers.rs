//! Who comes by another name, sends nonsense, or does not go away.

use std::io::Write as _;
use std::net::TcpStream;

use super::{Server, read, token, tournament};
use crate::database::done;

#[test]
fn only_its_own_names_are_answered() {
    let (folder, _) = tournament("1");
    let server = Server::start(folder.path(), &["t.db", "--no-play", "--host", "arena.example"]);
    let ask = |host: &str, target: &str| {
        server.raw(format!("GET {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").as_bytes())
    };
    for good in ["localhost", "localhost:1", "127.0.0.1", "[::1]:80", "arena.example", "ARENA.example:443"] {
        assert_eq!(ask(good, "/api/status").status, 200, "{good}");
    }
    for bad in ["evil.example", "", "localhost.evil.example", "192.168.1.1"] {
        let answer = ask(bad, "/api/status");
        assert_eq!(answer.error(), (421, "wrong-host".to_owned()), "{bad}");
    }
    assert_eq!(ask("localhost", "http://evil.example/api/status").status, 421);
    assert_eq!(server.raw(b"GET /api/status HTTP/1.1\r\nconnection: close\r\n\r\n").status, 421);
}

#[test]
fn every_answer_binds_browsers() {
    let (folder, _) = tournament("1");
    let server = Server::start(folder.path(), &["t.db", "--no-play"]);
    for path in ["/api/status", "/api/openapi.json", "/nothing", "/api/matches?limit=x"] {
        let answer = server.get(path);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("cross-origin-opener-policy"), Some("same-origin"));
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
        assert!(matches!(answer.header("cache-control"), Some("no-store" | "no-cache")));
        let loose = ["set-cookie", "access-control-allow-origin", "server"];
        assert!(loose.iter().all(|name| answer.header(name).is_none()), "{answer:?}");
    }
}

/// Nobody waits for who does not send.
#[test]
fn slow_heads_are_not_waited_for() {
    let (folder, _) = tournament("1");
    let server = Server::start(folder.path(), &["t.db", "--no-play"]);
    let slow: Vec<TcpStream> = (0..50)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.address).unwrap();
            stream.write_all(b"GET /api/status HTTP/1.1\r\nhost: loc").unwrap();
            stream
        })
        .collect();
    let silent = TcpStream::connect(&server.address).unwrap();
    assert_eq!(server.get("/api/status").status, 200);
    // The server ends them: reading comes to an end.
    for mut stream in slow.into_iter().chain([silent]) {
        assert!(matches!(read(&mut stream).status, 0 | 408));
    }
    assert_eq!(server.get("/api/status").status, 200);
}

#[test]
fn nonsense_is_no_request() {
    let (folder, _) = tournament("1");
    let server = Server::start(folder.path(), &["t.db", "--no-play"]);
    let long = format!("GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "a".repeat(100_000));
    let many = format!("GET / HTTP/1.1\r\nhost: localhost\r\n{}\r\n", "x: y\r\n".repeat(1_000));
    for nonsense in [
        &b"hello\r\n\r\n"[..],
        b"\0\0\0\0",
        b"\x16\x03\x01\x02\x00",
        long.as_bytes(),
        many.as_bytes(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let _ = stream.write_all(nonsense);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        assert!(matches!(read(&mut stream).status, 0 | 400 | 414 | 431 | 505));
    }
    for path in
        ["/api/matches?agent=%ff", "/api/matches?%00=%00", "/api/matches?agent=a&agent=b", "/%2e%2e/%2e%2e/etc/passwd"]
    {
        assert!(matches!(server.get(path).error().0, 400 | 404), "{path}");
    }
    assert_eq!(server.get("/api/status").status, 200);
}

/// Where visitors may not spend dice, they see what was shown or published.
#[test]
fn new_dice_are_for_authors_where_the_server_says_so() {
    let (folder, _) = tournament("3");
    let here = folder.path();
    for agent in ["a=banks.wasm", "b=banks.wasm"] {
        done(here, &["submit", agent, "--to", "t.db"]);
    }
    done(here, &["run", "t.db"]);
    let ann = token(here, "Ann");
    let server = Server::start(here, &["t.db", "--no-play", "--new-dice-for", "authors"]);
    let hidden = (403, "dice-not-shown".to_owned());
    assert_eq!(server.get("/api/matches/3").error(), hidden);
    let page = server.ask("GET", "/matches/3.html", &[("accept", "text/html")], b"");
    assert!(page.status == 403 && page.body.contains("nobody has seen the dice of match 3"), "{page:?}");
    assert_eq!(server.get("/api/matches/999").status, 404);
    assert_eq!(server.get_as(&ann, "/api/matches/3").status, 200);
    // Now they were shown, and those of pairs before.
    assert_eq!(server.get("/api/matches/3").status, 200);
    assert_eq!(server.get("/matches/1.html").status, 200);
    assert_eq!(server.get("/api/matches/5").error(), hidden);
    done(here, &["close", "t.db"]);
    assert_eq!(server.get("/api/matches/5").status, 200);
}
