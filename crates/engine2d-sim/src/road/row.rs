//! One scalar constraint row of the world at a state: where it comes from, its Jacobian, its errors at the three levels.

use engine2d_constraint::{ConstraintRow, InverseMass, RowKind};
use engine2d_geometry::{BodyRef, CollisionBody, ContactId};
use engine2d_math::{Vec2, perp};
use serde::{Deserialize, Serialize};

/// Where a row comes from: its identity from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Source {
    /// The connector of that number.
    Connector(u32),
    /// An equation of a constraint of the library.
    Equation {
        /// Place of the constraint in the world.
        constraint: u32,
        /// Place of the equation among those of the constraint.
        equation: u32,
    },
    /// A pair of features of two bodies.
    Contact(ContactId),
    /// The friction of that pair.
    Friction(ContactId),
    /// The rolling resistance of that pair.
    Rolling(ContactId),
    /// What the force law of that number does otherwise because velocities change within a step, along one of its directions.
    Law {
        /// Place of the law in the world.
        law: u32,
        /// Which direction.
        axis: u32,
    },
}

impl Source {
    /// Whether it is a contact of a body.
    pub(crate) fn is_of(self, body: BodyRef) -> bool {
        self.contact().is_some_and(|id| id.primary == body || id.normal_body == body)
    }

    /// The pair of features, of rows of contacts.
    pub(crate) fn contact(self) -> Option<ContactId> {
        match self {
            Self::Contact(id) | Self::Friction(id) | Self::Rolling(id) => Some(id),
            Self::Connector(_) | Self::Equation { .. } | Self::Law { .. } => None,
        }
    }

    /// Renumbers it for a world without a constraint, behind which the others move up by one; whether it is of another.
    pub(crate) fn stays_without(&mut self, place: u32) -> bool {
        match self {
            Self::Equation { constraint, .. } if *constraint >= place => {
                let stays = *constraint > place;
                *constraint -= u32::from(stays);
                stays
            }
            _ => true,
        }
    }

    /// Whether its limits are shares of a normal force.
    pub(crate) fn is_friction(self) -> bool {
        matches!(self, Self::Friction(_) | Self::Rolling(_))
    }

    /// Whether it is a contact of some body of which that is true.
    pub(crate) fn is_of_any(self, is: impl Fn(BodyRef) -> bool) -> bool {
        self.contact().is_some_and(|id| is(id.primary) || is(id.normal_body))
    }

    /// Whether it is a contact of two bodies of which that is true.
    pub(crate) fn is_of_both(self, is: impl Fn(BodyRef) -> bool) -> bool {
        self.contact().is_some_and(|id| is(id.primary) && is(id.normal_body))
    }

    /// Whether there is such a row in a world of so many bodies, connectors and joints: what a file says need not be.
    pub(crate) fn fits(self, [bodies, connectors, joints]: [usize; 3]) -> bool {
        match self {
            Self::Connector(k) => (k as usize) < connectors,
            Self::Equation { constraint, .. } => (constraint as usize) < joints,
            // They are no more than where a search begins.
            Self::Law { .. } => true,
            Self::Contact(id) | Self::Friction(id) | Self::Rolling(id) => {
                [id.primary, id.normal_body].iter().all(|body| body.index().is_none_or(|k| k < bodies))
            }
        }
    }

    pub(crate) fn is_law(self) -> bool {
        matches!(self, Self::Law { .. })
    }

    pub(crate) fn is_connector(self) -> bool {
        matches!(self, Self::Connector(_))
    }
}

/// A constraint row at a state. With `J` of `row` and the velocities `v` of the centres of mass: rate `J v − speed`,
/// acceleration `J v̇ + bias`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) source: Source,
    /// Bodies and Jacobian about the centres of mass.
    pub(crate) row: ConstraintRow,
    /// What it demands.
    pub(crate) kind: RowKind,
    /// Position error or gap less the gap it is held at (length or radians); 0 where positions do not matter.
    pub(crate) error: f64,
    /// Rate of the error, or deviation from the speed prescribed.
    pub(crate) rate: f64,
    /// What is left of the acceleration error when all accelerations vanish.
    pub(crate) bias: f64,
    /// Whether it holds positions, not velocities alone.
    pub(crate) holonomic: bool,
    /// Where it acts on the first body (world), for reports.
    pub(crate) point: Vec2,
}

impl Row {
    /// Whether the multiplier takes any value.
    pub(crate) fn is_bilateral(&self) -> bool {
        self.kind == RowKind::Bilateral
    }
}

/// Rate of a row by the velocities of the bodies: `J v`.
pub(crate) fn rate_of(row: &ConstraintRow, bodies: &[CollisionBody]) -> f64 {
    let ends = row.bodies.iter().zip(&row.jacobian);
    ends.filter_map(|(body, j)| {
        let body = &bodies[body.index()?];
        if body.fixed {
            return None;
        }
        Some(j[0] * body.velocity.x + j[1] * body.velocity.y + j[2] * body.angular_velocity)
    })
    .sum()
}

/// `J a` for accelerations that stand in the rates of a state vector, six per body.
pub(crate) fn acceleration_of(row: &ConstraintRow, rates: &[f64]) -> f64 {
    let ends = row.bodies.iter().zip(&row.jacobian);
    ends.filter_map(|(body, j)| {
        let r = &rates[6 * body.index()?..];
        Some(j[0] * r[1] + j[1] * r[3] + j[2] * r[5])
    })
    .sum()
}

/// What a multiplier of a row changes: `M⁻¹ Jᵀ λ` for each body, as (linear, angular).
pub(crate) fn responses(
    row: &ConstraintRow,
    multiplier: f64,
    masses: &[InverseMass],
) -> impl Iterator<Item = (usize, Vec2, f64)> {
    let change = |(body, j): (&BodyRef, &[f64; 3])| {
        let index = body.index()?;
        let m = masses[index];
        Some((index, Vec2::new(j[0], j[1]) * (m.linear * multiplier), j[2] * m.angular * multiplier))
    };
    let ends = [0, 1].map(|k| change((&row.bodies[k], &row.jacobian[k])));
    ends.into_iter().flatten()
}

/// Adds the velocities that an impulse along a row makes.
pub(crate) fn push(row: &ConstraintRow, impulse: f64, masses: &[InverseMass], bodies: &mut [CollisionBody]) {
    for (index, linear, angular) in responses(row, impulse, masses) {
        bodies[index].velocity += linear;
        bodies[index].angular_velocity += angular;
    }
}

/// Velocity of the material point at offset `r` from the centre of mass; the ground rests.
pub(crate) fn velocity_at(body: BodyRef, r: Vec2, bodies: &[CollisionBody]) -> Vec2 {
    body.index().map_or(Vec2::zeros(), |i| bodies[i].velocity_at(r))
}

/// Acceleration of the material point at offset `r` when all accelerations vanish: `−ω² r`.
pub(crate) fn centripetal_at(body: BodyRef, r: Vec2, bodies: &[CollisionBody]) -> Vec2 {
    let spin = body.index().map_or(0.0, |i| if bodies[i].fixed { 0.0 } else { bodies[i].angular_velocity });
    r * (-spin * spin)
}

/// `2 ω × v` seen from a turning body.
pub(crate) fn coriolis(body: BodyRef, slip: Vec2, bodies: &[CollisionBody]) -> Vec2 {
    let spin = body.index().map_or(0.0, |i| if bodies[i].fixed { 0.0 } else { bodies[i].angular_velocity });
    perp(slip) * (2.0 * spin)
}
