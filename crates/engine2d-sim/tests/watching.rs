//! Looking closely at a world: detection alone, every move, where the work goes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;
use engine2d_sim::{
    Aids, Attachment, Body, Connector, Event, Fidelity, Frame, MoveCause, OdeMethod, Settings, SimError,
    Stage, World,
};
use std::sync::{Arc, Mutex};

/// A ball that falls on a floor from a height of 1 below it.
fn drop(settings: Settings) -> World {
    World::builder()
        .settings(settings)
        .gravity(10.0)
        .body(Body::wall(20.0, 1.0).at(0.0, -0.5).named("floor"))
        .body(Body::ball(0.5).at(0.0, 1.5).named("ball").restitution(0.5))
        .build()
        .unwrap()
}

fn with_aids(aids: Aids) -> Settings {
    Settings { aids, ..Settings::backtracking() }
}

#[test]
fn detect_only_reports_a_collision_once_and_lets_it_pass() {
    for fidelity in [Fidelity::Collisions, Fidelity::Contacts] {
        let aids = Aids { detect_only: true, ..Aids::default() };
        let mut world = drop(Settings { fidelity, ..with_aids(aids) });
        let mut collisions = Vec::new();
        for _ in 0..24 {
            let report = world.advance(0.025).unwrap();
            collisions.extend(report.events.into_iter().filter(|e| matches!(e, Event::Collision { .. })));
        }
        // y = 1.5 − 5 t², as if there were no floor.
        let y = world.body(1).unwrap().position().y;
        assert!((y - (1.5 - 5.0 * 0.6 * 0.6)).abs() < 1e-12, "{fidelity:?}: {y}");
        assert_eq!(collisions.len(), 1, "{fidelity:?}: {collisions:?}");
        let Event::Collision { time, impulse, velocity_before, velocity_after, .. } = collisions[0] else {
            panic!("filtered above")
        };
        assert!((time - 0.2_f64.sqrt()).abs() <= 0.025, "{time}");
        assert_eq!(impulse, 0.0);
        assert_eq!(velocity_before, velocity_after);
    }
}

#[test]
fn detect_only_keeps_joints() {
    let mut world = World::builder()
        .settings(with_aids(Aids { detect_only: true, ..Aids::default() }))
        .gravity(10.0)
        .body(Body::block(0.2, 2.0).at(0.0, -1.5))
        .body(Body::wall(10.0, 0.5).at(0.0, -2.5))
        .connector(Connector::Rod {
            ends: [Attachment::ground([0.0, 0.0]), Attachment::body(0, [0.0, 1.0])],
            length: 0.5,
        })
        .build()
        .unwrap();
    for _ in 0..40 {
        let error = world.advance(0.025).unwrap().joint_error;
        assert!(error < 1e-9, "{error:e} at {}", world.time());
    }
}

#[test]
fn detect_only_needs_backtracking() {
    let settings = Settings {
        event_locator: engine2d_sim::EventLocator::ZeroCrossing,
        method: OdeMethod::dormand_prince(1e-9),
        ..with_aids(Aids { detect_only: true, ..Aids::default() })
    };
    let error = World::builder().settings(settings).body(Body::ball(1.0)).build().unwrap_err();
    assert!(
        matches!(&error, SimError::Unsupported { path, .. } if path == "settings.aids.detect_only"),
        "{error}"
    );
}

#[test]
fn every_move_is_seen_with_its_cause() {
    let mut world = drop(Settings::default());
    let moves = Arc::new(Mutex::new(Vec::new()));
    let seen = moves.clone();
    world.probe().set_after_move(move |moved| {
        let ball = moved.bodies().nth(1).unwrap();
        seen.lock().unwrap().push((moved.cause(), moved.time(), ball.velocity().y));
    });
    let mut totals = (0, 0);
    for _ in 0..20 {
        let counters = world.advance(0.025).unwrap().counters;
        totals = (totals.0 + counters.steps, totals.1 + counters.backups);
    }
    world.probe().clear_after_move();
    world.advance(0.025).unwrap();
    let moves = moves.lock().unwrap();
    let count = |cause| moves.iter().filter(|m| m.0 == cause).count() as u64;
    assert_eq!((count(MoveCause::Step), count(MoveCause::BackUp)), totals);
    assert_eq!(count(MoveCause::Handling), 1);
    let k = moves.iter().position(|m| m.0 == MoveCause::Handling).unwrap();
    let (before, after) = (moves[k - 1].2, moves[k].2);
    assert!((after + 0.5 * before).abs() < 1e-9, "restitution 0.5: {before} {after}");
}

#[test]
fn the_work_of_each_stage_is_counted() {
    let mut world = drop(Settings::backtracking());
    for _ in 0..40 {
        world.advance(0.025).unwrap();
    }
    let work = world.inspect().stage_statistics();
    let calls = |stage| work.of(stage).calls;
    assert_eq!(calls(Stage::Integration), 40);
    assert_eq!(calls(Stage::Complementarity), world.inspect().lcp_statistics().solves);
    assert!(calls(Stage::Detection) > calls(Stage::ForceLaws), "once more after each step");
    assert!(calls(Stage::Impacts) >= 1);
    assert_eq!(work.seconds(), 0.0, "without a clock");
    world.probe().reset_stage_statistics();
    assert_eq!(world.inspect().stage_statistics().of(Stage::Integration).calls, 0);
}

/// A ball whose joint holds its height over a floor that wants it higher by `lack`.
fn contradiction(lack: f64) -> World {
    let height = 0.5 + 0.005 - lack;
    World::builder()
        .settings(Settings::backtracking())
        .gravity(10.0)
        .body(Body::wall(20.0, 1.0).at(0.0, -0.5).named("floor"))
        .body(Body::ball(0.5).at(0.0, height).named("ball"))
        .body(Body::ball(0.5).at(5.0, 0.505).named("bystander"))
        .connector(Connector::Joint {
            ends: [Attachment::body(1, [0.0, 0.0]), Attachment::ground([0.0, height])],
            normal: Vec2::new(0.0, 1.0),
            frame: Frame::World,
        })
        .build()
        .unwrap()
}

#[test]
fn contradicting_demands_are_reported_with_their_bodies() {
    let (floor, ball) = (BodyRef::Body(0), BodyRef::Body(1));
    // The floor asks for 1e-8/h², which is below what is accepted.
    let report = contradiction(1e-8).advance(0.025).unwrap();
    assert_eq!(report.conflicts.len(), 1, "{:?}", report.conflicts);
    let conflict = &report.conflicts[0];
    assert_eq!(conflict.bodies, [BodyRef::Ground, floor, ball]);
    assert!(conflict.violation > 1e-6 && conflict.violation <= 1e-4, "{}", conflict.violation);
    assert!(conflict.bound > 0.0 && conflict.bound <= conflict.certificate * (1.0 + 1e-9), "{conflict:?}");
    // And here for more than that.
    let error = contradiction(1e-3).advance(0.025).unwrap_err();
    let SimError::Unsolved { bodies, violation, .. } = &error else { panic!("{error}") };
    assert_eq!(bodies[..], [BodyRef::Ground, floor, ball]);
    assert!(*violation > 0.5, "joint and floor share 1e-3/h²: {violation}");
    assert!(error.to_string().contains("demand what cannot be"), "{error}");
    assert!(contradiction(0.0).advance(0.025).unwrap().conflicts.is_empty());
}

#[test]
fn contacts_are_told_island_by_island() {
    let world = World::builder()
        .settings(Settings::backtracking())
        .gravity(10.0)
        .body(Body::wall(20.0, 1.0).at(0.0, -0.5))
        .body(Body::block(1.0, 1.0).mass(2.0).at(-3.0, 0.505))
        .body(Body::ball(0.5).mass(1.0).at(3.0, 0.505))
        .build()
        .unwrap();
    let islands = world.inspect().contact_islands().unwrap();
    let counts: Vec<usize> = islands.iter().map(|island| island.contacts).collect();
    assert_eq!(counts, [2, 1], "{islands:?}");
    assert_eq!(islands[0].bodies, [BodyRef::Body(0), BodyRef::Body(1)]);
    assert!((islands[0].largest_force - 10.0).abs() < 1e-9 && (islands[1].largest_force - 10.0).abs() < 1e-9);
    // A = 1/m + x²/I ± …, x = 1/2: eigenvalues 2/m and 2 x²/I.
    let moment = world.body(1).unwrap().moment();
    assert!((islands[0].condition - (0.5 / moment) / (2.0 / 2.0)).abs() < 1e-9, "{}", islands[0].condition);
    assert_eq!(islands[1].condition, 1.0);
}
