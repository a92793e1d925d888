//! How often somebody may ask.
//!
//! Owns the counting, by address and by author. Refuses to remember whoever has not asked for a while: a
//! flood of addresses leaves nothing behind.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use super::problem::Problem;
use super::state::State;

/// Requests of one address: so many at once, and so many a second after that.
const REQUESTS: (u32, u32) = (1_000, 100);
/// The same for what costs most: matches that are played again or searched for.
const COSTLY: (u32, u32) = (100, 5);
/// Submissions of one author: so many at once, and one in so many seconds after that.
const SUBMISSIONS: (u32, u64) = (10, 30);
/// How often those are forgotten who have not asked for a while.
const TIDYING: Duration = Duration::from_secs(30);

type Limiter<K> = RateLimiter<K, HashMapStateStore<K>, DefaultClock>;

/// Who has asked how often.
pub(crate) struct Limits {
    requests: Limiter<IpAddr>,
    costly: Limiter<IpAddr>,
    submissions: Limiter<String>,
    clock: DefaultClock,
}

impl Limits {
    pub(crate) fn new() -> Limits {
        let a_second = |(burst, rate)| Quota::per_second(at_least_one(rate)).allow_burst(at_least_one(burst));
        let (burst, seconds) = SUBMISSIONS;
        let submissions =
            Quota::with_period(Duration::from_secs(seconds)).unwrap_or(Quota::per_minute(NonZeroU32::MIN));
        Limits {
            requests: RateLimiter::hashmap(a_second(REQUESTS)),
            costly: RateLimiter::hashmap(a_second(COSTLY)),
            submissions: RateLimiter::hashmap(submissions.allow_burst(at_least_one(burst))),
            clock: DefaultClock::default(),
        }
    }

    /// A request from an address.
    pub(crate) fn request(&self, from: IpAddr) -> Result<(), Problem> {
        self.check(&self.requests, &network(from), "requests from this address")
    }

    /// A match that is to be played again, or matches to be searched for.
    pub(crate) fn costly(&self, from: IpAddr) -> Result<(), Problem> {
        self.check(&self.costly, &network(from), "requests for matches from this address")
    }

    /// A submission of an author.
    pub(crate) fn submission(&self, author: &str) -> Result<(), Problem> {
        self.check(&self.submissions, &author.to_owned(), "submissions of this author")
    }

    fn check<K: std::hash::Hash + Eq + Clone>(&self, limiter: &Limiter<K>, who: &K, what: &str) -> Result<(), Problem> {
        limiter.check_key(who).map_err(|later| {
            let seconds = later.wait_time_from(self.clock.now()).as_secs() + 1;
            Problem::too_often(format!("too many {what}: try again in {seconds} s"), seconds)
        })
    }

    fn forget(&self) {
        self.requests.retain_recent();
        self.requests.shrink_to_fit();
        self.costly.retain_recent();
        self.costly.shrink_to_fit();
        self.submissions.retain_recent();
    }
}

fn at_least_one(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN)
}

/// Who has one address of IPv6 has all that begin like it.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !0 << 64)),
        address => address,
    }
}

/// Forgets, now and then, for as long as the server runs.
pub(super) fn tidy(state: &State) {
    let state = state.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(TIDYING).await;
            state.limits.forget();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_authors_at_one_address_submit_at_once() {
        let limits = Limits::new();
        let address = IpAddr::from([127, 0, 0, 1]);
        for author in 0..100 {
            assert!(limits.request(address).is_ok() && limits.submission(&author.to_string()).is_ok());
        }
    }

    #[test]
    fn who_asks_too_often_is_told_when_to_ask_again_and_others_are_not_held_up() {
        let limits = Limits::new();
        let refused = (0..=SUBMISSIONS.0).find_map(|_| limits.submission("Ann").err()).unwrap();
        assert_eq!(refused.status.as_u16(), 429);
        assert!((1..=SUBMISSIONS.1).contains(&refused.retry_after.unwrap()), "{refused:?}");
        assert!(limits.submission("Ben").is_ok());
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let limits = Limits::new();
        let address = |last: u16| IpAddr::from([0x2001, 0xdb8, 1, 2, 0, 0, 0, last]);
        let refused = (0..=u16::MAX).find(|last| limits.costly(address(*last)).is_err());
        assert!(refused.is_some());
        assert!(limits.costly(IpAddr::from([0x2001, 0xdb8, 1, 3, 0, 0, 0, 1])).is_ok());
        assert_eq!(network("::ffff:10.1.2.3".parse().unwrap()), IpAddr::from([10, 1, 2, 3]));
    }
}
