//! Sleeping under the clock of fixed steps: what rests costs nothing, keeps its forces, and wakes when something happens to it.

use crate::rig::pile::pile;
use engine2d_constraint::Revolute;
use engine2d_sim::{
    Attachment, Body, BodyRef, Event, ForceLaw, Settings, Sleeping, Snapshot, SteppingSolver, TimeStepping,
    World, WorldBuilder,
};

const G: f64 = 9.81;
const H: f64 = 1.0 / 60.0;
const SOLVERS: [SteppingSolver; 2] = [SteppingSolver::Exact, SteppingSolver::Iterative];

fn settings(solver: SteppingSolver, sleeping: Option<Sleeping>) -> Settings {
    let choice = TimeStepping { solver, sleeping, ..TimeStepping::default() };
    Settings { time_step: H, time_stepping: Some(choice), ..Settings::default() }
}

/// A floor, and towers of three blocks two apart.
fn towers(solver: SteppingSolver, count: usize) -> WorldBuilder {
    let mut builder = World::builder()
        .settings(settings(solver, Some(Sleeping::default())))
        .gravity(G)
        .body(Body::block(100.0, 1.0).fixed().at(0.0, -0.5).friction(0.5));
    for k in 0..count {
        for level in 0..3 {
            let at = (2.0 * k as f64, 0.5 + f64::from(level));
            builder = builder.body(Body::block(1.0, 1.0).at(at.0, at.1).friction(0.5));
        }
    }
    builder
}

fn asleep(world: &World) -> Vec<usize> {
    world.inspect().asleep().collect()
}

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.advance(H).expect("a step");
    }
}

/// Force of the floor on what stands on it.
fn floor_force(world: &mut World) -> f64 {
    let report = world.advance(H).expect("a step");
    let on_floor = |id: &engine2d_sim::ContactId| [id.primary, id.normal_body].contains(&BodyRef::Body(0));
    report.contacts.iter().filter(|contact| on_floor(&contact.id)).map(|contact| contact.force).sum()
}

#[test]
fn what_rests_falls_asleep_with_its_forces_and_without_events() {
    for solver in SOLVERS {
        let mut world = towers(solver, 2).build().expect("towers");
        run(&mut world, 20);
        assert!(asleep(&world).is_empty(), "{solver:?}: not before its time");
        run(&mut world, 60);
        assert_eq!(asleep(&world), [1, 2, 3, 4, 5, 6], "{solver:?}");
        let places: Vec<_> = (1..7).map(|k| world.body(k).expect("a block").position()).collect();
        let (weight, force) = (6.0 * G, floor_force(&mut world));
        assert!((force - weight).abs() <= 1e-3 * weight, "{solver:?}: {force} of {weight}");
        for _ in 0..100 {
            let report = world.advance(H).expect("a step");
            assert!(report.events.is_empty(), "{solver:?}: {:?}", report.events);
            assert!(!report.contacts.is_empty());
        }
        for (k, place) in (1..7).zip(places) {
            let body = world.body(k).expect("a block");
            assert_eq!((body.position(), body.velocity().norm()), (place, 0.0), "{solver:?}");
        }
    }
}

#[test]
fn one_that_comes_wakes_whom_it_meets_and_nobody_else() {
    for solver in SOLVERS {
        let mut world = towers(solver, 3).build().expect("towers");
        run(&mut world, 80);
        assert_eq!(asleep(&world).len(), 9, "{solver:?}");
        let ball = Body::ball(0.3).at(-6.0, 2.5).velocity(8.0, 1.5).friction(0.5);
        world.add_body(ball).expect("a ball");
        let mut awake = 0;
        for _ in 0..90 {
            world.advance(H).expect("a step");
            awake = awake.max(9 - asleep(&world).len());
        }
        // The first tower was struck before it could be passed through.
        assert!(awake >= 3, "{solver:?}: {awake}");
        let struck = world.body(3).expect("a block");
        let moved = (struck.position() - engine2d_math::Vec2::new(0.0, 2.5)).norm();
        assert!(moved > 1e-3, "{solver:?}: {moved}");
    }
}

/// A ball that falls on what sleeps bounces as it does on what is awake: it is no wall.
#[test]
fn a_block_that_sleeps_is_struck_as_one_that_is_awake() {
    for solver in SOLVERS {
        let [slept, awake] = [Some(Sleeping::default()), None].map(|sleeping| {
            let mut world = World::builder()
                .settings(settings(solver, sleeping))
                .body(Body::block(1.0, 1.0).at(0.0, 0.0))
                .body(Body::ball(0.5).at(-12.0, 0.0).velocity(10.0, 0.0))
                .build()
                .expect("two");
            run(&mut world, 40);
            assert_eq!(asleep(&world).len(), usize::from(sleeping.is_some()), "{solver:?}");
            run(&mut world, 60);
            world.body(0).expect("a block").velocity().x
        });
        assert!(awake > 1.0, "{solver:?}: {awake}");
        assert_eq!(slept, awake, "{solver:?}: the same bits");
    }
}

#[test]
fn changes_wake_what_they_concern() {
    for solver in SOLVERS {
        let sleeping = || {
            let mut world = towers(solver, 2).build().expect("towers");
            run(&mut world, 80);
            assert_eq!(asleep(&world).len(), 6, "{solver:?}");
            world
        };
        let mut pushed = sleeping();
        pushed.apply_force(3, [30.0, 0.0], [0.0, 2.5]).expect("a force");
        run(&mut pushed, 1);
        assert_eq!(asleep(&pushed), [4, 5, 6], "{solver:?}: a force on the topmost");
        let mut turned = sleeping();
        turned
            .add_force_law(ForceLaw::ConstantForce {
                body: 4,
                location: engine2d_math::Vec2::zeros(),
                location_frame: engine2d_sim::Frame::Body,
                force: engine2d_math::Vec2::new(100.0, 0.0),
                force_frame: engine2d_sim::Frame::World,
                torque: 0.0,
            })
            .expect("a law");
        run(&mut turned, 30);
        assert!(turned.body(4).expect("a block").position().x > 2.1, "{solver:?}");
        // Without the floor all fall.
        let mut fallen = sleeping();
        fallen.remove_body(0).expect("the floor");
        run(&mut fallen, 30);
        for k in 1..7 {
            // Soft contacts part the blocks while they fall.
            let (speed, soft) = (fallen.body(k).expect("a block").velocity().y, solver != SOLVERS[0]);
            let most = if soft { 0.02 } else { 1e-9 };
            assert!((speed + 30.0 * H * G).abs() < most, "{solver:?}: {speed}");
        }
        // Without the lowest block those above it fall, and the other tower sleeps on.
        let mut cut = sleeping();
        cut.remove_body(1).expect("a block");
        run(&mut cut, 10);
        assert_eq!(asleep(&cut), [4, 5, 6], "{solver:?}");
        assert!(cut.body(2).expect("a block").position().y < 1.45, "{solver:?}");
    }
}

#[test]
fn what_joints_hold_and_what_is_pulled_by_springs_stays_awake() {
    let mut world = towers(SteppingSolver::Exact, 1)
        .body(Body::block(0.5, 0.5).at(10.0, 3.0))
        .joint(Revolute::new(BodyRef::Body(4), [0.0, 0.25], BodyRef::Ground, [10.0, 3.25]))
        .body(Body::block(1.0, 1.0).at(20.0, 0.5).friction(0.5))
        .force_law(ForceLaw::Spring {
            ends: [Attachment::body(5, [0.0, 0.5]), Attachment::ground([20.0, 3.0])],
            rest_length: 2.0,
            stiffness: 1.0,
            damping: 0.1,
            compress_only: false,
        })
        .build()
        .expect("a tower, a pendulum and a block at a spring");
    run(&mut world, 120);
    assert_eq!(asleep(&world), [1, 2, 3]);
}

/// Sleepers survive saving, and the same bits follow as without it.
#[test]
fn a_resumed_run_has_the_same_bits() {
    for solver in SOLVERS {
        let mut world = pile(settings(solver, Some(Sleeping { speed: 0.2, time: 0.3 })), 12, 0.5, 5);
        run(&mut world, 400);
        let some = asleep(&world).len();
        assert!(some > 0, "{solver:?}: none sleep");
        let text = serde_json::to_string(&world.snapshot()).expect("text");
        let snapshot: Snapshot = serde_json::from_str(&text).expect("a snapshot");
        let mut other = pile(settings(solver, Some(Sleeping { speed: 0.2, time: 0.3 })), 12, 0.5, 5);
        other.restore(&snapshot).expect("the same world");
        assert_eq!(asleep(&other), asleep(&world));
        for one in [&mut world, &mut other] {
            one.apply_impulse(6, [0.0, 3.0], [0.0, 0.0]).expect("an impulse");
            run(one, 100);
        }
        assert_eq!(world.state(), other.state(), "{solver:?}");
    }
}

/// Nothing ends or begins for whom is woken.
#[test]
fn waking_tells_of_no_contact_that_began() {
    let mut world = towers(SteppingSolver::Exact, 1).build().expect("a tower");
    run(&mut world, 80);
    world.apply_force(3, [1.0, 0.0], [0.0, 2.5]).expect("a force");
    let report = world.advance(H).expect("a step");
    assert!(asleep(&world).is_empty());
    let told = |event: &&Event| matches!(event, Event::ContactBegin { .. } | Event::ContactEnd { .. });
    assert_eq!(report.events.iter().filter(told).count(), 0, "{:?}", report.events);
}
