//! Shapes of every kind, random poses, and points along outlines.

use engine2d_geometry::{Curve, PathBuilder, PathShape, PlacedPath, Pose, sizes};
use engine2d_math::random::Lcg32;
use engine2d_math::{Vec2, trig};

/// Convex and concave, straight and round, with holes, lens tips, and a cavity that is solid outside.
pub(crate) fn shapes() -> Vec<PathShape> {
    let mut cavity = PathBuilder::new();
    cavity.start([-2.0, -1.5]).unwrap();
    cavity.line_to([2.0, -1.5], true).unwrap();
    cavity.line_to([2.0, 1.5], false).unwrap();
    cavity.line_to([-2.0, 1.5], false).unwrap();
    cavity.line_to([-2.0, -1.5], true).unwrap();
    vec![
        PathShape::ball(0.7).unwrap(),
        PathShape::block(2.0, 0.6).unwrap(),
        PathShape::frame(sizes::Frame { width: 3.0, height: 2.0, thickness: 0.3 }).unwrap(),
        PathShape::pendulum(sizes::Pendulum { half_width: 0.2, length: 1.5, radius: 0.4 }).unwrap(),
        PathShape::round_block(0.8, 2.0).unwrap(),
        PathShape::round_corner_block(sizes::RoundCornerBlock { width: 2.0, height: 1.0, radius: 0.3 })
            .unwrap(),
        lens(1.0, 0.6),
        PathShape::from_svg_path("M-2 0A2 2 0 0 1 2 0A2 2 0 0 1-2 0ZM-1-1V1H1V-1Z").unwrap(),
        PathShape::from_svg_path("M0 0H2V2H1A1 1 0 0 0 0 1Z").unwrap(),
        PathShape::from_svg_path("M0 0H3V3H2A1 1 0 1 0 0 2Z").unwrap(),
        PathShape::from_svg_path("M0 0H1A1 1 0 1 1 0 1Z").unwrap(),
        cavity.finish().unwrap(),
    ]
}

/// Two arcs of `radius` about centres `2 offset` apart.
pub(crate) fn lens(radius: f64, offset: f64) -> PathShape {
    let half = (radius * radius - offset * offset).sqrt();
    let mut b = PathBuilder::new();
    b.start([-half, 0.0]).unwrap();
    b.arc_to([half, 0.0], [0.0, offset], false, true).unwrap();
    b.arc_to([-half, 0.0], [0.0, -offset], false, true).unwrap();
    b.finish().unwrap()
}

pub(crate) fn random_pose(generator: &mut Lcg32, spread: f64) -> Pose {
    let mut next = || 2.0 * generator.next_unit() - 1.0;
    Pose::new(spread * next(), spread * next(), 3.2 * next())
}

/// The point at the share `t` of edge `edge` (body coordinates).
pub(crate) fn point_on(shape: &PathShape, edge: usize, t: f64) -> Vec2 {
    match shape.edges()[edge].curve() {
        Curve::Straight(line) => line.start() + (line.end() - line.start()) * t,
        Curve::Circular(arc) => {
            let (low, high) = arc.interval();
            let (sin, cos) = trig::sin_cos(low + (high - low) * t);
            arc.center() + Vec2::new(cos, sin) * arc.radius()
        }
    }
}

/// The signed distance of a world point from a placed solid.
pub(crate) fn signed_distance(solid: &PlacedPath<'_>, p: Vec2) -> f64 {
    let local = solid.center_of_mass + solid.pose.transform_inverse(p);
    solid.shape.distance_to_point(local).unwrap().distance
}

/// Moves a placed shape by a common motion of the world.
pub(crate) fn moved<'a>(path: &PlacedPath<'a>, by: &Pose) -> PlacedPath<'a> {
    let p = by.transform(path.pose.position());
    PlacedPath { pose: Pose::new(p.x, p.y, path.pose.angle() + by.angle()), ..*path }
}
