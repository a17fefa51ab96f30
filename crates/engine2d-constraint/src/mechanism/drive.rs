//! A mechanism handed to what moves it: an integrator, or a step that drives it through the trait of constrainers alone.

use super::Mechanism;
use crate::body::Mass;
use crate::check::check_length;
use crate::constrainer::{Constrainer, LibraryConstrainer};
use crate::error::MechanismError;
use crate::motion::FrameMotion;
use crate::stage::Stage;
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

    /// The enabled constraints as constrainers, in order, with their names and springs: what a step needs beside
    /// [`bodies`](Self::bodies), [`gravity`](Self::gravity) and [`applied`](Self::applied). They are copies: later changes
    /// here do not reach them.
    #[must_use]
    pub fn constrainers(&self) -> Vec<Box<dyn Constrainer>> {
        let enabled = self.entries.iter().map(|e| &e.current).filter(|joint| joint.is_enabled());
        enabled.map(|joint| -> Box<dyn Constrainer> { Box::new(LibraryConstrainer::of(joint)) }).collect()
    }

    /// Coordinates, then velocities of all bodies: the state that an integrator carries.
    #[must_use]
    pub fn state(&self) -> Vec<f64> {
        let mut state = self.coordinates();
        state.extend(self.velocities());
        state
    }

    /// Sets coordinates, then velocities of all bodies.
    ///
    /// # Errors
    /// [`MechanismError::Length`], [`MechanismError::Value`].
    pub fn set_state(&mut self, state: &[f64]) -> Result<(), MechanismError> {
        check_length("a state", state.len(), 6 * self.bodies.len())?;
        let (q, u) = state.split_at(state.len() / 2);
        self.set_coordinates(q)?;
        self.set_velocities(u)
    }

    /// Goes to a state and writes its rate of change: velocities, then accelerations. Nothing is allocated once the
    /// mechanism has been realized before.
    ///
    /// # Errors
    /// As [`set_state`](Self::set_state) and [`realize`](Self::realize).
    pub fn rates(&mut self, state: &[f64], out: &mut [f64]) -> Result<(), MechanismError> {
        self.set_state(state)?;
        check_length("the rate of a state", out.len(), state.len())?;
        self.realize(Stage::Acceleration)?;
        let (q_rate, u_rate) = out.split_at_mut(state.len() / 2);
        q_rate.copy_from_slice(&state[state.len() / 2..]);
        u_rate.copy_from_slice(&self.solution.accelerations);
        Ok(())
    }
}
