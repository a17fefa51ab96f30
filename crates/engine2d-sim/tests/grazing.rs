//! Located events where they hide: between two looks, at corners tip on tip, on features that take turns.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::Rope;
use engine2d_sim::{Body, BodyRef, Event, ForceLaw, Frame, Joint, World};

const G: f64 = 9.81;

/// A constant force of a size to the right.
fn push(body: u32, force: f64) -> ForceLaw {
    ForceLaw::ConstantForce {
        body,
        location: [0.0, 0.0].into(),
        location_frame: Frame::Body,
        force: [force, 0.0].into(),
        force_frame: Frame::World,
        torque: 0.0,
    }
}

/// A ball thrown upwards would pass the length of its rope by a tenth of a micrometre at the top of its flight, within one
/// step of the integrator.
#[test]
fn a_rope_that_is_taut_for_a_moment_is_noticed() {
    let (start, top) = (0.5, 1.0 + 1e-7);
    let speed = (2.0 * G * (top - start)).sqrt();
    let ball = Body::ball(0.1).mass(1.0).restitution(0.0).at(0.0, start).velocity(0.0, speed);
    let rope = Rope::new(BodyRef::Body(0), [0.0, 0.0], BodyRef::Ground, [0.0, 0.0], 1.0);
    let mut world = World::builder().gravity(G).body(ball).joint(Joint::new(rope)).build().unwrap();
    let apex = speed / G;
    let (mut highest, mut events) = (0.0_f64, 0);
    world.advance(apex - 1e-3).unwrap();
    for _ in 0..200 {
        events += world.advance(1e-5).unwrap().events.len();
        highest = highest.max(world.body(0).unwrap().position().y);
    }
    assert!(highest <= 1.0 + 1e-10, "it is {:e} too high", highest - 1.0);
    assert!(events > 0, "the rope has caught it");
}

/// A corner of a spinning block dips into the floor and out again between two looks.
#[test]
fn a_corner_that_touches_for_a_moment_is_noticed() {
    // The corner is lowest when the diagonal is upright: half of it above the floor less a tenth of a micrometre.
    let (half, dip) = (0.5_f64.hypot(0.5), 1e-7);
    let turn = 2.0;
    let quarter = std::f64::consts::FRAC_PI_4;
    for after in [0.011, 0.043, 0.17, 0.31] {
        let block = Body::block(1.0, 1.0).at(0.0, half - dip).angle(quarter - turn * after).spin(turn);
        let mut world = World::builder()
            .body(Body::block(10.0, 1.0).fixed().at(0.0, -0.5))
            .body(block.restitution(1.0))
            .build()
            .unwrap();
        let mut deepest = 0.0_f64;
        world.advance(after - 2e-3).unwrap();
        for _ in 0..80 {
            deepest = deepest.max(world.advance(5e-5).unwrap().penetration);
        }
        assert!(deepest < 1e-10, "{deepest:e} deep after {after}");
    }
}

/// Two wedges slide on a floor against each other, tip on tip, and are pressed together: they meet once and stay.
#[test]
fn wedges_meet_tip_on_tip_and_stay() {
    for restitution in [0.0, 0.5] {
        for lean in [0.2, 0.9] {
            let left = Body::polygon(&[[-1.0, 0.0], [0.0, 0.0], [-lean, 0.8]]);
            let right = Body::polygon(&[[0.0, 0.0], [1.0, 0.0], [0.4, 0.7]]);
            let place = |body: Body, x: f64, own: [f64; 2]| {
                body.restitution(restitution).at(x + own[0], own[1]).velocity(-x.signum(), 0.0)
            };
            let centroids = [[-(1.0 + lean) / 3.0, 0.8 / 3.0], [1.4 / 3.0, 0.7 / 3.0]];
            let mut world = World::builder()
                .gravity(G)
                .body(Body::block(10.0, 1.0).fixed().restitution(restitution).at(0.0, -0.5))
                .body(place(left.mass(1.0), -0.3, centroids[0]))
                .body(place(right.mass(1.0), 0.3, centroids[1]))
                .force_law(push(1, 2.0))
                .force_law(push(2, -2.0))
                .build()
                .unwrap();
            let (mut deepest, mut collisions) = (0.0_f64, 0);
            for _ in 0..100 {
                let report = world.advance(0.03).unwrap();
                deepest = deepest.max(report.penetration);
                collisions += report.events.iter().filter(|e| matches!(e, Event::Collision { .. })).count();
            }
            assert!(deepest < 1e-9, "{deepest:e} deep, e = {restitution}, lean {lean}");
            assert!(collisions < 500, "{collisions} collisions, e = {restitution}, lean {lean}");
            let [a, b] = [1, 2].map(|k| world.body(k).unwrap().velocity());
            assert!((a - b).norm() < 1e-6, "they are at rest against each other: {a:?} {b:?}");
        }
    }
}
