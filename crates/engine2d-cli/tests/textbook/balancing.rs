//! What stands, jams or holds itself by contact alone.

use crate::{G, SAME, ball, block, body, floor, force, run};
use serde_json::{Value, json};

/// Bricks without friction in rows of 1, 2, …, `n`, …, 2, 1, each over the joints of the row below.
fn diamond(n: usize) -> Vec<Value> {
    let foot = body("foot", block(1.0, 0.25), 0.0, [0.0, -0.125], &json!({ "fixed": true }));
    let mut bricks = vec![foot];
    for row in 0..2 * n - 1 {
        let count = n - row.abs_diff(n - 1);
        for k in 0..count {
            let at = [k as f64 - 0.5 * (count as f64 - 1.0), 0.25 * (row as f64 + 0.5)];
            bricks.push(body(&format!("{row}-{k}"), block(1.0, 0.25), 0.0, at, &json!({})));
        }
    }
    bricks
}

/// A diamond of bricks balances on its lowest one up to four in its longest row: what lies above holds down the ends of its lower half.
/// Of five it falls \[Paterson, Zwick 2009\].
#[test]
fn diamonds_of_bricks_balance_up_to_four_in_a_row() {
    for n in 2..=6 {
        let run = run(&format!("diamond-{n}"), 0.5, diamond(n).into(), &json!({}));
        let end = format!("{}-0.y", n - 1);
        let moved = run.moved(&end);
        assert!(if n <= 4 { moved < SAME } else { moved > 0.05 }, "{n}: {moved}");
    }
}

/// Two balls in a tube without bottom press on its walls with the couple `W d`, the upper one at one side, the lower one, `d` from it
/// along the floor, at the other. A tube of the weight `V` that is `2 R` wide tips for `V R < W d`.
#[test]
fn a_tube_without_bottom_tips_over_two_balls() {
    let (inner, radius, wall, height) = (0.15, 0.1, 0.02, 0.8);
    let [aside, outer] = [2.0 * (inner - radius), inner + wall];
    for (name, factor) in [("tube-tips", 0.99), ("tube-stands", 1.001)] {
        let half = json!({ "mass": 0.5 * factor * aside / outer });
        let place = |side: f64| [side * (inner + 0.5 * wall), 0.5 * height];
        let left = body("left", block(wall, height), 0.0, place(-1.0), &half);
        let right = body("right", block(wall, height), 0.0, place(1.0), &half);
        let up = radius + f64::sqrt(4.0 * radius * radius - aside * aside);
        let lower = body("lower", ball(radius), 0.0, [-0.5 * aside, radius], &json!({}));
        let upper = body("upper", ball(radius), 0.0, [0.5 * aside, up], &json!({}));
        let across = 0.5 * (2.0 * inner + wall);
        let weld = json!({
            "type": "weld", "body_a": "left", "point_a": [across, 0.0], "body_b": "right", "point_b": [-across, 0.0],
        });
        let bodies = json!([floor(0.5), left, right, lower, upper]);
        let run = run(name, 0.5, bodies, &json!({ "connectors": [weld], "friction_rule": "maximum" }));
        let turned = run.moved("right.angle");
        assert!(if factor > 1.0 { turned < SAME } else { turned > 1e-3 }, "{name}: {turned}");
    }
}

/// A drawer of the length `l` that is pulled with `F` at `a` from its middle presses on both sides of its case with `N = F a/l`, at opposite ends. Friction
/// `2 μ N` holds it for `a > l/(2 μ)`, whatever the force; else it comes with `F (1 − 2 μ a/l)`.
#[test]
fn a_drawer_jams_that_is_pulled_at_its_side() {
    let (length, width, play, mu, pull) = (1.0, 0.4, 1e-6, 0.3, 10.0);
    for (name, factor) in [("drawer-comes", 0.9), ("drawer-jams", 1.001)] {
        let aside = factor * 0.5 * length / mu;
        let side = 0.5 * width + play + 0.1;
        let fixed = json!({ "fixed": true });
        let left = body("left", block(6.0, 0.2), mu, [2.0, side], &fixed);
        let right = body("right", block(6.0, 0.2), mu, [2.0, -side], &fixed);
        let drawer = body("drawer", block(length, width), mu, [0.0, 0.0], &json!({ "gravity_scale": 0.0 }));
        let more = json!({ "force_laws": [force("drawer", [pull, 0.0], -pull * aside)] });
        let run = run(name, 0.5, json!([left, right, drawer]), &more);
        let expected = 0.5 * pull * (1.0 - factor).max(0.0) * 0.25;
        // It gains its play while it turns into its case.
        assert!((run.last("drawer.x") - expected).abs() < 1e3 * play, "{name}: {}", run.last("drawer.x"));
    }
}

/// A shoe on a lever is pressed onto a wheel with `F` at `a` from the pin of the lever; the wheel is touched at `b` from it and `c` below it.
/// Friction `μ N` pulls the shoe in or pushes it off,
///
/// ```text
/// N = F a/(b ∓ μ c)
/// ```
///
/// and a wheel that pulls it in stands still at once for `b ≤ μ c`.
#[test]
fn a_shoe_brakes_more_where_the_wheel_pulls_it_in() {
    let (mu, pressed, radius, reach, along, spin) = (0.4, 10.0, 0.3, 1.0, 0.4, 5.0);
    for (name, below, side) in [("shoe-in", 0.2, 1.0), ("shoe-off", 0.2, -1.0), ("shoe-locks", 1.1, 1.0)] {
        let top = radius + below;
        let shape = json!({ "type": "polygon", "points": [
            [-0.05, radius], [0.05, radius], [0.05, top], [reach - along, top], [reach - along, top + 0.05],
            [-along, top + 0.05], [-along, top], [-0.05, top],
        ] });
        // Balanced on its pin, it has no weight to press with.
        let more = json!({ "origin": "shape", "center_of_mass": [-along, top], "mass": 0.1, "moment": 0.01 });
        let lever = body("lever", shape, mu, [0.0, 0.0], &more);
        let wheel = body("wheel", ball(radius), mu, [0.0, 0.0], &json!({ "angular_velocity": side * spin }));
        let pins = json!([
            { "type": "pin", "body_a": "ground", "point_a": [0.0, 0.0], "body_b": "wheel" },
            { "type": "pin", "body_a": "ground", "point_a": [-along, top], "body_b": "lever", "point_b": [-along, top] },
        ]);
        let press = json!({
            "type": "constant_force", "body": "lever", "force": [0.0, -pressed], "location": [reach - along, top],
        });
        let duration = 0.02;
        let run =
            run(name, duration, json!([wheel, lever]), &json!({ "connectors": pins, "force_laws": [press] }));
        let arm = along - side * mu * below;
        let braking = mu * pressed * reach / arm * radius / (0.5 * radius * radius);
        let expected = if arm > 0.0 { spin - braking * duration } else { 0.0 };
        let found = side * run.last("wheel.spin");
        assert!((found - expected).abs() < 1e-8, "{name}: {found} {expected}");
    }
}

/// A block on a table that swings as `A sin ω t` goes with it up to `A ω² sin ω t = μ g`; then it slides on, slowed down by `μ g`, until both
/// have one velocity again \[Newmark 1965\].
#[test]
fn a_block_slides_on_a_table_that_shakes() {
    let (mu, amplitude, period) = (0.6, 0.05, 0.5);
    let rate = std::f64::consts::TAU / period;
    let [place, speed] =
        [|t: f64, a: f64, w: f64| a * f64::sin(w * t), |t: f64, a: f64, w: f64| a * w * f64::cos(w * t)];
    let leaves = (mu * G / (amplitude * rate * rate)).asin() / rate;
    let slid = |t: f64| {
        let (own, since) = (speed(leaves, amplitude, rate), t - leaves);
        let way = own * since - 0.5 * mu * G * since * since;
        (own - mu * G * since, way - place(t, amplitude, rate) + place(leaves, amplitude, rate))
    };
    let stops = crate::first_zero(leaves + 1e-3, period, |t| speed(t, amplitude, rate) - slid(t).0);
    let moving =
        json!({ "moving": { "type": "oscillation", "amplitude": [amplitude, 0.0], "period": period } });
    let table = body("table", block(4.0, 0.5), mu, [0.0, -0.25], &moving);
    let start = json!({ "velocity": [amplitude * rate, 0.0] });
    let block = body("block", block(0.4, 0.1), mu, [0.0, 0.05], &start);
    let run = run("shaken", stops + 0.01, json!([table, block]), &json!({}));
    let found = run.last("block.x") - run.last("table.x");
    assert!((found - slid(stops).1).abs() < 1e-8, "{found} {}", slid(stops).1);
    assert!(found > 1e-3, "it slides far enough to be seen");
}
