//! Convex shapes by support function, their signed distance and portal refinement.
//!
//! A shape is a core (point, segment, polygon, ellipse, half plane) inflated by a radius. Discs and
//! capsules are inflated points and segments, so that all round shapes share the queries of their cores.

mod distance;
mod feature;
mod mpr;
mod outline;
mod point;
mod polygonal;
mod ray;
mod smooth;

pub(crate) use distance::is_sound;
pub use distance::{Distance, QueryError, distance};
pub use feature::{ConvexContactId, FeaturePair, ShapeFeature};
pub use mpr::{Portal, mpr};
pub use outline::convex_hull;
pub use point::PointDistance;
pub use ray::{Ray, RayHit};

use crate::bounds::Bounds;
use crate::error::ShapeError;
use crate::sizes::Capsule;
use crate::tolerance::MAX_HALF_SIZE;
use engine2d_math::{Pose, Vec2};
pub(crate) use outline::Outline;
use std::fmt;

/// The core of a convex shape, in its own coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Core {
    /// A point, a segment or a polygon.
    Corners(Outline),
    /// Semi-axes along x and y.
    Ellipse { a: f64, b: f64 },
    /// All points with `y ≤ 0`.
    HalfPlane,
}

/// A convex shape in its own coordinates.
///
/// ```
/// use engine2d_geometry::{Pose, Shape, distance};
///
/// let ball = Shape::circle(0.5)?;
/// let box_shape = Shape::rectangle(1.0, 0.5)?;
/// let gap = distance(&ball, &Pose::new(0.0, 2.0, 0.0), &box_shape, &Pose::IDENTITY)?;
/// assert!((gap.distance - 1.0).abs() < 1e-15);
/// assert!((gap.normal.y - 1.0).abs() < 1e-15); // out of the box, into the ball
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub(crate) core: Core,
    pub(crate) radius: f64,
}

fn positive(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    if !(value > 0.0 && value.is_finite()) {
        Err(ShapeError::NotPositive { what, value })
    } else if value > MAX_HALF_SIZE {
        Err(ShapeError::OutOfRange { what, value, low: 0.0, high: MAX_HALF_SIZE })
    } else {
        Ok(value)
    }
}

impl Shape {
    /// A disc of the given radius about the origin.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] beyond 1e307.
    pub fn circle(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            core: Core::Corners(Outline::new(vec![Vec2::zeros()])),
            radius: positive("radius", radius)?,
        })
    }

    /// All points within `radius` of the segment from `(−half_length, 0)` to `(half_length, 0)`.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] beyond 1e307.
    pub fn capsule(sizes: Capsule) -> Result<Self, ShapeError> {
        let Capsule { half_length, radius } = sizes;
        let x = positive("half length", half_length)?;
        let corners = vec![Vec2::new(-x, 0.0), Vec2::new(x, 0.0)];
        Ok(Self { core: Core::Corners(Outline::new(corners)), radius: positive("radius", radius)? })
    }

    /// A rectangle with the given half extents about the origin.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] beyond 1e307.
    pub fn rectangle(half_width: f64, half_height: f64) -> Result<Self, ShapeError> {
        let (x, y) = (positive("half width", half_width)?, positive("half height", half_height)?);
        let corners = [(-x, -y), (x, -y), (x, y), (-x, y)].map(|(x, y)| Vec2::new(x, y));
        Ok(Self { core: Core::Corners(Outline::new(corners.to_vec())), radius: 0.0 })
    }

    /// The convex hull of `points`, at least three of which must not lie on a line. Points within or on the
    /// edges of the hull are dropped.
    ///
    /// # Errors
    /// Those of [`convex_hull`].
    pub fn polygon<P: Into<Vec2> + Copy>(points: impl AsRef<[P]>) -> Result<Self, ShapeError> {
        let points: Vec<Vec2> = points.as_ref().iter().map(|&p| p.into()).collect();
        Ok(Self { core: Core::Corners(Outline::new(convex_hull(&points)?)), radius: 0.0 })
    }

    /// An ellipse with semi-axes `a` along x and `b` along y.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] beyond 1e307.
    pub fn ellipse(a: f64, b: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            core: Core::Ellipse { a: positive("semi-axis", a)?, b: positive("semi-axis", b)? },
            radius: 0.0,
        })
    }

    /// All points below the local x axis.
    #[must_use]
    pub fn half_plane() -> Self {
        Self { core: Core::HalfPlane, radius: 0.0 }
    }

    /// The shape inflated by `radius`, which rounds its corners.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] beyond 1e307.
    pub fn rounded(mut self, radius: f64) -> Result<Self, ShapeError> {
        self.radius = positive("radius", self.radius + positive("radius", radius)?)?;
        Ok(self)
    }

    /// Whether the shape extends to infinity.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        matches!(self.core, Core::HalfPlane)
    }

    /// The farthest point of the shape along the unit vector `n`, in its own coordinates; for a half plane
    /// the point of its boundary nearest to its origin, whatever `n`.
    #[must_use]
    pub fn support(&self, n: impl Into<Vec2>) -> Vec2 {
        let n: Vec2 = n.into();
        self.core.support(n) + n * self.radius
    }

    /// A point inside, about which the shape is roughly balanced: the area centroid.
    #[must_use]
    pub fn center(&self) -> Vec2 {
        match &self.core {
            Core::Corners(outline) => outline.centroid(),
            Core::Ellipse { .. } => Vec2::zeros(),
            Core::HalfPlane => Vec2::new(0.0, -1.0),
        }
    }

    /// Largest distance of a point of the shape from the origin of its coordinates; infinite for a half
    /// plane.
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.core.reach() + self.radius
    }

    /// Tight box of the shape at `pose` (world); infinite for a half plane.
    #[must_use]
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        if self.is_unbounded() {
            return Bounds::EVERYTHING;
        }
        let reach = |n: Vec2| pose.transform(self.support(pose.rotate_inverse(n)));
        Bounds {
            min: Vec2::new(reach(Vec2::new(-1.0, 0.0)).x, reach(Vec2::new(0.0, -1.0)).y),
            max: Vec2::new(reach(Vec2::new(1.0, 0.0)).x, reach(Vec2::new(0.0, 1.0)).y),
        }
    }
}

impl Core {
    /// The farthest point along `n`.
    pub(crate) fn support(&self, n: Vec2) -> Vec2 {
        match self {
            Self::Corners(outline) => outline.corners()[outline.farthest(n)],
            Self::Ellipse { a, b } => {
                let scaled = Vec2::new(a * n.x, b * n.y);
                let length = scaled.norm();
                if length > 0.0 { Vec2::new(a * scaled.x, b * scaled.y) / length } else { Vec2::zeros() }
            }
            Self::HalfPlane => Vec2::zeros(),
        }
    }

    /// Whether the curvature of an ellipse can be formed: the square of its semi-axes' product is a number.
    pub(crate) fn is_in_range(&self) -> bool {
        match self {
            Self::Ellipse { a, b } => (a * a * b * b).is_normal(),
            _ => true,
        }
    }

    /// Largest distance of a point from the origin.
    pub(crate) fn reach(&self) -> f64 {
        match self {
            Self::Corners(outline) => outline.corners().iter().map(|c| c.norm()).fold(0.0, f64::max),
            Self::Ellipse { a, b } => a.max(*b),
            Self::HalfPlane => f64::INFINITY,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.core {
            Core::Corners(c) if c.len() == 1 => write!(f, "circle of radius {}", self.radius)?,
            Core::Corners(c) if c.len() == 2 => {
                let half = 0.5 * (c.corners()[1] - c.corners()[0]).norm();
                return write!(f, "capsule of half length {half} and radius {}", self.radius);
            }
            Core::Corners(c) => write!(f, "polygon of {} corners", c.len())?,
            Core::Ellipse { a, b } => write!(f, "ellipse with semi-axes {a} and {b}")?,
            Core::HalfPlane => write!(f, "half plane")?,
        }
        let is_circle = matches!(&self.core, Core::Corners(c) if c.len() == 1);
        if self.radius > 0.0 && !is_circle { write!(f, ", rounded by {}", self.radius) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_a_turned_ellipse_are_tight() {
        let ellipse = Shape::ellipse(2.0, 1.0).unwrap();
        let pose = Pose::new(1.0, -1.0, 0.6);
        let bounds = ellipse.bounds(&pose);
        let (sin, cos) = (0.6f64.sin(), 0.6f64.cos());
        let half = (4.0 * cos * cos + sin * sin).sqrt();
        assert!((bounds.max.x - (1.0 + half)).abs() < 1e-15);
        assert!((bounds.min.x - (1.0 - half)).abs() < 1e-15);
    }
}
