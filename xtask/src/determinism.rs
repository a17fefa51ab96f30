//! `cargo xtask determinism`: every built-in scene in every way in which it can be run, and one table of digests, which must be
//! equal in each row.

mod elsewhere;

use crate::{TaskError, say};
use elsewhere::Elsewhere;
use engine2d_record::{Course, SavedRun, digest};
use engine2d_scene::{Scene, catalogue::CATALOGUE};
use engine2d_sim::World;
use std::cell::Cell;
use std::io;
use std::process::ExitCode;
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
    /// Print name and digest of each scene, for the table of another process.
    #[arg(long, hide = true)]
    digests: bool,
}

/// A way to run a scene.
type Way = fn(&Scene, f64) -> Result<String, TaskError>;

/// The ways to run a scene in this process.
const HERE: [(&str, Way); 4] = [("run", plain), ("again", plain), ("resumed", resumed), ("traced", traced)];

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let scenes: Vec<(&str, Scene)> = CATALOGUE
        .iter()
        .filter(|entry| options.scenes.is_empty() || options.scenes.iter().any(|name| name == entry.name))
        .map(|entry| (entry.name, entry.scene()))
        .collect();
    if scenes.is_empty() {
        return Err("no built-in scene has one of these names".into());
    }
    if options.digests {
        for (name, scene) in &scenes {
            say(&format!("{name} {}", plain(scene, until(scene, options.horizon))?));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let others = if options.here { Vec::new() } else { elsewhere::all(options.horizon, &options.scenes) };
    let width = scenes.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let columns = HERE.iter().map(|(name, _)| *name).chain(others.iter().map(|other| other.name));
    let heading: Vec<String> = columns.map(|name| format!("{name:16}")).collect();
    say(&format!("{:width$}  {}", "scene", heading.join("  ").trim_end()));
    let mut apart = Vec::new();
    for (name, scene) in &scenes {
        let until = until(scene, options.horizon);
        let mut row = Vec::new();
        for (_, way) in HERE {
            row.push(Some(way(scene, until)?));
        }
        row.extend(others.iter().map(|other| other.digest(name)));
        let cells: Vec<String> =
            row.iter().map(|cell| format!("{:16}", cell.as_deref().unwrap_or("-"))).collect();
        let mut known = row.iter().flatten();
        let first = known.next();
        let equal = known.all(|digest| Some(digest) == first);
        if !equal {
            apart.push(*name);
        }
        let mark = if equal { "" } else { "  DIFFERENT" };
        say(&format!("{name:width$}  {}{mark}", cells.join("  ").trim_end()));
    }
    for Elsewhere { name, skipped, .. } in others.iter() {
        if let Some(why) = skipped {
            say(&format!("{name}: not run, {why}"));
        }
    }
    let ways = HERE.len() + others.iter().filter(|other| other.skipped.is_none()).count();
    if apart.is_empty() {
        say(&format!("{} scenes in {ways} ways: all digests are equal", scenes.len()));
        return Ok(ExitCode::SUCCESS);
    }
    say(&format!("{} of {} scenes differ: {}", apart.len(), scenes.len(), apart.join(", ")));
    Ok(ExitCode::FAILURE)
}

/// When a run of a scene ends.
fn until(scene: &Scene, horizon: f64) -> f64 {
    scene.start_time + scene.duration.min(horizon)
}

fn plain(scene: &Scene, until: f64) -> Result<String, TaskError> {
    let mut world = scene.to_world()?;
    Course::new(until, scene.settings.time_step).run(&mut world, &mut [])?;
    Ok(digest(&world))
}

/// Stopped in the middle, written to bytes, and gone on with from nothing but these.
fn resumed(scene: &Scene, until: f64) -> Result<String, TaskError> {
    let mut world = scene.to_world()?;
    let middle = ((until - scene.start_time) / scene.settings.time_step / 2.0) as u64;
    let steps = Cell::new(0);
    let stop = || steps.replace(steps.get() + 1) >= middle;
    let course = Course::new(until, scene.settings.time_step);
    Course { stop: Some(&stop), ..course }.run(&mut world, &mut [])?;
    let mut file = Vec::new();
    SavedRun::new(scene, &world, until).write(&mut file)?;
    let mut world: World = SavedRun::read(&file[..], LARGEST_STATE)?.world()?;
    course.go_on(&mut world, &mut [])?;
    Ok(digest(&world))
}

/// While someone listens to all that the engine tells of its work.
fn traced(scene: &Scene, until: f64) -> Result<String, TaskError> {
    let all = fmt::layer().with_writer(io::sink).with_filter(LevelFilter::TRACE);
    tracing::subscriber::with_default(tracing_subscriber::registry().with(all), || plain(scene, until))
}
