//! A fixed step of constrained bodies, driven through the [`Constrainer`] trait alone: velocities by one mixed
//! complementarity problem, friction, positions, and a projection of positions that also finds contacts.
//!
//! There is no restitution: unilateral rows stop approaching velocities. Source: the constrained Euler steps of
//! systems whose components contribute constraints \[Lloyd, Stavness, Fels 2012\].

use engine2d_constraint::constrainer::{Constrainer, ConstrainerError, FrictionInfo, Update, assemble_rows};
use engine2d_constraint::{FrameMotion, Mass, Motions};
use engine2d_lcp::{Lcp, Row, Solution, Solver, Workspace};
use engine2d_math::{SparseBlockMatrix, Vec2};

/// Why a step could not be taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A constrainer breaks its contract.
    #[error(transparent)]
    Constrainer(#[from] ConstrainerError),
    /// The complementarity problem of a phase is malformed or has no solution.
    #[error("{phase} at t = {time}: {message}")]
    Solver {
        /// Which solve of the step.
        phase: &'static str,
        /// Simulated time.
        time: f64,
        /// What the solver said.
        message: String,
    },
    /// The step is not a positive number.
    #[error("the step is {step}: it must be > 0 and finite")]
    Step {
        /// The step given.
        step: f64,
    },
}

/// Bodies with constrainers, advanced by fixed steps.
pub struct ConstrainedEuler {
    masses: Vec<Mass>,
    motions: Vec<FrameMotion>,
    constrainers: Vec<Box<dyn Constrainer>>,
    gravity: Vec2,
    implicit_friction: bool,
    time: f64,
    started: bool,
    solver: Solver,
    workspace: Workspace,
    solution: Solution,
}

/// Rows of one solve.
#[derive(Default)]
struct Rows {
    jacobian: Vec<Vec<f64>>,
    /// Right-hand side of `J v + R λ = rhs` (or ≥).
    target: Vec<f64>,
    regularization: Vec<f64>,
    kinds: Vec<Row>,
}

impl Rows {
    fn push(&mut self, matrix: &SparseBlockMatrix, target: &[f64], regularization: &[f64], kinds: &[Row]) {
        self.jacobian.extend(matrix.to_dense_transposed());
        self.target.extend_from_slice(target);
        self.regularization.extend_from_slice(regularization);
        self.kinds.extend_from_slice(kinds);
    }
}

impl ConstrainedEuler {
    /// A system of bodies under gravity.
    #[must_use]
    pub fn new(
        bodies: impl IntoIterator<Item = (Mass, FrameMotion)>,
        constrainers: Vec<Box<dyn Constrainer>>,
        gravity: impl Into<Vec2>,
    ) -> Self {
        let (masses, motions) = bodies.into_iter().unzip();
        Self {
            masses,
            motions,
            constrainers,
            gravity: gravity.into(),
            implicit_friction: false,
            time: 0.0,
            started: false,
            solver: Solver::auto(),
            workspace: Workspace::new(),
            solution: Solution::default(),
        }
    }

    /// Solves friction together with the velocities, in two passes, instead of after them.
    #[must_use]
    pub fn with_implicit_friction(mut self) -> Self {
        self.implicit_friction = true;
        self
    }

    /// Simulated time.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
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
            self.started = true;
            self.update(self.time, Update::Compute);
        }
        let end = self.time + h;
        self.update(end, Update::Refresh);
        let n = self.masses.len();
        let free: Vec<f64> = self.free_velocities(h);
        let motions = Motions::new(&self.motions);
        let bilateral = assemble_rows(&mut self.constrainers, motions, n, false)?;
        let unilateral = assemble_rows(&mut self.constrainers, motions, n, true)?;
        let mut rows = Rows::default();
        for (assembled, kind) in [(&bilateral, Row::Bilateral), (&unilateral, Row::Unilateral)] {
            let terms: Vec<(f64, f64)> = assembled.info.iter().map(|i| i.regularization(h)).collect();
            let target: Vec<f64> =
                terms.iter().zip(&assembled.rate).map(|((_, s), dg)| -h * dg - s).collect();
            let regularization: Vec<f64> = terms.iter().map(|(r, _)| *r).collect();
            rows.push(&assembled.transposed, &target, &regularization, &vec![kind; terms.len()]);
        }
        let counts = (bilateral.info.len(), unilateral.info.len());
        if self.implicit_friction {
            self.implicit_solve(rows, counts, &free, h)?;
        } else {
            self.explicit_solve(rows, counts, &free, h)?;
        }
        for motion in &mut self.motions {
            let position = motion.pose.position() + motion.velocity * h;
            let angle = motion.pose.angle() + motion.spin * h;
            motion.pose.set_position(position);
            motion.pose.set_angle(angle);
        }
        self.time = end;
        self.project()
    }

    fn update(&mut self, time: f64, what: Update) {
        for c in &mut self.constrainers {
            c.update(Motions::new(&self.motions), time, what);
        }
    }

    /// Velocities after `h` without constraints.
    fn free_velocities(&self, h: f64) -> Vec<f64> {
        let bodies = self.masses.iter().zip(&self.motions);
        bodies
            .flat_map(|(mass, motion)| {
                let r = motion.arm(mass.center);
                let force = self.gravity * mass.mass + r * (mass.mass * motion.spin * motion.spin);
                let a = mass.accelerate(motion, [force.x, force.y, r.x * force.y - r.y * force.x]);
                [motion.velocity.x + h * a[0], motion.velocity.y + h * a[1], motion.spin + h * a[2]]
            })
            .collect()
    }

    /// Velocity solve, then friction with limits from its normal impulses.
    fn explicit_solve(
        &mut self,
        mut rows: Rows,
        counts: (usize, usize),
        free: &[f64],
        h: f64,
    ) -> Result<(), StepError> {
        let (velocities, impulses) = self.solve(&rows, free, "velocities")?;
        self.store(&impulses, counts, h);
        let (dt, info) = self.friction_rows(true)?;
        let mut velocities = velocities;
        let mut friction = vec![0.0; info.len()];
        if dt.columns() > 0 {
            let active: Vec<&FrictionInfo> = info.iter().filter(|i| i.block.is_some()).collect();
            let limits = |i: &&FrictionInfo| boxed(i, &impulses, counts.0);
            let kinds: Vec<Row> = active.iter().map(limits).collect();
            let creep: Vec<f64> = active.iter().map(|i| i.creep / h).collect();
            rows.push(&dt, &vec![0.0; kinds.len()], &creep, &kinds);
            let (with_friction, all) = self.solve(&rows, free, "friction")?;
            velocities = with_friction;
            let mut phi = all[counts.0 + counts.1..].iter();
            for (i, f) in info.iter().zip(&mut friction) {
                *f = if i.block.is_some() { phi.next().copied().unwrap_or(0.0) } else { 0.0 };
            }
        }
        self.store_friction(&friction, h);
        self.set_velocities(&velocities);
        Ok(())
    }

    /// One coupled solve in two passes: limits first from the last step's forces, then from the first pass.
    fn implicit_solve(
        &mut self,
        mut rows: Rows,
        counts: (usize, usize),
        free: &[f64],
        h: f64,
    ) -> Result<(), StepError> {
        let mut impulses = vec![0.0; counts.0 + counts.1];
        let (mut b, mut u) = (0, 0);
        let (bilateral, unilateral) = impulses.split_at_mut(counts.0);
        for c in &self.constrainers {
            b = c.bilateral_forces(bilateral, b);
            u = c.unilateral_forces(unilateral, u);
        }
        impulses.iter_mut().for_each(|f| *f *= h);
        let (dt, info) = self.friction_rows(false)?;
        let creep: Vec<f64> = info.iter().map(|i| i.creep / h).collect();
        let first = rows.kinds.len();
        rows.push(&dt, &vec![0.0; info.len()], &creep, &vec![Row::Bilateral; info.len()]);
        let mut velocities = Vec::new();
        let mut all = Vec::new();
        for _ in 0..2 {
            for (kind, i) in rows.kinds[first..].iter_mut().zip(&info) {
                *kind = boxed(i, &impulses, counts.0);
            }
            (velocities, all) = self.solve(&rows, free, "velocities and friction")?;
            impulses.copy_from_slice(&all[..first]);
        }
        self.store(&impulses, counts, h);
        self.store_friction(&all[first..], h);
        self.set_velocities(&velocities);
        Ok(())
    }

    fn friction_rows(&mut self, prune: bool) -> Result<(SparseBlockMatrix, Vec<FrictionInfo>), StepError> {
        let mut dt = SparseBlockMatrix::new(std::iter::repeat_n(3, self.masses.len()));
        let mut info = Vec::new();
        for (constrainer, c) in self.constrainers.iter_mut().enumerate() {
            c.add_friction(Motions::new(&self.motions), &mut dt, &mut info, prune)
                .map_err(|source| ConstrainerError::Block { constrainer, source })?;
        }
        Ok((dt, info))
    }

    fn store(&mut self, impulses: &[f64], counts: (usize, usize), h: f64) {
        let (bilateral, unilateral) = impulses.split_at(counts.0);
        let (mut b, mut u) = (0, 0);
        for c in &mut self.constrainers {
            b = c.set_bilateral_forces(bilateral, 1.0 / h, b);
            u = c.set_unilateral_forces(&unilateral[..counts.1], 1.0 / h, u);
        }
    }

    fn store_friction(&mut self, phi: &[f64], h: f64) {
        let mut index = 0;
        for c in &mut self.constrainers {
            index = c.set_friction_forces(phi, 1.0 / h, index);
        }
    }

    fn set_velocities(&mut self, v: &[f64]) {
        for (motion, v) in self.motions.iter_mut().zip(v.chunks_exact(3)) {
            motion.velocity = Vec2::new(v[0], v[1]);
            motion.spin = v[2];
        }
    }

    /// Solves `v = free + M⁻¹ Jᵀ λ`, `J v + R λ ⋛ target`; returns velocities and impulses.
    fn solve(
        &mut self,
        rows: &Rows,
        free: &[f64],
        phase: &'static str,
    ) -> Result<(Vec<f64>, Vec<f64>), StepError> {
        let n = rows.jacobian.len();
        let mut velocities = free.to_vec();
        if n == 0 {
            return Ok((velocities, Vec::new()));
        }
        let responses: Vec<Vec<f64>> = rows.jacobian.iter().map(|j| self.response(j)).collect();
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let mut matrix = vec![0.0; n * n];
        let mut bias = Vec::with_capacity(n);
        for i in 0..n {
            for j in 0..=i {
                let value = dot(&rows.jacobian[i], &responses[j]);
                matrix[i * n + j] = value;
                matrix[j * n + i] = value;
            }
            matrix[i * n + i] += rows.regularization[i];
            bias.push(dot(&rows.jacobian[i], free) - rows.target[i]);
        }
        let fail = |message: String| StepError::Solver { phase, time: self.time, message };
        let problem = Lcp::borrowed(&matrix, &bias, &rows.kinds).map_err(|e| fail(e.to_string()))?;
        let status = self
            .solver
            .solve_into(&problem, None, &mut self.workspace, &mut self.solution)
            .map_err(|e| fail(e.to_string()))?;
        if !self.solution.is_solved() {
            return Err(fail(format!("{status:?}")));
        }
        for (response, f) in responses.iter().zip(&self.solution.f) {
            velocities.iter_mut().zip(response).for_each(|(v, r)| *v += r * f);
        }
        Ok((velocities, self.solution.f.clone()))
    }

    /// `M⁻¹ jᵀ` of a row.
    fn response(&self, row: &[f64]) -> Vec<f64> {
        let bodies = self.masses.iter().zip(&self.motions).zip(row.chunks_exact(3));
        bodies.flat_map(|((mass, motion), j)| mass.accelerate(motion, [j[0], j[1], j[2]])).collect()
    }

    /// Re-detects contacts and limits, then moves positions onto the constraints by the least mass-weighted
    /// change; compliant rows only resist.
    fn project(&mut self) -> Result<(), StepError> {
        self.update(self.time, Update::Compute);
        let n = self.masses.len();
        let motions = Motions::new(&self.motions);
        let mut rows = Rows::default();
        let mut all_compliant = true;
        for (unilateral, kind) in [(false, Row::Bilateral), (true, Row::Unilateral)] {
            let assembled = assemble_rows(&mut self.constrainers, motions, n, unilateral)?;
            let rigid = |c: f64| c == 0.0;
            all_compliant &= assembled.info.iter().all(|i| !rigid(i.compliance));
            let target: Vec<f64> =
                assembled.info.iter().map(|i| if rigid(i.compliance) { -i.distance } else { 0.0 }).collect();
            let compliance: Vec<f64> = assembled.info.iter().map(|i| i.compliance).collect();
            rows.push(&assembled.transposed, &target, &compliance, &vec![kind; target.len()]);
        }
        if all_compliant {
            return Ok(());
        }
        let (change, _) = self.solve(&rows, &vec![0.0; 3 * n], "position projection")?;
        for (motion, d) in self.motions.iter_mut().zip(change.chunks_exact(3)) {
            let position = motion.pose.position() + Vec2::new(d[0], d[1]);
            let angle = motion.pose.angle() + d[2];
            motion.pose.set_position(position);
            motion.pose.set_angle(angle);
        }
        Ok(())
    }
}

/// A friction row whose limit is `μ` times the given normal impulse.
fn boxed(info: &FrictionInfo, impulses: &[f64], bilateral: usize) -> Row {
    let normal = if info.bilateral {
        impulses[info.contact].abs()
    } else {
        impulses[bilateral + info.contact].max(0.0)
    };
    let limit = info.mu * normal;
    Row::Boxed { lo: -limit, hi: limit }
}
