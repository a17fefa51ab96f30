//! Point and ray queries of path bodies: containment, signed distance, first hit.

use crate::body::CollisionBody;
use crate::circular::CircularEdge;
use crate::convex::{PointDistance, QueryError, Ray, RayHit, is_sound};
use crate::edge::{Curve, Edge};
use crate::shape::PathShape;
use crate::tolerance::RAY_END;
use engine2d_math::{Vec2, cross};

impl PathShape {
    /// Signed distance of the body point `point` from the outline, holes included: negative in the material.
    /// The normal points out of the material; where several boundary points are nearest one is returned,
    /// always the same.
    ///
    /// ```
    /// use engine2d_geometry::PathShape;
    /// use engine2d_math::Vec2;
    ///
    /// let frame = PathShape::frame(engine2d_geometry::sizes::Frame { width: 4.0, height: 3.0, thickness: 0.5 })?;
    /// // In the opening: the inner side is at half of 3.0 - 0.5.
    /// let near = frame.distance_to_point(Vec2::new(0.0, 0.6))?;
    /// assert!((near.distance - 0.65).abs() < 1e-15 && near.normal.y == -1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError::NotFinite`] for a point that is not finite, [`QueryError::Range`] where coordinates are
    /// too large for their squares.
    pub fn distance_to_point(&self, point: impl Into<Vec2>) -> Result<PointDistance, QueryError> {
        let point: Vec2 = point.into();
        if !(point.x.is_finite() && point.y.is_finite()) {
            return Err(QueryError::NotFinite { which: 1 });
        }
        let mut best: Option<(f64, Vec2, usize)> = None;
        for (i, edge) in self.edges().iter().enumerate() {
            let (gap, foot) = nearest_on(edge, point);
            if best.is_none_or(|(least, ..)| gap < least) {
                best = Some((gap, foot, i));
            }
        }
        let Some((gap, nearest, i)) = best else { return Err(QueryError::Range) };
        let inside = self.is_within(point);
        let offset = point - nearest;
        let length = offset.norm();
        // On the boundary the offset is rounding: the edge knows its normal.
        let on_boundary = length <= RAY_END * (point.norm() + nearest.norm());
        let normal = match self.edges()[i].normal(nearest) {
            Some(normal) if on_boundary => normal,
            _ if inside => -offset / length,
            _ => offset / length,
        };
        let distance = if inside { -gap } else { gap };
        let answer = PointDistance { distance, normal, nearest };
        if is_sound(distance, normal) { Ok(answer) } else { Err(QueryError::Range) }
    }

    /// Whether the body point `point` lies in the material or on its boundary; points within rounding of the
    /// boundary may count either way.
    ///
    /// # Errors
    /// As [`distance_to_point`](Self::distance_to_point).
    pub fn contains_point(&self, point: impl Into<Vec2>) -> Result<bool, QueryError> {
        let point: Vec2 = point.into();
        Ok(self.distance_to_point(point)?.distance <= 0.0)
    }

    /// Where `ray` (body coordinates) meets the material first; `None` if it does not within its reach. A ray
    /// that passes a vertex within rounding hits it; one that only touches an arc may pass.
    ///
    /// # Errors
    /// As [`distance_to_point`](Self::distance_to_point), and those of [`Ray::new`] for a ray that is none.
    pub fn cast_ray(&self, ray: &Ray) -> Result<Option<RayHit>, QueryError> {
        ray.check()?;
        let start = self.distance_to_point(ray.origin)?;
        if start.distance <= 0.0 {
            return Ok(Some(RayHit { distance: 0.0, point: ray.origin, normal: start.normal }));
        }
        let mut first: Option<(f64, Vec2)> = None;
        for edge in self.edges() {
            let Some(distance) = first_on(edge, ray) else { continue };
            let Some(normal) = edge.normal(ray.origin + ray.direction * distance) else { continue };
            // Of two edges met at their common vertex the one that faces the ray more is hit.
            let is_first = first.is_none_or(|(least, other)| {
                let slack = RAY_END * (least + ray.origin.norm());
                let faces_more = normal.dot(&ray.direction) < other.dot(&ray.direction);
                distance < least - slack || (distance <= least + slack && faces_more)
            });
            if is_first && distance <= ray.reach {
                first = Some((distance, normal));
            }
        }
        Ok(first.map(|(distance, normal)| RayHit {
            distance,
            point: ray.origin + ray.direction * distance,
            normal,
        }))
    }

    /// Distance (≥ 0) of the body point `p` from the outline.
    pub(crate) fn outline_distance(&self, p: Vec2) -> f64 {
        self.edges().iter().map(|edge| nearest_on(edge, p).0).fold(f64::INFINITY, f64::min)
    }

    /// Whether `p` lies in the material, by parity from what is far away: crossings of the polygon of chords, and for each arc
    /// whether `p` lies between it and its chord. Both ask on which side of the chord `p` is by one number,
    /// so that the seam between them has no gap.
    pub(crate) fn is_within(&self, p: Vec2) -> bool {
        let mut odd = self.is_unbounded();
        for edge in self.edges() {
            let (a, b) = edge.ends();
            let is_right = cross(b - a, p - a) < 0.0;
            if (a.y > p.y) != (b.y > p.y) {
                // The chord crosses the level of p: to the right of p when p is left of an upward chord.
                odd ^= (b.y > a.y) != is_right;
            }
            if let Curve::Circular(arc) = edge.curve() {
                let in_disc = (p - arc.center()).norm() < arc.radius();
                // A counter-clockwise arc bulges to the right of its chord.
                odd ^= in_disc && (arc.is_complete() || is_right != arc.clockwise());
            }
        }
        odd
    }
}

impl CollisionBody {
    /// Signed distance of the disc of `radius` (length) about the world point `center` from the body, as
    /// [`path_distance`](crate::path_distance) has it, and the unit normal out of the body (world) where it is taken. `None` where
    /// the centre lies within the material or on its outline, and for a wall with one active side.
    ///
    /// With the centre outside, no point of the outline is nearer to it than the foot of the distance `d`: apart the gap is
    /// `d − r`, and in overlap the foot lies `r − d` deep in the disc, which no point of either outline exceeds.
    #[must_use]
    pub fn disc_distance(&self, center: impl Into<Vec2>, radius: f64) -> Option<(f64, Vec2)> {
        if self.shape.one_sided_edge().is_some() {
            return None;
        }
        let p = self.to_body(center);
        let feet = self.shape.edges().iter().map(|edge| nearest_on(edge, p));
        let (gap, foot) = feet.reduce(|best, new| if new.0 < best.0 { new } else { best })?;
        let outside = gap > 0.0 && !self.shape.is_within(p);
        outside.then(|| (gap - radius, self.pose.rotate((p - foot) / gap)))
    }

    /// As [`PathShape::distance_to_point`], of a world point at the body's present pose.
    ///
    /// # Errors
    /// As [`PathShape::distance_to_point`].
    pub fn distance_to_point(&self, point: impl Into<Vec2>) -> Result<PointDistance, QueryError> {
        let point: Vec2 = point.into();
        let local = self.shape.distance_to_point(self.to_body(point))?;
        let (normal, nearest) = (self.pose.rotate(local.normal), self.to_world(local.nearest));
        Ok(PointDistance { distance: local.distance, normal, nearest })
    }

    /// As [`PathShape::contains_point`], of a world point at the body's present pose.
    ///
    /// # Errors
    /// As [`PathShape::distance_to_point`].
    pub fn contains_point(&self, point: impl Into<Vec2>) -> Result<bool, QueryError> {
        let point: Vec2 = point.into();
        self.shape.contains_point(self.to_body(point))
    }

    /// As [`PathShape::cast_ray`], of a ray in the world at the body's present pose.
    ///
    /// # Errors
    /// As [`PathShape::cast_ray`].
    pub fn cast_ray(&self, ray: &Ray) -> Result<Option<RayHit>, QueryError> {
        ray.check()?;
        let direction = self.pose.rotate_inverse(ray.direction);
        let local = Ray { origin: self.to_body(ray.origin), direction, reach: ray.reach };
        Ok(self.shape.cast_ray(&local)?.map(|hit| RayHit {
            distance: hit.distance,
            point: ray.origin + ray.direction * hit.distance,
            normal: self.pose.rotate(hit.normal),
        }))
    }
}

/// Distance (≥ 0) and point of the edge nearest to `p`.
fn nearest_on(edge: &Edge, p: Vec2) -> (f64, Vec2) {
    let (a, b) = edge.ends();
    match edge.curve() {
        Curve::Straight(_) => {
            let along = b - a;
            let t = (p - a).dot(&along) / along.norm_squared();
            if 0.0 < t && t < 1.0 {
                return (cross(along, p - a).abs() / along.norm(), a + along * t);
            }
        }
        Curve::Circular(arc) => {
            let out = p - arc.center();
            let length = out.norm();
            if length > 0.0 && arc.contains_direction(p) {
                return ((length - arc.radius()).abs(), arc.center() + out * (arc.radius() / length));
            }
        }
    }
    let (from_a, from_b) = ((p - a).norm(), (p - b).norm());
    if from_a <= from_b { (from_a, a) } else { (from_b, b) }
}

/// Distance along the ray to where it first meets the edge.
fn first_on(edge: &Edge, ray: &Ray) -> Option<f64> {
    let (a, b) = edge.ends();
    let (from_a, from_b) = (a - ray.origin, b - ray.origin);
    let (side_a, side_b) = (cross(ray.direction, from_a), cross(ray.direction, from_b));
    let mut first: Option<f64> = None;
    let mut meets = |t: f64| {
        if t >= 0.0 && first.is_none_or(|least| t < least) {
            first = Some(t);
        }
    };
    for (side, from) in [(side_a, from_a), (side_b, from_b)] {
        if side.abs() <= RAY_END * (from.norm() + ray.origin.norm()) {
            meets(from.dot(&ray.direction));
        }
    }
    match edge.curve() {
        Curve::Straight(_) => {
            // The ends lie on either side: the ray's line passes between them, dividing them so.
            if (side_a < 0.0) != (side_b < 0.0) {
                let along = b - a;
                meets(cross(from_a, along) / cross(ray.direction, along));
            }
        }
        Curve::Circular(arc) => circle_roots(arc, ray).into_iter().flatten().for_each(meets),
    }
    first
}

/// Distances along the ray at which it meets the arc.
fn circle_roots(arc: &CircularEdge, ray: &Ray) -> [Option<f64>; 2] {
    let from_center = ray.origin - arc.center();
    let middle = -from_center.dot(&ray.direction);
    // The distance of the ray's line from the centre, without the cancellation of squares.
    let offset = cross(from_center, ray.direction).abs();
    let half_square = (arc.radius() - offset) * (arc.radius() + offset);
    if !(half_square >= 0.0) {
        return [None; 2];
    }
    let half = half_square.sqrt();
    [middle - half, middle + half]
        .map(|t| Some(t).filter(|&t| arc.contains_direction(ray.origin + ray.direction * t)))
}
