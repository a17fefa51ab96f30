//! Convex shapes by support function, their signed distance and portal refinement.
//!
//! A shape is a core (point, segment, polygon, ellipse, half plane) inflated by a radius. Discs and
//! capsules are inflated points and segments, so that all round shapes share the queries of their cores.

mod distance;
mod mpr;
mod point;
mod polygonal;
mod ray;
mod smooth;

pub(crate) use distance::is_sound;
pub use distance::{Distance, QueryError, distance};
pub use mpr::{Portal, mpr};
pub use point::PointDistance;
pub use ray::{Ray, RayHit};

use crate::bounds::Bounds;
use crate::error::ShapeError;
use engine2d_math::{Pose, Vec2, cross};
use std::fmt;

/// The core of a convex shape, in its own coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Core {
    /// Corners counter-clockwise: one for a point, two for a segment.
    Corners(Vec<Vec2>),
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
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(ShapeError::NotPositive { what, value }) }
}

impl Shape {
    /// A disc of the given radius about the origin.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`].
    pub fn circle(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self { core: Core::Corners(vec![Vec2::zeros()]), radius: positive("radius", radius)? })
    }

    /// All points within `radius` of the segment from `(−half_length, 0)` to `(half_length, 0)`.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`].
    pub fn capsule(half_length: f64, radius: f64) -> Result<Self, ShapeError> {
        let x = positive("half length", half_length)?;
        let corners = vec![Vec2::new(-x, 0.0), Vec2::new(x, 0.0)];
        Ok(Self { core: Core::Corners(corners), radius: positive("radius", radius)? })
    }

    /// A rectangle with the given half extents about the origin.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`].
    pub fn rectangle(half_width: f64, half_height: f64) -> Result<Self, ShapeError> {
        let (x, y) = (positive("half width", half_width)?, positive("half height", half_height)?);
        let corners = [(-x, -y), (x, -y), (x, y), (-x, y)].map(|(x, y)| Vec2::new(x, y));
        Ok(Self { core: Core::Corners(corners.to_vec()), radius: 0.0 })
    }

    /// The convex hull of `points`, at least three of which must not lie on a line. Points within or on the
    /// edges of the hull are dropped.
    ///
    /// # Errors
    /// [`ShapeError::TooFewPoints`], [`ShapeError::NotFinite`], [`ShapeError::NoArea`].
    pub fn polygon<P: Into<Vec2> + Copy>(points: impl AsRef<[P]>) -> Result<Self, ShapeError> {
        let points: Vec<Vec2> = points.as_ref().iter().map(|&p| p.into()).collect();
        Ok(Self { core: Core::Corners(convex_hull(&points)?), radius: 0.0 })
    }

    /// An ellipse with semi-axes `a` along x and `b` along y.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`].
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
    /// [`ShapeError::NotPositive`].
    pub fn rounded(mut self, radius: f64) -> Result<Self, ShapeError> {
        self.radius += positive("radius", radius)?;
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
    pub fn support(&self, n: Vec2) -> Vec2 {
        self.core.support(n) + n * self.radius
    }

    /// A point inside, about which the shape is roughly balanced: the area centroid.
    #[must_use]
    pub fn center(&self) -> Vec2 {
        match &self.core {
            Core::Corners(corners) => centroid(corners),
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
            Self::Corners(corners) => corners[farthest(corners, n)],
            Self::Ellipse { a, b } => {
                let scaled = Vec2::new(a * n.x, b * n.y);
                let length = scaled.norm();
                if length > 0.0 { Vec2::new(a * scaled.x, b * scaled.y) / length } else { Vec2::zeros() }
            }
            Self::HalfPlane => Vec2::zeros(),
        }
    }

    /// Largest distance of a point from the origin.
    pub(crate) fn reach(&self) -> f64 {
        match self {
            Self::Corners(corners) => corners.iter().map(|c| c.norm()).fold(0.0, f64::max),
            Self::Ellipse { a, b } => a.max(*b),
            Self::HalfPlane => f64::INFINITY,
        }
    }
}

/// Index of the corner farthest along `n`; the first of equals.
pub(crate) fn farthest(corners: &[Vec2], n: Vec2) -> usize {
    let mut best = 0;
    let mut reach = f64::NEG_INFINITY;
    for (i, c) in corners.iter().enumerate() {
        let along = c.dot(&n);
        if along > reach {
            (best, reach) = (i, along);
        }
    }
    best
}

fn centroid(corners: &[Vec2]) -> Vec2 {
    let n = corners.len();
    let mean = corners.iter().sum::<Vec2>() / n as f64;
    if n < 3 {
        return mean;
    }
    let mut area = 0.0;
    let mut first = Vec2::zeros();
    for i in 0..n {
        let (p, q) = (corners[i] - mean, corners[(i + 1) % n] - mean);
        let c = cross(p, q);
        area += c;
        first += (p + q) * (c / 3.0);
    }
    mean + first / area
}

/// The corners of the convex hull, counter-clockwise \[Andrew 1979, monotone chain\].
///
/// # Errors
/// [`ShapeError::TooFewPoints`], [`ShapeError::NotFinite`], [`ShapeError::NoArea`].
pub fn convex_hull(points: &[Vec2]) -> Result<Vec<Vec2>, ShapeError> {
    if points.len() < 3 {
        return Err(ShapeError::TooFewPoints { count: points.len() });
    }
    if let Some(index) = points.iter().position(|p| !(p.x.is_finite() && p.y.is_finite())) {
        return Err(ShapeError::NotFinite { index });
    }
    let mut sorted = points.to_vec();
    sorted.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    let mut chain: Vec<Vec2> = Vec::with_capacity(points.len() + 1);
    for pass in 0..2 {
        let base = chain.len();
        for &p in &sorted {
            while chain.len() >= base + 2 {
                let (a, b) = (chain[chain.len() - 2], chain[chain.len() - 1]);
                if cross(b - a, p - b) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        // The last point of each chain begins the other.
        chain.pop();
        if pass == 0 {
            sorted.reverse();
        }
    }
    // Neighbours whose distance has no square make no edge.
    let is_edge = |p: Vec2, q: Vec2| (p - q).norm_squared() >= f64::MIN_POSITIVE;
    chain.dedup_by(|next, last| !is_edge(*next, *last));
    if chain.len() > 1 && !is_edge(chain[0], chain[chain.len() - 1]) {
        chain.pop();
    }
    if chain.len() < 3 {
        return Err(ShapeError::NoArea { area: 0.0 });
    }
    Ok(chain)
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.core {
            Core::Corners(c) if c.len() == 1 => write!(f, "circle of radius {}", self.radius)?,
            Core::Corners(c) if c.len() == 2 => {
                return write!(f, "capsule of half length {} and radius {}", c[1].x, self.radius);
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
    fn the_hull_drops_inner_and_collinear_points() {
        let points = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [2.0, 2.0], [1.0, 1.0], [0.0, 2.0], [0.5, 1.2]];
        let Core::Corners(corners) = Shape::polygon(points).unwrap().core else { unreachable!() };
        assert_eq!(corners.len(), 4);
        assert!(matches!(
            Shape::polygon([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]),
            Err(ShapeError::NoArea { .. })
        ));
    }

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
