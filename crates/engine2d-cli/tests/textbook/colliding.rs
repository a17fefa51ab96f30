//! Collisions that can be counted.

use super::{ball, block, body, run};
use serde_json::{Value, json};

/// A ball of mass `100ⁿ` pushes one of mass 1 against a wall, all of them elastic: the light one goes to and fro, and the number of
/// collisions has the first `n + 1` digits of `π` [Galperin 2003]. Most of them are in the moment in which the heavy ball turns:
/// of 3,141 all but a hundred within a hundredth of a second.
///
/// Each changes the velocities by
///
/// ```text
/// v' = ((m − M) v + 2 M V)/(m + M) ,   V' = ((M − m) V + 2 m v)/(m + M)
/// ```
///
/// or turns that of the light ball round at the wall. Blocks would do the same until rounding turns the light one, which grows with each collision.
#[test]
fn balls_count_the_digits_of_pi() {
    for (n, digits) in [(0, 3), (1, 31), (2, 314), (3, 3141)] {
        let heavy = 100_f64.powi(n);
        let floats = |mass: f64, speed: f64| json!({ "mass": mass, "velocity": [speed, 0.0], "elasticity": 1.0, "gravity_scale": 0.0 });
        let wall = json!({ "fixed": true, "elasticity": 1.0 });
        let bodies = json!([
            body("wall", block(1.0, 10.0), 0.0, [-0.5, 0.0], &wall),
            body("light", ball(0.1), 0.0, [1.0, 0.0], &floats(1.0, 0.0)),
            body("heavy", ball(0.2), 0.0, [2.0, 0.0], &floats(heavy, -1.0)),
        ]);
        let run = run(&format!("pi{n}"), 40.0, bodies, &json!({}));
        let (mut v, mut w, mut count) = (0.0, -1.0, 0);
        while v < 0.0 || v > w {
            if v < 0.0 {
                v = -v;
            } else {
                let total = 1.0 + heavy;
                (v, w) =
                    (((1.0 - heavy) * v + 2.0 * heavy * w) / total, ((heavy - 1.0) * w + 2.0 * v) / total);
            }
            count += 1;
        }
        assert_eq!(count, digits, "the formulas");
        let is_collision = |event: &&Value| event["event"] == "collision";
        assert_eq!(run.events.iter().filter(is_collision).count(), digits, "100^{n}");
        for (name, expected) in [("light.vx", v), ("heavy.vx", w)] {
            let found = run.last(name);
            assert!((found - expected).abs() < 1e-9, "100^{n}, {name}: {found} {expected}");
        }
        let energy = run.column("total_energy");
        let change = energy.iter().fold(0.0, |most: f64, e| most.max((e / energy[0] - 1.0).abs()));
        assert!(change < 1e-11, "100^{n}: {change:e} of the energy");
    }
}

/// A capsule that strikes a rough floor, sliding forward, of which sliding turns round in the blow: by Newton's law and by Stronge's the phases are
/// gone through one after the other [Routh 1860], so that no restitution at all is the limit of ever less.
#[test]
fn no_restitution_is_the_limit_of_little() {
    let struck = |law: &str, e: f64| {
        let shape = json!({ "type": "capsule", "length": 1.0, "radius": 0.01 });
        let falls = json!({
            "mass": 1.0, "moment": 1.0 / 12.0, "elasticity": e, "angle": 0.7808848650757138,
            "velocity": [-0.3244930455607576, -1.7179801440747442], "angular_velocity": 1.006556762419476,
        });
        let rod = body("rod", shape, 0.565662911838404, [0.0, 0.36402937904759947], &falls);
        let floor = json!({ "fixed": true, "elasticity": 1.0 });
        let floor = body("floor", block(60.0, 1.0), 0.565662911838404, [0.0, -0.5], &floor);
        let run = run(&format!("rod_{law}_{e}"), 0.0015, json!([floor, rod]), &json!({ "impact_law": law }));
        ["rod.vx", "rod.vy", "rod.spin"].map(|column| run.last(column))
    };
    for law in ["newton", "stronge"] {
        let (none, little) = (struck(law, 0.0), struck(law, 1e-9));
        for (a, b) in none.iter().zip(little) {
            assert!((a - b).abs() < 1e-7, "{law}: {none:?} {little:?}");
        }
    }
}

/// A superball thrown with so much spin that each bounce on a rough floor turns velocity and spin round exactly [Garwin 1969]: it goes to and fro between two places for ever. What is turned round leaves nothing of the energy but rounding.
///
/// With `J = m k²`, `k = √0.4 R`, the blow at the floor keeps `J ω + m R v` and turns `v + R ω` round, which is
///
/// ```text
/// v' = v − 2 (v + R ω) κ/(1 + κ) ,   ω' = ω − 2 (v + R ω)/(R (1 + κ)) ,   κ = k²/R²
/// ```
///
/// With `R ω = v/κ` these are `−v` and `−ω`.
#[test]
fn a_boomerang_comes_back() {
    let (radius, kappa, speed) = (0.1, 0.4, 1.0);
    let elastic = |more: Value| {
        let mut fields = json!({ "elasticity": 1.0, "tangential_restitution": 1.0 });
        more.as_object().unwrap().iter().for_each(|(key, value)| fields[key] = value.clone());
        fields
    };
    let thrown = elastic(json!({
        "mass": 1.0, "moment": kappa * radius * radius, "velocity": [speed, 0.0], "angular_velocity": speed / (kappa * radius),
    }));
    let bodies = json!([
        body("floor", block(100.0, 1.0), 5.0, [0.0, -0.5], &elastic(json!({ "fixed": true }))),
        body("ball", ball(radius), 5.0, [0.0, 1.0], &thrown),
    ]);
    let run = run("boomerang", 20.0, bodies, &json!({}));
    assert!(run.events.iter().all(|event| event["event"] == "collision"), "nothing is reduced");
    let energy = run.column("total_energy");
    let change = energy.iter().fold(0.0, |most: f64, e| most.max((e / energy[0] - 1.0).abs()));
    assert!(change < 1e-12, "{change:e} of the energy");
    let (fall, between) = ((2.0 * 0.9 / super::G).sqrt(), 2.0 * (2.0 * 0.9 / super::G).sqrt());
    for (time, x) in run.column("time").iter().zip(run.column("ball.x")) {
        let phase = (time - fall).max(0.0) % (2.0 * between);
        let expected =
            if *time < fall { speed * time } else { speed * (fall - phase.min(2.0 * between - phase)) };
        assert!((x - expected).abs() < 1e-9, "{x} {expected} at {time}");
    }
}
