//! Worlds of many bodies: coming, going and being looked up cost the same in every world.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_geometry::PathShape;
use engine2d_sim::{Body, BodyId, SimError, World};
use std::sync::Arc;
use std::time::Instant;

/// Blocks at rest in a row on a floor; nobody else is near the places above them.
fn row(count: usize) -> World {
    let width = 2.0 * count as f64 + 10.0;
    let mut builder = World::builder()
        .gravity(10.0)
        .body(Body::block(width, 1.0).fixed().at(0.5 * width, -0.5).named("floor"));
    let shape = Arc::new(PathShape::block(1.0, 1.0).expect("a shape"));
    for k in 0..count {
        builder =
            builder.body(Body::new(shape.clone()).at(2.0 * k as f64 + 1.0, 0.5).named(format!("block {k}")));
    }
    builder.build().expect("a world")
}

/// Bodies that come above those of a row, and go, one by one; seconds for each pair of them.
fn seconds_of_a_visit(world: &mut World, visits: usize) -> f64 {
    let shape = Arc::new(PathShape::ball(0.4).expect("a shape"));
    let clock = Instant::now();
    for k in 0..visits {
        let x = 2.0 * (k % 100) as f64 + 1.0;
        let id = world.add_body(Body::new(shape.clone()).at(x, 3.0).named("visitor")).expect("room");
        world.remove_body(id).expect("it is there");
    }
    clock.elapsed().as_secs_f64() / visits as f64
}

#[test]
fn coming_and_going_cost_the_same_however_many_are_at_rest() {
    let mut figures = [100, 10_000].map(|count| {
        let mut world = row(count);
        world.advance(0.01).expect("it rests");
        // The first arrival looks where everybody stands.
        seconds_of_a_visit(&mut world, 1000);
        (0..3).map(|_| seconds_of_a_visit(&mut world, 10_000)).fold(f64::INFINITY, f64::min)
    });
    println!("with 100 at rest {:.2e} s, with 10,000 {:.2e} s a pair", figures[0], figures[1]);
    figures[0] = figures[0].max(1e-7);
    assert!(figures[1] < 10.0 * figures[0], "{figures:?}: a hundred times as many bodies");
}

/// Contacts that a snapshot remembers.
fn remembered(world: &World) -> usize {
    let text = serde_json::to_string(&world.snapshot()).expect("JSON");
    text.matches("\"pressing\"").count()
}

#[test]
fn many_come_and_go_without_a_trace() {
    let mut world = row(300);
    world.advance(0.01).unwrap();
    let before = world.state();
    let contacts = world.advance(0.0).unwrap().contacts.len();
    let shape = Arc::new(PathShape::ball(0.4).expect("a shape"));
    let mut ids: Vec<BodyId> = Vec::new();
    for k in 0..300 {
        let body = Body::new(shape.clone()).at(2.0 * f64::from(k) + 1.0, 1.4).named(format!("visitor {k}"));
        ids.push(world.add_body(body).unwrap());
    }
    let full = world.advance(0.0).unwrap().contacts.len();
    assert_eq!(full, contacts + 300, "each visitor rests on a block");
    for id in ids.iter().rev() {
        world.remove_body(*id).unwrap();
        assert!(matches!(world.body(*id), Err(SimError::Stale { .. })));
    }
    assert_eq!(remembered(&world), contacts, "a snapshot knows nothing of them");
    assert_eq!(world.advance(0.0).unwrap().contacts.len(), contacts);
    assert_eq!(world.state()[..before.len()], before[..]);
    // A body at a place that was left does not inherit the contacts of the one before.
    for k in 0..300 {
        let body = Body::new(shape.clone()).at(2.0 * f64::from(k) + 1.0, 5.0).named(format!("later {k}"));
        world.add_body(body).unwrap();
    }
    assert_eq!(world.advance(0.0).unwrap().contacts.len(), contacts);
}

#[test]
fn who_arrives_inside_another_is_refused_wherever_bodies_have_moved() {
    let mut builder = World::builder()
        .body(Body::ball(0.5).velocity(1.0, 0.0).named("runner"))
        .body(Body::block(200.0, 1.0).fixed().at(0.0, -5.0).named("floor"))
        .body(Body::ball(0.01).at(30.0, 0.0).named("speck"));
    // So many that only those near are looked at.
    for k in 0..200 {
        builder =
            builder.body(Body::ball(0.5).fixed().at(2.0 * f64::from(k), 50.0).named(format!("far {k}")));
    }
    let mut world = builder.build().unwrap();
    let at = |x: f64, y: f64| Body::ball(0.5).at(x, y).named("guest");
    let inside = |outcome: Result<BodyId, SimError>| match outcome {
        Err(SimError::Overlap { other, .. }) => Some(other),
        _ => None,
    };
    assert_eq!(inside(world.add_body(at(0.6, 0.0))), Some(0));
    assert_eq!(inside(world.add_body(at(90.0, -4.3))), Some(1));
    assert_eq!(inside(world.add_body(at(30.3, 0.0))), Some(2));
    world.advance(4.0).unwrap();
    assert_eq!(inside(world.add_body(at(4.6, 0.0))), Some(0), "the runner is here now");
    world.set_pose("runner", [50.0, 0.0], 0.0).unwrap();
    assert_eq!(inside(world.add_body(at(50.9, 0.0))), Some(0));
    let guest = world.add_body(at(4.6, 0.0)).unwrap();
    assert!(matches!(world.set_pose("runner", [5.0, 0.0], 0.0), Err(SimError::Overlap { .. })));
    world.remove_body(guest).unwrap();
    world.set_pose("runner", [5.0, 0.0], 0.0).unwrap();
}

#[test]
fn names_are_unique_and_the_error_tells_the_way_out() {
    let twice =
        World::builder().body(Body::ball(0.5).named("ball")).body(Body::ball(0.5).at(3.0, 0.0).named("Ball"));
    let error = twice.build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "bodies[1].name: the name \"Ball\" is that of bodies[0] already: give each its own, as \"Ball 2\""
    );
    let mut world = World::builder().body(Body::ball(0.5).named("ball")).build().unwrap();
    let again = |world: &mut World| world.add_body(Body::ball(0.5).at(3.0, 0.0).named("ball"));
    assert!(matches!(again(&mut world), Err(SimError::NameTaken { .. })));
    world.remove_body("ball").unwrap();
    again(&mut world).unwrap();
}
