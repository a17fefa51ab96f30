//! What pairs of materials do to each other.

use crate::body::Friction;
use schemars::JsonSchema;
use serde::Serialize;

/// What two materials do to each other; what is absent follows from both.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialPair {
    /// Names of two entries of `materials`, in either order; twice the same for bodies of one material.
    pub between: [String; 2],
    /// Part of the normal speed that a collision gives back, 0 to 1. Absent: the lesser of both.
    #[serde(rename = "elasticity", default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<f64>,
    /// Coulomb coefficient of friction (≥ 0), or one at rest and one sliding. Needs the located clock or fixed steps. Absent: by
    /// `friction_rule` of the settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<Friction>,
    /// Speed of the surfaces past each other (length/time), as that of a belt; rigid contact only. Absent: the sum of both
    /// bodies'.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface_speed: Option<f64>,
    /// Rolling resistance (length, ≥ 0): where an arc rolls, the torque against it is that length times the normal force. Rigid
    /// contact only; needs the located clock or fixed steps. Absent: the larger of both bodies'.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling_resistance: Option<f64>,
    /// Part of the sliding speed that a collision turns round as far as friction holds, 0 to 1. Rigid contact only; needs the located
    /// clock. Absent: the lesser of both bodies'.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangential_restitution: Option<f64>,
}
