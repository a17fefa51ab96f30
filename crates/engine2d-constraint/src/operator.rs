//! The Delassus operator of the rows of a mechanism, whose bodies are described about their frames' origins.

use crate::body::RigidBody;
use crate::row::{ConstraintRow, InverseMass};
use crate::sparse_delassus::SparseDelassus;
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;

/// Rows brought to the centres of mass, and their operator; its storage is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operator {
    /// Rows about the centres of mass.
    pub(crate) rows: Vec<ConstraintRow>,
    pub(crate) masses: Vec<InverseMass>,
    arms: Vec<Vec2>,
    pub(crate) matrix: SparseDelassus,
}

impl Operator {
    /// Assembles `J M⁻¹ Jᵀ` of rows about the origins.
    pub(crate) fn assemble(&mut self, bodies: &[RigidBody], rows: impl Iterator<Item = ConstraintRow>) {
        self.masses.clear();
        self.masses.extend(bodies.iter().map(|b| InverseMass::new(b.mass.mass, b.mass.inertia)));
        self.arms.clear();
        self.arms.extend(bodies.iter().map(|b| b.motion.arm(b.mass.center)));
        let arms = &self.arms;
        let arm_of = |b: BodyRef| b.index().map_or_else(Vec2::zeros, |i| arms[i]);
        self.rows.clear();
        self.rows.extend(rows.map(|r| r.centered(arm_of)));
        self.matrix.assemble(&self.rows, &self.masses);
    }
}
