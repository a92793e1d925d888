//! A server whose disk is full, whose file goes away, or who is told to stop.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use super::{Server, token, tournament};
use crate::database::done;
use crate::world::disk::SmallDisk;
use crate::world::{shell, skipped};

/// A server of `t.db` with two agents, which has played all of it: two pairs.
fn idle_server(here: &Path) -> Server {
    for name in ["one", "two"] {
        done(here, &["submit", &format!("{name}=banks.wasm"), "--to", "t.db"]);
    }
    let server = Server::start(here, &["t.db"]);
    server.status(|status| status["playing"]["state"] == "idle" && status["matches"]["played"] == 4);
    server
}

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let (folder, banks) = tournament("2");
    let here = folder.path();
    let Some(disk) = SmallDisk::new(here.join("disk"), "600k") else {
        skipped("a_full_disk_is_said_and_loses_nothing", "a small disk takes root and Linux's `mount`");
        return;
    };
    let ann = token(here, "Ann");
    for name in ["one", "two"] {
        done(here, &["submit", &format!("{name}=banks.wasm"), "--to", "t.db"]);
    }
    fs::copy(here.join("t.db"), here.join("disk/t.db")).unwrap();
    let server = Server::start(here, &["disk/t.db"]);
    server.status(|status| status["matches"]["played"] == 4);
    disk.fill();
    let sent = server.submit(&ann, "new", &vec![0; 200_000]);
    assert_eq!(sent.error(), (507, "no-room".to_owned()));
    assert!(!sent.body.contains("disk/"), "where the file lies is nobody's business: {sent:?}");
    // Who reads is served.
    assert_eq!(server.get("/api/standings").status, 200);
    fs::remove_file(here.join("disk/filler")).unwrap();
    let id = server.submit(&ann, "new", &banks).json()["id"].as_u64().unwrap();
    assert_eq!(server.judged(&ann, id)["state"], "accepted");
    server.status(|status| status["matches"]["played"] == 12);
    assert_eq!(server.stop().code, 0);
    done(here, &["verify", "disk/t.db", "--all"]);
}

#[test]
fn a_file_that_goes_away_is_told_and_what_was_read_is_served() {
    let (folder, _) = tournament("2");
    let here = folder.path();
    let server = idle_server(here);
    let before = server.get("/api/standings").body;
    fs::rename(here.join("t.db"), here.join("elsewhere.db")).unwrap();
    let told = server.status(|status| status["unread"].is_string());
    assert!(told["unread"].as_str().unwrap().contains("t.db"), "{told}");
    assert_eq!(server.get("/api/standings").body, before);
    assert_eq!(server.get("/api/matches").error(), (500, "failed".to_owned()));
    let stopped = server.stop();
    assert!(stopped.code == 0 && stopped.stderr.contains("the standings stay as they are"), "{stopped:?}");
}

/// Nobody plays: what only the server still has is saved, once, and it does not say that all is well.
#[test]
fn a_file_that_goes_away_when_nothing_is_played_is_saved() {
    let (folder, _) = tournament("2");
    let here = folder.path();
    let server = idle_server(here);
    fs::remove_file(here.join("t.db")).unwrap();
    let says = "t.db is gone while it was open: all that was stored is in t.db-rescued";
    server.status(|status| status["unread"].as_str().is_some_and(|unread| unread.contains(says)));
    // Some looks later it is saved no second time.
    std::thread::sleep(std::time::Duration::from_millis(2_500));
    let stopped = server.stop();
    assert!(
        stopped.stderr.ends_with(&format!("arena: stopped: {says}, and `arena run t.db-rescued` goes on\n")),
        "{stopped:?}"
    );
    let left = crate::world::names(here).into_iter().filter(|name| name.contains("-rescued")).collect::<Vec<_>>();
    assert_eq!(left, ["t.db-rescued"]);
    done(here, &["verify", "t.db-rescued", "--all"]);
    assert!(done(here, &["run", "t.db-rescued"]).starts_with("0 matches played, 4 stored, 0 left"));
}

/// Another file is not the tournament that is served: nothing of it is shown, played or written to, and whoever
/// wants to play it may.
#[test]
fn a_file_that_took_the_place_is_left_alone() {
    let (folder, banks) = tournament("2");
    let here = folder.path();
    let ann = token(here, "Ann");
    fs::copy(here.join("t.db"), here.join("other.db")).unwrap();
    for name in ["three", "four"] {
        done(here, &["submit", &format!("{name}=banks.wasm"), "--to", "other.db"]);
    }
    let server = idle_server(here);
    // There is no moment without a file of that name.
    fs::hard_link(here.join("t.db"), here.join("away.db")).unwrap();
    fs::rename(here.join("other.db"), here.join("t.db")).unwrap();
    let before = fs::read(here.join("t.db")).unwrap();
    let says = "another file has taken the place of t.db: start the server again";
    server.status(|status| {
        status["unread"].as_str().is_some_and(|unread| unread.contains("t.db was replaced by another file"))
            && status["playing"]["state"] == "failed"
            && status["playing"]["message"].as_str().unwrap().contains(says)
    });
    assert_eq!(server.submit(&ann, "new", &banks).error(), (500, "failed".to_owned()));
    assert_eq!(server.get("/api/matches").error(), (500, "failed".to_owned()));
    assert_eq!(fs::read(here.join("t.db")).unwrap(), before);
    // The right to play it is free, once the server has noticed.
    server.until(|| shell(here, "exec \"$0\" run t.db").status.success().then_some(()));
    assert_eq!(server.get("/api/status").json()["matches"]["played"], 4);
    // Put back, everything goes on.
    fs::rename(here.join("away.db"), here.join("t.db")).unwrap();
    server.status(|status| status["unread"].is_null() && status["playing"]["state"] == "idle");
    let id = server.submit(&ann, "new", &banks).json()["id"].as_u64().unwrap();
    assert_eq!(server.judged(&ann, id)["state"], "accepted");
    server.status(|status| status["matches"]["played"] == 12);
    assert_eq!(server.stop().code, 0);
    done(here, &["verify", "t.db", "--all"]);
}

/// Requests that have begun are answered, others are not taken.
#[test]
fn a_stop_lets_readers_end() {
    let (folder, banks) = tournament("1000000");
    let here = folder.path();
    let ann = token(here, "Ann");
    for name in ["one", "two"] {
        done(here, &["submit", &format!("{name}=banks.wasm"), "--to", "t.db"]);
    }
    let server = Server::start(here, &["t.db"]);
    let played = server.status(|status| status["matches"]["played"].as_u64() > Some(0));
    // Half of an upload is there when the server is told to stop.
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let head = format!(
        "POST /api/submissions?name=late HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {ann}\r\n\
         content-type: application/wasm\r\ncontent-length: {}\r\n\r\n",
        server.address,
        banks.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&banks[..10]).unwrap();
    // The request has been taken once another one that came later is answered.
    server.get("/api/status");
    crate::world::signal(&server.child, "TERM");
    let address = server.address.clone();
    server.until(|| TcpStream::connect(&address).is_err().then_some(()));
    stream.write_all(&banks[10..]).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
    let stopped = server.stop();
    assert_eq!(stopped.code, 0, "{stopped:?}");
    assert!(stopped.stderr.contains("arena: stopped: what was played and submitted is stored"), "{stopped:?}");
    let listed = done(here, &["matches", "t.db", "--format", "json", "--limit", "1000000"]);
    assert!(listed.lines().count() as u64 >= played["matches"]["played"].as_u64().unwrap());
    // What came in at the last moment is checked by the next one.
    let server = Server::start(here, &["t.db", "--no-play"]);
    assert_eq!(server.judged(&ann, 1)["state"], "accepted");
}
