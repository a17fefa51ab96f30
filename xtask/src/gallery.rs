//! `cargo xtask gallery`: every built-in scene run and shown, as a folder of pages that opens below any path and without network.

mod page;

use crate::lab::target;
use crate::{TaskError, say};
use engine2d_record::{
    Observer, ReplayRecorder, SummaryObserver, SvgOptions, WatchError, run as run_world, write_svg,
};
use engine2d_scene::Scene;
use engine2d_scene::catalogue::CATALOGUE;
use engine2d_sim::{StepReport, World};
use page::Shown;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Part of a run at which its picture is taken.
const PICTURE_AT: f64 = 0.35;

/// Width of the picture of a scene (pixels).
const PICTURE_WIDTH: f64 = 480.0;

/// Where to write, and how long a scene may take.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Folder of the pages; `target/gallery` unless given.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Wall-clock seconds after which the run of a scene ends early; its page says so.
    #[arg(long, default_value_t = 20.0)]
    budget: f64,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let out = options.out.clone().unwrap_or_else(|| target().join("gallery"));
    fs::create_dir_all(&out)?;
    let mut all = Vec::new();
    for entry in CATALOGUE {
        let scene = entry.scene();
        let shown = show(entry.name, entry.summary, &scene, options.budget, &out)?;
        let figures = &shown.figures;
        say(&format!(
            "{:<22} {:>6.2} s in {:>6.2} s{}",
            shown.name,
            figures.simulated_s,
            figures.timing.wall_s,
            shown.short.as_deref().map_or(String::new(), |why| format!("  ({why})"))
        ));
        fs::write(out.join(format!("{}.html", shown.name)), page::scene(&shown))?;
        all.push(shown);
    }
    fs::write(out.join("index.html"), page::index(&all))?;
    fs::write(out.join("gallery.css"), page::STYLE)?;
    say(&format!("{} shows {} scenes", out.join("index.html").display(), all.len()));
    Ok(ExitCode::SUCCESS)
}

/// Watches the energies, takes the picture, and ends what takes too long.
struct Watch {
    begun: Instant,
    budget: Duration,
    picture_from: f64,
    picture: Option<Vec<u8>>,
    options: SvgOptions<'static>,
    energies: Vec<[f64; 3]>,
    is_over: bool,
}

impl Watch {
    fn look(&mut self, world: &World) -> io::Result<()> {
        let energy = world.energy();
        self.energies.push([world.time(), energy.kinetic(), energy.potential]);
        if self.picture.is_none() && world.time() >= self.picture_from {
            self.take_picture(world)?;
        }
        Ok(())
    }

    fn take_picture(&mut self, world: &World) -> io::Result<()> {
        let mut picture = Vec::new();
        write_svg(&mut picture, world, &self.options)?;
        self.picture = Some(picture);
        Ok(())
    }
}

impl Observer for Watch {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.look(world)
    }

    fn step(&mut self, world: &World, _: &StepReport) -> io::Result<()> {
        self.look(world)?;
        self.is_over = self.begun.elapsed() > self.budget;
        if self.is_over { Err(io::Error::other("the time for this run is over")) } else { Ok(()) }
    }
}

fn show(
    name: &'static str,
    summary: &'static str,
    scene: &Scene,
    budget: f64,
    out: &std::path::Path,
) -> Result<Shown, TaskError> {
    let mut world = scene.to_world()?;
    let until = scene.start_time + scene.duration;
    let mut replay = ReplayRecorder::new(scene, scene.duration);
    let mut figures = SummaryObserver::new(scene);
    let mut watch = Watch {
        begun: Instant::now(),
        budget: Duration::try_from_secs_f64(budget)?,
        picture_from: scene.start_time + PICTURE_AT * scene.duration,
        picture: None,
        options: SvgOptions { view: scene.view, width: PICTURE_WIDTH, ..SvgOptions::default() },
        energies: Vec::new(),
        is_over: false,
    };
    let outcome =
        run_world(&mut world, until, scene.settings.time_step, &mut [&mut replay, &mut figures, &mut watch]);
    let short = match outcome {
        Ok(()) => None,
        Err(_) if watch.is_over => Some(format!("ended after {budget} s of computing")),
        Err(WatchError::Simulation(error)) => Some(error.to_string()),
        Err(error) => return Err(error.into()),
    };
    if watch.picture.is_none() {
        watch.take_picture(&world)?;
    }
    let mut figures = figures.summary().clone();
    figures.timing.wall_s = watch.begun.elapsed().as_secs_f64();
    fs::write(out.join(format!("{name}.svg")), watch.picture.unwrap_or_default())?;
    let mut file = BufWriter::new(fs::File::create(out.join(format!("{name}.replay.html")))?);
    replay.write(&mut file)?;
    file.flush()?;
    let text = scene.to_json()?;
    Ok(Shown { name, summary, text, duration: scene.duration, figures, energies: watch.energies, short })
}
