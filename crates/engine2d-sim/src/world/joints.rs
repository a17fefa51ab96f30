//! Joints of the library in a running world: added, changed, switched, asked for their reactions.

use super::World;
use super::builder::add_joint;
use super::identity::{ConstraintId, ConstraintKey};
use crate::error::SimError;
use crate::joint::check;
use crate::road::{frame_motions, reaction};
use crate::strength::joint_place;
use engine2d_constraint::{Constraint, Motions};
use engine2d_constraint::{Joint, Reaction};

impl World {
    /// Adds a joint behind the others; returns its identity. Nothing is moved but by the next advance, which begins with
    /// all joints assembled.
    ///
    /// # Errors
    /// [`SimError`] for an unknown body, a value that is not allowed, or a clock that cannot take it.
    pub fn add_joint(&mut self, joint: impl Into<Joint>) -> Result<ConstraintId, SimError> {
        let joint = joint.into();
        if let Some(gone) =
            joint.bodies().iter().filter_map(|b| b.index()).find(|&b| !self.bodies.is_taken(b))
        {
            let (path, count) = ("joint.bodies".to_owned(), self.state.bodies.len());
            return Err(SimError::UnknownBody { path, index: gone, count });
        }
        self.joints.check_name("joints", joint.name())?;
        let place = add_joint(&mut self.model, &mut self.state, "joint", joint)? as usize;
        self.joints.add(self.model.joints[place].name());
        self.located.invalidate();
        // They no longer collide with each other, and are not yet where the joint wants them.
        for body in self.model.joints[place].bodies().iter().filter_map(|body| body.index()) {
            self.time_stepping.disturb(body as u32);
        }
        Ok(self.joints.constraint(place))
    }

    /// Removes a joint; returns it. Bodies that it kept from colliding still ignore each other.
    ///
    /// # Errors
    /// [`SimError::Stale`], [`SimError::UnknownName`], or [`SimError::Value`] for a place beyond the joints.
    pub fn remove_joint<'a>(&mut self, joint: impl Into<ConstraintKey<'a>>) -> Result<Joint, SimError> {
        let place = self.joints.find_constraint(joint.into())?;
        Ok(self.take_joint(place))
    }

    /// Takes a joint out of the list; those behind it move up by one, with what is remembered of them.
    pub(super) fn take_joint(&mut self, place: usize) -> Joint {
        self.joints.remove(place);
        self.state.held.remove_constraint(place as u32);
        self.time_stepping.remove_joint(place as u32);
        self.located.invalidate();
        self.model.joints.remove(place)
    }

    /// The joints in order.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        &self.model.joints
    }

    /// The identity of a joint, asked for by name or place.
    ///
    /// # Errors
    /// [`SimError::Stale`], [`SimError::UnknownName`], or [`SimError::Value`] for a place beyond the joints.
    pub fn joint<'a>(&self, joint: impl Into<ConstraintKey<'a>>) -> Result<ConstraintId, SimError> {
        Ok(self.joints.constraint(self.joints.find_constraint(joint.into())?))
    }

    /// Changes the constraint of a joint, as the type it was made of: the speed of a motor, the range of a limit. The
    /// motion goes on from where it is.
    ///
    /// ```
    /// use engine2d_constraint::{SpeedDrive, Motor, Revolute};
    /// use engine2d_sim::{Body, BodyRef, SimError, World};
    ///
    /// let wheel = BodyRef::Body(0);
    /// let mut world = World::builder()
    ///     .body(Body::ball(0.5))
    ///     .joint(Revolute::new(wheel, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0]))
    ///     .joint(Motor::rotary(wheel, BodyRef::Ground, SpeedDrive { speed: 1.0, limit: 10.0 }))
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
    /// [`SimError`] for a joint that is not there; [`SimError::Unsupported`] for another type; what
    /// [`add_joint`](Self::add_joint) reports, which leaves the joint as it was.
    pub fn edit_joint<'a, C>(
        &mut self,
        joint: impl Into<ConstraintKey<'a>>,
        change: impl FnOnce(&mut C),
    ) -> Result<(), SimError>
    where
        C: Constraint + 'static,
    {
        let place = self.joints.find_constraint(joint.into())?;
        let path = format!("joints[{place}]");
        let mut changed = self.model.joints[place].clone();
        let Some(constraint) = changed.constraint_mut::<C>() else {
            let problem = "the joint is of another type: ask for the one it was made of";
            return Err(SimError::Unsupported { path, problem });
        };
        change(constraint);
        let mut motions = Vec::new();
        frame_motions(&self.state.bodies, &mut motions);
        let motions = Motions::new(&motions).at_time(self.state.time);
        check(&changed, &path, self.state.bodies.len(), motions)?;
        self.model.joints[place] = changed;
        self.joint_changed(place);
        Ok(())
    }

    /// Lets a joint act or not.
    ///
    /// # Errors
    /// [`SimError`] for a joint that is not there.
    pub(crate) fn enable_joint<'a>(
        &mut self,
        joint: impl Into<ConstraintKey<'a>>,
        on: bool,
    ) -> Result<(), SimError> {
        let place = self.joints.find_constraint(joint.into())?;
        self.model.joints[place].set_enabled(on);
        self.joint_changed(place);
        Ok(())
    }

    /// What follows from a change of a joint: the motion in progress ends, and what is known of all else stays.
    fn joint_changed(&mut self, place: usize) {
        self.located.invalidate();
        self.time_stepping.forget_joint(place as u32);
    }

    /// Force and torque of a joint on its first body that is not the ground, about the joint's point, at the last
    /// evaluation.
    ///
    /// # Errors
    /// [`SimError`] for a joint that is not there.
    pub fn reaction<'a>(&self, joint: impl Into<ConstraintKey<'a>>) -> Result<Reaction, SimError> {
        let place = self.joints.find_constraint(joint.into())? as u32;
        let (body, about) = joint_place(&self.model, &self.state, place);
        Ok(reaction(&self.state, self.road(), place, body, about))
    }
}
