//! Submitting to an arena on the network.
//!
//! Owns the conversation with the server: the component goes there, and what came of it comes back. Refuses
//! to take a token from the command line, which others can see.

use std::path::Path;
use std::time::Duration;

use arena_host::COMPONENT_BYTES;
use serde_json::Value;
use ureq::Agent;
use ureq::http::Response;

use crate::failure::Failure;
use crate::harmless::{harmless, one_line};
use crate::{output, tokens};

/// The variable that a token is in.
const VARIABLE: &str = "ARENA_TOKEN";
/// How long a server may take to be reached, and to answer.
const CONNECTING: Duration = Duration::from_secs(10);
const ANSWERING: Duration = Duration::from_secs(330);
/// How long a busy server is waited for, all its requests to wait taken together.
const PATIENCE: Duration = Duration::from_secs(600);
/// Between two questions what came of a submission: at first, and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// How often a server that went away is asked again.
const TRIES: u32 = 5;
/// The longest answer.
const ANSWER_BYTES: u64 = 8 << 20;

/// Whether an agent is to go to a server.
pub(crate) fn is_address(to: &Path) -> bool {
    to.to_str().map(str::to_ascii_lowercase).is_some_and(|to| to.starts_with("http://") || to.starts_with("https://"))
}

/// Refuses what is no file and looks like an address whose scheme was left out.
///
/// # Errors
///
/// Says how addresses begin.
pub(crate) fn check_no_scheme_forgotten(to: &Path) -> Result<(), Failure> {
    match to.to_str().is_some_and(|to| to.contains(':')) && !to.exists() {
        true => Err(Failure::usage(format!(
            "there is no tournament file {}; the address of a server begins with http:// or https://",
            to.display()
        ))),
        false => Ok(()),
    }
}

/// Sends a component to a server, waits until it is checked, and says what came of it.
pub(crate) fn submit(to: &Path, name: &str, bytes: &[u8], token_file: Option<&Path>) -> Result<String, Failure> {
    if bytes.len() > COMPONENT_BYTES {
        let why = format!("agent {name} is refused: components have at most {COMPONENT_BYTES} bytes");
        return Err(Failure::Refused(anyhow::Error::msg(why)));
    }
    let server = Server::new(&to.to_string_lossy(), &token(token_file)?);
    // Whether it is an arena and knows the token is asked before anything is sent.
    server.patiently(|| server.get("/api/submissions"))?;
    let received = server.patiently(|| server.send(name, bytes))?;
    let id = received["id"].as_u64().ok_or_else(|| server.no_arena("its answer has no `id`"))?;
    let judged = server.wait_for(id)?;
    let message = judged["message"].as_str().unwrap_or_default();
    match judged["state"].as_str() {
        Some("accepted") => Ok(format!("{message}\n")),
        Some("refused") => Err(Failure::Refused(anyhow::Error::msg(message.to_owned()))),
        _ => Err(Failure::failed(format!("submission {id}: {message}"))),
    }
}

/// The token of who submits.
fn token(file: Option<&Path>) -> Result<String, Failure> {
    let (token, place) = match file {
        Some(file) => {
            let read = std::fs::read_to_string(file);
            let shown = file.display();
            (
                read.map_err(|error| Failure::usage(format!("token file {shown} cannot be read: {error}")))?,
                shown.to_string(),
            )
        }
        None => {
            let missing = || {
                Failure::usage(format!(
                    "submitting to a server takes a token, which its organiser gives: put it in {VARIABLE}, or in a \
                     file for --token-file"
                ))
            };
            (std::env::var(VARIABLE).map_err(|_| missing())?, VARIABLE.to_owned())
        }
    };
    // What `arena token` prints may be kept whole.
    let token = token.lines().next().unwrap_or_default().trim().to_owned();
    match tokens::is_one(&token) {
        true => Ok(token),
        false => Err(Failure::usage(format!("what is in {place} is no token: one is farkle_ and 64 digits"))),
    }
}

/// A server, as it is talked to.
struct Server {
    agent: Agent,
    address: String,
    authorization: String,
}

/// Why there is no good answer.
enum Trouble {
    /// It cannot be reached, or went away.
    Away(String),
    /// It asks for patience.
    Busy(Duration, String),
    /// It will not be better later.
    No(Failure),
}

impl Server {
    fn new(address: &str, token: &str) -> Server {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_connect(Some(CONNECTING))
            .timeout_global(Some(ANSWERING))
            .user_agent(concat!("arena/", env!("CARGO_PKG_VERSION")));
        let address = harmless(address).trim_end_matches('/').to_owned();
        Server { agent: config.build().into(), address, authorization: format!("Bearer {token}") }
    }

    fn get(&self, path: &str) -> Result<Value, Trouble> {
        let request = self.agent.get(format!("{}{path}", self.address)).header("authorization", &self.authorization);
        self.read(request.call())
    }

    fn send(&self, name: &str, bytes: &[u8]) -> Result<Value, Trouble> {
        let request = self
            .agent
            .post(format!("{}/api/submissions", self.address))
            .query("name", name)
            .header("authorization", &self.authorization)
            .header("content-type", "application/wasm")
            // What is refused is refused before all of it is sent.
            .header("expect", "100-continue");
        self.read(request.send(bytes))
    }

    /// Waits until a submission is checked.
    fn wait_for(&self, id: u64) -> Result<Value, Failure> {
        let (mut pause, mut away) = (FIRST_PAUSE, 0);
        loop {
            match self.get(&format!("/api/submissions/{id}")) {
                Ok(answer) if answer["state"] != "waiting" => return Ok(answer),
                Ok(_) => (away, pause) = (0, LONGEST_PAUSE.min(pause * 3 / 2)),
                Err(Trouble::No(failure)) => return Err(failure),
                Err(Trouble::Busy(asked, _)) => pause = asked,
                Err(Trouble::Away(why)) if away == TRIES => {
                    return Err(Failure::failed(format!(
                        "{} went away ({why}): submission {id} is stored there, and is checked when it is back",
                        self.address
                    )));
                }
                Err(Trouble::Away(_)) => away += 1,
            }
            std::thread::sleep(pause);
        }
    }

    /// Asks until there is an answer, as long as the server asks for patience.
    fn patiently(&self, ask: impl Fn() -> Result<Value, Trouble>) -> Result<Value, Failure> {
        let mut waited = Duration::ZERO;
        loop {
            match ask() {
                Ok(answer) => return Ok(answer),
                Err(Trouble::No(failure)) => return Err(failure),
                Err(Trouble::Away(why)) => {
                    return Err(Failure::failed(format!("no arena answers at {}: {why}", self.address)));
                }
                Err(Trouble::Busy(asked, why)) if waited + asked > PATIENCE => {
                    return Err(Failure::failed(format!("{} is too busy: {why}", self.address)));
                }
                Err(Trouble::Busy(asked, why)) => {
                    output::tell(&format!("arena: {why}; waiting for {} s", asked.as_secs()));
                    std::thread::sleep(asked);
                    waited += asked;
                }
            }
        }
    }

    fn read(&self, answer: Result<Response<ureq::Body>, ureq::Error>) -> Result<Value, Trouble> {
        let mut answer = answer.map_err(|error| match error {
            ureq::Error::BadUri(why) => Trouble::No(Failure::usage(format!("{} is no address: {why}", self.address))),
            other => Trouble::Away(self.told(&other)),
        })?;
        let status = answer.status().as_u16();
        let later = answer.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        let text = answer.body_mut().with_config().limit(ANSWER_BYTES).read_to_string();
        let text = text.map_err(|error| Trouble::Away(one_line(&error.to_string())))?;
        let value: Option<Value> = serde_json::from_str(&text).ok();
        if let (200..=299, Some(value)) = (status, &value) {
            return Ok(value.clone());
        }
        let said = value.as_ref().and_then(|value| value["error"]["message"].as_str()).map(one_line);
        let Some(said) = said else {
            return Err(Trouble::No(self.no_arena(&format!("it answers {status}, and not as an arena does"))));
        };
        Err(match (status, later) {
            (429 | 503, Some(seconds)) => Trouble::Busy(Duration::from_secs(seconds), said),
            (408 | 500.., _) => Trouble::No(Failure::failed(format!("{}: {said}", self.address))),
            (413, _) => Trouble::No(Failure::Refused(anyhow::Error::msg(said))),
            _ => Trouble::No(Failure::usage(format!("{}: {said}", self.address))),
        })
    }

    /// Rustls calls everything that is not TLS corrupt, and of that the likeliest is plain HTTP.
    fn told(&self, error: &ureq::Error) -> String {
        let told = one_line(&error.to_string());
        match self.address.split_once("://") {
            Some((_, host)) if told.contains("InvalidContentType") => {
                format!("what answers does not speak TLS; try http://{host}")
            }
            _ => told,
        }
    }

    fn no_arena(&self, why: &str) -> Failure {
        Failure::usage(format!("{} is no arena: {why}", self.address))
    }
}
