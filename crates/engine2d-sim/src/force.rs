//! Force laws: what they exert on the bodies and the potential energy they hold.

mod user;

pub use user::{BodySet, Force, Forces, UserForce};

use crate::body::BodyData;
use crate::error::SimError;
use crate::scope::{Focus, numbers};
use crate::tolerance::SHORTEST;
use engine2d_geometry::{BodyRef, CollisionBody};
use engine2d_math::{Vec2, cross, trig};
use serde::{Deserialize, Serialize};

/// The axes in which a vector or point is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// World coordinates.
    World,
    /// Coordinates of the body.
    #[default]
    Body,
}

/// A point fixed in a body, or in the world for the ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// The body.
    pub body: BodyRef,
    /// The point, in the body's coordinates (the world's for the ground).
    pub point: Vec2,
}

impl Attachment {
    /// A point of the body of that index.
    #[must_use]
    pub fn body(index: u32, point: impl Into<Vec2>) -> Self {
        Self { body: BodyRef::Body(index), point: point.into() }
    }

    /// A point of the world.
    #[must_use]
    pub fn ground(point: impl Into<Vec2>) -> Self {
        Self { body: BodyRef::Ground, point: point.into() }
    }

    /// Follows a renumbering of the bodies; returns whether the body still exists.
    pub(crate) fn renumber(&mut self, map: &dyn Fn(u32) -> Option<u32>) -> bool {
        let BodyRef::Body(index) = self.body else { return true };
        map(index).map(|b| self.body = BodyRef::Body(b)).is_some()
    }

    /// World position of the point.
    #[must_use]
    pub fn position(&self, bodies: &[CollisionBody]) -> Vec2 {
        self.body.index().map_or(self.point, |i| bodies[i].to_world(self.point))
    }

    /// World velocity of the point, as the body's velocity fields have it.
    pub(crate) fn velocity(&self, bodies: &[CollisionBody]) -> Vec2 {
        self.body.index().map_or(Vec2::zeros(), |i| {
            let b = &bodies[i];
            b.velocity_at(b.to_world(self.point) - b.pose.position())
        })
    }
}

/// One thruster of a set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thruster {
    /// Where it pushes (body coordinates).
    pub location: Vec2,
    /// Direction, not normalized: the force is this times the set's magnitude (body coordinates).
    pub direction: Vec2,
    /// Whether it fires.
    pub active: bool,
}

/// A force law. `bodies: None` means every movable body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ForceLaw {
    /// Uniform gravity: `(0, −m g)` at each centre of mass.
    Gravity {
        /// Acceleration `g` (length/time²).
        strength: f64,
        /// Height of zero potential energy for bodies without their own.
        zero_level: f64,
        /// The bodies it acts on.
        bodies: Option<Vec<u32>>,
    },
    /// Attraction `G m_a m_b / r²` between each pair of centres of mass.
    InverseSquareGravity {
        /// The constant `G`.
        strength: f64,
        /// The bodies it acts on.
        bodies: Option<Vec<u32>>,
    },
    /// `−k v` at each centre of mass and the torque `−k ρ ω`.
    Damping {
        /// `k` (mass/time).
        damping: f64,
        /// `ρ` (length²): ratio of rotational to linear damping.
        rotate_ratio: f64,
        /// The bodies it acts on.
        bodies: Option<Vec<u32>>,
    },
    /// A spring between two points.
    Spring {
        /// Its two ends.
        ends: [Attachment; 2],
        /// Length without tension.
        rest_length: f64,
        /// Tension per stretch (force/length).
        stiffness: f64,
        /// Force per relative velocity of the ends, in every direction (force·time/length).
        damping: f64,
        /// Whether it exerts nothing when longer than its rest length.
        compress_only: bool,
    },
    /// A force that does not change in its frame.
    ConstantForce {
        /// The body.
        body: u32,
        /// Where it acts.
        location: Vec2,
        /// Frame of the location.
        location_frame: Frame,
        /// The force vector.
        force: Vec2,
        /// Frame of the force vector.
        force_frame: Frame,
        /// A pure torque besides.
        torque: f64,
    },
    /// Thrusters fixed in a body, sharing one magnitude.
    Thrusters {
        /// The body.
        body: u32,
        /// Common factor of the forces.
        magnitude: f64,
        /// The thrusters.
        thrusters: Vec<Thruster>,
    },
    /// A force of constant size whose direction turns in body coordinates.
    RotatingForce {
        /// The body.
        body: u32,
        /// Where it acts (body coordinates).
        location: Vec2,
        /// Size of the force.
        magnitude: f64,
        /// Angular rate of its direction (radians/time); along the body's x axis at time 0.
        rate: f64,
    },
    /// A law defined outside this crate; it has no file form.
    #[serde(skip)]
    User(UserForce),
}

impl ForceLaw {
    /// Uniform gravity on every movable body, zero energy at height 0.
    #[must_use]
    pub fn gravity(strength: f64) -> Self {
        Self::Gravity { strength, zero_level: 0.0, bodies: None }
    }

    /// Damping of every movable body with the customary rotation ratio 0.15.
    #[must_use]
    pub fn damping(damping: f64) -> Self {
        Self::Damping { damping, rotate_ratio: 0.15, bodies: None }
    }

    /// Short name of the kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Gravity { .. } => "gravity",
            Self::InverseSquareGravity { .. } => "inverse-square gravity",
            Self::Damping { .. } => "damping",
            Self::Spring { .. } => "spring",
            Self::ConstantForce { .. } => "constant force",
            Self::Thrusters { .. } => "thrusters",
            Self::RotatingForce { .. } => "rotating force",
            Self::User(_) => "user-defined force",
        }
    }
}

impl ForceLaw {
    /// Follows a renumbering of the bodies (`None`: the body is gone); returns whether the law still has what
    /// it acts on.
    pub(crate) fn renumber(&mut self, map: &dyn Fn(u32) -> Option<u32>) -> bool {
        match self {
            Self::Gravity { bodies, .. }
            | Self::InverseSquareGravity { bodies, .. }
            | Self::Damping { bodies, .. } => {
                if let Some(list) = bodies {
                    *list = list.iter().filter_map(|&b| map(b)).collect();
                }
                true
            }
            Self::Spring { ends, .. } => ends.iter_mut().all(|end| end.renumber(map)),
            Self::ConstantForce { body, .. }
            | Self::Thrusters { body, .. }
            | Self::RotatingForce { body, .. } => map(*body).map(|b| *body = b).is_some(),
            Self::User(_) => true,
        }
    }
}

/// The bodies of a system as force laws see them.
#[derive(Clone, Copy)]
pub(crate) struct ForceContext<'a> {
    pub(crate) data: &'a [BodyData],
    pub(crate) bodies: &'a [CollisionBody],
    pub(crate) focus: &'a Focus,
    pub(crate) time: f64,
}

impl ForceContext<'_> {
    /// The movable bodies of the scope among those listed, in order.
    fn movable<'b>(&'b self, listed: Option<&'b [u32]>) -> impl Iterator<Item = usize> + 'b {
        let members = listed.map(|_| numbers(listed, 0).filter(|&i| self.focus.slot(i).is_some()));
        let all = listed.is_none().then(|| self.focus.bodies(self.data.len()));
        let chosen = all.into_iter().flatten().chain(members.into_iter().flatten());
        chosen.filter(|&i| self.data[i].is_movable())
    }

    /// Adds a force at a world point and a torque to the rates of a body.
    fn push(&self, rates: &mut [f64], body: usize, at: Vec2, force: Vec2, torque: f64) {
        let data = &self.data[body];
        if !data.is_movable() {
            return;
        }
        let r = at - self.bodies[body].pose.position();
        let slot = &mut rates[6 * body..6 * body + 6];
        slot[1] += force.x / data.mass;
        slot[3] += force.y / data.mass;
        slot[5] += cross(r, force) / data.moment + torque / data.moment;
    }

    /// Adds what `law` exerts to `rates` (six per body: velocities and accelerations).
    pub(crate) fn apply(&self, law: &ForceLaw, rates: &mut [f64]) -> Result<(), SimError> {
        match law {
            ForceLaw::Gravity { strength, bodies, .. } => {
                for i in self.movable(bodies.as_deref()) {
                    let weight = Vec2::new(0.0, -strength * self.data[i].mass * self.data[i].gravity_scale);
                    self.push(rates, i, self.bodies[i].pose.position(), weight, 0.0);
                }
            }
            ForceLaw::InverseSquareGravity { strength, bodies } => {
                let listed = bodies.as_deref();
                for (k, i) in self.movable(listed).enumerate() {
                    for j in self.movable(listed).skip(k + 1) {
                        let (p, q) = (self.bodies[i].pose.position(), self.bodies[j].pose.position());
                        let r = self.checked_length(q - p, law.kind())?;
                        let size = strength * self.data[i].mass * self.data[j].mass / (r * r);
                        let pull = (q - p) * (size / r);
                        self.push(rates, i, p, pull, 0.0);
                        self.push(rates, j, q, -pull, 0.0);
                    }
                }
            }
            ForceLaw::Damping { damping, rotate_ratio, bodies } => {
                if *damping == 0.0 {
                    return Ok(());
                }
                for i in self.movable(bodies.as_deref()) {
                    let b = &self.bodies[i];
                    let torque = -damping * rotate_ratio * b.angular_velocity;
                    self.push(rates, i, b.pose.position(), b.velocity * -damping, torque);
                }
            }
            ForceLaw::Spring { ends, .. } => {
                let spring = self.spring(law)?;
                for (end, (at, force)) in ends.iter().zip(spring) {
                    if let Some(i) = end.body.index() {
                        self.push(rates, i, at, force, 0.0);
                    }
                }
            }
            ForceLaw::ConstantForce { .. } | ForceLaw::Thrusters { .. } | ForceLaw::RotatingForce { .. } => {
                self.visit_applied(law, |i, at, force, torque| self.push(rates, i, at, force, torque));
            }
            ForceLaw::User(force) => {
                let mut forces = Forces { context: *self, rates };
                force.0.apply(&BodySet { context: *self }, &mut forces)?;
            }
        }
        Ok(())
    }

    /// Shows body, world point, force and torque of each force that `law` applies at a given place of a body.
    pub(crate) fn visit_applied(&self, law: &ForceLaw, mut visit: impl FnMut(usize, Vec2, Vec2, f64)) {
        match law {
            ForceLaw::ConstantForce { body, location, location_frame, force, force_frame, torque } => {
                let i = *body as usize;
                let b = &self.bodies[i];
                let at = if *location_frame == Frame::Body { b.to_world(*location) } else { *location };
                let force = if *force_frame == Frame::Body { b.pose.rotate(*force) } else { *force };
                visit(i, at, force, *torque);
            }
            ForceLaw::Thrusters { body, magnitude, thrusters } => {
                let i = *body as usize;
                let b = &self.bodies[i];
                for t in thrusters.iter().filter(|t| t.active) {
                    visit(i, b.to_world(t.location), b.pose.rotate(t.direction * *magnitude), 0.0);
                }
            }
            ForceLaw::RotatingForce { body, location, magnitude, rate } => {
                let i = *body as usize;
                let b = &self.bodies[i];
                let (sin, cos) = trig::sin_cos(rate * self.time);
                let force = b.pose.rotate(Vec2::new(magnitude * cos, magnitude * sin));
                visit(i, b.to_world(*location), force, 0.0);
            }
            _ => {}
        }
    }

    /// Where and with which force a spring acts on its two ends.
    fn spring(&self, law: &ForceLaw) -> Result<[(Vec2, Vec2); 2], SimError> {
        let ForceLaw::Spring { ends, rest_length, stiffness, damping, compress_only } = law else {
            return Ok([(Vec2::zeros(), Vec2::zeros()); 2]);
        };
        let p = ends[0].position(self.bodies);
        let q = ends[1].position(self.bodies);
        // Without a rest length the law is linear in the distance, and asks for no direction.
        let (mut force, end, damped) = if *rest_length == 0.0 {
            if *compress_only { (Vec2::zeros(), p, false) } else { ((q - p) * *stiffness, q, true) }
        } else {
            let length = self.checked_length(q - p, law.kind())?;
            let slack = *compress_only && length > *rest_length;
            let (effective, end) =
                if slack { (*rest_length, p + (q - p) * (rest_length / length)) } else { (length, q) };
            let force = (end - p) * (stiffness * (effective - rest_length) / effective);
            (force, end, !*compress_only || length < rest_length - SHORTEST)
        };
        if *damping != 0.0 && damped {
            force -= (ends[0].velocity(self.bodies) - ends[1].velocity(self.bodies)) * *damping;
        }
        Ok([(p, force), (end, -force)])
    }

    fn checked_length(&self, e: Vec2, what: &str) -> Result<f64, SimError> {
        let length = e.norm();
        if length < SHORTEST {
            return Err(SimError::TooShort { what: what.to_owned(), time: self.time, distance: length });
        }
        Ok(length)
    }

    /// Potential energy held by `law`.
    pub(crate) fn potential_energy(&self, law: &ForceLaw) -> f64 {
        match law {
            ForceLaw::Gravity { strength, zero_level, bodies } => self
                .movable(bodies.as_deref())
                .map(|i| {
                    let level = self.data[i].zero_level.unwrap_or(*zero_level);
                    let weight = self.data[i].mass * strength * self.data[i].gravity_scale;
                    weight * (self.bodies[i].pose.position().y - level)
                })
                .sum(),
            ForceLaw::InverseSquareGravity { strength, bodies } => {
                let listed = bodies.as_deref();
                let mut sum = 0.0;
                for (k, i) in self.movable(listed).enumerate() {
                    for j in self.movable(listed).skip(k + 1) {
                        let (a, b) = (&self.bodies[i], &self.bodies[j]);
                        let r = (b.pose.position() - a.pose.position()).norm();
                        let touching = a.min_height + b.min_height;
                        let product = strength * self.data[i].mass * self.data[j].mass;
                        // A vanishing distance is an error of the force; the energy stays finite for reports.
                        sum += product * (1.0 / touching.max(SHORTEST) - 1.0 / r.max(SHORTEST));
                    }
                }
                sum
            }
            ForceLaw::User(force) => force.0.potential_energy(&BodySet { context: *self }),
            ForceLaw::Spring { ends, rest_length, stiffness, compress_only, .. } => {
                let length = (ends[1].position(self.bodies) - ends[0].position(self.bodies)).norm();
                let stretch =
                    if *compress_only && length > *rest_length { 0.0 } else { length - rest_length };
                0.5 * stiffness * stretch * stretch
            }
            _ => 0.0,
        }
    }
}
