//! Tournament files: who comes, goes, and is compared.

use std::fs;

use arena_tests::Guest;
use rusqlite::Connection;
use serde_json::Value;

use super::{done, guests, made, refused, rows};

/// An agent that comes later plays its own matches, and nothing is played twice.
#[test]
fn adding_an_agent_plays_only_its_own_matches() {
    let (folder, _) = guests();
    made(folder.path(), "t.db", &["banks", "never"], "20");
    assert!(done(folder.path(), &["run", "t.db"]).starts_with("40 matches played, 40 stored, 0 left"));
    assert!(done(folder.path(), &["run", "t.db"]).starts_with("0 matches played, 40 stored, 0 left"));
    let before = rows(&folder.path().join("t.db"));
    done(folder.path(), &["submit", "third=again.wasm", "--to", "t.db"]);
    assert!(done(folder.path(), &["run", "t.db"]).starts_with("80 matches played, 120 stored, 0 left"));
    let after = rows(&folder.path().join("t.db"));
    assert!(before.iter().all(|row| after.contains(row)), "old rows stay as they were");

    // The same in one go, and in bits.
    made(folder.path(), "bits.db", &["banks", "never"], "20");
    assert!(
        done(folder.path(), &["run", "bits.db", "--matches", "7"]).starts_with("8 matches played, 8 stored, 32 left")
    );
    done(folder.path(), &["run", "bits.db"]);
    done(folder.path(), &["submit", "third=again.wasm", "--to", "bits.db"]);
    done(folder.path(), &["run", "bits.db", "--for", "60s"]);
    assert_eq!(rows(&folder.path().join("bits.db")), after);
}

#[test]
fn versions_replace_each_other_and_the_same_bytes_are_told() {
    let (folder, _) = guests();
    made(folder.path(), "t.db", &["banks", "never"], "5");
    done(folder.path(), &["run", "t.db"]);
    let again = done(folder.path(), &["submit", "banks.wasm", "--to", "t.db"]);
    assert!(again.contains("banks has these very bytes already, as version 1"), "{again}");
    let other = done(folder.path(), &["submit", "other=banks.wasm", "--to", "t.db"]);
    assert!(other.contains("note: the same bytes take part as banks (version 1)"), "{other}");
    let second = done(folder.path(), &["submit", "never=banks.wasm", "--to", "t.db"]);
    assert!(second.contains("never takes part as version 2; the one before plays no further matches"), "{second}");
    // Version 2 of never, banks and other: three pairings of which one is new beside the old one.
    assert!(done(folder.path(), &["run", "t.db"]).starts_with("30 matches played, 40 stored, 0 left"));
    let standings = done(folder.path(), &["standings", "t.db"]);
    assert!(standings.contains("never v1 (replaced)") && standings.contains("never v2"), "{standings}");
    // Both versions met banks; they did not meet each other.
    let between = |one: &str, other: &str| {
        let args = ["matches", "t.db", "--agent", one, "--against", other, "--limit", "100", "--format", "jsonl"];
        done(folder.path(), &args).lines().filter(|line| line.starts_with('{')).count()
    };
    assert_eq!([("never", "banks"), ("banks", "never"), ("never", "never")].map(|(a, b)| between(a, b)), [20, 20, 0]);
    let components: i64 = Connection::open(folder.path().join("t.db"))
        .unwrap()
        .query_row("SELECT count(*) FROM components", [], |row| row.get(0))
        .unwrap();
    assert_eq!(components, 2, "the same bytes are stored once");

    done(folder.path(), &["withdraw", "t.db", "banks"]);
    refused(folder.path(), &["withdraw", "t.db", "banks"], 1, "banks is withdrawn from t.db already");
    refused(
        folder.path(),
        &["withdraw", "t.db", "bnks"],
        2,
        "no agent of t.db is named `bnks` (did you mean `banks`?)",
    );
    done(folder.path(), &["submit", "last=again.wasm", "--to", "t.db"]);
    // Against never v2 and other, no more against banks.
    assert!(done(folder.path(), &["run", "t.db"]).starts_with("20 matches played, 60 stored, 0 left"));
    assert!(done(folder.path(), &["standings", "t.db"]).contains("banks (withdrawn)"));
}

/// Nobody is told to take part in what is over.
#[test]
fn who_would_play_no_match_is_refused() {
    let (folder, _) = guests();
    let here = folder.path();
    for (file, args, says) in [
        (
            "s.db",
            &["--play", "swiss", "--rounds", "1"][..],
            "the swiss is over after 1 round: who comes now would play no match",
        ),
        (
            "l.db",
            &["--play", "ladder", "--batch", "2", "--budget", "2"],
            "the ladder is over, its budget of 2 pairs is used up",
        ),
    ] {
        let create = ["create", file, "--rules", "play-table", "--turn-limit", "60", "--pairs", "2", "--seed", "9"];
        done(here, &[&create, args].concat());
        for agent in ["banks.wasm", "never.wasm"] {
            done(here, &["submit", agent, "--to", file]);
        }
        done(here, &["submit", "early=again.wasm", "--to", file]);
        done(here, &["withdraw", file, "early"]);
        done(here, &["run", file]);
        refused(here, &["submit", "again.wasm", "--to", file], 2, says);
        refused(here, &["submit", "never=again.wasm", "--to", file], 2, says);
        assert!(done(here, &["run", file]).starts_with("0 matches played, 4 stored, 0 left"));
    }
}

#[test]
fn a_seed_chosen_by_hand_is_told_and_a_drawn_one_is_committed_to() {
    let (folder, _) = guests();
    let told = done(folder.path(), &["create", "t.db", "--seed", "9"]);
    assert!(told.contains("the seed was chosen by hand: good for trying and repeating, but who guesses it"), "{told}");
    let told = done(folder.path(), &["create", "u.db"]);
    assert!(told.contains("commitment to the dice: ") && !told.contains("by hand"), "{told}");
    let commitment = told.split("commitment to the dice: ").nth(1).unwrap().trim().to_owned();
    let closed = done(folder.path(), &["close", "u.db"]);
    assert!(closed.contains(&format!("commitment {commitment}")), "{closed}");
}

/// Who comes after dice were shown plays dice that nobody has seen.
#[test]
fn seeds_that_were_shown_are_not_played_by_newcomers() {
    let (folder, _) = guests();
    made(folder.path(), "t.db", &["banks", "never"], "5");
    done(folder.path(), &["run", "t.db"]);
    done(folder.path(), &["show", "t.db", "4"]);
    let told = done(folder.path(), &["submit", "third=again.wasm", "--to", "t.db"]);
    assert!(told.contains("it plays from pair 2 on"), "match 4 is of pair 1: {told}");
    done(folder.path(), &["run", "t.db"]);
    let pairs = |name: &str| -> Vec<i64> {
        let connection = Connection::open(folder.path().join("t.db")).unwrap();
        let mut statement =
            connection.prepare("SELECT DISTINCT pair FROM results WHERE agent = ?1 ORDER BY pair").unwrap();
        let found = statement.query_map([name], |row| row.get(0)).unwrap();
        found.map(Result::unwrap).collect()
    };
    assert_eq!(pairs("third"), [2, 3, 4, 5, 6]);

    let closed = done(folder.path(), &["close", "t.db"]);
    assert!(closed.contains("commitment "), "{closed}");
    let told = done(folder.path(), &["submit", "fourth=again.wasm", "--to", "t.db"]);
    assert!(told.contains("the dice so far are revealed; commitment to the new ones: "), "{told}");
    done(folder.path(), &["run", "t.db"]);
    assert_eq!(pairs("fourth"), [7, 8, 9, 10, 11]);
    // Neither does the one after it play what was revealed, or need yet another secret.
    let told = done(folder.path(), &["submit", "fifth=again.wasm", "--to", "t.db"]);
    assert!(told.contains("it plays from pair 7 on"), "{told}");
    done(folder.path(), &["run", "t.db"]);
    assert_eq!(pairs("fifth"), [7, 8, 9, 10, 11]);
    done(folder.path(), &["verify", "t.db", "--all"]);
}

#[test]
fn what_is_no_contestant_is_refused_at_the_door() {
    let (folder, _) = guests();
    fs::write(folder.path().join("liar.wasm"), Guest::new().decide("(i32.const 0x300000)").component()).unwrap();
    fs::write(folder.path().join("text.wasm"), "hello").unwrap();
    done(folder.path(), &["create", "t.db"]);
    refused(
        folder.path(),
        &["submit", "liar.wasm", "--to", "t.db"],
        4,
        "agent liar is refused: it faults in seat 0 of 2 under immediate-win with seed 0: illegal-keep",
    );
    refused(folder.path(), &["submit", "text.wasm", "--to", "t.db"], 4, "it is not a WebAssembly file");
    refused(folder.path(), &["submit", "nowhere.wasm", "--to", "t.db"], 2, "cannot be read");
    refused(folder.path(), &["submit", "banks.wasm", "--to", "t.db", "--name", "a\nb"], 2, "is no name for an agent");
    refused(folder.path(), &["standings", "t.db"], 1, "no agent takes part in t.db yet");
    refused(folder.path(), &["run", "t.db"], 2, "at least 2 agents, and there are 0");
}

/// Who has not played says nothing about the others.
#[test]
fn agents_without_matches_leave_the_standings_as_they_are() {
    let (folder, agents) = guests();
    for rules in [&["--rules", "play-table"][..], &["--rules", "solo-ten", "--set", "opening=0"]] {
        let file = format!("{}.db", rules[1]);
        done(folder.path(), &[&["create", &file, "--turn-limit", "30", "--pairs", "5", "--seed", "2"], rules].concat());
        for agent in &agents {
            done(folder.path(), &["submit", &format!("{agent}.wasm"), "--to", &file]);
        }
        refused(folder.path(), &["standings", &file], 1, "is played yet: `arena run");
        let nothing: Value = serde_json::from_str(&done(folder.path(), &["export", &file])).unwrap();
        assert_eq!((nothing["matches"].as_array().unwrap().len(), &nothing["standings"][0]["matches"]), (0, &0.into()));
        done(folder.path(), &["run", &file]);
        let before = done(folder.path(), &["standings", &file]);
        done(folder.path(), &["submit", "new=again.wasm", "--to", &file]);
        let with = done(folder.path(), &["standings", &file]);
        assert!(with.contains("\nnot played yet: new\n"), "{with}");
        assert_eq!(with.replace("not played yet: new\n", ""), before);
        done(folder.path(), &["withdraw", &file, "new"]);
        assert!(done(folder.path(), &["run", &file]).starts_with("0 matches played"));
        assert_eq!(done(folder.path(), &["standings", &file]), before);
    }
}

/// Of agents alone a new version takes the place of the old one, and totals are compared among those
/// who still take part.
#[test]
fn agents_alone_come_and_go() {
    let (folder, _) = guests();
    done(
        folder.path(),
        &["create", "t.db", "--rules", "solo-ten", "--set", "opening=0", "--pairs", "6", "--seed", "3"],
    );
    for agent in ["banks", "never"] {
        done(folder.path(), &["submit", &format!("{agent}.wasm"), "--to", "t.db"]);
    }
    done(folder.path(), &["run", "t.db", "--matches", "3"]);
    done(folder.path(), &["withdraw", "t.db", "never"]);
    done(folder.path(), &["submit", "third=again.wasm", "--to", "t.db"]);
    done(folder.path(), &["run", "t.db"]);
    let whole: Value = serde_json::from_str(&done(folder.path(), &["standings", "t.db", "--format", "json"])).unwrap();
    let rows = whole["standings"].as_array().unwrap();
    let told: Vec<_> =
        rows.iter().map(|row| (row["name"].as_str().unwrap(), row["matches"].as_u64().unwrap())).collect();
    assert_eq!(told, [("banks", 6), ("third", 6)]);
    assert_eq!(rows[0]["total_mean"], rows[1]["total_mean"], "the same component on the same dice");
}

/// A name belongs to whoever gave an author first.
#[test]
fn nobody_replaces_the_agent_of_another_author() {
    let (folder, _) = guests();
    done(folder.path(), &["create", "t.db", "--rules", "play-table"]);
    done(folder.path(), &["submit", "bot=never.wasm", "--to", "t.db", "--author", "Alice"]);
    let says = "`bot` is an agent of Alice: a new version of it takes --author \"Alice\"";
    refused(folder.path(), &["submit", "bot=banks.wasm", "--to", "t.db", "--author", "Bob"], 2, says);
    refused(folder.path(), &["submit", "bot=banks.wasm", "--to", "t.db"], 2, says);
    done(folder.path(), &["submit", "other=never.wasm", "--to", "t.db"]);
    let told = done(folder.path(), &["submit", "bot=banks.wasm", "--to", "t.db", "--author", "Alice"]);
    assert!(told.contains("bot takes part as version 2"), "{told}");
    done(folder.path(), &["run", "t.db", "--matches", "4"]);
    // Version 1 was replaced before it played: it stands nowhere.
    let standings = done(folder.path(), &["standings", "t.db", "--format", "csv"]);
    assert_eq!(standings.lines().count(), 3, "{standings}");
}
