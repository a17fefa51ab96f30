//! A mechanism: bodies, constraints, a state, and what follows from them without any time stepping.

use crate::body::{FrameMotion, Mass, RigidBody};
use crate::equation::{Equation, Level, Motions};
use crate::error::MechanismError;
use crate::library::Constraint;
use crate::solve::{Answer, Conflict, Solution, solve};
use crate::stage::Stage;
use engine2d_geometry::BodyRef;
use engine2d_math::{Pose, Vec2};
use std::any::Any;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Identity of a constraint of a mechanism, typed by its kind.
#[derive(Debug, PartialEq, Eq)]
pub struct ConstraintId<C> {
    pub(crate) mechanism: u32,
    pub(crate) index: u32,
    kind: PhantomData<fn() -> C>,
}

impl<C> Clone for ConstraintId<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for ConstraintId<C> {}

/// A constraint with its name and whether it acts.
#[derive(Debug)]
struct Entry {
    name: String,
    enabled: bool,
    constraint: Box<dyn AnyConstraint>,
}

/// A constraint that can be asked for its concrete kind.
trait AnyConstraint: Constraint + Any {}

impl<C: Constraint + Any> AnyConstraint for C {}

/// Numbers mechanisms, so that ids of one are not taken for ids of another.
static NEXT_MECHANISM: AtomicU32 = AtomicU32::new(0);

/// Equations of each level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EquationCounts {
    /// Holonomic equations.
    pub holonomic: usize,
    /// Nonholonomic equations.
    pub nonholonomic: usize,
    /// Acceleration-only equations.
    pub acceleration_only: usize,
}

/// Bodies and constraints with a state.
///
/// ```
/// use engine2d_constraint::{Mass, Mechanism, Revolute};
/// use engine2d_math::Pose;
///
/// // A physical pendulum released from the horizontal: α = −g l / (k² + l²).
/// let mut m = Mechanism::new();
/// m.set_gravity([0.0, -9.81])?;
/// let rod = m.add_body(Mass::new(1.0, 1.0 / 12.0).centered_at([0.5, 0.0]), Pose::IDENTITY)?;
/// let pin = m.add(Revolute::to_ground(rod, [0.0, 0.0]))?;
/// m.assemble()?;
/// let answer = m.solve_accelerations();
/// assert!((answer.acceleration(rod)[2] + 1.5 * 9.81).abs() < 1e-12);
/// let [_, fy, _] = m.force_on(pin, rod, &answer)?;
/// assert!((fy - 9.81 / 4.0).abs() < 1e-12);
/// # Ok::<(), engine2d_constraint::MechanismError>(())
/// ```
#[derive(Debug)]
pub struct Mechanism {
    number: u32,
    masses: Vec<Mass>,
    motions: Vec<FrameMotion>,
    applied: Vec<[f64; 3]>,
    gravity: Vec2,
    entries: Vec<Entry>,
    stage: Stage,
    equations: Vec<Equation>,
    /// Equations of each constraint, by its index.
    ranges: Vec<Range<usize>>,
    solution: Solution,
}

impl Default for Mechanism {
    fn default() -> Self {
        Self::new()
    }
}

impl Mechanism {
    /// A mechanism without bodies.
    #[must_use]
    pub fn new() -> Self {
        Self {
            number: NEXT_MECHANISM.fetch_add(1, Ordering::Relaxed),
            masses: Vec::new(),
            motions: Vec::new(),
            applied: Vec::new(),
            gravity: Vec2::zeros(),
            entries: Vec::new(),
            stage: Stage::Topology,
            equations: Vec::new(),
            ranges: Vec::new(),
            solution: Solution::default(),
        }
    }

    /// Adds a body whose frame stands at `pose`, at rest.
    ///
    /// # Errors
    /// [`MechanismError::Value`] for a mass or inertia that is not positive and finite.
    pub fn add_body(&mut self, mass: Mass, pose: Pose) -> Result<BodyRef, MechanismError> {
        let index = self.masses.len();
        for (what, value) in [("mass", mass.mass), ("inertia", mass.inertia)] {
            if !(value > 0.0 && value.is_finite()) {
                let what = format!("{what} of body {index}");
                return Err(MechanismError::Value { what, value, allowed: "must be > 0 and finite" });
            }
        }
        self.masses.push(mass);
        self.motions.push(FrameMotion { pose, ..FrameMotion::default() });
        self.applied.push([0.0; 3]);
        self.stage = Stage::Topology;
        Ok(BodyRef::Body(index as u32))
    }

    /// Adds a constraint; its name is its kind and number.
    ///
    /// # Errors
    /// [`MechanismError::UnknownBody`], [`MechanismError::SameBody`].
    pub fn add<C: Constraint + 'static>(&mut self, constraint: C) -> Result<ConstraintId<C>, MechanismError> {
        let index = self.entries.len() as u32;
        let name = format!("{} {index}", constraint.kind());
        self.add_named(name, constraint)
    }

    /// Adds a constraint with a name for reports.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_named<C: Constraint + 'static>(
        &mut self,
        name: impl Into<String>,
        constraint: C,
    ) -> Result<ConstraintId<C>, MechanismError> {
        let index = self.entries.len() as u32;
        let bodies = constraint.bodies();
        let count = self.masses.len();
        for (i, &body) in bodies.iter().enumerate() {
            if body.index().is_some_and(|b| b >= count) {
                return Err(MechanismError::UnknownBody { constraint: constraint.kind(), body, count });
            }
            if bodies[..i].contains(&body) {
                return Err(MechanismError::SameBody { constraint: constraint.kind(), body });
            }
        }
        self.entries.push(Entry { name: name.into(), enabled: true, constraint: Box::new(constraint) });
        self.stage = Stage::Topology;
        Ok(ConstraintId { mechanism: self.number, index, kind: PhantomData })
    }

    fn entry<C>(&self, id: ConstraintId<C>) -> Result<usize, MechanismError> {
        let index = id.index as usize;
        if id.mechanism == self.number { Ok(index) } else { Err(MechanismError::ForeignId { id: index }) }
    }

    /// The constraint of an id.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn constraint<C: Constraint + 'static>(&self, id: ConstraintId<C>) -> Result<&C, MechanismError> {
        let index = self.entry(id)?;
        let any: &dyn Any = self.entries[index].constraint.as_ref();
        any.downcast_ref::<C>().ok_or(MechanismError::ForeignId { id: index })
    }

    /// Changes the geometry of a constraint at run time; drops the mechanism to stage time.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn edit<C: Constraint + 'static>(
        &mut self,
        id: ConstraintId<C>,
        change: impl FnOnce(&mut C),
    ) -> Result<(), MechanismError> {
        let index = self.entry(id)?;
        let any: &mut dyn Any = self.entries[index].constraint.as_mut();
        change(any.downcast_mut::<C>().ok_or(MechanismError::ForeignId { id: index })?);
        self.drop_to(Stage::Time);
        Ok(())
    }

    /// Enables or disables a constraint; drops the mechanism to stage model.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn set_enabled<C>(&mut self, id: ConstraintId<C>, enabled: bool) -> Result<(), MechanismError> {
        let index = self.entry(id)?;
        self.entries[index].enabled = enabled;
        self.drop_to(Stage::Model);
        Ok(())
    }

    /// Sets uniform gravity (length/time²).
    ///
    /// # Errors
    /// [`MechanismError::Value`] if it is not finite.
    pub fn set_gravity(&mut self, gravity: impl Into<Vec2>) -> Result<(), MechanismError> {
        let gravity = gravity.into();
        if !(gravity.x.is_finite() && gravity.y.is_finite()) {
            let value = gravity.norm();
            return Err(MechanismError::Value {
                what: "gravity".to_owned(),
                value,
                allowed: "must be finite",
            });
        }
        self.gravity = gravity;
        self.drop_to(Stage::Velocity);
        Ok(())
    }

    /// Sets the force (world) and torque about the origin applied to a body.
    ///
    /// # Errors
    /// [`MechanismError::UnknownBody`] for the ground or a body that is not there.
    pub fn set_applied(&mut self, body: BodyRef, wrench: [f64; 3]) -> Result<(), MechanismError> {
        let count = self.applied.len();
        let slot = body.index().and_then(|i| self.applied.get_mut(i));
        *slot.ok_or(MechanismError::UnknownBody { constraint: "an applied force", body, count })? = wrench;
        self.drop_to(Stage::Velocity);
        Ok(())
    }

    /// Sets the coordinates `(x, y, angle)` of all bodies; drops the mechanism to stage time.
    ///
    /// # Errors
    /// [`MechanismError::Length`].
    pub fn set_coordinates(&mut self, q: &[f64]) -> Result<(), MechanismError> {
        self.check_length("coordinates", q)?;
        for (motion, q) in self.motions.iter_mut().zip(q.chunks_exact(3)) {
            motion.pose.set_position(Vec2::new(q[0], q[1]));
            motion.pose.set_angle(q[2]);
        }
        self.drop_to(Stage::Time);
        Ok(())
    }

    /// Sets the velocities `(v_x, v_y, ω)` of all bodies; drops the mechanism to stage position.
    ///
    /// # Errors
    /// [`MechanismError::Length`].
    pub fn set_velocities(&mut self, u: &[f64]) -> Result<(), MechanismError> {
        self.check_length("velocities", u)?;
        for (motion, u) in self.motions.iter_mut().zip(u.chunks_exact(3)) {
            motion.velocity = Vec2::new(u[0], u[1]);
            motion.spin = u[2];
        }
        self.drop_to(Stage::Position);
        Ok(())
    }

    fn check_length(&self, what: &'static str, v: &[f64]) -> Result<(), MechanismError> {
        let expected = 3 * self.masses.len();
        if v.len() == expected {
            Ok(())
        } else {
            Err(MechanismError::Length { what, got: v.len(), expected })
        }
    }

    /// The coordinates of all bodies.
    #[must_use]
    pub fn coordinates(&self) -> Vec<f64> {
        self.motions.iter().flat_map(|m| [m.pose.position().x, m.pose.position().y, m.pose.angle()]).collect()
    }

    /// The velocities of all bodies.
    #[must_use]
    pub fn velocities(&self) -> Vec<f64> {
        self.motions.iter().flat_map(|m| [m.velocity.x, m.velocity.y, m.spin]).collect()
    }

    /// The motion of every body, which constraints read.
    #[must_use]
    pub fn motions(&self) -> Motions<'_> {
        Motions::new(&self.motions)
    }

    fn drop_to(&mut self, stage: Stage) {
        self.stage = self.stage.min(stage);
    }

    /// The stage reached.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Computes everything up to `stage`.
    ///
    pub fn realize(&mut self, stage: Stage) {
        if stage >= Stage::Position && self.stage < Stage::Velocity {
            self.equations.clear();
            self.ranges.clear();
            let motions = Motions::new(&self.motions);
            for entry in &self.entries {
                let start = self.equations.len();
                if entry.enabled {
                    entry.constraint.equations(motions, &mut self.equations);
                }
                self.ranges.push(start..self.equations.len());
            }
        }
        if stage >= Stage::Acceleration && self.stage < Stage::Acceleration {
            let bodies = self.rigid_bodies();
            self.solution = solve(&bodies, self.gravity, &self.equations);
        }
        self.stage = self.stage.max(stage);
    }

    pub(crate) fn rigid_bodies(&self) -> Vec<RigidBody> {
        let parts = self.masses.iter().zip(&self.motions).zip(&self.applied);
        parts.map(|((&mass, &motion), &applied)| RigidBody { mass, motion, applied }).collect()
    }

    fn name_of_row(&self, row: usize) -> String {
        let owner = self.ranges.iter().position(|r| r.contains(&row));
        owner.map_or_else(String::new, |i| self.entries[i].name.clone())
    }

    fn need(&self, needed: Stage) -> Result<(), MechanismError> {
        if self.stage >= needed { Ok(()) } else { Err(MechanismError::Stage { needed, have: self.stage }) }
    }

    /// The equations of a constraint at the present state; empty when it is disabled.
    ///
    /// # Errors
    /// [`MechanismError::Stage`] below stage velocity, [`MechanismError::ForeignId`].
    pub fn equations<C>(&self, id: ConstraintId<C>) -> Result<&[Equation], MechanismError> {
        self.need(Stage::Velocity)?;
        let index = self.entry(id)?;
        Ok(&self.equations[self.ranges[index].clone()])
    }

    /// All equations in the order of the constraints.
    ///
    /// # Errors
    /// [`MechanismError::Stage`] below stage velocity.
    pub fn all_equations(&self) -> Result<&[Equation], MechanismError> {
        self.need(Stage::Velocity)?;
        Ok(&self.equations)
    }

    /// How many equations of each level a constraint contributes; zeros when it is disabled.
    ///
    /// # Errors
    /// As [`equations`](Self::equations).
    pub fn equations_in_use<C>(&self, id: ConstraintId<C>) -> Result<EquationCounts, MechanismError> {
        let mut counts = EquationCounts::default();
        for equation in self.equations(id)? {
            match equation.level {
                Level::Position => counts.holonomic += 1,
                Level::Velocity => counts.nonholonomic += 1,
                Level::Acceleration => counts.acceleration_only += 1,
            }
        }
        Ok(counts)
    }

    /// Accelerations and multipliers under gravity and the applied forces. Where constraints contradict each
    /// other the least-squares compromise is returned, and [`Answer::conflict`] names the worst offender.
    pub fn solve_accelerations(&mut self) -> Answer {
        self.realize(Stage::Acceleration);
        Answer {
            accelerations: self.solution.accelerations.clone(),
            multipliers: self.solution.multipliers.clone(),
            equations: self.equations.clone(),
            ranges: self.ranges.clone(),
            conflict: self
                .solution
                .conflict
                .map(|(row, residual)| Conflict { constraint: self.name_of_row(row), residual }),
        }
    }

    /// Force (world) and torque about its origin that a constraint exerts on a body, or on the ground about the
    /// world's origin.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn force_on<C>(
        &self,
        id: ConstraintId<C>,
        body: BodyRef,
        answer: &Answer,
    ) -> Result<[f64; 3], MechanismError> {
        Ok(answer.force(self.entry(id)?, body))
    }

    /// The multipliers of a constraint in an answer.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`].
    pub fn multipliers<'a, C>(
        &self,
        id: ConstraintId<C>,
        answer: &'a Answer,
    ) -> Result<&'a [f64], MechanismError> {
        Ok(&answer.multipliers[answer.ranges[self.entry(id)?].clone()])
    }

    /// The mass matrix, row-major, `3 n × 3 n`, about the bodies' origins.
    #[must_use]
    pub fn mass_matrix(&self) -> Vec<Vec<f64>> {
        let bodies = self.rigid_bodies();
        let n = 3 * bodies.len();
        let mut matrix = vec![vec![0.0; n]; n];
        for (b, body) in bodies.iter().enumerate() {
            for (i, row) in body.mass_matrix().iter().enumerate() {
                matrix[3 * b + i][3 * b..3 * b + 3].copy_from_slice(row);
            }
        }
        matrix
    }

    /// Kinetic energy.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        self.rigid_bodies().iter().map(RigidBody::kinetic_energy).sum()
    }

    /// Potential energy of gravity, zero at the world's origin.
    #[must_use]
    pub fn potential_energy(&self) -> f64 {
        let bodies = self.masses.iter().zip(&self.motions);
        bodies.map(|(mass, motion)| -mass.mass * self.gravity.dot(&motion.position(mass.center))).sum()
    }

    /// Replaces the state by one moved by `dq`, without touching velocities.
    pub(crate) fn move_by(&mut self, dq: &[f64]) {
        for (motion, d) in self.motions.iter_mut().zip(dq.chunks_exact(3)) {
            let position = motion.pose.position() + Vec2::new(d[0], d[1]);
            motion.pose.set_position(position);
            motion.pose.set_angle(motion.pose.angle() + d[2]);
        }
        self.drop_to(Stage::Time);
    }

    /// Changes velocities by `du`.
    pub(crate) fn push_by(&mut self, du: &[f64]) {
        for (motion, d) in self.motions.iter_mut().zip(du.chunks_exact(3)) {
            motion.velocity += Vec2::new(d[0], d[1]);
            motion.spin += d[2];
        }
        self.drop_to(Stage::Position);
    }

    /// Name of the constraint that owns an equation, by its index.
    pub(crate) fn owner_of(&self, row: usize) -> String {
        self.name_of_row(row)
    }
}
