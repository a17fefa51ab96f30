//! What is asked of every engine.

use crate::TaskError;

/// An engine with a scene in it.
pub(super) trait Engine {
    /// Takes a step; an error ends the run.
    fn step(&mut self) -> Result<(), TaskError>;
    /// Position, angle, velocity and angular velocity of each body, in the scene's order.
    fn states(&self) -> Vec<[f64; 6]>;
}
