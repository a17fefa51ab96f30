//! A run that is saved and resumed writes the same bytes as one that is not; damaged states are refused.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_record::{
    Course, EventWriter, Observer, Records, ReplayRecorder, SavedRun, StateError, SummaryObserver,
    TrajectoryWriter, digest,
};
use engine2d_scene::{Scene, catalogue::CATALOGUE};
use engine2d_sim::World;
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Simulated time followed at most: enough for the first events of every scene. With more bodies than so many it is less, as they
/// take more time.
const HORIZON: f64 = 1.5;
const FEW: f64 = 30.0;

/// Bytes that a state file of the tests may have.
const LIMIT: u64 = 1 << 28;

/// All recorders of a run, writing to memory.
struct All {
    trajectory: TrajectoryWriter<Vec<u8>>,
    events: EventWriter<Vec<u8>>,
    summary: SummaryObserver,
    replay: ReplayRecorder,
}

impl All {
    fn new(scene: &Scene, duration: f64) -> Self {
        Self {
            trajectory: TrajectoryWriter::new(Vec::new()),
            events: EventWriter::new(Vec::new()),
            summary: SummaryObserver::new(scene),
            replay: ReplayRecorder::new(scene, duration),
        }
    }

    fn observers(&mut self) -> [&mut dyn Observer; 4] {
        [&mut self.trajectory, &mut self.events, &mut self.summary, &mut self.replay]
    }

    /// What all of them have written.
    fn outputs(mut self) -> [(&'static str, Vec<u8>); 4] {
        let mut page = Vec::new();
        let summary = serde_json::to_vec(self.summary.summary()).unwrap();
        self.replay.write(&mut page).unwrap();
        [
            ("trajectory", std::mem::take(self.trajectory.writer())),
            ("events", std::mem::take(self.events.writer())),
            ("summary", summary),
            ("replay", page),
        ]
    }
}

fn horizon(scene: &Scene) -> f64 {
    scene.start_time + scene.duration.min(HORIZON * (FEW / scene.bodies.len() as f64).min(1.0))
}

fn whole(scene: &Scene) -> (World, All) {
    let mut world = scene.to_world().unwrap();
    let mut all = All::new(scene, horizon(scene) - scene.start_time);
    let course = Course::new(horizon(scene), scene.settings.time_step);
    course.run(&mut world, &mut all.observers()).unwrap();
    (world, all)
}

/// The same, saved to bytes after `steps` steps and gone on with from nothing but these.
fn interrupted(scene: &Scene, steps: u32) -> (World, All) {
    let mut world = scene.to_world().unwrap();
    let mut all = All::new(scene, horizon(scene) - scene.start_time);
    let asked = Cell::new(0);
    let stop = || asked.replace(asked.get() + 1) >= steps;
    let course = Course { stop: Some(&stop), ..Course::new(horizon(scene), scene.settings.time_step) };
    course.run(&mut world, &mut all.observers()).unwrap();
    let mut saved = SavedRun::new(scene, &world, horizon(scene));
    saved.records = Some(Records {
        forces: Vec::new(),
        trajectory_bytes: all.trajectory.writer().len() as u64,
        events_bytes: all.events.writer().len() as u64,
        events: all.events.memory(),
        summary: all.summary.clone(),
        replay: all.replay.memory(),
        every_s: 1.0,
    });
    let (mut file, [(_, table), (_, lines), ..]) = (Vec::new(), all.outputs());
    saved.write(&mut file).unwrap();

    let read = SavedRun::read(&file[..], LIMIT).unwrap();
    let mut world = read.world().unwrap_or_else(|error| panic!("{:?}: {error}", scene.name));
    let records = read.records.unwrap();
    let mut all = All {
        trajectory: TrajectoryWriter::new(table),
        events: EventWriter::resumed(lines, &records.events),
        summary: records.summary.resumed(&world),
        replay: ReplayRecorder::resumed(&read.scene, &world, records.replay),
    };
    Course::new(read.until, read.scene.settings.time_step).go_on(&mut world, &mut all.observers()).unwrap();
    (world, all)
}

#[test]
fn every_built_in_scene_goes_on_after_a_resume_to_the_same_bytes() {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let tell = |what: String| wrong.lock().unwrap().push(what);
    let work = || {
        while let k = next.fetch_add(1, Ordering::Relaxed)
            && let Some(entry) = CATALOGUE.get(k)
        {
            let scene = entry.scene();
            let steps = ((horizon(&scene) - scene.start_time) / scene.settings.time_step) as u32;
            let (world, all) = whole(&scene);
            let (again, records) = interrupted(&scene, (7 * k as u32 + 1) % steps.max(1));
            if digest(&world) != digest(&again) {
                tell(format!("{}: another end", entry.name));
            }
            for ((name, expected), (_, found)) in all.outputs().into_iter().zip(records.outputs()) {
                if expected != found {
                    tell(format!("{}: another {name}", entry.name));
                }
            }
        }
    };
    thread::scope(|threads| {
        threads.spawn(work);
        work();
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A state file of a small scene, saved in the middle.
fn file() -> Vec<u8> {
    let scene = Scene::built_in("ball_on_floor").unwrap();
    let mut world = scene.to_world().unwrap();
    Course::new(0.8, scene.settings.time_step).run(&mut world, &mut []).unwrap();
    let mut file = Vec::new();
    SavedRun::new(&scene, &world, 2.0).write(&mut file).unwrap();
    file
}

#[test]
fn a_state_file_that_is_not_whole_is_refused_wherever_it_is_cut() {
    let file = file();
    assert!(SavedRun::read(&file[..], LIMIT).unwrap().world().is_ok());
    for length in 0..file.len() {
        assert!(SavedRun::read(&file[..length], LIMIT).is_err(), "cut to {length} of {} bytes", file.len());
    }
    let longer = [&file[..], b" "].concat();
    assert!(matches!(SavedRun::read(&longer[..], LIMIT), Err(StateError::Length { .. })));
}

#[test]
fn a_state_file_with_a_changed_byte_is_refused() {
    let file = file();
    let heading = file.iter().position(|byte| *byte == b'\n').unwrap();
    for place in 0..file.len() {
        let mut damaged = file.clone();
        damaged[place] ^= 1;
        let found = SavedRun::read(&damaged[..], LIMIT);
        assert!(found.is_err(), "byte {place} of {}", file.len());
        if place > heading {
            assert!(matches!(found, Err(StateError::Damaged { .. })), "byte {place}");
        }
    }
}

#[test]
fn what_is_newer_foreign_or_too_large_is_told_apart() {
    let text = String::from_utf8(file()).unwrap();
    let newer = text.replacen("engine2d-state 1 ", "engine2d-state 2 ", 1);
    assert!(matches!(SavedRun::read(newer.as_bytes(), LIMIT), Err(StateError::Version { found: 2 })));
    assert!(matches!(SavedRun::read(&b"{\"bodies\": []}"[..], LIMIT), Err(StateError::Foreign)));
    assert!(matches!(SavedRun::read(text.as_bytes(), 100), Err(StateError::TooLarge { .. })));
}

#[test]
fn a_branch_takes_another_scene_of_the_same_bodies_and_no_other() {
    let saved = SavedRun::read(&file()[..], LIMIT).unwrap();
    let mut other = saved.scene.clone();
    other.settings.time_step *= 0.5;
    let world = saved.world_of(&other).unwrap();
    assert_eq!(digest(&world), saved.digest);
    let more = Scene::built_in("stack").unwrap();
    assert!(matches!(saved.world_of(&more), Err(StateError::Unfit(_))));
}
