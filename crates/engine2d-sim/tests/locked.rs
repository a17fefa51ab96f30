//! Linkages whose joints lock each other: what they cannot bear is told, and what they can is borne.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_geometry::CollisionFilter;
use engine2d_sim::{Attachment, Body, Connector, Frame, SimError, World, WorldBuilder};
use std::time::{Duration, Instant};

const G: f64 = 9.81;

fn bar(length: f64) -> Body {
    let apart = CollisionFilter { categories: 1, mask: 0 };
    Body::block(length, 0.02).mass(1.0).moment(length * length / 12.0).collides(apart)
}

fn pinned(mut builder: WorldBuilder, ends: [Attachment; 2]) -> WorldBuilder {
    for joint in Connector::pin(ends[0], ends[1], Frame::World) {
        builder = builder.connector(joint);
    }
    builder
}

/// Bars of length 1 from a pin at the origin to one at the end of the last, each in a direction.
fn chain(directions: &[f64]) -> WorldBuilder {
    let mut builder = World::builder();
    let mut from = Attachment::ground([0.0, 0.0]);
    let mut end = [0.0, 0.0];
    for (k, &angle) in directions.iter().enumerate() {
        let (sin, cos) = angle.sin_cos();
        let middle = [end[0] + 0.5 * cos, end[1] + 0.5 * sin];
        end = [end[0] + cos, end[1] + sin];
        builder = builder.body(bar(1.0).at(middle[0], middle[1]).angle(angle).named(format!("bar{k}")));
        builder = pinned(builder, [from, Attachment::body(k as u32, [-0.5, 0.0])]);
        from = Attachment::body(k as u32, [0.5, 0.0]);
    }
    pinned(builder, [from, Attachment::ground(end)])
}

/// A ball of mass 1 at a place, on rods to points of the ground.
fn on_rods(at: [f64; 2], grounds: &[[f64; 2]]) -> WorldBuilder {
    let ball = Body::ball(0.1).mass(1.0).at(at[0], at[1]).named("ball");
    grounds.iter().fold(World::builder().body(ball), |builder, &ground| {
        let length = (at[0] - ground[0]).hypot(at[1] - ground[1]);
        let ends = [Attachment::ground(ground), Attachment::body(0, [0.0, 0.0])];
        builder.connector(Connector::Rod { ends, length })
    })
}

/// The time and the bodies of the error in which an advance ends, which takes not long.
fn told(world: &mut World, step: f64) -> (f64, Vec<String>) {
    let began = Instant::now();
    let ended = world.advance(step);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    match ended {
        Err(SimError::Locked { time, bodies }) => (time, bodies),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_load_across_bars_in_one_line_is_told_at_once() {
    let names = |count: usize| (0..count).map(|k| format!("bar{k}")).collect::<Vec<_>>();
    for (count, angle) in [(2, 0.0), (2, 0.3), (3, 0.0), (4, -1.0), (10, 0.0), (40, 0.2)] {
        let mut world = chain(&vec![angle; count]).gravity(G).build().unwrap();
        assert_eq!(told(&mut world, 0.01), (0.0, names(count)), "{count} bars at {angle}");
    }
    // What cannot be told from a line.
    for sag in [1e-6, 1e-8] {
        let mut world = chain(&[-sag, sag]).gravity(G).build().unwrap();
        assert_eq!(told(&mut world, 0.01), (0.0, names(2)), "a sag of {sag}");
    }
    for grounds in [[[-1.0, 0.0], [1.0, 0.0]], [[-1.0, 0.0], [-2.0, 0.0]]] {
        let mut world = on_rods([0.0, 0.0], &grounds).gravity(G).build().unwrap();
        assert_eq!(told(&mut world, 0.01), (0.0, vec!["ball".to_owned()]), "{grounds:?}");
    }
}

/// Two bars that sag by an angle bear their weight: by the tension `m g/(2 tan)` of their joints, to which both bars are half.
#[test]
fn a_sag_bears_a_load() {
    for sag in [1e-2, 1e-4, 1e-5] {
        let mut world = chain(&[-sag, sag]).gravity(G).build().unwrap();
        let report = world.advance(0.5).unwrap();
        let moved = world.body(0).unwrap().velocity().norm();
        assert!(moved <= 1e-9 && report.joint_error <= 1e-12, "{sag}: {moved:e} {:e}", report.joint_error);
        let side = report.contacts.iter().fold(0.0, |most: f64, f| most.max(f.force.abs()));
        let expected = 0.5 * G / sag.tan();
        assert!((side / expected - 1.0).abs() < 1e-4, "{sag}: {side} {expected}");
    }
}

/// Upright bars in one line bear their weight, until something strikes them from the side.
#[test]
fn bars_in_one_line_are_locked_when_they_are_struck() {
    let upright = || chain(&[std::f64::consts::FRAC_PI_2; 3]).gravity(G);
    let mut world = upright().build().unwrap();
    world.advance(1.0).unwrap();
    assert!(world.bodies().all(|bar| bar.velocity().norm() < 1e-9));
    for speed in [0.1, 3.0] {
        let mut world = upright().build().unwrap();
        world.advance(0.25).unwrap();
        let middle = world.bodies().nth(1).unwrap().id();
        world.apply_impulse(middle, [speed, 0.0], [0.0, 1.5]).unwrap();
        let (time, bodies) = told(&mut world, 0.25);
        assert_eq!((time, bodies.len()), (0.25, 3), "{speed}");
    }
    let ball = Body::ball(0.1).mass(1.0).at(-1.0, 1.5).velocity(2.0, 0.0).named("ball");
    let mut rough = World::builder();
    for (k, y) in [0.5, 1.5, 2.5].into_iter().enumerate() {
        rough = rough.body(Body::block(0.02, 0.9).mass(1.0).moment(0.1).at(0.0, y).named(format!("bar{k}")));
    }
    let at = |k: usize, y: f64| Attachment::body(k as u32, [0.0, y]);
    let pins = [
        [Attachment::ground([0.0, 0.0]), at(0, -0.5)],
        [at(0, 0.5), at(1, -0.5)],
        [at(1, 0.5), at(2, -0.5)],
        [at(2, 0.5), Attachment::ground([0.0, 3.0])],
    ];
    let mut world = pins.into_iter().fold(rough.body(ball), pinned).build().unwrap();
    let (time, bodies) = told(&mut world, 1.0);
    assert!((time - 0.89 / 2.0).abs() < 1e-3 && bodies == ["bar0", "bar1", "bar2"], "{time} {bodies:?}");
}

/// A parallelogram that lies in one line moves off, on one of its two branches; so does a ball on two rods that lie upon each other.
#[test]
fn what_lies_in_one_line_and_can_move_does() {
    let [a, b] = [0, 2].map(|k| Attachment::body(k as u32, [-0.5, 0.0]));
    let mut builder = World::builder().gravity(G);
    for (k, x) in [0.5, 1.5, 1.5].into_iter().enumerate() {
        builder = builder.body(bar(1.0).at(x, 0.0).named(format!("bar{k}")));
    }
    builder = pinned(builder, [Attachment::ground([0.0, 0.0]), a]);
    builder = pinned(builder, [Attachment::body(0, [0.5, 0.0]), Attachment::body(1, [-0.5, 0.0])]);
    builder = pinned(builder, [Attachment::ground([1.0, 0.0]), b]);
    builder = pinned(builder, [Attachment::body(2, [0.5, 0.0]), Attachment::body(1, [0.5, 0.0])]);
    let mut world = builder.build().unwrap();
    world.advance(0.2).unwrap();
    let fallen = -world.body(1).unwrap().position().y;
    assert!(fallen > 0.1, "{fallen}");
    let mut world = on_rods([1.0, 0.0], &[[0.0, 0.0], [0.0, 0.0]]).gravity(G).build().unwrap();
    world.advance(0.2).unwrap();
    assert!(world.body(0).unwrap().position().y < -0.1);
}
