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
