//! Bytes that claim to be an agent's component.
//!
//! Owns what must hold of whatever is submitted: it is refused in words or it loads; what loads can be
//! asked who it is and plays; a match plays the same again; and no component makes the host fail, since a
//! void match is nobody's fault.

use std::sync::{Arc, OnceLock};

use arena_core::{Agent, AgentError, Answer, Contestant, Limits, Referee, Start, Table, Turn};
use arena_host::{ComponentAgent, Refused, Sandbox, Wasi};
use farkle::{Chart, Next, Ruleset, ScoreTable, presets};

/// Large enough for the sample agents, small enough for thousands of matches.
const LIMITS: Limits = Limits { start_fuel: 5_000_000, decide_fuel: 500_000, memory_bytes: 64 << 20, turns: 8 };

/// The bytes as a component, in the ranked class or else with WASI.
pub fn component(data: &[u8]) {
    static RANKED: OnceLock<Sandbox> = OnceLock::new();
    static WITH_WASI: OnceLock<Sandbox> = OnceLock::new();
    let ranked = RANKED.get_or_init(|| Sandbox::new().unwrap());
    let loaded = match ranked.load(data) {
        Err(Refused::Wasi { .. }) => WITH_WASI.get_or_init(|| Sandbox::with(Wasi::Deterministic).unwrap()).load(data),
        other => other,
    };
    match loaded {
        Ok(agent) => plays(&agent),
        Err(why) => assert!(!why.to_string().is_empty()),
    }
}

fn plays(agent: &ComponentAgent) {
    let _ = (agent.imports(), agent.initial_memory(), agent.wasi());
    let about = agent.about();
    if let Err(why) = &about {
        // The word of a host failure.
        assert!(!why.to_string().contains("the match is void"), "{why}");
    }
    assert_eq!(agent.about(), about);
    static RULES: OnceLock<Arc<ScoreTable>> = OnceLock::new();
    let rules = RULES.get_or_init(|| Arc::new(ScoreTable::new(&Ruleset { target: 2_000, ..presets::PLAY_TABLE })));
    let mut referee = Referee::new(rules.clone(), 2, LIMITS).unwrap();
    referee.keep_calls();
    let played = referee.play(11, &[agent, &Opponent]).unwrap();
    assert_eq!(referee.play(11, &[agent, &Opponent]), Ok(played));
}

/// Takes the most points and banks.
struct Opponent;

impl Contestant for Opponent {
    fn sha256(&self) -> [u8; 32] {
        [1; 32]
    }

    fn seat(&self, table: &std::rc::Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Seated(Chart::new(table.ruleset()))))
    }
}

struct Seated(Chart);

impl Agent for Seated {
    fn start(&mut self, _: &Start) -> Result<(), AgentError> {
        Ok(())
    }

    fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
        let keep = self.0.best_keep(turn.roll).expect("nobody is asked about a farkle");
        Ok(Answer::from_decision(keep.dice, Next::Bank))
    }
}
