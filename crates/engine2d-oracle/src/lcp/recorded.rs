//! Problems with recorded answers.

use super::{check, others};
use crate::case::{CaseResult, Difference, Recording};
use engine2d_lcp::{Certificate, Lcp, Policy, Row, Solution, Solver, Status, reference};
use engine2d_math::random::Lcg32;
use serde::Deserialize;
use serde_json::Value;

/// Agreement of accelerations, relative to the largest bias, where the recorded answer itself is that good.
const ACCELERATION: f64 = 1e-6;
/// Agreement of forces in reference-compatible mode, relative to the largest force.
const FORCE: f64 = 1e-6;

#[derive(Deserialize)]
struct Problem {
    id: String,
    n: usize,
    #[serde(rename = "A")]
    a: Vec<Vec<f64>>,
    b: Vec<f64>,
    joint: Vec<bool>,
}

#[derive(Deserialize)]
struct Run {
    policy: u64,
    pre_order: Option<Vec<usize>>,
    tolerance: Option<f64>,
    rng_seed_before: u32,
    rng_seed_after: u32,
    f: Vec<f64>,
    error: i64,
    loop_detected: bool,
    outer_steps: usize,
}

pub(super) fn judge(recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    let list = recording.value.get("problems").and_then(Value::as_array).into_iter().flatten();
    for value in list {
        let name = value.get("id").and_then(Value::as_str).unwrap_or("?");
        if let Err(reason) = judge_problem(recording, value, sink) {
            let mut difference = Difference::default();
            difference.fail(reason);
            sink(difference.verdict(recording.name, name));
        }
    }
}

fn judge_problem(
    recording: &Recording<'_>,
    value: &Value,
    sink: &mut dyn FnMut(CaseResult),
) -> Result<(), String> {
    let problem = Problem::deserialize(value).map_err(|e| e.to_string())?;
    let runs = match value.get("runs") {
        Some(runs) => Vec::<Run>::deserialize(runs),
        None => Run::deserialize(value).map(|run| vec![run]),
    };
    let runs = runs.map_err(|e| e.to_string())?;
    let rows: Vec<Row> =
        problem.joint.iter().map(|joint| if *joint { Row::Bilateral } else { Row::Unilateral }).collect();
    let a = problem.a.concat();
    let lcp = Lcp::from_dense(&a, &problem.b).and_then(|p| p.rows(rows)).map_err(|e| e.to_string())?;
    let answer = Solver::auto().solve(&lcp);
    let single = runs.len() == 1;
    for (index, run) in runs.iter().enumerate() {
        let mut difference = Difference::default();
        match (check(&lcp, &answer), &answer) {
            (Err(reason), _) => difference.fail(reason),
            (Ok(_), Ok(solution)) if solution.status == Status::Solved => {
                compare_accelerations(&mut difference, &lcp, solution, run);
            }
            _ => {}
        }
        replay(&mut difference, &problem, &a, run);
        let case = if single { problem.id.clone() } else { format!("{}/{index}", problem.id) };
        let mut verdict = difference.verdict(recording.name, case);
        if index == 0 {
            let method = answer.as_ref().map_or(engine2d_lcp::Method::Auto, |s| s.method);
            verdict.quantity.push_str(&others(&lcp, method));
        }
        sink(verdict);
    }
    Ok(())
}

/// Accelerations are unique where forces are not.
fn compare_accelerations(difference: &mut Difference, lcp: &Lcp<'_>, solution: &Solution, run: &Run) {
    let mut recorded = vec![0.0; lcp.len()];
    let certificate = Certificate::compute(lcp, &run.f, 0.0, &mut recorded);
    let limit = ACCELERATION.max(10.0 * certificate.residual) * certificate.bias_scale;
    for (i, (found, expected)) in solution.a.iter().zip(&recorded).enumerate() {
        difference.compare(*found, *expected, limit, || format!("acceleration {i}"));
    }
}

/// The recorded run again, draw for draw.
fn replay(difference: &mut Difference, problem: &Problem, a: &[f64], run: &Run) {
    if run.error != -1 || run.loop_detected {
        return;
    }
    let policy = match run.policy {
        1 => Policy::MinAccel,
        2 => Policy::Random,
        3 => Policy::PreOrdered,
        4 => Policy::Hybrid,
        other => return difference.fail(format!("policy {other} is not known")),
    };
    let mut rng = Lcg32::new(run.rng_seed_before);
    let mut f = vec![0.0; problem.n];
    let request = reference::Problem {
        a,
        b: &problem.b,
        joint: &problem.joint,
        policy,
        order: run.pre_order.as_deref(),
        tolerance: run.tolerance,
    };
    match reference::Solver::new().solve(&request, &mut rng, &mut f) {
        Err(e) => difference.fail(format!("reference mode: {e}")),
        Ok(report) => {
            difference.require(problem.n == 1 || report.outer_steps == run.outer_steps, || {
                format!("{} outer steps, recorded {}", report.outer_steps, run.outer_steps)
            });
            difference.require(rng.state() == run.rng_seed_after, || "generator state differs".to_owned());
            let scale = run.f.iter().fold(1.0_f64, |m, f| m.max(f.abs()));
            for (i, (found, expected)) in f.iter().zip(&run.f).enumerate() {
                difference.compare(*found, *expected, FORCE * scale, || format!("reference force {i}"));
            }
        }
    }
}
