//! What the rules cost: scoring, legal keeps, best keeps, tables, and the steps of a turn.
//!
//! Run with `cargo bench -p farkle`. A figure is the time of all the selections or rolls that are named,
//! and how many of them go into a second; of one table; or of one turn. Every figure is there for a chart
//! read per face, for a plain one, and for one whose dice are split in the best way.

use std::hint::black_box;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use farkle::{Chart, Decision, Faces, MatchState, Next, Ruleset, ScoreTable, presets};

const PRESETS: [&str; 3] = ["immediate-win", "play-table-simple", "play-table"];

fn main() {
    divan::main();
}

fn preset(name: &str) -> &'static Ruleset {
    presets::by_name(name).expect("a preset")
}

/// Every selection and every roll of one to six dice: 923.
fn all() -> Vec<Faces> {
    (1..=6).flat_map(Faces::all).collect()
}

/// Every roll of six dice: 462.
fn six_dice() -> Vec<Faces> {
    Faces::all(6).collect()
}

/// One question about each of these dice. The answers are summed, so that none can be left out.
fn ask(bencher: Bencher<'_, '_>, dice: Vec<Faces>, question: impl Fn(Faces) -> i32) {
    bencher
        .counter(ItemsCount::new(dice.len()))
        .bench_local(|| black_box(&dice).iter().map(|dice| question(*dice)).sum::<i32>());
}

#[divan::bench(args = PRESETS)]
fn points_of_all_selections(bencher: Bencher<'_, '_>, rules: &str) {
    let chart = Chart::new(preset(rules));
    ask(bencher, all(), |dice| chart.points(dice).unwrap_or(0));
}

/// With the combinations by name, as people are shown them: not on the path of a match.
#[divan::bench(args = PRESETS)]
fn readings_of_all_selections(bencher: Bencher<'_, '_>, rules: &str) {
    let chart = Chart::new(preset(rules));
    ask(bencher, all(), |dice| chart.reading(dice).map_or(0, |groups| groups.len() as i32));
}

#[divan::bench(args = PRESETS)]
fn legal_keeps_of_six_dice(bencher: Bencher<'_, '_>, rules: &str) {
    let chart = Chart::new(preset(rules));
    ask(bencher, six_dice(), |roll| chart.legal_keeps(roll).map(|keep| keep.points).sum());
}

#[divan::bench(args = PRESETS)]
fn legal_keeps_of_all_rolls(bencher: Bencher<'_, '_>, rules: &str) {
    let chart = Chart::new(preset(rules));
    ask(bencher, all(), |roll| chart.legal_keeps(roll).map(|keep| keep.points).sum());
}

#[divan::bench(args = PRESETS)]
fn best_keep_of_six_dice(bencher: Bencher<'_, '_>, rules: &str) {
    let chart = Chart::new(preset(rules));
    ask(bencher, six_dice(), |roll| chart.best_keep(roll).map_or(0, |keep| keep.points));
}

#[divan::bench(args = PRESETS)]
fn best_keep_of_all_rolls(bencher: Bencher<'_, '_>, rules: &str) {
    let chart = Chart::new(preset(rules));
    ask(bencher, all(), |roll| chart.best_keep(roll).map_or(0, |keep| keep.points));
}

/// From the chart, as agents ask.
#[divan::bench(args = PRESETS)]
fn is_farkle_of_all_rolls(bencher: Bencher<'_, '_>, rules: &str) {
    let chart = Chart::new(preset(rules));
    ask(bencher, all(), |roll| chart.is_farkle(roll).into());
}

/// From the table, as the referee asks.
#[divan::bench(args = PRESETS)]
fn is_farkle_of_all_rolls_in_a_table(bencher: Bencher<'_, '_>, rules: &str) {
    let table = ScoreTable::new(preset(rules));
    ask(bencher, all(), |roll| table.is_farkle(roll).into());
}

/// The best keep of every roll that has one, as the referee checks it.
#[divan::bench(args = PRESETS)]
fn check_of_best_keeps(bencher: Bencher<'_, '_>, rules: &str) {
    let table = ScoreTable::new(preset(rules));
    let keeps: Vec<_> =
        all().into_iter().filter_map(|roll| Some((roll, table.chart().best_keep(roll)?.dice))).collect();
    bencher.counter(ItemsCount::new(keeps.len())).bench_local(|| {
        let points = |(roll, keep): &(Faces, Faces)| table.check_keep(*roll, *keep).expect("legal");
        black_box(&keeps).iter().map(points).sum::<i32>()
    });
}

/// What an agent builds in `start`.
#[divan::bench(args = PRESETS)]
fn chart(rules: &str) -> Chart {
    Chart::new(black_box(preset(rules)))
}

/// What the arena builds, once a tournament.
#[divan::bench(args = PRESETS)]
fn score_table(rules: &str) -> ScoreTable {
    ScoreTable::new(black_box(preset(rules)))
}

/// Three rolls, three decisions, the last of them a bank: 1,150 points.
#[divan::bench(args = PRESETS)]
fn turn_that_banks(bencher: Bencher<'_, '_>, rules: &str) {
    let steps = [("122346", "1", Next::Roll), ("22345", "5", Next::Roll), ("1112", "111", Next::Bank)];
    let steps = steps.map(|(roll, keep, next)| (dice(roll), Decision { keep: dice(keep), next }));
    let mut game = game(rules);
    bencher.bench_local(|| {
        if game.to_move().is_none() {
            game.restart();
        }
        for (roll, decision) in black_box(steps) {
            let farkle = game.roll(roll).expect("a roll is due");
            assert!(farkle.is_none(), "there is a keep");
            black_box(game.decide(decision).expect("legal"));
        }
    });
}

/// Two rolls and a decision between them.
#[divan::bench(args = PRESETS)]
fn turn_that_farkles(bencher: Bencher<'_, '_>, rules: &str) {
    let [first, keep, last] = ["122346", "1", "22346"].map(dice);
    let mut game = game(rules);
    bencher.bench_local(|| {
        // Nobody ever banks, so that only the limit on turns ends the match.
        if game.to_move().is_none() {
            game.restart();
        }
        game.roll(black_box(first)).expect("a roll is due");
        black_box(game.decide(Decision { keep: black_box(keep), next: Next::Roll }).expect("legal"));
        black_box(game.roll(black_box(last)).expect("a roll is due").expect("a farkle"));
    });
}

fn game(rules: &str) -> MatchState {
    MatchState::new(Arc::new(ScoreTable::new(preset(rules))), 2, 1_000)
}

fn dice(text: &str) -> Faces {
    text.parse().expect("dice")
}
