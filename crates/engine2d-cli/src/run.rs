//! `engine2d run`.

use crate::output::{cannot, create, say};
use crate::progress::Progress;
use crate::tables::{Format, Tables};
use crate::{Failure, source};
use engine2d::record::{
    EventWriter, Observer, ReplayRecorder, SummaryObserver, TrajectoryWriter, WatchError, run as run_world,
};
use engine2d::scene::{Clock, ClockKind, ClockSettings, Scene, SteppingSolver};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

/// The built-in scene that is run when none is named.
const DEFAULT_SCENE: &str = "pile";

/// What to run and where to write.
#[derive(clap::Args)]
pub(crate) struct RunArguments {
    /// Scene file, `-` for standard input, or the name of a built-in scene.
    #[arg(default_value = DEFAULT_SCENE)]
    scene: PathBuf,
    /// Number of rows, blocks or stones of a built-in scene that is as large as wanted, as `pyramid --rows 40`.
    #[arg(long, value_name = "NUMBER")]
    rows: Option<u32>,
    /// Simulated time at which to stop, instead of the scene's duration.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    until: Option<f64>,
    /// How time advances, instead of the scene's clock.
    #[arg(long, value_enum)]
    clock: Option<ClockName>,
    /// Folder for the results; created if needed.
    #[arg(long, value_name = "DIR", default_value = "engine2d-run")]
    out: PathBuf,
    /// Form of the tables.
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,
}

/// A clock by name, with its default settings.
#[derive(Clone, Copy, clap::ValueEnum)]
enum ClockName {
    /// Events at the zeros of gaps and forces.
    Located,
    /// Steps that end in penetration are taken back.
    Backtracking,
    /// Steps of the scene's time step at the level of velocities, solved exactly.
    #[value(alias = "time_stepping", alias = "time-stepping")]
    Exact,
    /// The same steps with soft contacts, as fast engines take them.
    Iterative,
    /// Exact steps while they are quick, iterative ones where not.
    Auto,
}

impl ClockName {
    fn clock(self) -> Clock {
        Clock::Kind(match self {
            Self::Located => ClockKind::Located,
            Self::Backtracking => ClockKind::Backtracking,
            Self::Exact => ClockKind::TimeStepping,
            Self::Iterative => return Clock::Own(ClockSettings::stepping(SteppingSolver::Iterative)),
            Self::Auto => return Clock::Own(ClockSettings::stepping(SteppingSolver::Auto)),
        })
    }
}

/// Reads a time of the command line.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err("a finite number of seconds is needed".to_owned()),
    }
}

pub(crate) fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let mut scene = match arguments.rows {
        Some(rows) => source::sized(&arguments.scene, rows)?,
        None => source::load(&arguments.scene)?,
    };
    if let Some(name) = arguments.clock {
        scene.settings.clock = Some(name.clock());
        scene.settings = scene.settings.resolved();
    }
    let mut world = scene.to_world().map_err(|error| Failure::BadScene(error.to_string()))?;
    world.probe().set_clock(now);
    let until = end(&scene, arguments.until)?;
    fs::create_dir_all(&arguments.out).map_err(|error| cannot("create", &arguments.out, &error))?;
    let path = |name: &str| arguments.out.join(name);
    let mut table = create(&path("trajectory.csv"))?;
    let mut lines = create(&path("events.jsonl"))?;

    let mut trajectory = TrajectoryWriter::new(&mut table);
    let mut events = EventWriter::new(&mut lines);
    let mut summary = SummaryObserver::new(&scene);
    let mut replay = ReplayRecorder::new(&scene, until - scene.start_time);
    let mut progress = Progress::new(scene.start_time, until);
    let mut tables = Tables::create(arguments.format, &arguments.out)?;
    let mut observers: Vec<&mut dyn Observer> =
        vec![&mut trajectory, &mut events, &mut summary, &mut replay, &mut progress];
    observers.extend(tables.as_mut().map(|tables| tables as &mut dyn Observer));
    let clock = Instant::now();
    let outcome = run_world(&mut world, until, scene.settings.time_step, &mut observers);
    let wall_s = clock.elapsed().as_secs_f64();
    progress.clear();

    // What was simulated is written even if the simulation could not go on.
    let mut summary = summary.summary().clone();
    summary.timing.wall_s = wall_s;
    summary.error = match &outcome {
        Err(WatchError::Simulation(error)) => Some(error.to_string()),
        _ => None,
    };
    table.flush()?;
    lines.flush()?;
    tables.map_or(Ok(()), Tables::finish)?;
    let mut page = create(&path("replay.html"))?;
    replay.write(&mut page)?;
    page.flush()?;
    // What the wall clock says is kept apart: the other files of two equal runs are equal to the byte.
    write_json(&path("summary.json"), serde_json::to_string_pretty(&summary))?;
    write_json(&path("timing.json"), serde_json::to_string_pretty(&summary.timing))?;
    say(summary.to_string().trim_end());
    say(&format!("\nopen {} to see it", path("replay.html").display()));
    outcome.map_err(|error| Failure::Other(error.to_string()))
}

/// Writes a value on lines of its own.
fn write_json(path: &std::path::Path, value: serde_json::Result<String>) -> Result<(), Failure> {
    let mut file = create(path)?;
    writeln!(file, "{}", value.map_err(std::io::Error::from)?)?;
    file.flush()?;
    Ok(())
}

/// Seconds since the first call.
fn now() -> f64 {
    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    ORIGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// The time at which a run ends.
fn end(scene: &Scene, until: Option<f64>) -> Result<f64, Failure> {
    let until = until.unwrap_or(scene.start_time + scene.duration);
    if until < scene.start_time {
        let start = scene.start_time;
        return Err(Failure::Other(format!("--until {until} is before the scene's start, {start}")));
    }
    Ok(until)
}
