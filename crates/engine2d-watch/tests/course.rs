//! How far a run goes: its steps, what ends it before, what it may take.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_sim::{Body, Snapshot, StepReport, UserEvent, World};
use engine2d_watch::{Course, Ended, Observer, RunLimits, WatchError, run};
use std::cell::Cell;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// A ball that falls freely, and one that lies on a floor.
fn world() -> World {
    World::builder()
        .gravity(10.0)
        .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
        .body(Body::ball(0.5).at(0.0, 0.5))
        .body(Body::ball(0.5).at(3.0, 20.0))
        .build()
        .unwrap()
}

/// The times that an observer sees.
#[derive(Default)]
struct Times {
    started: Vec<f64>,
    steps: Vec<f64>,
}

impl Observer for Times {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.started.push(world.time());
        Ok(())
    }

    fn step(&mut self, world: &World, _: &StepReport) -> io::Result<()> {
        self.steps.push(world.time());
        Ok(())
    }
}

/// Writes nowhere after a few steps.
struct Full(usize);

impl Observer for Full {
    fn step(&mut self, _: &World, _: &StepReport) -> io::Result<()> {
        self.0 = self.0.checked_sub(1).ok_or_else(|| io::Error::other("the disk is full"))?;
        Ok(())
    }
}

#[test]
fn a_run_takes_its_steps_and_a_shorter_last_one() {
    let (mut world, mut times) = (world(), Times::default());
    run(&mut world, 0.25, 0.1, &mut [&mut times]).unwrap();
    assert_eq!(times.started, [0.0]);
    assert_eq!(times.steps.len(), 3);
    for (got, want) in times.steps.iter().zip([0.1, 0.2, 0.25]) {
        assert!((got - want).abs() < 1e-12, "{:?}", times.steps);
    }
    let fallen = 20.0 - world.body(2).unwrap().position().y;
    assert!((fallen - 0.5 * 10.0 * 0.25 * 0.25).abs() < 1e-9, "{fallen}");
    // Nothing is left to do, and nobody is shown a step.
    run(&mut world, 0.25, 0.1, &mut [&mut times]).unwrap();
    assert_eq!((times.started.len(), times.steps.len()), (2, 3));
}

#[test]
fn a_run_on_demand_goes_on_as_if_it_had_not_ended() {
    let (mut whole, mut parts) = (world(), world());
    let course = Course::new(1.0, 0.3);
    assert_eq!(course.run(&mut whole, &mut []).unwrap(), Ended::InTime);
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 2
    };
    let mut times = Times::default();
    let first = Course { stop: Some(&stop), ..course };
    assert_eq!(first.run(&mut parts, &mut [&mut times]).unwrap(), Ended::OnDemand);
    assert_eq!(times.steps.len(), 2);
    assert_eq!(course.go_on(&mut parts, &mut [&mut times]).unwrap(), Ended::InTime);
    assert_eq!((times.started.len(), times.steps.len()), (1, 4));
    let bytes = |world: &World| serde_bits(&world.snapshot());
    assert_eq!(bytes(&whole), bytes(&parts));
}

#[test]
fn a_deadline_on_demand_is_an_end_and_any_other_one_an_error() {
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 1
    };
    let mut world = world();
    world.probe().set_deadline(Some((|| 2.0, 1.0)));
    let course = Course::new(1.0, 0.3);
    assert!(course.run(&mut world, &mut []).is_err());
    let mut times = Times::default();
    let on_demand = Course { stop: Some(&stop), ..course };
    assert_eq!(on_demand.run(&mut world, &mut [&mut times]).unwrap(), Ended::WithinStep);
    assert_eq!((times.started.len(), times.steps.len()), (1, 0));
}

/// The numbers of a state, bit for bit.
fn serde_bits(snapshot: &Snapshot) -> (u64, String) {
    (snapshot.time().to_bits(), format!("{snapshot:?}"))
}

#[test]
fn an_event_that_stops_ends_the_run() {
    let mut world = world();
    let deep = UserEvent::new("deep", |bodies| bodies.get(2).map_or(1.0, |b| b.position().y - 15.0));
    world.add_event(deep.stopping()).unwrap();
    let mut times = Times::default();
    let ended = Course::new(10.0, 0.3).run(&mut world, &mut [&mut times]).unwrap();
    assert_eq!(ended, Ended::ByEvent("deep".to_owned()));
    // Five below where it began: after one second, and the step that ended there was shown.
    assert!((world.time() - 1.0).abs() < 1e-6, "{}", world.time());
    assert_eq!(times.steps.last(), Some(&world.time()));
}

#[test]
fn an_observer_that_cannot_write_ends_the_run() {
    let (mut world, mut times) = (world(), Times::default());
    let error = run(&mut world, 1.0, 0.1, &mut [&mut times, &mut Full(2)]).unwrap_err();
    assert!(matches!(error, WatchError::Recording(_)));
    assert_eq!(error.to_string(), "the record could not be written: the disk is full");
    assert_eq!(times.steps.len(), 3, "the one before it saw the step");
}

#[test]
fn a_step_that_does_not_move_the_time_is_an_error() {
    let start = 1e17;
    let (mut world, mut times) =
        (World::builder().time(start).body(Body::ball(1.0)).build().unwrap(), Times::default());
    let error = run(&mut world, 2.0 * start, 1.0, &mut [&mut times]).unwrap_err();
    assert!(error.to_string().contains("it changes nothing; take a longer step"), "{error}");
    assert_eq!((world.time(), times.started.len(), times.steps.len()), (start, 1, 0));
}

/// Hundredths of seconds that a clock has counted; it counts one each time it is looked at.
static LOOKS: AtomicU64 = AtomicU64::new(0);

fn clock() -> Option<f64> {
    Some(LOOKS.fetch_add(1, Ordering::Relaxed) as f64 / 100.0)
}

#[test]
fn each_limit_ends_a_run_that_takes_more() {
    let none = RunLimits::default();
    // What is limited, and how many steps of a tenth of a second are taken until then.
    let cases: [(RunLimits, &str, f64, usize); 5] = [
        (RunLimits { steps: 4, ..none }, "steps", 4.0, 5),
        (RunLimits { contacts: 0, ..none }, "contacts", 0.0, 1),
        (RunLimits { wall_time: 0.055, clock: Some(clock), ..none }, "seconds of wall time", 0.055, 6),
        (RunLimits { memory: 9.0, memory_in_use: Some(|| Some(10.0)), ..none }, "bytes of memory", 9.0, 1),
        // The begin of the contact that is there, and the collision of the ball that falls 19.5 below itself: after 1.97 s.
        (RunLimits { events: 1, ..none }, "events", 1.0, 20),
    ];
    for (limits, name, most, steps) in cases {
        let (mut world, mut times) = (world(), Times::default());
        let error =
            Course { limits, ..Course::new(4.0, 0.1) }.run(&mut world, &mut [&mut times]).unwrap_err();
        let told = error.to_string();
        assert!(told.starts_with(&format!("the run took more than {most} {name}, at t = ")), "{told}");
        assert!(matches!(error, WatchError::Limit { what, limit, time }
            if what == name && limit == most && time == world.time()));
        assert_eq!(times.steps.len(), steps, "{name}");
    }
    // A reading that cannot be had limits nothing.
    let unread =
        RunLimits { wall_time: 0.0, clock: Some(|| None), memory: 0.0, memory_in_use: Some(|| None), ..none };
    let course = Course { limits: unread, ..Course::new(0.5, 0.1) };
    assert_eq!(course.run(&mut world(), &mut []).unwrap(), Ended::InTime);
}
