//! The assembled problem of a mechanism: `a = A f + b` over its active rows, with what each row demands, for any
//! solver; and the KKT form of the same.

mod kkt;

pub use kkt::Kkt;

use crate::activity::{Activity, activities};
use crate::equation::{Equation, Level, RowKind};
use crate::error::MechanismError;
use crate::mechanism::Mechanism;
use crate::row::{ConstraintRow, InverseMass};
use crate::solve::{Answer, along, free_accelerations, response};
use crate::sparse_delassus::SparseDelassus;
use engine2d_math::sparse_block::BlockError;
use engine2d_math::{SparseBlockMatrix, Vec2};

/// What the numbers of a problem are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Meaning {
    /// Forces and accelerations.
    #[default]
    Accelerations,
    /// Impulses over a step of this length, and velocities.
    Velocities(f64),
}

/// `a = A f + b` over the active rows of a mechanism, `A = J M⁻¹ Jᵀ + R`. Keep one: its storage is reused, and filling
/// it again for a system of the same size allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    mechanism: u32,
    meaning: Meaning,
    rows: Vec<ConstraintRow>,
    centered: Vec<ConstraintRow>,
    kinds: Vec<RowKind>,
    /// Equation of each row.
    equations: Vec<usize>,
    bias: Vec<f64>,
    regularization: Vec<f64>,
    matrix: SparseDelassus,
    masses: Vec<InverseMass>,
    arms: Vec<Vec2>,
    /// Accelerations or velocities without the forces sought.
    free: Vec<f64>,
    /// Multipliers known beforehand, by equation.
    known: Vec<f64>,
    activities: Vec<Activity>,
    /// Row of each equation.
    row_of: Vec<Option<usize>>,
}

impl Problem {
    /// An empty problem.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What each row demands; a friction row names its normal row by its place here.
    #[must_use]
    pub fn kinds(&self) -> &[RowKind] {
        &self.kinds
    }

    /// Rows about the bodies' origins.
    #[must_use]
    pub fn rows(&self) -> &[ConstraintRow] {
        &self.rows
    }

    /// The equation that each row comes from.
    #[must_use]
    pub fn equations(&self) -> &[usize] {
        &self.equations
    }

    /// `b`: what each row's acceleration (or velocity at the end of the step) is without forces.
    #[must_use]
    pub fn bias(&self) -> &[f64] {
        &self.bias
    }

    /// `R`, which is in the diagonal of the matrix.
    #[must_use]
    pub fn regularization(&self) -> &[f64] {
        &self.regularization
    }

    /// `A = J M⁻¹ Jᵀ + R`.
    #[must_use]
    pub fn matrix(&self) -> &SparseDelassus {
        &self.matrix
    }

    /// The transposed Jacobian of the rows that `select` picks by their kind (`Gᵀ`, `Nᵀ` or `Dᵀ`): a block row for each
    /// body, a block column for each row.
    ///
    /// # Errors
    /// [`BlockError`] never for a problem that a mechanism filled.
    pub fn jacobian_transposed(
        &self,
        select: impl Fn(RowKind) -> bool,
    ) -> Result<SparseBlockMatrix, BlockError> {
        let mut matrix = SparseBlockMatrix::new(std::iter::repeat_n(3, self.masses.len()));
        for (row, _) in self.rows.iter().zip(&self.kinds).filter(|(_, kind)| select(**kind)) {
            let column = matrix.append_column(1);
            for (body, jacobian) in row.bodies.iter().zip(&row.jacobian) {
                if let Some(b) = body.index() {
                    matrix.set(b, column, jacobian)?;
                }
            }
        }
        Ok(matrix)
    }

    fn clear(&mut self, m: &Mechanism, meaning: Meaning) {
        (self.mechanism, self.meaning) = (m.number, meaning);
        self.rows.clear();
        self.kinds.clear();
        self.equations.clear();
        self.bias.clear();
        self.regularization.clear();
        self.activities.clear();
        self.row_of.clear();
        self.known.clear();
        self.known.resize(m.equations.len(), 0.0);
        free_accelerations(&m.bodies, m.gravity, &mut self.free);
    }

    fn push(&mut self, equation: usize, row: ConstraintRow, kind: RowKind, bias: f64, regularization: f64) {
        self.row_of[equation] = Some(self.rows.len());
        self.rows.push(row);
        self.kinds.push(kind);
        self.equations.push(equation);
        self.bias.push(bias);
        self.regularization.push(regularization);
    }

    /// The kind of an equation with its normal row counted in this problem; `None` if that row is not in it.
    fn globalized(&self, kind: RowKind, first: usize) -> Option<RowKind> {
        match kind {
            RowKind::Friction { normal, mu } => {
                self.row_of[first + normal].map(|normal| RowKind::Friction { normal, mu })
            }
            other => Some(other),
        }
    }

    /// Assembles the matrix and completes the right-hand side.
    fn finish(&mut self, m: &Mechanism) {
        self.masses.clear();
        self.masses.extend(m.inverse_masses());
        self.arms.clear();
        self.arms.extend(m.bodies.iter().map(|b| b.motion.arm(b.mass.center)));
        let arms = &self.arms;
        self.centered.clear();
        self.centered.extend(
            self.rows.iter().map(|r| r.centered(|b| b.index().map_or_else(Vec2::zeros, |i| arms[i]))),
        );
        self.matrix.assemble(&self.centered, &self.masses);
        self.matrix.add_to_diagonal(&self.regularization);
        for (bias, row) in self.bias.iter_mut().zip(&self.rows) {
            *bias += along(row, &self.free);
        }
    }
}

impl Mechanism {
    /// Assembles the problem of accelerations over all rows that act at the present state: rigid ones, touching contacts
    /// and taut ropes, sticking friction, motors that hold their speed. Springs and saturated motors push with known
    /// forces, which are in `b`.
    ///
    /// # Errors
    /// [`MechanismError::Sliding`] where friction slides; [`MechanismError::Value`] for a force law that is not finite.
    pub fn acceleration_problem(&mut self, out: &mut Problem) -> Result<(), MechanismError> {
        self.realize_velocity();
        self.check_laws()?;
        out.clear(self, Meaning::Accelerations);
        activities(&self.equations, &self.ranges, &mut out.activities);
        out.row_of.resize(self.equations.len(), None);
        for range in &self.ranges {
            for i in range.clone() {
                let e = &self.equations[i];
                match out.activities[i] {
                    Activity::Off => {}
                    Activity::Rigid => out.push(i, e.row, RowKind::Bilateral, e.acceleration_bias, 0.0),
                    Activity::Known(force) => {
                        out.known[i] = force;
                        response(&self.bodies, &e.row, force, &mut out.free);
                    }
                    Activity::Limited(kind) => {
                        if let Some(kind) = out.globalized(kind, range.start) {
                            out.push(i, e.row, kind, e.acceleration_bias, 0.0);
                        }
                    }
                    Activity::Sliding(speed) => {
                        return Err(MechanismError::Sliding { constraint: self.owner_of(i), speed });
                    }
                }
            }
        }
        out.finish(self);
        Ok(())
    }

    /// Assembles the problem of velocities at the end of a step `h`: the same rows over impulses. Rigid rows follow
    /// `J v + offset + h J̇ v = 0`; unilateral ones may close their gap within the step and not more; compliant rows are
    /// regularized implicitly, `s = 1/(h/2 + d c)`, `R = s c/h` with the position term `s · error`; friction of touching
    /// contacts holds at the velocities of the end; a motor's limit is `h` times its force.
    ///
    /// # Errors
    /// [`MechanismError::Value`] for a step that is not positive and finite, or a force law that is not finite.
    pub fn velocity_problem(&mut self, h: f64, out: &mut Problem) -> Result<(), MechanismError> {
        if !(h > 0.0 && h.is_finite()) {
            let (what, allowed) = ("the step".to_owned(), "must be > 0 and finite");
            return Err(MechanismError::Value { what, value: h, allowed });
        }
        self.realize_velocity();
        self.check_laws()?;
        out.clear(self, Meaning::Velocities(h));
        out.row_of.resize(self.equations.len(), None);
        let velocities = self.motions.iter().flat_map(|m| [m.velocity.x, m.velocity.y, m.spin]);
        for (a, v) in out.free.iter_mut().zip(velocities) {
            *a = v + h * *a;
        }
        for range in &self.ranges {
            for i in range.clone() {
                let e = &self.equations[i];
                let kind = match e.kind {
                    RowKind::Boxed { lo, hi } => RowKind::Boxed { lo: lo * h, hi: hi * h },
                    kind => kind,
                };
                let Some(kind) = out.globalized(kind, range.start) else { continue };
                if let Some((bias, regularization)) = self.velocity_row(e, h) {
                    out.push(i, e.row, kind, bias, regularization);
                }
            }
        }
        out.finish(self);
        Ok(())
    }

    /// What a row adds to `J v` of the free velocities, and its regularization; `None` for an open compliant contact.
    fn velocity_row(&self, e: &Equation, h: f64) -> Option<(f64, f64)> {
        let now = crate::equation::rate(&e.row, self.motions());
        let drift = h * e.acceleration_bias;
        let offset = e.velocity_error - now;
        Some(match e.level {
            Level::Acceleration => (drift - now, 0.0),
            Level::Velocity => (offset + drift, 0.0),
            Level::Position if e.softness.is_rigid() => {
                let gap = if e.kind == RowKind::Unilateral { e.position_error.max(0.0) } else { 0.0 };
                (drift + gap / h, 0.0)
            }
            Level::Position => {
                if e.kind == RowKind::Unilateral && e.position_error > 0.0 {
                    return None;
                }
                let (regularization, term) = e.info().regularization(h);
                (drift + term, regularization)
            }
        })
    }

    /// The answer that forces found for an acceleration problem make: accelerations, multipliers of all equations.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`] for a problem of another mechanism or of velocities,
    /// [`MechanismError::Length`].
    pub fn answer(&mut self, problem: &Problem, forces: &[f64]) -> Result<Answer, MechanismError> {
        self.check_problem(problem, problem.meaning == Meaning::Accelerations, forces)?;
        self.solution.accelerations.clone_from(&problem.free);
        self.solution.multipliers.clone_from(&problem.known);
        self.solution.conflict = None;
        for ((row, &equation), &force) in problem.rows.iter().zip(&problem.equations).zip(forces) {
            self.solution.multipliers[equation] = force;
            response(&self.bodies, row, force, &mut self.solution.accelerations);
        }
        self.solved();
        Ok(self.answer_of_solution())
    }

    /// Sets the velocities that impulses found for a velocity problem make.
    ///
    /// # Errors
    /// As [`answer`](Self::answer), for a problem of accelerations.
    pub fn apply_impulses(&mut self, problem: &Problem, impulses: &[f64]) -> Result<(), MechanismError> {
        self.check_problem(problem, problem.meaning != Meaning::Accelerations, impulses)?;
        let mut velocities = problem.free.clone();
        for (row, &impulse) in problem.rows.iter().zip(impulses) {
            response(&self.bodies, row, impulse, &mut velocities);
        }
        self.set_velocities(&velocities)
    }

    fn check_problem(&self, problem: &Problem, fits: bool, forces: &[f64]) -> Result<(), MechanismError> {
        if problem.mechanism != self.number || !fits || problem.known.len() != self.equations.len() {
            return Err(MechanismError::ForeignId { id: problem.mechanism as usize });
        }
        if forces.len() == problem.len() {
            Ok(())
        } else {
            Err(MechanismError::Length { what: "forces", got: forces.len(), expected: problem.len() })
        }
    }
}
