//! What it takes to store matches in a tournament file, apart from playing them.
//!
//! `cargo bench -p arena --bench storing [MATCHES]`. The file is made in the folder for temporary files
//! (`TMPDIR`): where that is memory, a commit costs less than on a disk.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let matches: u64 = asked.unwrap_or(200_000);
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("bench.db");
    let took = arena::bench::store_matches(&file, matches)?;
    let bytes = std::fs::metadata(&file)?.len();
    println!("matches                {matches:>12}");
    println!("a match                {:>12.2} µs", 1e6 * took.as_secs_f64() / matches.max(1) as f64);
    println!("bytes a match          {:>12.1}", bytes as f64 / matches.max(1) as f64);
    Ok(())
}
