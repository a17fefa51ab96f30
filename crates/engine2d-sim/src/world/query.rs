//! Looking for bodies: along a ray, at a point, in a region, nearest to a point, in the way of a shape.

use super::World;
use super::identity::{BodyId, BodyKey};
use crate::body::view::BodyView;
use crate::error::SimError;
use crate::instrument::circle_of;
use engine2d_geometry::{
    Bounds, CollisionFilter, PathShape, PathWorkspace, PlacedPath, QueryError, Ray, path_cast, path_distance,
};
use engine2d_math::order::Order;
use engine2d_math::{Pose, Vec2};

/// What a ray or a cast shape meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The body.
    pub body: BodyId,
    /// Way to it along the direction (length).
    pub distance: f64,
    /// Where it is met (world).
    pub point: Vec2,
    /// Unit normal out of the body there (world).
    pub normal: Vec2,
}

/// The body nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// The body.
    pub body: BodyId,
    /// Signed distance of the point from its outline (length); negative inside.
    pub distance: f64,
    /// The nearest point of the outline (world).
    pub point: Vec2,
    /// Unit normal out of the body there (world).
    pub normal: Vec2,
}

/// A question to a world. Sensors are left out unless they are asked for.
///
/// ```
/// use engine2d_sim::{Body, SimError, World};
///
/// let world = World::builder()
///     .body(Body::block(10.0, 1.0).fixed().at(0.0, -0.5).named("floor"))
///     .body(Body::ball(0.5).at(0.0, 2.0).named("ball"))
///     .build()?;
/// let hit = world.query().ray([0.0, 10.0], [0.0, -1.0], f64::INFINITY)?.expect("the ball is below");
/// assert_eq!(world.body(hit.body)?.name(), "ball");
/// assert!((hit.distance - 7.5).abs() < 1e-12);
/// let below = world.query().without(hit.body)?.ray([0.0, 10.0], [0.0, -1.0], 20.0)?.expect("the floor");
/// assert_eq!(world.body(below.body)?.name(), "floor");
/// assert_eq!(world.query().at_point([0.1, 2.1])?, [hit.body]);
/// # Ok::<(), SimError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query<'w> {
    world: &'w World,
    filter: CollisionFilter,
    sensors: bool,
    without: Vec<usize>,
}

impl World {
    /// A question about where bodies are now.
    #[must_use]
    pub fn query(&self) -> Query<'_> {
        Query { world: self, filter: CollisionFilter::default(), sensors: false, without: Vec::new() }
    }
}

impl<'w> Query<'w> {
    /// Asks only for bodies that would collide with one of this filter.
    #[must_use]
    pub fn colliding_with(mut self, filter: CollisionFilter) -> Self {
        self.filter = filter;
        self
    }

    /// Asks for sensors too.
    #[must_use]
    pub fn and_sensors(mut self) -> Self {
        self.sensors = true;
        self
    }

    /// Leaves a body out.
    ///
    /// # Errors
    /// [`SimError`] for a body that is not there.
    pub fn without<'a>(mut self, body: impl Into<BodyKey<'a>>) -> Result<Self, SimError> {
        self.without.push(self.world.bodies.find(body.into())?);
        Ok(self)
    }

    /// The bodies asked about.
    fn bodies(&self) -> impl Iterator<Item = BodyView<'w>> + '_ {
        self.world.bodies().filter(|body| {
            let filter = body.data.senses.unwrap_or(body.collision.filter);
            let asked = self.sensors || !body.is_sensor();
            asked && filter.meets(&self.filter) && !self.without.contains(&body.index)
        })
    }

    /// The first body that a ray meets within `reach` (length, may be infinite). The direction may have any length. A ray that
    /// begins within a body meets it at distance 0.
    ///
    /// # Errors
    /// [`SimError::Value`] for numbers that are not finite and for a direction of no length.
    pub fn ray(
        &self,
        origin: impl Into<Vec2>,
        direction: impl Into<Vec2>,
        reach: f64,
    ) -> Result<Option<Hit>, SimError> {
        Ok(self.ray_all(origin, direction, reach)?.into_iter().next())
    }

    /// All bodies that a ray meets, the nearest first.
    ///
    /// # Errors
    /// As [`ray`](Self::ray).
    pub fn ray_all(
        &self,
        origin: impl Into<Vec2>,
        direction: impl Into<Vec2>,
        reach: f64,
    ) -> Result<Vec<Hit>, SimError> {
        let origin = finite("ray.origin", origin.into())?;
        let direction = unit("ray.direction", direction.into())?;
        let reach = length("ray.reach", reach)?;
        let ray = Ray { origin, direction, reach };
        let mut hits = Vec::new();
        for body in self.bodies() {
            let (center, radius) = circle_of(body.collision);
            let to = center - origin;
            let along = to.dot(&direction).clamp(0.0, reach);
            if (to - direction * along).norm() > radius {
                continue;
            }
            let met = body.collision.cast_ray(&ray).map_err(|error| refused(&body, &error))?;
            hits.extend(met.map(|met| Hit {
                body: body.id(),
                distance: met.distance,
                point: met.point,
                normal: met.normal,
            }));
        }
        hits.order_by(|a, b| a.distance.total_cmp(&b.distance).then(a.body.cmp(&b.body)));
        Ok(hits)
    }

    /// The bodies that a point is within, in order of their places.
    ///
    /// # Errors
    /// [`SimError::Value`] for a point that is not finite.
    pub fn at_point(&self, point: impl Into<Vec2>) -> Result<Vec<BodyId>, SimError> {
        let point = finite("point", point.into())?;
        let mut found = Vec::new();
        for body in self.bodies() {
            let (center, radius) = circle_of(body.collision);
            let near = (center - point).norm() <= radius;
            if near && body.collision.contains_point(point).map_err(|error| refused(&body, &error))? {
                found.push(body.id());
            }
        }
        Ok(found)
    }

    /// The bodies whose outlines have a point in a box (world) or that contain it, in order of their places.
    ///
    /// # Errors
    /// [`SimError::Value`] for a box that is not finite or has no area.
    pub fn in_region(&self, region: Bounds) -> Result<Vec<BodyId>, SimError> {
        finite("region.min", region.min)?;
        finite("region.max", region.max)?;
        let (width, height) = (region.width(), region.height());
        let shape = PathShape::block(width, height).map_err(|_| SimError::Value {
            path: "region".to_owned(),
            value: width.min(height),
            allowed: "the box must have a width and a height > 0",
        })?;
        let center = region.center();
        self.overlapping(&shape, &Pose::new(center.x, center.y, 0.0))
    }

    /// The bodies that a shape at a pose overlaps or touches, in order of their places.
    ///
    /// # Errors
    /// [`SimError::Value`] for a pose that is not finite.
    pub fn overlapping(&self, shape: &PathShape, pose: &Pose) -> Result<Vec<BodyId>, SimError> {
        finite("pose", pose.position())?;
        let mut workspace = PathWorkspace::default();
        let placed = PlacedPath::new(shape, *pose);
        let near = |body: &BodyView<'_>, workspace: &mut PathWorkspace| {
            path_distance(&placed, &body.collision.placed(), 0.0, workspace).is_some()
        };
        Ok(self.bodies().filter(|body| near(body, &mut workspace)).map(|body| body.id()).collect())
    }

    /// The body nearest to a point within `reach` (length, may be infinite), by the distance from its outline, negative inside.
    ///
    /// # Errors
    /// [`SimError::Value`] for numbers that are not finite.
    pub fn nearest(&self, point: impl Into<Vec2>, reach: f64) -> Result<Option<Near>, SimError> {
        let point = finite("point", point.into())?;
        let reach = length("reach", reach)?;
        let mut best: Option<Near> = None;
        for body in self.bodies() {
            let (center, radius) = circle_of(body.collision);
            let most = best.map_or(reach, |near| near.distance);
            if (center - point).norm() - radius > most {
                continue;
            }
            let found = body.collision.distance_to_point(point).map_err(|error| refused(&body, &error))?;
            if found.distance < most || best.is_none() && found.distance <= most {
                let (distance, normal) = (found.distance, found.normal);
                best = Some(Near { body: body.id(), distance, point: found.nearest, normal });
            }
        }
        Ok(best)
    }

    /// The first body that a shape meets when it is moved from a pose along a direction, without turning, by at most `reach`
    /// (length). One that it overlaps at the start is met at distance 0.
    ///
    /// # Errors
    /// [`SimError::Value`] for numbers that are not finite, an infinite reach, and a direction of no length.
    pub fn cast(
        &self,
        shape: &PathShape,
        pose: &Pose,
        direction: impl Into<Vec2>,
        reach: f64,
    ) -> Result<Option<Hit>, SimError> {
        let start = finite("cast.pose", pose.position())?;
        let direction = unit("cast.direction", direction.into())?;
        let reach = length("cast.reach", reach)?;
        if reach.is_infinite() {
            let allowed = "a shape is cast by a finite way";
            return Err(SimError::Value { path: "cast.reach".to_owned(), value: reach, allowed });
        }
        let pushed = PlacedPath::new(shape, Pose::new(start.x, start.y, pose.angle()));
        let mut workspace = PathWorkspace::default();
        let mut best: Option<Hit> = None;
        for body in self.bodies() {
            let most = best.map_or(reach, |hit| hit.distance);
            let found = path_cast(&pushed, direction * most, &body.collision.placed(), &mut workspace)
                .map_err(|error| refused(&body, &error))?;
            if let Some((distance, place)) = found
                && best.is_none_or(|hit| distance < hit.distance)
            {
                best = Some(Hit { body: body.id(), distance, point: place.point_b, normal: place.normal });
            }
        }
        Ok(best)
    }
}

fn refused(body: &BodyView<'_>, error: &QueryError) -> SimError {
    SimError::Query { body: body.name().to_owned(), message: error.to_string() }
}

fn finite(path: &str, point: Vec2) -> Result<Vec2, SimError> {
    match [point.x, point.y].into_iter().find(|v| !v.is_finite()) {
        None => Ok(point),
        Some(value) => {
            Err(SimError::Value { path: path.to_owned(), value, allowed: "must be a finite number" })
        }
    }
}

fn unit(path: &str, direction: Vec2) -> Result<Vec2, SimError> {
    let direction = finite(path, direction)?;
    let value = direction.norm();
    if value > 0.0 && value.is_finite() {
        return Ok(direction / value);
    }
    Err(SimError::Value { path: path.to_owned(), value, allowed: "the direction must have a length" })
}

fn length(path: &str, value: f64) -> Result<f64, SimError> {
    if value >= 0.0 {
        return Ok(value);
    }
    Err(SimError::Value { path: path.to_owned(), value, allowed: "must be >= 0" })
}
