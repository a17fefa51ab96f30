//! Detection that judges by outlines: nothing tunnels at arcs, nothing apart penetrates, corners between arcs meet, and
//! a pair has one tolerance.

#![expect(clippy::unwrap_used, reason = "the shapes of these tests are right by construction")]

use super::path_pair::shapes::{lens, random_pose, shapes};
use engine2d_geometry::{
    CollisionBody, Contact, Features, FinderWorkspace, Pass, PathShape, PathWorkspace, Pose, Rules,
    find_contacts, path_distance, sizes, test_pair, test_pair_with,
};
use engine2d_math::random::Lcg32;
use engine2d_math::{Vec2, trig};
use std::sync::Arc;

fn body(shape: &Arc<PathShape>, pose: Pose) -> CollisionBody {
    let mut body = CollisionBody::new(shape.clone());
    body.pose = pose;
    body
}

fn records(bodies: &[CollisionBody]) -> Vec<Contact> {
    let mut found = Vec::new();
    test_pair(bodies, 0, 1, 0.0, &mut found);
    found
}

fn gap(bodies: &[CollisionBody]) -> f64 {
    let mut workspace = PathWorkspace::default();
    path_distance(&bodies[0].placed(), &bodies[1].placed(), f64::INFINITY, &mut workspace).unwrap().gap
}

#[test]
fn a_corner_that_passes_a_rounded_corner_is_as_deep_as_it_is() {
    let needle = [Vec2::new(-0.5, -0.01), Vec2::new(0.5, 0.0), Vec2::new(-0.5, 0.01)];
    let needle = Arc::new(PathShape::polygon(&needle).unwrap());
    let (sin, cos) = trig::sin_cos(-0.75 * std::f64::consts::PI);
    let way = Vec2::new(cos, sin);
    for radius in [0.02, 0.05, 0.2] {
        let block = Arc::new(
            PathShape::round_corner_block(sizes::RoundCornerBlock { width: 1.0, height: 1.0, radius })
                .unwrap(),
        );
        let tip = Vec2::new(0.5 - radius, 0.5 - radius) - way * radius;
        for depth in [0.001, 0.03, 0.14, 0.45] {
            // From 1 cm before the arc to the depth.
            let place = |d: f64| {
                let at = tip + way * (d - 2.0 / 3.0);
                Pose::new(at.x, at.y, -0.75 * std::f64::consts::PI)
            };
            let mut bodies = [body(&needle, place(-0.01)), body(&block, Pose::IDENTITY)];
            bodies.iter_mut().for_each(CollisionBody::save_old_pose);
            bodies[0].pose = place(depth);
            let deep = gap(&bodies);
            let found = records(&bodies);
            let least = found.iter().map(|c| c.distance).fold(f64::INFINITY, f64::min);
            assert!(deep < -0.5 * depth && least <= 0.9 * deep, "{radius} {depth}: {deep} {found:?}");
        }
    }
}

#[test]
fn what_flew_through_a_small_ball_has_collided_and_what_brushed_it_has_not() {
    let (block, ball) =
        (Arc::new(PathShape::block(0.2, 0.2).unwrap()), Arc::new(PathShape::ball(0.1).unwrap()));
    let at = |x: f64, y: f64| Pose::new(x, y, 0.3);
    for (y, collides) in [(0.0, true), (0.1, true), (0.35, false)] {
        let mut bodies = [body(&block, at(-1.0, y)), body(&ball, Pose::IDENTITY)];
        bodies.iter_mut().for_each(CollisionBody::save_old_pose);
        bodies[0].pose = at(1.0, y);
        assert!(gap(&bodies) > 0.5);
        let found = records(&bodies);
        assert_eq!(found.iter().any(Contact::is_illegal), collides, "{y} {found:?}");
    }
}

/// Whether some record of fast random motions tells of an overlap.
#[test]
fn every_overlap_that_began_in_a_step_is_found() {
    let mut generator = Lcg32::new(31);
    let shapes: Vec<Arc<PathShape>> =
        shapes().into_iter().filter(|s| !s.is_unbounded()).map(Arc::new).collect();
    let (mut seen, mut missed) = (0, 0);
    for round in 0..120 {
        for first in &shapes {
            for second in &shapes {
                let a = body(first, random_pose(&mut generator, 3.0));
                let b = body(second, random_pose(&mut generator, 1.0));
                let mut bodies = [a, b];
                if !(0.02..0.5).contains(&gap(&bodies)) {
                    continue;
                }
                bodies.iter_mut().for_each(CollisionBody::save_old_pose);
                let mut next = || 2.0 * generator.next_unit() - 1.0;
                let size = if round % 2 == 0 { 1.0 } else { 0.2 };
                let p = bodies[0].pose;
                let q = p.position() + Vec2::new(next(), next()) * size;
                bodies[0].pose = Pose::new(q.x, q.y, p.angle() + 0.3 * size * next());
                if gap(&bodies) > -0.02 {
                    continue;
                }
                seen += 1;
                missed += usize::from(!records(&bodies).iter().any(Contact::is_illegal));
            }
        }
    }
    assert!(seen > 300 && missed == 0, "{missed} of {seen}");
}

#[test]
fn arcs_whose_circles_overlap_beyond_the_arcs_do_not_penetrate() {
    // Offsets of the lenses' centres, direction and distance of the second, angles of both, gap.
    let cases = [
        ([1.623, 0.723], [0.1884, 0.882], [0.20724, 6.1858], 0.02178),
        ([1.323, 1.341], [4.13852, 0.934], [4.16364, 1.04876], 0.01103),
        ([0.654, 1.1535], [4.48392, 0.873], [1.57, 4.51532], 0.01191),
        ([0.6705, 1.725], [5.7148, 0.916], [2.84484, 2.49316], 0.01457),
    ];
    for (offsets, [turn, far], angles, apart) in cases {
        let of = |h: f64| Arc::new(lens((0.25 + h * h).sqrt(), h));
        let (sin, cos) = trig::sin_cos(turn);
        let bodies = [
            body(&of(offsets[0]), Pose::new(0.0, 0.0, angles[0])),
            body(&of(offsets[1]), Pose::new(far * cos, far * sin, angles[1])),
        ];
        assert!((gap(&bodies) - apart).abs() < 1e-5);
        let found = records(&bodies);
        assert!(found.iter().all(|c| c.distance > 0.0), "{found:?}");
    }
}

#[test]
fn arcs_apart_do_not_penetrate() {
    let mut generator = Lcg32::new(7);
    let mut seen = 0;
    for _ in 0..20_000 {
        let mut next = || generator.next_unit();
        let (h1, h2) = (0.3 + 1.5 * next(), 0.3 + 1.5 * next());
        let of = |h: f64| Arc::new(lens((0.25 + h * h).sqrt(), h));
        let (turn, far) = (6.2 * next(), 0.2 + next());
        let (sin, cos) = trig::sin_cos(turn);
        let mut bodies = [
            body(&of(h1), Pose::new(0.0, 0.0, 6.2 * next())),
            body(&of(h2), Pose::new(far * cos, far * sin, 6.2 * next())),
        ];
        for moving in [false, true] {
            if moving {
                bodies.iter_mut().for_each(CollisionBody::save_old_pose);
                let by = Vec2::new(0.2 * (next() - 0.5), 0.2 * (next() - 0.5));
                // Apart all the way.
                let touches = (0..20).any(|_| {
                    bodies[0].translate(by / 20.0);
                    gap(&bodies) < 2e-3
                });
                if touches {
                    break;
                }
            } else if gap(&bodies) < 2e-3 {
                break;
            }
            seen += 1;
            let found = records(&bodies);
            assert!(found.iter().all(|c| c.distance > -1e-3), "{moving} {found:?} {bodies:?}");
        }
    }
    assert!(seen > 10_000, "{seen}");
}

#[test]
fn lens_tips_meet_with_the_normal_between_them() {
    let lens = Arc::new(lens(1.0, 0.6));
    for gap in [1e-3, 3e-3, 5.5e-3] {
        let bodies = [
            body(&lens, Pose::new(-0.8 - gap / 2.0, 0.0, 0.0)),
            body(&lens, Pose::new(0.8 + gap / 2.0, 0.0, 0.0)),
        ];
        let found = records(&bodies);
        assert!(found.len() == 1 && (found[0].distance - gap).abs() < 1e-12, "{gap} {found:?}");
        assert!(matches!(found[0].id.features, Features::VertexVertex { .. }));
        assert!(found[0].normal.x.abs() > 1.0 - 1e-12);
    }
}

#[test]
fn a_pair_is_found_by_the_tolerance_it_is_judged_by() {
    let (ball, floor) =
        (Arc::new(PathShape::ball(0.5).unwrap()), Arc::new(PathShape::block(8.0, 1.0).unwrap()));
    let (small, round) =
        (Arc::new(PathShape::block(0.4, 0.4).unwrap()), Arc::new(PathShape::round_block(1.0, 3.0).unwrap()));
    let cases =
        [(&ball, &floor, 1.015), (&small, &floor, 0.715), (&round, &floor, 2.015), (&ball, &ball, 1.015)];
    for (upper, lower, height) in cases {
        for (first, second) in [(0.03, 1e-4), (1e-4, 0.03)] {
            for swapped in [false, true] {
                let mut bodies = [body(upper, Pose::new(0.0, height, 0.0)), body(lower, Pose::IDENTITY)];
                bodies[0].tolerances.distance = first;
                bodies[1].tolerances.distance = second;
                if swapped {
                    bodies.swap(0, 1);
                }
                let found = records(&bodies);
                assert!(!found.is_empty() && found.iter().all(Contact::is_contact), "{first} {swapped}");
                let pass = Pass { time: 0.0, step: 0.025, tolerance: 1e-4, rules: Rules::default() };
                let mut all: Vec<Contact> = Vec::new();
                find_contacts(&bodies, &pass, &mut FinderWorkspace::default(), &mut all);
                assert_eq!(all.len(), found.len());
            }
        }
    }
}

#[test]
fn the_reference_rules_judge_by_whole_curves() {
    // Through the circle of a small arc the gap is positive again, as recorded answers have it.
    let block = Arc::new(
        PathShape::round_corner_block(sizes::RoundCornerBlock { width: 1.0, height: 1.0, radius: 0.02 })
            .unwrap(),
    );
    let needle = [Vec2::new(-0.5, -0.01), Vec2::new(0.5, 0.0), Vec2::new(-0.5, 0.01)];
    let needle = Arc::new(PathShape::polygon(&needle).unwrap());
    let angle = -0.75 * std::f64::consts::PI;
    let (sin, cos) = trig::sin_cos(angle);
    let way = Vec2::new(cos, sin);
    let place = |d: f64| {
        let at = Vec2::new(0.48, 0.48) + way * (d - 0.02 - 2.0 / 3.0);
        Pose::new(at.x, at.y, angle)
    };
    let mut bodies = [body(&needle, place(-0.01)), body(&block, Pose::IDENTITY)];
    bodies.iter_mut().for_each(CollisionBody::save_old_pose);
    bodies[0].pose = place(0.14);
    let tip_gap = |rules: Rules| {
        let mut found: Vec<Contact> = Vec::new();
        test_pair_with(&bodies, [0, 1], 0.0, &rules, &mut found);
        let tip = |c: &&Contact| matches!(c.id.features, Features::VertexEdge { vertex: 1, .. });
        found.iter().filter(tip).map(|c| c.distance).fold(f64::INFINITY, f64::min)
    };
    assert!((tip_gap(Rules::REFERENCE) - 0.1).abs() < 1e-12);
    assert!(tip_gap(Rules::default()) < -0.1);
}

#[test]
fn drawn_arcs_leave_their_chords_by_the_tolerance_whatever_it_is() {
    let ball = PathShape::ball(2.0).unwrap();
    for tolerance in [0.1, 1e-3, 1e-6, 1e-9] {
        let outline = &ball.outlines(tolerance)[0];
        let worst = (0..outline.len())
            .map(|k| 2.0 - ((outline[k] + outline[(k + 1) % outline.len()]) * 0.5).norm())
            .fold(0.0, f64::max);
        assert!(worst <= tolerance * (1.0 + 1e-6) && worst > 0.2 * tolerance, "{tolerance} {worst}");
    }
}
