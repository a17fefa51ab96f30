//! A cycle that brakes with its front wheel.

use crate::{G, ball, block, body, floor, run, same};
use serde_json::json;

/// Length between the wheels, height of the centre of mass, which is half-way between them.
const CYCLE: [f64; 2] = [1.2, 0.9];

/// A cycle of the length `L` between its wheels, with its centre of mass at the height `h` and `c` behind the front wheel, which is
/// locked; the other runs free. Moments give the load on the front wheel, `N = m g (L − c)/(L − μ h)`, and the deceleration
/// `μ N/m`, as long as the other wheel is on the ground: `μ h ≤ c`.
#[test]
fn a_cycle_brakes_with_its_front_wheel_until_the_other_one_rises() {
    let ([length, height], speed, time) = (CYCLE, 6.0, 0.4);
    let front = 0.5 * length;
    for (name, mu) in
        [("brakes", 0.5), ("brakes-hard", 0.999 * front / height), ("rises", 1.02 * front / height)]
    {
        // Feet without weight to speak of for the wheels: the load on them counts.
        let (foot, foot_mass, frame_mass) = (0.1, 0.5, 80.0);
        let middle = height + 2.0 * foot_mass * (height - foot) / frame_mass;
        let moving = |mass: f64| json!({ "mass": mass, "velocity": [speed, 0.0] });
        let bodies = json!([
            floor(1.0),
            body("frame", block(1.6, 0.3), 0.0, [0.0, middle], &moving(frame_mass)),
            body("front", ball(foot), mu, [front, foot], &moving(foot_mass)),
            body("rear", ball(foot), 0.0, [-front, foot], &moving(foot_mass)),
        ]);
        let weld = |name: &str, x: f64| json!({ "type": "weld", "body_a": "frame", "point_a": [x, foot - middle], "body_b": name });
        let more = json!({
            "friction_rule": "product", "connectors": [weld("front", front), weld("rear", -front)],
        });
        let run = run(name, time, bodies, &more);
        if mu * height > front {
            assert!(run.moved("rear.y") > 1e-3, "{name}");
            continue;
        }
        let slower = mu * G * (length - front) / (length - mu * height);
        same(run.last("frame.vx"), speed - slower * time, name);
        same(run.last("frame.x"), speed * time - 0.5 * slower * time * time, name);
        assert!(run.moved("rear.y") < 1e-9, "{name}");
    }
}
