//! A fixed step of constrained bodies, driven through the [`Constrainer`] trait alone: velocities by one mixed
//! complementarity problem, friction, positions, and a projection of positions that also finds contacts.
//!
//! There is no restitution: unilateral rows stop approaching velocities. Source: the constrained Euler steps of
//! systems whose components contribute constraints \[Lloyd, Stavness, Fels 2012\].

mod error;
mod rows;
mod scratch;

pub use error::StepError;

use engine2d_constraint::constrainer::{Constrainer, Update, assemble_friction_into, assemble_rows_into};
use engine2d_constraint::{FrameMotion, Mass, Mechanism, Motions};
use engine2d_geometry::BodyRef;
use engine2d_lcp::Row;
use engine2d_math::{Vec2, cross};
use rows::ImpulseSolver;
use scratch::Scratch;

/// Bodies with constrainers, advanced by fixed steps.
///
/// ```
/// use engine2d_constraint::{Mass, Mechanism, Revolute};
/// use engine2d_math::Pose;
/// use engine2d_sim::ConstrainedEuler;
///
/// // A pendulum built from the library falls from the horizontal.
/// let mut m = Mechanism::new();
/// m.set_gravity([0.0, -9.81])?;
/// let bob = m.add_body(Mass::new(1.0, 0.1).centered_at([1.0, 0.0]), Pose::IDENTITY)?;
/// m.add(Revolute::to_ground(bob, [0.0, 0.0]))?;
/// let mut system = ConstrainedEuler::of_mechanism(&m);
/// for _ in 0..100 {
///     system.step(1e-3)?;
/// }
/// assert!((system.motions()[0].angular_velocity + 9.81 / 1.1 * 0.1).abs() < 1e-2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ConstrainedEuler {
    masses: Vec<Mass>,
    motions: Vec<FrameMotion>,
    applied: Vec<[f64; 3]>,
    constrainers: Vec<Box<dyn Constrainer>>,
    gravity: Vec2,
    implicit_friction: bool,
    time: f64,
    started: bool,
    penetration: Option<f64>,
    solver: ImpulseSolver,
    scratch: Scratch,
}

impl ConstrainedEuler {
    /// A system of bodies under gravity.
    #[must_use]
    pub fn new(
        bodies: impl IntoIterator<Item = (Mass, FrameMotion)>,
        constrainers: Vec<Box<dyn Constrainer>>,
        gravity: impl Into<Vec2>,
    ) -> Self {
        let (masses, motions): (Vec<_>, Vec<_>) = bodies.into_iter().unzip();
        Self {
            applied: vec![[0.0; 3]; masses.len()],
            masses,
            motions,
            constrainers,
            gravity: gravity.into(),
            implicit_friction: false,
            time: 0.0,
            started: false,
            penetration: None,
            solver: ImpulseSolver::default(),
            scratch: Scratch::default(),
        }
    }

    /// The bodies, applied forces and enabled constraints of a mechanism, as they are now.
    #[must_use]
    pub fn of_mechanism(mechanism: &Mechanism) -> Self {
        let mut system = Self::new(mechanism.bodies(), mechanism.constrainers(), mechanism.gravity());
        system.applied = mechanism.applied().collect();
        system
    }

    /// Takes the enabled constraints and the applied forces of a mechanism anew: what a controller has changed there, as by
    /// [`Mechanism::edit`]. Motions and time stay as they are; the constraints remember nothing of the step before.
    ///
    /// ```
    /// use engine2d_constraint::{BodyId, Mass, Mechanism, Motor, Pose, Revolute, SpeedDrive};
    /// use engine2d_sim::ConstrainedEuler;
    ///
    /// let mut m = Mechanism::new();
    /// let wheel = m.add_body(Mass::new(1.0, 0.5), Pose::IDENTITY)?;
    /// m.add(Revolute::to_ground(wheel, [0.0, 0.0]))?;
    /// let motor = m.add(Motor::rotary(wheel, BodyId::GROUND, SpeedDrive { speed: 0.0, limit: 50.0 }))?;
    /// let mut system = ConstrainedEuler::of_mechanism(&m);
    /// for k in 0..100 {
    ///     let speed = (0.05 * f64::from(k)).sin();
    ///     m.edit(motor, |motor| motor.set_speed(speed))?;
    ///     system.follow(&m)?;
    ///     system.step(0.01)?;
    ///     assert!((system.motions()[0].angular_velocity - speed).abs() < 1e-12);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`StepError::OtherBodies`].
    pub fn follow(&mut self, mechanism: &Mechanism) -> Result<(), StepError> {
        let (found, count) = (mechanism.body_count(), self.masses.len());
        if found != count {
            return Err(StepError::OtherBodies { found, count });
        }
        self.constrainers = mechanism.constrainers();
        self.applied.clear();
        self.applied.extend(mechanism.applied());
        self.started = false;
        Ok(())
    }

    /// Solves friction together with the velocities, in two passes, instead of after them.
    #[must_use]
    pub fn with_implicit_friction(mut self) -> Self {
        self.implicit_friction = true;
        self
    }

    /// Sets the force (world) and torque about the origin applied to a body in every step.
    ///
    /// # Errors
    /// [`StepError::UnknownBody`], [`StepError::Value`].
    pub fn set_applied(&mut self, body: BodyRef, wrench: [f64; 3]) -> Result<(), StepError> {
        if let Some(&value) = wrench.iter().find(|v| !v.is_finite()) {
            return Err(StepError::Value { what: "applied force", body, value, allowed: "must be finite" });
        }
        let count = self.masses.len();
        let unknown = StepError::UnknownBody { what: "an applied force".to_owned(), body, count };
        *body.index().and_then(|i| self.applied.get_mut(i)).ok_or(unknown)? = wrench;
        Ok(())
    }

    /// Simulated time.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Largest penetration found at the end of the last step, before positions were corrected; `None` when no constraint was
    /// active. A step with too large a one is better taken again in halves.
    #[must_use]
    pub fn penetration(&self) -> Option<f64> {
        self.penetration
    }

    /// Motions of the bodies in order.
    #[must_use]
    pub fn motions(&self) -> &[FrameMotion] {
        &self.motions
    }

    /// The constrainers in order.
    #[must_use]
    pub fn constrainers(&self) -> &[Box<dyn Constrainer>] {
        &self.constrainers
    }

    /// Finds contacts and moves positions onto the constraints before the first step, which otherwise only finds
    /// contacts and leaves the initial errors to the projection at its end.
    ///
    /// # Errors
    /// [`StepError`].
    pub fn assemble(&mut self) -> Result<(), StepError> {
        self.check()?;
        self.started = true;
        self.project()
    }

    /// Advances by `h`.
    ///
    /// # Errors
    /// [`StepError`].
    pub fn step(&mut self, h: f64) -> Result<(), StepError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(StepError::Step { step: h });
        }
        if !self.started {
            self.check()?;
            self.started = true;
            self.update(self.time, Update::Compute);
        }
        let end = self.time + h;
        self.update(end, Update::Refresh);
        self.free_velocities(h);
        self.assemble_rows()?;
        let s = &mut self.scratch;
        s.rows.clear(3 * self.masses.len());
        for (part, kind) in [(&s.bilateral, Row::Bilateral), (&s.unilateral, Row::Unilateral)] {
            let terms = part.info.iter().zip(&part.rate).map(|(i, dg)| Some((i.velocity_row(h, *dg), kind)));
            s.rows.push(&part.transposed, terms);
        }
        if self.implicit_friction {
            self.implicit_solve(h)?;
        } else {
            self.explicit_solve(h)?;
        }
        let counts = self.counts();
        self.scratch.store_friction((&mut self.constrainers, &self.solver), counts, h);
        let velocities = self.solver.velocities().chunks_exact(3);
        for (motion, v) in self.motions.iter_mut().zip(velocities) {
            motion.velocity = Vec2::new(v[0], v[1]);
            motion.angular_velocity = v[2];
            move_by(motion, [v[0] * h, v[1] * h, v[2] * h]);
        }
        self.time = end;
        self.project()
    }

    /// Checks masses, and that constrainers name bodies that are there.
    fn check(&mut self) -> Result<(), StepError> {
        for (i, mass) in self.masses.iter().enumerate() {
            for (what, value) in [("mass", mass.mass), ("inertia", mass.inertia)] {
                if !(value > 0.0 && value.is_finite()) {
                    let (body, allowed) = (BodyRef::Body(i as u32), "must be > 0 and finite");
                    return Err(StepError::Value { what, body, value, allowed });
                }
            }
        }
        let count = self.masses.len();
        for c in &self.constrainers {
            self.scratch.bodies.clear();
            c.components(&mut self.scratch.bodies);
            let stray = |b: &&BodyRef| b.index().is_some_and(|i| i >= count);
            if let Some(&body) = self.scratch.bodies.iter().find(stray) {
                return Err(StepError::UnknownBody { what: c.name().to_owned(), body, count });
            }
        }
        Ok(())
    }

    fn update(&mut self, time: f64, what: Update) {
        self.penetration = None;
        for c in &mut self.constrainers {
            let depth = c.update(Motions::new(&self.motions), time, what);
            self.penetration = match (self.penetration, depth) {
                (Some(a), Some(b)) => Some(f64::max(a, b)),
                (a, b) => a.or(b),
            };
        }
    }

    fn assemble_rows(&mut self) -> Result<(), StepError> {
        let (motions, n) = (Motions::new(&self.motions), self.masses.len());
        let s = &mut self.scratch;
        assemble_rows_into(&mut self.constrainers, motions, n, false, &mut s.bilateral)?;
        assemble_rows_into(&mut self.constrainers, motions, n, true, &mut s.unilateral)?;
        Ok(())
    }

    /// Numbers of bilateral and unilateral rows.
    fn counts(&self) -> [usize; 2] {
        [self.scratch.bilateral.info.len(), self.scratch.unilateral.info.len()]
    }

    /// Velocities after `h` without constraints.
    fn free_velocities(&mut self, h: f64) {
        let free = &mut self.scratch.free;
        free.clear();
        for ((mass, motion), applied) in self.masses.iter().zip(&self.motions).zip(&self.applied) {
            let r = motion.arm(mass.center);
            let (v, omega) = (motion.velocity, motion.angular_velocity);
            let force = self.gravity * mass.mass + r * (mass.mass * omega * omega);
            let total = [applied[0] + force.x, applied[1] + force.y, applied[2] + cross(r, force)];
            let a = mass.accelerate(motion, total);
            free.extend([v.x + h * a[0], v.y + h * a[1], omega + h * a[2]]);
        }
    }

    /// Solves the rows collected, from the free velocities.
    fn solve(&mut self, phase: &'static str) -> Result<(), StepError> {
        let bodies = (self.masses.as_slice(), self.motions.as_slice());
        let solved = self.solver.solve(&self.scratch.rows, bodies, &self.scratch.free);
        solved.map_err(|message| StepError::Solver { phase, time: self.time, message })
    }

    /// Velocity solve, then friction with limits from its normal impulses.
    fn explicit_solve(&mut self, h: f64) -> Result<(), StepError> {
        let [b, u] = self.counts();
        self.scratch.warm_start((&self.constrainers, &mut self.solver), [b, u], 0);
        self.solve("velocities")?;
        self.scratch.impulses.clear();
        self.scratch.impulses.extend_from_slice(self.solver.impulses());
        let counts = self.counts();
        self.scratch.store((&mut self.constrainers, &self.solver), counts, h);
        self.friction_rows(true)?;
        let s = &mut self.scratch;
        s.phi.clear();
        s.phi.resize(s.friction.sets.len(), 0.0);
        if s.friction.transposed.columns() == 0 {
            return Ok(());
        }
        let (bilateral, unilateral) = s.impulses.split_at(b);
        let active = s.friction.sets.iter().filter(|i| i.block.is_some());
        let terms = active.map(|i| {
            let [lo, hi] = i.bounds(h, bilateral, unilateral);
            Some((i.sticking_row(h), Row::Boxed { lo, hi }))
        });
        s.rows.push(&s.friction.transposed, terms);
        let friction = self.scratch.friction.transposed.columns();
        self.scratch.warm_start((&self.constrainers, &mut self.solver), [b, u], friction);
        self.solve("friction")
    }

    /// One coupled solve in two passes: limits first from the last step's forces, then from the first pass.
    fn implicit_solve(&mut self, h: f64) -> Result<(), StepError> {
        let [b, u] = self.counts();
        let s = &mut self.scratch;
        s.impulses.clear();
        s.impulses.resize(b + u, 0.0);
        let (bilateral, unilateral) = s.impulses.split_at_mut(b);
        let (mut i, mut k) = (0, 0);
        for c in &self.constrainers {
            i = c.bilateral_forces(bilateral, i);
            k = c.unilateral_forces(unilateral, k);
        }
        s.impulses.iter_mut().for_each(|f| *f *= h);
        self.friction_rows(false)?;
        let s = &mut self.scratch;
        let sticking = s.friction.sets.iter().map(|i| Some((i.sticking_row(h), Row::Bilateral)));
        s.rows.push(&s.friction.transposed, sticking);
        for _ in 0..2 {
            let s = &mut self.scratch;
            let (bilateral, unilateral) = s.impulses.split_at(b);
            for (kind, i) in s.rows.kinds_from(b + u).iter_mut().zip(&s.friction.sets) {
                let [lo, hi] = i.bounds(h, bilateral, unilateral);
                *kind = Row::Boxed { lo, hi };
            }
            let friction = self.scratch.friction.sets.len();
            self.scratch.warm_start((&self.constrainers, &mut self.solver), [b, u], friction);
            self.solve("velocities and friction")?;
            self.scratch.impulses.copy_from_slice(&self.solver.impulses()[..b + u]);
        }
        let counts = self.counts();
        self.scratch.store((&mut self.constrainers, &self.solver), counts, h);
        self.scratch.phi.clear();
        self.scratch.phi.resize(self.scratch.friction.sets.len(), 0.0);
        Ok(())
    }

    fn friction_rows(&mut self, prune: bool) -> Result<(), StepError> {
        let (motions, n, counts) = (Motions::new(&self.motions), self.masses.len(), self.counts());
        let out = &mut self.scratch.friction;
        assemble_friction_into(&mut self.constrainers, motions, n, counts, prune, out)?;
        Ok(())
    }

    /// Re-detects contacts and limits, then moves positions onto the constraints by the least mass-weighted
    /// change; compliant rows only resist.
    fn project(&mut self) -> Result<(), StepError> {
        self.update(self.time, Update::Compute);
        self.assemble_rows()?;
        let s = &mut self.scratch;
        s.rows.clear(3 * self.masses.len());
        let mut all_compliant = true;
        for (part, kind) in [(&s.bilateral, Row::Bilateral), (&s.unilateral, Row::Unilateral)] {
            all_compliant &= part.info.iter().all(|i| i.drive.is_some() || i.compliance != 0.0);
            s.rows.push(&part.transposed, part.info.iter().map(|i| i.position_row().map(|row| (row, kind))));
        }
        if all_compliant {
            return Ok(());
        }
        s.free.clear();
        s.free.resize(3 * self.masses.len(), 0.0);
        self.solver.start_states(0, &[]);
        self.solve("position projection")?;
        for (motion, d) in self.motions.iter_mut().zip(self.solver.velocities().chunks_exact(3)) {
            move_by(motion, [d[0], d[1], d[2]]);
        }
        Ok(())
    }
}

/// Moves a body's frame.
fn move_by(motion: &mut FrameMotion, d: [f64; 3]) {
    let position = motion.pose.position() + Vec2::new(d[0], d[1]);
    let angle = motion.pose.angle() + d[2];
    motion.pose.set_position(position);
    motion.pose.set_angle(angle);
}
