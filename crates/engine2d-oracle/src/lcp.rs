//! Kind `lcp`: complementarity problems, by the main solver and in reference-compatible mode.

mod contact;
mod recorded;

pub use contact::{Instance, contact_instances};

use crate::case::{CaseResult, Recording};
use engine2d_lcp::{Error, Lcp, Method, Solution, Solver, Status, infeasibility_bound};
use serde_json::Value;

/// Certificate, and bound of an infeasibility ray, that decide.
const LIMIT: f64 = 1e-8;

pub(crate) fn judge(recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    match recording.value.get("schema").and_then(Value::as_str) {
        Some("lcp-contact/1") => contact::judge(recording, sink),
        _ => recorded::judge(recording, sink),
    }
}

/// Whether an answer is right: certified, or proven to be impossible. Otherwise what is wrong.
fn check(problem: &Lcp<'_>, answer: &Result<Solution, Error>) -> Result<f64, String> {
    let solution = answer.as_ref().map_err(Error::to_string)?;
    match solution.status {
        Status::Solved => {
            let worst = solution.certificate.excess;
            if worst <= LIMIT { Ok(worst) } else { Err(format!("called solved with certificate {worst:e}")) }
        }
        Status::Infeasible => match infeasibility_bound(problem, &solution.ray) {
            Some(bound) if bound > LIMIT => Ok(solution.certificate.excess),
            bound => Err(format!("the ray proves nothing (bound {bound:?})")),
        },
        other => Err(format!("{other:?} with certificate {:e}", solution.certificate.residual)),
    }
}

/// Number of rows up to which a method beside `auto` is tried.
fn limit(method: Method) -> usize {
    match method {
        Method::InteriorPoint => usize::MAX,
        Method::Pivoting | Method::BlockPivoting => 400,
        _ => 60,
    }
}

/// What the solvers other than `auto` say, in a few words: name and residual, or name and status.
fn others(problem: &Lcp<'_>, answered: Method) -> String {
    let mut words = String::new();
    for method in Method::ALL {
        let tried = method != Method::Auto && method != answered && Solver::with(method).applies(problem);
        if !tried || problem.len() > limit(method) {
            continue;
        }
        let answer = Solver::with(method).solve(problem);
        let verdict = match check(problem, &answer) {
            Ok(worst) => format!("{worst:.1e}"),
            Err(reason) => reason,
        };
        words.push_str(&format!(", {}: {verdict}", method.name()));
    }
    words
}
