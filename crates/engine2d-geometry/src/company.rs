//! Many path bodies at once: boxes first, outlines where the boxes meet.

use crate::bounds::Bounds;
use crate::broad_phase::{BroadPhase, BroadPhaseError, ProxyId};
use crate::convex::{PointDistance, QueryError, Ray, RayHit};
use crate::filter::CollisionFilter;
use crate::path_impact::path_cast;
use crate::path_pair::{PathDistance, PathWorkspace, PlacedPath, path_distance};
use crate::shape::PathShape;
use engine2d_math::order::Order;
use engine2d_math::{Pose, Vec2};
use std::sync::Arc;

/// Two bodies near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPair {
    /// The body of the smaller number.
    pub a: ProxyId,
    /// The other one.
    pub b: ProxyId,
    /// How far they are apart, or how deep in each other.
    pub distance: PathDistance,
}

/// A body near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPath {
    /// The body.
    pub body: ProxyId,
    /// Where its outline is nearest, and how far away (negative inside).
    pub distance: PointDistance,
}

/// A body that is met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathHit {
    /// The body.
    pub body: ProxyId,
    /// How far along the way (length).
    pub distance: f64,
    /// Where (world).
    pub point: Vec2,
    /// Unit normal out of the body.
    pub normal: Vec2,
}

/// Path bodies where they stand, and questions to all of them: broad and narrow phase in one call.
///
/// ```
/// use engine2d_geometry::{Company, PathShape, Pose, Ray};
/// use std::sync::Arc;
///
/// let ball = Arc::new(PathShape::ball(0.5)?);
/// let mut company = Company::new(0.2);
/// let balls: Vec<_> = (0..100)
///     .map(|k| company.insert(ball.clone(), Pose::new(f64::from(k) * 1.1, 0.0, 0.0)))
///     .collect::<Result<_, _>>()?;
/// // Each is 0.1 away from the next.
/// assert_eq!(company.pairs().len(), 99);
/// company.set_pose(balls[3], Pose::new(3.3, 5.0, 0.0))?;
/// assert_eq!(company.pairs().len(), 97);
/// let near = company.nearest([3.3, 3.0], 2)?;
/// assert_eq!([near[0].body, near[1].body], [balls[3], balls[2]]);
/// let hit = company.ray(&Ray::new([-5.0, 0.0], [1.0, 0.0], 100.0)?)?.unwrap();
/// assert_eq!((hit.body, hit.distance), (balls[0], 4.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Company {
    reach: f64,
    bodies: Vec<Option<(Arc<PathShape>, Pose)>>,
    boxes: BroadPhase,
    workspace: PathWorkspace,
    pairs: Vec<PathPair>,
}

impl Company {
    /// Nobody yet; `reach` (length, finite and ≥ 0, else 0) is how far apart the bodies of a pair may be.
    #[must_use]
    pub fn new(reach: f64) -> Self {
        Self {
            reach: if reach > 0.0 && reach.is_finite() { reach } else { 0.0 },
            bodies: Vec::new(),
            boxes: BroadPhase::new(),
            workspace: PathWorkspace::default(),
            pairs: Vec::new(),
        }
    }

    /// Adds a body with its centre of mass at `pose`.
    ///
    /// # Errors
    /// [`BroadPhaseError::NotABox`] for a pose that is not finite.
    pub fn insert(&mut self, shape: Arc<PathShape>, pose: Pose) -> Result<ProxyId, BroadPhaseError> {
        self.insert_with(shape, pose, CollisionFilter::default())
    }

    /// As [`insert`](Self::insert), for a body that pairs only with some.
    ///
    /// # Errors
    /// As [`insert`](Self::insert).
    pub fn insert_with(
        &mut self,
        shape: Arc<PathShape>,
        pose: Pose,
        filter: CollisionFilter,
    ) -> Result<ProxyId, BroadPhaseError> {
        let body = self.boxes.insert(self.bounds(&shape, &pose), filter)?;
        if self.bodies.len() <= body as usize {
            self.bodies.resize(body as usize + 1, None);
        }
        self.bodies[body as usize] = Some((shape, pose));
        Ok(body)
    }

    /// Moves a body.
    ///
    /// # Errors
    /// [`BroadPhaseError::Unknown`], [`BroadPhaseError::NotABox`] for a pose that is not finite.
    pub fn set_pose(&mut self, body: ProxyId, pose: Pose) -> Result<(), BroadPhaseError> {
        let Some((shape, _)) = self.bodies.get(body as usize).cloned().flatten() else {
            return Err(BroadPhaseError::Unknown { proxy: body });
        };
        self.boxes.set_bounds(body, self.bounds(&shape, &pose))?;
        self.bodies[body as usize] = Some((shape, pose));
        Ok(())
    }

    /// Removes a body. Its number is used again.
    ///
    /// # Errors
    /// [`BroadPhaseError::Unknown`].
    pub fn remove(&mut self, body: ProxyId) -> Result<(), BroadPhaseError> {
        self.boxes.remove(body)?;
        self.bodies[body as usize] = None;
        Ok(())
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// Whether there is nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// A body where it stands, `None` if there is none of that number.
    #[must_use]
    pub fn placed(&self, body: ProxyId) -> Option<PlacedPath<'_>> {
        let (shape, pose) = self.bodies.get(body as usize)?.as_ref()?;
        Some(PlacedPath::new(shape, *pose))
    }

    /// All pairs within the reach, in ascending order, with their exact signed distances.
    pub fn pairs(&mut self) -> &[PathPair] {
        self.pairs.clear();
        self.boxes.update();
        for &(a, b) in self.boxes.pairs() {
            let (Some((shape_a, pose_a)), Some((shape_b, pose_b))) =
                (&self.bodies[a as usize], &self.bodies[b as usize])
            else {
                continue;
            };
            let (first, second) = (PlacedPath::new(shape_a, *pose_a), PlacedPath::new(shape_b, *pose_b));
            let found = path_distance(&first, &second, self.reach, &mut self.workspace);
            self.pairs.extend(found.map(|distance| PathPair { a, b, distance }));
        }
        &self.pairs
    }

    /// The `count` bodies nearest to a point, the nearest first, by the distance from their outlines.
    ///
    /// # Errors
    /// [`QueryError::NotFinite`], [`QueryError::Range`].
    pub fn nearest(&self, point: impl Into<Vec2>, count: usize) -> Result<Vec<NearPath>, QueryError> {
        let point = point.into();
        if !(point.x.is_finite() && point.y.is_finite()) {
            return Err(QueryError::NotFinite { which: 1 });
        }
        // By how near they can be at least: those behind the last of the nearest need no look.
        let mut ahead: Vec<(f64, ProxyId)> = Vec::with_capacity(self.len());
        for (k, body) in self.bodies.iter().enumerate() {
            if let Some((shape, pose)) = body {
                let (center, radius) = circle(shape, pose);
                let least =
                    if shape.is_unbounded() { f64::NEG_INFINITY } else { (center - point).norm() - radius };
                ahead.push((least, k as ProxyId));
            }
        }
        ahead.order_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut found: Vec<NearPath> = Vec::new();
        for (least, body) in ahead {
            if count == 0 || found.len() == count && found[count - 1].distance.distance < least {
                break;
            }
            let Some(placed) = self.placed(body) else { continue };
            let distance = distance_of(&placed, point)?;
            let place = found.partition_point(|near| near.distance.distance <= distance.distance);
            found.insert(place, NearPath { body, distance });
            found.truncate(count);
        }
        Ok(found)
    }

    /// The first body that a ray meets.
    ///
    /// # Errors
    /// Those of [`Ray::new`] for a ray that is none, [`QueryError::Range`].
    pub fn ray(&mut self, ray: &Ray) -> Result<Option<PathHit>, QueryError> {
        ray.check()?;
        self.boxes.update();
        let (mut best, mut failed): (Option<PathHit>, _) = (None, None);
        self.boxes.along_ray(ray.origin, ray.direction, ray.reach, |body, limit| {
            let Some(placed) = self.placed(body) else { return limit };
            match ray_on(&placed, ray) {
                Ok(Some(hit)) if best.is_none_or(|best| hit.distance < best.distance) => {
                    let RayHit { distance, point, normal } = hit;
                    best = Some(PathHit { body, distance, point, normal });
                    distance.min(limit)
                }
                Ok(_) => limit,
                Err(error) => {
                    failed = Some(error);
                    0.0
                }
            }
        });
        failed.map_or(Ok(best), Err)
    }

    /// The first body that a shape meets when it is pushed from `pose` by `way` (length), without turning.
    ///
    /// # Errors
    /// [`QueryError::NotFinite`] for a pose or way that is not finite.
    pub fn cast(
        &mut self,
        shape: &PathShape,
        pose: Pose,
        way: impl Into<Vec2>,
    ) -> Result<Option<PathHit>, QueryError> {
        let way = way.into();
        self.boxes.update();
        let pushed = PlacedPath::new(shape, pose);
        let (center, radius) = circle(shape, &pose);
        let swept = Bounds::of_circle(center, radius).union(&Bounds::of_circle(center + way, radius));
        let mut near = Vec::new();
        self.boxes.in_region(&swept, |body| near.push(body));
        near.order();
        let mut best: Option<PathHit> = None;
        let mut workspace = std::mem::take(&mut self.workspace);
        for body in near {
            let Some(placed) = self.placed(body) else { continue };
            let met = path_cast(&pushed, way, &placed, &mut workspace)?;
            if let Some((distance, place)) = met.filter(|met| best.is_none_or(|best| met.0 < best.distance)) {
                best = Some(PathHit { body, distance, point: place.point_b, normal: place.normal });
            }
        }
        self.workspace = workspace;
        Ok(best)
    }

    fn bounds(&self, shape: &PathShape, pose: &Pose) -> Bounds {
        if shape.is_unbounded() {
            return Bounds::EVERYTHING;
        }
        let (center, radius) = circle(shape, pose);
        Bounds::of_circle(center, radius + 0.5 * self.reach)
    }
}

/// A circle about the outline (world).
fn circle(shape: &PathShape, pose: &Pose) -> (Vec2, f64) {
    let (center, radius) = shape.outline_circle();
    (PlacedPath::new(shape, *pose).to_world(center), radius)
}

fn to_body(placed: &PlacedPath<'_>, point: Vec2) -> Vec2 {
    placed.center_of_mass + placed.pose.rotate_inverse(point - placed.pose.position())
}

fn distance_of(placed: &PlacedPath<'_>, point: Vec2) -> Result<PointDistance, QueryError> {
    let local = placed.shape.distance_to_point(to_body(placed, point))?;
    let (normal, nearest) = (placed.pose.rotate(local.normal), placed.to_world(local.nearest));
    Ok(PointDistance { distance: local.distance, normal, nearest })
}

fn ray_on(placed: &PlacedPath<'_>, ray: &Ray) -> Result<Option<RayHit>, QueryError> {
    let direction = placed.pose.rotate_inverse(ray.direction);
    let local = Ray { origin: to_body(placed, ray.origin), direction, reach: ray.reach };
    Ok(placed.shape.cast_ray(&local)?.map(|hit| RayHit {
        distance: hit.distance,
        point: ray.origin + ray.direction * hit.distance,
        normal: placed.pose.rotate(hit.normal),
    }))
}
