//! Sensors that hold bodies from the beginning, pairs of bodies, predicates, presets.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_sim::{Body, BodyId, Event, Preset, SimError, SurfacePair, World};

fn gate() -> Body {
    Body::block(2.0, 2.0).fixed().sensor().named("gate")
}

/// The bodies that came (true) and left (false), with their times.
fn told(events: &[Event]) -> Vec<(bool, BodyId, f64)> {
    let of = |event: &Event| match *event {
        Event::SensorBegin { time, body, .. } => Some((true, body, time)),
        Event::SensorEnd { time, body, .. } => Some((false, body, time)),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

#[test]
fn a_sensor_tells_of_who_is_inside_at_the_start_and_when_they_leave() {
    let mut world = World::builder()
        .body(gate())
        .body(Body::ball(0.5).velocity(1.0, 0.0).named("inside"))
        .body(Body::ball(0.5).at(9.0, 0.0).named("outside"))
        .build()
        .unwrap();
    let inside = world.body("inside").unwrap().id();
    assert_eq!(told(world.advance(1.0).unwrap().events()), [(true, inside, 0.0)]);
    let leaves = told(world.advance(1.0).unwrap().events());
    assert!(
        matches!(leaves[..], [(false, body, time)] if body == inside && (time - 1.5).abs() < 1e-9),
        "{leaves:?}"
    );
    assert!(told(world.advance(1.0).unwrap().events()).is_empty());
}

#[test]
fn a_sensor_tells_of_who_is_put_into_it_and_out_of_it() {
    let mut world =
        World::builder().body(gate()).body(Body::ball(0.5).at(9.0, 0.0).named("ball")).build().unwrap();
    let ball = world.body("ball").unwrap().id();
    assert!(told(world.advance(1.0).unwrap().events()).is_empty());
    world.set_pose(ball, [0.5, 0.0], 0.0).unwrap();
    assert_eq!(told(world.advance(1.0).unwrap().events()), [(true, ball, 1.0)]);
    let before = world.snapshot();
    world.set_pose(ball, [9.0, 0.0], 0.0).unwrap();
    assert_eq!(told(world.advance(1.0).unwrap().events()), [(false, ball, 2.0)]);
    world.restore(&before).unwrap();
    assert!(told(world.advance(1.0).unwrap().events()).is_empty(), "what is restored is not told again");
    let guest = world.add_body(Body::ball(0.2).at(-0.5, 0.0).named("guest")).unwrap();
    assert_eq!(told(world.advance(1.0).unwrap().events()), [(true, guest, 3.0)]);
    world.remove_body(guest).unwrap();
    let next = world.add_body(Body::ball(0.2).at(-0.5, 0.0).named("next")).unwrap();
    assert_eq!(
        told(world.advance(1.0).unwrap().events()),
        [(true, next, 4.0)],
        "another body, though at its place"
    );
}

#[test]
fn a_pair_of_bodies_has_restitution_and_friction_of_its_own() {
    let drop = |pair: Option<SurfacePair>| {
        let mut world = World::builder()
            .gravity(10.0)
            .body(Body::block(20.0, 1.0).fixed().at(0.0, -0.5).named("floor"))
            .body(Body::ball(0.5).at(0.0, 5.5).restitution(0.8).named("ball"))
            .build()
            .unwrap();
        if let Some(pair) = pair {
            world.edit().set_surfaces("ball", "floor", pair).unwrap();
        }
        world.advance(1.2).unwrap();
        world.body("ball").unwrap().velocity().y + 2.0
    };
    assert!((drop(None) - 8.0).abs() < 1e-8);
    assert!(
        (drop(Some(SurfacePair { restitution: Some(0.25), ..SurfacePair::default() })) - 2.5).abs() < 1e-8
    );
    let mut world = World::builder().body(gate()).body(Body::ball(0.5).at(9.0, 0.0)).build().unwrap();
    let wrong = SurfacePair { restitution: Some(1.5), ..SurfacePair::default() };
    let error = world.edit().set_surfaces(0, 1, wrong).unwrap_err();
    assert!(error.to_string().starts_with("surfaces[0, 1].restitution: 1.5 is not allowed"), "{error}");
}

#[test]
fn what_was_set_for_a_pair_goes_with_a_body() {
    let mut world = World::builder()
        .gravity(10.0)
        .body(Body::block(20.0, 1.0).fixed().at(0.0, -0.5).named("floor"))
        .body(Body::ball(0.5).at(0.0, 3.0).named("first"))
        .build()
        .unwrap();
    world.edit().set_colliding("floor", "first", false).unwrap();
    world
        .edit()
        .set_surfaces("floor", "first", SurfacePair { restitution: Some(1.0), ..SurfacePair::default() })
        .unwrap();
    world.remove_body("first").unwrap();
    let next = world.add_body(Body::ball(0.5).at(0.0, 3.0).restitution(0.0).named("next")).unwrap();
    world.advance(3.0).unwrap();
    assert!((world.body(next).unwrap().position().y - 0.5).abs() < 1e-6, "it lies on the floor");
}

#[test]
fn a_predicate_is_asked_of_bodies_that_come_later() {
    let mut world = World::builder()
        .gravity(10.0)
        .body(Body::block(20.0, 1.0).fixed().at(0.0, -0.5).named("floor"))
        .colliding_if(|a, b| !a.name().starts_with("ghost") && !b.name().starts_with("ghost"))
        .build()
        .unwrap();
    let ghost = world.add_body(Body::ball(0.5).at(0.0, 1.0).named("ghost")).unwrap();
    let ball = world.add_body(Body::ball(0.5).at(0.0, 1.0).restitution(0.0).named("ball")).unwrap();
    world.advance(2.0).unwrap();
    assert!(world.body(ghost).unwrap().position().y < -10.0);
    assert!((world.body(ball).unwrap().position().y - 0.5).abs() < 1e-6);
}

#[test]
fn presets_are_told_apart_by_name_and_each_runs() -> Result<(), SimError> {
    for preset in Preset::ALL {
        assert_eq!(Preset::named(preset.name()), Some(preset));
        let mut world = World::builder()
            .settings(preset.settings())
            .gravity(10.0)
            .body(Body::block(20.0, 1.0).fixed().at(0.0, -0.5).named("floor"))
            .body(Body::ball(0.5).at(0.0, 3.0).restitution(0.2).named("ball"))
            .build()?;
        for _ in 0..200 {
            world.advance(0.025)?;
        }
        assert!((world.body("ball")?.position().y - 0.5).abs() < 2e-2, "{preset}: {}", preset.sentence());
    }
    assert_eq!(Preset::named("slow"), None);
    Ok(())
}
