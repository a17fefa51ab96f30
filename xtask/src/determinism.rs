//! `cargo xtask determinism`: every built-in scene, under its own clock and under those of fixed steps, in every way in which it can
//! be run, and one table of digests, which must be equal in each row.

mod elsewhere;
mod rows;

use crate::{TaskError, say};
use engine2d_record::{Course, SavedRun, digest};
use engine2d_scene::Scene;
use engine2d_sim::World;
use rows::Row;
use serde_json::{Value, json};
use std::cell::Cell;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{Layer, fmt};

/// Largest state that is read back (bytes).
const LARGEST_STATE: u64 = 1 << 30;

/// What to run, and for how long.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How long each scene is run (simulated time), if its duration is not shorter.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    horizon: f64,
    /// Only these built-in scenes, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    scenes: Vec<String>,
    /// Only in this process: no other build, no threads, no WebAssembly.
    #[arg(long)]
    here: bool,
    /// Write the table to this file too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print name and digest of each row, for the table of another process.
    #[arg(long, hide = true)]
    digests: bool,
}

/// A way to run a scene.
type Way = fn(&Scene, f64) -> Result<String, TaskError>;

/// The ways to run a scene in this process.
const HERE: [(&str, Way); 4] = [("run", plain), ("again", plain), ("resumed", resumed), ("traced", traced)];

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let rows = rows::all(&options.scenes, options.horizon);
    if rows.is_empty() {
        return Err("no built-in scene has one of these names".into());
    }
    if options.digests {
        for row in &rows {
            say(&format!("{} {}", row.name, plain(&row.scene, row.until)?));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let others =
        if options.here { Vec::new() } else { elsewhere::all(&rows, options.horizon, &options.scenes)? };
    let names: Vec<&str> =
        HERE.iter().map(|way| way.0).chain(others.iter().map(|other| other.name)).collect();
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let heading: Vec<String> = names.iter().map(|name| format!("{name:16}")).collect();
    say(&format!("{:width$}  {}", "scene", heading.join("  ").trim_end()));
    let (mut apart, mut table) = (Vec::new(), Vec::new());
    for (Row { name, until, .. }, own) in rows.iter().zip(here(&rows)?) {
        let mut digests: Vec<Option<String>> = own.into_iter().map(Some).collect();
        digests.extend(others.iter().map(|other| other.digest(name)));
        // A column that ran and lacks a row is a difference; one that could not be run is none.
        let ran = |at: usize| at < HERE.len() || others[at - HERE.len()].skipped.is_none();
        let equal = (0..digests.len()).filter(|at| ran(*at)).all(|at| digests[at] == digests[0]);
        if !equal {
            apart.push(name.as_str());
        }
        let cells: Vec<String> =
            digests.iter().map(|cell| format!("{:16}", cell.as_deref().unwrap_or("-"))).collect();
        let mark = if equal { "" } else { "  DIFFERENT" };
        say(&format!("{name:width$}  {}{mark}", cells.join("  ").trim_end()));
        let digests: serde_json::Map<String, Value> =
            names.iter().zip(&digests).map(|(name, digest)| ((*name).to_owned(), json!(digest))).collect();
        table.push(json!({ "scene": name, "until": until, "digests": digests, "equal": equal }));
    }
    let mut skipped = serde_json::Map::new();
    for other in &others {
        if let Some(why) = &other.skipped {
            say(&format!("{}: not run, {why}", other.name));
            skipped.insert(other.name.to_owned(), json!(why));
        }
    }
    if let Some(path) = &options.json {
        let told = json!({ "horizon": options.horizon, "columns": names, "skipped": skipped, "rows": table });
        let written = std::fs::write(path, format!("{}\n", serde_json::to_string_pretty(&told)?));
        written.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let ways = names.len() - skipped.len();
    if apart.is_empty() {
        say(&format!("{} rows in {ways} ways: all digests are equal", rows.len()));
        return Ok(ExitCode::SUCCESS);
    }
    say(&format!("{} of {} rows differ: {}", apart.len(), rows.len(), apart.join(", ")));
    Ok(ExitCode::FAILURE)
}

/// The digests of each row in the ways of this process. The rows are shared out among threads; a run is on one of them.
fn here(rows: &[Row]) -> Result<Vec<Vec<String>>, String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((at, row)) = rows.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)) {
            let digests: Result<Vec<String>, TaskError> =
                HERE.iter().map(|(_, way)| way(&row.scene, row.until)).collect();
            done.push((at, digests.map_err(|error| format!("{}: {error}", row.name))?));
        }
        Ok(done)
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let parts = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ended = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err("a run has ended in a panic".to_owned())));
        ended.collect::<Result<Vec<_>, String>>()
    });
    let mut all = parts?.concat();
    all.sort_by_key(|row| row.0);
    Ok(all.into_iter().map(|row| row.1).collect())
}

/// The digest of a world, marked if its run ended in an error: it stays where it stopped, which must be the same place too.
fn cell<E>(world: &World, outcome: &Result<(), E>) -> String {
    let digest = digest(world);
    if outcome.is_ok() { digest } else { format!("!{}", &digest[1..]) }
}

fn plain(scene: &Scene, until: f64) -> Result<String, TaskError> {
    let mut world = scene.to_world()?;
    let outcome = Course::new(until, scene.settings.time_step).run(&mut world, &mut []);
    Ok(cell(&world, &outcome.map(drop)))
}

/// Stopped in the middle, written to bytes, and gone on with from nothing but these.
fn resumed(scene: &Scene, until: f64) -> Result<String, TaskError> {
    let mut world = scene.to_world()?;
    let middle = ((until - scene.start_time) / scene.settings.time_step / 2.0) as u64;
    let steps = Cell::new(0);
    let stop = || steps.replace(steps.get() + 1) >= middle;
    let course = Course::new(until, scene.settings.time_step);
    let outcome = Course { stop: Some(&stop), ..course }.run(&mut world, &mut []);
    if outcome.is_err() {
        return Ok(cell(&world, &outcome.map(drop)));
    }
    let mut file = Vec::new();
    SavedRun::new(scene, &world, until).write(&mut file)?;
    let mut world: World = SavedRun::read(&file[..], LARGEST_STATE)?.world()?;
    let outcome = course.go_on(&mut world, &mut []);
    Ok(cell(&world, &outcome.map(drop)))
}

/// While someone listens to all that the engine tells of its work.
fn traced(scene: &Scene, until: f64) -> Result<String, TaskError> {
    let all = fmt::layer().with_writer(io::sink).with_filter(LevelFilter::TRACE);
    tracing::subscriber::with_default(tracing_subscriber::registry().with(all), || plain(scene, until))
}
