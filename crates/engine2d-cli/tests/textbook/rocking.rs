//! What goes from corner to corner, and loses speed at each.

use crate::{G, block, body, floor, run};
use serde_json::{Value, json};
use std::f64::consts::PI;

/// Friction that nothing slides against.
const ROUGH: f64 = 5.0;

/// What events, found between two rows, leave of energies and speeds.
const LOCATED: f64 = 1e-7;

/// Columns that stand free under a beam rock as one block of their slenderness `α` that is larger, as the beam is heavier: with `R` from corner to
/// centre, `p² = 3 g/(4 R)` and the mass of the beam `2 γ` of that of a column,
///
/// ```text
/// θ̈ = −p² (1 + 2 γ)/(1 + 3 γ) sin(α − θ) ,   θ̇⁺/θ̇⁻ = (1 − 3/2 sin² α + 3 γ cos 2α)/(1 + 3 γ)
/// ```
///
/// \[Makris, Vassiliou 2013\].
#[test]
fn a_frame_that_stands_free_rocks_as_a_larger_block() {
    let (half, up, span) = (0.1, 0.6, 1.5);
    let [alpha, reach] = [f64::atan2(half, up), f64::hypot(half, up)];
    let start: f64 = 0.6 * alpha;
    let (sin, cos) = start.sin_cos();
    for gamma in [0.5, 3.0] {
        let tilted = json!({ "angle": start });
        let shape = || block(2.0 * half, 2.0 * up);
        let column = |name: &str, x: f64| {
            let at = [x + half * cos - up * sin, half * sin + up * cos];
            body(name, shape(), ROUGH, at, &tilted)
        };
        let [aside, top] = [2.0 * (half * cos - up * sin), 2.0 * (half * sin + up * cos)];
        let beam = json!({ "mass": 2.0 * gamma });
        let beam =
            body("beam", block(span + 2.0, 0.3), ROUGH, [0.5 * span + aside - half, top + 0.15], &beam);
        let bodies = json!([floor(ROUGH), column("left", 0.0), column("right", span), beam]);
        let run = run(&format!("frame-{gamma}"), 1.2, bodies, &json!({}));
        let pull = 0.75 * G / reach * (1.0 + 2.0 * gamma) / (1.0 + 3.0 * gamma);
        let share =
            (1.0 - 1.5 * alpha.sin().powi(2) + 3.0 * gamma * (2.0 * alpha).cos()) / (1.0 + 3.0 * gamma);
        let upright = pull * alpha.cos();
        let fallen = pull * (alpha - start).cos() - upright;
        let mut sides = [0; 2];
        for (&angle, &spin) in run.column("left.angle").iter().zip(run.column("left.spin")) {
            let energy = 0.5 * spin * spin + pull * (alpha - angle.abs()).cos() - upright;
            // Up to the second collision it leans to the left, then to the right.
            let after = angle < 0.0;
            sides[usize::from(after)] += 1;
            let expected = if after { share * share * fallen } else { fallen };
            assert!((energy - expected).abs() < LOCATED, "{gamma}: {angle} {energy} {expected}");
            if after && spin > 0.0 && angle > -1e-2 {
                break;
            }
        }
        assert!(sides.iter().all(|rows| *rows > 20), "{sides:?}");
    }
}

/// A prism of `n` sides on a slope `γ` rolls from edge to edge. About an edge, with `α = π/n` and the moment `J = I + m R²`, it gains
/// `2 (m g R/J) (cos(γ − α) − cos(γ + α))` in `ω²`, and the next edge leaves it the share `λ = (I + m R² cos 2α)/J` of `ω`: it comes to a pace of its own
/// \[McGeer 1990, his rimless wheel\].
#[test]
fn a_prism_rolls_down_at_a_pace_of_its_own() {
    let (radius, slope, start) = (0.5, 0.15_f64, 2.2);
    for sides in [6, 8] {
        let alpha = PI / f64::from(sides);
        let corner = |k: i32| {
            let angle = 2.0 * alpha * f64::from(k) - 0.5 * PI + alpha;
            json!([radius * angle.cos(), radius * angle.sin()])
        };
        let shape = json!({ "type": "polygon", "points": (0..sides).map(corner).collect::<Vec<Value>>() });
        // Along and across the slope, from the middle of the side it stands on.
        let (sin, cos) = slope.sin_cos();
        let [ahead, above] = [radius * alpha.sin(), radius * alpha.cos()];
        let more = json!({
            "angle": -slope, "angular_velocity": -start,
            "velocity": [start * (above * cos + ahead * sin), start * (ahead * cos - above * sin)],
        });
        let prism = body("prism", shape, ROUGH, [above * sin, above * cos], &more);
        let fixed = json!({ "fixed": true, "angle": -slope });
        let ground = body("slope", block(60.0, 1.0), ROUGH, [-0.5 * sin, -0.5 * cos], &fixed);
        let run = run(&format!("prism-{sides}"), 3.0, json!([ground, prism]), &json!({}));
        let squared = radius * radius;
        let moment = 0.5 * squared * (1.0 - 2.0 / 3.0 * alpha.sin().powi(2));
        let share = (moment + squared * (2.0 * alpha).cos()) / (moment + squared);
        let gain = |to: f64| 2.0 * G * radius / (moment + squared) * ((slope - alpha).cos() - to.cos());
        let (mut edge, mut begins) = (0.0, start * start);
        for (&angle, &spin) in run.column("prism.angle").iter().zip(run.column("prism.spin")) {
            let turned = -slope - angle;
            while turned > 2.0 * alpha * (edge + 1.0) {
                begins = share * share * (begins + gain(slope + alpha));
                edge += 1.0;
            }
            let expected = begins + gain(slope - alpha + turned - 2.0 * alpha * edge);
            assert!(
                (spin * spin - expected).abs() < LOCATED * expected,
                "{sides}, {edge}: {spin} {expected}"
            );
        }
        let pace = share * share * gain(slope + alpha) / (1.0 - share * share);
        assert!(edge >= 4.0 && (begins / pace - 1.0).abs() < 0.05, "{sides}: {edge} {begins} {pace}");
    }
}
