//! Conversions between convex shapes and path bodies.

use crate::builder::PathBuilder;
use crate::constructors::ellipse::smooth_outline;
use crate::convex::{Core, Outline, Shape, convex_hull};
use crate::edge::Curve;
use crate::error::ShapeError;
use crate::shape::PathShape;
use crate::straight::is_vertical;
use engine2d_math::{Vec2, cross};
use std::f64::consts::PI;

/// Part of the area that a path body may differ from the convex shape that stands for it: rounding.
const SAME_AREA: f64 = 1e-9;

impl Shape {
    /// The path body of the same outline, in the same coordinates, with its exact centre of mass and moment. Ellipses become
    /// circular arcs within `tolerance` (length, > 0); all else is exact.
    ///
    /// ```
    /// use engine2d_geometry::Shape;
    ///
    /// let button = Shape::polygon([[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]])?.rounded(0.2)?;
    /// let path = button.to_path(1e-3)?;
    /// assert_eq!(path.edges().len(), 6);
    /// assert_eq!(path.to_convex()?.to_path(1e-3)?.bounds(), path.bounds());
    /// # Ok::<(), engine2d_geometry::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// [`ShapeError::NotConvertible`] for a half plane, [`ShapeError::NotPositive`] for the tolerance,
    /// [`ShapeError::TooManyVertices`] for what is large.
    pub fn to_path(&self, tolerance: f64) -> Result<PathShape, ShapeError> {
        let r = self.radius;
        let shape = match &self.core {
            Core::HalfPlane => {
                return Err(ShapeError::NotConvertible { what: "a half plane has no closed outline" });
            }
            Core::Ellipse { a, b } => return smooth_outline([*a, *b], r, tolerance),
            Core::Corners(outline) if outline.len() == 1 => {
                let center = outline.corners()[0];
                let start = center - Vec2::new(r, 0.0);
                let mut b = PathBuilder::new();
                b.start(start)?;
                b.arc_to(start, center, false, true)?;
                b.finish()?
            }
            Core::Corners(outline) => {
                let corners = outline.corners();
                let at = |i: usize| corners[i % corners.len()];
                let mut b = PathBuilder::new();
                b.start(corners[0] + outline.normals()[0] * r)?;
                for (i, &normal) in outline.normals().iter().enumerate() {
                    let (from, to) = (at(i) + normal * r, at(i + 1) + normal * r);
                    let d = to - from;
                    let up = if is_vertical(d) { d.y > 0.0 } else { d.x < 0.0 };
                    b.line_to(to, up)?;
                    if r > 0.0 {
                        let next = outline.normals()[(i + 1) % corners.len()];
                        b.arc_to(at(i + 1) + next * r, at(i + 1), false, true)?;
                    }
                }
                b.close()?;
                b.finish()?
            }
        };
        let exact = shape.area_properties();
        Ok(shape.with_center_of_mass(exact.centroid).with_moment_factor(exact.moment_factor))
    }
}

impl PathShape {
    /// The convex shape of the same outline, in the same coordinates: a polygon, a disc, a capsule, or one with rounded
    /// corners.
    ///
    /// ```
    /// use engine2d_geometry::PathShape;
    ///
    /// assert!(PathShape::hexagon(1.0)?.to_convex().is_ok());
    /// let gear = PathShape::gear(engine2d_geometry::sizes::Gear { teeth: 9, outer: 1.0, inner: 0.7, tip: 0.25 })?;
    /// assert_eq!(
    ///     gear.to_convex().unwrap_err().to_string(),
    ///     "the shape cannot be converted: it is not convex with straight sides and corners of one radius"
    /// );
    /// # Ok::<(), engine2d_geometry::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// [`ShapeError::NotConvertible`] for every other outline.
    pub fn to_convex(&self) -> Result<Shape, ShapeError> {
        let what = "it is not convex with straight sides and corners of one radius";
        let refused = ShapeError::NotConvertible { what };
        if self.is_unbounded() || self.one_sided_edge().is_some() {
            return Err(refused);
        }
        let mut corners: Vec<Vec2> = Vec::new();
        let mut radius: Option<f64> = None;
        for edge in self.edges() {
            let Curve::Circular(arc) = edge.curve() else { continue };
            let r = *radius.get_or_insert(arc.radius());
            if (arc.radius() - r).abs() > SAME_AREA * r {
                return Err(refused);
            }
            if !corners.iter().any(|known| (known - arc.center()).norm() <= SAME_AREA * r) {
                corners.push(arc.center());
            }
        }
        if radius.is_none() {
            corners.extend(self.edges().iter().map(|edge| edge.ends().0));
        }
        let corners = if corners.len() < 3 { corners } else { convex_hull(&corners)? };
        // The body lies within all that is `r` about the hull of its corners or centres: of one area, it is that.
        let (n, r) = (corners.len(), radius.unwrap_or(0.0));
        let mut area = PI * r * r;
        for i in 0..n {
            let (p, q) = (corners[i], corners[(i + 1) % n]);
            area += 0.5 * cross(p - corners[0], q - corners[0]) + (q - p).norm() * r;
        }
        if (self.area_properties().area - area).abs() <= SAME_AREA * area {
            return Ok(Shape { core: Core::Corners(Outline::new(corners)), radius: r });
        }
        Err(refused)
    }
}
