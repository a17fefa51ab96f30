//! Joints of the library in a running world: added, changed, switched, asked for their reactions.

use super::World;
use super::builder::add_joint;
use crate::error::SimError;
use crate::joint::check;
use crate::located::joint_place;
use crate::road::{frame_motions, reaction};
use engine2d_constraint::{Constraint, Motions};
use engine2d_constraint::{Joint, Reaction};

impl World {
    /// Adds a joint behind the others; returns its place. Nothing is moved but by the next advance, which begins with
    /// all joints assembled.
    ///
    /// # Errors
    /// [`SimError`] for an unknown body, a value that is not allowed, or a clock that cannot take it.
    pub fn add_joint(&mut self, joint: impl Into<Joint>) -> Result<u32, SimError> {
        let place = add_joint(&mut self.model, &mut self.state, "joint", joint.into())?;
        self.located.invalidate();
        Ok(place)
    }

    /// The joints in order.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        &self.model.joints
    }

    /// The place of the first joint of that name.
    ///
    /// # Errors
    /// [`SimError::UnknownName`].
    pub fn joint_named(&self, name: &str) -> Result<u32, SimError> {
        let place = self.model.joints.iter().position(|joint| joint.name() == Some(name));
        place.map(|k| k as u32).ok_or_else(|| SimError::UnknownName { name: name.to_owned() })
    }

    /// Changes the constraint of a joint, as the type it was made of: the speed of a motor, the range of a limit. The
    /// motion goes on from where it is.
    ///
    /// ```
    /// use engine2d_constraint::{Motor, Revolute};
    /// use engine2d_sim::{Body, BodyRef, SimError, World};
    ///
    /// let wheel = BodyRef::Body(0);
    /// let mut world = World::builder()
    ///     .body(Body::ball(0.5))
    ///     .joint(Revolute::new(wheel, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0]))
    ///     .joint(Motor::rotary(wheel, BodyRef::Ground, 1.0, 10.0))
    ///     .build()?;
    /// for k in 1..=4 {
    ///     world.edit_joint(1, |motor: &mut Motor| motor.set_speed(f64::from(k)))?;
    ///     world.advance(1.0)?;
    ///     assert!((world.body(0)?.spin() - f64::from(k)).abs() < 1e-9);
    /// }
    /// # Ok::<(), SimError>(())
    /// ```
    ///
    /// # Errors
    /// [`SimError::Value`] for a place beyond the joints; [`SimError::Unsupported`] for another type; what
    /// [`add_joint`](Self::add_joint) reports, which leaves the joint as it was.
    pub fn edit_joint<C>(&mut self, place: u32, change: impl FnOnce(&mut C)) -> Result<(), SimError>
    where
        C: Constraint + 'static,
    {
        self.check_joint(place)?;
        let path = format!("joints[{place}]");
        let mut changed = self.model.joints[place as usize].clone();
        let Some(constraint) = changed.constraint_mut::<C>() else {
            let problem = "the joint is of another type: ask for the one it was made of";
            return Err(SimError::Unsupported { path, problem });
        };
        change(constraint);
        let mut motions = Vec::new();
        frame_motions(&self.state.bodies, &mut motions);
        let motions = Motions::new(&motions).at_time(self.state.time);
        check(&changed, &path, self.state.bodies.len(), motions)?;
        self.model.joints[place as usize] = changed;
        self.located.invalidate();
        Ok(())
    }

    /// Lets a joint act or not.
    ///
    /// # Errors
    /// [`SimError::Value`] for a place beyond the joints.
    pub fn enable_joint(&mut self, place: u32, on: bool) -> Result<(), SimError> {
        self.check_joint(place)?;
        self.model.joints[place as usize].set_enabled(on);
        self.located.invalidate();
        Ok(())
    }

    /// Force and torque of a joint on its first body that is not the ground, about the joint's point, at the last
    /// evaluation.
    ///
    /// # Errors
    /// [`SimError::Value`] for a place beyond the joints.
    pub fn reaction(&self, place: u32) -> Result<Reaction, SimError> {
        self.check_joint(place)?;
        let (body, about) = joint_place(&self.model, &self.state, place);
        Ok(reaction(&self.state, self.located.road(), place, body, about))
    }

    fn check_joint(&self, place: u32) -> Result<(), SimError> {
        if (place as usize) < self.model.joints.len() {
            return Ok(());
        }
        let (path, allowed) = (format!("joints[{place}]"), "the world has no joint of that place");
        Err(SimError::Value { path, value: f64::from(place), allowed })
    }
}
