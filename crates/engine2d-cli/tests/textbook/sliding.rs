//! What slides, or stays.

use crate::{G, SAME, ball, block, body, floor, force, run, same};
use serde_json::json;

/// A board of half thickness `b` on two rollers at `±a` that turn towards each other. The rollers' forces `N` differ by
/// `−x W/(a − μ b)`, by moments about the middle of the board, friction `μ (N₁ − N₂)` drives it back, and it swings with
/// `ω² = μ g/(a − μ b)`, however fast the rollers turn. If they turn apart, it leaves as the hyperbolic cosine of
/// `t √(μ g/(a + μ b))`.
#[test]
fn a_board_on_two_rollers_swings() {
    let (apart, half, mu, start, radius) = (1.0, 0.1, 0.4, 0.3, 0.5);
    for (name, inwards, time) in [("rollers-in", 1.0, 10.0), ("rollers-apart", -1.0, 0.9)] {
        let roller = |name: &str, side: f64| {
            // The surface of a body runs to the left on its upper side.
            let more = json!({ "fixed": true, "surface_speed": 5.0 * inwards * side });
            body(name, ball(radius), mu, [side * apart, -radius], &more)
        };
        let board = body("board", block(8.0, 2.0 * half), mu, [start, half], &json!({ "mass": 2.0 }));
        let run = run(name, time, json!([roller("left", -1.0), roller("right", 1.0), board]), &json!({}));
        let rate = f64::sqrt(mu * G / (apart - inwards * mu * half));
        for (t, x) in run.column("time").iter().zip(run.column("board.x")) {
            let expected = start * if inwards > 0.0 { (rate * t).cos() } else { (rate * t).cosh() };
            assert!((x - expected).abs() < 1e-8, "{name} at {t}: {x} {expected}");
        }
        assert!(run.moved("board.y") < SAME);
    }
}

/// A block on a board on a smooth floor that is pulled with `F`: both keep together up to `μ (m + M) g`.
#[test]
fn a_board_is_pulled_from_below_a_block() {
    let (block_mass, board_mass, mu) = (1.0, 3.0, 0.3);
    let most = mu * (block_mass + board_mass) * G;
    let time = 0.7;
    for (name, share) in [("pull-together", 0.999), ("pull-apart", 1.5)] {
        let pull = share * most;
        let bodies = [
            floor(0.0),
            body("board", block(6.0, 0.3), mu, [0.0, 0.15], &json!({ "mass": board_mass })),
            body("block", block(1.0, 0.4), mu, [0.0, 0.5], &json!({ "mass": block_mass })),
        ];
        let pull_law = force("board", [pull, 0.0], 0.0);
        let run = run(name, time, json!(bodies), &json!({ "force_laws": [pull_law] }));
        let (board, block) = if share < 1.0 {
            let both = pull / (block_mass + board_mass);
            (both, both)
        } else {
            ((pull - mu * block_mass * G) / board_mass, mu * G)
        };
        same(run.last("board.x"), 0.5 * board * time * time, name);
        same(run.last("block.x"), 0.5 * block * time * time, name);
    }
}

/// A weight `M` over a pulley pulls a block `m` along a table: `a = (M − μ m) g/(M + m)`, nothing for `M < μ m`.
#[test]
fn a_weight_over_a_pulley_draws_a_block() {
    let (mass, mu, time) = (3.0, 0.25, 1.0);
    for (name, weight) in [("weight-holds", 0.749), ("weight-draws", 1.0)] {
        let bodies = [
            body("table", block(8.0, 1.0), mu, [-4.5, -0.5], &json!({ "fixed": true })),
            body("block", block(1.0, 0.5), mu, [-5.0, 0.25], &json!({ "mass": mass })),
            body("weight", ball(0.2), 0.0, [0.5, -2.0], &json!({ "mass": weight })),
        ];
        let pulley = json!({
            "type": "pulley", "body_a": "block", "roller_a": [0.0, 0.25], "body_b": "weight", "roller_b": [0.5, 0.25],
        });
        let run = run(name, time, json!(bodies), &json!({ "connectors": [pulley] }));
        let a = f64::max(0.0, weight - mu * mass) * G / (mass + weight);
        same(run.last("block.x") + 5.0, 0.5 * a * time * time, name);
        same(run.last("weight.y") + 2.0, -0.5 * a * time * time, name);
    }
}

/// A block thrown up a slope of the angle `α > atan μ` comes back: up with `g (sin α + μ cos α)` against it, down with
/// `g (sin α − μ cos α)`.
#[test]
fn a_block_thrown_up_a_slope_comes_back_slower() {
    let (alpha, mu, speed) = (0.5_f64, 0.3, 4.0);
    let (sin, cos) = alpha.sin_cos();
    let fixed = json!({ "fixed": true, "angle": alpha });
    let slope = body("slope", block(30.0, 1.0), mu, [0.5 * sin, -0.5 * cos], &fixed);
    let more = json!({ "angle": alpha, "velocity": [speed * cos, speed * sin] });
    let thrown = body("block", block(0.6, 0.3), mu, [-0.15 * sin, 0.15 * cos], &more);
    let (up, down) = (G * (sin + mu * cos), G * (sin - mu * cos));
    let (rise, way) = (speed / up, 0.5 * speed * speed / up);
    let back = f64::sqrt(2.0 * way / down);
    let run = run("up-and-down", rise + back, json!([slope, thrown]), &json!({}));
    same(run.time_of("slide", ["block", "slope"]).unwrap(), rise, "turns round");
    // Half the time up is three quarters of the way.
    same(run.at(0.5 * rise, "block.x", "block.vx"), run.first("block.x") + 0.75 * way * cos, "half-way up");
    let end = f64::hypot(run.last("block.vx"), run.last("block.vy"));
    same(end, speed * f64::sqrt(down / up), "speed at the foot");
    same(run.last("block.x"), run.first("block.x"), "place at the foot");
}

/// A man of weight `M` on a ladder (`m`, length `l`, at `θ`, smooth wall) climbs until friction at its foot is used up: with moments
/// about the foot
///
/// ```text
/// N_w l sin θ = (m l/2 + M s) g cos θ ≤ μ (m + M) g l sin θ   ⇒   s ≤ (μ (m + M) l tan θ − m l/2)/M
/// ```
#[test]
fn a_man_on_a_ladder_climbs_so_far() {
    let (length, width, mass, man, mu, angle) = (4.0, 0.02, 10.0, 70.0, 0.4, 1.0_f64);
    let (sin, cos) = angle.sin_cos();
    let highest = (mu * (mass + man) * length * sin / cos - 0.5 * mass * length) / man;
    assert!(highest < length);
    for (name, share, holds) in [("man-stands", 0.999, true), ("man-slips", 1.001, false)] {
        // The centre of mass on the lower side makes a ladder without thickness of it.
        let more = json!({
            "mass": mass, "moment": mass * length * length / 12.0, "center_of_mass": [0.0, 0.5 * width],
            "angle": std::f64::consts::PI - angle,
        });
        let ladder =
            body("ladder", block(length, width), mu, [0.5 * length * cos, 0.5 * length * sin], &more);
        let wall = body("wall", block(1.0, 10.0), 0.0, [-0.5, 5.0], &json!({ "fixed": true }));
        let weight = json!({
            "type": "constant_force", "body": "ladder", "force": [0.0, -man * G],
            "location": [share * highest - 0.5 * length, 0.5 * width],
        });
        let run = run(name, 3.0, json!([floor(mu), wall, ladder]), &json!({ "force_laws": [weight] }));
        let moved = run.moved("ladder.x");
        assert!(if holds { moved < SAME } else { moved > 1e-3 }, "{name}: {moved}");
    }
}
