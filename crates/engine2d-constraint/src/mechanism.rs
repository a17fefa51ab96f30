//! A mechanism: bodies, constraints, a state, and what follows from them without any time stepping.

mod constraints;
mod drive;
mod forces;
pub(crate) mod kkt;
pub(crate) mod operators;
mod problems;

use crate::answer::Answer;
use crate::body::{BodyId, Mass, RigidBody};
use crate::check::{check_home, check_length, check_mass, finite, not_finite};
use crate::equation::Equation;
use crate::error::MechanismError;
use crate::joint::Joint;
use crate::motion::{FrameMotion, Motions};
use crate::problem::{Problem, State};
use crate::reduced::Reduced;
use crate::stage::Stage;
use engine2d_geometry::BodyRef;
use engine2d_math::{Pose, Vec2};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Numbers mechanisms, so that ids of one are not taken for ids of another.
static NEXT_MECHANISM: AtomicU32 = AtomicU32::new(0);

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
/// let answer = m.solve_accelerations()?;
/// assert!((answer.acceleration(rod)?[2] + 1.5 * 9.81).abs() < 1e-12);
/// let [_, fy, _] = m.force_on(pin, rod, &answer)?;
/// assert!((fy - 9.81 / 4.0).abs() < 1e-12);
/// # Ok::<(), engine2d_constraint::MechanismError>(())
/// ```
#[derive(Debug)]
pub struct Mechanism {
    pub(crate) number: u32,
    pub(crate) bodies: Vec<RigidBody>,
    motions: Vec<FrameMotion>,
    time: f64,
    gravity: Vec2,
    entries: Vec<Entry>,
    stage: Stage,
    pub(crate) equations: Vec<Equation>,
    /// Equations of each constraint, by its index.
    pub(crate) ranges: Vec<Range<usize>>,
    /// The answer of stage acceleration; its equations are left empty.
    solution: Answer,
    scratch: Scratch,
}

/// Storage that solving reuses.
#[derive(Debug, Default)]
struct Scratch {
    problem: Problem,
    reduced: Reduced,
    /// Forces of the problem's rows.
    forces: Vec<f64>,
}

/// A constraint in force, and what a mechanism put back to its defaults starts from.
#[derive(Debug)]
struct Entry {
    current: Joint,
    default: Joint,
    conditional: bool,
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
            bodies: Vec::new(),
            motions: Vec::new(),
            time: 0.0,
            gravity: Vec2::zeros(),
            entries: Vec::new(),
            stage: Stage::Topology,
            equations: Vec::new(),
            ranges: Vec::new(),
            solution: Answer::default(),
            scratch: Scratch::default(),
        }
    }

    /// Adds a body whose frame stands at `pose`, at rest.
    ///
    /// # Errors
    /// [`MechanismError::Value`] for a mass or inertia that is not positive and finite, or a pose that is not finite.
    pub fn add_body(&mut self, mass: Mass, pose: Pose) -> Result<BodyId, MechanismError> {
        let index = self.bodies.len();
        check_mass(index, mass)?;
        let p = pose.position();
        finite(|| format!("pose of body {index}"), &[p.x, p.y, pose.angle()])?;
        let motion = FrameMotion { pose, ..FrameMotion::default() };
        self.motions.push(motion);
        self.bodies.push(RigidBody { mass, motion, applied: [0.0; 3] });
        self.stage = Stage::Topology;
        Ok(BodyId::new(self.number, index))
    }

    /// Number of bodies.
    #[must_use]
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// The place of a body; an error for an id of another mechanism or a body that is not there.
    pub(crate) fn place_of(
        &self,
        what: &'static str,
        body: impl Into<BodyId>,
    ) -> Result<BodyRef, MechanismError> {
        check_home(what, body.into(), self.number, self.bodies.len())
    }

    /// The body's slot; an error for the ground or a body that is not there.
    fn slot(
        &mut self,
        what: &'static str,
        body: impl Into<BodyId>,
    ) -> Result<&mut RigidBody, MechanismError> {
        let count = self.bodies.len();
        let body = self.place_of(what, body)?;
        let unknown = MechanismError::UnknownBody { constraint: what, body, count };
        body.index().and_then(|i| self.bodies.get_mut(i)).ok_or(unknown)
    }

    /// Replaces the mass properties of a body; drops the mechanism to stage model.
    ///
    /// # Errors
    /// [`MechanismError::Value`], [`MechanismError::UnknownBody`], [`MechanismError::ForeignBody`].
    pub fn set_mass(&mut self, body: impl Into<BodyId>, mass: Mass) -> Result<(), MechanismError> {
        let body = body.into();
        check_mass(body.index().unwrap_or_default(), mass)?;
        self.slot("a mass", body)?.mass = mass;
        self.drop_to(Stage::Model);
        Ok(())
    }

    /// Sets uniform gravity (length/time²).
    ///
    /// # Errors
    /// [`MechanismError::Value`] if it is not finite.
    pub fn set_gravity(&mut self, gravity: impl Into<Vec2>) -> Result<(), MechanismError> {
        let gravity = gravity.into();
        finite(|| "gravity".to_owned(), &[gravity.x, gravity.y])?;
        self.gravity = gravity;
        self.drop_to(Stage::Velocity);
        Ok(())
    }

    /// Sets the force (world) and torque about the origin applied to a body.
    ///
    /// # Errors
    /// [`MechanismError::UnknownBody`] for the ground or a body that is not there, [`MechanismError::ForeignBody`],
    /// [`MechanismError::Value`].
    pub fn set_applied(&mut self, body: impl Into<BodyId>, wrench: [f64; 3]) -> Result<(), MechanismError> {
        let body = body.into();
        finite(|| format!("force on {body}"), &wrench)?;
        self.slot("an applied force", body)?.applied = wrench;
        self.drop_to(Stage::Velocity);
        Ok(())
    }

    /// Sets the coordinates `(x, y, angle)` of all bodies; drops the mechanism to stage time.
    ///
    /// # Errors
    /// [`MechanismError::Length`], [`MechanismError::Value`].
    pub fn set_coordinates(&mut self, q: &[f64]) -> Result<(), MechanismError> {
        self.check_vector("coordinates", q)?;
        place(&mut self.motions, q);
        self.drop_to(Stage::Time);
        Ok(())
    }

    /// Sets the velocities `(v_x, v_y, ω)` of all bodies; drops the mechanism to stage position.
    ///
    /// # Errors
    /// [`MechanismError::Length`], [`MechanismError::Value`].
    pub fn set_velocities(&mut self, u: &[f64]) -> Result<(), MechanismError> {
        self.check_vector("velocities", u)?;
        drive(&mut self.motions, u);
        self.drop_to(Stage::Position);
        Ok(())
    }

    fn check_vector(&self, what: &'static str, v: &[f64]) -> Result<(), MechanismError> {
        check_length(what, v.len(), 3 * self.bodies.len())?;
        finite(|| what.to_owned(), v)
    }

    /// The coordinates of all bodies.
    #[must_use]
    pub fn coordinates(&self) -> Vec<f64> {
        self.motions.iter().flat_map(|m| [m.pose.position().x, m.pose.position().y, m.pose.angle()]).collect()
    }

    /// The velocities of all bodies.
    #[must_use]
    pub fn velocities(&self) -> Vec<f64> {
        self.motions.iter().flat_map(FrameMotion::rates).collect()
    }

    /// The motion of every body and the time, which constraints read.
    #[must_use]
    pub fn motions(&self) -> Motions<'_> {
        Motions::new(&self.motions).at_time(self.time)
    }

    /// The time that prescribed trajectories follow; 0 until set.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Sets the time; drops the mechanism to stage instance.
    ///
    /// # Errors
    /// [`MechanismError::Value`] if it is not finite.
    pub fn set_time(&mut self, time: f64) -> Result<(), MechanismError> {
        finite(|| "time".to_owned(), &[time])?;
        self.time = time;
        self.drop_to(Stage::Instance);
        Ok(())
    }

    pub(crate) fn drop_to(&mut self, stage: Stage) {
        self.stage = self.stage.min(stage);
    }

    /// The stage reached.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    pub(crate) fn need(&self, needed: Stage) -> Result<(), MechanismError> {
        if self.stage >= needed { Ok(()) } else { Err(MechanismError::Stage { needed, have: self.stage }) }
    }

    /// Computes everything up to `stage`. Nothing is allocated once the mechanism has been realized before, unless rows with
    /// limits act: those are solved by [`engine2d_lcp::Solver::auto`].
    ///
    /// # Errors
    /// At stage acceleration what [`solve_accelerations`](Self::solve_accelerations) reports.
    pub fn realize(&mut self, stage: Stage) -> Result<(), MechanismError> {
        if stage >= Stage::Position && self.stage < Stage::Velocity {
            self.equations.clear();
            self.ranges.clear();
            for (body, motion) in self.bodies.iter_mut().zip(&self.motions) {
                body.motion = *motion;
            }
            let motions = Motions::new(&self.motions).at_time(self.time);
            for entry in &self.entries {
                let start = self.equations.len();
                entry.current.equations(motions, &mut self.equations);
                self.ranges.push(start..self.equations.len());
            }
        }
        if stage >= Stage::Acceleration && self.stage < Stage::Acceleration {
            self.stage = self.stage.max(Stage::Velocity);
            self.check_equations()?;
            self.find_accelerations()?;
        }
        self.stage = self.stage.max(stage);
        Ok(())
    }

    /// Checks that constraints and force laws wrote finite equations.
    fn check_equations(&self) -> Result<(), MechanismError> {
        let Some(row) = self.equations.iter().position(|e| !e.is_finite()) else { return Ok(()) };
        let owner = self.ranges.iter().position(|r| r.contains(&row));
        let joint = owner.map(|i| &self.entries[i].current);
        match (joint, self.equations[row].force) {
            (_, Some(value)) if !value.is_finite() => {
                let what = format!("force of the law of {}", self.owner_of(row));
                Err(MechanismError::Value { what, value, allowed: "must be finite for every finite error" })
            }
            (Some(joint), _) => Err(not_finite(joint.label(), row, joint.any(), self.motions())),
            (None, _) => Ok(()),
        }
    }

    /// The state that problems are made of, beside the storage they fill.
    fn state_and_scratch(&mut self) -> (State<'_>, &mut Scratch) {
        let state = State {
            mechanism: self.number,
            bodies: &self.bodies,
            motions: Motions::new(&self.motions).at_time(self.time),
            gravity: self.gravity,
            equations: &self.equations,
            ranges: &self.ranges,
        };
        (state, &mut self.scratch)
    }

    /// Realizes stage velocity, which cannot fail.
    pub(crate) fn realize_velocity(&mut self) {
        let realized = self.realize(Stage::Velocity);
        debug_assert!(realized.is_ok(), "only accelerations can fail");
        debug_assert_eq!(self.ranges.len(), self.entries.len(), "a range of equations for every constraint");
    }

    /// Name of the constraint that owns an equation, by its index.
    pub(crate) fn owner_of(&self, row: usize) -> String {
        let owner = self.ranges.iter().position(|r| r.contains(&row));
        owner.map_or_else(String::new, |i| self.entries[i].current.label().to_owned())
    }

    /// The mass matrix, row-major, `3 n × 3 n`, about the bodies' origins.
    #[must_use]
    pub fn mass_matrix(&self) -> Vec<Vec<f64>> {
        let n = 3 * self.bodies.len();
        let mut matrix = vec![vec![0.0; n]; n];
        for (b, (body, &motion)) in self.bodies.iter().zip(&self.motions).enumerate() {
            for (i, row) in (RigidBody { motion, ..*body }).mass_matrix().iter().enumerate() {
                matrix[3 * b + i][3 * b..3 * b + 3].copy_from_slice(row);
            }
        }
        matrix
    }

    /// Kinetic energy.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        let bodies = self.bodies.iter().zip(&self.motions);
        bodies.map(|(body, &motion)| RigidBody { motion, ..*body }.kinetic_energy()).sum()
    }

    /// Potential energy of gravity, zero at the world's origin.
    #[must_use]
    pub fn potential_energy(&self) -> f64 {
        let bodies = self.bodies.iter().zip(&self.motions);
        bodies.map(|(b, motion)| -b.mass.mass * self.gravity.dot(&motion.position(b.mass.center))).sum()
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
            motion.angular_velocity += d[2];
        }
        self.drop_to(Stage::Position);
    }
}

/// Puts bodies at coordinates.
fn place(motions: &mut [FrameMotion], q: &[f64]) {
    for (motion, q) in motions.iter_mut().zip(q.chunks_exact(3)) {
        motion.pose.set_position(Vec2::new(q[0], q[1]));
        motion.pose.set_angle(q[2]);
    }
}

/// Gives bodies velocities.
fn drive(motions: &mut [FrameMotion], u: &[f64]) {
    for (motion, u) in motions.iter_mut().zip(u.chunks_exact(3)) {
        motion.velocity = Vec2::new(u[0], u[1]);
        motion.angular_velocity = u[2];
    }
}
