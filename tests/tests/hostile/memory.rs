//! Agents that want all of the machine's memory.

use std::rc::Rc;
use std::sync::Arc;

use arena_core::{Agent, AgentError, Contestant, FaultKind, HostFailure, Referee, Table};
use arena_host::{ComponentAgent, Sandbox};
use arena_tests::zoo::{Attempt, case};
use arena_tests::{Guest, guest_beside, guest_beside_components};
use farkle::{ScoreTable, presets};

use crate::arena::{Expected, assert_component, assert_fault, assert_legal, assert_refused, limits};

#[test]
fn a_memory_may_begin_at_the_limit_and_not_past_it() {
    // 64 MiB are 1,024 pages.
    case("1024 pages");
    assert_legal(&Guest::banks().memory("(memory (export \"memory\") 1024)"));
    for pages in [1_025, 65_536] {
        case(&format!("{pages} pages"));
        let guest = Guest::banks().memory(&format!("(memory (export \"memory\") {pages})"));
        assert_refused(&guest.component(), "67108864 bytes");
    }
}

#[test]
fn memories_of_all_instances_count_together() {
    // A page is the guest's own.
    let module = "(module (memory 500))";
    case("2 of 500 pages");
    assert_component(&guest_beside(&Guest::banks(), module, 2), Expected::Legal);
    case("3 of 500 pages");
    let expected = Expected::Fault(FaultKind::OutOfMemory, "its set-up asked for more memory");
    assert_component(&guest_beside(&Guest::banks(), module, 3), expected);
}

#[test]
fn growing_by_pages_ends_at_the_limit() {
    let grows = "(loop $again (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
        (if (i32.ne (memory.size) (i32.const 1024)) (then unreachable))";
    case("to the limit");
    assert_legal(&Guest::banks().start(grows));
    case("past it");
    let traps = format!("{grows} (i32.store (i32.const 0x4000000) (i32.const 1))");
    assert_fault(&Guest::banks().start(&traps), FaultKind::OutOfMemory, "67108864 bytes");
    case("for ever, though it was refused");
    let forever = "(loop $again (drop (memory.grow (i32.const -1))) (br $again))";
    assert_fault(&Guest::banks().start(forever), FaultKind::OutOfFuel, "`start` spent its");
}

#[test]
fn tables_have_an_end() {
    let table = |elements: u64| Guest::banks().also(&format!("(table $t {elements} funcref)"));
    case("of 100000 elements");
    assert_legal(&table(100_000));
    for elements in [100_001, 10_000_000] {
        case(&format!("of {elements} elements"));
        assert_refused(&table(elements).component(), "100000");
    }
    let grows = "(loop $again (br_if $again (i32.ne (table.grow $t (ref.null func) (i32.const 100)) (i32.const -1))))
        (if (i32.ne (table.size $t) (i32.const 100000)) (then unreachable))";
    case("growing to the limit");
    assert_legal(&table(0).start(grows));
    case("growing for ever");
    let forever = "(loop $again (drop (table.grow $t (ref.null func) (i32.const 1))) (br $again))";
    assert_fault(&table(0).start(forever), FaultKind::OutOfFuel, "`start` spent its");
}

#[test]
fn there_is_an_end_of_instances_memories_and_tables() {
    let beside = |module: &str, instances| guest_beside(&Guest::banks(), module, instances);
    case("60 instances");
    assert_component(&beside("(module)", 60), Expected::Legal);
    for (module, instances, why) in [
        ("(module)", 64, "more than 64 instances"),
        ("(module (memory 0))", 8, "exceeds the configured maximum"),
        ("(module (table 0 funcref))", 33, "exceeds the configured maximum"),
        // More than anything counts.
        ("(module)", 5_000, "more than 64 instances"),
    ] {
        case(&format!("{instances} instances of {module}"));
        assert_refused(&beside(module, instances), why);
    }
}

/// What one module may have does not depend on whether there is a pool.
#[test]
fn one_module_may_have_all_the_tables() {
    let tables = |count: usize| Guest::banks().also(&"(table 100 funcref)".repeat(count));
    case("32 tables");
    assert_legal(&tables(32));
    case("33 tables");
    assert_refused(&tables(33).component(), "tables");
}

/// The engine keeps some bytes for each, outside the agent's memory.
#[test]
fn there_is_an_end_of_functions_and_globals() {
    let module = |count: usize, item: &str| format!("(module {})", item.repeat(count));
    let exports: String = (0..40_000).map(|n| format!("(func (export \"{n}\"))")).collect();
    let exports = format!("(module {exports})");
    for (what, module) in [
        ("40000 functions", &module(40_000, "(func)")),
        ("40000 exported functions", &exports),
        ("80000 globals", &module(80_000, "(global i64 (i64.const 1))")),
        ("40000 imported functions", &module(40_000, "(import \"a\" \"b\" (func))")),
    ] {
        case(&format!("62 instances of {what}"));
        assert_refused(&guest_beside(&Guest::banks(), module, 62), "bytes of the arena: allowed are 67108864");
    }
    let inside = |globals: usize| {
        let module = module(globals, "(global i64 (i64.const 1))");
        format!("(component (core {} (core instance (instantiate $m)))", &module.replacen("(module", "module $m", 1))
    };
    case("30 instances of a component with one of 70000 globals");
    let component = guest_beside_components(&Guest::banks(), &inside(70_000), 30);
    assert_refused(&component, "bytes of the arena: allowed are 67108864");
    case("30 instances of a component with one of 10 globals");
    assert_component(&guest_beside_components(&Guest::banks(), &inside(10), 30), Expected::Legal);
    case("1 instance of 40000 exported functions");
    assert_component(&guest_beside(&Guest::banks(), &exports, 1), Expected::Legal);
}

/// They are made before any fuel is spent.
#[test]
fn there_is_an_end_of_elements_for_tables() {
    let elements = |kind: &str, count: usize| format!("(elem {kind} {})", "$f ".repeat(count));
    let module = |segments: &str| format!("(module (table 100000 funcref) (func $f) {segments})");
    for kind in ["(i32.const 0) func", "func"] {
        case(&format!("100002, {kind}"));
        let component = guest_beside(&Guest::banks(), &module(&elements(kind, 50_001).repeat(2)), 1);
        assert_refused(&component, "a module of it holds 100002 elements for tables: allowed are 100000");
    }
    case("100000");
    let most = module(&elements("(i32.const 0) func", 100_000));
    assert_component(&guest_beside(&Guest::banks(), &most, 1), Expected::Legal);
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
    let mut attempt = Attempt::expecting("100 are seated at one time");
    let said = referee.play(7, &[&crowd, &crowd]).unwrap_err().to_string();
    attempt.saw(&said);
    assert!(said.contains("100 are seated"), "{said}");
    attempt.held();
}
