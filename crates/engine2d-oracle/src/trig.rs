//! Kind `trig`: elementary functions, within one unit in the last place.

use crate::case::{CaseResult, Recording};
use engine2d_math::trig::{atan2, cos, sin};
use serde_json::Value;

pub(crate) fn judge(recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    let rows = recording.value.get("rows").and_then(Value::as_array).into_iter().flatten();
    for (index, row) in rows.enumerate() {
        let numbers: Vec<f64> =
            row.as_array().into_iter().flatten().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect();
        let (mut worst, mut quantity) = (f64::INFINITY, "row has not four numbers");
        if let [x, s, c, angle] = numbers[..] {
            // The arctangent is taken of the recorded sine and cosine: an error of theirs is not its own.
            let found = [
                (ulps(sin(x), s), "sine"),
                (ulps(cos(x), c), "cosine"),
                (ulps(atan2(1.3 * s, 0.7 * c), angle), "arctangent"),
            ];
            (worst, quantity) = found.into_iter().fold((-1.0, ""), |w, f| if f.0 > w.0 { f } else { w });
        }
        sink(CaseResult {
            file: recording.name.to_owned(),
            case: index.to_string(),
            passed: worst <= 1.0,
            worst,
            quantity: format!("{quantity}, units in the last place"),
        });
    }
}

/// Distance of two numbers in units in the last place of the second.
fn ulps(found: f64, expected: f64) -> f64 {
    if found == expected {
        return 0.0;
    }
    let unit = expected.abs().next_up() - expected.abs();
    let distance = (found - expected).abs() / unit;
    if distance.is_nan() { f64::INFINITY } else { distance }
}
