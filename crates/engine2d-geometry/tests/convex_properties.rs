//! Laws of the signed distance, over random pairs of all convex shapes.

#![expect(clippy::unwrap_used, reason = "the shapes of these tests are right by construction")]

use engine2d_geometry::{Pose, Ray, Shape, convex_hull, distance, sizes};
use engine2d_math::{Vec2, cross};
use proptest::prelude::*;

fn shape() -> impl Strategy<Value = Shape> {
    let plain = prop_oneof![
        (0.05..2.0).prop_map(|r| Shape::circle(r).unwrap()),
        (0.05..2.0, 0.05..1.0).prop_map(|(l, r)| Shape::capsule(sizes::Capsule {
            half_length: l,
            radius: r
        })
        .unwrap()),
        (0.05..2.0, 0.05..2.0).prop_map(|(w, h)| Shape::rectangle(w, h).unwrap()),
        (0.2..2.0, 0.2..2.0).prop_map(|(a, b)| Shape::ellipse(a, b).unwrap()),
        points().prop_map(|p| Shape::polygon(p).unwrap()),
    ];
    (plain, prop::option::of(0.01..0.5))
        .prop_map(|(s, r)| r.map_or_else(|| s.clone(), |r| s.clone().rounded(r).unwrap()))
}

/// Points of which at least three are well apart from a line.
fn points() -> impl Strategy<Value = Vec<Vec2>> {
    prop::collection::vec((-1.5..1.5, -1.5..1.5), 0..9).prop_map(|extra| {
        let corners = [(-0.3, -0.2), (0.4, -0.1), (0.0, 0.5)];
        corners.into_iter().chain(extra).map(|(x, y)| Vec2::new(x, y)).collect()
    })
}

fn pose() -> impl Strategy<Value = Pose> {
    (-2.5..2.5, -2.5..2.5, -3.0..3.0).prop_map(|(x, y, t)| Pose::new(x, y, t))
}

/// Corners of a polygon of many sides, some of them parallel to those of others.
fn many_corners() -> impl Strategy<Value = Vec<Vec2>> {
    (3_u32..48, 0.1..2.0, any::<bool>()).prop_map(|(n, b, even)| {
        let corner = |k: u32| {
            let t = f64::from(k) + if even { 0.0 } else { 0.4 * f64::from(k % 3) };
            let angle = t * std::f64::consts::TAU / f64::from(n);
            Vec2::new(angle.cos(), b * angle.sin())
        };
        (0..n).map(corner).collect()
    })
}

/// Signed distance by brute force: of the origin from the hull of all differences of corners.
fn minkowski_distance(a: &[Vec2], b: &[Vec2]) -> f64 {
    let differences: Vec<Vec2> = a.iter().flat_map(|p| b.iter().map(move |q| p - q)).collect();
    let hull = convex_hull(&differences).unwrap();
    let (mut depth, mut distance) = (f64::INFINITY, f64::INFINITY);
    for i in 0..hull.len() {
        let (p, q) = (hull[i], hull[(i + 1) % hull.len()]);
        let along = q - p;
        depth = depth.min(cross(along, -p) / along.norm());
        let t = (-p.dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        distance = distance.min((p + along * t).norm());
    }
    if depth > 0.0 { -depth } else { distance }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn exchanging_the_shapes_reverses_the_normal(a in shape(), b in shape(), pa in pose(), pb in pose()) {
        let (one, two) = (distance(&a, &pa, &b, &pb).unwrap(), distance(&b, &pb, &a, &pa).unwrap());
        prop_assert!((one.distance - two.distance).abs() < 1e-12);
        prop_assert!((one.point_a - one.point_b - one.normal * one.distance).norm() < 1e-12);
    }

    #[test]
    fn a_common_motion_changes_nothing(a in shape(), b in shape(), pa in pose(), pb in pose(), m in pose()) {
        let moved = |p: &Pose| {
            let q = m.transform(p.position());
            Pose::new(q.x, q.y, p.angle() + m.angle())
        };
        let before = distance(&a, &pa, &b, &pb).unwrap();
        let after = distance(&a, &moved(&pa), &b, &moved(&pb)).unwrap();
        prop_assert!((before.distance - after.distance).abs() < 1e-12);
    }

    #[test]
    fn the_distance_changes_by_no_more_than_any_point_moves(
        a in shape(), b in shape(), pa in pose(), pb in pose(),
        dx in -0.5..0.5, dy in -0.5..0.5, turn in -0.5..0.5,
    ) {
        let p = pa.position();
        let moved = Pose::new(p.x + dx, p.y + dy, pa.angle() + turn);
        // A turn by t moves a point at distance r by 2 r sin(t/2).
        let displacement = f64::hypot(dx, dy) + 2.0 * a.reach() * f64::sin(f64::abs(turn) / 2.0);
        let change = distance(&a, &pa, &b, &pb).unwrap().distance
            - distance(&a, &moved, &b, &pb).unwrap().distance;
        prop_assert!(change.abs() <= displacement + 1e-12);
    }

    #[test]
    fn the_distance_of_polygons_is_that_of_their_minkowski_difference(
        a in prop_oneof![points(), many_corners()], b in prop_oneof![points(), many_corners()],
        pa in pose(), pb in pose(), same_turn in any::<bool>(),
    ) {
        // Parallel edges face each other exactly only at the same angle.
        let pb = if same_turn { Pose::new(pb.position().x, pb.position().y, pa.angle()) } else { pb };
        let found = distance(&Shape::polygon(&a).unwrap(), &pa, &Shape::polygon(&b).unwrap(), &pb).unwrap();
        let place = |points: &[Vec2], pose: &Pose| -> Vec<Vec2> {
            points.iter().map(|p| pose.transform(*p)).collect()
        };
        let expected = minkowski_distance(&place(&a, &pa), &place(&b, &pb));
        prop_assert!((found.distance - expected).abs() < 1e-12, "{} {expected}", found.distance);
    }

    #[test]
    fn the_distance_of_a_point_is_that_of_a_small_disc(a in shape(), pa in pose(), x in -4.0..4.0, y in -4.0..4.0) {
        let point = Vec2::new(x, y);
        let near = a.distance_to_point(&pa, point).unwrap();
        let disc = Shape::circle(1e-3).unwrap();
        let gap = distance(&disc, &Pose::new(x, y, 0.0), &a, &pa).unwrap();
        prop_assert!((near.distance - 1e-3 - gap.distance).abs() < 1e-11, "{} {}", near.distance, gap.distance);
    }

    #[test]
    fn a_ray_ends_on_the_boundary_and_passes_nothing(a in shape(), pa in pose(), t in 0.0..std::f64::consts::TAU) {
        let direction = Vec2::new(f64::cos(t), f64::sin(t));
        let ray = Ray { origin: -direction * 9.0 + Vec2::new(0.3, 0.2), direction, reach: 20.0 };
        let hit = a.cast_ray(&pa, &ray).unwrap();
        let end = hit.map_or(20.0, |h| h.distance);
        for k in 0..200 {
            let point = ray.origin + direction * (end * f64::from(k) / 200.0);
            prop_assert!(a.distance_to_point(&pa, point).unwrap().distance > -1e-9);
        }
        if let Some(hit) = hit {
            prop_assert!(a.distance_to_point(&pa, hit.point).unwrap().distance.abs() < 1e-12);
        }
    }
}

/// The separation of two shapes along a unit vector: negative where they overlap.
fn separation(a: &Shape, pa: &Pose, b: &Shape, pb: &Pose, m: Vec2) -> f64 {
    let highest = |s: &Shape, p: &Pose, m: Vec2| m.dot(&p.transform(s.support(p.rotate_inverse(m))));
    -highest(a, pa, -m) - highest(b, pb, m)
}

/// Numbers in [0, 1).
fn numbers(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The distance of all pairs is that along the normal, whatever coincides.
fn check_normal(a: &Shape, pa: &Pose, b: &Shape, pb: &Pose) {
    let found = distance(a, pa, b, pb).unwrap();
    let along = separation(a, pa, b, pb, found.normal);
    assert!(along >= found.distance - 1e-12, "{found:?} {along} {a:?} {pa:?} {b:?} {pb:?}");
}

#[test]
fn collinear_capsules_part_across_their_axis() {
    let mut next = numbers(12_345);
    for (long, short) in [(1.0, 0.3), (1e2, 0.3), (1e3, 0.3), (3.7, 0.1), (7.0, 0.9)] {
        let (a, b) = (
            Shape::capsule(sizes::Capsule { half_length: long, radius: 1.0 }).unwrap(),
            Shape::capsule(sizes::Capsule { half_length: short, radius: 1.0 }).unwrap(),
        );
        let found = distance(&a, &Pose::IDENTITY, &b, &Pose::IDENTITY).unwrap();
        assert!((found.distance + 2.0).abs() < 1e-12 && found.normal.y.abs() == 1.0, "{found:?}");
    }
    for round in 0..20_000 {
        let (long, short, angle) = (0.1 + 3.0 * next(), 0.1 + 3.0 * next(), 6.2 * next());
        // Overlapping, end to end, or apart along the common axis; in line or by a little beside it.
        let share = if round % 5 == 0 { 1.0 } else { 1.1 * (2.0 * next() - 1.0) };
        let beside = [0.0, 0.0, 1e-9, 1e-15][round % 4];
        let (sin, cos) = engine2d_math::trig::sin_cos(angle);
        let off = (long + short) * share;
        let (a, b) = (
            Shape::capsule(sizes::Capsule { half_length: long, radius: 0.2 }).unwrap(),
            Shape::capsule(sizes::Capsule { half_length: short, radius: 0.2 }).unwrap(),
        );
        let pa = Pose::new(off * cos - beside * sin, off * sin + beside * cos, angle);
        check_normal(&a, &pa, &b, &Pose::new(0.0, 0.0, angle));
    }
}

#[test]
fn corners_that_touch_have_a_normal_that_separates_them() {
    let mut next = numbers(777);
    let rectangles = (Shape::rectangle(1.0, 0.5).unwrap(), Shape::rectangle(0.7, 0.4).unwrap());
    let needle = Shape::polygon([[0.0, 0.0], [2.0, -0.01], [2.0, 0.01]]).unwrap();
    let disc = Shape::circle(0.3).unwrap();
    let capsule = Shape::capsule(sizes::Capsule { half_length: 1.0, radius: 0.2 }).unwrap();
    for round in 0..20_000 {
        let angle = 6.2 * next();
        let (sin, cos) = engine2d_math::trig::sin_cos(angle);
        let turn = |x: f64, y: f64| Vec2::new(x * cos - y * sin, x * sin + y * cos);
        // Exactly on the corner up to rounding, or by a little off it.
        let off = [0.0, 0.0, 1e-15, 1e-12, 1e-9][round % 5];
        let corner = Vec2::new(0.7, 0.4) + Vec2::new(off * (next() - 0.5), off * (next() - 0.5));
        let at = |x: f64, y: f64| {
            let p = corner - turn(x, y);
            Pose::new(p.x, p.y, angle)
        };
        for (a, pa) in [
            (&rectangles.0, at(-1.0, -0.5)),
            (&needle, at(0.0, 0.0)),
            (&disc, at(0.0, 0.0)),
            (&capsule, at(1.0, 0.0)),
        ] {
            check_normal(a, &pa, &rectangles.1, &Pose::IDENTITY);
            check_normal(&rectangles.1, &Pose::IDENTITY, a, &pa);
        }
        // The ends of two cores that are segments.
        let end = Pose::new(1.0 - cos, -sin, angle);
        check_normal(&capsule, &end, &capsule, &Pose::IDENTITY);
    }
}

#[test]
fn queries_allocate_nothing() {
    let shapes = [
        Shape::circle(0.5).unwrap(),
        Shape::capsule(sizes::Capsule { half_length: 0.5, radius: 0.2 }).unwrap(),
        Shape::polygon([[0.0, 0.0], [2.0, 0.0], [0.5, 1.0]]).unwrap(),
        Shape::ellipse(0.7, 0.2).unwrap(),
        Shape::ellipse(0.3, 0.4).unwrap().rounded(0.1).unwrap(),
        Shape::half_plane(),
    ];
    let bounded = shapes.len() - 1;
    let (here, there) = (Pose::new(0.3, 1.2, 0.4), Pose::new(-0.2, -0.5, 1.0));
    let counted = allocation_counter::measure(|| {
        for a in &shapes {
            for b in &shapes[..bounded] {
                assert!(distance(a, &here, b, &there).is_ok());
            }
            assert!(a.distance_to_point(&here, Vec2::new(3.0, 4.0)).is_ok());
            let ray = Ray { origin: Vec2::new(3.0, 4.0), direction: Vec2::new(-0.6, -0.8), reach: 9.0 };
            assert!(a.cast_ray(&here, &ray).is_ok());
        }
    });
    assert_eq!(counted.count_total, 0);
}
