//! Rigid and compliant surfaces in one scene.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_scene::{Scene, SceneError};
use engine2d_sim::World;
use serde_json::{Value, json};

fn scene(bodies: Value, more: Value) -> Value {
    let mut scene = json!({
        "format": "engine2d-scene", "version": 1, "bodies": bodies,
        "force_laws": [{ "type": "gravity", "strength": 10 }]
    });
    if let (Value::Object(scene), Value::Object(more)) = (&mut scene, more) {
        scene.extend(more);
    }
    scene
}

fn world(scene: &Value) -> World {
    let read = Scene::from_json(&scene.to_string()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Scene::from_json(&read.to_json().expect("JSON")).expect("as written"), read);
    read.to_world().unwrap_or_else(|error| panic!("{error}"))
}

fn mistakes(scene: &Value) -> String {
    match Scene::from_json(&scene.to_string()) {
        Err(SceneError::Invalid(mistakes)) => mistakes.to_string(),
        other => panic!("{other:?}"),
    }
}

fn height(world: &World, name: &str) -> f64 {
    world.body(name).expect("a body").position().y
}

fn ball(name: &str, x: f64, y: f64, more: Value) -> Value {
    let mut ball = json!({ "name": name, "shape": { "type": "ball", "radius": 0.5 }, "position": [x, y] });
    if let (Value::Object(ball), Value::Object(more)) = (&mut ball, more) {
        ball.extend(more);
    }
    ball
}

/// Rigid wagons on a rigid track with soft buffers: friction of the rigid ones is Coulomb's, the buffers push as long as they yield.
#[test]
fn rigid_and_compliant_surfaces_share_a_scene() {
    let block = |name: &str, w: f64, x: f64, y: f64, more: Value| {
        let mut body = json!({ "name": name, "shape": { "type": "block", "width": w, "height": 1 }, "position": [x, y], "rigid": true });
        if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
            body.extend(more);
        }
        body
    };
    let bodies = json!([
        block("floor", 40.0, 0.0, -0.5, json!({ "fixed": true, "material": "steel" })),
        block("slider", 1.0, -5.0, 0.5, json!({ "velocity": [3, 0], "material": "steel" })),
        ball("soft", 5.0, 1.0, json!({ "material": "rubber", "elasticity": 0 })),
    ]);
    let materials = json!({ "steel": { "friction": 0.9 }, "rubber": { "young": 1e6 } });
    let pairs = json!([{ "between": ["steel", "steel"], "friction": 0.3 }]);
    let settings = json!({ "contact_model": "compliant" });
    let whole =
        scene(bodies, json!({ "materials": materials, "material_pairs": pairs, "settings": settings }));
    let mut world = world(&whole);
    let report = world.advance(2.0).unwrap();
    let (speed, friction, gravity) = (3.0, 0.3, 10.0);
    let way = speed * speed / (2.0 * friction * gravity);
    assert!((world.body("slider").unwrap().position().x + 5.0 - way).abs() < 1e-9, "friction of the pair");
    let depth = 0.5 - height(&world, "soft");
    assert!(!report.touches.is_empty() && depth > 1e-7, "the ball yields by {depth}");

    let mut wrong = whole.clone();
    wrong["bodies"][2]["surface_speed"] = json!(1);
    let told = mistakes(&wrong);
    assert!(told.contains("bodies[2].surface_speed") && told.contains("\"rigid\": true"), "{told}");
    wrong["bodies"][2] = ball("soft", 5.0, 1.0, json!({ "rolling_resistance": 0.1 }));
    assert!(mistakes(&wrong).contains("bodies[2].rolling_resistance"));
    wrong["bodies"][2] = ball("soft", -5.0, 1.495, json!({ "rigid": true }));
    assert!(mistakes(&wrong).contains("bodies[2]"), "rigid ones start apart");
}
