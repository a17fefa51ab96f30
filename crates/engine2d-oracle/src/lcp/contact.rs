//! Contact problems given by their Jacobian.

use super::{LIMIT, check, others};
use crate::case::{CaseResult, Recording};
use engine2d_lcp::{Error, Lcp, Row, Solver, SparseRows};
use serde::Deserialize;
use serde_json::Value;

/// Number of contacts up to which an instance given densely is judged in that form.
const DENSE: usize = 400;

#[derive(Deserialize)]
struct Recorded {
    id: String,
    family: String,
    n: usize,
    n_joint: usize,
    minv: Vec<f64>,
    u: Vec<f64>,
    j_ptr: Vec<usize>,
    j_col: Vec<usize>,
    j_val: Vec<f64>,
    #[serde(default)]
    mu: Vec<f64>,
    #[serde(default)]
    t_ptr: Vec<usize>,
    #[serde(default)]
    t_col: Vec<usize>,
    #[serde(default)]
    t_val: Vec<f64>,
}

/// A contact problem with its name.
pub struct Instance {
    /// Name of the instance.
    pub id: String,
    /// Family it belongs to.
    pub family: String,
    /// Size its file is named after.
    pub target: usize,
    /// Number of joints and contacts, friction rows not counted.
    pub n: usize,
    /// The problem in the form of its Jacobian.
    pub problem: Lcp<'static>,
}

impl Instance {
    fn new(value: &Value) -> Result<Self, String> {
        let r = Recorded::deserialize(value).map_err(|e| e.to_string())?;
        let mut jacobian = SparseRows { start: r.j_ptr, column: r.j_col, value: r.j_val };
        let mut rows = vec![Row::Unilateral; r.n];
        rows[..r.n_joint].fill(Row::Bilateral);
        if !r.mu.is_empty() {
            let entries = jacobian.column.len();
            jacobian.start.extend(r.t_ptr.iter().skip(1).map(|p| p + entries));
            jacobian.column.extend(r.t_col);
            jacobian.value.extend(r.t_val);
            rows.extend(r.mu.iter().enumerate().map(|(k, &mu)| Row::Friction { normal: r.n_joint + k, mu }));
        }
        let bias: Vec<f64> = (0..jacobian.rows())
            .map(|i| {
                let (columns, values) = jacobian.row(i);
                columns.iter().zip(values).fold(0.0, |sum, (&c, v)| sum + v * r.u[c])
            })
            .collect();
        let problem = Lcp::jacobian(jacobian, r.minv, bias).and_then(|p| p.rows(rows));
        let problem = problem.map_err(|e| e.to_string())?;
        let target = value.get("target_n").and_then(Value::as_u64).unwrap_or(0) as usize;
        Ok(Self { id: r.id, family: r.family, target, n: r.n, problem })
    }

    /// The same problem with its matrix worked out.
    ///
    /// # Errors
    /// As [`Lcp::from_dense`].
    pub fn dense(&self) -> Result<Lcp<'static>, Error> {
        let mut a = Vec::new();
        self.problem.matrix().to_dense(&mut a);
        Lcp::from_dense(a, self.problem.bias().to_vec())?.rows(self.problem.kinds().to_vec())
    }
}

/// The instances of a file of contact problems; for each that cannot be read, its name and why.
pub fn contact_instances(value: &Value) -> impl Iterator<Item = Result<Instance, (String, String)>> + '_ {
    value.get("instances").and_then(Value::as_array).into_iter().flatten().map(|instance| {
        let name = || instance.get("id").and_then(Value::as_str).unwrap_or("?").to_owned();
        Instance::new(instance).map_err(|reason| (name(), reason))
    })
}

pub(super) fn judge(recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    for instance in contact_instances(recording.value) {
        let result = |case: String, passed, worst, quantity| CaseResult {
            file: recording.name.to_owned(),
            case,
            passed,
            worst,
            quantity,
        };
        sink(match instance {
            Err((name, reason)) => result(name, false, f64::INFINITY, reason),
            Ok(instance) => {
                let (passed, worst, quantity) = verdict(&instance);
                result(instance.id, passed, worst, quantity)
            }
        });
    }
}

fn verdict(instance: &Instance) -> (bool, f64, String) {
    let dense = if instance.n <= DENSE { instance.dense().ok() } else { None };
    let problem = dense.as_ref().unwrap_or(&instance.problem);
    let answer = Solver::auto().solve(problem);
    let method = answer.as_ref().map_or(engine2d_lcp::Method::Auto, |s| s.method);
    // Certified against the Jacobian itself: rounding of the dense matrix is the solver's own business.
    let strict = |worst: f64| worst <= LIMIT || instance.family == "mass_ratio";
    match check(&instance.problem, &answer) {
        Ok(worst) if strict(answer.as_ref().map_or(worst, |s| s.certificate.residual)) => {
            (true, worst, format!("certificate, {}{}", method.name(), others(problem, method)))
        }
        Ok(worst) => (false, worst, format!("certificate only by the rounding floor, {}", method.name())),
        Err(reason) => {
            let worst = answer.as_ref().map_or(f64::INFINITY, |s| s.certificate.residual);
            (false, worst, format!("{}: {reason}{}", method.name(), others(problem, method)))
        }
    }
}
