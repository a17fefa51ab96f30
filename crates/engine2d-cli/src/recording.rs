//! All that is recorded of a run, and the checkpoints from which it goes on.

use crate::Failure;
use crate::folder::{CHECKPOINT, EVENTS, Folder, REPLAY, SUMMARY, TIMING, TRAJECTORY};
use crate::part::{PartFile, write_whole};
use engine2d::record::{
    EventWriter, Observer, Records, ReplayRecorder, SavedRun, Summary, SummaryObserver, TrajectoryWriter,
};
use engine2d::scene::Scene;
use engine2d::sim::{StepReport, World};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Writes a saved run: it is there complete, or the file is as it was.
pub(crate) fn write_state(path: &Path, saved: &SavedRun) -> Result<(), Failure> {
    write_whole(path, |file| saved.write(file).map_err(io::Error::other))
}

/// The recorders of a run, one observer together.
pub(crate) struct Recording {
    trajectory: TrajectoryWriter<PartFile>,
    events: EventWriter<PartFile>,
    summary: SummaryObserver,
    replay: ReplayRecorder,
    scene: Scene,
    until: f64,
    began: Instant,
    /// Wall-clock time before this part of the run (seconds).
    wall_s: f64,
    checkpoints: Option<Checkpoints>,
    /// Where the state goes at the end of the first step at or after a time.
    save_at: Option<(f64, PathBuf)>,
}

/// When and where checkpoints are written.
struct Checkpoints {
    every: Duration,
    last: Instant,
    path: PathBuf,
}

impl Checkpoints {
    fn new(folder: &Folder, every_s: f64) -> Self {
        let every = Duration::try_from_secs_f64(every_s).unwrap_or(Duration::MAX);
        Self { every, last: Instant::now(), path: folder.file(CHECKPOINT) }
    }
}

impl Recording {
    /// Begins the record of a run of `scene` from `start` until `until` in an empty folder, with checkpoints as often as told
    /// (seconds) and the contact forces of pairs of bodies.
    pub(crate) fn begin(
        folder: &Folder,
        scene: &Scene,
        (start, until): (f64, f64),
        every_s: Option<f64>,
        forces: Vec<[String; 2]>,
    ) -> Result<Self, Failure> {
        folder.clear()?;
        Ok(Self {
            trajectory: TrajectoryWriter::new(PartFile::create(&folder.file(TRAJECTORY))?)
                .with_forces(forces),
            events: EventWriter::new(PartFile::create(&folder.file(EVENTS))?),
            summary: SummaryObserver::new(scene),
            replay: ReplayRecorder::new(scene, until - start),
            scene: scene.clone(),
            until,
            began: Instant::now(),
            wall_s: 0.0,
            checkpoints: every_s.map(|every_s| Checkpoints::new(folder, every_s)),
            save_at: None,
        })
    }

    /// Goes on with the record of a run that was killed, in its folder.
    pub(crate) fn resume(
        folder: &Folder,
        saved: &SavedRun,
        records: Records,
        world: &World,
    ) -> Result<Self, Failure> {
        let table = PartFile::resume(&folder.file(TRAJECTORY), records.trajectory_bytes)?;
        let lines = PartFile::resume(&folder.file(EVENTS), records.events_bytes)?;
        Ok(Self {
            trajectory: TrajectoryWriter::new(table).with_forces(records.forces),
            events: EventWriter::resumed(lines, &records.events),
            summary: records.summary.resumed(world),
            replay: ReplayRecorder::resumed(&saved.scene, world, records.replay),
            scene: saved.scene.clone(),
            until: saved.until,
            began: Instant::now(),
            wall_s: saved.wall_s,
            checkpoints: Some(Checkpoints::new(folder, records.every_s)),
            save_at: None,
        })
    }

    /// Saves the state at the end of the first step at or after a time, too.
    pub(crate) fn save_at(&mut self, time: f64, path: &Path) {
        self.save_at = Some((time, path.to_owned()));
    }

    /// The pairs of bodies whose contact forces are told.
    pub(crate) fn forces(&self) -> &[[String; 2]] {
        self.trajectory.forces()
    }

    /// Wall-clock time of the whole run until now (seconds).
    fn wall_s(&self) -> f64 {
        self.wall_s + self.began.elapsed().as_secs_f64()
    }

    /// What there is to save now.
    pub(crate) fn state(&self, world: &World) -> SavedRun {
        SavedRun { wall_s: self.wall_s(), ..SavedRun::new(&self.scene, world, self.until) }
    }

    /// Writes a checkpoint: first what was recorded goes to the disk, then the state that knows how much that was.
    fn checkpoint(&mut self, world: &World) -> io::Result<()> {
        let Some(every) = self.checkpoints.as_ref().map(|checkpoints| checkpoints.every) else {
            return Ok(());
        };
        let records = Records {
            trajectory_bytes: self.trajectory.writer().settle()?,
            forces: self.trajectory.forces().to_vec(),
            events_bytes: self.events.writer().settle()?,
            events: self.events.memory(),
            summary: self.summary.clone(),
            replay: self.replay.memory(),
            every_s: every.as_secs_f64(),
        };
        let saved = SavedRun { records: Some(records), ..self.state(world) };
        if let Some(checkpoints) = &mut self.checkpoints {
            write_state(&checkpoints.path, &saved).map_err(told)?;
            checkpoints.last = Instant::now();
        }
        Ok(())
    }

    /// Leaves the files incomplete, under their temporary names, since they could not be written; the figures are written if
    /// that is possible.
    pub(crate) fn abandon(self, folder: &Folder, error: &str) {
        let mut summary = self.summary.summary().clone();
        summary.error = Some(error.to_owned());
        let _full = write_json(&folder.file(SUMMARY), serde_json::to_string_pretty(&summary));
    }

    /// Completes the files. The figures come before the page that plays the run, so that they are there if that fails.
    pub(crate) fn finish(self, folder: &Folder, error: Option<String>) -> Result<Summary, Failure> {
        let mut summary = self.summary.summary().clone();
        summary.timing.wall_s = self.wall_s();
        summary.error = error;
        let Self { mut trajectory, mut events, replay, .. } = self;
        for file in [trajectory.writer(), events.writer()] {
            file.settle().map_err(|error| Failure::Other(error.to_string()))?;
        }
        // What the wall clock says is kept apart: the other files of two equal runs are equal to the byte.
        write_json(&folder.file(SUMMARY), serde_json::to_string_pretty(&summary))?;
        write_json(&folder.file(TIMING), serde_json::to_string_pretty(&summary.timing))?;
        trajectory.into_writer().finish()?;
        events.into_writer().finish()?;
        write_whole(&folder.file(REPLAY), |page| replay.write(page))?;
        folder.forget_checkpoint()?;
        Ok(summary)
    }
}

impl Observer for Recording {
    fn start(&mut self, world: &World) -> io::Result<()> {
        let all: [&mut dyn Observer; 4] =
            [&mut self.trajectory, &mut self.events, &mut self.summary, &mut self.replay];
        all.into_iter().try_for_each(|observer| observer.start(world))?;
        self.checkpoint(world)
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        let all: [&mut dyn Observer; 4] =
            [&mut self.trajectory, &mut self.events, &mut self.summary, &mut self.replay];
        all.into_iter().try_for_each(|observer| observer.step(world, report))?;
        if self.checkpoints.as_ref().is_some_and(|due| due.last.elapsed() >= due.every) {
            self.checkpoint(world)?;
        }
        if let Some((_, path)) = self.save_at.take_if(|(time, _)| world.time() >= *time) {
            write_state(&path, &self.state(world)).map_err(told)?;
        }
        Ok(())
    }
}

fn told(failure: Failure) -> io::Error {
    io::Error::other(failure.message())
}

/// Writes a value on lines of its own.
fn write_json(path: &Path, value: serde_json::Result<String>) -> Result<(), Failure> {
    write_whole(path, |file| writeln!(file, "{}", value.map_err(io::Error::from)?))
}
