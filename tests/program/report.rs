//! Web pages of a tournament, as files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use arena_tests::Guest;
use serde_json::Value;

use crate::arena::{arena_in, sample};
use crate::{assert_refused, path};

/// Short matches, so that best play is found in no time.
const SHORT: &[&str] = &["--set", "target=1500"];

/// A tournament of these agents in `t.db`, played.
fn tournament(folder: &Path, agents: &[&str], options: &[&str]) {
    let args = [&["tournament"], agents, options, &["--seed", "1", "--db", "t.db"]].concat();
    let made = arena_in(folder, &args);
    assert_eq!(made.code, 0, "{}", made.stderr);
}

/// Every page below a folder, by its path from there.
fn pages(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut pages = BTreeMap::new();
    for inner in ["", "agents", "matches"] {
        for entry in fs::read_dir(folder.join(inner)).unwrap() {
            let file = entry.unwrap().path();
            if file.extension().is_some_and(|ending| ending == "html") {
                let name = file.strip_prefix(folder).unwrap().to_owned();
                pages.insert(name, fs::read_to_string(&file).unwrap());
            }
        }
    }
    pages
}

/// Values of an attribute, in order.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let begins = format!(" {attribute}=\"");
    page.split(&begins).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// Whatever a page leads to is there, nothing is asked for elsewhere, and no two things have one name.
fn check_links(folder: &Path, pages: &BTreeMap<PathBuf, String>) {
    for (name, page) in pages {
        let ids = values(page, "id");
        assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{name:?} has an id twice");
        assert!(!page.contains("http:") && !page.contains("https:"), "{name:?} leads elsewhere");
        assert!(!page.contains(" style=") && !page.contains(" onclick="), "{name:?} has what a strict policy forbids");
        for link in values(page, "href").into_iter().chain(values(page, "src")) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            if file.is_empty() {
                // A moment of the replay, or a part of the page.
                assert!(ids.contains(&place) || place.parse::<u32>().is_ok(), "{name:?} leads to #{place}");
                continue;
            }
            let target = folder.join(name).parent().unwrap().join(file);
            assert!(target.is_file(), "{name:?} leads to {link}");
        }
    }
}

fn replay_of(page: &str) -> Value {
    let data = page.split("<script type=\"application/json\" id=\"match\">").nth(1).unwrap();
    serde_json::from_str(data.split("</script>").next().unwrap()).unwrap()
}

#[test]
fn a_report_is_whole_and_leads_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let agents = ["max-ev", "threshold-300", "bank-asap"].map(sample);
    let agents: Vec<&str> = agents.iter().map(|agent| path(agent)).collect();
    tournament(here, &agents, &[&["--pairs", "6"], SHORT].concat());
    let made = arena_in(here, &["report", "t.db", "--out", "site"]);
    assert_eq!((made.code, made.stdout.as_str()), (0, "site/index.html: 3 agents, 36 replays\n"), "{}", made.stderr);
    let site = here.join("site");
    let all = pages(&site);
    check_links(&site, &all);
    assert_eq!(all.len(), 5 + 3 + 36);

    // Standings and cross table are those that the command line prints.
    let printed = arena_in(here, &["standings", "t.db", "--cross-table", "--format", "json"]);
    let standings: Value = serde_json::from_str(&printed.stdout).unwrap();
    let index = &all[Path::new("index.html")];
    let mut after = index.as_str();
    for row in standings["standings"].as_array().unwrap() {
        after = after.split_once(&format!(">{}</a>", row["name"].as_str().unwrap())).expect("in the order of ranks").1;
        assert!(after.contains(&format!("<td class=\"number\">{:.0}</td>", row["elo"].as_f64().unwrap())));
    }
    let cross = &all[Path::new("cross-table.html")];
    for cell in standings["cross_table"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap()) {
        let [wins, draws, losses] = ["wins", "draws", "losses"].map(|name| cell[name].as_u64().unwrap_or(0));
        if wins + draws + losses > 0 {
            assert!(cross.contains(&format!("title=\"{wins} won, {draws} drawn, {losses} lost\"")), "{cell}");
        }
    }

    // A replay has the events of the record, and what best play says of them.
    for number in ["1", "17", "36"] {
        let record: Value =
            serde_json::from_str(&arena_in(here, &["show", "t.db", number, "--format", "json"]).stdout).unwrap();
        let judged: Value =
            serde_json::from_str(&arena_in(here, &["analyze", "t.db", number, "--format", "json"]).stdout).unwrap();
        let page = &all[&PathBuf::from(format!("matches/{number}.html"))];
        assert!(page.contains(record["hash"].as_str().unwrap()));
        let replay = replay_of(page);
        let (steps, events) = (replay["steps"].as_array().unwrap(), record["events"].as_array().unwrap());
        assert_eq!(steps.len(), events.len());
        for ((step, event), roll) in steps.iter().zip(events).zip(judged["rolls"].as_array().unwrap()) {
            let digits = |dice: &Value| {
                dice.as_array().map_or(String::new(), |dice| dice.iter().map(Value::to_string).collect::<String>())
            };
            assert_eq!(step["roll"], digits(&event["roll"]), "{event}");
            assert_eq!(step["keep"], digits(&event["keep"]), "{event}");
            let worth: i64 = step["groups"].as_array().unwrap().iter().map(|g| g["points"].as_i64().unwrap()).sum();
            assert_eq!(worth, event["points"].as_i64().unwrap_or(0), "{event}");
            if event["next"] == "bank" {
                assert_eq!(step["scores"][event["seat"].as_u64().unwrap() as usize], event["banked"]);
            }
            let of_seat = roll["value"].as_f64().or(roll["after"].as_f64()).unwrap();
            let chance = if roll["seat"] == 0 { of_seat } else { 1.0 - of_seat };
            assert!((step["chance"].as_f64().unwrap() - chance).abs() < 1e-4, "{step} {roll}");
            assert_eq!(step["blunder"] == true, roll["loss"].as_f64().unwrap_or(0.0) >= 0.02, "{step} {roll}");
        }
        assert_eq!(steps.last().unwrap()["scores"], record["result"]["scores"]);
    }

    // Dice were shown: who comes now gets others.
    let late = arena_in(here, &["submit", path(&sample("random")), "--to", "t.db"]);
    assert!(late.stdout.contains("it plays from pair 6 on"), "{}", late.stdout);
}

#[test]
fn a_report_replaces_an_earlier_one_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let agents = ["threshold-300", "bank-asap"].map(sample);
    let agents: Vec<&str> = agents.iter().map(|agent| path(agent)).collect();
    tournament(here, &agents, &[&["--pairs", "4"], SHORT].concat());
    let report = |options: &[&str]| arena_in(here, &[&["report", "t.db"], options].concat());

    fs::create_dir(here.join("mine")).unwrap();
    fs::write(here.join("mine/notes.txt"), "mine").unwrap();
    assert_refused(&report(&["--out", "mine"]), 2, "mine is a folder with other things in it");
    assert_refused(&report(&["--out", "t.db"]), 2, "t.db is a file; a report is a folder");
    assert_refused(&report(&["--out", "none/site"]), 2, "none/site cannot be made: there is no folder none");
    assert_refused(&report(&["--out", "site", "--match", "99"]), 2, "match 99 of t.db is not played");
    assert_refused(&arena_in(here, &["report", "none.db", "--out", "site"]), 2, "none.db cannot be opened");
    let mut left: Vec<_> = fs::read_dir(here).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.retain(|name| !name.to_string_lossy().starts_with("t.db"));
    assert_eq!(left, ["mine"], "nothing half-made is left");

    let made = report(&["--out", "site", "--replays", "2", "--match", "3", "--no-analysis"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let first = pages(&here.join("site"));
    check_links(&here.join("site"), &first);
    assert!((3..=4).contains(&(first.len() - 5 - 2)) && first.contains_key(Path::new("matches/3.html")));
    assert!(replay_of(&first[Path::new("matches/3.html")])["steps"][0]["chance"].is_null());

    // What somebody else has put there stays.
    fs::create_dir(here.join("site/.git")).unwrap();
    fs::write(here.join("site/.git/HEAD"), "mine").unwrap();
    fs::write(here.join("site/matches/notes.txt"), "mine").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("site", here.join("link")).unwrap();
    let figures = report(&["--out", if cfg!(unix) { "link" } else { "site" }, "--figures-only"]);
    assert_eq!(figures.code, 0, "{}", figures.stderr);
    for kept in ["site/.git/HEAD", "site/matches/notes.txt"] {
        assert_eq!(fs::read_to_string(here.join(kept)).unwrap(), "mine");
    }
    let figures = report(&["--out", "site", "--figures-only"]);
    assert_eq!((figures.code, figures.stdout.as_str()), (0, "site/index.html: 2 agents, 0 replays\n"));
    let second = pages(&here.join("site"));
    check_links(&here.join("site"), &second);
    assert_eq!(second.len(), 5 + 2, "the earlier report is gone");
    assert!(!second[Path::new("agents/1.html")].contains("Style"));
    assert!(
        fs::read_dir(here).unwrap().all(|entry| !entry.unwrap().file_name().to_string_lossy().starts_with(".arena"))
    );
    // The same file gives the same report, to the byte.
    assert_eq!(report(&["--out", "again", "--figures-only"]).code, 0);
    assert_eq!(pages(&here.join("again")), second);
}

/// Names and words that would be markup, faults, tables of four, and agents alone.
#[test]
fn whatever_was_played_has_pages() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let traps = Guest::new().before_deciding("unreachable");
    fs::write(here.join("traps.wasm"), traps.component()).unwrap();
    let good = sample("threshold-300");
    let wild = "<img><script>alert(1)\"&'";
    let agents = [format!("{wild}=traps.wasm"), format!("a={}", path(&good)), format!("b={}", path(&good))];
    let agents: Vec<&str> = agents.iter().map(String::as_str).chain([path(&good)]).collect();
    tournament(here, &agents, &["--rules", "play-table", "--seats", "4", "--pairs", "3"]);
    let made = arena_in(here, &["report", "t.db", "--out", "site"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let all = pages(&here.join("site"));
    check_links(&here.join("site"), &all);
    for (name, page) in &all {
        assert!(
            !page.contains("<img") && !page.contains("<b>") && !page.contains("<script>"),
            "{name:?} takes a name for markup"
        );
    }
    assert!(all[Path::new("index.html")].contains("&lt;img&gt;&lt;script&gt;alert(1)"));
    assert!(all[Path::new("faults.html")].contains("trap"));
    let replay = replay_of(&all[Path::new("matches/1.html")]);
    let seat = replay["seats"].as_array().unwrap().iter().position(|seat| seat["name"] == wild).unwrap();
    let fault = replay["steps"].as_array().unwrap().iter().find(|step| step["next"] == "fault").unwrap();
    assert_eq!(fault["seat"], seat);

    fs::remove_file(here.join("t.db")).unwrap();
    let create = ["create", "t.db", "--rules", "solo-ten", "--pairs", "3", "--seed", "1"];
    assert_eq!(arena_in(here, &create).code, 0);
    for name in ["</script><b>", "--><!--"] {
        let name = format!("--name={name}");
        assert_eq!(arena_in(here, &["submit", path(&good), "--to", "t.db", &name]).code, 0);
    }
    assert_eq!(arena_in(here, &["run", "t.db"]).code, 0);
    let alone = arena_in(here, &["report", "t.db", "--out", "site"]);
    assert_eq!(alone.code, 0, "{}", alone.stderr);
    let all = pages(&here.join("site"));
    check_links(&here.join("site"), &all);
    let index = &all[Path::new("index.html")];
    assert!(
        index.contains("Mean total") && index.contains("&lt;/script&gt;&lt;b&gt;") && index.contains("--&gt;&lt;!--")
    );
    let alone = replay_of(&all[Path::new("matches/1.html")]);
    assert!(alone["seats"][0]["name"].as_str().is_some_and(|name| ["</script><b>", "--><!--"].contains(&name)));
}

#[test]
fn standings_are_a_figure_too() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let wild = format!("<b>&={}", path(&sample("random")));
    tournament(here, &[path(&sample("max-ev")), &wild], &[&["--pairs", "5"], SHORT].concat());
    let figure = arena_in(here, &["standings", "t.db", "--format", "svg"]);
    assert_eq!(figure.code, 0, "{}", figure.stderr);
    let printed = arena_in(here, &["standings", "t.db", "--format", "json"]);
    let standings: Value = serde_json::from_str(&printed.stdout).unwrap();
    for row in standings["standings"].as_array().unwrap() {
        let [elo, low, high] = ["elo", "elo_low", "elo_high"].map(|field| row[field].as_f64().unwrap());
        assert!(figure.stdout.contains(&format!(">{elo:.0} ({low:.0} to {high:.0})</text>")), "{}", figure.stdout);
    }
    assert!(figure.stdout.starts_with("<?xml version=\"1.0\"") && figure.stdout.contains("&lt;b&gt;&amp;"));
    let cross = arena_in(here, &["standings", "t.db", "--format", "svg", "--cross-table"]);
    assert_refused(&cross, 2, "are for text, markdown and json");
}
