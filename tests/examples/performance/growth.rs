//! How speed and memory change with jobs, agents, seats and the length of a match.

use std::path::Path;

use crate::Effort;
use crate::program::{Failed, Programs, figure};

/// What grows, and what it was measured at.
pub(crate) struct Series {
    pub(crate) what: &'static str,
    pub(crate) points: Vec<Point>,
}

pub(crate) struct Point {
    pub(crate) at: u32,
    pub(crate) matches_per_second: f64,
    pub(crate) decisions_per_second: f64,
    pub(crate) peak_bytes: u64,
}

pub(crate) fn measure(programs: &Programs, effort: Effort) -> Result<Vec<Series>, Failed> {
    let folder = tempfile::tempdir()?;
    let agents = variants(programs, folder.path(), 200)?;
    let series = |what, sizes: &[u32], measured: &dyn Fn(u32) -> Result<Point, Failed>| -> Result<Series, Failed> {
        let points = sizes.iter().map(|size| {
            eprintln!("{what}: {size}");
            measured(*size)
        });
        Ok(Series { what, points: points.collect::<Result<_, _>>()? })
    };
    let point = |at: u32, jobs: usize, args: &[&str]| -> Result<Point, Failed> {
        let (bench, peak_bytes) = programs.bench(effort.seconds, &[&["--jobs", &jobs.to_string()], args].concat())?;
        let speed = bench["speeds"].as_array().and_then(|speeds| speeds.last()).ok_or("bench tells no speed")?;
        let (matches_per_second, decisions_per_second) =
            (figure(speed, "matches_per_second")?, figure(speed, "decisions_per_second")?);
        Ok(Point { at, matches_per_second, decisions_per_second, peak_bytes })
    };
    let alone = |at, args: &[&str]| point(at, 1, args);
    Ok(vec![
        series("jobs", &[1, 2], &|jobs| point(jobs, jobs as usize, &[]))?,
        series("agents", &[2, 10, 50, 200], &|count| {
            alone(count, &agents[..count as usize].iter().map(String::as_str).collect::<Vec<_>>())
        })?,
        series("seats (play-table)", &[2, 4, 8, 12], &|seats| {
            alone(seats, &["--rules", "play-table", "--seats", &seats.to_string()])
        })?,
        series("target", &[1_000, 10_000, 100_000], &|target| alone(target, &["--set", &format!("target={target}")]))?,
    ])
}

/// Components that play alike and differ in a section that nothing reads.
fn variants(programs: &Programs, folder: &Path, count: usize) -> Result<Vec<String>, Failed> {
    let sample = std::fs::read(programs.sample("threshold-300"))?;
    let variant = |number: usize| -> Result<String, Failed> {
        let mut bytes = sample.clone();
        // Section 0: its length, the length of its name, its name.
        bytes.extend_from_slice(&[0, 4, 3]);
        bytes.extend_from_slice(format!("{number:03}").as_bytes());
        let path = folder.join(format!("a{number:03}.wasm"));
        std::fs::write(&path, bytes)?;
        Ok(path.display().to_string())
    };
    (0..count).map(variant).collect()
}

/// Two agents of `threshold-300` on one job, unless another figure is told.
pub(crate) fn table(growth: &[Series]) -> String {
    let mut text =
        "| | | matches a second | decisions a second | peak memory, MB |\n|---|---|---|---|---|\n".to_owned();
    for series in growth {
        for point in &series.points {
            text += &format!(
                "| {} | {} | {:.0} | {:.0} | {:.1} |\n",
                series.what,
                point.at,
                point.matches_per_second,
                point.decisions_per_second,
                point.peak_bytes as f64 / 1e6
            );
        }
    }
    text + "\n![Decisions a second and memory as things grow](performance-growth.svg)\n"
}
