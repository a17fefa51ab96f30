//! The assembled problem of a mechanism: `a = A f + b` over its active rows, with what each row demands, for any
//! solver. Nothing here knows who asks.

use crate::activity::{Activity, activities};
use crate::body::{RigidBody, along, free_accelerations, response};
use crate::equation::{Equation, Level, RowKind};
use crate::motion::{FrameMotion, Motions};
use crate::operator::Operator;
use crate::row::{ConstraintRow, rate};
use crate::sparse_delassus::SparseDelassus;
use crate::tolerance::{DENSE_ROWS, RESTING, TOUCHING};
use engine2d_lcp::{Lcp, Solver, SparseRows};
use engine2d_math::sparse_block::BlockError;
use engine2d_math::{SparseBlockMatrix, Vec2};
use std::ops::Range;

/// What the numbers of a problem are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Meaning {
    /// Forces and accelerations.
    #[default]
    Accelerations,
    /// Impulses and velocities.
    Velocities,
}

/// A mechanism at a state, as far as its problems ask.
#[derive(Clone, Copy)]
pub(crate) struct State<'a> {
    /// Number of the mechanism.
    pub(crate) mechanism: u32,
    pub(crate) bodies: &'a [RigidBody],
    pub(crate) motions: Motions<'a>,
    pub(crate) gravity: Vec2,
    pub(crate) equations: &'a [Equation],
    /// Equations of each constraint.
    pub(crate) ranges: &'a [Range<usize>],
}

/// Friction that slides although a two-sided row presses it: its equation and speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SlidingJoint {
    pub(crate) equation: usize,
    pub(crate) speed: f64,
}

/// `a = A f + b` over the active rows of a mechanism, `A = J M⁻¹ Jᵀ + R`. Keep one: its storage is reused, and filling
/// it again for a system of the same size allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    pub(crate) mechanism: u32,
    pub(crate) meaning: Meaning,
    pub(crate) rows: Vec<ConstraintRow>,
    kinds: Vec<RowKind>,
    /// Equation of each row.
    pub(crate) equations: Vec<usize>,
    pub(crate) bias: Vec<f64>,
    pub(crate) regularization: Vec<f64>,
    operator: Operator,
    /// Accelerations or velocities without the forces sought.
    pub(crate) free: Vec<f64>,
    /// Multipliers known beforehand, by equation.
    pub(crate) known: Vec<f64>,
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
        &self.operator.matrix
    }

    /// Whether every row is an equation.
    #[must_use]
    pub fn is_bilateral(&self) -> bool {
        self.kinds.iter().all(|kind| *kind == RowKind::Bilateral)
    }

    /// The problem for a complementarity solver: dense up to [`DENSE_ROWS`] rows, sparse above.
    ///
    /// ```
    /// use engine2d_constraint::{BodyId, CircleOnLine, Line, Mass, Mechanism, Pose, Problem};
    /// use engine2d_lcp::Solver;
    ///
    /// let mut m = Mechanism::new();
    /// m.set_gravity([0.0, -10.0])?;
    /// let ball = m.add_body(Mass::disc(2.0, 0.5), Pose::new(0.0, 0.5, 0.0))?;
    /// m.add(CircleOnLine::new(BodyId::GROUND, Line::x_axis(), ball, [0.0, 0.0], 0.5).unilateral())?;
    /// let mut problem = Problem::new();
    /// m.acceleration_problem(&mut problem)?;
    /// let solution = Solver::auto().solve(&problem.to_lcp()?)?;
    /// assert!((solution.f[0] - 20.0).abs() < 1e-12);
    /// assert!(m.answer(&problem, &solution.f)?.acceleration(ball)?[1].abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`engine2d_lcp::Error`] for friction pressed by a two-sided row, and for numbers beyond the solver's range.
    pub fn to_lcp(&self) -> Result<Lcp<'_>, engine2d_lcp::Error> {
        let (n, matrix) = (self.len(), self.matrix());
        let lcp = if n <= DENSE_ROWS {
            let mut dense = vec![0.0; n * n];
            for (i, line) in dense.chunks_exact_mut(n.max(1)).enumerate() {
                let (columns, values) = matrix.row(i);
                columns.iter().zip(values).for_each(|(&j, &v)| line[j] = v);
            }
            Lcp::from_dense(dense, self.bias.as_slice())?
        } else {
            let [start, column] = matrix.pattern().map(<[usize]>::to_vec);
            let value = matrix.values().to_vec();
            Lcp::sparse(SparseRows { start, column, value }, self.bias.as_slice())?
        };
        lcp.rows(self.kinds.as_slice())
    }

    /// The forces (or impulses) by [`Solver::auto`], in the order of the rows.
    ///
    /// # Errors
    /// Why there is no answer, in the solver's words.
    pub fn solve(&self) -> Result<Vec<f64>, String> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let lcp = self.to_lcp().map_err(|e| e.to_string())?;
        let solution = Solver::auto().solve(&lcp).map_err(|e| e.to_string())?;
        if solution.is_solved() { Ok(solution.f) } else { Err(format!("{:?}", solution.status)) }
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
        let mut matrix = SparseBlockMatrix::new(std::iter::repeat_n(3, self.operator.masses.len()));
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

    /// Fills in the accelerations of all rows that act at the state; springs and saturated motors push with known forces.
    pub(crate) fn fill_accelerations(&mut self, s: State<'_>) -> Result<(), SlidingJoint> {
        self.clear(s, Meaning::Accelerations);
        activities(s.equations, s.ranges, &mut self.activities);
        for range in s.ranges {
            for i in range.clone() {
                let e = &s.equations[i];
                match self.activities[i] {
                    Activity::Off => {}
                    Activity::Rigid => self.push(i, e, RowKind::Bilateral, e.acceleration_bias, 0.0),
                    Activity::Known(force) => {
                        self.known[i] = force;
                        response(s.bodies, &e.row, force, &mut self.free);
                    }
                    Activity::Limited(kind) => {
                        if let Some(kind) = self.in_problem(kind, range.start) {
                            self.push(i, e, kind, e.acceleration_bias, 0.0);
                        }
                    }
                    Activity::Sliding(speed) => return Err(SlidingJoint { equation: i, speed }),
                }
            }
        }
        self.finish(s);
        Ok(())
    }

    /// Fills in the velocities at the end of a step `h` over impulses.
    pub(crate) fn fill_velocities(&mut self, s: State<'_>, h: f64) {
        self.clear(s, Meaning::Velocities);
        let velocities = s.motions.bodies().iter().flat_map(FrameMotion::rates);
        for (a, v) in self.free.iter_mut().zip(velocities) {
            *a = v + h * *a;
        }
        for range in s.ranges {
            for i in range.clone() {
                let e = &s.equations[i];
                let kind = match e.kind {
                    RowKind::Boxed { lo, hi } => RowKind::Boxed { lo: lo * h, hi: hi * h },
                    kind => kind,
                };
                let Some(kind) = self.in_problem(kind, range.start) else { continue };
                if let Some((bias, regularization)) = velocity_row(e, s.motions, h) {
                    self.push(i, e, kind, bias, regularization);
                }
            }
        }
        self.finish(s);
    }

    /// Fills in the velocities just after an impact: rigid rows that touch and friction between them, nothing of finite
    /// force. `restitution` is that of each constraint.
    pub(crate) fn fill_impact(&mut self, s: State<'_>, restitution: impl Fn(usize) -> f64) {
        self.clear(s, Meaning::Velocities);
        self.free.clear();
        self.free.extend(s.motions.bodies().iter().flat_map(FrameMotion::rates));
        for (constraint, range) in s.ranges.iter().enumerate() {
            for i in range.clone() {
                let e = &s.equations[i];
                let offset = e.velocity_error - rate(&e.row, s.motions);
                let open = e.position_error > TOUCHING;
                let rigid = e.spring.is_rigid() && e.level != Level::Acceleration;
                if !rigid
                    || matches!(e.kind, RowKind::Boxed { .. })
                    || (e.kind == RowKind::Unilateral && open)
                {
                    continue;
                }
                let back = match e.kind {
                    RowKind::Unilateral if e.velocity_error < -RESTING => restitution(constraint),
                    _ => 0.0,
                };
                if let Some(kind) = self.in_problem(e.kind, range.start) {
                    self.push(i, e, kind, offset + back * e.velocity_error, 0.0);
                }
            }
        }
        self.finish(s);
    }

    fn clear(&mut self, s: State<'_>, meaning: Meaning) {
        debug_assert!(
            s.ranges.last().map_or(0, |r| r.end) == s.equations.len(),
            "the ranges of the constraints cover the equations"
        );
        debug_assert_eq!(s.bodies.len(), s.motions.bodies().len(), "a motion for every body");
        (self.mechanism, self.meaning) = (s.mechanism, meaning);
        self.rows.clear();
        self.kinds.clear();
        self.equations.clear();
        self.bias.clear();
        self.regularization.clear();
        self.activities.clear();
        self.row_of.clear();
        self.row_of.resize(s.equations.len(), None);
        self.known.clear();
        self.known.resize(s.equations.len(), 0.0);
        free_accelerations(s.bodies, s.gravity, &mut self.free);
    }

    fn push(&mut self, i: usize, e: &Equation, kind: RowKind, bias: f64, regularization: f64) {
        self.row_of[i] = Some(self.rows.len());
        self.rows.push(e.row);
        self.kinds.push(kind);
        self.equations.push(i);
        self.bias.push(bias);
        self.regularization.push(regularization);
    }

    /// The kind of an equation with its normal row counted in this problem; `None` if that row is not in it.
    fn in_problem(&self, mut kind: RowKind, first: usize) -> Option<RowKind> {
        if let RowKind::Friction { normal, .. }
        | RowKind::FrictionLimits { normal, .. }
        | RowKind::Sliding { normal, .. } = &mut kind
        {
            *normal = self.row_of[first + *normal]?;
        }
        Some(kind)
    }

    /// Assembles the matrix and completes the right-hand side.
    fn finish(&mut self, s: State<'_>) {
        self.operator.assemble(s.bodies, self.rows.iter().copied());
        self.operator.matrix.add_to_diagonal(&self.regularization);
        for (bias, row) in self.bias.iter_mut().zip(&self.rows) {
            *bias += along(row, &self.free);
        }
    }
}

/// What a row adds to `J v` of the free velocities over a step, and its regularization; `None` for an open compliant
/// contact.
fn velocity_row(e: &Equation, motions: Motions<'_>, h: f64) -> Option<(f64, f64)> {
    let now = rate(&e.row, motions);
    let drift = h * e.acceleration_bias;
    let offset = e.velocity_error - now;
    Some(match e.level {
        Level::Acceleration => (drift - now, 0.0),
        Level::Velocity => (offset + drift, 0.0),
        Level::Position if e.spring.is_rigid() => {
            let gap = if e.kind == RowKind::Unilateral { e.position_error.max(0.0) } else { 0.0 };
            (offset + drift + gap / h, 0.0)
        }
        Level::Position => {
            if e.kind == RowKind::Unilateral && e.position_error > 0.0 {
                return None;
            }
            let (regularization, term) = e.info().regularization(h);
            (offset + drift + term, regularization)
        }
    })
}
