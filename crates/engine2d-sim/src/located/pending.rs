//! Events between their location and their moment.

use crate::adaptive::Crossing;

/// An event that has been located and waits until the time it happens is shown.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Pending {
    /// A compliant contact begins or ends.
    Compliant(f64),
    /// Bodies meet, a closed row opens or slides off its features, a motor reaches its speed.
    Rigid(f64),
    /// A force begins or ends to act.
    Kink(f64),
    /// A function of the user's crosses zero.
    User(Crossing),
    /// A joint breaks.
    Break(f64, u32),
}
