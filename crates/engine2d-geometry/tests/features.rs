//! The features of convex contacts persist: what a shape that slides or rolls touches with changes exactly when
//! geometry says so.

#![expect(clippy::unwrap_used, reason = "the shapes of these tests are right by construction")]

use engine2d_geometry::ShapeFeature::{Arc, Edge, Vertex};
use engine2d_geometry::{ConvexContactId, FeaturePair, Pose, Shape, ShapeFeature, distance, sizes};
use engine2d_math::Vec2;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

fn features(a: &Shape, pose_a: Pose, b: &Shape, pose_b: Pose) -> FeaturePair {
    let found = distance(a, &pose_a, b, &pose_b).unwrap().features;
    assert_eq!(distance(b, &pose_b, a, &pose_a).unwrap().features, found.swapped());
    found
}

/// The features met one after the other, each once while it lasts, in a motion of `steps` steps.
fn sequence(steps: u32, mut at: impl FnMut(f64) -> FeaturePair) -> Vec<FeaturePair> {
    let mut met: Vec<FeaturePair> = (0..=steps).map(|k| at(f64::from(k) / f64::from(steps))).collect();
    met.dedup();
    met
}

fn pair(a: ShapeFeature, b: ShapeFeature) -> FeaturePair {
    FeaturePair { a, b }
}

#[test]
fn a_sliding_box_keeps_its_face_under_jitter_and_leaves_it_corner_first() {
    let (slider, base) = (Shape::rectangle(0.5, 0.25).unwrap(), Shape::rectangle(2.0, 0.5).unwrap());
    for gap in [1e-3, 0.0, -1e-6] {
        // Along the top, tilted by a few roundings, sinking and lifting by as much.
        let mut k = 0;
        let met = sequence(997, |t| {
            k += 1;
            let jitter = 1e-12 * f64::from(k % 7 - 3);
            let pose = Pose::new(-2.0 + 4.0 * t, 0.75 + gap + jitter, jitter);
            features(&slider, pose, &base, Pose::IDENTITY)
        });
        assert_eq!(met, [pair(Edge(0), Edge(2))], "{gap:e}");
    }
    // Past the end of the base corners face each other, of the slider's lower left and the base's upper right.
    let past = features(&slider, Pose::new(2.6, 0.76, 0.0), &base, Pose::IDENTITY);
    assert_eq!(past, pair(Vertex(0), Vertex(2)));
}

#[test]
fn a_rolling_polygon_meets_its_corners_and_edges_in_order() {
    let plane = Shape::half_plane();
    for n in [3_u32, 5, 12] {
        let corners: Vec<Vec2> = (0..n)
            .map(|k| {
                let angle = f64::from(k) * TAU / f64::from(n) - FRAC_PI_2;
                Vec2::new(angle.cos(), angle.sin())
            })
            .collect();
        for radius in [0.0, 0.1] {
            let polygon = Shape::polygon(&corners).unwrap();
            let polygon = if radius > 0.0 { polygon.rounded(radius).unwrap() } else { polygon };
            // Number of the lowest corner at angle 0 as the shape counts: corners follow one another.
            let number = |f: ShapeFeature| match f {
                Vertex(i) | Edge(i) | Arc(i) => i,
            };
            let first = number(features(&polygon, Pose::new(0.0, 1.0, 0.0), &plane, Pose::IDENTITY).a);
            // Half a step past each corner the next edge lies flat: an even number of steps meets it exactly.
            let steps = 2 * n * 40;
            let met = sequence(steps, |t| {
                features(&polygon, Pose::new(-TAU * t, 1.0, -TAU * t), &plane, Pose::IDENTITY)
            });
            let mut expected = Vec::new();
            for k in 0..=n {
                let corner = (first + k) % n;
                expected.push(pair(if radius > 0.0 { Arc(corner) } else { Vertex(corner) }, Edge(0)));
                if k < n {
                    expected.push(pair(Edge(corner), Edge(0)));
                }
            }
            assert_eq!(met, expected, "{n} corners, rounded by {radius}");
        }
    }
}

#[test]
fn a_disc_rolls_from_edge_over_corner_to_edge() {
    let (disc, block) = (Shape::circle(0.3).unwrap(), Shape::rectangle(1.0, 0.5).unwrap());
    let rounded = block.clone().rounded(0.2).unwrap();
    for (shape, corner) in [(&block, Vertex(2)), (&rounded, Arc(2))] {
        // Along the top to the right, around the upper right corner, down the right side.
        let reach = 0.3 + if shape == &block { 0.0 } else { 0.2 };
        let met = sequence(900, |t| {
            let position = if t < 1.0 / 3.0 {
                Vec2::new(-1.0 + 6.0 * t, 0.5 + reach)
            } else if t < 2.0 / 3.0 {
                let angle = FRAC_PI_2 - (3.0 * t - 1.0) * FRAC_PI_2;
                Vec2::new(1.0, 0.5) + Vec2::new(angle.cos(), angle.sin()) * reach
            } else {
                Vec2::new(1.0 + reach, 0.5 - (3.0 * t - 2.0))
            };
            features(&disc, Pose::new(position.x, position.y, -9.0 * t), shape, Pose::IDENTITY)
        });
        assert_eq!(met, [pair(Arc(0), Edge(2)), pair(Arc(0), corner), pair(Arc(0), Edge(1))]);
    }
    let ellipse = Shape::ellipse(0.6, 0.2).unwrap();
    let met = sequence(200, |t| {
        features(&ellipse, Pose::new(t, 0.7, -TAU * t), &Shape::half_plane(), Pose::IDENTITY)
    });
    assert_eq!(met, [pair(Arc(0), Edge(0))]);
}

#[test]
fn a_capsule_lies_on_either_side_and_stands_on_either_end() {
    let (capsule, plane) =
        (Shape::capsule(sizes::Capsule { half_length: 1.0, radius: 0.25 }).unwrap(), Shape::half_plane());
    for (angle, feature) in [(0.0, Edge(0)), (PI, Edge(1)), (0.3, Arc(0)), (-0.3, Arc(1)), (PI + 0.3, Arc(1))]
    {
        let found = features(&capsule, Pose::new(0.0, 0.25, angle), &plane, Pose::IDENTITY);
        assert_eq!(found, pair(feature, Edge(0)), "{angle}");
    }
    // Parallel capsules side by side touch along their sides, whichever pair of points is nearest.
    let met =
        sequence(100, |t| features(&capsule, Pose::new(3.0 * t - 1.5, 0.5, 0.0), &capsule, Pose::IDENTITY));
    assert_eq!(met, [pair(Edge(0), Edge(1))]);
}

#[test]
fn ids_are_the_same_in_either_order_and_in_any_frame() {
    let (house, block) = (
        Shape::polygon([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.3], [0.0, 0.8], [-0.5, 0.3]]).unwrap(),
        Shape::rectangle(1.0, 0.5).unwrap(),
    );
    let relative = Pose::new(0.2, 1.4, 2.4);
    let here = features(&house, relative, &block, Pose::IDENTITY);
    for frame in [Pose::new(3.0, -7.0, 1.0), Pose::new(-1e3, 1e3, -2.5)] {
        let moved = frame.transform(relative.position());
        let moved = Pose::new(moved.x, moved.y, relative.angle() + frame.angle());
        let there = features(&house, moved, &block, frame);
        assert_eq!(here, there);
        let id = ConvexContactId::of(4, 9, here);
        assert_eq!(id, ConvexContactId::of(9, 4, there.swapped()));
        assert_ne!(id, ConvexContactId::of(4, 8, here));
    }
}
