//! The least there can be, for benchmarks to stand beside: an agent that does not think, a call and an
//! instance without an arena around them; and a table to seat agents at outside a match.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use arena_core::{Agent, AgentError, Allowance, Contestant, HostFailure, Referee, Start, Table, Turn};
use farkle::{Ruleset, ScoreTable};
use wasmtime::component::{Component, InstancePre, Linker, TypedFunc};
use wasmtime::{Engine, Store};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// The sample agent that the benchmarks play.
pub(crate) const THRESHOLD: &[u8] = include_bytes!("../../../../sample-agents/built/threshold-300.wasm");

/// An agent of the contract that does nothing in `start`, and at every roll keeps a 1 and banks, whether
/// there is one or not: for calls outside a match.
pub(crate) fn component() -> Vec<u8> {
    let mut module = wat::parse_str(
        r#"(module
  (memory (export "memory") 1)
  (func (export "farkle:arena/agent@0.1.0#identity") (result i32) (i32.const 0))
  (func (export "farkle:arena/agent@0.1.0#start") (param i32 i32 i64 i32 i64))
  (func (export "farkle:arena/agent@0.1.0#decide")
    (param i32 i32 i32 i32 i32 i32) (param i32 i32 i32 i32) (param i32 i32 i32 i32) (result i32)
    (i32.const 0x1000001)))"#,
    )
    .expect("text");
    let mut resolve = Resolve::default();
    let (package, _) =
        resolve.push_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit")).expect("the contract parses");
    let world = resolve.select_world(&[package], Some("contestant")).expect("it has the world");
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).expect("metadata fits");
    let mut encoder = ComponentEncoder::default();
    encoder.validate(true).module(&module).expect("a module of the contract");
    encoder.encode().expect("a component")
}

/// An agent of that component in seat 0, started.
pub(crate) fn seated(contestant: &dyn Contestant, table: &Rc<Table>) -> Box<dyn Agent> {
    let mut agent = contestant.seat(table).expect("seated");
    let ruleset_id = table.ruleset().id();
    let turn_limit = table.limits().turns;
    agent.start(&Start { seat: 0, seats: 2, agent_seed: 1, turn_limit, ruleset_id }).expect("started");
    agent
}

/// The first roll of a match, for every roll of six dice that has a keep.
pub(crate) fn turns(rules: &Ruleset) -> Vec<Turn> {
    let table = ScoreTable::new(rules);
    let rolls = farkle::Faces::all(6).filter(|roll| !table.is_farkle(*roll));
    let turn = |roll| Turn {
        roll,
        at_risk: 0,
        score: 0,
        best_rival: 0,
        opening_due: rules.opening,
        turns: 0,
        rolls: 1,
        farkles_in_a_row: 0,
        closing: false,
    };
    rolls.map(turn).collect()
}

thread_local! {
    static SHOWN: RefCell<Option<Rc<Table>>> = const { RefCell::new(None) };
}

/// Takes the table that it is shown and sits down at none.
struct Onlooker;

impl Contestant for Onlooker {
    fn sha256(&self) -> [u8; 32] {
        [0; 32]
    }

    fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        SHOWN.set(Some(table.clone()));
        Err(HostFailure::Failed("nobody plays".to_owned()).into())
    }
}

/// The table of two seats at which a match would begin. Only a referee can lay one.
pub(crate) fn table(rules: &Ruleset) -> Rc<Table> {
    let rules = Arc::new(ScoreTable::new(rules));
    let mut referee = Referee::new(rules, 2, Allowance::Standard.limits()).expect("two seats");
    referee.play(0, &[&Onlooker, &Onlooker]).expect_err("nobody plays");
    SHOWN.take().expect("it was shown")
}

/// A component that does nothing, called without arguments and without a limit worth the name.
pub(crate) struct BareCall {
    store: Store<()>,
    f: TypedFunc<(), ()>,
}

impl BareCall {
    pub(crate) fn new(engine: &Engine) -> BareCall {
        let text = r#"(component (core module $m (func (export "f"))) (core instance $i (instantiate $m))
            (func (export "f") (canon lift (core func $i "f"))))"#;
        let component = Component::new(engine, wat::parse_str(text).expect("text")).expect("component");
        let mut store = bare_store(engine);
        let instance = Linker::new(engine).instantiate(&mut store, &component).expect("instance");
        let f = instance.get_typed_func(&mut store, "f").expect("export");
        BareCall { store, f }
    }

    #[inline]
    pub(crate) fn call(&mut self) {
        self.f.call(&mut self.store, ()).expect("call");
    }
}

/// A component to be instantiated in a fresh store and dropped, with imports that are never called.
pub(crate) struct BareInstance(InstancePre<()>);

impl BareInstance {
    pub(crate) fn new(engine: &Engine, component: &[u8]) -> BareInstance {
        let component = Component::new(engine, component).expect("component");
        let mut linker = Linker::<()>::new(engine);
        linker.define_unknown_imports_as_traps(&component).expect("imports");
        BareInstance(linker.instantiate_pre(&component).expect("imports fit"))
    }

    #[inline]
    pub(crate) fn make_and_drop(&self) {
        let mut store = bare_store(self.0.engine());
        std::hint::black_box(self.0.instantiate(&mut store).expect("instance"));
    }
}

fn bare_store(engine: &Engine) -> Store<()> {
    let mut store = Store::new(engine, ());
    store.set_fuel(u64::MAX / 2).expect("fuel");
    // A store begins with a deadline that has passed.
    store.set_epoch_deadline(u64::MAX / 2);
    store
}
