//! Kind `linear`: dense linear systems, some singular but consistent, some in error.

use crate::case::{CaseResult, Recording};
use engine2d_math::elimination::Elimination;
use engine2d_math::tolerance::PIVOT_ZERO;
use serde::Deserialize;
use serde_json::Value;

/// Residual that is accepted whatever was recorded.
const RESIDUAL: f64 = 1e-10;

#[derive(Deserialize)]
struct System {
    id: String,
    #[serde(rename = "A")]
    a: Vec<Vec<f64>>,
    b: Vec<f64>,
    zero_tol: Option<f64>,
    error: i64,
    residual: Option<f64>,
    x: Option<Vec<f64>>,
}

pub(crate) fn judge(recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    let list = recording.value.get("problems").and_then(Value::as_array).into_iter().flatten();
    for (index, value) in list.enumerate() {
        let result = |case: String, passed, worst, quantity: String| CaseResult {
            file: recording.name.to_owned(),
            case,
            passed,
            worst,
            quantity,
        };
        sink(match System::deserialize(value) {
            Err(e) => result(index.to_string(), false, f64::INFINITY, e.to_string()),
            Ok(system) => {
                let (passed, worst, quantity) = verdict(&system);
                result(system.id, passed, worst, quantity)
            }
        });
    }
}

/// Largest departure of a row from its right side.
fn residual(system: &System, x: &[f64]) -> f64 {
    let rows = system.a.iter().zip(&system.b);
    rows.fold(0.0_f64, |worst, (row, b)| {
        let sum: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
        let difference = (sum - b).abs();
        if difference.is_nan() { f64::INFINITY } else { worst.max(difference) }
    })
}

fn verdict(system: &System) -> (bool, f64, String) {
    let a: Vec<f64> = system.a.concat();
    let mut x = vec![0.0; system.b.len()];
    let solved = Elimination::new().solve(&a, &system.b, system.zero_tol.unwrap_or(PIVOT_ZERO), &mut x);
    match (solved, system.error == -1) {
        (Ok(()), true) => {
            let limit = RESIDUAL.max(10.0 * system.residual.unwrap_or(0.0));
            let ours = residual(system, &x);
            // What is not determined may differ; the recorded answer has to be one, too.
            let recorded = system.x.as_ref().map_or(0.0, |x| residual(system, x));
            let (worst, what) = if ours >= recorded {
                (ours, "residual")
            } else {
                (recorded, "residual of the recorded answer")
            };
            (worst <= limit, worst, what.to_owned())
        }
        (Err(_), false) => (true, 0.0, "error, as recorded".to_owned()),
        (Ok(()), false) => (false, f64::INFINITY, format!("solved, but error {} was recorded", system.error)),
        (Err(e), true) => (false, f64::INFINITY, e.to_string()),
    }
}
