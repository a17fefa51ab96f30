//! Ray casts against convex shapes.

use super::Shape;
use super::distance::QueryError;
use engine2d_math::{Pose, Vec2};

/// Half planes a cast may pass; smooth shapes need a few, polygons at most one for each edge.
const MAX_HALF_PLANES: usize = 200;

/// Distance from the shape, relative to the coordinates, at which the ray has arrived: rounding.
const ARRIVED: f64 = 4.0 * f64::EPSILON;

/// How far the length of a direction may be from 1: digits that a user writes down.
const UNIT: f64 = 1e-6;

/// A half line of limited length. [`Ray::new`] takes directions of any length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts (world).
    pub origin: Vec2,
    /// Unit vector along it.
    pub direction: Vec2,
    /// How far it reaches (length); may be infinite.
    pub reach: f64,
}

/// Where a ray meets a shape first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Distance from the origin of the ray (length); 0 when it starts within the shape.
    pub distance: f64,
    /// The point (world).
    pub point: Vec2,
    /// Unit normal out of the shape (world).
    pub normal: Vec2,
}

impl Ray {
    /// A ray along a direction of any length but 0; `reach` may be infinite.
    ///
    /// ```
    /// use engine2d_geometry::{QueryError, Ray};
    ///
    /// let ray = Ray::new([0.0, 0.0], [3.0, 4.0], 10.0)?;
    /// assert_eq!(ray.direction.y, 0.8);
    /// assert_eq!(Ray::new([0.0, 0.0], [0.0, 0.0], 10.0), Err(QueryError::Direction { length: 0.0 }));
    /// # Ok::<(), QueryError>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError::NotFinite`] for an origin or direction that is not finite or a reach that is no number,
    /// [`QueryError::Direction`] for a direction of no length, [`QueryError::Reach`] for a reach below 0.
    pub fn new(origin: impl Into<Vec2>, direction: impl Into<Vec2>, reach: f64) -> Result<Self, QueryError> {
        let (origin, direction) = (origin.into(), direction.into());
        let largest = direction.amax();
        if direction.iter().all(|x| x.is_finite()) && !(largest > 0.0) {
            return Err(QueryError::Direction { length: 0.0 });
        }
        // The square of a short or long one may leave the range of numbers.
        let scaled = direction / largest;
        let ray = Self { origin, direction: scaled / scaled.norm(), reach };
        ray.check()?;
        Ok(ray)
    }

    /// # Errors
    /// As [`new`](Self::new), and [`QueryError::Direction`] where the direction is no unit vector.
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        if !self.origin.iter().chain(&self.direction).all(|x| x.is_finite()) || self.reach.is_nan() {
            return Err(QueryError::NotFinite { which: 1 });
        }
        let length = self.direction.norm();
        if !((length - 1.0).abs() <= UNIT) {
            return Err(QueryError::Direction { length });
        }
        if self.reach >= 0.0 { Ok(()) } else { Err(QueryError::Reach { reach: self.reach }) }
    }
}

impl Shape {
    /// Where `ray` meets the shape at `pose` first; `None` if it does not within its reach.
    ///
    /// The shape lies behind the tangent at the point nearest to the ray's front, so that the front may
    /// advance to that tangent without passing the shape; for smooth shapes this is Newton's method.
    ///
    /// # Errors
    /// As [`distance_to_point`](Self::distance_to_point), and those of [`Ray::new`] for a ray that is none.
    pub fn cast_ray(&self, pose: &Pose, ray: &Ray) -> Result<Option<RayHit>, QueryError> {
        ray.check()?;
        let mut distance = 0.0;
        for _ in 0..MAX_HALF_PLANES {
            let point = ray.origin + ray.direction * distance;
            let near = self.distance_to_point(pose, point)?;
            let size = point.norm() + pose.position().norm();
            let closing = -near.normal.dot(&ray.direction);
            if near.distance <= ARRIVED * size {
                return Ok(Some(RayHit { distance, point, normal: near.normal }));
            }
            if !(closing > 0.0) {
                return Ok(None);
            }
            let next = distance + near.distance / closing;
            if next > ray.reach {
                return Ok(None);
            }
            if next == distance {
                return Ok(Some(RayHit { distance, point, normal: near.normal }));
            }
            distance = next;
        }
        // A grazing ray: closer to a miss than rounding can tell.
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_hit_where_geometry_says() {
        let ray = |x: f64, y: f64, dx: f64, dy: f64| Ray {
            origin: Vec2::new(x, y),
            direction: Vec2::new(dx, dy),
            reach: 10.0,
        };
        let ellipse = Shape::ellipse(2.0, 1.0).unwrap();
        let block = Shape::rectangle(1.0, 0.5).unwrap();
        for (shape, ray, expected) in [
            (&ellipse, ray(-5.0, 0.5, 1.0, 0.0), Some(5.0 - 3.0_f64.sqrt())),
            (&ellipse, ray(0.3, 0.2, 1.0, 0.0), Some(0.0)),
            (&ellipse, ray(-5.0, 1.1, 1.0, 0.0), None),
            (&ellipse, ray(-5.0, 0.0, -1.0, 0.0), None),
            (&block, ray(-3.0, 0.25, 1.0, 0.0), Some(2.0)),
            (&block, ray(-4.0, -3.5, 0.6, 0.8), Some(5.0)),
            (&block, ray(-30.0, 0.0, 1.0, 0.0), None),
        ] {
            let hit = shape.cast_ray(&Pose::IDENTITY, &ray).unwrap();
            match (hit, expected) {
                (Some(h), Some(e)) => {
                    assert!((h.distance - e).abs() < 1e-13, "{} {e}", h.distance);
                }
                (h, e) => assert_eq!(h.map(|h| h.distance), e),
            }
        }
    }
}
