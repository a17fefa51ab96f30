//! Edges of imported outlines.

use engine2d_math::Vec2;

/// An edge of the imported outline, y upwards.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) start: Vec2,
    pub(super) end: Vec2,
    /// Centre, and whether the arc runs clockwise.
    pub(super) arc: Option<(Vec2, bool)>,
}

/// Area to the left of the outline, arcs by their circular segments.
pub(super) fn signed_area(path: &[Segment]) -> f64 {
    let mut twice = 0.0;
    for s in path {
        twice += engine2d_math::cross(s.start, s.end);
        if let Some((center, clockwise)) = s.arc {
            let (p, q) = (s.start - center, s.end - center);
            let (sin, cos) = (engine2d_math::cross(p, q), p.dot(&q));
            let mut turn = engine2d_math::trig::atan2(sin, cos);
            if clockwise && turn > 0.0 {
                turn -= std::f64::consts::TAU;
            } else if !clockwise && turn < 0.0 {
                turn += std::f64::consts::TAU;
            }
            twice += turn * p.norm_squared() - sin;
        }
    }
    twice / 2.0
}
