//! `arena standings`: the standings of a tournament file.

use std::path::Path;

use arena_core::formats::{KnockoutRow, Standing, SwissRow};
use arena_core::ratings::Anchor;
use arena_core::rulebook::counted;
use arena_core::standings::{Adjusted, Estimate, LuckAdjusted, Row};
use arena_site::{FigureRow, standings_figure};
use serde_json::json;

use crate::args::{StandingsArgs, TableFormat};
use crate::commands::sprt::two_agents;
use crate::failure::Failure;
use crate::harmless::{harmless, markdown};
use crate::output::{self, thousands};
use crate::report::{Placed, Report};
use crate::standings_table::{self, Grid};
use crate::store::{Entry, Store, unknown_agent};

pub(crate) fn run(args: &StandingsArgs) -> Result<(), Failure> {
    let store = Store::open_to_read(&args.file)?;
    let anchor = args.anchor.as_deref().map(|anchor| anchored(anchor, &store.entries()?, &args.file)).transpose()?;
    let lucks = args.luck_adjusted.then(|| args.jobs.count());
    let extras = Extras { anchor, cross_table: args.cross_table, matrix: args.matrix, lucks };
    print(&store, args.format, &extras)
}

pub(crate) fn print(store: &Store, format: TableFormat, extras: &Extras) -> Result<(), Failure> {
    let text = of(store, format, extras)?;
    match format {
        TableFormat::Json => output::print_json(&text),
        TableFormat::Text | TableFormat::Csv | TableFormat::Markdown | TableFormat::Svg => output::print(&text),
    }
}

/// What standings can have beside the usual.
#[derive(Default)]
pub(crate) struct Extras {
    pub(crate) anchor: Option<Anchor>,
    pub(crate) cross_table: bool,
    pub(crate) matrix: bool,
    /// Ratings corrected for luck, with matches played again on so many threads.
    pub(crate) lucks: Option<usize>,
}

/// `NAME=ELO`: the latest version of that name.
fn anchored(text: &str, entries: &[Entry], file: &Path) -> Result<Anchor, Failure> {
    let malformed = || Failure::usage(format!("`{text}` is no anchor: write NAME=ELO, as in max-ev=2000"));
    let (name, elo) = text.rsplit_once('=').ok_or_else(malformed)?;
    let elo: f64 = elo.trim().parse().map_err(|_| malformed())?;
    let agent = entries.iter().rposition(|entry| entry.name == name);
    let agent = agent.ok_or_else(|| unknown_agent(name, entries, file))?;
    if !(-10_000.0..=10_000.0).contains(&elo) {
        return Err(Failure::usage(format!("an anchor at {elo} Elo: allowed are -10000 to 10000")));
    }
    Ok(Anchor { agent, elo })
}

/// The standings in print.
pub(crate) fn of(store: &Store, format: TableFormat, extras: &Extras) -> Result<String, Failure> {
    let report = Report::read(store, extras.anchor, extras.lucks)?;
    match format {
        TableFormat::Json => Ok(in_json(&report, extras)),
        _ if report.played == 0 => {
            let path = store.path().display();
            Err(Failure::failed(format!("no match of {path} is played yet: `arena run {path}` plays them")))
        }
        TableFormat::Text => Ok(in_text(&report, extras, Grid::Terminal, store.path())),
        TableFormat::Markdown => Ok(in_text(&report, extras, Grid::Markdown, store.path())),
        TableFormat::Csv | TableFormat::Svg if extras.cross_table || extras.matrix || extras.lucks.is_some() => {
            Err(Failure::usage("--cross-table, --matrix and --luck-adjusted are for text, markdown and json"))
        }
        TableFormat::Svg => Ok(in_svg(&report)),
        TableFormat::Csv => Ok(standings_table::csv(&report.standings, |place| report.entry(place))),
    }
}

fn in_svg(report: &Report) -> String {
    let row = |row: &Row| {
        let Estimate { at, low, high } = row.estimate();
        FigureRow { label: harmless(&report.label(report.compared[row.agent])), at, low, high }
    };
    let Report { settings, standings, .. } = report;
    let axis = if settings.seats == 1 { "mean total" } else { "Elo" };
    let note = format!("95% intervals; {} matches", thousands(report.matches as i64));
    let rows: Vec<FigureRow> = standings.standings.iter().map(row).collect();
    standings_figure(&harmless(&settings.ruleset.name), axis, &note, &rows)
}

fn in_text(report: &Report, extras: &Extras, grid: Grid, path: &Path) -> String {
    let Report { settings, standings, .. } = report;
    // Whoever names an agent or a ruleset writes no Markdown.
    let shown = |name: String| match grid {
        Grid::Terminal => name,
        Grid::Markdown => markdown(&name),
    };
    let label = |entry| shown(report.label(entry));
    let labels: Vec<String> = report.labels().into_iter().map(shown).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let by_format = by_format(report, label);
    // What the format makes of its matches comes first: the table is another order.
    let mut text = if by_format.is_empty() { by_format } else { format!("{by_format}\nby rating:\n") };
    if grid == Grid::Markdown && !text.is_empty() {
        text.push('\n');
    }
    text += &match grid {
        Grid::Terminal => standings_table::draw(standings, &labels),
        Grid::Markdown => standings_table::markdown(standings, &labels),
    };
    let seats = match settings.seats {
        2 => String::new(),
        seats => format!(" at {}", counted(seats as i64, "seat")),
    };
    text += &format!(
        "\n{}, {}: {} of {} planned matches played{seats}\n",
        shown(settings.ruleset.name.to_string()),
        settings.play.name(),
        thousands(report.played as i64),
        thousands((report.played + report.left) as i64),
    );
    let unplayed: Vec<String> = report.unplayed().map(label).collect();
    if !unplayed.is_empty() {
        text += &format!("not played yet: {}\n", unplayed.join(", "));
    }
    for (place, entry) in report.entries.iter().enumerate() {
        if let Some(why) = &entry.suspended {
            text += &format!("{}: {why}\n", report.label(place));
        }
    }
    if settings.seats == 1 {
        let common = standings.standings.first().map_or(0, |row| row.matches);
        let (common, seeds) = (thousands(common as i64), thousands(report.seeds as i64));
        text += &format!("compared on the {common} of {seeds} seeds that all of these have played\n");
    }
    if report.unfinished > 0 {
        let limit = counted(settings.limits.turns, "turn");
        let unfinished = thousands(report.unfinished as i64);
        text += &format!("matches ended by the limit of {limit} a seat: {unfinished}\n");
    }
    text += &standings_table::model_line(standings, settings.seats);
    if let Some(duel) = report.duel {
        text += &format!("{} against {}: {}", labels[0], labels[1], two_agents(&duel));
    }
    for row in &standings.standings {
        for (kind, number) in &row.first_faults {
            let (label, path) = (labels[row.agent], path.display());
            text += &format!("{label}: {kind} first in match {number}: `arena show {path} {number}`\n");
        }
    }
    if let Some(adjusted) = &report.luck_adjusted {
        // In Markdown a line next to a table would be part of it.
        let gap = if grid == Grid::Markdown { "\n" } else { "" };
        text += &format!("\ncorrected for luck, in the order of the plain ratings:\n{gap}");
        text += &standings_table::luck_adjusted(standings, adjusted, &labels, grid);
        text += gap;
        text += "gain: how many times as many matches the plain rating takes to be as certain\n";
        if report.unfinished > 0 {
            text += "luck is judged as if there were no limit of turns, which ended some of these matches\n";
        }
    }
    if extras.cross_table {
        text += "\nscore against each (wins–draws–losses):\n";
        text += &standings_table::cross_table(standings, &labels, grid);
    }
    if extras.matrix {
        text += "\nlikelihood that the row is truly stronger than the column:\n";
        text += &standings_table::los_matrix(standings, &labels, grid);
    }
    text
}

/// The order that the format itself makes, where it makes one.
fn by_format(report: &Report, label: impl Fn(usize) -> String) -> String {
    let Some(order) = report.order(&label) else { return String::new() };
    let mut text = format!("{}:\n", order.title);
    for Placed { place, entry, how } in order.rows {
        text += &format!("{place:>3}. {}: {how}\n", label(entry));
    }
    text
}

/// The standings as JSON, on one line.
pub(crate) fn in_json(report: &Report, extras: &Extras) -> String {
    let Report { settings, standings, .. } = report;
    let row = |row: &Row| {
        let entry = report.entry(row.agent);
        let mut json = serde_json::to_value(row).expect("a row is plain data");
        json["name"] = entry.name.as_str().into();
        json["version"] = entry.version.into();
        json["author"] = entry.author.as_deref().into();
        json["withdrawn"] = entry.withdrawn.into();
        json["suspended"] = entry.suspended.as_deref().into();
        json["sha256"] = entry.sha256.to_string().into();
        json
    };
    let mut whole = json!({
        "format": 1,
        "ruleset": settings.ruleset.name,
        "seed": report.seed.map(|seed| seed.to_string()),
        "engine": report.engines.first(),
        "engines": report.engines,
        "limits": settings.limits,
        "play": settings.play,
        "seats": settings.seats,
        "pairs": settings.pairs,
        "matches": report.matches,
        "model": standings.model,
        "standings": standings.standings.iter().map(row).collect::<Vec<_>>(),
    });
    let agent = |entry: usize| json!({"name": report.entries[entry].name, "version": report.entries[entry].version});
    match &report.standing {
        Standing::ByRating => {}
        Standing::Swiss(rows) => {
            let row = |row: &SwissRow| {
                let (points, buchholz) = (row.half_points as f64 / 2.0, row.buchholz as f64 / 2.0);
                json!({"agent": agent(row.entry), "points": points, "buchholz": buchholz, "byes": row.byes})
            };
            whole["swiss"] = rows.iter().map(row).collect();
        }
        Standing::Knockout(rows) => {
            let row = |row: &KnockoutRow| {
                let lost_to = row.lost_to.map(agent);
                json!({"agent": agent(row.entry), "rank": row.rank, "rounds_won": row.rounds_won,
                       "winner": row.winner, "lost_to": lost_to})
            };
            whole["knockout"] = rows.iter().map(row).collect();
        }
    }
    if let Some(duel) = report.duel {
        whole["pentanomial"] = json!(duel.counts());
        whole["figures"] = json!(duel.figures());
    }
    if let Some(adjusted) = &report.luck_adjusted {
        whole["luck_adjusted"] = luck_adjusted(report, adjusted);
    }
    if extras.matrix {
        whole["los"] = json!(standings.los);
    }
    if extras.cross_table {
        let agents = 0..report.compared.len();
        let cells = |own: usize| -> Vec<_> { agents.clone().map(|a| standings.cross_table.get(own, a)).collect() };
        whole["cross_table"] = json!(agents.clone().map(cells).collect::<Vec<_>>());
    }
    if extras.matrix || extras.cross_table {
        // Rows and columns are in the order of submission.
        whole["agents"] = json!(report.labels());
    }
    format!("{whole}\n")
}

fn luck_adjusted(report: &Report, adjusted: &LuckAdjusted) -> serde_json::Value {
    let agent = |place: usize| json!({"name": report.entry(place).name, "version": report.entry(place).version});
    let rows = report.standings.standings.iter().map(|row| {
        let Adjusted { corrected, .. } = adjusted.agents[row.agent];
        let mut json = agent(row.agent);
        for (field, value) in [("elo", corrected.elo), ("elo_low", corrected.elo_low), ("elo_high", corrected.elo_high)]
        {
            json[field] = json!((100.0 * value).round() / 100.0);
        }
        json["gain"] = json!(adjusted.agents[row.agent].gain());
        json
    });
    let pairings = adjusted.pairings.iter().map(|gain| {
        let [plain, corrected] = gain.standard_errors();
        json!({
            "agents": gain.agents.map(agent), "pairs": gain.pairs,
            "score": gain.score / 2.0, "standard_error": plain.map(|error| error / 2.0),
            "corrected_score": gain.corrected_score / 2.0, "corrected_standard_error": corrected.map(|error| error / 2.0),
            "gain": gain.ratio(),
        })
    });
    json!({"standings": rows.collect::<Vec<_>>(), "pairings": pairings.collect::<Vec<_>>()})
}
