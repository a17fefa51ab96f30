//! What is allowed and most likely not meant is told, each kind once and with its place.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_scene::Scene;
use engine2d_scene::catalogue::CATALOGUE;
use serde_json::{Value, json};

/// The warnings of a scene with these fields.
fn warnings(fields: Value) -> Vec<String> {
    let mut scene = json!({ "format": "engine2d-scene", "version": 1 });
    scene.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let scene = Scene::from_json(&scene.to_string()).unwrap_or_else(|error| panic!("{error}"));
    scene.warnings().iter().map(ToString::to_string).collect()
}

fn ball(name: &str, radius: f64, x: f64) -> Value {
    json!({ "name": name, "shape": { "type": "ball", "radius": radius }, "position": [x, 0] })
}

fn with(mut body: Value, more: Value) -> Value {
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

#[test]
fn an_angle_beyond_a_turn() {
    let tilted = with(ball("b", 1.0, 0.0), json!({ "angle": 30 }));
    assert_eq!(
        warnings(json!({ "bodies": [tilted] })),
        ["bodies[0].angle: 30.0 is more than a turn: angles are in radians (0.5236 if degrees are meant)"]
    );
    let limit = json!({ "type": "angle_limit", "body_a": "ground", "body_b": "b", "low": -90, "high": 1 });
    assert_eq!(
        warnings(json!({ "bodies": [ball("b", 1.0, 0.0)], "connectors": [limit] })),
        [
            "connectors[0].low: -90.0 is more than a turn: angles are in radians (-1.5708 if degrees are meant)"
        ]
    );
    let turned = with(ball("b", 1.0, 0.0), json!({ "angle": -6.25 }));
    assert!(warnings(json!({ "bodies": [turned] })).is_empty());
}

#[test]
fn a_floor_or_wall_that_can_move() {
    let wall = json!({ "shape": { "type": "wall", "width": 9, "height": 1 } });
    assert_eq!(
        warnings(json!({ "bodies": [wall] })),
        ["bodies[0]: \"body0\" can move: say \"fixed\": true if it is to stay"]
    );
    let floor = json!({ "name": "left floor", "shape": { "type": "block", "width": 9, "height": 1 } });
    assert_eq!(warnings(json!({ "bodies": [floor] })).len(), 1);
    let fixed = with(floor, json!({ "fixed": true }));
    assert!(warnings(json!({ "bodies": [fixed, ball("wallet", 1.0, 9.0)] })).is_empty());
}

#[test]
fn gravity_that_nothing_stops_or_that_lifts() {
    let gravity = |strength: f64| json!([{ "type": "gravity", "strength": strength }]);
    let body = ball("b", 1.0, 0.0);
    assert_eq!(
        warnings(json!({ "bodies": [body], "force_laws": gravity(9.81) })),
        ["force_laws[0]: nothing is fixed and nothing is tied to the ground: everything falls for ever"]
    );
    let pin = json!([{ "type": "pin", "body_a": "ground", "body_b": "b" }]);
    assert!(warnings(json!({ "bodies": [body], "force_laws": gravity(9.81), "connectors": pin })).is_empty());
    let fixed = with(ball("hill", 1.0, 9.0), json!({ "fixed": true }));
    assert!(warnings(json!({ "bodies": [body, fixed], "force_laws": gravity(9.81) })).is_empty());
    assert_eq!(
        warnings(json!({ "bodies": [body, fixed], "force_laws": gravity(-9.81) })),
        ["force_laws[0].strength: -9.81 points upwards: a positive strength pulls down"]
    );
}

#[test]
fn a_tolerance_above_a_twentieth_of_the_smallest_body() {
    let small = with(ball("small", 0.005, 0.0), json!({ "mass": 1e-5 }));
    let bodies = json!([small, ball("large", 1.0, 5.0)]);
    assert_eq!(
        warnings(json!({ "bodies": bodies })),
        [
            "settings.distance_tolerance: 0.01 is more than a twentieth of \"small\", which is 0.010 long: use at most 5.0e-4"
        ]
    );
    assert!(warnings(json!({ "bodies": bodies, "settings": { "distance_tolerance": 0.0005 } })).is_empty());
    let own = with(ball("b", 1.0, 0.0), json!({ "distance_tolerance": 0.11 }));
    assert!(warnings(json!({ "bodies": [own] }))[0].starts_with("bodies[0].distance_tolerance: 0.11"));
}

#[test]
fn a_name_given_twice() {
    assert_eq!(
        warnings(json!({ "bodies": [ball("b", 1.0, 0.0), ball("b", 1.0, 5.0)] })),
        ["bodies[1].name: \"b\" is also the name of bodies[0]: give each its own"]
    );
    let bodies = json!([ball("a", 1.0, 0.0), ball("b", 1.0, 5.0)]);
    let mouse =
        |body: &str| json!({ "type": "mouse", "body": body, "target": [0, 0], "limit": 1, "name": "hand" });
    assert_eq!(
        warnings(json!({ "bodies": bodies, "connectors": [mouse("a"), mouse("b")] })),
        ["connectors[1].name: \"hand\" is also the name of connectors[0]: give each its own"]
    );
}

#[test]
fn an_entry_that_nothing_uses() {
    let fields = json!({
        "bodies": [with(ball("b", 1.0, 0.0), json!({ "material": "rubber" }))],
        "materials": { "rubber": { "elasticity": 0.9 }, "clay": { "elasticity": 0 } },
        "curves": { "ring": { "type": "circle", "radius": 3 } },
    });
    assert_eq!(warnings(fields), ["materials.clay: no body uses it", "curves.ring: no connector uses it"]);
}

#[test]
fn units_that_are_not_the_same() {
    let bodies = json!([ball("pea", 0.5, 0.0), ball("moon", 500.0, 800.0), ball("pearl", 1.0, 5.0)]);
    let found = warnings(json!({ "bodies": bodies }));
    assert_eq!(
        found[0],
        "bodies[1]: its length is 1.000e3, 1000 times that of \"pea\" (1.000e0): are the units the same?"
    );
    let dense = with(ball("dense", 0.5, 5.0), json!({ "mass": 5000 }));
    assert_eq!(
        warnings(json!({ "bodies": [ball("light", 0.5, 0.0), dense] })),
        [
            "bodies[1]: its density is 5.000e3, 5000 times that of \"light\" (1.000e0): are the units the same?"
        ]
    );
    let stage = json!({ "shape": { "type": "block", "width": 9, "height": 1 }, "fixed": true, "position": [0, 3000] });
    let gravity = json!([{ "type": "gravity", "strength": 9.81 }]);
    assert_eq!(
        warnings(json!({ "bodies": [ball("b", 600.0, 0.0), stage], "force_laws": gravity })),
        [
            "bodies[0].shape: it is 1.200e3 long under gravity of 9.81, which is metres: are the units the same?"
        ]
    );
}

#[test]
fn a_chain_of_masses_beyond_a_million() {
    let heavy = with(ball("anchor", 1.0, 0.0), json!({ "mass": 3e6 }));
    let link = with(ball("link", 1.0, 0.0), json!({ "mass": 100.0 }));
    let end = ball("end", 1.0, 0.0);
    let pin = |a: &str, b: &str| json!({ "type": "pin", "body_a": a, "body_b": b });
    let found = warnings(json!({
        "bodies": [heavy, link, end], "connectors": [pin("anchor", "link"), pin("link", "end")], "allow_overlap": true,
    }));
    assert!(found[0].contains("its density is"));
    assert_eq!(
        found[1],
        "bodies[2].mass: it is tied to \"anchor\", 3.0e6 times as heavy: beyond 1e6 forces and positions lose digits (make \
         it heavier, or fix the heavy one)"
    );
    let apart = warnings(
        json!({ "bodies": [heavy, link, end], "connectors": [pin("anchor", "link")], "allow_overlap": true }),
    );
    assert_eq!(apart.len(), 1, "only the density is left: {apart:?}");
}

#[test]
fn a_body_outside_the_view() {
    let view = json!({ "left": -3, "bottom": -3, "right": 3, "top": 3 });
    let fixed = with(ball("far", 1.0, 9.0), json!({ "fixed": true }));
    assert_eq!(
        warnings(json!({ "bodies": [ball("in", 1.0, 3.9), ball("out", 1.0, -4.1), fixed], "view": view })),
        ["bodies[1]: it starts outside the view"]
    );
}

#[test]
fn built_in_scenes_have_none_that_is_not_true() {
    for entry in CATALOGUE {
        let found: Vec<String> = entry.scene().warnings().iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{}: {found:?}", entry.name);
    }
}

#[test]
fn a_fixed_body_among_those_that_attract_each_other() {
    let law = |bodies: Value| json!([{ "type": "inverse_square_gravity", "strength": 1, "bodies": bodies }]);
    let sun = with(ball("sun", 1.0, 0.0), json!({ "fixed": true }));
    let bodies = json!([sun, ball("a", 0.5, 9.0), ball("b", 0.5, 19.0)]);
    assert_eq!(
        warnings(json!({ "bodies": bodies, "force_laws": law(json!(["a", "sun"])) })),
        [
            "force_laws[0].bodies[1]: \"sun\" is fixed and has no mass to attract with: let it move, and pin it to the ground if it is \
             to stay"
        ]
    );
    assert!(warnings(json!({ "bodies": bodies, "force_laws": law(json!(["a", "b"])) })).is_empty());
}
