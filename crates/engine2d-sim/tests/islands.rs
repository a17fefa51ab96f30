//! Islands with clocks of their own: who moves by itself, and that nothing of it shows.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_geometry::{PathBuilder, PathShape};
use engine2d_sim::{Body, World};
use std::sync::Arc;

/// A room whose walls are solid without end.
fn cavity() -> Arc<PathShape> {
    let mut path = PathBuilder::new();
    path.start([-2.0, -1.5]).unwrap();
    path.line_to([2.0, -1.5], true).unwrap();
    path.line_to([2.0, 1.5], false).unwrap();
    path.line_to([-2.0, 1.5], false).unwrap();
    path.line_to([-2.0, -1.5], true).unwrap();
    Arc::new(path.finish().unwrap())
}

/// Three balls in a room: every island has it near, and a file that cannot hold its infinite box still resumes.
#[test]
fn a_room_without_end_holds_its_balls_also_when_resumed_from_a_file() {
    let mut builder = World::builder().body(Body::new(cavity()).fixed().restitution(1.0));
    for k in 0..3 {
        let x = f64::from(k) - 1.0;
        let ball = Body::ball(0.2).at(x, 0.3 * x).velocity(3.0 - 2.0 * x, 2.0 + x);
        builder = builder.body(ball.restitution(1.0));
    }
    let mut world = builder.build().unwrap();
    let energy = world.energy().total();
    let mut copy = world.clone();
    let mut collisions = 0;
    for step in 0..40 {
        let report = world.advance(0.25).unwrap();
        assert!(report.penetration < 1e-12, "{:e}", report.penetration);
        assert!((report.energy / energy - 1.0).abs() < 1e-12);
        collisions += report.counters.collisions;
        if step == 17 {
            let text = serde_json::to_string(&world.snapshot()).unwrap();
            copy.restore(&serde_json::from_str(&text).unwrap()).unwrap();
        } else if step > 17 {
            copy.advance(0.25).unwrap();
        }
    }
    assert!(collisions > 30, "{collisions}");
    let bits = |world: &World| world.state().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&world), bits(&copy));
}

/// What happens to a ball does not depend on how many others are far away.
#[test]
fn bodies_far_away_change_no_bit() {
    let run = |others: u32| {
        let mut builder = World::builder().gravity(9.81).body(Body::wall(10.0, 1.0).at(0.0, -0.5));
        builder = builder.body(Body::ball(0.5).at(0.0, 2.0).velocity(0.3, 0.0).restitution(0.7));
        builder = builder.body(Body::block(1.0, 0.4).at(3.0, 1.0).angle(0.4).restitution(0.3));
        for k in 0..others {
            let x = 100.0 + 3.0 * f64::from(k);
            builder = builder.body(Body::wall(2.0, 1.0).at(x, -0.5));
            builder = builder.body(Body::block(1.0, 0.4).at(x, 1.0 + 0.1 * f64::from(k)).angle(0.3));
        }
        let mut world = builder.build().unwrap();
        for _ in 0..60 {
            world.advance(0.05).unwrap();
        }
        world.state()[6..18].iter().map(|v| v.to_bits()).collect::<Vec<_>>()
    };
    let alone = run(0);
    assert_eq!(run(1), alone);
    assert_eq!(run(7), alone);
}
