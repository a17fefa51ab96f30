//! The one place where rows meet the complementarity solver.

use crate::error::SimError;
use crate::generator::Generator;
use crate::settings::Profile;
use crate::tolerance::ACCEPTED_VIOLATION;
use engine2d_constraint::Delassus;
use engine2d_lcp::{Policy, reference};

/// What the solver has been asked so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LcpStatistics {
    /// Problems solved.
    pub solves: u64,
    /// Rows of the largest problem.
    pub largest: usize,
    /// Pivoting steps in all.
    pub pivots: u64,
    /// Largest certificate of any answer: scaled violation of the complementarity conditions.
    pub worst_certificate: f64,
}

/// Both solvers and the scratch they share.
#[derive(Clone, Debug, Default)]
pub(crate) struct LcpDriver {
    recorded: reference::Solver,
    pub(crate) statistics: LcpStatistics,
}

/// A problem `a = A f + b` with bilateral rows marked.
pub(crate) struct Rows<'a> {
    pub(crate) matrix: &'a [f64],
    pub(crate) bias: &'a [f64],
    pub(crate) bilateral: &'a [bool],
}

impl LcpDriver {
    /// Solves for `f`; an answer with an error code is accepted only if it satisfies the conditions within
    /// the accepted violation.
    pub(crate) fn solve(
        &mut self,
        profile: Profile,
        rows: &Rows<'_>,
        checked: bool,
        rng: &mut Generator,
        f: &mut Vec<f64>,
        (what, time): (&'static str, f64),
    ) -> Result<(), SimError> {
        let n = rows.bias.len();
        f.clear();
        f.resize(n, 0.0);
        let policy = match profile {
            Profile::Reference => Policy::Hybrid,
            Profile::Engine2d => Policy::MinAccel,
        };
        let problem = reference::Problem {
            a: rows.matrix,
            b: rows.bias,
            joint: rows.bilateral,
            policy,
            order: None,
            tolerance: checked.then_some(ACCEPTED_VIOLATION),
        };
        let outcome = self.recorded.solve(&problem, rng, f);
        let (certificate, violation) = certificate(rows, f);
        self.statistics.solves += 1;
        self.statistics.largest = self.statistics.largest.max(n);
        self.statistics.worst_certificate = self.statistics.worst_certificate.max(certificate);
        let status = match outcome {
            Ok(report) => {
                self.statistics.pivots += report.inner_steps as u64;
                if report.code == reference::Code::Finished {
                    return Ok(());
                }
                report.code.number().to_string()
            }
            Err(error) => error.to_string(),
        };
        if violation <= ACCEPTED_VIOLATION {
            return Ok(());
        }
        Err(SimError::Unsolved { what, time, size: n, status, violation })
    }
}

/// Scaled violation of the conditions, and the largest unwanted acceleration, both from the inputs.
fn certificate(rows: &Rows<'_>, f: &[f64]) -> (f64, f64) {
    let n = f.len();
    let bs = rows.bias.iter().fold(1.0, |m: f64, b| m.max(b.abs()));
    let fs = f.iter().fold(1.0, |m: f64, f| m.max(f.abs()));
    let mut worst = 0.0_f64;
    let mut unwanted = 0.0_f64;
    for i in 0..n {
        let row = &rows.matrix[i * n..(i + 1) * n];
        let a = row.iter().zip(f).fold(rows.bias[i], |sum, (a, f)| sum + a * f);
        if rows.bilateral[i] {
            worst = worst.max(a.abs() / bs);
            unwanted = unwanted.max(a.abs());
        } else {
            worst = worst.max(-a / bs).max(-f[i] / fs).max((f[i] * a).abs() / (bs * fs));
            unwanted = unwanted.max(if f[i].abs() > 1e-10 { a.abs() } else { -a });
        }
    }
    (worst, unwanted)
}

/// The square submatrix of `matrix` on `rows`, into `out`.
pub(crate) fn restrict(matrix: &Delassus, rows: &[usize], out: &mut Vec<f64>) {
    out.clear();
    for &i in rows {
        let row = matrix.row(i);
        out.extend(rows.iter().map(|&j| row[j]));
    }
}
