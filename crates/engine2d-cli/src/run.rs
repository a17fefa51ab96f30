//! `engine2d run`.

use crate::folder::{CHECKPOINT, Folder, REPLAY};
use crate::interrupt::{self, LastStep};
use crate::limits::{LimitArguments, now};
use crate::network::Network;
use crate::output::{cannot, complain, say};
use crate::progress::Progress;
use crate::recording::{Recording, write_state};
use crate::tables::{Format, Tables};
use crate::tracing_options::TracingArguments;
use crate::{Failure, forces, source};
use engine2d::record::{Course, Ended, Observer, SavedRun, WatchError};
use engine2d::scene::{Clock, ClockKind, ClockSettings, Scene, SteppingSolver};
use engine2d::sim::World;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The built-in scene that is run when none is named.
const DEFAULT_SCENE: &str = "pile";

/// The folder of the results when none is named.
const DEFAULT_FOLDER: &str = "engine2d-run";

/// Largest state file that is read (bytes).
const LARGEST_STATE: u64 = 1 << 32;

/// What to run and where to write.
#[derive(clap::Args)]
pub(crate) struct RunArguments {
    /// Scene file, `-` for standard input, or the name of a built-in scene; `pile` if absent.
    scene: Option<PathBuf>,
    /// Number of rows, blocks or stones of a built-in scene that is as large as wanted, as `pyramid --rows 40`.
    #[arg(long, value_name = "NUMBER")]
    rows: Option<u32>,
    /// Simulated time at which to stop, instead of the scene's duration.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    until: Option<f64>,
    /// How time advances, instead of the scene's clock.
    #[arg(long, value_enum)]
    clock: Option<ClockName>,
    /// Threads for steps of a fixed length of many bodies; the results have the same bits with any number of them.
    #[cfg(feature = "parallel")]
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Folder for the results, `engine2d-run` if absent; created if needed. Results of an older run in it are removed.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Save the state at the end as a file, from which `--resume` goes on.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Save it at the end of the first step at or after this time instead; the run goes on all the same.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true, requires = "save")]
    save_at: Option<f64>,
    /// Go on from a state file with results of its own; with a scene of the same bodies, as a branch under its rules. Or the
    /// folder of a run with checkpoints that was killed: its files are continued as if nothing had been.
    #[arg(long, value_name = "FILE|DIR")]
    resume: Option<PathBuf>,
    /// Write a checkpoint into the folder as often (seconds by the wall clock), so that a run that is killed can go on.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    checkpoint_every: Option<f64>,
    /// Add columns of the contact forces between two bodies to the trajectory: normal and tangential force, sliding speed, and
    /// mode (0 open, 1 sticks, 2 slides). May be given several times; `all` for all bodies that can meet.
    #[arg(long, value_name = "BODY,BODY|all")]
    forces: Vec<String>,
    /// Write the network of contact forces too: contacts.csv (a row for each contact that carries a force at the end of each step)
    /// and islands.csv (a row for each island of them: coordination number, internal moment tensor, pressure).
    #[arg(long)]
    network: bool,
    /// Form of the tables.
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    tracing: TracingArguments,
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

/// A run that is ready to begin or to go on.
struct Prepared {
    folder: Folder,
    scene: Scene,
    world: World,
    until: f64,
    recording: Recording,
    /// Whether it goes on with files there are.
    goes_on: bool,
}

pub(crate) fn run(arguments: &RunArguments) -> Result<(), Failure> {
    interrupt::listen()
        .map_err(|error| Failure::Other(format!("cannot listen for interruptions: {error}")))?;
    #[cfg(feature = "parallel")]
    rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.into())
        .build_global()
        .map_err(|error| Failure::Other(format!("cannot start {} threads: {error}", arguments.threads)))?;
    let prepared = match &arguments.resume {
        Some(folder) if folder.is_dir() => continued(folder, arguments)?,
        _ => begun(arguments)?,
    };
    let Prepared { folder, scene, mut world, until, mut recording, goes_on } = prepared;
    let limits = arguments.limits.of_runs();
    world.probe().set_clock(now);
    world.probe().set_deadline(Some((interrupt::clock, interrupt::deadline(limits.wall_time))));
    let tracing = arguments.tracing.begin()?;
    if let (Some(path), Some(time)) = (&arguments.save, arguments.save_at) {
        recording.save_at(time, path);
    }
    let course =
        Course { limits, stop: Some(&interrupt::is_asked), ..Course::new(until, scene.settings.time_step) };
    let mut last = LastStep::of(&world, arguments.save.is_some() && arguments.save_at.is_none());
    let mut progress = Progress::new(world.time(), until);
    let mut tables = Tables::create(arguments.format, &folder, recording.forces())?;
    let mut network = arguments.network.then(|| Network::create(&folder)).transpose()?;
    let outcome = {
        let mut observers: Vec<&mut dyn Observer> = vec![&mut recording, &mut progress, &mut last];
        observers.extend(network.as_mut().map(|network| network as &mut dyn Observer));
        observers.extend(tables.as_mut().map(|tables| tables as &mut dyn Observer));
        if goes_on {
            course.go_on(&mut world, &mut observers)
        } else {
            course.run(&mut world, &mut observers)
        }
    };
    progress.clear();
    let traced = tracing.end();
    tables.map_or(Ok(()), |tables| tables.finish(&folder))?;
    network.map_or(Ok(()), Network::finish)?;
    if let (Ok(Ended::WithinStep), Some(end)) = (&outcome, &last.snapshot) {
        world.restore(end).map_err(|error| Failure::Other(error.to_string()))?;
    }
    conclude(arguments, (&folder, recording), (&world, last.time), outcome)?;
    traced
}

/// Completes the files of a run that has ended, whether it could go on or not.
fn conclude(
    arguments: &RunArguments,
    (folder, recording): (&Folder, Recording),
    (world, time): (&World, f64),
    outcome: Result<Ended, WatchError>,
) -> Result<(), Failure> {
    let ended_early = match &outcome {
        Err(WatchError::Recording(error)) => {
            let failure = Failure::Other(error.to_string());
            recording.abandon(folder, &error.to_string());
            return Err(failure);
        }
        Err(error) => Some(error.to_string()),
        Ok(Ended::OnDemand | Ended::WithinStep) => Some(format!("interrupted at t = {time}")),
        Ok(_) => None,
    };
    let state = (outcome.is_ok() && arguments.save.is_some() && arguments.save_at.is_none())
        .then(|| recording.state(world));
    // What was simulated is written even if the simulation could not go on.
    let summary = recording.finish(folder, ended_early.clone())?;
    say(summary.to_string().trim_end());
    if let (Some(path), Some(state)) = (&arguments.save, state) {
        write_state(path, &state)?;
        say(&format!("\nthe state is saved: go on with --resume {}", path.display()));
    }
    say(&format!("\nopen {} to see it", folder.file(REPLAY).display()));
    match (outcome, ended_early) {
        (Ok(Ended::OnDemand | Ended::WithinStep), Some(told)) => Err(Failure::Interrupted(told)),
        (Ok(_), _) => Ok(()),
        (Err(error), _) => Err(Failure::Other(error.to_string())),
    }
}

/// A new run, of a scene or from a state file.
fn begun(arguments: &RunArguments) -> Result<Prepared, Failure> {
    if arguments.checkpoint_every.is_some() && arguments.format == Format::Parquet {
        let told = "tables in Parquet cannot be gone on with after a checkpoint: leave out --checkpoint-every or --format parquet";
        return Err(Failure::Usage(told.to_owned()));
    }
    if arguments.checkpoint_every.is_some() && arguments.network {
        let told = "the network of forces cannot be gone on with after a checkpoint: leave out --checkpoint-every or --network";
        return Err(Failure::Usage(told.to_owned()));
    }
    let saved = arguments.resume.as_deref().map(read_state).transpose()?;
    let limits = arguments.limits.of_scenes();
    let given = match (&arguments.scene, arguments.rows) {
        (scene, Some(rows)) => {
            let scene = scene.as_deref().unwrap_or(Path::new(DEFAULT_SCENE));
            Some(source::sized(scene, rows)?)
        }
        (Some(scene), None) => Some(source::load(scene, &limits)?),
        (None, None) if saved.is_none() => Some(source::load(Path::new(DEFAULT_SCENE), &limits)?),
        (None, None) => None,
    };
    let is_branch = given.is_some() || arguments.clock.is_some();
    let mut scene = match (given, &saved) {
        (Some(scene), _) => scene,
        (None, Some(saved)) => saved.scene.clone(),
        (None, None) => return Err(Failure::Other("there is nothing to run".to_owned())),
    };
    if let Some(name) = arguments.clock {
        scene.settings.clock = Some(name.clock());
        scene.settings = scene.settings.resolved();
    }
    let world = match &saved {
        Some(saved) if is_branch => saved.world_of(&scene).map_err(|error| error.to_string()),
        Some(saved) => saved.world().map_err(|error| error.to_string()),
        None => Ok(scene.to_world().map_err(|error| Failure::BadScene(error.to_string()))?),
    };
    let world = world.map_err(|error| {
        let path = arguments.resume.as_deref().unwrap_or(Path::new("")).display();
        Failure::Other(format!("cannot go on from {path}: {error}"))
    })?;
    let usual = saved.as_ref().filter(|_| !is_branch).map(|saved| saved.until);
    let until = end(&scene, world.time(), arguments.until.or(usual))?;
    arguments.limits.check_steps(until - world.time(), scene.settings.time_step)?;
    let forces = forces::pairs(&arguments.forces, &world)?;
    let folder = Folder::open(arguments.out.as_deref().unwrap_or(Path::new(DEFAULT_FOLDER)))?;
    let times = (world.time(), until);
    let recording = Recording::begin(&folder, &scene, times, arguments.checkpoint_every, forces)?;
    Ok(Prepared { folder, scene, world, until, recording, goes_on: false })
}

/// A run that was killed, from its last checkpoint.
fn continued(path: &Path, arguments: &RunArguments) -> Result<Prepared, Failure> {
    let others = [
        ("a scene", arguments.scene.is_some() || arguments.rows.is_some()),
        ("--until", arguments.until.is_some()),
        ("--clock", arguments.clock.is_some()),
        ("--out", arguments.out.as_deref().is_some_and(|out| out != path)),
        ("--checkpoint-every", arguments.checkpoint_every.is_some()),
        ("--forces", !arguments.forces.is_empty()),
        ("--network", arguments.network),
        ("--format parquet", arguments.format == Format::Parquet),
    ];
    if let Some((what, _)) = others.iter().find(|(_, given)| *given) {
        let told = "a run goes on as it was begun when its folder is resumed: leave out";
        return Err(Failure::Usage(format!("{told} {what}, or name the file of a state")));
    }
    let folder = Folder::open(path)?;
    let file = folder.file(CHECKPOINT);
    if !file.exists() {
        return Err(Failure::Other(format!(
            "there is no checkpoint in {}: its run is complete, or ended before the first one; begin it anew with \
             --checkpoint-every",
            path.display()
        )));
    }
    let mut saved = read_state(&file)?;
    let wrong = |error: String| Failure::Other(format!("cannot go on from {}: {error}", file.display()));
    let records =
        saved.records.take().ok_or_else(|| wrong("it is not the checkpoint of a run".to_owned()))?;
    let world = saved.world().map_err(|error| wrong(error.to_string()))?;
    let recording = Recording::resume(&folder, &saved, records, &world)?;
    complain(&format!("note: the run goes on at t = {}", world.time()));
    Ok(Prepared { folder, until: saved.until, scene: saved.scene, world, recording, goes_on: true })
}

/// Reads a state file.
fn read_state(path: &Path) -> Result<SavedRun, Failure> {
    let file = File::open(path).map_err(|error| cannot("read", path, &error))?;
    SavedRun::read(file, LARGEST_STATE)
        .map_err(|error| Failure::Other(format!("cannot go on from {}: {error}", path.display())))
}

/// The time at which a run that begins at `start` ends.
fn end(scene: &Scene, start: f64, until: Option<f64>) -> Result<f64, Failure> {
    let until = until.unwrap_or(scene.start_time + scene.duration);
    if until < start {
        return Err(Failure::Other(format!("--until {until} is before the start, {start}")));
    }
    Ok(until)
}
