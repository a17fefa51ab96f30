//! Shapes at the ends of what sizes may be: a shape is right or refused, never inside out and never without numbers.

use engine2d_geometry::{PathBuilder, PathShape, Shape, ShapeError, sizes};
use engine2d_math::Vec2;

type Make = fn(f64) -> Result<PathShape, ShapeError>;

/// One of each, all of whose sizes are that one but where one must be larger.
const SHAPES: [(&str, Make); 9] = [
    ("ball", PathShape::ball),
    ("block", |s| PathShape::block(s, 1.0)),
    ("corner", |s| PathShape::block_corner_origin(1.0, s)),
    ("diamond", |s| PathShape::diamond(sizes::Diamond { width: s, height: 1.0, angle: 0.3 })),
    ("frame", |s| PathShape::frame(sizes::Frame { width: 2.0, height: 1.0, thickness: s })),
    ("hexagon", PathShape::hexagon),
    ("capsule", |s| PathShape::capsule(sizes::Capsule { half_length: 1.0, radius: s })),
    ("ellipse", |s| PathShape::ellipse([1.0, s], 1e-3)),
    ("round block", |s| PathShape::round_block(s, 1.0)),
];

#[test]
fn sizes_too_small_to_have_a_direction_are_refused() {
    for (name, make) in SHAPES {
        for size in [1e-12, 1e-160, 1e-320, 2e75] {
            let refused = make(size);
            assert!(matches!(refused, Err(ShapeError::OutOfRange { .. })), "{name} {size:e}: {refused:?}");
        }
        for size in [1e-6, 0.3] {
            let area = make(size).map(|shape| shape.area_properties().area);
            assert!(matches!(area, Ok(area) if area > 0.0), "{name} {size:e}: {area:?}");
        }
    }
}

/// Edges too short for a direction of their own, as drawings have them, keep their outside.
#[test]
fn short_edges_keep_their_outside() -> Result<(), ShapeError> {
    let step = 3e-11;
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0 - step], [1.0 - step, 1.0], [-1.0, 1.0]];
    let mut path = PathBuilder::new();
    path.start(corners[0])?;
    for (k, up) in [false, true, true, true, false].into_iter().enumerate() {
        path.line_to(corners[(k + 1) % 5], up)?;
    }
    let cut = path.finish()?;
    // A step down of no height to speak of: level, and open upwards.
    let mut path = PathBuilder::new();
    path.start([-1.0, 0.0])?.line_to([0.0, -1.0], false)?.line_to([1.0, 0.0], false)?;
    path.line_to([step, 0.0], true)?.line_to([0.0, 0.0], true)?.line_to([-1.0, 0.0], true)?;
    let level = path.finish()?;
    for shape in [cut, level] {
        for edge in shape.edges() {
            let middle = edge.proximity_circle().0;
            let normal = edge.normal(middle).unwrap_or_default();
            assert!(normal.dot(&(middle - shape.area_properties().centroid)) > 0.1, "{edge:?}");
        }
    }
    Ok(())
}

#[test]
fn an_outline_wound_twice_is_refused() {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let mut twice: Vec<Vec2> = [square, square].concat().into_iter().map(Vec2::from).collect();
    for _ in 0..2 {
        let refused = PathShape::polygon(&twice);
        assert!(matches!(refused, Err(ShapeError::SelfCrossing { first: 0, second: 4 })), "{refused:?}");
        twice.reverse();
    }
    // An inner round that meets the outer one in no edge.
    let spiral =
        [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [0.0, 0.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]];
    let spiral: Vec<Vec2> = spiral.into_iter().map(Vec2::from).collect();
    assert!(PathShape::polygon(&spiral).is_err());
}

#[test]
fn convex_shapes_too_large_for_numbers_are_refused() {
    for size in [1e308, 1.7e308] {
        let refused = [
            Shape::rectangle(size, size),
            Shape::circle(size),
            Shape::ellipse(size, 1.0),
            Shape::capsule(sizes::Capsule { half_length: size, radius: 1.0 }),
        ];
        for shape in refused {
            assert!(matches!(shape, Err(ShapeError::OutOfRange { .. })), "{size:e}: {shape:?}");
        }
    }
    let largest = Shape::rectangle(1e307, 1e307).map(|shape| shape.center());
    assert_eq!(largest, Ok(Vec2::zeros()));
}
