//! What collision detection knows of a body: shape, pose now and before, velocity, tolerances, filters.

use crate::bounds::Bounds;
use crate::filter::{CollisionFilter, IgnoredEdges};
use crate::shape::PathShape;
use engine2d_math::{Pose, Vec2, perp};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A body of a record: one of the detected bodies by index, or the immovable ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BodyRef {
    /// The world frame: identity pose, no geometry, never moves.
    Ground,
    /// Index into the list of bodies.
    Body(u32),
}

impl BodyRef {
    /// The index, `None` for the ground.
    #[inline]
    #[must_use]
    pub fn index(self) -> Option<usize> {
        match self {
            Self::Ground => None,
            Self::Body(i) => Some(i as usize),
        }
    }
}

impl fmt::Display for BodyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ground => write!(f, "ground"),
            Self::Body(i) => write!(f, "body {i}"),
        }
    }
}

/// Contact tolerances of a body. A pair uses the larger of the two values of each.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tolerances {
    /// Gap below which features touch (length). Default 0.01: half of it is kept as the target gap of
    /// resting contacts, so it is the visible clearance.
    pub distance: f64,
    /// Normal speed below which a touching pair rests (length/time). Default 0.5; larger values stop
    /// bounces earlier.
    pub velocity: f64,
    /// Fraction in `(0, 1]` of the target gap within which a collision is located. Default 0.6; smaller
    /// values locate more precisely at the price of steps.
    pub accuracy: f64,
}

impl Tolerances {
    /// The tolerances of the ground: every body's own are larger.
    pub const NONE: Self = Self { distance: 0.0, velocity: 0.0, accuracy: 0.0 };

    /// The larger value of each, which a pair uses.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            distance: self.distance.max(other.distance),
            velocity: self.velocity.max(other.velocity),
            accuracy: self.accuracy.max(other.accuracy),
        }
    }
}

impl Default for Tolerances {
    fn default() -> Self {
        Self { distance: 0.01, velocity: 0.5, accuracy: 0.6 }
    }
}

/// The frame of a body at the beginning of a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OldPose {
    /// Position of the centre of mass in the world.
    pub position: Vec2,
    /// Sine of the angle.
    pub sin: f64,
    /// Cosine of the angle.
    pub cos: f64,
}

impl OldPose {
    pub(crate) fn rotate(&self, v: Vec2) -> Vec2 {
        Vec2::new(v.x * self.cos - v.y * self.sin, v.x * self.sin + v.y * self.cos)
    }

    pub(crate) fn rotate_inverse(&self, v: Vec2) -> Vec2 {
        let sin = -self.sin;
        Vec2::new(v.x * self.cos - v.y * sin, v.x * sin + v.y * self.cos)
    }
}

/// A body as collision detection sees it.
#[derive(Clone, Debug)]
pub struct CollisionBody {
    /// Its shape.
    pub shape: Arc<PathShape>,
    /// Centre of mass in body coordinates; it need not be the body origin.
    pub center_of_mass: Vec2,
    /// World position of the centre of mass, and angle.
    pub pose: Pose,
    /// Frame at the beginning of the step, if there is a motion to follow.
    pub old: Option<OldPose>,
    /// Velocity of the centre of mass (length/time).
    pub velocity: Vec2,
    /// Angular velocity (radians/time, counter-clockwise).
    pub angular_velocity: f64,
    /// Whether the body is immovable; its velocity then counts as zero.
    pub fixed: bool,
    /// Contact tolerances.
    pub tolerances: Tolerances,
    /// How low the centre of mass can be on a floor; limits the speed for the cheap pair test.
    pub min_height: f64,
    /// Bodies this one never collides with.
    pub ignored_bodies: Vec<u32>,
    /// Which groups the body is of, and with which it collides.
    pub filter: CollisionFilter,
    /// Unit normal (body frame) of the only side from which others collide with the body; `None`: all sides.
    pub one_way: Option<Vec2>,
    /// Edges of other bodies this one never collides with.
    pub ignored_edges: Vec<IgnoredEdges>,
}

impl CollisionBody {
    /// A body of `shape` at the identity pose with default tolerances.
    #[must_use]
    pub fn new(shape: Arc<PathShape>) -> Self {
        let center_of_mass = shape.center_of_mass();
        Self {
            min_height: shape.min_height(center_of_mass),
            shape,
            center_of_mass,
            pose: Pose::IDENTITY,
            old: None,
            velocity: Vec2::zeros(),
            angular_velocity: 0.0,
            fixed: false,
            tolerances: Tolerances::default(),
            ignored_bodies: Vec::new(),
            filter: CollisionFilter::default(),
            one_way: None,
            ignored_edges: Vec::new(),
        }
    }

    /// A body point in world coordinates.
    #[inline(always)]
    #[must_use]
    pub fn to_world(&self, p: impl Into<Vec2>) -> Vec2 {
        let p: Vec2 = p.into();
        self.pose.transform(p - self.center_of_mass)
    }

    /// A world point in body coordinates.
    #[inline]
    #[must_use]
    pub fn to_body(&self, p: impl Into<Vec2>) -> Vec2 {
        let p: Vec2 = p.into();
        self.center_of_mass + self.pose.rotate_inverse(p - self.pose.position())
    }

    /// A body point in world coordinates at the beginning of the step.
    #[inline]
    #[must_use]
    pub fn old_to_world(&self, old: &OldPose, p: impl Into<Vec2>) -> Vec2 {
        let p: Vec2 = p.into();
        old.position + old.rotate(p - self.center_of_mass)
    }

    /// A world point at the beginning of the step in body coordinates.
    #[inline]
    #[must_use]
    pub(crate) fn old_to_body(&self, old: &OldPose, p: Vec2) -> Vec2 {
        self.center_of_mass + old.rotate_inverse(p - old.position)
    }

    /// Velocity of the body-fixed point at offset `r` (world axes) from the centre of mass; zero for a
    /// fixed body.
    #[inline]
    #[must_use]
    pub fn velocity_at(&self, r: impl Into<Vec2>) -> Vec2 {
        let r: Vec2 = r.into();
        if self.fixed { Vec2::zeros() } else { self.velocity + self.angular_velocity * perp(r) }
    }

    /// The support function: the largest `direction · p` over the points `p` of the outline (world), infinite for an unbounded
    /// one. A line across a unit direction `n` parts two bodies where `−first.support(−n) − second.support(n)` is positive.
    #[must_use]
    pub fn support(&self, direction: impl Into<Vec2>) -> f64 {
        let direction: Vec2 = direction.into();
        direction.dot(&self.to_world(Vec2::zeros())) + self.shape.support(self.pose.rotate_inverse(direction))
    }

    /// Moves the body by a world vector (length); angle and velocity stay.
    #[inline]
    pub fn translate(&mut self, by: impl Into<Vec2>) {
        let by: Vec2 = by.into();
        let position = self.pose.position() + by;
        self.pose.set_position(position);
    }

    /// Remembers the present frame as the beginning of a motion.
    pub fn save_old_pose(&mut self) {
        self.old =
            Some(OldPose { position: self.pose.position(), sin: self.pose.sin(), cos: self.pose.cos() });
    }

    /// Whether the body declares that it never collides with the body of index `other`.
    #[inline]
    #[must_use]
    pub fn ignores_body(&self, other: u32) -> bool {
        self.ignored_bodies.contains(&other)
    }

    /// Whether the body declares anything that it never collides with.
    #[must_use]
    pub fn ignores_some(&self) -> bool {
        !(self.ignored_bodies.is_empty() && self.ignored_edges.is_empty())
    }

    /// Whether the body declares that it never collides with that edge of the body of index `other`.
    #[inline]
    #[must_use]
    pub fn ignores_edge(&self, other: u32, edge: u32) -> bool {
        self.ignored_edges.iter().any(|r| r.contains(other, edge))
    }

    /// World position of the centre of the enclosing circle.
    #[inline]
    #[must_use]
    pub fn world_centroid(&self) -> Vec2 {
        self.to_world(self.shape.centroid())
    }

    /// A box that contains the outline (world): of the circle about it and the turned box of the shape the part that both share.
    /// Everything for an unbounded one.
    #[must_use]
    pub fn outline_bounds(&self) -> Bounds {
        if self.shape.is_unbounded() {
            return Bounds::EVERYTHING;
        }
        let (center, radius) = self.shape.outline_circle();
        let circle = Bounds::of_circle(self.to_world(center), radius);
        let local = self.shape.bounds();
        let (sin, cos) = (self.pose.sin().abs(), self.pose.cos().abs());
        let (w, h) = (local.width() / 2.0, local.height() / 2.0);
        let (middle, half) = (self.to_world(local.center()), Vec2::new(cos * w + sin * h, sin * w + cos * h));
        let (low, high) = (middle - half, middle + half);
        let min = Vec2::new(circle.min.x.max(low.x), circle.min.y.max(low.y));
        Bounds { min, max: Vec2::new(circle.max.x.min(high.x), circle.max.y.min(high.y)) }
    }

    /// The box of all vertices as they are placed (world), auxiliary ones of arcs included: an arc leaves it by at
    /// most its chord error.
    #[must_use]
    pub fn world_extents(&self) -> Bounds {
        Bounds::of_points(self.shape.vertices().iter().map(|v| self.to_world(v.point)))
    }

    /// The points at which a user may take hold of the body (world), in the order of
    /// [`PathShape::drag_points`].
    pub fn world_drag_points(&self) -> impl Iterator<Item = Vec2> + '_ {
        self.shape.drag_points().iter().map(|p| self.to_world(*p))
    }
}
