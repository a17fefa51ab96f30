//! Distances of straight pieces of ways.

use engine2d_math::Vec2;

/// Distance of the origin from a segment.
pub(super) fn distance_of_segment(from: Vec2, to: Vec2) -> f64 {
    let way = to - from;
    let squared = way.norm_squared();
    let share = if squared > 0.0 { (-from.dot(&way) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (from + way * share).norm()
}
