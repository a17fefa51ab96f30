//! Signed distances against sampling, moved, swapped, and of cases known by hand.

use super::shapes::{lens, moved, point_on, random_pose, shapes, signed_distance};
use engine2d_geometry::{
    PathDistance, PathFeature, PathShape, PathWorkspace, PlacedPath, Pose, path_distance, sizes,
};
use engine2d_math::Vec2;
use engine2d_math::random::Lcg32;
use std::f64::consts::FRAC_PI_4;

/// Samples of an edge.
const SAMPLES: usize = 48;

fn distance(a: &PlacedPath<'_>, b: &PlacedPath<'_>) -> PathDistance {
    path_distance(a, b, f64::INFINITY, &mut PathWorkspace::default()).unwrap()
}

/// The least signed distance of a point of the outline of `a` from the solid `b`: the best samples of each edge,
/// refined by golden section.
fn sampled(a: &PlacedPath<'_>, b: &PlacedPath<'_>) -> f64 {
    let mut least = f64::INFINITY;
    for edge in 0..a.shape.edges().len() {
        let at = |t: f64| signed_distance(b, a.to_world(point_on(a.shape, edge, t)));
        let values: Vec<f64> = (0..=SAMPLES).map(|k| at(k as f64 / SAMPLES as f64)).collect();
        for k in 0..=SAMPLES {
            let is_low =
                (k == 0 || values[k] <= values[k - 1]) && (k == SAMPLES || values[k] <= values[k + 1]);
            least = least.min(values[k]);
            if is_low && values[k] < least + 0.2 {
                let low = k.saturating_sub(1) as f64 / SAMPLES as f64;
                let high = (k + 1).min(SAMPLES) as f64 / SAMPLES as f64;
                least = least.min(golden(at, low, high));
            }
        }
    }
    least
}

fn golden(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const SHARE: f64 = 0.618_033_988_749_894_9;
    for _ in 0..60 {
        let width = SHARE * (high - low);
        let (p, q) = (high - width, low + width);
        if f(p) <= f(q) { high = q } else { low = p }
    }
    f((low + high) / 2.0)
}

#[test]
fn the_distance_is_the_least_signed_distance_of_all_points_of_both_outlines() {
    let mut generator = Lcg32::new(11);
    let shapes = shapes();
    let (mut apart, mut deep) = (0, 0);
    for round in 0..6 {
        for first in &shapes {
            for second in &shapes {
                let a = PlacedPath::new(first, random_pose(&mut generator, 1.0 + f64::from(round % 3)));
                let b = PlacedPath::new(second, random_pose(&mut generator, 1.0));
                let found = distance(&a, &b);
                let expected = sampled(&a, &b).min(sampled(&b, &a));
                // Sampling may miss the least value, never be below it.
                assert!(found.gap <= expected + 1e-9, "{found:?} {expected} {a:?} {b:?}");
                assert!(found.gap >= expected - 1e-6, "{found:?} {expected} {a:?} {b:?}");
                if found.gap < 0.0 {
                    deep += 1
                } else {
                    apart += 1
                }
                // The points are on the outlines, as far apart as it says.
                assert!(signed_distance(&a, found.point_a).abs() < 1e-12);
                assert!(signed_distance(&b, found.point_b).abs() < 1e-12);
                let along = found.normal.dot(&(found.point_a - found.point_b));
                assert!((along - found.gap).abs() < 1e-12 && (found.normal.norm() - 1.0).abs() < 1e-12);
                // One of the points is as far as that from the other solid: it is a value that is taken.
                let taken = [signed_distance(&b, found.point_a), signed_distance(&a, found.point_b)];
                assert!(taken.iter().any(|v| (v - found.gap).abs() < 1e-12), "{found:?} {taken:?}");
            }
        }
    }
    assert!(apart > 100 && deep > 300, "{apart} {deep}");
}

#[test]
fn a_common_motion_and_the_order_change_nothing() {
    let mut generator = Lcg32::new(12);
    for first in &shapes() {
        for second in &shapes() {
            let a = PlacedPath::new(first, random_pose(&mut generator, 2.0));
            let b = PlacedPath::new(second, random_pose(&mut generator, 1.0));
            let found = distance(&a, &b);
            let swapped = distance(&b, &a);
            assert_eq!(found.gap, swapped.gap);
            let by = random_pose(&mut generator, 3.0);
            let there = distance(&moved(&a, &by), &moved(&b, &by));
            assert!((there.gap - found.gap).abs() < 1e-12, "{found:?} {there:?}");
        }
    }
}

#[test]
fn pairs_beyond_the_reach_are_none_and_within_it_the_same() {
    let mut generator = Lcg32::new(13);
    let mut workspace = PathWorkspace::default();
    let (mut far, mut near) = (0, 0);
    for first in &shapes() {
        for second in &shapes() {
            let a = PlacedPath::new(first, random_pose(&mut generator, 5.0));
            let b = PlacedPath::new(second, random_pose(&mut generator, 1.0));
            let all = distance(&a, &b);
            for reach in [0.0, 0.01, 0.5] {
                match path_distance(&a, &b, reach, &mut workspace) {
                    None => {
                        far += 1;
                        assert!(all.gap > reach);
                    }
                    Some(found) => {
                        near += 1;
                        assert_eq!(found.gap, all.gap);
                    }
                }
            }
        }
    }
    assert!(far > 50 && near > 50, "{far} {near}");
}

#[test]
fn overlaps_known_by_hand() {
    let block = |w: f64, h: f64| PathShape::block(w, h).unwrap();
    let ball = |r: f64| PathShape::ball(r).unwrap();
    let at = Pose::new;
    let cases = [
        // A corner; a face on a face of equal and of other width; a bar through another; one within the other.
        (block(1.0, 1.0), at(0.0, FRAC_PI_4.sin(), FRAC_PI_4), block(4.0, 1.0), at(0.0, -0.4, 0.0), -0.1),
        (block(1.0, 1.0), at(0.0, 0.999, 0.0), block(1.0, 1.0), at(0.0, 0.0, 0.0), -0.001),
        (block(1.0, 1.0), at(0.2, 0.999, 0.0), block(3.0, 1.0), at(0.0, 0.0, 0.0), -0.001),
        (block(4.0, 0.2), at(0.0, 0.0, 0.0), block(0.3, 4.0), at(0.0, 0.0, 0.0), -0.15),
        (block(0.2, 0.4), at(0.5, 0.0, 0.0), block(4.0, 1.0), at(0.0, 0.0, 0.0), -0.5),
        (ball(0.5), at(0.0, 0.9, 0.0), block(4.0, 1.0), at(0.0, 0.0, 0.0), -0.1),
        (ball(0.5), at(0.0, 0.0, 0.0), ball(0.7), at(0.0, 1.0, 0.0), -0.2),
        (ball(0.5), at(0.0, 0.0, 0.0), ball(0.7), at(0.1, 0.0, 0.0), -0.3),
        (ball(0.5), at(0.0, 0.0, 0.0), ball(0.7), at(0.0, 0.0, 0.0), -0.2),
        // Apart: corners, an arc in a frame, lens tips.
        (block(1.0, 1.0), at(1.3, 1.4, 0.0), block(1.0, 1.0), at(0.0, 0.0, 0.0), 0.5),
        (
            ball(0.5),
            at(0.0, 0.3, 0.0),
            PathShape::frame(sizes::Frame { width: 3.0, height: 2.0, thickness: 0.2 }).unwrap(),
            at(0.0, 0.0, 0.0),
            0.1,
        ),
        (lens(1.0, 0.6), at(-0.85, 0.0, 0.0), lens(1.0, 0.6), at(0.85, 0.0, 0.0), 0.1),
    ];
    for (first, pose_a, second, pose_b, expected) in cases {
        let found = distance(&PlacedPath::new(&first, pose_a), &PlacedPath::new(&second, pose_b));
        assert!((found.gap - expected).abs() < 1e-12, "{found:?} {expected}");
    }
}

#[test]
fn faces_that_touch_have_the_normal_of_the_faces() {
    let block = PathShape::block(1.0, 1.0).unwrap();
    let b = PlacedPath::new(&block, Pose::IDENTITY);
    for gap in [1e-3, 1e-9, 1e-15, 0.0, -1e-15, -1e-9, -1e-3] {
        for x in [0.0, 0.3, -0.3, 1e-13] {
            let found = distance(&PlacedPath::new(&block, Pose::new(x, 1.0 + gap, 0.0)), &b);
            assert!(
                (found.gap - gap).abs() < 3e-16 && found.normal == Vec2::new(0.0, 1.0),
                "{gap} {x} {found:?}"
            );
        }
    }
    // Corners that touch in a point have the middle of their common normals.
    let found = distance(&PlacedPath::new(&block, Pose::new(1.0, 1.0, 0.0)), &b);
    assert!(found.gap == 0.0 && (found.normal - Vec2::new(0.5, 0.5).normalize()).norm() < 1e-15, "{found:?}");
    assert!(matches!(found.features.a, PathFeature::Vertex(_)));
}

#[test]
fn equal_bodies_at_one_place_overlap() {
    for shape in shapes() {
        let a = PlacedPath::new(&shape, Pose::new(0.3, -0.2, 0.7));
        let found = distance(&a, &a);
        assert!(found.gap < -0.05, "{shape:?} {found:?}");
        assert!((found.normal.norm() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn nothing_is_allocated_once_the_workspace_has_grown() {
    let mut generator = Lcg32::new(14);
    let shapes = shapes();
    let mut workspace = PathWorkspace::default();
    let poses: Vec<(Pose, Pose)> =
        (0..20).map(|_| (random_pose(&mut generator, 1.5), random_pose(&mut generator, 1.0))).collect();
    let mut run = || {
        for first in &shapes {
            for second in &shapes {
                for (p, q) in &poses {
                    let (a, b) = (PlacedPath::new(first, *p), PlacedPath::new(second, *q));
                    assert!(path_distance(&a, &b, f64::INFINITY, &mut workspace).is_some());
                }
            }
        }
    };
    run();
    assert_eq!(allocation_counter::measure(run).count_total, 0);
}
