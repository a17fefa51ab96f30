//! Ellipses, also rounded ones, of circular arcs.

use super::biarc::{SmoothCurve, follow};
use super::{outside_is_up, positive};
use crate::builder::PathBuilder;
use crate::error::ShapeError;
use crate::shape::PathShape;
use engine2d_math::{Vec2, trig};
use std::f64::consts::TAU;

/// The points at a distance outside of an ellipse.
struct Around {
    axes: [f64; 2],
    distance: f64,
}

impl SmoothCurve for Around {
    fn at(&self, t: f64) -> Vec2 {
        let (sin, cos) = trig::sin_cos(TAU * t);
        let [a, b] = self.axes;
        let normal = Vec2::new(b * cos, a * sin);
        Vec2::new(a * cos, b * sin) + normal * (self.distance / normal.norm())
    }

    fn derivative(&self, t: f64) -> Vec2 {
        // Along the tangent of the ellipse: only its direction counts.
        let (sin, cos) = trig::sin_cos(TAU * t);
        Vec2::new(-self.axes[0] * sin, self.axes[1] * cos)
    }
}

impl PathShape {
    /// An ellipse about the origin with the semi-axes `[a, b]` along x and y, of circular arcs that share their tangents
    /// and stay within `tolerance` (length, > 0) of it. A circle is exact.
    ///
    /// ```
    /// use engine2d_geometry::PathShape;
    ///
    /// let egg = PathShape::ellipse([2.0, 1.0], 1e-4)?;
    /// assert!((egg.area_properties().area - std::f64::consts::PI * 2.0).abs() < 1e-3);
    /// # Ok::<(), engine2d_geometry::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`], [`ShapeError::TooManyVertices`].
    pub fn ellipse([a, b]: [f64; 2], tolerance: f64) -> Result<Self, ShapeError> {
        super::size("semi-axis", a)?;
        super::size("semi-axis", b)?;
        positive("tolerance", tolerance)?;
        if a == b {
            return Self::ball(a);
        }
        smooth_outline([a, b], 0.0, tolerance)
    }
}

/// What is within a distance of an ellipse, of arcs within a tolerance.
pub(crate) fn smooth_outline(axes: [f64; 2], distance: f64, tolerance: f64) -> Result<PathShape, ShapeError> {
    positive("tolerance", tolerance)?;
    let mut edges = Vec::new();
    follow(&Around { axes, distance }, tolerance, &mut edges);
    let Some(start) = edges.first().map(|edge| edge.start) else {
        return Err(ShapeError::NoArea { area: 0.0 });
    };
    if let Some(last) = edges.last_mut() {
        last.end = start;
    }
    let mut b = PathBuilder::new();
    b.start(start)?;
    for edge in &edges {
        match edge.arc {
            None => b.line_to(edge.end, outside_is_up(edge.start, edge.end))?,
            Some((center, clockwise)) => b.arc_to(edge.end, center, clockwise, !clockwise)?,
        };
    }
    b.close()?;
    let shape = b.finish()?;
    let moment = shape.area_properties().moment_factor;
    Ok(shape.with_center_of_mass(Vec2::zeros()).with_moment_factor(moment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::Shape;
    use engine2d_math::Pose;

    #[test]
    fn arcs_stay_within_the_tolerance() {
        for (a, b, radius, tolerance) in
            [(2.0, 1.0, 0.0, 1e-3), (0.3, 4.0, 0.0, 1e-5), (1.0, 0.1, 0.5, 1e-4), (1e-3, 2e-3, 0.0, 1e-7)]
        {
            let mut shape = Shape::ellipse(a, b).unwrap();
            if radius > 0.0 {
                shape = shape.rounded(radius).unwrap();
            }
            let path = shape.to_path(tolerance).unwrap();
            let outline = path.outlines(0.1 * tolerance);
            for point in &outline[0] {
                let off = shape.distance_to_point(&Pose::IDENTITY, *point).unwrap().distance;
                assert!(off.abs() <= 1.3 * tolerance, "{a} {b}: {off}");
            }
            assert!(path.center_of_mass().norm() < 1e-15);
        }
        assert_eq!(PathShape::ellipse([1.0, 1.0], 1e-3).unwrap().edges().len(), 1);
        assert!(matches!(PathShape::ellipse([1.0, 2.0], 0.0), Err(ShapeError::NotPositive { .. })));
    }
}
