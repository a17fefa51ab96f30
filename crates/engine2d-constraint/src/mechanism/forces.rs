//! The forces of a mechanism's constraints.

use super::Mechanism;
use crate::answer::{Answer, Reaction, Wrench, constraint_force};
use crate::body::BodyId;
use crate::check::check_length;
use crate::error::MechanismError;
use crate::id::ConstraintId;
use crate::stage::Stage;
use engine2d_geometry::BodyRef;
use engine2d_math::{Vec2, cross};

impl Mechanism {
    /// Place of a constraint in an answer of this mechanism.
    fn place<C>(&self, id: ConstraintId<C>, answer: &Answer) -> Result<usize, MechanismError> {
        let index = self.entry(id)?;
        if answer.mechanism == self.number && index < answer.ranges.len() {
            Ok(index)
        } else {
            Err(MechanismError::ForeignId { id: index })
        }
    }

    /// Force (world) and torque about its origin that a constraint exerts on a body, or on the ground about the
    /// world's origin.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`], [`MechanismError::UnknownBody`], [`MechanismError::ForeignBody`].
    pub fn force_on<C>(
        &self,
        id: ConstraintId<C>,
        body: impl Into<BodyId>,
        answer: &Answer,
    ) -> Result<[f64; 3], MechanismError> {
        let place = self.place(id, answer)?;
        let body = self.place_of("a question for a force", body)?;
        Ok(answer.force(place, body))
    }

    /// The multipliers of a constraint in an answer: a positive one pushes the first body along its row.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn multipliers<'a, C>(
        &self,
        id: ConstraintId<C>,
        answer: &'a Answer,
    ) -> Result<&'a [f64], MechanismError> {
        Ok(&answer.multipliers[answer.ranges[self.place(id, answer)?].clone()])
    }

    /// Wrenches of a constraint on all its bodies for given multipliers of its equations. Those on the ground include
    /// what holds the axes that coordinates are measured along, so that all together vanish about any point.
    ///
    /// # Errors
    /// [`MechanismError::Stage`] below stage position, [`MechanismError::ForeignId`], [`MechanismError::Length`].
    pub fn wrenches<C>(
        &self,
        id: ConstraintId<C>,
        multipliers: &[f64],
    ) -> Result<Vec<Wrench>, MechanismError> {
        let bodies = self.constrained_bodies(id)?;
        self.need(Stage::Position)?;
        let equations = &self.equations[self.ranges[self.entry(id)?].clone()];
        check_length("multipliers of a constraint", multipliers.len(), equations.len())?;
        let mut wrenches: Vec<Wrench> = Vec::with_capacity(bodies.len() + 1);
        let (mut force, mut torque) = (Vec2::zeros(), 0.0);
        for &body in bodies.iter().filter(|b| b.index().is_some()) {
            let [x, y, t] = constraint_force(equations, multipliers, body);
            let wrench = Wrench { body, force: Vec2::new(x, y), torque: t };
            force += wrench.force;
            torque += t + cross(self.motions().of(body).pose.position(), wrench.force);
            wrenches.push(wrench);
        }
        let acts = equations.iter().any(|e| e.row.bodies.contains(&BodyRef::Ground));
        let measured = bodies.contains(&BodyRef::Ground) || acts || wrenches.len() < 2;
        // Couplers of two bodies act on coordinates, which the ground's axes define.
        let residual = force.norm().max(torque.abs());
        let largest = wrenches.iter().map(|w| w.force.norm().max(w.torque.abs())).fold(0.0, f64::max);
        if measured || residual > 1e-9 * largest {
            wrenches.push(Wrench { body: BodyRef::Ground, force: -force, torque: -torque });
        }
        Ok(wrenches)
    }

    /// Generalized force of a constraint over the velocities of all bodies for given multipliers of its equations.
    ///
    /// # Errors
    /// As [`wrenches`](Self::wrenches).
    pub fn generalized_force<C>(
        &self,
        id: ConstraintId<C>,
        multipliers: &[f64],
    ) -> Result<Vec<f64>, MechanismError> {
        let mut out = vec![0.0; 3 * self.bodies.len()];
        for w in self.wrenches(id, multipliers)? {
            if let Some(b) = w.body.index() {
                out[3 * b..3 * b + 3].copy_from_slice(&[w.force.x, w.force.y, w.torque]);
            }
        }
        Ok(out)
    }

    /// Force and torque of a constraint on its first body, about the point of the joint.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn reaction<C>(&self, id: ConstraintId<C>, answer: &Answer) -> Result<Reaction, MechanismError> {
        let place = self.place(id, answer)?;
        let joint = &self.entries[place].current;
        let (point, bodies) = (joint.anchor(self.motions()), joint.bodies());
        let Some(&body) = bodies.first() else {
            return Ok(Reaction { point, force: Vec2::zeros(), torque: 0.0 });
        };
        let [x, y, torque] = answer.force(place, body);
        let force = Vec2::new(x, y);
        let arm = point - self.motions().of(body).pose.position();
        Ok(Reaction { point, force, torque: torque - cross(arm, force) })
    }

    /// Power of a constraint: of its forces on all bodies at their present velocities.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn power<C>(&self, id: ConstraintId<C>, answer: &Answer) -> Result<f64, MechanismError> {
        let place = self.place(id, answer)?;
        let bodies = self.entries[place].current.bodies();
        Ok(bodies
            .iter()
            .map(|&body| {
                let [x, y, torque] = answer.force(place, body);
                let m = self.motions().of(body);
                x * m.velocity.x + y * m.velocity.y + torque * m.angular_velocity
            })
            .sum())
    }
}
