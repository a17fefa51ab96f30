//! Surfaces by name.

use crate::body::Friction;
use schemars::JsonSchema;
use serde::Serialize;

/// Surface properties shared by bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Part of the normal speed that a collision gives back, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elasticity: Option<f64>,
    /// Coulomb coefficient of friction (≥ 0), or one at rest and one sliding. Default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<Friction>,
    /// Young's modulus, for compliant contact (force/length², > 0). Default that of wood, 1.1e10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub young: Option<f64>,
    /// Coefficient of rolling resistance, for compliant contact (≥ 0). Default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling: Option<f64>,
    /// Rolling resistance of rigid contact (length, ≥ 0). Default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling_resistance: Option<f64>,
    /// Part of the sliding speed that a collision turns round, of rigid contact, 0 to 1. Default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangential_restitution: Option<f64>,
}
