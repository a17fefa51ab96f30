//! Complementarity problems by themselves.

use crate::arrays::line;
use crate::fault;
use engine2d_lcp::{ForceSelection, Lcp, Method, Row, Run, Solution, Solver, SparseRows, Workspace};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::time::Duration;

/// A row's kind by its word, with its numbers.
type Kind = (String, Vec<f64>);

/// How to solve.
#[derive(FromPyObject)]
pub(crate) struct Options {
    method: String,
    tolerance: f64,
    min_norm: bool,
    psd_slack: f64,
    symmetric: bool,
    time_limit: Option<f64>,
    forces: Option<Vec<f64>>,
}

/// The answer to a complementarity problem.
#[pyclass(frozen, module = "engine2d._native")]
pub(crate) struct LcpSolution {
    solution: Solution,
}

/// Reads the kinds of all rows.
fn rows(kinds: &[Kind]) -> PyResult<Vec<Row>> {
    let read = |(place, (word, numbers)): (usize, &Kind)| {
        let place_of = |number: f64| number as usize;
        Ok(match (word.as_str(), numbers[..].as_ref()) {
            ("bilateral", []) => Row::Bilateral,
            ("unilateral", []) => Row::Unilateral,
            ("boxed", &[lo, hi]) => Row::Boxed { lo, hi },
            ("friction", &[normal, mu]) => Row::Friction { normal: place_of(normal), mu },
            ("friction_limits", &[normal, mu_minus, mu_plus]) => {
                Row::FrictionLimits { normal: place_of(normal), mu_minus, mu_plus }
            }
            ("sliding", &[normal, mu, sign]) => Row::Sliding { normal: place_of(normal), mu, sign },
            _ => {
                let known = "bilateral, unilateral, (boxed, lo, hi), (friction, normal, mu), \
                             (friction_limits, normal, mu_minus, mu_plus) or (sliding, normal, mu, sign)";
                let path = format!("kinds[{place}]");
                let value = format!("{word}{numbers:?}");
                return Err(fault::lcp_value(
                    format!("{path}: {value} is no kind of row: {known}"),
                    path,
                    value,
                ));
            }
        })
    };
    kinds.iter().enumerate().map(read).collect()
}

/// The solver that the options ask for.
fn solver(options: &Options) -> PyResult<Solver> {
    let named = |method: &Method| method.name() == options.method;
    let method = std::iter::once(Method::Auto).chain(Method::ALL).find(named).ok_or_else(|| {
        let known: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
        let message = format!("method: {:?} is none of auto, {}", options.method, known.join(", "));
        fault::lcp_value(message, "method".to_owned(), options.method.clone())
    })?;
    let mut solver = Solver::with(method).tolerance(options.tolerance).psd_slack(options.psd_slack);
    if let Some(seconds) = options.time_limit {
        let limit = Duration::try_from_secs_f64(seconds).map_err(|error| {
            fault::lcp_value(format!("time_limit: {error}"), "time_limit".to_owned(), seconds.to_string())
        })?;
        solver = solver.time_limit(limit);
    }
    if options.min_norm {
        solver = solver.forces(ForceSelection::MinNorm);
    }
    Ok(solver)
}

fn solve(
    py: Python<'_>,
    problem: Result<Lcp<'_>, engine2d_lcp::Error>,
    kinds: &[Kind],
    options: &Options,
) -> PyResult<LcpSolution> {
    let (rows, solver) = (rows(kinds)?, solver(options)?);
    let problem = problem.map_err(|error| fault::lcp(&error))?;
    let problem = if rows.is_empty() { problem } else { problem.rows(rows).map_err(|e| fault::lcp(&e))? };
    let outcome = py.detach(|| {
        let mut solution = Solution::default();
        let mut run = Run { forces: options.forces.as_deref(), ..Run::default() };
        solver.run(&problem, &mut run, &mut Workspace::new(), &mut solution).map(|_| solution)
    });
    outcome.map(|solution| LcpSolution { solution }).map_err(|error| fault::lcp(&error))
}

/// Solves with a dense `A`, shape (n, n), symmetric unless the options say otherwise.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
pub(crate) fn solve_dense(
    py: Python<'_>,
    a: PyReadonlyArray2<'_, f64>,
    b: PyReadonlyArray1<'_, f64>,
    kinds: Vec<Kind>,
    options: Options,
) -> PyResult<LcpSolution> {
    let entries: Cow<'_, [f64]> = Cow::Owned(a.as_array().iter().copied().collect());
    let bias: Vec<f64> = b.as_array().iter().copied().collect();
    let of = if options.symmetric { Lcp::from_dense } else { Lcp::unsymmetric };
    solve(py, of(entries, bias), &kinds, &options)
}

/// Rows, columns and values of the entries of a sparse matrix.
type Places<'py> = (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, f64>);

/// Entries as the solver takes them.
fn entries((rows, columns, values): &Places<'_>) -> Vec<(usize, usize, f64)> {
    // A negative place is beyond every row, and refused as such.
    let place = |index: i64| usize::try_from(index).unwrap_or(usize::MAX);
    let (rows, columns, values) = (rows.as_array(), columns.as_array(), values.as_array());
    let places = rows.iter().zip(&columns).map(|(&r, &c)| (place(r), place(c)));
    places.zip(&values).map(|((r, c), &v)| (r, c, v)).collect()
}

/// Solves with a sparse `A` from its entries, both triangles, symmetric unless the options say otherwise.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
pub(crate) fn solve_sparse(
    py: Python<'_>,
    places: Places<'_>,
    b: PyReadonlyArray1<'_, f64>,
    kinds: Vec<Kind>,
    options: Options,
) -> PyResult<LcpSolution> {
    let bias: Vec<f64> = b.as_array().iter().copied().collect();
    let problem = SparseRows::from_triplets(&entries(&places), bias.len()).and_then(|matrix| {
        if options.symmetric { Lcp::sparse(matrix, bias) } else { Lcp::unsymmetric_sparse(matrix, bias) }
    });
    solve(py, problem, &kinds, &options)
}

/// Solves with `A = J diag(inv_mass) Jᵀ + diag(compliance)` from the entries of `J`.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "what the interpreter gives is owned")]
pub(crate) fn solve_jacobian(
    py: Python<'_>,
    places: Places<'_>,
    inv_mass: PyReadonlyArray1<'_, f64>,
    compliance: Vec<f64>,
    b: PyReadonlyArray1<'_, f64>,
    kinds: Vec<Kind>,
    options: Options,
) -> PyResult<LcpSolution> {
    let bias: Vec<f64> = b.as_array().iter().copied().collect();
    let masses: Vec<f64> = inv_mass.as_array().iter().copied().collect();
    let problem = SparseRows::from_triplets(&entries(&places), bias.len())
        .and_then(|matrix| Lcp::soft_jacobian(matrix, masses, compliance, bias));
    solve(py, problem, &kinds, &options)
}

#[pymethods]
impl LcpSolution {
    /// Forces, shape (n,).
    #[getter]
    fn f<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        line(py, self.solution.f.clone())
    }

    /// Accelerations `A f + b`, shape (n,).
    #[getter]
    fn a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        line(py, self.solution.a.clone())
    }

    /// Whether the certificate is within the tolerance.
    #[getter]
    fn solved(&self) -> bool {
        self.solution.is_solved()
    }

    /// How the solve ended: "solved", "infeasible", "ill_conditioned" and the like.
    #[getter]
    fn status(&self) -> String {
        let word = format!("{:?}", self.solution.status);
        let mut text = String::new();
        for (place, letter) in word.char_indices() {
            if letter.is_uppercase() && place > 0 {
                text.push('_');
            }
            text.push(letter.to_ascii_lowercase());
        }
        text
    }

    /// The set each row ended in: "clamped", "lower", "upper", "redundant".
    #[getter]
    fn sets(&self) -> Vec<String> {
        self.solution.sets.iter().map(|set| format!("{set:?}").to_lowercase()).collect()
    }

    /// Scaled violation of the conditions that decides, computed from the inputs and the forces alone.
    #[getter]
    fn certificate(&self) -> f64 {
        self.solution.certificate.excess
    }

    /// The largest violation in the scale of the whole problem.
    #[getter]
    fn residual(&self) -> f64 {
        self.solution.certificate.residual
    }

    /// If infeasible: a proof `v` with `A v ≈ 0` and `bᵀv < 0`, shape (n,); else empty.
    #[getter]
    fn ray<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        line(py, self.solution.ray.clone())
    }

    /// Who answered.
    #[getter]
    fn method(&self) -> &'static str {
        self.solution.method.name()
    }

    /// Changes of the sets that the solve took.
    #[getter]
    fn pivots(&self) -> usize {
        self.solution.stats.pivots
    }

    fn __repr__(&self) -> String {
        format!(
            "LcpSolution(status={:?}, rows={}, certificate={:e})",
            self.status(),
            self.solution.f.len(),
            self.solution.certificate.excess
        )
    }
}
