//! The interior-point solver `clarabel` on the same problems in the same run (feature `peers`).
//!
//! Both forms of the quadratic program are tried. Forces: `min ½ fᵀA f + bᵀf` with `f ≥ 0` on contacts.
//! Accelerations: `min ½ vᵀM v` with `J v + b ≥ 0` on contacts and `= 0` on joints, where `v` is the change that
//! the forces make; the multipliers are the forces. Timed are setup and solve; forming the matrices is not.

use super::median_time;
use crate::TaskError;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};
use engine2d_lcp::{Certificate, Lcp, Matrix, Row, SparseRows, tolerance};

/// Tolerance asked of the peer, on gaps and feasibility.
const TOLERANCE: f64 = 1e-9;

/// A form of the quadratic program.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Forces,
    Accelerations,
}

/// What the peer took, and how good its answer is by our certificate.
pub(super) struct Measured {
    pub(super) solver: &'static str,
    pub(super) median: f64,
    pub(super) residual: f64,
    pub(super) iterations: u32,
}

/// Both forms of a problem without friction rows that is given by its Jacobian.
pub(super) fn measure(problem: &Lcp<'_>) -> Result<Vec<Measured>, TaskError> {
    let Matrix::Jacobian { jacobian, inverse_mass, .. } = problem.matrix() else {
        return Err("the peer is measured on problems given by their Jacobian".into());
    };
    let joints = problem.kinds().iter().take_while(|kind| **kind == Row::Bilateral).count();
    let mut measured = Vec::new();
    for form in [Form::Forces, Form::Accelerations] {
        let program = match form {
            Form::Forces => forces(jacobian, inverse_mass, problem.bias(), joints),
            Form::Accelerations => accelerations(jacobian, inverse_mass, problem.bias(), joints),
        };
        measured.push(time(&program, problem, form)?);
    }
    Ok(measured)
}

/// `min ½ xᵀP x + qᵀx` with `A x + s = b`, `s` in the cones.
struct Program {
    p: CscMatrix<f64>,
    q: Vec<f64>,
    a: CscMatrix<f64>,
    b: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

fn time(program: &Program, problem: &Lcp<'_>, form: Form) -> Result<Measured, TaskError> {
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: TOLERANCE,
        tol_gap_rel: TOLERANCE,
        tol_feas: TOLERANCE,
        ..DefaultSettings::default()
    };
    let Program { p, q, a, b, cones } = program;
    let solve = || {
        DefaultSolver::new(p, q, a, b, cones, settings.clone()).map(|mut solver| {
            solver.solve();
            solver
        })
    };
    let solver = solve()?;
    let f = if form == Form::Forces { &solver.solution.x } else { &solver.solution.z };
    let mut a = vec![0.0; problem.len()];
    let certificate = Certificate::compute(problem, f, tolerance::SOLVED, &mut a);
    Ok(Measured {
        solver: if form == Form::Forces { "clarabel-forces" } else { "clarabel-accelerations" },
        median: median_time(|| drop(solve())),
        residual: certificate.residual,
        iterations: solver.solution.iterations,
    })
}

fn forces(jacobian: &SparseRows, inverse_mass: &[f64], bias: &[f64], joints: usize) -> Program {
    let n = bias.len();
    let contacts = n - joints;
    let start = (0..=n).map(|i| i.saturating_sub(joints)).collect();
    Program {
        p: upper_triangle(jacobian, inverse_mass),
        q: bias.to_vec(),
        a: CscMatrix::new(contacts, n, start, (0..contacts).collect(), vec![-1.0; contacts]),
        b: vec![0.0; contacts],
        cones: vec![SupportedConeT::NonnegativeConeT(contacts)],
    }
}

fn accelerations(jacobian: &SparseRows, inverse_mass: &[f64], bias: &[f64], joints: usize) -> Program {
    let (n, columns) = (bias.len(), inverse_mass.len());
    let mass = inverse_mass.iter().map(|m| 1.0 / m).collect();
    let mut by_column: Vec<Vec<(usize, f64)>> = vec![Vec::new(); columns];
    for i in 0..n {
        let (places, values) = jacobian.row(i);
        for (&c, &v) in places.iter().zip(values) {
            by_column[c].push((i, -v));
        }
    }
    Program {
        p: CscMatrix::new(columns, columns, (0..=columns).collect(), (0..columns).collect(), mass),
        q: vec![0.0; columns],
        a: compressed(n, &by_column),
        b: bias.to_vec(),
        cones: vec![SupportedConeT::ZeroConeT(joints), SupportedConeT::NonnegativeConeT(n - joints)],
    }
}

/// The upper triangle of `J M⁻¹ Jᵀ`, without entries that are exactly zero.
fn upper_triangle(jacobian: &SparseRows, inverse_mass: &[f64]) -> CscMatrix<f64> {
    let n = jacobian.rows();
    let mut users: Vec<Vec<(usize, f64)>> = vec![Vec::new(); inverse_mass.len()];
    let mut entries = vec![0.0; n];
    let mut columns = Vec::with_capacity(n);
    for i in 0..n {
        let (places, values) = jacobian.row(i);
        let mut touched = Vec::new();
        for (&c, &v) in places.iter().zip(values) {
            users[c].push((i, v));
            for &(k, w) in &users[c] {
                entries[k] += v * inverse_mass[c] * w;
                touched.push(k);
            }
        }
        touched.sort_unstable();
        touched.dedup();
        let column: Vec<_> = touched.iter().map(|&k| (k, entries[k])).filter(|e| e.1 != 0.0).collect();
        touched.iter().for_each(|&k| entries[k] = 0.0);
        columns.push(column);
    }
    compressed(n, &columns)
}

fn compressed(rows: usize, columns: &[Vec<(usize, f64)>]) -> CscMatrix<f64> {
    let mut start = vec![0];
    let (mut places, mut values) = (Vec::new(), Vec::new());
    for column in columns {
        places.extend(column.iter().map(|e| e.0));
        values.extend(column.iter().map(|e| e.1));
        start.push(places.len());
    }
    CscMatrix::new(rows, columns.len(), start, places, values)
}
