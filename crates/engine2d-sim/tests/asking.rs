//! Queries, groups, sensors and one-way platforms.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_geometry::{Bounds, PathShape};
use engine2d_math::{Pose, Vec2};
use engine2d_sim::{Body, CollisionFilter, Event, Settings, SimError, World};

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

fn yard() -> World {
    World::builder()
        .body(Body::block(10.0, 1.0).fixed().at(0.0, -0.5).named("floor"))
        .body(Body::ball(0.5).at(-2.0, 2.0).named("ball"))
        .body(Body::block(1.0, 1.0).at(2.0, 0.5).named("crate"))
        .body(Body::block(1.0, 1.0).at(-2.0, 4.0).fixed().sensor().named("gate"))
        .build()
        .unwrap()
}

#[test]
fn rays_points_regions_and_the_nearest_are_found() {
    let world = yard();
    let name = |id| world.body(id).unwrap().name().to_owned();
    let hits = world.query().ray_all([-2.0, 10.0], [0.0, -3.0], f64::INFINITY).unwrap();
    let names: Vec<String> = hits.iter().map(|hit| name(hit.body)).collect();
    assert_eq!(names, ["ball", "floor"]);
    close(hits[0].distance, 7.5, 1e-12);
    close(hits[1].distance, 10.0, 1e-12);
    assert_eq!(hits[1].normal, Vec2::new(0.0, 1.0));
    let all = world.query().and_sensors().ray([-2.0, 10.0], [0.0, -1.0], 100.0).unwrap().unwrap();
    assert_eq!(name(all.body), "gate");
    assert_eq!(world.query().ray([-2.0, 10.0], [0.0, -1.0], 7.0).unwrap(), None);
    assert_eq!(world.query().at_point([2.2, 0.2]).unwrap(), [world.body("crate").unwrap().id()]);
    let region = Bounds { min: Vec2::new(-3.0, 1.0), max: Vec2::new(3.0, 3.0) };
    let inside = world.query().in_region(region).unwrap();
    assert_eq!(inside, [world.body("ball").unwrap().id(), world.body("crate").unwrap().id()]);
    let near = world.query().nearest([3.0, 3.0], f64::INFINITY).unwrap().unwrap();
    assert_eq!(name(near.body), "crate");
    close(near.distance, (0.25_f64 + 4.0).sqrt(), 1e-12);
    let near = world.query().without("crate").unwrap().nearest([3.0, 3.0], 3.5).unwrap().unwrap();
    assert_eq!(name(near.body), "floor");
    assert_eq!(world.query().nearest([3.0, 30.0], 3.0).unwrap(), None);
    for bad in [
        world.query().ray([0.0, 0.0], [0.0, 0.0], 1.0).err(),
        world.query().ray([f64::NAN, 0.0], [1.0, 0.0], 1.0).err(),
        world.query().at_point([0.0, f64::INFINITY]).err(),
        world.query().in_region(Bounds { min: Vec2::zeros(), max: Vec2::zeros() }).err(),
        world.query().nearest([0.0, 0.0], -1.0).err(),
    ] {
        assert!(matches!(bad, Some(SimError::Value { .. })), "{bad:?}");
    }
}

#[test]
fn a_cast_shape_stops_where_it_touches() {
    let world = yard();
    let bar = PathShape::block(2.0, 0.2).unwrap();
    let start = Pose::new(2.8, 6.0, 0.0);
    let hit = world.query().cast(&bar, &start, [0.0, -2.0], 20.0).unwrap().unwrap();
    assert_eq!(world.body(hit.body).unwrap().name(), "crate");
    close(hit.distance, 4.9, 1e-8);
    let hit = world.query().without("crate").unwrap().cast(&bar, &start, [0.0, -1.0], 20.0).unwrap().unwrap();
    close(hit.distance, 5.9, 1e-8);
    assert_eq!(world.query().cast(&bar, &start, [0.0, -1.0], 4.8).unwrap(), None);
    let inside = Pose::new(2.0, 0.6, 0.0);
    assert_eq!(world.query().cast(&bar, &inside, [1.0, 0.0], 1.0).unwrap().unwrap().distance, 0.0);
}

#[test]
fn groups_decide_who_collides_with_both_clocks() {
    let (solid, ghost) = (0b01, 0b10);
    for settings in [Settings::default(), Settings::backtracking()] {
        let mut world = World::builder()
            .settings(settings)
            .gravity(10.0)
            .body(
                Body::block(10.0, 1.0)
                    .fixed()
                    .at(0.0, -0.5)
                    .collides(CollisionFilter { categories: solid, mask: solid }),
            )
            .body(
                Body::ball(0.5)
                    .at(-2.0, 1.0)
                    .restitution(0.0)
                    .collides(CollisionFilter { categories: solid, mask: solid }),
            )
            .body(
                Body::ball(0.5).at(2.0, 1.0).collides(CollisionFilter { categories: ghost, mask: u32::MAX }),
            )
            .build()
            .unwrap();
        world.advance(1.0).unwrap();
        assert!(world.body(1).unwrap().position().y > 0.49, "it lies on the floor");
        close(world.body(2).unwrap().position().y, -4.0, 1e-9);
    }
}

#[test]
fn a_sensor_tells_to_the_moment_who_comes_and_goes() {
    let mut world = World::builder()
        .body(Body::block(1.0, 4.0).sensor().fixed().at(5.0, 0.0).named("gate"))
        .body(Body::ball(0.5).velocity(2.0, 0.0).named("ball"))
        .body(Body::ball(0.5).at(0.0, 9.0).velocity(2.0, 0.0).named("above"))
        .build()
        .unwrap();
    let mut seen = Vec::new();
    for _ in 0..5 {
        for event in world.advance(1.0).unwrap().events {
            seen.push(event);
        }
    }
    // In at x = 4 (t = 2), out at x = 6 (t = 3).
    assert_eq!(seen.len(), 2, "{seen:?}");
    let ball = world.body("ball").unwrap().id();
    assert!(seen.iter().all(|event| event.involves(ball)));
    assert!(
        matches!(seen[0], Event::SensorBegin { sensor, body, .. } if [sensor.index(), body.index()] == [0, 1])
    );
    assert!(
        matches!(seen[1], Event::SensorEnd { sensor, body, .. } if [sensor.index(), body.index()] == [0, 1])
    );
    close(seen[0].time(), 2.0, 1e-9);
    close(seen[1].time(), 3.0, 1e-9);
    close(world.body("ball").unwrap().velocity().x, 2.0, 0.0);
    let refused = World::builder().settings(Settings::backtracking()).body(Body::ball(1.0).sensor()).build();
    assert!(matches!(refused, Err(SimError::Unsupported { .. })));
}

#[test]
fn bodies_that_come_later_are_sensed_too() {
    let mut world = World::builder()
        .body(Body::block(1.0, 1.0).sensor().fixed().at(5.0, 0.0).named("gate"))
        .build()
        .unwrap();
    let ball = world.add_body(Body::ball(0.1).velocity(30.0, 0.0).named("ball")).unwrap();
    let events = world.advance(1.0).unwrap().events;
    assert_eq!(events.len(), 2, "{events:?}");
    world.remove_body(ball).unwrap();
    world.add_body(Body::ball(0.1).at(9.0, 0.0).velocity(-30.0, 0.0)).unwrap();
    assert_eq!(world.advance(1.0).unwrap().events.len(), 2);
    world.remove_body("gate").unwrap();
    world.set_pose(1, [0.0, 0.0], 0.0).unwrap();
    assert!(world.advance(1.0).unwrap().events.is_empty());
}

#[test]
fn a_one_way_platform_lets_through_from_below_and_carries_from_above() {
    let mut world = World::builder()
        .gravity(10.0)
        .body(Body::block(4.0, 0.2).fixed().one_way([0.0, 1.0]).at(0.0, 2.0).named("platform"))
        .body(Body::ball(0.3).restitution(0.0).velocity(0.0, 9.0).named("ball"))
        .build()
        .unwrap();
    let mut highest = 0.0_f64;
    for _ in 0..40 {
        let report = world.advance(0.05).unwrap();
        highest = highest.max(world.body("ball").unwrap().position().y);
        assert!(report.penetration < 1e-6, "{}", report.penetration);
    }
    assert!(highest > 4.0, "it passed from below: {highest}");
    close(world.body("ball").unwrap().position().y, 2.4, 1e-6);
}

#[test]
fn a_thrown_body_meets_a_one_way_platform_within_one_long_advance() {
    let mut world = World::builder()
        .gravity(10.0)
        .body(Body::block(40.0, 0.2).fixed().one_way([0.0, 1.0]).at(0.0, 2.0))
        .body(Body::block(0.5, 0.5).restitution(0.0).velocity(1.0, 9.0).spin(1.0).named("block"))
        .build()
        .unwrap();
    world.advance(3.0).unwrap();
    assert!(world.body("block").unwrap().position().y > 2.3);
}
