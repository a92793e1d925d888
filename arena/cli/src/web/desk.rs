//! The desk: whoever was submitted is examined, one after another, and enters or is refused.
//!
//! Owns the order in which that happens: authors take turns. A submission waits in the file until there is a verdict: a stop at
//! any moment costs the examination that was going on, which is begun anew. Refuses to blame an agent
//! for the machine.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::watch;

use super::examiner::{self, Finding};
use super::player::Bell;
use super::problem::Problem;
use super::state::State;
use crate::entrance::{self, Candidate, Examined, Terms};
use crate::failure::Failure;
use crate::output;
use crate::store::{By, State as Stands, Store, Unwelcome, Verdict, Waiting};

/// How often the machine may fail over one submission.
const TRIES: u32 = 3;
/// Before it is tried again.
const PAUSE: Duration = Duration::from_secs(5);
/// How often it is looked whether something waits that nobody has announced.
const LOOK: Duration = Duration::from_secs(10);

/// Works until the server stops.
pub(super) async fn work(state: State, bell: Bell, mut stopping: watch::Receiver<bool>) {
    let mut desk =
        Desk { terms: Terms::of(&state.settings), state, bell, turns: Turns::default(), tries: (0, 0), told: None };
    tokio::select! {
        () = desk.work() => {}
        // A process that examines somebody ends with this.
        _ = stopping.wait_for(|stop| *stop) => {}
    }
}

struct Desk {
    state: State,
    terms: Terms,
    bell: Bell,
    turns: Turns,
    /// The submission over which the machine failed last, and how often.
    tries: (u64, u32),
    /// What was told of that.
    told: Option<String>,
}

impl Desk {
    async fn work(&mut self) {
        loop {
            match self.next().await {
                Ok(true) => self.told = None,
                Ok(false) => {
                    let _ = tokio::time::timeout(LOOK, self.state.submitted.notified()).await;
                }
                Err(why) => {
                    if self.told.as_ref() != Some(&why) {
                        output::tell(&format!("arena: what was submitted waits: {why}"));
                    }
                    self.told = Some(why);
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    /// Sees to the submission whose turn it is. Says whether there was one.
    async fn next(&mut self) -> Result<bool, String> {
        let heads = self.with_store(|store| store.heads_of_lines()).await?;
        let Some((author, id)) = self.turns.whose(heads) else { return Ok(false) };
        let Some(waiting) = self.with_store(move |store| store.waiting_submission(id)).await? else {
            return Ok(true);
        };
        let most = self.state.agents_of_author;
        let (waiting, refused) = self.with_store(move |store| announced(store, waiting, most)).await?;
        let verdict = match refused {
            Some(reason) => verdict(Stands::Refused, reason, None),
            None => match examiner::examine_apart(&waiting.name, &self.terms, &waiting.bytes).await {
                Ok(Finding::Contestant { examined, report }) => {
                    match self.with_store(move |store| enter(store, &waiting, &examined, most)).await? {
                        Ok(told) => verdict(Stands::Accepted, told, Some(report)),
                        Err(reason) => verdict(Stands::Refused, reason, Some(report)),
                    }
                }
                Ok(Finding::Refused { reason, report }) => {
                    let report = report.unwrap_or_else(|| examiner::without_figures(&reason));
                    verdict(Stands::Refused, reason, Some(report))
                }
                Err(why) => self.failed(id, why)?,
            },
        };
        let came = verdict.state == Stands::Accepted;
        self.with_store(move |store| store.judge(id, &verdict)).await?;
        self.turns.was(author);
        if came {
            self.bell.ring();
        }
        Ok(true)
    }

    /// The machine failed over a submission: it waits, but not for ever.
    fn failed(&mut self, id: u64, why: String) -> Result<Verdict, String> {
        let before = if self.tries.0 == id { self.tries.1 } else { 0 };
        self.tries = (id, before + 1);
        if self.tries.1 < TRIES {
            return Err(why);
        }
        output::tell(&format!("arena: submission {id} cannot be checked: {why}"));
        let message =
            "the arena could not check it, which is not its fault; the organiser was told why: submit it again";
        Ok(verdict(Stands::Failed, message.to_owned(), None))
    }

    async fn with_store<T: Send + 'static>(
        &self,
        what: impl FnOnce(&mut Store) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, String> {
        let done = self.state.with_store(|_, store| Ok::<_, Problem>(what(store))).await;
        done.map_err(|problem| problem.message)?.map_err(|failure| failure.to_string())
    }
}

/// Whose turn it is: that of whoever was seen to longest ago, or never. So one author's slow agents cost
/// another author the time of one of them, however many wait.
#[derive(Default)]
struct Turns {
    /// The turn that each author had last.
    last: HashMap<String, u64>,
    turns: u64,
}

impl Turns {
    /// Of authors and the submissions that are first in their lines; among equals, who came first.
    fn whose(&self, heads: Vec<(String, u64)>) -> Option<(String, u64)> {
        heads.into_iter().min_by_key(|(author, id)| (self.last.get(author).copied().unwrap_or(0), *id))
    }

    fn was(&mut self, author: String) {
        self.turns += 1;
        self.last.insert(author, self.turns);
    }
}

fn candidate(waiting: &Waiting) -> Candidate<'_> {
    Candidate { name: &waiting.name, by: By::Author(&waiting.author), bytes: &waiting.bytes }
}

/// Refuses who may not come as it wants to.
fn may_come(store: &Store, waiting: &Waiting, most: usize) -> Result<(), Failure> {
    store.check_share(&waiting.author, &waiting.name, most)?;
    entrance::may_come(store, &candidate(waiting))
}

/// What speaks against a submission before it is compiled.
fn announced(store: &Store, waiting: Waiting, most: usize) -> Result<(Waiting, Option<String>), Failure> {
    let refused = may_come(store, &waiting, most).map_or_else(|failure| refusal(failure).map(Some), |()| Ok(None));
    Ok((waiting, refused?))
}

/// What its author is told of one who entered, or why it may not.
fn enter(
    store: &mut Store,
    waiting: &Waiting,
    examined: &Examined,
    most: usize,
) -> Result<Result<String, String>, Failure> {
    // Others came meanwhile.
    let entered = may_come(store, waiting, most).and_then(|()| entrance::enter(store, &candidate(waiting), examined));
    match entered {
        Ok(told) => Ok(Ok(told)),
        Err(failure) => refusal(failure).map(Err),
    }
}

/// The reason of a refusal; any other failure is the arena's.
fn refusal(failure: Failure) -> Result<String, Failure> {
    match failure {
        Failure::Refused(why) => Ok(format!("{why:#}")),
        Failure::Usage(why) if why.is::<Unwelcome>() => Ok(format!("{why:#}")),
        other => Err(other),
    }
}

fn verdict(state: Stands, message: String, report: Option<serde_json::Value>) -> Verdict {
    Verdict { state, message: message.trim_end().to_owned(), report: report.map(|report| report.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The submissions of these lines in the order in which they are seen to.
    fn seen(lines: &[(&str, &[u64])]) -> Vec<u64> {
        let mut turns = Turns::default();
        let mut lines: Vec<(String, Vec<u64>)> =
            lines.iter().map(|(author, ids)| ((*author).to_owned(), ids.to_vec())).collect();
        let mut seen = Vec::new();
        loop {
            let heads = lines.iter().filter_map(|(author, ids)| Some((author.clone(), *ids.first()?))).collect();
            let Some((author, id)) = turns.whose(heads) else { return seen };
            lines.iter_mut().find(|(other, _)| *other == author).unwrap().1.remove(0);
            seen.push(id);
            turns.was(author);
        }
    }

    #[test]
    fn authors_take_turns_and_each_is_seen_to_in_order() {
        assert!(seen(&[]).is_empty());
        assert_eq!(seen(&[("ann", &[1, 2, 3])]), [1, 2, 3]);
        assert_eq!(seen(&[("ann", &[1, 2, 3, 4]), ("bob", &[5]), ("eve", &[6, 7])]), [1, 5, 6, 2, 7, 3, 4]);
    }

    /// Who was just seen to waits for one who comes later, though its own have waited longer.
    #[test]
    fn newcomers_are_not_behind_all_that_waits() {
        let mut turns = Turns::default();
        let head = |author: &str, id| (author.to_owned(), id);
        assert_eq!(turns.whose(vec![head("ann", 1)]), Some(head("ann", 1)));
        turns.was("ann".to_owned());
        assert_eq!(turns.whose(vec![head("ann", 2), head("bob", 9)]), Some(head("bob", 9)));
        turns.was("bob".to_owned());
        assert_eq!(turns.whose(vec![head("bob", 10), head("ann", 2)]), Some(head("ann", 2)));
    }
}
