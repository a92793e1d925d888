//! A person in a seat: asked, told what is wrong, asked again.
//!
//! Owns the conversation of everybody at one keyboard. Refuses to hand the referee what is not legal,
//! and to decide: it stops the match where nobody answers any more.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Stdin, Write};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arena_core::rulebook::{dashed, thousands};
use arena_core::{Agent, AgentError, Answer, Contestant, Event, HostFailure, Start, Table, Turn, What};
use farkle::{Decision, Faces, MatchState, Next, ScoreTable};

use super::input::{self, Command, Line};
use super::offer::{Offer, Priced, no_bank};
use super::save::{SaveFile, SavedDecision};
use super::screen::{self, Style};
use crate::failure::Failure;
use crate::harmless::harmless;
use crate::play_by_play;

/// Bytes of a line that are read; nobody types more.
const LONGEST_LINE: u64 = 1_000;

/// Why the match does not go on, though it is not over.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A person wanted it.
    Quit,
    /// There is nobody to ask, or nobody who reads.
    NoMoreInput,
    /// Something went wrong.
    Failed(Failure),
}

/// The keyboard and the screen, shared by all people of a match.
pub(crate) struct Console {
    input: BufReader<Stdin>,
    /// Whether lines are shown as they are read: on a terminal they already are.
    echoes: bool,
    style: Style,
    names: Vec<String>,
    /// The match up to the last event that was looked at.
    state: MatchState,
    seen: usize,
    /// Events that people have read about, and whose turn was named last.
    shown: usize,
    named: Option<(u8, u32)>,
    /// By dice - 1.
    chances: Vec<f64>,
    /// Decisions of an earlier sitting that are not made again yet.
    earlier: VecDeque<SavedDecision>,
    save: Arc<Mutex<SaveFile>>,
    stop: Option<Stop>,
}

/// A person, who is one and the same in every match.
pub(crate) struct Person(pub(crate) Arc<Mutex<Console>>);

struct Seated {
    console: Arc<Mutex<Console>>,
    table: Rc<Table>,
    seat: u8,
}

impl Contestant for Person {
    fn sha256(&self) -> [u8; 32] {
        super::sha256()
    }

    fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Seated { console: self.0.clone(), table: table.clone(), seat: 0 }))
    }
}

impl Agent for Seated {
    fn start(&mut self, start: &Start) -> Result<(), AgentError> {
        self.seat = start.seat;
        Ok(())
    }

    fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
        let mut console = locked(&self.console);
        match console.decide(self.seat, turn.roll, &self.table.events()) {
            Ok(decision) => Ok(Answer::from_decision(decision.keep, decision.next)),
            // Void, so that nothing becomes a result; why is kept for who started the match.
            Err(stop) => {
                console.stop = Some(stop);
                Err(HostFailure::Failed("a person left the table".to_owned()).into())
            }
        }
    }
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Console {
    /// A console for a match, which takes up the decisions that are saved.
    pub(crate) fn new(
        names: Vec<String>,
        rules: Arc<ScoreTable>,
        turn_limit: u32,
        save: Arc<Mutex<SaveFile>>,
    ) -> Console {
        let earlier = locked(&save).saved.decisions.iter().copied().collect();
        Console {
            input: BufReader::new(io::stdin()),
            echoes: !io::stdin().is_terminal(),
            style: Style::of_output(),
            chances: screen::farkle_chances(&rules),
            state: MatchState::new(rules, names.len(), turn_limit),
            names,
            seen: 0,
            shown: 0,
            named: None,
            earlier,
            save,
            stop: None,
        }
    }

    /// Why the match stopped, if a person or this console was the reason.
    pub(crate) fn take_stop(&mut self) -> Option<Stop> {
        self.stop.take()
    }

    /// Tells what nobody has read about yet, at the end of a match.
    ///
    /// # Errors
    ///
    /// When the decisions of an earlier sitting are not all made again.
    pub(crate) fn finish(&mut self, events: &[Event]) -> Result<(), Stop> {
        if !self.earlier.is_empty() {
            return Err(self.misfit("the match ended before all its decisions were made again"));
        }
        self.tell(events)
    }

    fn decide(&mut self, seat: u8, roll: Faces, events: &[Event]) -> Result<Decision, Stop> {
        self.look_at(events);
        let mut now = self.state.clone();
        let offer = now.roll(roll).ok().and_then(|_| Offer::new(now.clone()));
        let Some(offer) = offer.filter(|_| now.to_move() == Some(seat.into())) else {
            return Err(self.misfit("the match and its events part"));
        };
        if let Some(decision) = self.earlier.pop_front() {
            let SavedDecision { keep, next, .. } = decision;
            let expected = SavedDecision { after: events.len(), seat, roll, keep, next };
            let decided = Decision { keep, next };
            if decision != expected || offer.check(decided).is_err() {
                return Err(self.misfit("its decisions do not belong to this match"));
            }
            // That far people have read before.
            (self.shown, self.named) = (events.len(), None);
            return Ok(decided);
        }
        self.tell(events)?;
        let turn = now.seats()[usize::from(seat)].turns + 1;
        if self.named != Some((seat, turn)) {
            self.name_turn(seat, turn)?;
        }
        let drawn = screen::turn(&offer, &self.names, &now, &self.chances, self.style);
        self.say(&drawn)?;
        let decided = self.ask(seat, &offer, &now, events)?;
        let decision = SavedDecision { after: events.len(), seat, roll, keep: decided.keep, next: decided.next };
        locked(&self.save).push(decision).map_err(Stop::Failed)?;
        Ok(decided)
    }

    /// Asks until there is a keep and what then.
    fn ask(&mut self, seat: u8, offer: &Offer, now: &MatchState, events: &[Event]) -> Result<Decision, Stop> {
        let name = self.names[usize::from(seat)].clone();
        // The keep that somebody named without saying what then.
        let mut half: Option<&Priced> = None;
        loop {
            let prompt = match half {
                Some(keep) => format!("{name}, with {}: {}> ", keep.named(), what_then(keep)),
                None => format!("{name}> "),
            };
            let typed = self.line(&prompt)?;
            let mistake = match input::read(&typed) {
                Ok(Line::Empty) => match half {
                    Some(_) => "say what then: `roll` or `bank`, or name another keep".to_owned(),
                    None => "nothing is typed".to_owned(),
                },
                Ok(Line::Command(Command::Quit)) => return Err(Stop::Quit),
                Ok(Line::Command(command)) => {
                    let answer = self.answer(command, offer, now, events);
                    self.say(&answer)?;
                    continue;
                }
                Ok(Line::Choice { keep, next }) => match choose(offer, half, keep, next) {
                    Ok(Chosen::All(decision)) => return Ok(decision),
                    Ok(Chosen::Half(keep)) => {
                        half = Some(keep);
                        continue;
                    }
                    Err(mistake) => mistake,
                },
                Err(mistake) => mistake,
            };
            self.say(&format!("  not done: {mistake}\n  allowed: {}; `help` says more\n", offer.allowed()))?;
        }
    }

    fn answer(&self, command: Command, offer: &Offer, now: &MatchState, events: &[Event]) -> String {
        match command {
            Command::Help => screen::help().to_owned(),
            Command::Odds => screen::odds_here(offer, now, &self.chances),
            Command::Score => screen::score_lines(&self.names, now),
            Command::History if events.is_empty() => "  nothing has happened yet\n".to_owned(),
            Command::History => told(&self.names, events, &mut None).trim_start().to_owned(),
            Command::Rules => screen::rules(now.table().ruleset()),
            Command::Undo => {
                "  there is no undo: what is decided is decided. The dice of every roll are fixed by the seed and by seat, \
                 turn and roll,\n  so going back would be deciding with the next dice known\n"
                    .to_owned()
            }
            Command::Quit => String::new(),
        }
    }

    /// Follows the events into the state of the match.
    fn look_at(&mut self, events: &[Event]) {
        for event in &events[self.seen..] {
            let seat = usize::from(event.seat);
            // What the referee accepted is legal, so nothing here fails.
            let _ = match &event.what {
                What::Rolled(kept) | What::Won(kept) | What::Banked { keep: kept, .. } => {
                    let next = if matches!(event.what, What::Banked { .. }) { Next::Bank } else { Next::Roll };
                    let decision = Decision { keep: kept.keep, next };
                    self.state.roll(kept.roll).and_then(|_| self.state.decide(decision)).map(|_| ())
                }
                What::Farkled { roll, .. } => self.state.roll(*roll).map(|_| ()),
                What::Faulted { roll, .. } => {
                    if let Some(roll) = roll {
                        let _ = self.state.roll(*roll);
                    }
                    self.state.forfeit(seat)
                }
            };
        }
        self.seen = events.len();
    }

    /// Tells what happened since people were told last.
    fn tell(&mut self, events: &[Event]) -> Result<(), Stop> {
        let text = told(&self.names, &events[self.shown..], &mut self.named);
        self.shown = events.len();
        self.say(&text)
    }

    fn name_turn(&mut self, seat: u8, turn: u32) -> Result<(), Stop> {
        self.named = Some((seat, turn));
        let heading = play_by_play::heading(&self.names[usize::from(seat)], turn);
        self.say(&format!("\n{}\n", self.style.strong(&heading)))
    }

    /// Prints a prompt and reads a line.
    fn line(&mut self, prompt: &str) -> Result<String, Stop> {
        self.say(prompt)?;
        let unreadable = |error| Stop::Failed(Failure::failed(format!("the standard input cannot be read: {error}")));
        let mut line = Vec::new();
        let read = (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(unreadable)?;
        if read == 0 {
            self.say("\n")?;
            return Err(Stop::NoMoreInput);
        }
        let whole = line.ends_with(b"\n");
        if !whole && read as u64 == LONGEST_LINE {
            // What follows belongs to the same line, and so the line is none.
            line = b"(a line of more than 1000 bytes)".to_vec();
            loop {
                let mut more = Vec::new();
                let read = (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut more).map_err(unreadable)?;
                if read == 0 || more.ends_with(b"\n") {
                    break;
                }
            }
        }
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if self.echoes {
            self.say(&format!("{}\n", harmless(&line)))?;
        } else if !whole {
            // Ended by the end of the input, not by the return key.
            self.say("\n")?;
        }
        Ok(line)
    }

    /// Shows text. Where nobody reads any more, nobody is asked either.
    fn say(&self, text: &str) -> Result<(), Stop> {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Stop::NoMoreInput),
            Err(error) => Err(Stop::Failed(Failure::failed(format!("the screen cannot be written: {error}")))),
        }
    }

    fn misfit(&self, why: &str) -> Stop {
        let path = locked(&self.save).path().display().to_string();
        Stop::Failed(Failure::usage(format!("{path} cannot be gone on with: {why}; it is left as it is")))
    }
}

/// What happened, under whose turn it was.
fn told(names: &[String], events: &[Event], named: &mut Option<(u8, u32)>) -> String {
    let mut text = String::new();
    for event in events {
        if *named != Some((event.seat, event.turn)) {
            *named = Some((event.seat, event.turn));
            text += &format!("\n{}\n", play_by_play::heading(&names[usize::from(event.seat)], event.turn));
        }
        text += &format!("  {}\n", play_by_play::line(event));
    }
    text
}

enum Chosen<'a> {
    /// Everything is said.
    All(Decision),
    /// What then is missing.
    Half(&'a Priced),
}

/// What a line comes to, after the half of one that may have come before.
fn choose<'a>(
    offer: &'a Offer,
    half: Option<&'a Priced>,
    keep: Option<input::Wanted>,
    next: Option<Next>,
) -> Result<Chosen<'a>, String> {
    let keep = match (keep, half, &offer.keeps[..]) {
        (Some(wanted), ..) => offer.find(wanted)?,
        (None, Some(half), _) => half,
        (None, None, [only]) => only,
        (None, None, _) => {
            return Err(format!(
                "a keep is missing: say which, as in `1 {}`",
                if next == Some(Next::Bank) { "bank" } else { "roll" }
            ));
        }
    };
    let next = match (next, keep.rolls, &keep.bank) {
        (Some(Next::Bank), Some(_), Err(why)) => {
            let instead = match keep.rolls {
                Some(dice) => format!("; `roll` rolls {}", screen::dice_in_words(dice)),
                None => String::new(),
            };
            return Err(format!("{} cannot be banked: {}{instead}", dashed(keep.dice), no_bank(why)));
        }
        (Some(next), ..) => next,
        (None, None, _) => Next::Roll,
        (None, Some(_), _) => return Ok(Chosen::Half(keep)),
    };
    let decision = Decision { keep: keep.dice, next };
    // Asked of the rules themselves: the list above only words it better.
    offer.check(decision)?;
    Ok(Chosen::All(decision))
}

fn what_then(keep: &Priced) -> String {
    let roll = keep.rolls.map_or(String::new(), |dice| format!("roll {}", screen::dice_in_words(dice)));
    match keep.bank {
        Ok(_) => format!("{roll} or bank {}", thousands(keep.at_risk)),
        Err(ref why) => format!("{roll}; no bank: {}", no_bank(why)),
    }
}
