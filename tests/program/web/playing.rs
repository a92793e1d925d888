//! Newcomers, who plays, and the way from a token to the standings.

use super::{Server, token, tournament};
use crate::arena::{arena_where, program};
use crate::database::{done, refused};

#[test]
fn from_a_token_to_the_standings() {
    let (folder, _) = tournament("2");
    let here = folder.path();
    done(here, &["submit", "house=banks.wasm", "--to", "t.db"]);
    let server = Server::start(here, &["t.db"]);
    let ann = token(here, "Ann");
    let to = |args: &[&str], token: Option<&str>| {
        let url = server.url();
        let args = [&["submit"], args, &["--to", &url]].concat();
        arena_where(here, &args, &[("ARENA_TOKEN", token)])
    };
    let entered = to(&["mine=banks.wasm"], Some(&ann));
    assert_eq!((entered.code, entered.stderr.as_str()), (0, ""), "{entered:?}");
    assert!(entered.stdout.starts_with("mine takes part\n"), "{entered:?}");
    assert!(entered.stdout.contains("note: the same bytes take part as house (version 1)"), "{entered:?}");
    // Bytes that are known already, and a token in a file, as `arena token` prints it.
    std::fs::write(here.join("token"), done(here, &["token", "t.db", "Ben"])).unwrap();
    let second = to(&["mine2=banks.wasm", "--token-file", "token"], None);
    assert_eq!(second.code, 0, "{second:?}");
    server.status(|status| status["matches"]["played"] == 12 && status["matches"]["left"] == 0);
    let standings = server.get("/api/standings").json();
    let row = standings["standings"].as_array().unwrap().iter().find(|row| row["name"] == "mine").unwrap().clone();
    assert_eq!((&row["author"], &row["matches"]), (&"Ann".into(), &8.into()));

    // What is refused is refused as it is at the keyboard.
    std::fs::write(here.join("liar.wasm"), arena_tests::Guest::new().decide("(i32.const 0x300000)").component())
        .unwrap();
    let liar = to(&["liar.wasm"], Some(&ann));
    assert_eq!((liar.code, liar.stdout.as_str()), (4, ""), "{liar:?}");
    let local = refused(here, &["submit", "liar.wasm", "--to", "t.db"], 4, "agent liar is refused: it faults");
    assert_eq!(liar.stderr, local.stderr);
    for (args, token, code, says) in [
        (&["house=banks.wasm"][..], Some(&*ann), 2, "`house` is an agent of the organiser: choose another name"),
        (&["mine2=banks.wasm"], Some(&ann), 2, "`mine2` is an agent of Ben: choose another name"),
        (&["banks.wasm"], None, 2, "submitting to a server takes a token"),
        (&["banks.wasm"], Some("farkle_1"), 2, "what is in ARENA_TOKEN is no token"),
        (&["banks.wasm"], Some(&format!("farkle_{}", "0".repeat(64))), 2, "nobody has this token"),
        (&["banks.wasm", "--author", "Ann"], Some(&ann), 2, "--author is for a tournament file"),
        (&["banks.wasm", "--token-file", "nowhere"], None, 2, "token file nowhere cannot be read"),
    ] {
        let output = to(args, token);
        assert_eq!((output.code, output.stdout.as_str()), (code, ""), "{args:?}: {output:?}");
        assert!(output.stderr.contains(says), "`{says}` in: {}", output.stderr);
        assert_eq!(output.stderr.lines().count(), 1, "{output:?}");
    }
    // An address that begins with nothing, with the wrong thing, or loudly.
    let url = server.url();
    for (address, code, says) in [
        (url.replace("http://", ""), 2, "the address of a server begins with http:// or https://".to_owned()),
        (url.replace("http://", "https://"), 1, format!("what answers does not speak TLS; try {url}")),
        (url.replace("http://", "HTTP://"), 0, String::new()),
    ] {
        let args = ["submit", "mine=banks.wasm", "--to", &address];
        let output = arena_where(here, &args, &[("ARENA_TOKEN", Some(&ann))]);
        assert_eq!(output.code, code, "{address}: {output:?}");
        assert!(output.stderr.contains(&says), "`{says}` in: {}", output.stderr);
    }
    // Nobody there, and somebody who is no arena.
    assert_eq!(server.stop().code, 0);
    let nobody = arena_where(here, &["submit", "banks.wasm", "--to", &url], &[("ARENA_TOKEN", Some(&ann))]);
    assert_eq!(nobody.code, 1, "{nobody:?}");
    assert!(nobody.stderr.contains("no arena answers at http://127.0.0.1:"), "{nobody:?}");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let other = format!("http://{}", listener.local_addr().unwrap());
    let answering = std::thread::spawn(move || {
        use std::io::{Read as _, Write as _};
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4_096]);
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello").unwrap();
    });
    let stranger = arena_where(here, &["submit", "banks.wasm", "--to", &other], &[("ARENA_TOKEN", Some(&ann))]);
    answering.join().unwrap();
    assert_eq!(stranger.code, 2, "{stranger:?}");
    assert!(stranger.stderr.contains("is no arena: it answers 200"), "{stranger:?}");
}

/// Who comes while matches are played plays before they are all over.
#[test]
fn newcomers_play_while_matches_run() {
    let (folder, banks) = tournament("1000000");
    let here = folder.path();
    for name in ["one", "two"] {
        done(here, &["submit", &format!("{name}=banks.wasm"), "--to", "t.db"]);
    }
    let ann = token(here, "Ann");
    let server = Server::start(here, &["t.db"]);
    server.status(|status| status["matches"]["played"].as_u64() > Some(0));
    let id = server.submit(&ann, "new", &banks).json()["id"].as_u64().unwrap();
    assert_eq!(server.judged(&ann, id)["state"], "accepted");
    // Also somebody who comes past the server.
    done(here, &["submit", "local=banks.wasm", "--to", "t.db"]);
    server.until(|| {
        let standings = server.get("/api/standings").json();
        let rows = standings["standings"].as_array()?.clone();
        let plays = |name: &str| rows.iter().any(|row| row["name"] == name && row["matches"].as_u64() > Some(0));
        (plays("new") && plays("local")).then_some(())
    });
    let status = server.get("/api/status").json();
    assert!(status["matches"]["left"].as_u64() > Some(1_000_000), "{status}");
    assert_eq!(status["playing"]["state"], "playing");
    let stopped = server.stop();
    assert_eq!(stopped.code, 0, "{stopped:?}");
    done(here, &["verify", "t.db", "--sample", "100"]);
}

#[test]
fn one_of_two_servers_plays_and_the_other_takes_over() {
    let (folder, _) = tournament("1000000");
    let here = folder.path();
    for name in ["one", "two"] {
        done(here, &["submit", &format!("{name}=banks.wasm"), "--to", "t.db"]);
    }
    let first = Server::start(here, &["t.db"]);
    first.status(|status| status["playing"]["state"] == "playing");
    let (second, third) = (Server::start(here, &["t.db"]), Server::start(here, &["t.db", "--no-play"]));
    let told = second.status(|status| status["playing"]["state"] == "elsewhere");
    assert!(
        told["playing"]["message"]
            .as_str()
            .unwrap()
            .starts_with("another `arena run` or `arena serve` is playing t.db"),
        "{told}"
    );
    refused(here, &["run", "t.db"], 1, "another `arena run` or `arena serve` is playing t.db");
    // They show what the first one plays.
    third.status(|status| status["playing"]["state"] == "off" && status["matches"]["played"].as_u64() > Some(0));
    second.status(|status| status["matches"]["played"].as_u64() > Some(0));
    first.kill();
    second.status(|status| status["playing"]["state"] == "playing");
    assert_eq!(second.stop().code, 0);
    assert_eq!(third.stop().code, 0);
    done(here, &["verify", "t.db", "--sample", "100"]);
}

#[test]
fn what_cannot_be_served_is_refused() {
    let (folder, _) = tournament("2");
    let here = folder.path();
    std::fs::write(here.join("text.db"), "hello").unwrap();
    refused(here, &["serve", "text.db", "--bind", "127.0.0.1:0"], 2, "text.db is no tournament");
    refused(here, &["serve", "none.db", "--bind", "127.0.0.1:0"], 2, "none.db cannot be opened");
    refused(here, &["serve", "t.db", "--bind", "here"], 2, "here");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    refused(here, &["serve", "t.db", "--bind", &address], 2, "cannot be listened on");
    // Elsewhere than on loopback it is said that tokens travel unencrypted.
    let mut command = program();
    command.args(["serve", "t.db", "--bind", "0.0.0.0:0"]).current_dir(here);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let server = Server { child, address: String::new() };
    let mut server = server;
    let mut line = String::new();
    let mut reader = std::io::BufReader::new(server.child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut reader, &mut line).unwrap();
    assert!(line.starts_with("t.db at http://0.0.0.0:"), "{line}");
    let stopped = server.stop();
    assert!(stopped.code == 0 && stopped.stderr.contains("tokens travel unencrypted"), "{stopped:?}");
}

/// To see how slow agents play takes long; who came, and what is left, is told meanwhile.
#[test]
fn counts_do_not_wait_for_what_takes_long() {
    let (folder, _) = tournament("400");
    let here = folder.path();
    let counts = "(global.set $left (i32.const 200000))
        (loop $on (global.set $left (i32.sub (global.get $left) (i32.const 1))) (br_if $on (global.get $left)))";
    let slow = arena_tests::Guest::banks().also("(global $left (mut i32) (i32.const 0))").before_deciding(counts);
    std::fs::write(here.join("slow.wasm"), slow.component()).unwrap();
    for name in ["one", "two"] {
        done(here, &["submit", &format!("{name}=slow.wasm"), "--to", "t.db"]);
    }
    done(here, &["run", "t.db"]);
    let server = Server::start(here, &["t.db", "--no-play"]);
    done(here, &["submit", "late=banks.wasm", "--to", "t.db"]);
    let is_styled = || server.get("/agents/1.html").body.contains("<h2>Style</h2>");
    server.status(|status| status["agents"] == 3);
    assert!(!is_styled(), "that three take part was told when it was known how two play");
    server.until(|| is_styled().then_some(()));
    assert_eq!(server.stop().code, 0);
}
