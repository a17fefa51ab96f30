//! Rows of one solve of a constrained step, and the solve: `v = free + M⁻¹ Jᵀ λ`, `J v + R λ ⋛ target`.

use engine2d_constraint::{FrameMotion, Mass};
use engine2d_lcp::{Lcp, Row, Set, Solution, Solver, Workspace};
use engine2d_math::SparseBlockMatrix;

/// State of a row between solves, as constrainers keep it: 0 at the lower limit, 1 at the upper, 2 free between them.
pub(super) type State = u8;

/// Rows of one solve, dense.
#[derive(Default)]
pub(super) struct Rows {
    /// Number of velocities.
    width: usize,
    /// The Jacobian, row by row.
    jacobian: Vec<f64>,
    target: Vec<f64>,
    regularization: Vec<f64>,
    kinds: Vec<Row>,
    /// Row of each column of the matrix that is added.
    places: Vec<Option<usize>>,
}

impl Rows {
    /// Starts anew over `width` velocities.
    pub(super) fn clear(&mut self, width: usize) {
        self.width = width;
        self.jacobian.clear();
        self.target.clear();
        self.regularization.clear();
        self.kinds.clear();
    }

    /// Appends the columns of a transposed Jacobian as rows, each with its regularization, target and kind; those without
    /// are left out.
    pub(super) fn push(
        &mut self,
        transposed: &SparseBlockMatrix,
        terms: impl Iterator<Item = Option<((f64, f64), Row)>>,
    ) {
        self.places.clear();
        for term in terms {
            self.places.push(term.is_some().then_some(self.kinds.len()));
            if let Some(((regularization, target), kind)) = term {
                self.regularization.push(regularization);
                self.target.push(target);
                self.kinds.push(kind);
            }
        }
        let width = self.width;
        self.jacobian.resize(self.kinds.len() * width, 0.0);
        let (jacobian, places) = (&mut self.jacobian, &self.places);
        transposed.for_each_entry(|velocity, column, value| {
            if let Some(row) = places[column] {
                jacobian[row * width + velocity] += value;
            }
        });
    }

    /// Kinds of the rows from `first` on.
    pub(super) fn kinds_from(&mut self, first: usize) -> &mut [Row] {
        &mut self.kinds[first..]
    }
}

/// Solves rows, with its storage reused.
pub(super) struct ImpulseSolver {
    solver: Solver,
    workspace: Workspace,
    solution: Solution,
    warm: Vec<Set>,
    /// `M⁻¹ Jᵀ`, a row for each row of `J`.
    responses: Vec<f64>,
    matrix: Vec<f64>,
    bias: Vec<f64>,
    velocities: Vec<f64>,
}

impl Default for ImpulseSolver {
    fn default() -> Self {
        Self {
            solver: Solver::auto(),
            workspace: Workspace::new(),
            solution: Solution::default(),
            warm: Vec::new(),
            responses: Vec::new(),
            matrix: Vec::new(),
            bias: Vec::new(),
            velocities: Vec::new(),
        }
    }
}

fn set_of(state: State) -> Set {
    match state {
        1 => Set::Upper,
        2 => Set::Clamped,
        _ => Set::Lower,
    }
}

impl ImpulseSolver {
    /// States from which the next solve starts: bilateral rows always act.
    pub(super) fn start_states(&mut self, bilateral: usize, unilateral: &[State]) {
        self.warm.clear();
        self.warm.resize(bilateral, Set::Untreated);
        self.warm.extend(unilateral.iter().map(|s| set_of(*s)));
    }

    /// Appends states of further rows.
    pub(super) fn add_states(&mut self, states: impl Iterator<Item = State>) {
        self.warm.extend(states.map(set_of));
    }

    /// Velocities of the last solve.
    pub(super) fn velocities(&self) -> &[f64] {
        &self.velocities
    }

    /// Impulses of the last solve.
    pub(super) fn impulses(&self) -> &[f64] {
        &self.solution.f
    }

    /// State in which a row ended.
    pub(super) fn state(&self, row: usize) -> State {
        match self.solution.sets.get(row) {
            Some(Set::Clamped) => 2,
            Some(Set::Upper) => 1,
            _ => 0,
        }
    }

    /// Solves; what the solver says if it cannot.
    pub(super) fn solve(
        &mut self,
        rows: &Rows,
        (masses, motions): (&[Mass], &[FrameMotion]),
        free: &[f64],
    ) -> Result<(), String> {
        let (n, width) = (rows.kinds.len(), rows.width);
        self.velocities.clear();
        self.velocities.extend_from_slice(free);
        if n == 0 || width == 0 {
            self.solution.f.clear();
            self.solution.f.resize(n, 0.0);
            self.solution.sets.clear();
            return Ok(());
        }
        self.responses.clear();
        for row in rows.jacobian.chunks_exact(width) {
            let bodies = masses.iter().zip(motions).zip(row.chunks_exact(3));
            self.responses
                .extend(bodies.flat_map(|((mass, motion), j)| mass.accelerate(motion, [j[0], j[1], j[2]])));
        }
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        self.bias.clear();
        for (i, jacobian) in rows.jacobian.chunks_exact(width).enumerate() {
            for (j, response) in self.responses.chunks_exact(width).take(i + 1).enumerate() {
                let value = dot(jacobian, response);
                self.matrix[i * n + j] = value;
                self.matrix[j * n + i] = value;
            }
            self.matrix[i * n + i] += rows.regularization[i];
            self.bias.push(dot(jacobian, free) - rows.target[i]);
        }
        let problem = Lcp::borrowed(&self.matrix, &self.bias, &rows.kinds).map_err(|e| e.to_string())?;
        let warm = (self.warm.len() == n).then_some(&self.warm[..]);
        let status = self
            .solver
            .solve_into(&problem, warm, &mut self.workspace, &mut self.solution)
            .map_err(|e| e.to_string())?;
        if !self.solution.is_solved() {
            return Err(format!("{status:?}"));
        }
        for (response, f) in self.responses.chunks_exact(width).zip(&self.solution.f) {
            self.velocities.iter_mut().zip(response).for_each(|(v, r)| *v += r * f);
        }
        Ok(())
    }
}
