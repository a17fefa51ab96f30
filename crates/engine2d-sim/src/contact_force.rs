//! Forces of contacts and connectors, as reports have them.

use engine2d_geometry::ContactId;
use engine2d_math::Vec2;

/// A contact force as the last evaluation found it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ContactForce {
    /// Bodies and features.
    pub id: ContactId,
    /// Where it acts on the primary body (world).
    pub point: Vec2,
    /// Unit direction of the force on the primary body; the normal body gets the opposite.
    pub normal: Vec2,
    /// Size (force); negative only at bilateral rows.
    pub force: f64,
    /// Friction on the primary body along the normal turned a quarter to the left (force).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub friction: f64,
    /// Torque of rolling resistance on the primary body (force × length).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rolling_torque: f64,
    /// Gap of the contact (length).
    pub gap: f64,
    /// Distance tolerance of the contact (length), for judging the gap.
    pub tolerance: f64,
    /// Whether the row is a joint.
    pub bilateral: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
pub(crate) fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// The forces found, and the largest of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForceLog {
    /// Forces of the last evaluation.
    pub(crate) last: Vec<ContactForce>,
    /// Size of the largest group of contacts of the last evaluation.
    pub(crate) largest_group: usize,
    /// Largest force ever found.
    pub(crate) largest: f64,
    /// Largest force of each of the last solves, latest first.
    pub(crate) recent: [f64; 4],
}

impl ForceLog {
    /// Notes the largest force of a solve.
    pub(crate) fn note(&mut self, largest: f64) {
        self.largest = self.largest.max(largest);
        self.recent.rotate_right(1);
        self.recent[0] = largest;
    }
}
