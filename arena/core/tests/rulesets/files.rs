//! Ruleset files: what is read, what is refused, and with which words.

use arena_core::{change_ruleset, ruleset_from_toml, ruleset_to_toml};
use farkle::{EndingRule, Kinds, Reading, Ruleset, presets};

use crate::house::tables;

fn refused(text: &str) -> String {
    ruleset_from_toml(text, "house").unwrap_err().to_string()
}

#[test]
fn what_is_printed_reads_back() {
    for rules in presets::ALL.into_iter().cloned().chain(tables()) {
        let text = ruleset_to_toml(&rules);
        assert_eq!(ruleset_from_toml(&text, "other").unwrap(), rules, "{text}");
    }
}

#[test]
fn a_preset_is_taken_and_changed() {
    let text = "
# A house table.
extends = \"play-table\"   # the base
target = 5_000
kinds = 'doubling'
four_of_a_kind = 0
five_of_a_kind = 0x0
\"six_of_a_kind\" = 0
reading = \"best\"
toxic_twos = true
";
    let expected = Ruleset {
        name: "house".into(),
        target: 5_000,
        kinds: Kinds::Doubling,
        four_of_a_kind: 0,
        five_of_a_kind: 0,
        six_of_a_kind: 0,
        toxic_twos: true,
        ..presets::PLAY_TABLE
    };
    assert_eq!(ruleset_from_toml(text, "house").unwrap(), expected);
    assert_eq!(ruleset_from_toml(&text.replace('\n', "\r\n"), "house").unwrap(), expected);
    let named = ruleset_from_toml("name = \"Oma's table\"\nextends = \"pocket\"", "house").unwrap();
    assert_eq!(named, Ruleset { name: "Oma's table".into(), ..presets::POCKET });
}

#[test]
fn mistakes_are_named_with_line_field_value_and_what_is_allowed() {
    let with = |line: &str| refused(&format!("extends = 'play-table'\n\n{line}\n"));
    let cases = [
        ("stright = 1500", "line 3: there is no ruleset field `stright` (did you mean `straight`?)"),
        ("opening_score = 1", "line 3: there is no ruleset field `opening_score` (did you mean `opening`?)"),
        ("Opening = 1", "line 3: there is no ruleset field `Opening` (did you mean `opening`?)"),
        ("q = 1", "line 3: there is no ruleset field `q`"),
        (
            "opening = \"500\"",
            "line 3: ruleset field `opening` is \"500\": allowed are whole numbers from 0 to 10000000",
        ),
        ("straight = 1500.0", "line 3: ruleset field `straight` is 1500.0: allowed are whole numbers from 0 to 10000"),
        ("straight = -50", "line 3: ruleset field `straight` is -50: allowed are whole numbers from 0 to 10000"),
        ("straight = 10001", "line 3: ruleset field `straight` is 10001: allowed are whole numbers from 0 to 10000"),
        (
            "straight = 99999999999999999999",
            "line 3: ruleset field `straight` is 99999999999999999999: allowed are whole numbers from 0 to 10000",
        ),
        ("straight = true", "line 3: ruleset field `straight` is true: allowed are whole numbers from 0 to 10000"),
        ("keep_all = 1", "line 3: ruleset field `keep_all` is 1: allowed are true, false"),
        ("keep_all = \"true\"", "line 3: ruleset field `keep_all` is \"true\": allowed are true, false"),
        (
            "ending = \"final\"",
            "line 3: ruleset field `ending` is \"final\" (did you mean `final-round`?): allowed are \"immediate-win\", \
             \"final-round\", \"turns\"",
        ),
        ("kinds = 4", "line 3: ruleset field `kinds` is 4: allowed are \"flat\", \"doubling\", \"adding\", \"none\""),
        ("turns = [1]", "line 3: ruleset field `turns` is an array: allowed are whole numbers from 0 to 10000"),
        ("[penalty]", "line 3: ruleset field `penalty` is a table: allowed are whole numbers from 0 to 10000"),
        (
            "penalty.floor = true",
            "line 3: ruleset field `penalty` is a table: allowed are whole numbers from 0 to 10000",
        ),
        (
            "name = \"\"",
            "line 3: ruleset field `name` is \"\": allowed are 1 to 100 characters, none of them control characters",
        ),
        (
            "name = \"a\\u001bb\"",
            "line 3: ruleset field `name` is \"a\\u001bb\": allowed are 1 to 100 characters, none of them control characters",
        ),
        ("turns = 10", "line 3: ruleset field `turns` is 10: is read only with `ending = \"turns\"`; allowed is 0"),
        ("opening = 20000", "line 3: ruleset field `opening` is 20000: it is above the target, 10000"),
        ("name = \"pocket\"", "line 3: the name `pocket` is that of a preset with other rules: set another `name`"),
        ("opening = 1\nopening = 2", "line 4: not TOML: duplicate key"),
        ("opening 500", "line 3: not TOML: "),
        ("opening = ", "line 3: not TOML: "),
    ];
    for (line, says) in cases {
        let said = with(line);
        // Of what another crate says, the beginning.
        let whole = !says.contains("not TOML");
        assert!(if whole { said == says } else { said.starts_with(says) }, "{line}\n  said: {said}\n  not:  {says}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn what_a_file_is_called_may_be_no_name() {
    let long = "x".repeat(101);
    for name in ["", "a\u{1b}[2J", "a\u{202e}b", &long] {
        let error = ruleset_from_toml("extends = 'duel'", name).unwrap_err().to_string();
        assert!(error.starts_with("ruleset field `name` is \"") && error.contains("1 to 100 characters"), "{error}");
        assert_eq!(ruleset_from_toml("extends = 'duel'\nname = 'mine'", name).unwrap().name, "mine");
    }
}

/// Where a field that the file does not set is to blame, no line is named.
#[test]
fn impossible_files_name_the_field_to_blame() {
    let said = refused("extends = 'play-table'\ndice = 5");
    assert_eq!(
        said,
        "ruleset field `six_of_a_kind` is 3000: takes six dice, and `dice` is 5; allowed is 0 (and so for `straight`, \
         `three_pairs`, `four_and_pair`, `two_triplets`)"
    );
    let said = refused("six_of_a_kind = 3\nextends = 'five-dice'");
    assert_eq!(said, "line 1: ruleset field `six_of_a_kind` is 3: takes six dice, and `dice` is 5; allowed is 0");
}

#[test]
fn a_base_must_be_a_preset_and_a_file_without_one_complete() {
    assert_eq!(
        refused("extends = 'play-tabel'").split(": allowed").next().unwrap(),
        "line 1: ruleset field `extends` is \"play-tabel\" (did you mean `play-table`?)"
    );
    assert!(
        refused("extends = 1")
            .starts_with("line 1: ruleset field `extends` is 1: allowed are the presets immediate-win")
    );
    assert!(refused("extends = './other.toml'").contains("allowed are the presets immediate-win, play-table,"));
    let said = refused("name = 'a'\nstraight = 1");
    assert!(said.starts_with("no `extends`: begin with `extends = \"play-table\"` (or another preset), or set every field; missing: dice, reading, single_one"), "{said}");
    assert!(!said.contains("straight"), "{said}");
    assert!(refused("").contains("max_seats"));
    let whole = ruleset_to_toml(&presets::PLAY_TABLE);
    let one_less: String =
        whole.lines().filter(|line| !line.starts_with("six_wins")).map(|l| format!("{l}\n")).collect();
    assert_eq!(
        refused(&one_less),
        "no `extends`: begin with `extends = \"play-table\"` (or another preset), or set every field; missing: six_wins"
    );
}

fn set(base: &Ruleset, changes: &[&str]) -> Result<Ruleset, String> {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    change_ruleset(base, &changes).map_err(|error| error.to_string())
}

#[test]
fn changes_are_made_before_they_are_judged() {
    let base = &presets::PLAY_TABLE;
    let turns = set(base, &["ending=turns", "turns=10", "target=0"]).unwrap();
    assert_eq!((turns.ending, turns.turns, turns.target), (EndingRule::Turns, 10, 0));
    assert_eq!(turns, Ruleset { target: 0, ..turns.clone() });
    let plain = set(base, &["kinds=\"none\"", "four_of_a_kind=0", "five_of_a_kind = 0", " six_of_a_kind=0"]).unwrap();
    assert_eq!((plain.kinds, plain.six_of_a_kind), (Kinds::None, 0));
    let five =
        set(base, &["dice=5", "six_of_a_kind=0", "straight=0", "three_pairs=0", "four_and_pair=0", "two_triplets=0"]);
    assert!(five.unwrap().same_rules(&presets::FIVE_DICE));
    let face = set(base, &["reading=per-face", "name=mine", "target=5_000", "keep_all=true"]).unwrap();
    assert_eq!((face.reading, &*face.name, face.target, face.keep_all), (Reading::PerFace, "mine", 5_000, true));
    // Any order gives the same rules.
    let back = set(base, &["target=0", "turns=10", "ending=turns"]).unwrap();
    assert!(back.same_rules(&turns));
}

#[test]
fn a_changed_ruleset_says_so_in_its_name() {
    let base = &presets::PLAY_TABLE;
    assert_eq!(set(base, &["opening=500"]).unwrap().name, "play-table with opening=500");
    assert_eq!(set(base, &["opening=0"]).unwrap().name, "play-table", "nothing has changed");
    let many = [
        "single_one=1",
        "single_five=2",
        "three_ones=3",
        "straight=1000",
        "three_pairs=750",
        "four_and_pair=750",
        "two_triplets=3000",
    ];
    assert_eq!(set(base, &many).unwrap().name, "play-table with 7 changes");
    assert!(set(base, &["name=duel"]).unwrap_err().contains("`duel` is that of a preset with other rules"));
}

#[test]
fn bad_changes_are_named() {
    let cases: [(&[&str], &str); 12] = [
        (&["opening"], "`opening` is no change of a ruleset: write FIELD=VALUE, as in opening=500"),
        (&["openning=5"], "there is no ruleset field `openning` (did you mean `opening`?)"),
        (&["=5"], "there is no ruleset field ``"),
        (&["opening=lots"], "ruleset field `opening` is `lots`: allowed are whole numbers from 0 to 10000000"),
        (&["opening="], "ruleset field `opening` is ``: allowed are whole numbers from 0 to 10000000"),
        (&["opening=1e3"], "ruleset field `opening` is `1e3`: allowed are whole numbers from 0 to 10000000"),
        (&["opening=-1"], "ruleset field `opening` is `-1`: allowed are whole numbers from 0 to 10000000"),
        (&["keep_all=yes"], "ruleset field `keep_all` is `yes`: allowed are true, false"),
        (
            &["reading=Best"],
            "ruleset field `reading` is `Best` (did you mean `best`?): allowed are \"best\", \"per-face\"",
        ),
        (&["opening=1", "opening=1"], "ruleset field `opening` is set twice"),
        (&["ending=turns"], "ruleset field `turns` is 0: `ending = \"turns\"` needs at least 1"),
        (&["name="], "ruleset field `name` is ``: allowed are 1 to 100 characters, none of them control characters"),
    ];
    for (changes, says) in cases {
        assert_eq!(set(&presets::PLAY_TABLE, changes).unwrap_err(), says);
    }
    assert!(
        set(&presets::PLAY_TABLE, &["extends=duel"])
            .unwrap_err()
            .contains("`extends` is for files; choose what the changes are made to with `--rules duel`")
    );
}

/// The example of docs/rulesets.md.
#[test]
fn the_example_of_the_page_is_a_ruleset() {
    let text = include_str!("../../../../docs/house.toml");
    let house = ruleset_from_toml(text, "house").unwrap();
    assert!(!presets::ALL.iter().any(|preset| preset.same_rules(&house)));
    let page = include_str!("../../../../docs/rulesets.md");
    assert!(page.contains(text.trim_end()), "the page shows the example as it is");
}
