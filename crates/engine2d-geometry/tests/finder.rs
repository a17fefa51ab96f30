//! The detection pass of many bodies finds the records that judging all pairs finds, to the bit.

#![expect(clippy::unwrap_used, reason = "the shapes of these tests are right by construction")]

use engine2d_geometry::{
    CollisionBody, Contact, FinderWorkspace, Judging, Pass, PathShape, Pose, Rules, Side, find_contacts,
    sizes, test_pair,
};
use engine2d_math::Vec2;
use engine2d_math::random::Lcg32;
use std::sync::Arc;

const TOLERANCE: f64 = 0.01;
const STEP: f64 = 0.025;

const PASS: Pass = Pass {
    time: 0.0,
    step: STEP,
    tolerance: TOLERANCE,
    rules: Rules { judging: Judging::Outlines, ..Rules::REFERENCE },
};

/// The published pair test, written down a second time.
fn examined(bodies: &[CollisionBody], i: usize, j: usize) -> bool {
    let (a, b) = (&bodies[i], &bodies[j]);
    let l1 = |b: &CollisionBody| b.velocity.x.abs() + b.velocity.y.abs();
    if l1(a) + l1(b) > 2.0 * (a.min_height + b.min_height) / STEP {
        return true;
    }
    let apart = b.world_centroid() - a.world_centroid();
    let reach = a.shape.centroid_radius() + b.shape.centroid_radius() + TOLERANCE;
    let surface = |b: &CollisionBody| {
        b.shape.special_edge().map(|s| {
            let edge = &b.shape.edges()[s.edge as usize];
            b.pose.rotate(edge.normal(Vec2::zeros()).unwrap())
        })
    };
    match (surface(a), surface(b)) {
        (Some(n), _) => apart.dot(&n) < reach,
        (None, Some(n)) => -apart.dot(&n) < reach,
        (None, None) => apart.norm_squared() < reach * reach,
    }
}

fn all_pairs(bodies: &[CollisionBody], time: f64) -> Vec<Contact> {
    let mut records = Vec::new();
    for i in 0..bodies.len() {
        for j in i + 1..bodies.len() {
            if !(bodies[i].fixed && bodies[j].fixed) && examined(bodies, i, j) {
                test_pair(bodies, i as u32, j as u32, time, &mut records);
            }
        }
    }
    records
}

/// A box of walls with `n` small bodies in it, some of them fast.
fn scene(n: usize, generator: &mut Lcg32) -> Vec<CollisionBody> {
    let mut bodies = Vec::new();
    for (x, y, side) in [(0.0, -5.5, Side::Top), (6.5, 0.0, Side::Left)] {
        let (w, h) = if side == Side::Top { (14.0, 1.0) } else { (1.0, 12.0) };
        let mut wall = CollisionBody::new(Arc::new(PathShape::wall(w, h, side).unwrap()));
        wall.pose = Pose::new(x, y, 0.0);
        wall.fixed = true;
        bodies.push(wall);
    }
    let shapes = [
        PathShape::block(0.5, 0.8).unwrap(),
        PathShape::ball(0.3).unwrap(),
        PathShape::round_corner_block(sizes::RoundCornerBlock { width: 0.6, height: 0.6, radius: 0.1 })
            .unwrap(),
    ]
    .map(Arc::new);
    for k in 0..n {
        let mut next = || generator.next_unit() - 0.5;
        let mut body = CollisionBody::new(shapes[k % 3].clone());
        body.pose = Pose::new(12.0 * next(), 10.0 * next(), 3.0 * next());
        let fast = if k % 7 == 0 { 200.0 } else { 4.0 };
        body.velocity = Vec2::new(next(), next()) * fast;
        body.angular_velocity = next();
        bodies.push(body);
    }
    bodies
}

#[test]
fn the_tree_changes_no_record() {
    let mut generator = Lcg32::new(11);
    let mut bodies = scene(60, &mut generator);
    let mut workspace = FinderWorkspace::default();
    let mut total = 0;
    for k in 0..60 {
        for body in &mut bodies {
            body.save_old_pose();
            if !body.fixed {
                let moved = body.pose.position() + body.velocity * STEP;
                body.pose = Pose::new(moved.x, moved.y, body.pose.angle() + body.angular_velocity * STEP);
                // They stay in the box.
                if moved.x.abs() > 6.0 || moved.y.abs() > 5.0 {
                    body.velocity = -body.velocity;
                }
            }
        }
        let time = f64::from(k) * STEP;
        let mut found: Vec<Contact> = Vec::new();
        let pass = Pass { time, ..PASS };
        find_contacts(&bodies, &pass, &mut workspace, &mut found);
        let expected = all_pairs(&bodies, time);
        assert_eq!(format!("{found:?}"), format!("{expected:?}"));
        total += found.len();
    }
    assert!(total > 500, "{total}");
}

#[test]
fn a_pass_allocates_nothing_after_the_first() {
    let mut generator = Lcg32::new(5);
    let bodies = scene(100, &mut generator);
    let mut workspace = FinderWorkspace::default();
    let mut records: Vec<Contact> = Vec::new();
    for _ in 0..2 {
        records.clear();
        find_contacts(&bodies, &PASS, &mut workspace, &mut records);
    }
    let counted = allocation_counter::measure(|| {
        records.clear();
        find_contacts(&bodies, &PASS, &mut workspace, &mut records);
    });
    assert_eq!(counted.count_total, 0);
}
