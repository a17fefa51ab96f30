//! Pushing and placing single bodies.

use super::World;
use super::arrival::check_one_overlap;
use super::identity::BodyKey;
use super::standing::Standing;
use crate::body::motion::{Motion, leading};
use crate::error::SimError;
use crate::force::{ForceLaw, Frame};
use engine2d_math::{Pose, Vec2, cross};

impl World {
    /// Sets the velocity of the centre of mass (length/time) and the angular velocity (radians/time) of a body; one that is
    /// led goes on so from where it is. Its contacts are found anew, those of others last.
    ///
    /// # Errors
    /// [`SimError::Value`] for what is not finite, [`SimError::Unsupported`] for an immovable body, and for a body that is
    /// not there.
    pub fn set_velocity<'a>(
        &mut self,
        body: impl Into<BodyKey<'a>>,
        velocity: impl Into<Vec2>,
        angular_velocity: f64,
    ) -> Result<(), SimError> {
        let place = self.bodies.find(body.into())?;
        let velocity = velocity.into();
        check_finite(place, "velocity", &[velocity.x, velocity.y, angular_velocity])?;
        if self.model.data[place].motion.is_some() {
            return self.lead(place, Motion::Steady { velocity, angular_velocity });
        }
        self.check_movable(place, "velocity")?;
        let body = &mut self.state.bodies[place];
        (body.velocity, body.angular_velocity) = (velocity, angular_velocity);
        self.let_go(place);
        Ok(())
    }

    /// Replaces the constraints that lead a body.
    pub(super) fn lead(&mut self, place: usize, motion: Motion) -> Result<(), SimError> {
        let data = &mut self.model.data[place];
        let Some(led) = data.led else {
            let problem = "the body is not led: make it by `moving` or `led_by`";
            return Err(SimError::Unsupported { path: format!("bodies[{place}].motion"), problem });
        };
        let body = &self.state.bodies[place];
        let joints = leading(&motion.path(body, self.state.time), place, body.center_of_mass, &data.name);
        motion.begin(&mut self.state.bodies[place], self.state.time);
        data.motion = Some(motion);
        for (id, joint) in led.into_iter().zip(joints) {
            let at = self.joints.find_constraint(id.into())?;
            self.model.joints[at] = joint;
        }
        self.changed();
        Ok(())
    }

    /// Changes the velocities of a body at once by an impulse (force × time) at a world point.
    ///
    /// # Errors
    /// [`SimError::Value`] for what is not finite, [`SimError::Unsupported`] for a body that is immovable or led, and for a
    /// body that is not there.
    pub fn apply_impulse<'a>(
        &mut self,
        body: impl Into<BodyKey<'a>>,
        impulse: impl Into<Vec2>,
        point: impl Into<Vec2>,
    ) -> Result<(), SimError> {
        let place = self.bodies.find(body.into())?;
        let (impulse, point) = (impulse.into(), point.into());
        check_finite(place, "impulse", &[impulse.x, impulse.y, point.x, point.y])?;
        self.check_movable(place, "impulse")?;
        let data = &self.model.data[place];
        let body = &mut self.state.bodies[place];
        body.velocity += impulse / data.mass;
        body.angular_velocity += cross(point - body.pose.position(), impulse) / data.moment;
        self.let_go(place);
        Ok(())
    }

    /// Lets a force act on a body at the point of it that is now at a world point, until the next advance has ended. Its
    /// direction stays the same in the world. Several add up. A force that lasts is a force law.
    ///
    /// # Errors
    /// [`SimError::Value`] for what is not finite, [`SimError::Unsupported`] for a body that is immovable or led, and for a
    /// body that is not there.
    pub fn apply_force<'a>(
        &mut self,
        body: impl Into<BodyKey<'a>>,
        force: impl Into<Vec2>,
        point: impl Into<Vec2>,
    ) -> Result<(), SimError> {
        let place = self.bodies.find(body.into())?;
        let (force, point) = (force.into(), point.into());
        check_finite(place, "force", &[force.x, force.y, point.x, point.y])?;
        self.check_movable(place, "force")?;
        let law = self.add_force_law(ForceLaw::ConstantForce {
            body: place as u32,
            location: self.state.bodies[place].to_body(point),
            location_frame: Frame::Body,
            force,
            force_frame: Frame::World,
            torque: 0.0,
        })?;
        self.passing.push(law);
        Ok(())
    }

    /// Ends the forces that act for one advance.
    pub(super) fn end_passing_forces(&mut self) {
        for law in std::mem::take(&mut self.passing) {
            // One that was removed meanwhile has ended already.
            let _gone = self.remove_force_law(law).is_err();
        }
    }

    /// Places a body: centre of mass and angle. Its contacts are found anew, those of others last.
    ///
    /// # Errors
    /// [`SimError::Overlap`] for a place inside another body (unless the world allows overlap), [`SimError::Value`] for what
    /// is not finite, and for a body that is not there; the body is then where it was.
    pub fn set_pose<'a>(
        &mut self,
        body: impl Into<BodyKey<'a>>,
        position: impl Into<Vec2>,
        angle: f64,
    ) -> Result<(), SimError> {
        let place = self.bodies.find(body.into())?;
        let position = position.into();
        check_finite(place, "pose", &[position.x, position.y, angle])?;
        if let Some(Motion::Path(_)) = self.model.data[place].motion {
            let problem = "the body is led along a path: give it another by `set_path`";
            return Err(SimError::Unsupported { path: format!("bodies[{place}].pose"), problem });
        }
        let before =
            std::mem::replace(&mut self.state.bodies[place].pose, Pose::new(position.x, position.y, angle));
        let standing = self.standing.get_or_insert_with(|| Standing::of(&self.state.bodies));
        if !self.allow_overlap
            && let Err(error) =
                check_one_overlap(&self.model, &self.state.bodies, place, (&mut self.instrument, standing))
        {
            self.state.bodies[place].pose = before;
            return Err(error);
        }
        standing.insert(place, &self.state.bodies[place]);
        self.let_go(place);
        match self.model.data[place].motion.clone() {
            Some(motion) => self.lead(place, motion),
            None => Ok(()),
        }
    }

    /// Ends the contacts of a body, which are found anew: they would hold it as it was.
    fn let_go(&mut self, place: usize) {
        let body = engine2d_geometry::BodyRef::Body(place as u32);
        self.state.held.retain(|held| !held.source.is_of(body));
        self.changed_at(place);
    }

    fn check_movable(&self, place: usize, field: &str) -> Result<(), SimError> {
        let path = || format!("bodies[{place}].{field}");
        if self.model.data[place].motion.is_some() {
            let problem = "the body is led and takes no force: set its velocity or path";
            return Err(SimError::Unsupported { path: path(), problem });
        }
        if self.state.bodies[place].fixed {
            let problem = "the body is immovable: give it a mass, or make it by `moving`";
            return Err(SimError::Unsupported { path: path(), problem });
        }
        Ok(())
    }
}

pub(super) fn check_finite(place: usize, field: &str, values: &[f64]) -> Result<(), SimError> {
    match values.iter().find(|v| !v.is_finite()) {
        None => Ok(()),
        Some(&value) => {
            let (path, allowed) = (format!("bodies[{place}].{field}"), "must be a finite number");
            Err(SimError::Value { path, value, allowed })
        }
    }
}
