//! What readers of a served tournament wait, and what they cost those who play: printed, never asserted.
//!
//! `cargo run --release -p arena-tests --example serve` builds the program, and plays on one thread with
//! nobody looking and with fifty readers by turns. Each reader asks for the standings twice a second, half of
//! them for the page and half for the JSON, over a connection of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Readers at one time.
const READERS: u64 = 50;
/// Between two requests of a reader.
const PAUSE: Duration = Duration::from_millis(500);
/// How long each server is watched.
const ROUND: Duration = Duration::from_secs(15);
/// Rounds with readers, and as many without.
const ROUNDS: usize = 4;
/// Before it is watched: components are compiled, matches begin.
const WARM_UP: Duration = Duration::from_secs(2);

type Failed = Box<dyn std::error::Error>;

fn main() -> Result<(), Failed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are in the workspace");
    let built = Command::new(env!("CARGO")).args(["build", "--release"]).current_dir(root).status()?;
    if !built.success() {
        return Err("the program cannot be built".into());
    }
    let arena = root.join("target/release/arena");
    let folder = tempfile::tempdir()?;
    let mut rates = [Vec::new(), Vec::new()];
    let mut waits = Vec::new();
    for round in 0..2 * ROUNDS {
        let readers = if round % 2 == 0 { 0 } else { READERS };
        let file = tournament(&arena, root, folder.path(), round)?;
        let (rate, mut waited) = watch(&arena, &file, readers)?;
        rates[round % 2].push(rate);
        waits.append(&mut waited);
    }
    waits.sort_unstable();
    let at = |share: f64| waits[((waits.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    let [alone, read] = rates.map(|rates| rates.iter().sum::<f64>() / rates.len() as f64);
    println!("answers to {READERS} readers: {}", waits.len());
    println!("median {:.1} ms, 99th percentile {:.1} ms, longest {:.1} ms", at(0.5), at(0.99), at(1.0));
    println!("matches a second: {alone:.0} with nobody looking, {read:.0} with readers");
    println!("lost to readers: {:.1}%", 100.0 * (1.0 - read / alone));
    Ok(())
}

/// A new file, in which more is planned than will be played.
fn tournament(arena: &Path, root: &Path, folder: &Path, round: usize) -> Result<PathBuf, Failed> {
    let file = folder.join(format!("{round}.db"));
    let run = |args: &[&str]| Command::new(arena).args(args).stdout(Stdio::null()).status();
    let path = file.to_str().ok_or("the folder's name is UTF-8")?;
    run(&["create", path, "--pairs", "1000000", "--seed", "1"])?;
    for name in ["max-ev", "keep-choice", "dice-count", "threshold-300", "bank-asap", "random"] {
        let component = root.join("sample-agents/built").join(name).with_extension("wasm");
        run(&["submit", component.to_str().ok_or("paths here are UTF-8")?, "--to", path])?;
    }
    Ok(file)
}

/// Matches a second of a server, and what its readers waited.
fn watch(arena: &Path, file: &Path, readers: u64) -> Result<(f64, Vec<Duration>), Failed> {
    let mut server = Command::new(arena);
    server.arg("serve").arg(file).args(["--bind", "127.0.0.1:0", "--jobs", "1"]);
    let mut server = server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut line = String::new();
    BufReader::new(server.stdout.take().ok_or("the output is piped")?).read_line(&mut line)?;
    let address = line.trim().trim_end_matches('/').rsplit("http://").next().unwrap_or_default().to_owned();
    std::thread::sleep(WARM_UP);
    let before = stored(arena, file)?;
    let begun = Instant::now();
    let reading: Vec<_> = (0..readers)
        .map(|reader| {
            let address = address.clone();
            std::thread::spawn(move || read(&address, reader, begun + ROUND).map_err(|error| error.to_string()))
        })
        .collect();
    std::thread::sleep(ROUND);
    let took = begun.elapsed();
    let played = stored(arena, file)? - before;
    let mut waits = Vec::new();
    for reader in reading {
        waits.append(&mut reader.join().expect("readers do not panic")?);
    }
    stop(&mut server)?;
    Ok((played as f64 / took.as_secs_f64(), waits))
}

/// How many matches a file holds.
fn stored(arena: &Path, file: &Path) -> Result<u64, Failed> {
    let listed = Command::new(arena).args(["standings", "--format", "json"]).arg(file).output()?;
    let standings: serde_json::Value = serde_json::from_slice(&listed.stdout)?;
    standings["matches"].as_u64().ok_or_else(|| "standings say how many matches there are".into())
}

fn stop(server: &mut Child) -> Result<(), Failed> {
    Command::new("kill").arg(server.id().to_string()).status()?;
    server.wait()?;
    Ok(())
}

/// Asks until the end, and tells how long each answer took.
fn read(address: &str, reader: u64, end: Instant) -> Result<Vec<Duration>, Failed> {
    let path = if reader.is_multiple_of(2) { "/" } else { "/api/standings" };
    let mut stream = BufReader::new(TcpStream::connect(address)?);
    stream.get_ref().set_nodelay(true)?;
    let mut waits = Vec::new();
    // Not all at the same moment.
    std::thread::sleep(PAUSE * reader as u32 / READERS as u32);
    while Instant::now() < end {
        let begun = Instant::now();
        write!(stream.get_ref(), "GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n")?;
        answer(&mut stream)?;
        waits.push(begun.elapsed());
        std::thread::sleep(PAUSE.saturating_sub(begun.elapsed()));
    }
    Ok(waits)
}

/// Reads an answer to its end.
fn answer(stream: &mut BufReader<TcpStream>) -> Result<(), Failed> {
    let mut line = String::new();
    stream.read_line(&mut line)?;
    if !line.starts_with("HTTP/1.1 200") {
        return Err(format!("the server answers {}", line.trim()).into());
    }
    let mut length = 0;
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    stream.read_exact(&mut vec![0; length])?;
    Ok(())
}
