//! What a coefficient of restitution means where friction takes part in an impact.

use serde::{Deserialize, Serialize};

/// What the coefficient of restitution `e` of a pair with friction is the ratio of; without friction all three are one.
///
/// With friction the normal velocity, the normal impulse and the work of the normal impulse end differently, because sliding
/// that stops or turns round within the impact changes how they depend on each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ImpactLaw {
    /// Of normal impulses: expansion gives back `e` times that of compression \[Glocker, Pfeiffer 1995\]. It never gains energy.
    #[default]
    Poisson,
    /// Of normal velocities: `u⁺ = −e u⁻`. With friction it can gain energy \[Kane, Levinson 1985\]; an impact that would is
    /// resolved by Poisson's law.
    Newton,
    /// Of works: expansion gives back `e²` of the work of compression \[Stronge 1990\]. Single contacts; where several touch, or
    /// joints hang on them, Poisson's law.
    Stronge,
}

impl ImpactLaw {
    /// Whether it is the default.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::Poisson
    }
}
