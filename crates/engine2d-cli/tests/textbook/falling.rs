//! What falls, tips or leaves what it leans on.

use crate::{G, Run, SAME, ball, block, body, first_zero, floor, run, same};
use serde_json::json;

/// What a moment found between two rows is off by.
const LOCATED: f64 = 1e-8;

/// A rod without thickness slides down between a smooth wall and a smooth floor. From `θ₀` to the floor it turns with
/// `ω² = 3 g (sin θ₀ − sin θ)/l` and leaves the wall where its speed along the floor is greatest, at `sin θ = ⅔ sin θ₀`; that speed,
/// `⅓ sin θ₀ √(g l sin θ₀)`, it keeps.
#[test]
fn a_sliding_rod_leaves_its_wall() {
    let (length, width, angle) = (2.0, 0.02, 1.2_f64);
    let (sin, cos) = angle.sin_cos();
    // The centre of mass on the lower side, along which both ends are, makes a rod without thickness of it.
    let more = json!({
        "moment": length * length / 12.0, "center_of_mass": [0.0, 0.5 * width],
        "angle": std::f64::consts::PI - angle,
    });
    let rod = body("rod", block(length, width), 0.0, [0.5 * length * cos, 0.5 * length * sin], &more);
    let wall = body("wall", block(1.0, 10.0), 0.0, [-0.5, 5.0], &json!({ "fixed": true }));
    let duration = 0.8;
    let run = run("leaves-wall", duration, json!([floor(0.0), wall, rod]), &json!({}));
    let time = run.time_of("contact_end", ["rod", "wall"]).unwrap();
    let height = run.at(time, "rod.y", "rod.vy");
    assert!((height - sin * length / 3.0).abs() < LOCATED, "{height} {}", sin * length / 3.0);
    assert!(run.time_of("collision", ["rod", "floor"]).is_none(), "it is still on its foot");
    same(run.last("rod.vx"), sin / 3.0 * f64::sqrt(G * length * sin), "speed");
}

/// A block of width `b` and height `h` on a slope so rough that it does not slide tips from `tan α = b/h` on, and turns about its lower
/// edge: `½ I ω² = m g` times the fall of its centre, with `I = m (b² + h²)/3`.
#[test]
fn a_tall_block_tips_before_it_slides() {
    let (width, height, mu) = (0.4, 1.2, 0.8);
    for (name, tan) in [("tall-stands", 0.999 * width / height), ("tall-tips", 1.2 * width / height)] {
        let alpha = f64::atan(tan);
        let (sin, cos) = alpha.sin_cos();
        let fixed = json!({ "fixed": true, "angle": alpha });
        let slope = body("slope", block(30.0, 1.0), mu, [0.5 * sin, -0.5 * cos], &fixed);
        let at = [-0.5 * height * sin, 0.5 * height * cos];
        let block = body("block", block(width, height), mu, at, &json!({ "angle": alpha }));
        let run = run(name, 0.7, json!([slope, block]), &json!({}));
        if tan < width / height {
            assert!(run.moved("block.x") < SAME && run.moved("block.angle") < SAME, "{name}");
            continue;
        }
        let edge = [-0.5 * width * cos, -0.5 * width * sin];
        let moment = (width * width + height * height) / 3.0;
        for k in 0..run.column("time").len() {
            let of = |column: &str| run.column(column)[k];
            let fallen = at[1] - of("block.y");
            assert!((0.5 * moment * of("block.spin").powi(2) - G * fallen).abs() < LOCATED, "{fallen}");
            let reach = f64::hypot(of("block.x") - edge[0], of("block.y") - edge[1]);
            same(reach, 0.5 * f64::hypot(width, height), "it turns about its edge");
        }
        assert!(run.last("block.angle") - alpha > 0.2, "{}", run.last("block.angle"));
    }
}

/// Accelerations of the middle of a rod of length `l` that turns about its foot, at `θ` from the vertical, let go at `θ₀`.
fn of_falling_rod(length: f64, start: f64, angle: f64) -> [f64; 2] {
    let alpha = 1.5 * G * angle.sin() / length;
    let squared = 3.0 * G * (start.cos() - angle.cos()) / length;
    let (sin, cos) = angle.sin_cos();
    [alpha * cos - squared * sin, -alpha * sin - squared * cos].map(|a| 0.5 * length * a)
}

/// A pencil falls over on its point. Friction `m ẍ` and weight `m (g + ÿ)` on the point follow from the accelerations of its
/// middle; the point slips where their ratio is `μ`: back, against the fall, for a small `μ`, and forward for one above
/// the greatest ratio that pushes forward, 0.3706 for a pencil that falls from the vertical (at `cos θ = 9/11`).
#[test]
fn the_point_of_a_falling_pencil_slips_back_or_forward() {
    let (length, start) = (1.0, 0.02_f64);
    let ratio = |angle: f64| {
        let [x, y] = of_falling_rod(length, start, angle);
        x / (G + y)
    };
    let most = (0..10_000).map(|k| ratio(start + 1e-4 * f64::from(k))).fold(0.0, f64::max);
    assert!((most - 0.3706).abs() < 1e-3, "{most}");
    for (name, mu) in
        [("back", 0.2), ("just-back", 0.99 * most), ("just-forward", 1.01 * most), ("forward", 0.6)]
    {
        let outline = json!({ "type": "polygon", "points": [[0.0, 0.0], [0.02, length], [-0.02, length]] });
        let more = json!({
            "origin": "shape", "angle": -start, "center_of_mass": [0.0, 0.5 * length], "moment": length * length / 12.0,
        });
        let pencil = body("pencil", outline, mu, [0.0, 0.0], &more);
        let name = format!("pencil-{name}");
        let run = run(&name, 1.4, json!([floor(mu), pencil]), &json!({}));
        let time =
            run.time_of("slide", ["pencil", "floor"]).unwrap_or_else(|| panic!("{name} does not slip"));
        let expected = first_zero(start, 1.5, |angle| ratio(angle).abs() - mu);
        let found = -run.at(time, "pencil.angle", "pencil.spin");
        assert!((found - expected).abs() < 1e-7, "{name}: {found} {expected}");
        // Where the point is a little later.
        let k = run.column("time").partition_point(|t| *t < time + 0.02);
        let slipped = run.column("pencil.x")[k] + 0.5 * length * run.column("pencil.angle")[k].sin();
        assert!(if mu < most { slipped < -1e-6 } else { slipped > 1e-6 }, "{name}: {slipped}");
    }
}

/// A board whose middle is `a` beyond the edge of a table tips about that, `ω² = 2 g a sin θ/(k² + a²)` with `k² = l²/12`, and slips
/// off it where
///
/// ```text
/// f/N = tan θ (k² + 3 a²)/k² = μ   ⇒   tan θ = μ/(1 + 36 a²/l²)
/// ```
#[test]
fn a_board_slips_off_the_edge_of_a_table() {
    let (length, width, mu) = (1.0, 0.02, 0.5);
    for (name, beyond) in [("edge-near", 0.05), ("edge-far", 0.15)] {
        let table = body("table", block(4.0, 1.0), mu, [-2.0, -0.5], &json!({ "fixed": true }));
        let more = json!({ "center_of_mass": [0.0, -0.5 * width], "moment": length * length / 12.0 });
        let board = body("board", block(length, width), mu, [beyond, 0.0], &more);
        let run = run(name, 1.0, json!([table, board]), &json!({}));
        let time = run.time_of("slide", ["board", "table"]).unwrap();
        let ratio = beyond / length;
        let expected = f64::atan(mu / (1.0 + 36.0 * ratio * ratio));
        let found = -run.at(time, "board.angle", "board.spin");
        assert!((found - expected).abs() < LOCATED, "{name}: {found} {expected}");
        assert!(before_is_still(&run, time, beyond), "{name}");
    }
}

/// Whether the middle of a board stays as far from the edge until a time.
fn before_is_still(run: &Run, time: f64, beyond: f64) -> bool {
    let rows = run.column("time").iter().zip(run.column("board.x")).zip(run.column("board.y"));
    rows.take_while(|((t, _), _)| **t < time).all(|((_, x), y)| (f64::hypot(*x, *y) - beyond).abs() < SAME)
}

/// A ball on a rod, let go level, has come down by `h = L sin θ` with `v² = 2 g h`, so that the rod pulls with `m (v²/L + g sin θ) = 3 m g sin θ`.
/// It breaks where that is its strength, and tells so.
#[test]
fn a_rod_breaks_where_its_strength_is() {
    for share in [0.3, 0.5, 0.9, 0.999] {
        let strength = share * 3.0 * 2.0 * G;
        let rod = json!({
            "type": "rod", "body_a": "ground", "point_a": [0.0, 0.0], "body_b": "ball", "length": 1.0, "break_force": strength,
        });
        let bodies = json!([body("ball", ball(0.1), 0.0, [1.0, 0.0], &json!({ "mass": 2.0 }))]);
        let run = run(&format!("rod_{share}"), 1.0, bodies, &json!({ "connectors": [rod] }));
        let broken = run.events.iter().find(|event| event["event"] == "broken").unwrap();
        let force = broken["force"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap());
        let told = force.fold(0.0, f64::hypot);
        assert!((told / strength - 1.0).abs() < 1e-7, "{share}: {told} for {strength}");
    }
}
