//! The connectors of the constraint library in scenes, each against what theory says of it.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_scene::Scene;
use engine2d_sim::{Event, StepReport, World};
use serde_json::{Value, json};

const G: f64 = 9.81;

/// A scene under gravity of some strength.
fn scene(gravity: f64, bodies: Value, connectors: Value) -> Scene {
    let scene = json!({
        "format": "engine2d-scene", "version": 1, "bodies": bodies, "connectors": connectors,
        "force_laws": [{ "type": "gravity", "strength": gravity }],
    });
    let read = Scene::from_json(&scene.to_string()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Scene::from_json(&read.to_json().unwrap()).unwrap(), read, "it survives writing and reading");
    read
}

fn world(gravity: f64, bodies: Value, connectors: Value) -> World {
    scene(gravity, bodies, connectors).to_world().unwrap_or_else(|error| panic!("{error}"))
}

/// Advances by steps of a sixtieth of a second; the last report.
fn run(world: &mut World, duration: f64) -> (StepReport, Vec<Event>) {
    let (mut events, mut last, until) = (Vec::new(), StepReport::default(), world.time() + duration);
    while until - world.time() > 1e-9 {
        last = world.advance((until - world.time()).min(1.0 / 60.0)).unwrap();
        events.extend_from_slice(last.events());
        assert!(last.joint_error < 1e-8, "joints hold: {:e}", last.joint_error);
    }
    (last, events)
}

fn block(name: &str, position: [f64; 2]) -> Value {
    json!({ "name": name, "shape": { "type": "block", "width": 1, "height": 1 }, "position": position })
}

fn disc(name: &str, radius: f64, position: [f64; 2]) -> Value {
    json!({ "name": name, "shape": { "type": "ball", "radius": radius }, "mass": 2, "position": position })
}

/// `[x, y, angle]` of a body and their rates.
fn state(world: &World, name: &str) -> ([f64; 3], [f64; 3]) {
    let body = world.body(name).unwrap();
    let (p, v) = (body.position(), body.velocity());
    ([p.x, p.y, body.angle()], [v.x, v.y, body.spin()])
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() < tolerance, "{found} instead of {expected}");
}

#[test]
fn a_weld_carries_its_load_and_breaks() {
    let weld = |force: f64| {
        json!([{ "type": "weld", "body_a": "ground", "point_a": [0, 3], "body_b": "b", "point_b": [-0.5, 0],
                 "name": "bracket", "break_force": force }])
    };
    let mut strong = world(G, json!([block("b", [0.5, 3.0])]), weld(9.9));
    let (_, events) = run(&mut strong, 1.0);
    assert!(events.is_empty());
    let reaction = strong.reaction(strong.joint("bracket").unwrap()).unwrap();
    close(reaction.force.y, G, 1e-9);
    close(reaction.torque, 0.5 * G, 1e-9);
    let mut weak = world(G, json!([block("b", [0.5, 3.0])]), weld(9.7));
    let (_, events) = run(&mut weak, 1.0);
    assert!(matches!(&events[0], Event::Broken { name, .. } if name == "bracket"), "{events:?}");
    let fall = 1.0 - events[0].time();
    close(state(&weak, "b").0[1], 3.0 - 0.5 * G * fall * fall, 1e-6);
}

#[test]
fn a_prismatic_joint_slides_and_does_not_turn() {
    let joint = json!([{ "type": "prismatic", "body_a": "ground", "point_a": [0, 0], "body_b": "b",
                         "point_b": [0.2, 0.3], "axis": [3, -4] }]);
    let mut w = world(G, json!([block("b", [-0.2, -0.3])]), joint);
    run(&mut w, 1.0);
    let ([x, y, angle], [vx, vy, _]) = state(&w, "b");
    // Along the axis the acceleration is g sin(slope) = 0.8 g.
    close(x + 0.2, 0.5 * 0.8 * G * 0.6, 1e-8);
    close(y + 0.3, -0.5 * 0.8 * G * 0.8, 1e-8);
    close(vx.hypot(vy), 0.8 * G, 1e-8);
    close(angle, 0.0, 1e-9);
}

#[test]
fn a_slider_and_a_point_on_a_line_move_alike() {
    let run_with = |kind: &str| {
        let joint =
            json!([{ "type": kind, "body_a": "ground", "body_b": "b", "point_b": [0, 0.5], "axis": [1, 0] }]);
        let mut bar = block("b", [0.4, -0.3]);
        bar["angle"] = json!(0.927_295_218_001_612_2);
        let mut w = world(G, json!([bar]), joint);
        run(&mut w, 1.0);
        state(&w, "b")
    };
    let (at, rates) = run_with("slider");
    // Nothing pushes along the track: the centre of mass falls and rises at its abscissa.
    close(at[0], 0.4, 1e-8);
    close(rates[0], 0.0, 1e-8);
    close(at[1], -0.5 * at[2].cos(), 1e-8);
    for (a, b) in
        at.iter().chain(&rates).zip(run_with("point_on_line").0.iter().chain(&run_with("point_on_line").1))
    {
        close(*a, *b, 1e-7);
    }
}

#[test]
fn a_circle_rolls_down_a_line() {
    let joint = json!([{ "type": "circle_on_line", "body_a": "ground", "body_b": "disc", "normal": [3, 4], "radius": 0.5,
                         "rolling": true }]);
    let mut w = world(G, json!([disc("disc", 0.5, [0.3, 0.4])]), joint);
    run(&mut w, 1.0);
    // A disc rolls with 2/3 of g sin(slope).
    let (_, [vx, vy, angular_velocity]) = state(&w, "disc");
    close(vx.hypot(vy), 2.0 / 3.0 * 0.6 * G, 1e-8);
    close(angular_velocity, -vx.hypot(vy) / 0.5, 1e-8);
}

#[test]
fn a_circle_on_a_line_that_only_pushes_leaves_it() {
    let joint = json!([{ "type": "circle_on_line", "body_a": "ground", "body_b": "disc", "normal": [0, 1], "radius": 0.5,
                         "unilateral": true }]);
    let mut disc = disc("disc", 0.5, [0.0, 0.5]);
    disc["velocity"] = json!([0, 3]);
    let mut w = world(G, json!([disc]), joint);
    run(&mut w, 0.4);
    close(state(&w, "disc").0[1], 0.5 + 3.0 * 0.4 - 0.5 * G * 0.16, 1e-8);
    run(&mut w, 1.0);
    close(state(&w, "disc").0[1], 0.5, 1e-8);
}

fn pins(bodies: &[(&str, [f64; 2])]) -> Vec<Value> {
    let pin = |(name, at): &(&str, [f64; 2])| json!({ "type": "pin", "body_a": "ground", "point_a": at, "body_b": name });
    bodies.iter().map(pin).collect()
}

#[test]
fn gears_turn_in_the_ratio_of_their_radii() {
    for (internal, place, ratio) in [(false, [1.5, 0.0], -0.5), (true, [0.5, 0.0], 0.5)] {
        let mut connectors = pins(&[("a", [0.0, 0.0]), ("b", place)]);
        connectors
            .push(json!({ "type": "gear", "body_a": "a", "body_b": "b", "radius_a": 0.5, "radius_b": 1,
                                "internal": internal }));
        connectors.push(json!({ "type": "motor", "body_a": "ground", "body_b": "a", "speed": 2 }));
        let mut w = world(0.0, json!([disc("a", 0.5, [0.0, 0.0]), disc("b", 1.0, place)]), json!(connectors));
        run(&mut w, 1.0);
        let (a, b) = (state(&w, "a"), state(&w, "b"));
        close(a.1[2], 2.0, 1e-9);
        close(b.1[2], 2.0 * ratio, 1e-9);
        close(b.0[2], ratio * a.0[2], 1e-8);
    }
}

#[test]
fn a_coupler_makes_a_rack_of_a_slider() {
    let mut connectors = pins(&[("pinion", [0.0, 0.0])]);
    connectors.push(json!({ "type": "prismatic", "body_a": "ground", "point_a": [0, -1], "body_b": "rack", "axis": [1, 0] }));
    connectors.push(json!({ "type": "coupler", "body_a": "rack", "coordinate_a": "x", "body_b": "pinion", "factor_b": -0.5 }));
    connectors.push(json!({ "type": "motor", "body_a": "ground", "body_b": "pinion", "speed": 3 }));
    let bodies = json!([disc("pinion", 0.5, [0.0, 0.0]), block("rack", [0.0, -1.0])]);
    let mut w = world(0.0, bodies.clone(), json!(connectors));
    run(&mut w, 1.0);
    close(state(&w, "rack").0[0], 0.5 * state(&w, "pinion").0[2], 1e-8);
    close(state(&w, "rack").1[0], 1.5, 1e-8);
    // The same by speeds.
    connectors[2]["of"] = json!("speeds");
    let mut w = world(0.0, bodies, json!(connectors));
    run(&mut w, 1.0);
    close(state(&w, "rack").1[0], 1.5, 1e-8);
}

#[test]
fn a_motor_speeds_up_by_its_torque_and_keeps_its_speed() {
    let mut connectors = pins(&[("wheel", [0.0, 0.0])]);
    connectors.push(
        json!({ "type": "motor", "body_a": "ground", "body_b": "wheel", "speed": 6, "limit": 1.5, "name": "drive" }),
    );
    let mut w = world(0.0, json!([disc("wheel", 0.5, [0.0, 0.0])]), json!(connectors));
    // I = m r²/2 = 1/4: the torque makes 6 per second in one second.
    run(&mut w, 0.5);
    close(state(&w, "wheel").1[2], 3.0, 1e-9);
    close(w.reaction(w.joint("drive").unwrap()).unwrap().torque, 1.5, 1e-9);
    run(&mut w, 1.5);
    close(state(&w, "wheel").1[2], 6.0, 1e-9);
}

#[test]
fn a_servo_approaches_its_place_and_is_no_faster_than_told() {
    let servo = |more: Value| {
        let mut motor = json!({ "type": "motor", "drive": "travel", "axis": [2, 0], "body_a": "ground", "body_b": "b",
                                "place": 1, "gain": 4 });
        motor.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world(0.0, json!([block("b", [0.0, 0.0])]), json!([motor]))
    };
    let mut free = servo(json!({}));
    run(&mut free, 1.0);
    close(state(&free, "b").0[0], 1.0 - (-4.0_f64).exp(), 1e-7);
    let mut slow = servo(json!({ "top_speed": 0.5 }));
    run(&mut slow, 1.0);
    close(state(&slow, "b").0[0], 0.5, 1e-7);
}

#[test]
fn a_motor_of_a_distance_winds_a_winch() {
    let mut load = block("load", [0.0, -4.0]);
    load["mass"] = json!(10);
    let winch = json!([{ "type": "motor", "drive": "distance", "body_a": "ground", "body_b": "load", "point_b": [0, 0.5],
                         "speed": -0.5, "limit": 500 }]);
    let mut w = world(G, json!([load]), winch);
    run(&mut w, 3.0);
    close(state(&w, "load").1[1], 0.5, 1e-8);
    close(w.reaction(0).unwrap().force.y, 10.0 * G, 1e-6);
}

#[test]
fn limits_stop_and_give_back() {
    let mut bar = block("bar", [0.0, 0.0]);
    bar["spin"] = json!(2);
    let mut connectors = pins(&[("bar", [0.0, 0.0])]);
    connectors
        .push(json!({ "type": "angle_limit", "body_a": "ground", "body_b": "bar", "low": -1, "high": 1,
                            "restitution": 0.5 }));
    let mut w = world(0.0, json!([bar]), json!(connectors));
    // At 1 after half a second, back with half the speed.
    run(&mut w, 1.5);
    close(state(&w, "bar").1[2], -1.0, 1e-9);
    close(state(&w, "bar").0[2], 0.0, 1e-9);

    let mut sled = block("sled", [0.0, 0.0]);
    sled["velocity"] = json!([2, 0]);
    let limits = json!([
        { "type": "prismatic", "body_a": "ground", "body_b": "sled", "axis": [1, 0] },
        { "type": "slide_limit", "body_a": "ground", "body_b": "sled", "axis": [1, 0], "high": 1, "restitution": 0.25 },
    ]);
    let mut w = world(0.0, json!([sled]), limits);
    run(&mut w, 1.5);
    close(state(&w, "sled").0[0], 0.5, 1e-8);
    close(state(&w, "sled").1[0], -0.5, 1e-8);
}

#[test]
fn a_wheel_sinks_by_its_load_and_turns_by_its_motor() {
    let cart = json!({ "name": "cart", "shape": { "type": "block", "width": 2, "height": 0.4 }, "mass": 100,
                       "position": [0, 1], "moment": 1000 });
    let wheel = json!({ "name": "wheel", "shape": { "type": "ball", "radius": 0.4 }, "mass": 10, "position": [0, 0.4] });
    let connectors = json!([
        { "type": "wheel", "body_a": "cart", "point_a": [0, -0.6], "body_b": "wheel", "stiffness": 20_000,
          "damping": 2000, "speed": 5, "limit": 50, "name": "front" },
        { "type": "prismatic", "body_a": "ground", "body_b": "cart", "point_b": [0, -1], "axis": [0, 1] },
    ]);
    let floor = json!({ "name": "floor", "shape": { "type": "block", "width": 9, "height": 1 }, "fixed": true,
                        "position": [0, -0.5] });
    let mut w = world(G, json!([cart, wheel, floor]), connectors);
    run(&mut w, 4.0);
    close(state(&w, "cart").0[1], 1.0 - 100.0 * G / 20_000.0, 1e-5);
    close(state(&w, "wheel").0[1], 0.4, 1e-5);
    close(state(&w, "wheel").1[2], 5.0, 1e-8);
    assert_eq!(
        w.inspect().joints().iter().map(|j| j.label()).collect::<Vec<_>>(),
        ["front", "front spring", "front motor", "connector1"]
    );
}

#[test]
fn a_mouse_draws_its_point_to_the_target() {
    let mouse = json!([{ "type": "mouse", "body": "b", "point": [0, 0.5], "target": [2, 1], "limit": 400, "gain": 5 }]);
    let mut w = world(G, json!([block("b", [0.0, 0.0])]), mouse);
    run(&mut w, 4.0);
    let held = w.body("b").unwrap().collision_body().to_world([0.0, 0.5]);
    close(held.x, 2.0, 1e-6);
    close(held.y, 1.0, 1e-6);
}

#[test]
fn a_pulley_is_the_machine_of_atwood() {
    let mut heavy = block("heavy", [1.0, 0.0]);
    heavy["mass"] = json!(3);
    let pulley = json!([{ "type": "pulley", "body_a": "light", "body_b": "heavy", "roller_a": [-1, 5], "roller_b": [1, 5],
                          "break_force": 1000 }]);
    let mut w = world(G, json!([block("light", [-1.0, 0.0]), heavy]), pulley.clone());
    run(&mut w, 1.0);
    // a = g (3 − 1)/(3 + 1), tension 2 · 1 · 3 g/(1 + 3).
    close(state(&w, "light").1[1], 0.5 * G, 1e-7);
    close(state(&w, "heavy").1[1], -0.5 * G, 1e-7);
    close(w.reaction(0).unwrap().force.y, 1.5 * G, 1e-7);
    // A rope does not push: both fall while it is slack.
    let mut slack = pulley;
    slack[0]["length"] = json!(12);
    let mut heavy = block("heavy", [1.0, 0.0]);
    heavy["mass"] = json!(3);
    let mut w = world(G, json!([block("light", [-1.0, 0.0]), heavy]), slack);
    run(&mut w, 0.25);
    close(state(&w, "light").1[1], -0.25 * G, 1e-8);
}

#[test]
fn a_pin_a_rod_and_a_rope_of_limited_strength_break() {
    for kind in ["pin", "rod", "rope"] {
        let (length, at) = if kind == "pin" { (Value::Null, 0.0) } else { (json!(2), -2.0) };
        let mut connector =
            json!({ "type": kind, "body_a": "ground", "body_b": "b", "break_force": 9.7, "name": "held" });
        if !length.is_null() {
            connector["length"] = length;
        }
        let mut w = world(G, json!([block("b", [0.0, at])]), json!([connector.clone()]));
        let (_, events) = run(&mut w, 0.5);
        assert!(matches!(&events[0], Event::Broken { name, .. } if name == "held"), "{kind}: {events:?}");
        connector["break_force"] = json!(9.9);
        let mut w = world(G, json!([block("b", [0.0, at])]), json!([connector]));
        let (_, events) = run(&mut w, 0.5);
        assert!(events.is_empty(), "{kind}: {events:?}");
        close(state(&w, "b").0[1], at, 1e-8);
    }
}

#[test]
fn a_connector_that_is_not_enabled_does_not_act() {
    let weld = json!([{ "type": "weld", "body_a": "ground", "body_b": "b", "enabled": false }]);
    let mut w = world(G, json!([block("b", [0.0, 0.0])]), weld);
    run(&mut w, 1.0);
    close(state(&w, "b").0[1], -0.5 * G, 1e-8);
}

#[test]
fn a_weld_holds_a_stone_over_the_edge_of_compliant_ground() {
    let scene = json!({
        "format": "engine2d-scene", "version": 1, "settings": { "contact_model": "compliant" },
        "materials": { "soft": { "young": 1e6 } },
        "bodies": [
            { "name": "floor", "shape": { "type": "block", "width": 2, "height": 1 }, "fixed": true, "position": [-0.4, -0.5], "material": "soft" },
            { "name": "a", "shape": { "type": "block", "width": 1, "height": 1 }, "mass": 4, "position": [0, 0.5], "material": "soft" },
            { "name": "b", "shape": { "type": "block", "width": 1, "height": 1 }, "position": [1, 0.5], "material": "soft" },
        ],
        "connectors": [{ "type": "weld", "body_a": "a", "point_a": [0.5, 0], "body_b": "b", "point_b": [-0.5, 0] }],
        "force_laws": [{ "type": "gravity", "strength": 9.81 }, { "type": "damping", "coefficient": 2 }],
    });
    let mut w = Scene::from_json(&scene.to_string()).unwrap().to_world().unwrap();
    for _ in 0..30 {
        assert!(w.advance(1.0 / 60.0).unwrap().joint_error < 1e-8);
    }
    close(state(&w, "b").0[0] - state(&w, "a").0[0], 1.0, 1e-4);
    assert!((0.49..0.5).contains(&state(&w, "b").0[1]), "{:?}", state(&w, "b"));
}

#[test]
fn an_event_tells_when_a_coordinate_crosses() {
    let scene = json!({
        "format": "engine2d-scene", "version": 1,
        "bodies": [{ "name": "ball", "shape": { "type": "ball", "radius": 0.5 }, "position": [1, 0], "velocity": [2, 0],
                     "spin": -3, "origin": "shape" }],
        "events": [
            { "name": "gate{i}", "body": "ball", "coordinate": "x", "crosses": "=2+i", "repeat": 2 },
            { "name": "turned", "body": "ball", "coordinate": "angle", "crosses": "=-pi/2" },
        ],
    });
    let scene = Scene::from_json(&scene.to_string()).unwrap();
    assert_eq!(Scene::from_json(&scene.to_json().unwrap()).unwrap(), scene);
    let mut w = scene.to_world().unwrap();
    let (_, events) = run(&mut w, 1.25);
    let told: Vec<(String, f64)> = events
        .iter()
        .map(|event| match event {
            Event::User { name, time, .. } => (name.clone(), *time),
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = [("gate0", 0.5), ("turned", std::f64::consts::FRAC_PI_6), ("gate1", 1.0)];
    assert_eq!(told.len(), 3, "{told:?}");
    for ((name, time), (expected, at)) in told.iter().zip(expected) {
        assert_eq!(name, expected);
        close(*time, at, 1e-9);
    }
}
