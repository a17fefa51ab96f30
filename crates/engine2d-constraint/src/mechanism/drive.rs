//! A mechanism handed to a step that drives it through the trait of constrainers alone.

use super::Mechanism;
use crate::body::{FrameMotion, Mass};
use crate::constrainer::Constrainer;
use crate::error::MechanismError;
use engine2d_math::Vec2;

impl Mechanism {
    /// Mass properties and motions of all bodies in order.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = (Mass, FrameMotion)> + '_ {
        self.bodies.iter().zip(&self.motions).map(|(body, motion)| (body.mass, *motion))
    }

    /// Forces and torques about the origins applied to all bodies in order.
    pub fn applied(&self) -> impl ExactSizeIterator<Item = [f64; 3]> + '_ {
        self.bodies.iter().map(|b| b.applied)
    }

    /// Gravity (length/time²).
    #[must_use]
    pub fn gravity(&self) -> Vec2 {
        self.gravity
    }

    /// The enabled constraints as constrainers, in order, with their names and give: what a step needs beside
    /// [`bodies`](Self::bodies), [`gravity`](Self::gravity) and [`applied`](Self::applied). They are copies: later changes
    /// here do not reach them.
    #[must_use]
    pub fn constrainers(&self) -> Vec<Box<dyn Constrainer>> {
        let boxed = |c| -> Box<dyn Constrainer> { Box::new(c) };
        self.entries.iter().filter_map(|e| e.constrainer().map(boxed)).collect()
    }

    /// Checks that force laws gave finite forces.
    pub(crate) fn check_laws(&self) -> Result<(), MechanismError> {
        let bad = self.equations.iter().position(|e| e.force.is_some_and(|f| !f.is_finite()));
        bad.map_or(Ok(()), |row| {
            let value = self.equations[row].force.unwrap_or_default();
            let what = format!("force of the law of {}", self.owner_of(row));
            Err(MechanismError::Value { what, value, allowed: "must be finite for every finite error" })
        })
    }
}
