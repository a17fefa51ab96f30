//! Kinds of rows and the sets they end in.

use engine2d_math::kernel::larger;
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
    /// As boxed with `lo = −mu f_normal`, `hi = mu f_normal`: Coulomb friction, exact in the plane. Rolling resistance too, with
    /// the row of the relative turning and a length for `mu`.
    Friction {
        /// Index of the row whose force presses the surfaces together.
        normal: usize,
        /// Coefficient of friction, `≥ 0`.
        mu: f64,
    },
    /// As boxed with `lo = −mu_minus f_normal`, `hi = mu_plus f_normal`: friction that depends on the direction, or a limit of
    /// its own to either side that grows with the normal force. Facts as for [`Row::Friction`].
    FrictionLimits {
        /// Index of the row whose force presses the surfaces together.
        normal: usize,
        /// Coefficient of negative forces, `≥ 0`.
        mu_minus: f64,
        /// Coefficient of positive forces, `≥ 0`.
        mu_plus: f64,
    },
    /// `f = sign mu f_normal`, `a` free: kinetic friction of a contact that slides, against the sliding direction. The force
    /// follows the normal one, which makes the matrix of the normal rows unsymmetric: for small `mu` there is one solution,
    /// for large ones, or far levers, there may be none or several [Painlevé 1895; Génot, Brogliato 1999].
    Sliding {
        /// Index of the row whose force presses the surfaces together.
        normal: usize,
        /// Coefficient of friction, `≥ 0`.
        mu: f64,
        /// Direction of the force, 1 or −1.
        sign: f64,
    },
}

impl Row {
    /// The row whose force sets the bounds of this one.
    #[inline(always)]
    #[must_use]
    pub fn normal(self) -> Option<usize> {
        match self {
            Self::Friction { normal, .. }
            | Self::FrictionLimits { normal, .. }
            | Self::Sliding { normal, .. } => Some(normal),
            _ => None,
        }
    }

    /// The same row of a problem whose normal row has another number.
    #[must_use]
    pub(crate) fn with_normal(self, place: usize) -> Self {
        match self {
            Self::Friction { mu, .. } => Self::Friction { normal: place, mu },
            Self::FrictionLimits { mu_minus, mu_plus, .. } => {
                Self::FrictionLimits { normal: place, mu_minus, mu_plus }
            }
            Self::Sliding { mu, sign, .. } => Self::Sliding { normal: place, mu, sign },
            other => other,
        }
    }

    /// The normal row, and the bounds as multiples of its force.
    #[inline(always)]
    pub(crate) fn shares(self) -> Option<(usize, f64, f64)> {
        match self {
            Self::Friction { normal, mu } => Some((normal, -mu, mu)),
            Self::FrictionLimits { normal, mu_minus, mu_plus } => Some((normal, -mu_minus, mu_plus)),
            Self::Sliding { normal, mu, sign } => Some((normal, sign * mu, sign * mu)),
            _ => None,
        }
    }

    /// Bounds of the force; a friction row's with the given normal force.
    #[inline(always)]
    #[must_use]
    pub fn bounds(self, normal_force: f64) -> (f64, f64) {
        match self {
            Self::Bilateral => (f64::NEG_INFINITY, f64::INFINITY),
            Self::Unilateral => (0.0, f64::INFINITY),
            Self::Boxed { lo, hi } => (lo, hi),
            Self::Friction { mu, .. } => {
                let limit = mu * larger(normal_force, 0.0);
                (-limit, limit)
            }
            Self::FrictionLimits { mu_minus, mu_plus, .. } => {
                let pressed = larger(normal_force, 0.0);
                (-mu_minus * pressed, mu_plus * pressed)
            }
            Self::Sliding { mu, sign, .. } => {
                let force = sign * mu * larger(normal_force, 0.0);
                (force, force)
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
