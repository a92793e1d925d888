//! The rating fit against published programs: R's PlackettLuce and BradleyTerry2, and Python's choix.
//!
//! These know no prior, or another one. Two ways to make the models the same: counts are multiplied
//! by a million, which leaves the most likely strengths of a model without a prior where they
//! are and makes ours of no account; or our prior, which is made of virtual games, is given to the
//! other program as games.

use arena_core::ratings::{ELO_PER_UNIT, Finish, Options, Pair, Ratings, Seen, fit};

const MILLION: u64 = 1_000_000;

/// So many matches of `first` in seat 0 and `second` in seat 1 with these ranks.
fn matches(first: usize, second: usize, ranks: [u32; 2], times: u64) -> Pair {
    let finish = Finish { agents: vec![first, second], ranks: ranks.to_vec() };
    Pair { finishes: vec![finish], seen: Seen::Times(times) }
}

/// Half of the matches in each seat order, so that no seat has an advantage.
fn in_both_seats(a: usize, b: usize, ranks: [u32; 2], times: u64) -> [Pair; 2] {
    [matches(a, b, ranks, times / 2), matches(b, a, [ranks[1], ranks[0]], times / 2)]
}

fn rate(agents: usize, pairs: &[Pair]) -> Ratings {
    fit(agents, pairs, &Options::default()).unwrap()
}

fn close(found: impl IntoIterator<Item = f64>, expected: &[f64], tolerance: f64) {
    let found: Vec<f64> = found.into_iter().collect();
    assert_eq!(found.len(), expected.len());
    for (own, other) in found.iter().zip(expected) {
        assert!((own - other).abs() <= tolerance, "{found:?} are not {expected:?}");
    }
}

fn elos(ratings: &Ratings) -> Vec<f64> {
    ratings.ratings().map(|rating| rating.elo).collect()
}

/// Strengths as shares of a whole, as both R packages print them.
fn worths(ratings: &Ratings) -> Vec<f64> {
    let worths: Vec<f64> = elos(ratings).iter().map(|elo| ((elo - 1500.0) / ELO_PER_UNIT).exp()).collect();
    let whole: f64 = worths.iter().sum();
    worths.iter().map(|worth| worth / whole).collect()
}

/// Ties: Davidson's puddings (R. R. Davidson 1970, example 2), six brands, all pairings, a quarter of the
/// comparisons tied.
///
/// The PlackettLuce package's vignette prints, for `PlackettLuce(R, weights = w, npseudo = 0, maxit = 7)`:
///
/// ```text
///         1         2         3         4         5         6      tie2
/// 0.1388005 0.1729985 0.1617420 0.1653930 0.1586805 0.2023855 0.7468147
/// ```
///
/// and warns that seven iterations have not converged (they give Davidson's own figures). Converged
/// ones are those of the same model as a log-linear one (S. E. Fienberg, K. Larntz 1976), by
/// statsmodels 0.15: `GLM(counts, design, family=Poisson())`, with a row for each way in which each
/// pairing can end, a column for each brand but the first (1 for a win of it, ½ for a tie), one for
/// ties, and one for each pairing.
#[test]
fn ties_as_in_plackett_luce() {
    let compared = [
        (1, 2, 19, 22, 16),
        (1, 3, 16, 19, 12),
        (2, 3, 19, 19, 10),
        (1, 4, 18, 23, 13),
        (2, 4, 23, 19, 9),
        (3, 4, 19, 20, 15),
        (1, 5, 13, 19, 18),
        (2, 5, 16, 20, 12),
        (3, 5, 16, 15, 17),
        (4, 5, 17, 14, 16),
        (1, 6, 18, 21, 12),
        (2, 6, 22, 20, 12),
        (3, 6, 13, 18, 10),
        (4, 6, 14, 19, 18),
        (5, 6, 11, 21, 12),
    ];
    let mut pairs = Vec::new();
    for (i, j, won, lost, tied) in compared {
        for (ranks, times) in [([1, 2], won), ([2, 1], lost), ([1, 1], tied)] {
            pairs.extend(in_both_seats(i - 1, j - 1, ranks, times * MILLION));
        }
    }
    let ratings = rate(6, &pairs);
    let vignette = [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855];
    close(worths(&ratings), &vignette, 3e-5);
    close([ratings.tie()], &[0.7468147], 1e-5);
    let converged = [0.138_803_38, 0.173_001_50, 0.161_747_43, 0.165_372_96, 0.158_685_39, 0.202_389_34];
    close(worths(&ratings), &converged, 1e-7);
    close([ratings.tie()], &[0.746_822_99], 1e-7);
    close([ratings.seat_advantage().elo], &[0.0], 1e-6);
}

/// A seat advantage: baseball with a home advantage (A. Agresti, *Categorical data analysis*, 2002, p.
/// 438: American League East 1987), seven teams, 42 ordered pairings of 6 or 7 games.
///
/// BradleyTerry2's own tests (`tests/testthat/test-baseball.R`, which reproduces Agresti's table 10.11)
/// expect of `BTm(cbind(home.wins, away.wins), ..., ~ team + at.home)` the sorted worths 0.044 0.088
/// 0.137 0.157 0.164 0.190 0.220 and the advantage 0.302. More digits by statsmodels 0.15,
/// `GLM(wins, design, family=Binomial())` with a row for each pairing: 1 for the team at home, -1 for
/// the guest, and a column of ones.
#[test]
fn a_seat_advantage_as_in_bradley_terry_2() {
    let wins_at_home_and_away = [
        // Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore; each at home to the others.
        [(4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)],
        [(3, 3), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)],
        [(2, 5), (4, 3), (2, 4), (4, 3), (4, 2), (6, 0)],
        [(3, 3), (5, 1), (2, 5), (4, 3), (4, 2), (6, 1)],
        [(5, 1), (2, 5), (3, 3), (4, 2), (5, 2), (6, 0)],
        [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (2, 4)],
        [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4)],
    ];
    let mut pairs = Vec::new();
    for (home, row) in wins_at_home_and_away.into_iter().enumerate() {
        let guests = (0..7).filter(|guest| *guest != home);
        for (guest, (won, lost)) in guests.zip(row) {
            pairs.push(matches(home, guest, [1, 2], won * MILLION));
            pairs.push(matches(home, guest, [2, 1], lost * MILLION));
        }
    }
    let ratings = rate(7, &pairs);
    let mut sorted = worths(&ratings);
    sorted.sort_by(f64::total_cmp);
    close(sorted, &[0.044, 0.088, 0.137, 0.157, 0.164, 0.190, 0.220], 0.0005);
    close([ratings.seat_advantage().elo / ELO_PER_UNIT], &[0.302], 0.0005);
    let elo = [1593.9323, 1568.8826, 1543.1295, 1535.1784, 1511.2857, 1435.0048, 1312.5868];
    close(elos(&ratings), &elo, 2e-4);
    close([ratings.seat_advantage().elo], &[52.5081], 2e-4);
}

/// Unbalanced: six agents, 4 to 124 games between some of them and none between others; agents 3 and 4
/// met four times, with one winner.
///
/// By choix 0.4.1, our prior given as games against a seventh agent:
///
/// ```text
/// games = [(a, b) for (a, b), n in wins.items() for _ in range(n)]
/// games += [game for a in range(6) for game in ((a, 6), (6, a))]
/// s = choix.ilsr_pairwise(7, games, alpha=0.0, max_iter=100000, tol=1e-13)   # mm_pairwise: the same
/// print(1500 + 400 / log(10) * (s[:6] - s[:6].mean()))
/// ```
///
/// Seats have effects and a prior in our model; every match counts half in each seat order, so these
/// effects are 0.
#[test]
fn unbalanced_games_as_in_choix() {
    let wins = [
        (0, 1, 28),
        (1, 0, 12),
        (0, 2, 18),
        (2, 0, 2),
        (1, 2, 6),
        (2, 1, 10),
        (2, 3, 80),
        (3, 2, 44),
        (3, 4, 4),
        (4, 5, 14),
        (5, 4, 2),
        (0, 5, 24),
    ];
    let pairs: Vec<Pair> = wins.into_iter().flat_map(|(a, b, times)| in_both_seats(a, b, [1, 2], times)).collect();
    let ratings = rate(6, &pairs);
    let choix = [1824.484605, 1625.342275, 1623.064489, 1525.408917, 1344.055538, 1057.644176];
    close(elos(&ratings), &choix, 1e-5);
    close([ratings.seat_advantage().elo], &[0.0], 1e-9);
}
