//! Bodies on curved ways: from arc to line and arc to arc, on cams, on wires, and across marks.

use super::{G, Run, ball, block, body, run, same};
use serde_json::{Value, json};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// An arc of a path, counter-clockwise.
fn arc(to: [f64; 2], center: [f64; 2], outside_is_out: bool) -> Value {
    json!({ "type": "arc", "to": to, "center": center, "clockwise": false, "outside_is_out": outside_is_out })
}

/// The farthest that values of a run are from what they should be at a time and place.
fn farthest(run: &Run, columns: [&str; 2], expected: impl Fn(f64) -> f64) -> f64 {
    let pairs = run.column(columns[0]).iter().zip(run.column(columns[1]));
    pairs.fold(0.0, |most: f64, (x, y)| most.max((y - expected(*x)).abs()))
}

/// A small ball in a smooth valley, an arc of a quarter to either side of a flat: its centre stays as far from the ground as its radius, and
/// it goes as high on the other side. Let go on either side, as the contact leaves an arc at its end or at its beginning.
#[test]
fn a_ball_goes_from_arc_to_flat_and_up_again() {
    let line = |to: [f64; 2], up: bool| json!({ "type": "line", "to": to, "outside_is_up": up });
    let edges = json!([
        line([-1.5, 0.0], true),
        arc([-0.5, -1.0], [-0.5, 0.0], false),
        line([0.5, -1.0], true),
        arc([1.5, 0.0], [0.5, 0.0], false),
        line([1.5, 2.0], false),
        line([1.7, 2.0], true),
        line([1.7, -1.2], true),
        line([-1.7, -1.2], false),
        line([-1.7, 2.0], false),
        line([-1.5, 2.0], true),
    ]);
    let shape = json!({ "type": "paths", "paths": [{ "start": [-1.5, 2.0], "edges": edges }] });
    let valley = body("valley", shape, 0.0, [0.0, 0.0], &json!({ "fixed": true, "origin": "shape" }));
    for (name, side) in [("valley_left", -1.0), ("valley_right", 1.0)] {
        let from: [f64; 2] = [side * (0.5 + 0.9 * 0.8), -0.9 * 0.6];
        let ball = body("ball", ball(0.1), 0.0, from, &json!({}));
        let run = run(name, 3.0, json!([valley.clone(), ball]), &json!({}));
        let height = |x: f64| {
            let beyond = (x.abs() - 0.5).max(0.0);
            -(0.81 - beyond * beyond).max(0.0).sqrt()
        };
        let off = farthest(&run, ["ball.x", "ball.y"], height);
        assert!(off <= 1e-9, "{name}: {off} off its way");
        let highest = run.column("ball.y").iter().copied().fold(f64::NEG_INFINITY, f64::max);
        same(highest, from[1], name);
        let far = run.column("ball.x").iter().map(|x| -side * x).fold(0.0, f64::max);
        assert!((far - from[0].abs()).abs() < 1e-3, "{name}: it comes to {far} on the other side");
    }
}

/// A flat follower on an oval cam of four arcs that turns evenly: its face is as high as the cam's support function in the direction up,
/// `c·u + r` of the arc whose normals have it, whatever the size of the follower.
#[test]
fn a_flat_follower_is_as_high_as_the_support_function_of_its_cam() {
    let edges = json!([
        arc([0.12, 0.08], [0.06, 0.0], true),
        arc([-0.12, 0.08], [0.0, -0.08], true),
        arc([-0.12, -0.08], [-0.06, 0.0], true),
        arc([0.12, -0.08], [0.0, 0.08], true),
    ]);
    let shape = json!({ "type": "paths", "paths": [{ "start": [0.12, -0.08], "edges": edges }] });
    let turns = json!({ "moving": { "type": "steady", "angular_velocity": 5.0 } });
    let ends = 0.08_f64.atan2(0.06);
    let support = |angle: f64| {
        let angle = ((angle + PI).rem_euclid(TAU) - PI).abs();
        let from_axis = angle.min(PI - angle);
        if from_axis < ends { 0.06 * from_axis.cos() + 0.1 } else { 0.2 - 0.08 * from_axis.sin() }
    };
    for (name, width, height) in [("cam_small", 1.0, 0.2), ("cam_large", 3.0, 1.0)] {
        let cam = body("cam", shape.clone(), 0.0, [0.0, 0.0], &turns);
        let at = [0.0, support(FRAC_PI_2) + 0.5 * height];
        let follower = body("follower", block(width, height), 0.0, at, &json!({ "mass": 2 }));
        let guide = json!({ "type": "prismatic", "body_a": "ground", "body_b": "follower", "axis": [0, 1] });
        let run = run(name, 2.5, json!([cam, follower]), &json!({ "connectors": [guide] }));
        let expected = |time: f64| support(FRAC_PI_2 - 5.0 * time) + 0.5 * height;
        let off = farthest(&run, ["time", "follower.y"], expected);
        assert!(off <= 1e-9, "{name}: {off} off the cam");
    }
}

/// A bead on a wire, without friction: round a circle at its speed for ever; down an incline of slope 1/2 to a stop in the time
/// `√(2 s/(g sin α))`, and as far back as the stop returns of its speed.
#[test]
fn a_bead_keeps_its_speed_and_meets_the_end_of_its_way() {
    let on = json!([{ "type": "path_joint", "body": "bead", "curve": "wire" }]);
    let circle = json!({ "wire": { "type": "circle", "radius": 2.0 } });
    let bead = body("bead", ball(0.05), 0.0, [2.0, 0.0], &json!({ "velocity": [0, 5], "gravity_scale": 0 }));
    let run_of = |name: &str, duration: f64, bead: Value, connectors: Value, curves: Value| {
        run(name, duration, json!([bead]), &json!({ "connectors": connectors, "curves": curves }))
    };
    let round = run_of("wire_circle", 10.0, bead, on.clone(), circle);
    for (k, time) in round.column("time").iter().enumerate() {
        let (x, y) = (round.column("bead.x")[k], round.column("bead.y")[k]);
        let off = (x - 2.0 * (2.5 * time).cos()).hypot(y - 2.0 * (2.5 * time).sin());
        assert!(off <= 1e-7, "{off} at {time}");
        let energy = round.column("kinetic_energy")[k];
        assert!((energy - 12.5).abs() <= 1e-7, "{energy} at {time}");
    }
    // The curve begins √5/2 before the bead's place.
    let incline =
        json!({ "wire": { "type": "polynomial", "x": [0, 1], "y": [0, -0.5], "from": -1, "to": 100 } });
    let way = 0.5 * 5.0_f64.sqrt();
    let stop = json!({ "type": "path_end_stop", "body": "bead", "curve": "wire", "limit": 2.0 * way, "upper": true });
    let mut ends = on;
    ends.as_array_mut().unwrap().push(stop);
    let pull = G / 5.0_f64.sqrt();
    for (name, e) in [("wire_stop_elastic", 1.0), ("wire_stop_half", 0.5), ("wire_stop_dead", 0.0)] {
        let bead = body("bead", ball(0.05), 0.0, [0.0, 0.0], &json!({ "elasticity": e }));
        let run = run_of(name, 1.2, bead, ends.clone(), incline.clone());
        let met = run.time_of("collision", ["bead", "ground"]).unwrap();
        let expected = (2.0 * way / pull).sqrt();
        assert!((met - expected).abs() <= 1e-8, "{name}: {met} {expected}");
        // On its way back, or at the stop.
        let after = 1.2 - expected;
        let along = way - (e * pull * expected * after - 0.5 * pull * after * after).max(0.0);
        let found = run.last("bead.x").hypot(run.last("bead.y"));
        assert!((found - along).abs() <= 1e-7, "{name}: {found} {along}");
    }
}

/// A ball thrown up at 5 m/s across marks just below its highest place is told of at both times, however near they are.
#[test]
fn a_ball_thrown_up_crosses_a_mark_twice() {
    let top = 25.0 / (2.0 * G);
    for (name, below) in [("mark_1cm", 1e-2), ("mark_1mm", 1e-3), ("mark_1um", 1e-6)] {
        let thrown = body("ball", ball(0.1), 0.0, [0.0, 0.0], &json!({ "velocity": [0, 5] }));
        let mark = json!({ "name": "mark", "body": "ball", "coordinate": "y", "crosses": top - below });
        let run = run(name, 1.0, json!([thrown]), &json!({ "events": [mark] }));
        let told = run.events.iter().filter(|event| event["event"] == "user");
        let times: Vec<f64> = told.map(|event| event["time"].as_f64().unwrap()).collect();
        let apart = (2.0 * below / G).sqrt();
        assert_eq!(times.len(), 2, "{name}: {times:?}");
        for (time, sign) in times.iter().zip([-1.0, 1.0]) {
            assert!((time - (5.0 / G + sign * apart)).abs() <= 1e-8, "{name}: {times:?}");
        }
    }
}
