//! Scratch of the way from point to point.

use super::changes::Changes;

/// Scratch of a way.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// The forces that the problem is tied to.
    pub(super) centre: Vec<f64>,
    /// `δ`.
    pub(super) gap: Vec<f64>,
    /// Accelerations, proximal term included.
    pub(super) room: Vec<f64>,
    /// Change of the forces and of `room` with `θ`.
    pub(super) way: Vec<f64>,
    pub(super) turn: Vec<f64>,
    /// What its events changed of the factored system.
    pub(super) changes: Changes,
}
