//! Kinds of rows and the sets they end in.

use serde::{Deserialize, Serialize};

/// What a row of `a = A f + b` demands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Row {
    /// `a = 0`, `f` free: a joint, a rod, a rolling contact.
    Bilateral,
    /// `f ≥ 0`, `a ≥ 0`, `f a = 0`: a contact, a taut rope. Positive `a` separates.
    #[default]
    Unilateral,
    /// `f = lo → a ≥ 0`; `lo < f < hi → a = 0`; `f = hi → a ≤ 0`: a motor with a limit, friction of given size.
    Boxed {
        /// Smallest force; may be −∞.
        lo: f64,
        /// Largest force; may be +∞.
        hi: f64,
    },
    /// As boxed with `lo = −mu f_normal`, `hi = mu f_normal`: Coulomb friction, exact in the plane.
    Friction {
        /// Index of the row whose force presses the surfaces together.
        normal: usize,
        /// Coefficient of friction, `≥ 0`.
        mu: f64,
    },
}

impl Row {
    /// Bounds of the force; a friction row's with the given normal force.
    #[inline]
    #[must_use]
    pub fn bounds(self, normal_force: f64) -> (f64, f64) {
        match self {
            Self::Bilateral => (f64::NEG_INFINITY, f64::INFINITY),
            Self::Unilateral => (0.0, f64::INFINITY),
            Self::Boxed { lo, hi } => (lo, hi),
            Self::Friction { mu, .. } => {
                let limit = mu * normal_force.max(0.0);
                (-limit, limit)
            }
        }
    }
}

/// Where a row stands: the sets of the pivoting method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Set {
    /// Not taken up.
    #[default]
    Untreated,
    /// C: the force is free between its bounds and holds `a = 0`.
    Clamped,
    /// NC at the lower bound (for a contact: no force, `a ≥ 0`).
    Lower,
    /// NC at the upper bound.
    Upper,
    /// R: deferred, because the clamped rows already determine its acceleration. It holds no force of its own;
    /// it ends here only if its acceleration is acceptable, or if the problem has no solution.
    Redundant,
}
