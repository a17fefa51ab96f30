//! What rolls, or is turned in place.

use crate::{G, SAME, ball, block, body, first_zero, floor, force, run, same};
use serde_json::json;

/// A spool of radius `R`, mass `m` and moment `I` on a rough floor; a thread comes off below its hub of radius `r`, and pulls with
/// `F` at the angle `θ` to the floor. With the friction `f` forward
///
/// ```text
/// m a = F cos θ + f ,   I (−a/R) = F r + f R   ⇒   a = F (R cos θ − r)/(R (m + I/R²))
/// ```
///
/// so that it comes for `cos θ > r/R`, goes for a steeper thread, and stays at the critical angle, until `F cos θ = μ (m g − F sin θ)`:
/// then it turns on the spot, with `m a = F cos θ − μ N` and `I α = F r − μ N R`.
#[test]
fn a_spool_follows_its_thread_or_not() {
    let (outer, hub, mass, moment, mu) = (0.5, 0.2, 2.0, 0.2, 0.6_f64);
    let critical = f64::acos(hub / outer);
    let most = mu * mass * G / (critical.cos() + mu * critical.sin());
    let time = 1.0;
    for (name, angle, pull) in [
        ("level", 0.0, 4.0),
        ("flat", 0.9 * critical, 4.0),
        ("critical", critical, 0.999 * most),
        ("steep", 1.2 * critical, 4.0),
        ("slips", critical, 1.2 * most),
    ] {
        let (sin, cos) = f64::sin_cos(angle);
        let spool = body("spool", ball(outer), mu, [0.0, outer], &json!({ "mass": mass, "moment": moment }));
        let pulled = force("spool", [pull * cos, pull * sin], pull * hub);
        let name = format!("spool-{name}");
        let run = run(&name, time, json!([floor(mu), spool]), &json!({ "force_laws": [pulled] }));
        let (a, alpha) = if pull > most {
            let friction = mu * (mass * G - pull * sin);
            ((pull * cos - friction) / mass, (pull * hub - friction * outer) / moment)
        } else {
            let a = pull * (outer * cos - hub) / (outer * (mass + moment / (outer * outer)));
            (a, -a / outer)
        };
        same(run.last("spool.x"), 0.5 * a * time * time, &name);
        same(run.last("spool.angle"), 0.5 * alpha * time * time, &name);
    }
}

/// A cylinder of radius `R` and weight `W` in a rough groove of two planes at 45° turns when the torque on it is more than
/// friction gives at both. With the normal forces `N₁` and `N₂`
///
/// ```text
/// N₁ (1 − μ) = N₂ (1 + μ) ,   N₁ (1 + μ) + N₂ (1 − μ) = √2 W   ⇒   τ = μ R (N₁ + N₂) = √2 μ R W/(1 + μ²)
/// ```
#[test]
fn a_cylinder_in_a_groove_turns_beyond_its_torque() {
    let (radius, mass, mu) = (0.5, 3.0, 0.4);
    let most = f64::sqrt(2.0) * mu * radius * mass * G / (1.0 + mu * mu);
    let moment = 0.5 * mass * radius * radius;
    let away = (radius + 0.25) * std::f64::consts::FRAC_1_SQRT_2;
    let plane = |name: &str, side: f64| {
        let more = json!({ "fixed": true, "angle": -side * std::f64::consts::FRAC_PI_4 });
        body(name, block(1.8 * radius, 0.5), mu, [-side * away, -away], &more)
    };
    for (name, share) in [("groove-holds", 0.999), ("groove-turns", 1.5)] {
        let cylinder = body("cylinder", ball(radius), mu, [0.0, 0.0], &json!({ "mass": mass }));
        let torque = force("cylinder", [0.0, 0.0], -share * most);
        let bodies = json!([plane("left", 1.0), plane("right", -1.0), cylinder]);
        let run = run(name, 1.0, bodies, &json!({ "force_laws": [torque] }));
        let alpha = f64::max(share - 1.0, 0.0) * most / moment;
        same(run.last("cylinder.angle"), -0.5 * alpha, name);
        assert!(run.moved("cylinder.x") < SAME && run.moved("cylinder.y") < SAME, "{name}");
    }
}

/// A disc spun with `ω` in a corner: the floor's friction presses it onto the wall, `N₂ = μ N₁`, whose friction bears a part of its
/// weight, `N₁ + μ N₂ = m g`. Both brake it with `μ R m g (1 + μ)/(1 + μ²)`.
#[test]
fn a_disc_spun_in_a_corner_comes_to_rest() {
    let (radius, mass, mu, spin) = (0.3, 2.0, 0.35, 25.0);
    let alpha = 2.0 * mu * G * (1.0 + mu) / ((1.0 + mu * mu) * radius);
    let wall = body("wall", block(1.0, 4.0), mu, [-0.5, 2.0], &json!({ "fixed": true }));
    let disc = json!({ "mass": mass, "angular_velocity": spin });
    let disc = body("disc", ball(radius), mu, [radius, radius], &disc);
    let run = run("corner", 2.0, json!([floor(mu), wall, disc]), &json!({}));
    let stops = spin / alpha;
    assert!(stops < 1.9);
    same(run.at(0.5 * stops, "disc.angle", "disc.spin"), 0.375 * spin * stops, "half-way");
    same(run.time_of("stick", ["disc", "floor"]).unwrap(), stops, "time");
    same(run.last("disc.angle"), 0.5 * spin * stops, "turns");
    assert!(run.moved("disc.x") < SAME && run.moved("disc.y") < SAME);
}

/// A board on a smooth floor is pulled away with `F` below a disc. That rolls with a third of the board's acceleration,
/// `a = F/(M + m/3)`, for which friction must give `m a/3`; else the disc has `μ g` and turns with `2 μ g/r`.
#[test]
fn a_disc_on_a_board_that_is_pulled_lags_behind() {
    let (board, disc, radius, mu) = (2.0, 1.5, 0.3, 0.2);
    let most = 3.0 * mu * G * (board + disc / 3.0);
    let time = 0.8;
    for (name, share) in [("board-rolls", 0.999), ("board-slips", 1.4)] {
        let pull = share * most;
        let on_board = [
            floor(0.0),
            body("board", block(12.0, 0.2), mu, [-5.0, 0.1], &json!({ "mass": board })),
            body("disc", ball(radius), mu, [0.0, 0.2 + radius], &json!({ "mass": disc })),
        ];
        let pull_law = force("board", [pull, 0.0], 0.0);
        let run = run(name, time, json!(on_board), &json!({ "force_laws": [pull_law] }));
        let (a, of_disc, alpha) = if share < 1.0 {
            let a = pull / (board + disc / 3.0);
            (a, a / 3.0, 2.0 * a / (3.0 * radius))
        } else {
            ((pull - mu * disc * G) / board, mu * G, 2.0 * mu * G / radius)
        };
        let way = 0.5 * time * time;
        same(run.last("board.x") + 5.0, a * way, name);
        same(run.last("disc.x"), of_disc * way, name);
        same(run.last("disc.angle"), alpha * way, name);
    }
}

/// A disc of radius `r` lets go at the angle `θ₀` from the top of a fixed cylinder of radius `R`. While it rolls, with `k = ½`,
/// `(1 + k) v²/2 = g (R + r)(cos θ₀ − cos θ)`, and it slips where
///
/// ```text
/// k sin θ/(1 + k) = μ (cos θ − 2 (cos θ₀ − cos θ)/(1 + k))
/// ```
///
/// Without friction it slides, and leaves at `cos θ = ⅔ cos θ₀`.
#[test]
fn a_disc_on_a_cylinder_rolls_slips_and_leaves() {
    let (large, small, start, k) = (1.0, 0.25, 0.2_f64, 0.5);
    let distance = large + small;
    for (name, mu, event) in [("top-rough", 0.5, "slide"), ("top-smooth", 0.0, "contact_end")] {
        let at = [distance * start.sin(), distance * start.cos()];
        let cylinder = body("cylinder", ball(large), mu, [0.0, 0.0], &json!({ "fixed": true }));
        let disc = body("disc", ball(small), mu, at, &json!({ "mass": 0.7 }));
        let run = run(name, 1.2, json!([cylinder, disc]), &json!({}));
        let time = run.time_of(event, ["cylinder", "disc"]).unwrap();
        let (x, y) = (run.at(time, "disc.x", "disc.vx"), run.at(time, "disc.y", "disc.vy"));
        let expected = if mu > 0.0 {
            let press = |angle: f64| angle.cos() - 2.0 * (start.cos() - angle.cos()) / (1.0 + k);
            first_zero(start, 1.0, |angle| k * angle.sin() / (1.0 + k) - mu * press(angle))
        } else {
            f64::acos(2.0 / 3.0 * start.cos())
        };
        assert!((f64::atan2(x, y) - expected).abs() < 1e-8, "{name}: {} {expected}", f64::atan2(x, y));
    }
}

/// A cylinder on two others that touch each other without pressing: the force of each contact passes through both of its ends'
/// circles and the floor's points, so that friction at 30° to the vertical must carry `tan 15°` of the normal force.
#[test]
fn three_cylinders_stand_by_friction_alone() {
    let (radius, most) = (0.5, 2.0 - f64::sqrt(3.0));
    for (name, mu, stands) in [("three-stand", 1.001 * most, true), ("three-fall", 0.99 * most, false)] {
        let cylinder = |name: &str, x: f64, y: f64| body(name, ball(radius), mu, [x, y], &json!({}));
        let top = radius + f64::sqrt(3.0) * radius;
        let three =
            [cylinder("left", -radius, radius), cylinder("right", radius, radius), cylinder("top", 0.0, top)];
        let [left, right, top] = three;
        let run = run(name, 3.0, json!([floor(mu), left, right, top]), &json!({}));
        let moved = run.moved("top.y");
        assert!(if stands { moved < 1e-8 } else { moved > 0.1 }, "{name}: {moved}");
    }
}
