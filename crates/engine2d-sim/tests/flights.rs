//! Discs that fly free: their motion in closed form against theory and against the integration of the world as one.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::rig::{G, located, run};
use engine2d_sim::{Attachment, Body, CollisionHandling, Connector, Event, Settings, Snapshot, World};

/// Elastic discs in a box, and what else there is.
fn gas(settings: Settings, count: u32, gravity: f64, others: &[Body]) -> World {
    let mut builder = World::builder().gravity(gravity).settings(settings);
    let half = f64::from(count).sqrt();
    for (x, y) in [(0.0, -1.0), (0.0, 1.0), (-1.0, 0.0), (1.0, 0.0)] {
        let (w, h) = if x == 0.0 { (2.0 * half + 8.0, 2.0) } else { (2.0, 2.0 * half + 8.0) };
        let wall = Body::block(w, h).fixed().at(x * (half + 1.0), y * (half + 1.0));
        builder = builder.body(wall.restitution(1.0));
    }
    let rows = half.ceil();
    for k in 0..count {
        let (column, row) = (f64::from(k) % rows, (f64::from(k) / rows).floor());
        let place = |n: f64| 2.0 * half / rows * (n + 0.5) - half;
        let angle = 2.4 * f64::from(k);
        let ball = Body::ball(0.2).at(place(column), place(row));
        builder = builder.body(ball.velocity(5.0 * angle.cos(), 5.0 * angle.sin()).restitution(1.0));
    }
    others.iter().fold(builder, |builder, body| builder.body(body.clone())).build().unwrap()
}

/// Where all bodies are and how they move.
fn motion(world: &World) -> Vec<[f64; 6]> {
    let of = |b: engine2d_sim::BodyView<'_>| {
        let (p, v) = (b.position(), b.velocity());
        [p.x, p.y, b.angle(), v.x, v.y, b.angular_velocity()]
    };
    world.bodies().map(of).collect()
}

fn collisions(world: &World) -> u64 {
    world.inspect().totals().collisions
}

/// The largest difference of two motions.
fn difference(a: &World, b: &World) -> f64 {
    let pairs = motion(a).into_iter().flatten().zip(motion(b).into_iter().flatten());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn a_gas_asks_for_no_evaluations_and_keeps_its_energy() {
    for gravity in [0.0, 3.0] {
        let mut world = gas(located(), 100, gravity, &[]);
        let energy = world.energy().total();
        let before = world.advance(0.001).unwrap().counters.collisions;
        assert_eq!(before, 0);
        let report = world.advance(9.999).unwrap();
        assert!(report.counters.collisions > 800, "{}", report.counters.collisions);
        // The forces of the state that is reported, and nothing on the way there.
        assert!(report.evaluations <= 1, "{} evaluations, gravity {gravity}", report.evaluations);
        assert!((report.energy - energy).abs() < 1e-12 * energy.abs(), "{:e}", report.energy - energy);
        assert!((report.highest_energy - energy).abs() < 1e-12 * energy.abs(), "{}", report.highest_energy);
        assert!(report.penetration < 1e-12, "{:e}", report.penetration);
    }
}

#[test]
fn results_asked_for_leave_no_trace() {
    for gravity in [0.0, 3.0] {
        let [mut often, mut seldom] = [(); 2].map(|()| gas(located(), 60, gravity, &[]));
        for k in 0..384 {
            often.advance(if k % 3 == 0 { 1.0 / 256.0 } else { 1.5 / 256.0 }).unwrap();
        }
        seldom.advance(2.0).unwrap();
        assert_eq!(often.time(), seldom.time());
        assert_eq!(motion(&often), motion(&seldom), "gravity {gravity}");
        assert!(collisions(&often) > 80 && collisions(&often) == collisions(&seldom));
    }
}

/// With the books of its energy open the world is integrated as one.
#[test]
fn flights_go_where_the_integration_goes() {
    for gravity in [0.0, 9.81] {
        let booked = Settings { energy_ledger: true, ..located() };
        let mut flights = gas(located(), 25, gravity, &[]);
        let mut whole = gas(booked, 25, gravity, &[]);
        for step in 0..6 {
            flights.advance(0.125).unwrap();
            whole.advance(0.125).unwrap();
            // Each collision multiplies what they differ by.
            let apart = difference(&flights, &whole);
            assert!(apart < 1e-9, "{step}: {apart:e}");
        }
        assert!(collisions(&flights) >= 15, "{}", collisions(&flights));
        assert_eq!(collisions(&flights), collisions(&whole));
    }
}

#[test]
fn a_saved_gas_goes_on_as_if_it_had_not_been() {
    let mut world = gas(located(), 40, 2.0, &[Body::block(0.8, 0.4).at(0.9, 0.9).restitution(1.0)]);
    for round in 0..8 {
        world.advance(0.173).unwrap();
        let text = serde_json::to_string(&world.snapshot()).unwrap();
        assert!(text.contains("\"flights\""), "{round}");
        let mut resumed = gas(located(), 40, 2.0, &[Body::block(0.8, 0.4).at(0.9, 0.9).restitution(1.0)]);
        let snapshot: Snapshot = serde_json::from_str(&text).unwrap();
        resumed.restore(&snapshot).unwrap();
        world.advance(0.31).unwrap();
        resumed.advance(0.31).unwrap();
        let [a, b] = [&world, &resumed].map(|world| serde_json::to_string(&world.snapshot()).unwrap());
        assert_eq!(a, b, "{round}");
    }
}

#[test]
fn a_flight_of_another_world_is_refused() {
    let mut world = gas(located(), 9, 0.0, &[]);
    world.advance(0.25).unwrap();
    let saved = serde_json::to_value(world.snapshot()).unwrap();
    let first = |value: &serde_json::Value| value["located"]["flights"][0].clone();
    assert!(first(&saved).is_array(), "{saved}");
    // A body that is a wall, a place beyond all bodies, a step that ends before it begins, another force.
    let forgeries: [fn(&mut serde_json::Value); 4] = [
        |flight| flight[0] = 0.into(),
        |flight| flight[0] = 1000.into(),
        |flight| flight[1]["until"] = (-1.0).into(),
        |flight| flight[1]["acceleration"] = serde_json::json!([0.0, -1.0]),
    ];
    for (k, forge) in forgeries.iter().enumerate() {
        let mut value = saved.clone();
        forge(&mut value["located"]["flights"][0]);
        let forged: Snapshot = serde_json::from_value(value).unwrap();
        let refused = world.restore(&forged).unwrap_err();
        assert!(refused.to_string().contains("snapshot.located.flights"), "{k}: {refused}");
    }
    let mut value = saved;
    value["located"]["flights"][0][1]["meets"] =
        serde_json::json!({ "other": 1, "since": 0.0, "place": { "side": 77 } });
    let forged: Snapshot = serde_json::from_value(value).unwrap();
    assert!(world.restore(&forged).is_err(), "a side that the wall does not have");
}

#[test]
fn balls_bounce_on_a_floor_for_ever_and_on_time() {
    let mut builder = World::builder().gravity(G).settings(located());
    builder = builder.body(Body::block(40.0, 1.0).fixed().at(0.0, -0.5).restitution(1.0));
    let height = |k: u32| 1.0 + 0.5 * f64::from(k);
    for k in 0..4 {
        let ball = Body::ball(0.5).at(3.0 * f64::from(k) - 5.0, 0.5 + height(k));
        builder = builder.body(ball.restitution(1.0));
    }
    let mut world = builder.build().unwrap();
    let energy = world.energy().total();
    let report = world.advance(100.0).unwrap();
    for (k, body) in (0..).zip(world.bodies().skip(1)) {
        let fall = (2.0 * height(k) / G).sqrt();
        let phase = (100.0 + fall) % (2.0 * fall) - fall;
        let expected = 0.5 + height(k) - 0.5 * G * phase * phase;
        assert!((body.position().y - expected).abs() < 1e-9, "{k}: {:e}", body.position().y - expected);
    }
    assert!((report.energy - energy).abs() < 1e-12 * energy, "{:e}", report.energy - energy);
    // Of the state at the beginning and of that at the end.
    assert!(report.evaluations <= 2, "{}", report.evaluations);
}

#[test]
fn balls_that_lose_energy_come_to_rest_on_time() {
    let (e, height) = (0.5, 2.0);
    let mut builder = World::builder().gravity(G).settings(located());
    builder = builder.body(Body::block(40.0, 1.0).fixed().at(0.0, -0.5).restitution(1.0));
    for k in 0..3 {
        builder = builder.body(Body::ball(0.5).at(3.0 * f64::from(k), 0.5 + height).restitution(e));
    }
    let mut world = builder.build().unwrap();
    let events = run(&mut world, 0.5, 8);
    let fall = (2.0 * height / G).sqrt();
    let end = fall * (1.0 + e) / (1.0 - e);
    let rests: Vec<f64> = events
        .iter()
        .filter_map(|event| match event {
            Event::ContactBegin { time, .. } => Some(*time),
            _ => None,
        })
        .collect();
    assert_eq!(rests.len(), 3);
    assert!(rests.iter().all(|time| *time <= end + 1e-9 && end - time < 0.2), "{rests:?}, theory {end}");
    assert!(
        world.bodies().skip(1).all(|b| (b.position().y - 0.5).abs() < 1e-9 && b.velocity().norm() < 1e-9)
    );
}

/// A ball that two others stop at one moment: all three are one impact.
#[test]
fn two_met_at_once_part_as_mirror_images() {
    for gap in [0.0, 1e-13] {
        // The two do not touch each other.
        let (sin, cos) = (0.6, 0.8);
        let ball = |x: f64, y: f64| Body::ball(0.5).restitution(1.0).at(x, y);
        let settings = Settings { collision_handling: CollisionHandling::Simultaneous, ..located() };
        let mut world = World::builder()
            .settings(settings)
            .body(ball(-3.0, 0.0).velocity(2.0, 0.0))
            .body(ball(cos, sin + 0.5 * gap))
            .body(ball(cos, -sin - 0.5 * gap))
            .body(ball(20.0, 20.0).velocity(1.0, 0.0))
            .build()
            .unwrap();
        let energy = world.energy().total();
        let report = world.advance(4.0).unwrap();
        let v: Vec<_> = world.bodies().map(|b| b.velocity()).collect();
        assert!(v[1].x > 0.1 && (v[1].x - v[2].x).abs() < 1e-9 && (v[1].y + v[2].y).abs() < 1e-9, "{v:?}");
        assert!((v[0].x + v[1].x + v[2].x - 2.0).abs() < 1e-12);
        assert!((report.energy - energy).abs() < 1e-12 * energy);
    }
}

#[test]
fn discs_and_other_bodies_share_a_box() {
    let others = |spin: f64| {
        [
            Body::block(0.9, 0.5).at(0.1, 0.1).angular_velocity(spin).restitution(1.0),
            Body::ball(0.3).at(2.0, 0.1).velocity(1.0, 2.0).gravity_scale(0.5).restitution(1.0),
        ]
    };
    for gravity in [0.0, 4.0] {
        let booked = Settings { energy_ledger: true, ..located() };
        let mut world = gas(located(), 16, gravity, &others(1.0));
        let mut whole = gas(booked, 16, gravity, &others(1.0));
        let energy = world.energy().total();
        for _ in 0..4 {
            world.advance(0.125).unwrap();
            whole.advance(0.125).unwrap();
        }
        assert!(difference(&world, &whole) < 1e-7, "{:e}", difference(&world, &whole));
        assert!(collisions(&world) > 5, "{}", collisions(&world));
        let report = world.advance(4.0).unwrap();
        assert!((report.energy - energy).abs() < 1e-9 * energy, "{:e}", report.energy - energy);
        assert!(report.penetration < 1e-9, "{:e}", report.penetration);
    }
}

/// What is tied, damped or filtered away is not taken for free.
#[test]
fn what_more_than_a_constant_force_moves_does_not_fly() {
    let ball = |x: f64| Body::ball(0.3).at(x, 0.0).restitution(1.0);
    let mut tied = World::builder()
        .settings(located())
        .body(ball(0.0).velocity(0.0, 1.0))
        .body(ball(5.0).velocity(-1.0, 0.0))
        .connector(Connector::Rod {
            ends: [Attachment::ground([-1.0, 0.0]), Attachment::body(0, [0.0, 0.0])],
            length: 1.0,
        })
        .build()
        .unwrap();
    tied.advance(2.0).unwrap();
    let p = tied.bodies().next().unwrap().position();
    assert!(((p.x + 1.0).hypot(p.y) - 1.0).abs() < 1e-9, "{p:?}");
    let mut damped = World::builder()
        .settings(located())
        .force_law(engine2d_sim::ForceLaw::damping(1.0))
        .body(ball(0.0).velocity(0.0, 1.0).mass(1.0))
        .body(ball(5.0).velocity(0.0, 0.0).mass(1.0))
        .build()
        .unwrap();
    damped.advance(2.0).unwrap();
    let v = damped.bodies().next().unwrap().velocity().y;
    assert!((v - f64::exp(-2.0)).abs() < 1e-6, "{v}");
}
