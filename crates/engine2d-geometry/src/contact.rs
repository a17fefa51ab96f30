//! The contact record: one pair of features of two bodies, its gap, normal and motion.

use crate::body::{BodyRef, CollisionBody, Tolerances};
use crate::tolerance::{ESTIMATE_MIN, ESTIMATE_SPEED};
use engine2d_math::Vec2;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which features meet: indices into the vertex and edge lists of the primary and the normal body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Features {
    /// A vertex of the primary body on an edge of the normal body.
    VertexEdge {
        /// Vertex of the primary body.
        vertex: u32,
        /// Edge of the normal body.
        edge: u32,
    },
    /// A vertex of the primary body near a vertex of the normal body.
    VertexVertex {
        /// Vertex of the primary body.
        vertex: u32,
        /// Vertex of the normal body.
        other: u32,
    },
    /// A circular edge of the primary body on an edge of the normal body.
    EdgeEdge {
        /// Edge of the primary body.
        edge: u32,
        /// Edge of the normal body.
        other: u32,
    },
    /// A row made by a higher layer (a joint, a rope), by its number there; similar to nothing.
    Connector(u32),
    /// A row of a constraint of a higher layer's library, by its number there; similar to nothing.
    Joint(u32),
}

/// Identity of a contact from step to step: its bodies in their roles, and its features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContactId {
    /// Owner of the vertex or of the first edge.
    pub primary: BodyRef,
    /// Owner of the edge that defines the normal.
    pub normal_body: BodyRef,
    /// The features that meet.
    pub features: Features,
}

impl fmt::Display for ContactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (p, n) = (self.primary, self.normal_body);
        match self.features {
            Features::VertexEdge { vertex, edge } => {
                write!(f, "vertex {vertex} of {p} on edge {edge} of {n}")
            }
            Features::VertexVertex { vertex, other } => {
                write!(f, "vertex {vertex} of {p} at vertex {other} of {n}")
            }
            Features::EdgeEdge { edge, other } => write!(f, "edge {edge} of {p} on edge {other} of {n}"),
            Features::Connector(i) => write!(f, "connector {i} between {p} and {n}"),
            Features::Joint(i) => write!(f, "joint {i} between {p} and {n}"),
        }
    }
}

/// The geometry of a record before its kinematics are known; what detection and connectors provide.
#[derive(Clone, Copy, Debug)]
pub struct ContactGeometry {
    /// Bodies and features.
    pub id: ContactId,
    /// Gap along the normal (length): positive separated, negative penetrating.
    pub distance: f64,
    /// Unit normal out of the normal body, towards the primary body (world).
    pub normal: Vec2,
    /// Impact point on the primary body (world).
    pub point: Vec2,
    /// Impact point on the normal body where it is another one (world).
    pub normal_point: Option<Vec2>,
    /// Whether the feature of the primary body is curved.
    pub primary_curved: bool,
    /// Whether the feature that defines the normal is curved.
    pub normal_curved: bool,
    /// Signed radius of curvature on the primary side; gap-inflated where detection says so. `None` at a corner that
    /// meets a corner: it has none.
    pub primary_radius: Option<f64>,
    /// Signed radius of curvature on the normal side; gap-inflated where detection says so.
    pub normal_radius: f64,
    /// From the primary centre of mass to the primary circle's centre, for curved edges.
    pub primary_center: Option<Vec2>,
    /// From the normal body's centre of mass to the circle's centre, for curved edges.
    pub normal_center: Option<Vec2>,
    /// Whether the normal is constant in the world.
    pub normal_fixed: bool,
    /// Time derivative of the normal where a curve prescribes it.
    pub normal_rate: Option<Vec2>,
    /// Whether the row is bilateral (a joint).
    pub bilateral: bool,
    /// Tolerances to use instead of the pair's, for rows with their own.
    pub tolerances: Option<Tolerances>,
}

impl ContactGeometry {
    /// The geometry of two straight features, all else to be filled in.
    #[must_use]
    pub fn straight(id: ContactId) -> Self {
        Self {
            id,
            distance: 0.0,
            normal: Vec2::zeros(),
            point: Vec2::zeros(),
            normal_point: None,
            primary_curved: false,
            normal_curved: false,
            primary_radius: Some(f64::INFINITY),
            normal_radius: f64::INFINITY,
            primary_center: None,
            normal_center: None,
            normal_fixed: false,
            normal_rate: None,
            bilateral: false,
            tolerances: None,
        }
    }
}

/// What was known when a record was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detection {
    /// Simulated time.
    pub time: f64,
    /// Gap then.
    pub distance: f64,
    /// Normal velocity then.
    pub velocity: f64,
}

/// A contact, collision or connector row between two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// Bodies and features.
    pub id: ContactId,
    /// Gap along the normal (length): positive separated, negative penetrating.
    pub distance: f64,
    /// Unit normal out of the normal body, towards the primary body (world).
    pub normal: Vec2,
    /// Impact point on the primary body (world).
    pub point: Vec2,
    /// Impact point on the normal body; the same point unless a connector gives another (world).
    pub normal_point: Vec2,
    /// Whether the feature of the primary body is curved.
    pub primary_curved: bool,
    /// Whether the feature that defines the normal is curved.
    pub normal_curved: bool,
    /// Signed radius of curvature on the primary side, as detected (gap included); `None` at a corner that meets a
    /// corner: it has none.
    pub primary_radius: Option<f64>,
    /// Signed radius of curvature on the normal side, as detected (gap included).
    pub normal_radius: f64,
    /// Whether the normal is constant in the world.
    pub normal_fixed: bool,
    /// Time derivative of the normal where a curve prescribes it.
    pub normal_rate: Option<Vec2>,
    /// Whether the row is bilateral.
    pub bilateral: bool,
    /// Tolerances of the pair.
    pub tolerances: Tolerances,
    /// From the primary centre of mass to the impact point.
    pub r1: Vec2,
    /// From the normal body's centre of mass to its impact point.
    pub r2: Vec2,
    /// As `r1`, but to the centre of curvature of a curved primary edge: the point whose motion governs
    /// the gap.
    pub u1: Vec2,
    /// As `r2`, but to the centre of curvature of a curved normal edge.
    pub u2: Vec2,
    /// Normal velocity (negative approaching) when the record was made or last updated.
    pub velocity: f64,
    /// State when the record was found.
    pub detection: Detection,
    /// Estimated time at which the gap equals the target gap.
    pub estimate: Option<f64>,
}

impl Contact {
    /// A record from its geometry, with tolerances, lever arms and velocity of the bodies as they are, found
    /// at `time`.
    #[must_use]
    pub fn new(geometry: &ContactGeometry, bodies: &[CollisionBody], time: f64) -> Self {
        let tolerances_of = |b: BodyRef| b.index().map_or(Tolerances::NONE, |i| bodies[i].tolerances);
        let ContactId { primary, normal_body, .. } = geometry.id;
        let mut contact = Self {
            id: geometry.id,
            distance: geometry.distance,
            normal: geometry.normal,
            point: geometry.point,
            normal_point: geometry.normal_point.unwrap_or(geometry.point),
            primary_curved: geometry.primary_curved,
            normal_curved: geometry.normal_curved,
            primary_radius: geometry.primary_radius,
            normal_radius: geometry.normal_radius,
            normal_fixed: geometry.normal_fixed,
            normal_rate: geometry.normal_rate,
            bilateral: geometry.bilateral,
            tolerances: geometry
                .tolerances
                .unwrap_or_else(|| tolerances_of(primary).max(tolerances_of(normal_body))),
            r1: Vec2::zeros(),
            r2: Vec2::zeros(),
            u1: Vec2::zeros(),
            u2: Vec2::zeros(),
            velocity: 0.0,
            detection: Detection { time, distance: geometry.distance, velocity: 0.0 },
            estimate: None,
        };
        contact.refresh_kinematics(geometry.primary_center, geometry.normal_center, bodies);
        contact.detection.velocity = contact.velocity;
        if !contact.bilateral && contact.velocity < -ESTIMATE_SPEED {
            contact.estimate = Some(time + (contact.target_gap() - contact.distance) / contact.velocity);
        }
        contact
    }

    /// Recomputes lever arms and normal velocity from the bodies; the centres are those of curved edges,
    /// relative to the centres of mass.
    pub(crate) fn refresh_kinematics(
        &mut self,
        primary_center: Option<Vec2>,
        normal_center: Option<Vec2>,
        bodies: &[CollisionBody],
    ) {
        let center_of = |b: BodyRef| b.index().map_or(Vec2::zeros(), |i| bodies[i].pose.position());
        let velocity_of = |b: BodyRef, r: Vec2| b.index().map_or(Vec2::zeros(), |i| bodies[i].velocity_at(r));
        self.r1 = self.point - center_of(self.id.primary);
        self.r2 = self.normal_point - center_of(self.id.normal_body);
        self.u1 = primary_center.unwrap_or(self.r1);
        self.u2 = normal_center.unwrap_or(self.r2);
        let relative = velocity_of(self.id.primary, self.u1) - velocity_of(self.id.normal_body, self.u2);
        self.velocity = self.normal.dot(&relative);
    }

    /// The gap at which a collision is handled: half the distance tolerance, 0 for bilateral rows.
    #[inline]
    #[must_use]
    pub fn target_gap(&self) -> f64 {
        if self.bilateral { 0.0 } else { self.tolerances.distance / 2.0 }
    }

    /// Half width of the band about the target gap that counts as located.
    #[inline]
    #[must_use]
    pub fn accuracy_band(&self) -> f64 {
        self.tolerances.accuracy * self.tolerances.distance / 2.0
    }

    /// Gap minus target gap.
    #[inline]
    #[must_use]
    pub fn distance_to_target(&self) -> f64 {
        self.distance - self.target_gap()
    }

    /// Whether the pair rests: slow, separated and within the distance tolerance (all strictly), or a joint.
    #[inline]
    #[must_use]
    pub fn is_contact(&self) -> bool {
        self.bilateral
            || (self.velocity.abs() < self.tolerances.velocity
                && 0.0 < self.distance
                && self.distance < self.tolerances.distance)
    }

    /// Whether the gap is below the distance tolerance (penetration included), or the row is a joint.
    #[inline]
    #[must_use]
    pub fn is_touching(&self) -> bool {
        self.bilateral || self.distance < self.tolerances.distance
    }

    /// Whether the bodies penetrate.
    #[inline]
    #[must_use]
    pub fn is_illegal(&self) -> bool {
        !self.bilateral && self.distance < 0.0
    }

    /// Whether the bodies penetrate, or approach fast below the located band.
    #[inline]
    #[must_use]
    pub fn is_colliding(&self) -> bool {
        !self.bilateral
            && (self.distance < 0.0
                || (self.velocity < -self.tolerances.velocity
                    && self.distance < self.target_gap() - self.accuracy_band()))
    }

    /// Whether the collision is located: a contact, or within the band about the target gap; any positive
    /// gap below the band's end is enough when `allow_tiny`.
    #[inline]
    #[must_use]
    pub fn is_close_enough(&self, allow_tiny: bool) -> bool {
        let (gap, band) = (self.target_gap(), self.accuracy_band());
        let low = if allow_tiny { 0.0 } else { gap - band };
        self.is_contact() || (low < self.distance && self.distance < gap + band)
    }

    /// Refines the estimated collision time from the motion between `time` (now, after backing up) and the
    /// detection, at constant gap acceleration.
    pub(crate) fn refine_estimate(&mut self, time: f64) {
        let interval = self.detection.time - time;
        if interval <= ESTIMATE_MIN {
            return;
        }
        let acceleration = (self.detection.velocity - self.velocity) / interval;
        if acceleration.abs() < ESTIMATE_MIN {
            return;
        }
        // Target gap = distance + velocity s + acceleration s²/2.
        let v = self.velocity;
        let root = (v * v - 2.0 * acceleration * (self.distance - self.target_gap())).sqrt();
        let acceptable = |s: f64| {
            let t = time + s;
            (time < t && t < self.detection.time).then_some(t)
        };
        let earlier = acceptable((-v + root) / acceleration);
        let later = acceptable((-v - root) / acceleration);
        self.estimate = match (earlier, later) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (Some(t), None) | (None, Some(t)) => Some(t),
            (None, None) => self.estimate,
        };
    }
}

impl AsRef<Contact> for Contact {
    fn as_ref(&self) -> &Contact {
        self
    }
}

impl fmt::Display for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: gap {:.6e}, normal velocity {:.6e} at ({:.6}, {:.6})",
            self.id, self.distance, self.velocity, self.point.x, self.point.y
        )
    }
}
