//! Tables of any number of seats, through the program.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arena_tests::Guest;

use crate::arena::{Output, arena_in};
use serde_json::Value;

/// A folder with six guests: three that bank after every keep, one that does until it traps in its
/// fourth turn, one that never banks, and one that is never legal.
fn guests() -> (tempfile::TempDir, [&'static str; 6]) {
    let folder = tempfile::tempdir().unwrap();
    let traps = "(if (i32.eq (local.get $turns) (i32.const 3)) (then unreachable))";
    let guests = [
        ("banks.wasm", Guest::banks()),
        ("traps.wasm", Guest::banks().before_deciding(traps)),
        ("never.wasm", Guest::new()),
        ("liar.wasm", Guest::new().decide("(i32.const 0x300000)")),
    ];
    for (name, guest) in guests {
        fs::write(folder.path().join(name), guest.component()).unwrap();
    }
    (folder, ["banks.wasm", "second=banks.wasm", "third=banks.wasm", "traps.wasm", "never.wasm", "liar.wasm"])
}

fn tournament(folder: &Path, agents: &[&str], options: &[&str]) -> Output {
    arena_in(folder, &[&["tournament"], agents, &["--rules", "play-table", "--seed", "5"], options].concat())
}

fn json(output: &Output) -> Value {
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    serde_json::from_str(&output.stdout).expect("one JSON value on the standard output")
}

#[test]
fn six_agents_at_four_seats_meet_equally_often_at_any_number_of_jobs() {
    let (folder, agents) = guests();
    let run = |jobs: &str, format: &str| {
        let options = ["--seats", "4", "--pairs", "3", "--jobs", jobs, "--format", format];
        tournament(folder.path(), &agents, &options)
    };
    let whole = json(&run("1", "json"));
    for (jobs, format) in [("2", "json"), ("5", "json"), ("2", "text")] {
        assert_eq!(run(jobs, format).stdout, run("1", format).stdout);
    }
    assert_eq!((&whole["seats"], &whole["tables"], &whole["pairs"]), (&4.into(), &15.into(), &3.into()));

    let matches = whole["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 3 * 15 * 4);
    let mut met: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    let mut held: BTreeMap<(&str, usize), u32> = BTreeMap::new();
    for (number, played) in matches.iter().enumerate() {
        assert_eq!(played["match"], number + 1);
        assert_eq!(played["seed"], whole["seeds"][number / 60]);
        let names: Vec<&str> = played["seats"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        for (seat, own) in names.iter().enumerate() {
            *held.entry((own, seat)).or_default() += 1;
            for other in names.iter().filter(|other| *other > own) {
                *met.entry((own, other)).or_default() += 1;
            }
        }
    }
    // A table of four has six meetings of fifteen: 180 * 6 / 15. An agent has four seats of 180
    // matches among six agents: 180 / 6 in each.
    assert!(met.len() == 15 && met.values().all(|n| *n == 72), "{met:?}");
    assert!(held.len() == 24 && held.values().all(|n| *n == 30), "{held:?}");

    let rows = whole["standings"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["matches"] == 120 && row.get("total_mean").is_none()), "{rows:?}");
    assert_eq!(rows[5]["name"], "liar");
    assert_eq!(rows[5]["score"], 0.0);
    let text = run("1", "text").stdout;
    assert!(text.contains("play-table: 180 matches at 4 seats; seeds: 3, tables on each: 15, in all 4 rotations, "));
}

#[test]
fn two_seats_are_the_default_and_sizes_that_cannot_be_are_refused() {
    let (folder, agents) = guests();
    let two = tournament(folder.path(), &agents[..3], &["--pairs", "2", "--format", "json"]);
    assert_eq!(json(&two)["seats"], 2);
    let options = ["--pairs", "2", "--format", "json", "--seats", "2"];
    assert_eq!(two.stdout, tournament(folder.path(), &agents[..3], &options).stdout);
    for (given, options, says) in [
        (3, &["--seats", "4"][..], "a table of 4 seats takes 4 agents or more, and 3 were given"),
        (1, &[], "a tournament takes two agents or more, and one was given"),
        (6, &["--seats", "1"], "ruleset `play-table` is for 2 to 12 seats, not 1"),
        (6, &["--seats", "13"], "ruleset `play-table` is for 2 to 12 seats, not 13"),
        (3, &["--seats", "3", "--rules", "immediate-win"], "ruleset `immediate-win` is for 2 seats, not 3"),
        (3, &["--seats", "2", "--rules", "solo-ten"], "ruleset `solo-ten` is for 1 seat, not 2"),
        (
            3,
            &["--seats", "1", "--rules", "duel", "--set", "min_seats=1"],
            "a tournament of agents alone needs `ending = \"turns\"`, and ruleset `duel with min_seats=1` has another \
             ending",
        ),
    ] {
        let rules: &[&str] = if options.contains(&"--rules") { &[] } else { &["--rules", "play-table"] };
        let refused = arena_in(folder.path(), &[&["tournament"], &agents[..given], rules, options].concat());
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{refused:?}");
        assert_eq!(refused.stderr.trim_end(), format!("arena: {says}"));
    }
}

/// Found by search: the first seed on which ten guests that bank after every keep share the win.
const SHARED_WIN: &str = "31";

#[test]
fn ten_seats_share_a_win_and_it_replays() {
    let (folder, _) = guests();
    let names: Vec<String> = (0..10).map(|seat| format!("seat-{seat}=banks.wasm")).collect();
    let run = |seed: &str| {
        let agents = names.iter().map(String::as_str);
        let args = ["--rules", "play-table", "--seed", seed, "--record", "ten.json", "--format", "json"];
        json(&arena_in(folder.path(), &["match"].into_iter().chain(agents).chain(args).collect::<Vec<_>>()))
    };
    let result = run(SHARED_WIN)["result"].clone();
    assert_eq!(result["ending"], "final-round");
    // Ruling 12: a rank is one more than the totals above; the highest, shared by two, win.
    let scores: Vec<i64> = result["scores"].as_array().unwrap().iter().map(|score| score.as_i64().unwrap()).collect();
    let ranks: Vec<usize> = scores.iter().map(|own| 1 + scores.iter().filter(|score| *score > own).count()).collect();
    assert_eq!(result["ranks"], serde_json::json!(ranks));
    assert_eq!(ranks.iter().filter(|rank| **rank == 1).count(), 2, "{scores:?}");
    assert!(*scores.iter().max().unwrap() >= 10_000);
    let replayed = arena_in(folder.path(), &["replay", "ten.json", "--agents", "banks.wasm"]);
    assert_eq!(replayed.code, 0, "{}", replayed.stderr);
    assert!(replayed.stdout.starts_with("identical: "), "{}", replayed.stdout);
}

/// Agents that play alone meet the same seeds: what a tournament says of an agent is what its own
/// matches add up to.
#[test]
fn agents_alone_are_compared_by_their_totals_on_the_same_seeds() {
    let (folder, agents) = guests();
    let run = |format: &str| {
        let rules = ["--rules", "solo-ten", "--set", "opening=0"];
        let args = [&rules[..], &["--pairs", "4", "--seed", "5", "--format", format]].concat();
        arena_in(folder.path(), &[&["tournament"], &agents[..], &args[..]].concat())
    };
    let whole = json(&run("json"));
    let matches = whole["matches"].as_array().unwrap();
    assert_eq!((matches.len(), &whole["seats"]), (6 * 4, &1.into()));
    let mut totals: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for (number, played) in matches.iter().enumerate() {
        assert_eq!(played["seed"], whole["seeds"][number / 6], "all agents, then the next seed");
        totals.entry(played["seats"][0].as_str().unwrap()).or_default().push(played["scores"][0].as_i64().unwrap());
    }
    let rows = whole["standings"].as_array().unwrap();
    for row in rows {
        let own = &totals[row["name"].as_str().unwrap()];
        // A match that faulted counts 0 in the mean, whatever had been banked.
        let faults: u64 = row["faults"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
        assert!(faults == 0 || faults == 4, "an agent faults in all its matches or in none: {row}");
        let mean = if faults > 0 { 0.0 } else { own.iter().sum::<i64>() as f64 / own.len() as f64 };
        assert!((row["total_mean"].as_f64().unwrap() - mean).abs() < 1e-9, "{row}: {own:?}");
    }
    assert_eq!(totals["banks"], totals["second"], "the same component on the same dice");
    // Who faults ranks below every one that does not, whatever its banked points.
    let order: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(&order[..3], ["banks", "second", "third"]);

    let told = run("text").stdout;
    assert!(told.contains("mean total") && told.contains("farkles"), "{told}");
    assert!(
        told.contains("solo-ten with opening=0: 24 matches, every agent alone; seeds: 4, tournament seed 5\n"),
        "{told}"
    );

    // One agent alone has nobody to be compared with.
    let args = ["tournament", "banks.wasm", "--rules", "solo-ten", "--pairs", "3", "--seed", "5"];
    let alone = arena_in(folder.path(), &args);
    assert_eq!((alone.code, alone.stdout.matches('–').count()), (0, 6), "{}", alone.stdout);

    let played =
        arena_in(folder.path(), &["match", "banks.wasm", "--rules", "solo-ten", "--set", "opening=0", "--seed", "5"]);
    assert!(!played.stdout.contains("wins"), "{}", played.stdout);
    assert!(played.stdout.contains("\nbanks ends with "), "{}", played.stdout);
    let two = arena_in(folder.path(), &["match", "banks.wasm", "second=banks.wasm", "--rules", "solo-ten"]);
    assert_eq!((two.code, two.stderr.as_str()), (2, "arena: ruleset `solo-ten` is for 1 seat, not 2\n"));
}

/// Two that never bank end at the turn limit, and the standings say so.
#[test]
fn standings_say_how_many_matches_the_turn_limit_ended() {
    let (folder, _) = guests();
    let told = tournament(folder.path(), &["never.wasm", "other=never.wasm"], &["--pairs", "1", "--turn-limit", "7"]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert!(told.stdout.contains("play-table: 2 matches, 1 pair a pairing"), "{}", told.stdout);
    assert!(told.stdout.contains("\nmatches ended by the limit of 7 turns a seat: 2\n"), "{}", told.stdout);
}
