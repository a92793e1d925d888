//! Questions asked of the standard input, a line each.
//!
//! Owns the reading of lines and the order of answers: one line each, a malformed one answered in
//! its place. Refuses to stop at a malformed line: that is said by the exit code at the end.

use std::io::{self, BufRead, BufReader, Write};

use crate::args::Format;
use crate::failure::Failure;
use crate::harmless::{harmless, harmless_json};

/// Answers every line of the standard input with a line of the standard output.
pub(crate) fn answer_each(
    format: Format,
    mut answer: impl FnMut(&str) -> Result<String, Failure>,
) -> Result<(), Failure> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut out = io::BufWriter::new(io::stdout().lock());
    let (mut asked, mut malformed) = (0u64, 0u64);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        if read.map_err(|error| Failure::failed(format!("the standard input cannot be read: {error}")))? == 0 {
            break;
        }
        asked += 1;
        let answered = match std::str::from_utf8(&line) {
            Ok(text) => answer(text.trim()),
            Err(error) => Err(Failure::usage(format!("not a line of text: {error}"))),
        };
        let text = match (answered, format) {
            (Ok(text), _) => text,
            (Err(failure), Format::Json) => {
                malformed += 1;
                harmless_json(&serde_json::json!({ "error": failure.to_string() }).to_string())
            }
            (Err(failure), Format::Text) => {
                malformed += 1;
                format!("error: {}", harmless(&failure.to_string()).replace('\n', "\\n"))
            }
        };
        // Who asks and waits for the answer gets it; who sends a file is answered in blocks.
        let written =
            writeln!(out, "{text}").and_then(|()| if input.buffer().is_empty() { out.flush() } else { Ok(()) });
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            written => written.map_err(|error| Failure::failed(format!("the result cannot be written: {error}")))?,
        }
    }
    let _ = out.flush();
    match malformed {
        0 => Ok(()),
        n => Err(Failure::usage(format!("{n} of {asked} lines {} malformed", if n == 1 { "is" } else { "are" }))),
    }
}
