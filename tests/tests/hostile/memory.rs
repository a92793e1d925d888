//! Agents that want all of the machine's memory.

use std::rc::Rc;
use std::sync::Arc;

use arena_core::{Agent, AgentError, Contestant, FaultKind, HostFailure, Referee, Table};
use arena_host::{ComponentAgent, Sandbox};
use arena_tests::{Guest, guest_beside};
use farkle::{ScoreTable, presets};

use crate::arena::{assert_fault, assert_legal, limits, refusal, try_attack};

#[test]
fn a_memory_may_begin_at_the_limit_and_not_past_it() {
    // 64 MiB are 1,024 pages.
    assert_legal(&Guest::banks().memory("(memory (export \"memory\") 1024)"));
    for pages in [1_025, 65_536] {
        let said = refusal(&Guest::banks().memory(&format!("(memory (export \"memory\") {pages})")).component());
        assert!(said.contains("67108864 bytes"), "{said}");
    }
}

#[test]
fn memories_of_all_instances_count_together() {
    // A page is the guest's own.
    let module = "(module (memory 500))";
    try_attack(&guest_beside(&Guest::banks(), module, 2), limits()).unwrap().is_legal();
    let attack = try_attack(&guest_beside(&Guest::banks(), module, 3), limits()).unwrap();
    let (kind, said) = attack.fault();
    assert_eq!(kind, FaultKind::OutOfMemory, "{said}");
    assert!(said.contains("its set-up asked for more memory"), "{said}");
}

#[test]
fn growing_by_pages_ends_at_the_limit() {
    let grows = "(loop $again (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
        (if (i32.ne (memory.size) (i32.const 1024)) (then unreachable))";
    assert_legal(&Guest::banks().start(grows));
    let traps = format!("{grows} (i32.store (i32.const 0x4000000) (i32.const 1))");
    assert_fault(&Guest::banks().start(&traps), FaultKind::OutOfMemory, "67108864 bytes");
    // For ever, though it was refused.
    let forever = "(loop $again (drop (memory.grow (i32.const -1))) (br $again))";
    assert_fault(&Guest::banks().start(forever), FaultKind::OutOfFuel, "`start` spent its");
}

#[test]
fn tables_have_an_end() {
    let table = |elements: u64| Guest::banks().also(&format!("(table $t {elements} funcref)"));
    assert_legal(&table(100_000));
    for elements in [100_001, 10_000_000] {
        let said = refusal(&table(elements).component());
        assert!(said.contains("100000"), "{said}");
    }
    let grows = "(loop $again (br_if $again (i32.ne (table.grow $t (ref.null func) (i32.const 100)) (i32.const -1))))
        (if (i32.ne (table.size $t) (i32.const 100000)) (then unreachable))";
    assert_legal(&table(0).start(grows));
    let forever = "(loop $again (drop (table.grow $t (ref.null func) (i32.const 1))) (br $again))";
    assert_fault(&table(0).start(forever), FaultKind::OutOfFuel, "`start` spent its");
}

#[test]
fn there_is_an_end_of_instances_memories_and_tables() {
    let beside = |module: &str, instances| guest_beside(&Guest::banks(), module, instances);
    try_attack(&beside("(module)", 60), limits()).unwrap().is_legal();
    for (module, instances) in [("(module)", 64), ("(module (memory 0))", 8), ("(module (table 0 funcref))", 33)] {
        let said = refusal(&beside(module, instances));
        assert!(said.contains("64 instances") || said.contains("exceeds the configured maximum"), "{said}");
    }
    // More than anything counts.
    refusal(&beside("(module)", 5_000));
}

/// What one module may have does not depend on whether there is a pool.
#[test]
fn one_module_may_have_all_the_tables() {
    let tables = |count: usize| Guest::banks().also(&"(table 100 funcref)".repeat(count));
    assert_legal(&tables(32));
    assert!(refusal(&tables(33).component()).contains("tables"));
}

/// The engine keeps some bytes for each, outside the agent's memory.
#[test]
fn there_is_an_end_of_functions_and_globals() {
    let module = |count: usize, item: &str| format!("(module {})", item.repeat(count));
    let exports: String = (0..40_000).map(|n| format!("(func (export \"{n}\"))")).collect();
    for (module, instances) in [
        (module(40_000, "(func)"), 62),
        (format!("(module {exports})"), 62),
        (module(80_000, "(global i64 (i64.const 1))"), 62),
        (format!("(module {})", "(import \"a\" \"b\" (func))".repeat(40_000)), 62),
    ] {
        let said = refusal(&guest_beside(&Guest::banks(), &module, instances));
        assert!(said.contains("take") && said.contains("bytes of the arena: allowed are 67108864"), "{said}");
    }
    let many = format!("(module {exports})");
    try_attack(&guest_beside(&Guest::banks(), &many, 1), limits()).unwrap().is_legal();
}

/// They are made before any fuel is spent.
#[test]
fn there_is_an_end_of_elements_for_tables() {
    let elements = |kind: &str, count: usize| format!("(elem {kind} {})", "$f ".repeat(count));
    let module = |segments: &str| format!("(module (table 100000 funcref) (func $f) {segments})");
    for kind in ["(i32.const 0) func", "func"] {
        let said = refusal(&guest_beside(&Guest::banks(), &module(&elements(kind, 50_001).repeat(2)), 1));
        assert!(said.contains("a module of it holds 100002 elements for tables: allowed are 100000"), "{said}");
    }
    let most = module(&elements("(i32.const 0) func", 100_000));
    try_attack(&guest_beside(&Guest::banks(), &most, 1), limits()).unwrap().is_legal();
}

/// Takes many seats at one time, as on a machine with many cores.
struct Crowd(ComponentAgent);

impl Contestant for Crowd {
    fn sha256(&self) -> [u8; 32] {
        self.0.sha256()
    }

    fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        let seats: Result<Vec<_>, _> = (0..100).map(|_| self.0.seat(table)).collect();
        let said = seats.map_or_else(|error| error.to_string(), |seats| format!("{} are seated", seats.len()));
        Err(HostFailure::Failed(said).into())
    }
}

/// Else a few seats of it would void the matches of everybody.
#[test]
fn an_agent_with_many_memories_takes_no_seats_from_others() {
    let component = guest_beside(&Guest::banks(), "(module (memory 0))", 7);
    let sandbox = Sandbox::with_pool(true).unwrap();
    let crowd = Crowd(sandbox.load(&component).unwrap());
    let mut referee = Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits()).unwrap();
    let said = referee.play(7, &[&crowd, &crowd]).unwrap_err().to_string();
    assert!(said.contains("100 are seated"), "{said}");
}
