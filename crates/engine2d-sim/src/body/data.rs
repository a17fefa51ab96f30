//! What dynamics knows of a body besides its motion.

use super::motion::Motion;
use crate::compliant::piece::Piece;
use crate::friction::Friction;
use crate::world::identity::{BodyId, ConstraintId};
use engine2d_constraint::InverseMass;
use engine2d_geometry::CollisionFilter;

/// What dynamics knows of a body besides its motion.
#[derive(Clone, Debug)]
pub(crate) struct BodyData {
    /// `None` for a vacant place.
    pub(crate) id: Option<BodyId>,
    pub(crate) gravity_scale: f64,
    pub(crate) damping: f64,
    /// What a sensor senses.
    pub(crate) senses: Option<CollisionFilter>,
    pub(crate) motion: Option<Motion>,
    /// The constraints that lead it.
    pub(crate) led: Option<[ConstraintId; 3]>,
    pub(crate) name: String,
    pub(crate) mass: f64,
    pub(crate) moment: f64,
    pub(crate) restitution: f64,
    pub(crate) friction: Friction,
    pub(crate) surface_speed: f64,
    pub(crate) rolling_resistance: f64,
    pub(crate) tangential_restitution: f64,
    pub(crate) zero_level: Option<f64>,
    pub(crate) material: Option<String>,
    /// Whether the surface stays rigid where contact is compliant.
    pub(crate) rigid: bool,
    /// What compliant contact and located events see; empty for outlines that are not convex.
    pub(crate) pieces: Vec<Piece>,
}

impl BodyData {
    pub(crate) fn inverse_mass(&self) -> InverseMass {
        InverseMass::new(self.mass, self.moment)
    }

    pub(crate) fn is_movable(&self) -> bool {
        self.mass.is_finite()
    }

    /// Whether another rigid body would move and touch the same in its place, where nothing leads either.
    pub(crate) fn acts_as(&self, other: &Self) -> bool {
        let Self { id, gravity_scale, damping, senses, .. } = self;
        let Self { mass, moment, restitution, friction, surface_speed, rolling_resistance, .. } = self;
        let Self { tangential_restitution, zero_level, material, rigid, .. } = self;
        (id, senses) == (&other.id, &other.senses)
            && [mass, moment, gravity_scale, damping]
                == [&other.mass, &other.moment, &other.gravity_scale, &other.damping]
            && [restitution, surface_speed, rolling_resistance, tangential_restitution]
                == [
                    &other.restitution,
                    &other.surface_speed,
                    &other.rolling_resistance,
                    &other.tangential_restitution,
                ]
            && (friction, zero_level) == (&other.friction, &other.zero_level)
            && (material, rigid) == (&other.material, &other.rigid)
    }
}
