//! What was changed of a world since its scene: it must be changed again where the world is made anew.

use engine2d_constraint::Motor;
use engine2d_sim::{SimError, World};
use std::collections::BTreeMap;

/// A motor's new demand; what is absent stays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Demand {
    /// Speed (length/time or radians/time).
    pub(crate) speed: Option<f64>,
    /// Place (length or radians).
    pub(crate) place: Option<f64>,
    /// Largest force or torque.
    pub(crate) limit: Option<f64>,
}

/// A force until the next advance has ended: body, force and the point of the body (world).
pub(crate) type Push = (usize, [f64; 2], [f64; 2]);

/// What was changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// Demands of motors by the name of their joint.
    motors: BTreeMap<String, Demand>,
    /// Forces until the next advance.
    pushes: Vec<Push>,
}

/// Changes as Python keeps them: motors, then pushes.
pub(crate) type Kept = (Vec<(String, Option<f64>, Option<f64>, Option<f64>)>, Vec<Push>);

impl Changes {
    /// Changes the demand of a motor.
    pub(crate) fn drive(&mut self, world: &mut World, name: &str, demand: Demand) -> Result<(), SimError> {
        world.edit_joint(name, |motor: &mut Motor| {
            if let Some(speed) = demand.speed {
                motor.set_speed(speed);
            }
            if let Some(place) = demand.place {
                motor.set_place(place);
            }
            if let Some(limit) = demand.limit {
                motor.set_limit(limit);
            }
        })?;
        let kept = self.motors.entry(name.to_owned()).or_default();
        kept.speed = demand.speed.or(kept.speed);
        kept.place = demand.place.or(kept.place);
        kept.limit = demand.limit.or(kept.limit);
        Ok(())
    }

    /// Pushes a body during the next advance.
    pub(crate) fn push(&mut self, world: &mut World, push: Push) -> Result<(), SimError> {
        let (body, force, point) = push;
        world.apply_force(body, force, point)?;
        self.pushes.push(push);
        Ok(())
    }

    /// Forgets what an advance ends.
    pub(crate) fn advanced(&mut self) {
        self.pushes.clear();
    }

    /// Forgets what was changed of joints and bodies that are gone.
    pub(crate) fn forget_missing(&mut self, world: &World) {
        self.motors.retain(|name, _| world.joint(name).is_ok());
        self.pushes.retain(|(body, _, _)| world.body(*body).is_ok());
    }

    /// What is to be kept.
    pub(crate) fn keep(&self) -> Kept {
        let motors = self.motors.iter().map(|(name, d)| (name.clone(), d.speed, d.place, d.limit));
        (motors.collect(), self.pushes.clone())
    }

    /// Makes the changes of motors again.
    pub(crate) fn drive_again(&mut self, world: &mut World, kept: &Kept) -> Result<(), SimError> {
        kept.0.iter().try_for_each(|(name, speed, place, limit)| {
            self.drive(world, name, Demand { speed: *speed, place: *place, limit: *limit })
        })
    }

    /// Pushes again.
    pub(crate) fn push_again(&mut self, world: &mut World, kept: &Kept) -> Result<(), SimError> {
        kept.1.iter().try_for_each(|push| self.push(world, *push))
    }
}
