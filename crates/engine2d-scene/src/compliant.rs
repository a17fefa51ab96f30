//! What only compliant contact asks for.

use schemars::JsonSchema;
use serde::Serialize;

/// Default half width of the hysteresis (length).
const HYSTERESIS: f64 = 1e-8;

/// Choices of compliant contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Compliant {
    /// Half width of the hysteresis (length, > 0): contact begins at the depth of twice this.
    pub z_eps: f64,
    /// How the damping follows from restitution.
    pub damping: CompliantDamping,
}

impl Default for Compliant {
    fn default() -> Self {
        Self { z_eps: HYSTERESIS, damping: CompliantDamping::default() }
    }
}

/// How the damping of a compliant contact follows from restitution `e` and the speed `v` at which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum CompliantDamping {
    /// `8 (1 − e) / (5 e v)`, at most `max`: the common rule, which returns somewhat less than `e` of the speed.
    Common {
        /// Largest damping (time/length, > 0). Default 2000.
        #[serde(default = "largest_damping")]
        max: f64,
    },
    /// The damping with which an impact returns exactly `e v`, at most `max`.
    Calibrated {
        /// Largest damping (time/length, > 0). Default 2000.
        #[serde(default = "largest_damping")]
        max: f64,
    },
}

impl CompliantDamping {
    /// The words of the `type` field.
    pub(crate) const TYPES: &'static [&'static str] = &["common", "calibrated"];
}

pub(crate) fn largest_damping() -> f64 {
    2000.0
}

impl Default for CompliantDamping {
    fn default() -> Self {
        Self::Common { max: largest_damping() }
    }
}
