//! A served tournament, as authors, readers and strangers meet it.

mod authors;
mod description;
mod playing;
mod strangers;
mod uploads;
mod when_things_fail;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use arena_tests::Guest;
use serde_json::Value;

use crate::arena::{Output, program};
use crate::database::done;
use crate::world::signal;

/// A server; ended with this value.
struct Server {
    child: Child,
    /// `127.0.0.1:…`
    address: String,
}

/// What a server answered.
#[derive(Debug)]
struct Answer {
    status: u16,
    /// Names in lower case.
    headers: Vec<(String, String)>,
    body: String,
}

impl Answer {
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The code of an error, which has the one shape.
    #[track_caller]
    fn error(&self) -> (u16, String) {
        let json = self.json();
        let error = json["error"].as_object().unwrap_or_else(|| panic!("an error: {self:?}"));
        assert!(error.len() == 2 && !error["message"].as_str().unwrap().is_empty(), "{self:?}");
        (self.status, error["code"].as_str().unwrap().to_owned())
    }
}

impl Server {
    /// Serves a file at a port that is free.
    fn start(folder: &Path, args: &[&str]) -> Server {
        let mut command = program();
        command.args(["serve", "--bind", "127.0.0.1:0"]).args(args).current_dir(folder);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).unwrap();
        let address = line.trim_end().trim_end_matches('/').rsplit("http://").next().unwrap_or_default().to_owned();
        assert!(line.contains(" at http://127.0.0.1:"), "{line}");
        Server { child, address }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sends bytes as they are, and reads to the end.
    fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        // Who is refused early may not be read to the end.
        let _ = stream.write_all(request);
        read(&mut stream)
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut request = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", self.address);
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        if method == "POST" {
            request += &format!("content-length: {}\r\n", body.len());
        }
        let mut request = (request + "\r\n").into_bytes();
        request.extend_from_slice(body);
        self.raw(&request)
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    fn get_as(&self, token: &str, path: &str) -> Answer {
        self.ask("GET", path, &[("authorization", &format!("Bearer {token}"))], b"")
    }

    /// Submits a component under a name that is written as queries have it.
    fn submit(&self, token: &str, name: &str, bytes: &[u8]) -> Answer {
        let headers = [("authorization", &*format!("Bearer {token}")), ("content-type", "application/wasm")];
        self.ask("POST", &format!("/api/submissions?name={name}"), &headers, bytes)
    }

    /// Waits until a submission is checked.
    #[track_caller]
    fn judged(&self, token: &str, id: u64) -> Value {
        self.until(|| {
            let told = self.get_as(token, &format!("/api/submissions/{id}")).json();
            (told["state"] != "waiting").then_some(told)
        })
    }

    /// Waits until the status is as wanted.
    #[track_caller]
    fn status(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        self.until(|| Some(self.get("/api/status").json()).filter(|status| wanted(status)))
    }

    /// Waits for what takes its time, on slow machines a long one.
    #[track_caller]
    fn until<T>(&self, found: impl Fn() -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(found) = found() {
                return found;
            }
            assert!(begun.elapsed() < Duration::from_secs(300), "it never comes");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Asks the server to end, and gives what it said.
    fn stop(mut self) -> Output {
        signal(&self.child, "TERM");
        let mut stderr = String::new();
        self.child.stderr.take().expect("piped").read_to_string(&mut stderr).unwrap();
        let status = self.child.wait().unwrap();
        Output { code: status.code().unwrap_or(-1), stdout: String::new(), stderr }
    }

    /// Ends it at once, without a word.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads an answer to the end of its connection.
fn read(stream: &mut TcpStream) -> Answer {
    stream.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
    let mut bytes = Vec::new();
    // Who is cut off mid-way may have had an answer.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).expect("answers are UTF-8");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok()).unwrap_or(0);
    let headers = lines.filter_map(|line| line.split_once(": ")).map(|(n, v)| (n.to_lowercase(), v.to_owned()));
    Answer { status, headers: headers.collect(), body: body.to_owned() }
}

/// A folder with a tournament of quick matches, and the component of an agent that plays by the rules.
fn tournament(pairs: &str) -> (tempfile::TempDir, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let args = ["create", "t.db", "--rules", "play-table", "--turn-limit", "60", "--seed", "9", "--pairs", pairs];
    done(folder.path(), &args);
    let banks = Guest::banks().component();
    fs::write(folder.path().join("banks.wasm"), &banks).unwrap();
    (folder, banks)
}

/// The token of an author.
fn token(folder: &Path, author: &str) -> String {
    done(folder, &["token", "t.db", author]).lines().next().unwrap().to_owned()
}

/// A component with something in it that changes nothing: a custom section.
fn marked(component: &[u8], mark: u32) -> Vec<u8> {
    let mut bytes = component.to_vec();
    let name = format!("m{mark:06}");
    bytes.extend([0, 1 + name.len() as u8, name.len() as u8]);
    bytes.extend(name.bytes());
    bytes
}
