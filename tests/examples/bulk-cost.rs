//! What a unit of fuel may cost in time: the operations that do most work for it, one by one.
//!
//! ```sh
//! cargo run --release -p arena-tests --example bulk-cost [WORD]
//! ```
//!
//! Prints for each the nanoseconds of a unit of fuel, and the seconds that the fuel of one decision
//! and of `start` in the standard allowance would take. The arena promises that no decision holds a
//! core for longer than a second, so whatever comes near is worth a look at
//! `arena/host/src/engine.rs`. With a word, only what has it in its name is measured.

use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arena_core::{Agent, AgentError, Allowance, Answer, Contestant, Limits, Referee, Spent, Start, Table, Turn};
use arena_host::{ComponentAgent, Sandbox, Wasi};
use arena_tests::Guest;
use farkle::{ScoreTable, presets};

/// Long enough to be measured.
const ENOUGH: Duration = Duration::from_millis(150);

/// What is done again and again in one decision.
struct Work {
    name: &'static str,
    imports: &'static str,
    /// Tables, data, functions.
    also: String,
    start: &'static str,
    body: String,
}

fn work(name: &'static str, also: &str, body: &str, times: usize) -> Work {
    Work { name, imports: "", also: also.to_owned(), start: "", body: body.repeat(times) }
}

/// A call of an import.
fn call(name: &'static str, imports: &'static str, body: &str) -> Work {
    Work { imports, ..work(name, "", body, 16) }
}

/// An instruction of one operand applied to its own result.
fn chain(name: &'static str, instruction: &str, first: &str) -> Work {
    let ty = if instruction.starts_with("f64.") { "f64" } else { "v128" };
    let body = format!("(global.set $x {}(global.get $x){})", format!("({instruction} ").repeat(200), ")".repeat(200));
    work(name, &format!("(global $x (mut {ty}) {first})"), &body, 1)
}

/// Loads of which each says where the next is, all over the memory. `crossing` puts them across the
/// border of two cache lines.
fn chase(name: &'static str, crossing: bool) -> Work {
    let start = if crossing { CHASE_CROSSING } else { CHASE };
    let body = format!("(global.set $at {}(global.get $at){})", "(i32.load ".repeat(200), ")".repeat(200));
    let first = if crossing { 62 } else { 0 };
    Work { start, ..work(name, &format!("(global $at (mut i32) (i32.const {first}))"), &body, 1) }
}

/// Calls from function to function, all far from each other in a lot of code.
fn cold_calls() -> Work {
    const FUNCTIONS: usize = 4_000;
    let pad = "(i64.store (i32.const 0) (i64.mul (i64.load (i32.const 0)) (i64.const 3)))".repeat(60);
    let mut also = "(func $f0)".to_owned();
    // A full cycle: every function calls the one that is 1,237 places on.
    for number in 1..FUNCTIONS {
        let (own, next) = (number * 1_237 % FUNCTIONS, (number + 1) * 1_237 % FUNCTIONS);
        also += &format!("(func $f{own} (call $f{next}) (if (global.get $none) (then {pad})))");
    }
    work("call, cold", &also, "(call $f1237)", 1)
}

// A full cycle through all lines of 64 bytes.
const CHASE: &str = "(local $line i32) (local $next i32)
    (loop $again
        (local.set $next (i32.and (i32.add (i32.mul (local.get $line) (i32.const 664525)) (i32.const 390423)) (i32.const 0xfffff)))
        (i32.store (i32.shl (local.get $line) (i32.const 6)) (i32.shl (local.get $next) (i32.const 6)))
        (local.set $line (local.get $next))
        (br_if $again (local.get $line)))";
const CHASE_CROSSING: &str = "(local $line i32) (local $next i32)
    (loop $again
        (local.set $next (i32.and (i32.add (i32.mul (local.get $line) (i32.const 664525)) (i32.const 390423)) (i32.const 0x7ffff)))
        (i32.store (i32.add (i32.shl (local.get $line) (i32.const 6)) (i32.const 62)) (i32.add (i32.shl (local.get $next) (i32.const 6)) (i32.const 62)))
        (local.set $line (local.get $next))
        (br_if $again (local.get $line)))";

const TABLE: &str = "(table $t 100000 funcref) (func $f) (elem declare func $f)";

const LOG: &str = r#"(import "farkle:arena/logging@0.1.0" "log" (func $log (param i32 i32)))"#;
const SCALARS: &str = r#"
    (import "farkle:arena/scalars@0.1.0" "rule" (func $rule (param i32) (result i32)))
    (import "farkle:arena/scalars@0.1.0" "note" (func $note (param i64 i32)))"#;
const TABLES: &str = r#"
    (import "farkle:arena/table@0.1.0" "scores" (func $scores (param i32)))
    (import "farkle:arena/table@0.1.0" "history" (func $history (param i32 i32)))"#;
const RULES: &str = r#"(import "farkle:arena/rules@0.1.0" "current" (func $current (param i32)))"#;
const CLOCK: &str = r#"(import "wasi:clocks/monotonic-clock@0.2.12" "now" (func $now (result i64)))"#;
const RANDOM: &str = r#"(import "wasi:random/random@0.2.12" "get-random-bytes" (func $random (param i64 i32)))"#;
const PRINT: &str = r#"
    (import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
    (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
        (func $write (param i32 i32 i32 i32)))"#;

fn all() -> Vec<Work> {
    vec![
        work(
            "i64.add",
            "(global $x (mut i64) (i64.const 0))",
            "(global.set $x (i64.add (global.get $x) (i64.const 1)))",
            64,
        ),
        work(
            "i64.div_u",
            "(global $x (mut i64) (i64.const 3))",
            &format!(
                "(global.set $x {}(i64.const -1){})",
                "(i64.div_u ".repeat(50),
                " (i64.or (global.get $x) (i64.const 1)))".repeat(50)
            ),
            1,
        ),
        chain("f64.sqrt", "f64.sqrt", "(f64.const 1e9)"),
        chain("f64.nearest", "f64.nearest", "(f64.const 1e9)"),
        chain("f64.ceil", "f64.ceil", "(f64.const 1.5)"),
        chain("f32x4.ceil", "f32x4.ceil", "(v128.const f32x4 1.5 2.5 3.5 4.5)"),
        chain("f32x4.nearest", "f32x4.nearest", "(v128.const f32x4 1.5 2.5 3.5 4.5)"),
        chain("f64x2.nearest", "f64x2.nearest", "(v128.const f64x2 1.5 2.5)"),
        chain("f64x2.sqrt", "f64x2.sqrt", "(v128.const f64x2 1.5 2.5)"),
        chain("i8x16.popcnt", "i8x16.popcnt", "(v128.const i64x2 1 2)"),
        chain("i32x4.trunc_sat_f32x4_u", "i32x4.trunc_sat_f32x4_u", "(v128.const i64x2 1 2)"),
        chase("load, scattered", false),
        chase("load, scattered, two lines", true),
        work("memory.grow 0", "", "(drop (memory.grow (i32.const 0)))", 64),
        work("memory.grow, refused", "", "(drop (memory.grow (i32.const -1)))", 64),
        work("memory.fill, none", "", "(memory.fill (i32.const 0) (i32.const 0) (i32.const 0))", 64),
        work("memory.fill, 1 byte", "", "(memory.fill (i32.const 0) (i32.const 0) (i32.const 1))", 64),
        work("memory.fill, 60 MiB", "", "(memory.fill (i32.const 0) (i32.const 0) (i32.const 0x3c00000))", 1),
        work("memory.copy, none", "", "(memory.copy (i32.const 0) (i32.const 64) (global.get $none))", 64),
        work("memory.copy, 30 MiB", "", "(memory.copy (i32.const 0x1e00001) (i32.const 0) (i32.const 0x1e00000))", 1),
        work("memory.copy, 30 MiB backwards", "", "(memory.copy (i32.const 1) (i32.const 0) (i32.const 0x1e00000))", 1),
        work(
            "memory.init, none",
            "(data $d \"abc\")",
            "(memory.init $d (i32.const 0) (i32.const 0) (i32.const 0))",
            64,
        ),
        work("data.drop", "(data $d \"abc\")", "(data.drop $d)", 64),
        work("ref.func", TABLE, "(drop (ref.func $f))", 64),
        work(
            "table.get",
            &format!("{TABLE} (elem (i32.const 0) func {})", "$f ".repeat(1000)),
            "(drop (table.get $t (i32.const 500)))",
            64,
        ),
        work("table.set", TABLE, "(table.set $t (i32.const 500) (ref.null func))", 64),
        work("table.grow 0", TABLE, "(drop (table.grow $t (ref.null func) (i32.const 0)))", 64),
        work("table.grow, refused", TABLE, "(drop (table.grow $t (ref.null func) (i32.const 1)))", 64),
        work("table.fill, none", TABLE, "(table.fill $t (i32.const 0) (ref.null func) (i32.const 0))", 64),
        work("table.fill, 100000", TABLE, "(table.fill $t (i32.const 0) (ref.func $f) (i32.const 100000))", 1),
        work("table.copy, none", TABLE, "(table.copy (i32.const 0) (i32.const 1) (i32.const 0))", 64),
        work("table.copy, 99999", TABLE, "(table.copy (i32.const 0) (i32.const 1) (i32.const 99999))", 1),
        work(
            "table.init, none",
            &format!("{TABLE} (elem $e func {})", "$f ".repeat(1000)),
            "(table.init $e (i32.const 0) (i32.const 0) (i32.const 0))",
            64,
        ),
        work(
            "table.init, 50000",
            &format!("{TABLE} (elem $e func {})", "$f ".repeat(50_000)),
            "(table.init $e (i32.const 0) (i32.const 0) (i32.const 50000))",
            1,
        ),
        work(
            "table.init, 50000 expressions",
            &format!("{TABLE} (elem $e funcref {})", "(ref.func $f) ".repeat(50_000)),
            "(table.init $e (i32.const 0) (i32.const 0) (i32.const 50000))",
            1,
        ),
        work("elem.drop", &format!("{TABLE} (elem $e func $f)"), "(elem.drop $e)", 64),
        work("call_indirect", &format!("{TABLE} (elem (i32.const 0) func $f)"), "(call_indirect (i32.const 0))", 64),
        cold_calls(),
        call("rule", SCALARS, "(drop (call $rule (i32.const 3)))"),
        call("note, 8 bytes", SCALARS, "(call $note (i64.const 0x6162636465666768) (i32.const 8))"),
        call("note, end of line", SCALARS, "(call $note (i64.const 0) (i32.const 0))"),
        call("current", RULES, "(call $current (i32.const 4096))"),
        call("scores", TABLES, "(call $scores (i32.const 4096)) (global.set $free (i32.const 8192))"),
        call("history", TABLES, "(call $history (i32.const 0) (i32.const 4096)) (global.set $free (i32.const 8192))"),
        call("log, nothing", LOG, "(call $log (i32.const 0) (i32.const 0))"),
        call("log, 100 KiB", LOG, "(call $log (i32.const 8192) (i32.const 102400))"),
        call("WASI now", CLOCK, "(drop (call $now))"),
        call(
            "WASI random, 16 MiB",
            RANDOM,
            "(call $random (i64.const 0x1000000) (i32.const 4096)) (global.set $free (i32.const 8192))",
        ),
        Work {
            start: "(global.set $none (call $stderr)) (memory.fill (i32.const 8192) (i32.const 10) (i32.const 65536))",
            ..call(
                "WASI print, empty lines",
                PRINT,
                "(call $write (global.get $none) (i32.const 8192) (i32.const 65536) (i32.const 4096))",
            )
        },
        Work {
            start: "(local $at i32) (global.set $none (call $stderr)) (loop $again (i32.store (i32.add (i32.const 8192) (local.get $at)) (i32.const 0x0aff0aff)) (local.set $at (i32.add (local.get $at) (i32.const 4))) (br_if $again (i32.lt_u (local.get $at) (i32.const 65536))))",
            ..call(
                "WASI print, lines of a byte",
                PRINT,
                "(call $write (global.get $none) (i32.const 8192) (i32.const 65536) (i32.const 4096))",
            )
        },
    ]
}

/// An agent whose decisions are timed.
struct Timed<'a> {
    agent: &'a ComponentAgent,
    /// Nanoseconds of the last decision.
    took: Arc<AtomicU64>,
}

struct TimedSeat {
    agent: Box<dyn Agent>,
    /// Nanoseconds of the last decision.
    took: Arc<AtomicU64>,
}

impl Contestant for Timed<'_> {
    fn sha256(&self) -> [u8; 32] {
        self.agent.sha256()
    }

    fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(TimedSeat { agent: self.agent.seat(table)?, took: self.took.clone() }))
    }
}

impl Agent for TimedSeat {
    fn start(&mut self, start: &Start) -> Result<(), AgentError> {
        self.agent.start(start)
    }

    fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
        let begun = busy();
        let answer = self.agent.decide(turn);
        self.took.store((busy() - begun).as_nanos() as u64, Ordering::Relaxed);
        answer
    }

    fn take_notes(&mut self) -> Vec<String> {
        self.agent.take_notes()
    }

    fn spent(&self) -> Spent {
        self.agent.spent()
    }
}

/// How long this thread has had a core, where Linux tells: other programs use the machine as well.
fn busy() -> Duration {
    thread_local!(static BEGUN: Instant = Instant::now());
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let on_core = told.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    on_core.map_or_else(|| BEGUN.with(Instant::elapsed), Duration::from_nanos)
}

fn main() -> ExitCode {
    let word = std::env::args().nth(1).unwrap_or_default();
    let standard = Allowance::Standard.limits();
    println!("| work | ns a unit of fuel | s a decision | s a start |\n|---|---|---|---|");
    for work in all().iter().filter(|work| work.name.contains(&word)) {
        match measure(work) {
            Ok(ns) => {
                let seconds = |fuel: u64| ns * fuel as f64 / 1e9;
                let (decide, start) = (seconds(standard.decide_fuel), seconds(standard.start_fuel));
                println!("| {} | {ns:.2} | {decide:.3} | {start:.2} |", work.name);
            }
            Err(why) => println!("| {} | {why} | | |", work.name),
        }
    }
    ExitCode::SUCCESS
}

/// Nanoseconds of a unit of fuel.
fn measure(work: &Work) -> Result<f64, String> {
    let guest = Guest::banks()
        .memory("(memory (export \"memory\") 1024)")
        .imports(work.imports)
        .also("(global $none (mut i32) (i32.const 0))")
        .also(&work.also)
        .start(work.start)
        .before_deciding(&format!("(loop $again {} (br $again))", work.body));
    let sandbox = Sandbox::with(Wasi::Deterministic).map_err(|failure| failure.to_string())?;
    let agent = sandbox.load(&guest.component()).map_err(|refused| refused.to_string())?;
    let rules = Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN));
    let mut fuel = 1_000;
    loop {
        let limits = Limits { decide_fuel: fuel, start_fuel: 1 << 40, ..Allowance::Standard.limits() };
        let mut referee = Referee::new(rules.clone(), 2, limits).map_err(|error| error.to_string())?;
        let timed = Timed { agent: &agent, took: Arc::default() };
        // The best of three: other programs use the caches as well.
        let mut best = Duration::MAX;
        for _ in 0..3 {
            let played = referee.play(7, &[&timed, &agent]).map_err(|failure| failure.to_string())?;
            let Some((_, fault)) = played.faults.first() else { return Err("no fault".to_owned()) };
            if !fault.message.contains("spent its") {
                return Err(fault.message.replace('\n', " "));
            }
            best = best.min(Duration::from_nanos(timed.took.load(Ordering::Relaxed)));
        }
        if best >= ENOUGH || fuel >= 1 << 36 {
            return Ok(best.as_nanos() as f64 / fuel as f64);
        }
        fuel *= 4;
    }
}
