//! Tangential restitution in scenes: of bodies, materials and pairs.
#![allow(clippy::unwrap_used)]

use engine2d_scene::Scene;
use serde_json::{Value, json};

/// A disc thrown onto a floor with the speed 1 along it, and what either has besides.
fn scene(ball: Value, floor: Value, more: Value) -> Value {
    let with = |mut body: Value, more: Value| {
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let own = json!({ "name": "ball", "shape": { "type": "ball", "radius": 0.5 }, "position": [0, 1], "velocity": [1, -1],
                      "elasticity": 1, "friction": 2 });
    let ground = json!({ "name": "floor", "shape": { "type": "block", "width": 20, "height": 1 }, "fixed": true,
                         "position": [0, -0.5], "elasticity": 1, "friction": 2 });
    let all =
        json!({ "format": "engine2d-scene", "version": 1, "bodies": [with(ground, floor), with(own, ball)] });
    with(all, more)
}

/// The speed of the ball along the floor after its impact; `1 − (1 + e_t) k/(1 + k)` with `k = 1/2` of a disc.
fn speed(scene: &Value) -> f64 {
    let mut world = Scene::from_json(&scene.to_string()).unwrap().to_world().unwrap();
    world.advance(0.8).unwrap();
    world.body("ball").unwrap().velocity().x
}

fn expected(share: f64) -> f64 {
    1.0 - (1.0 + share) / 3.0
}

#[test]
fn a_pair_has_the_lesser_of_both_or_its_own() {
    let share = |e: f64| json!({ "tangential_restitution": e });
    let none = json!({});
    assert!((speed(&scene(none.clone(), none.clone(), none.clone())) - expected(0.0)).abs() < 1e-12);
    assert!((speed(&scene(share(0.5), none.clone(), none.clone())) - expected(0.0)).abs() < 1e-12);
    assert!((speed(&scene(share(0.5), share(0.8), none.clone())) - expected(0.5)).abs() < 1e-12);
    let of = |name: &str| json!({ "material": name });
    let materials = json!({ "rubber": share(0.9), "stone": share(0.3) });
    let shared = scene(of("rubber"), of("stone"), json!({ "materials": materials.clone() }));
    assert!((speed(&shared) - expected(0.3)).abs() < 1e-12);
    let pairs = json!([{ "between": ["stone", "rubber"], "tangential_restitution": 0.7 }]);
    let paired = scene(of("rubber"), of("stone"), json!({ "materials": materials, "material_pairs": pairs }));
    assert!((speed(&paired) - expected(0.7)).abs() < 1e-12);
}

#[test]
fn what_is_not_known_is_a_mistake() {
    let share = |e: f64| json!({ "tangential_restitution": e });
    let told = |scene: &Value| Scene::from_json(&scene.to_string()).unwrap_err().to_string();
    for wrong in [-0.5, 1.5] {
        let error = told(&scene(share(wrong), json!({}), json!({})));
        assert!(error.contains("bodies[1].tangential_restitution"), "{error}");
    }
    for settings in [json!({ "clock": "backtracking" }), json!({ "clock": "time_stepping" })] {
        let smooth = json!({ "friction": 0, "tangential_restitution": 0.5 });
        let error = told(&scene(smooth, json!({ "friction": 0 }), json!({ "settings": settings })));
        assert!(error.contains("bodies[1].tangential_restitution"), "{error}");
    }
    let compliant = json!({ "settings": { "contact_model": "compliant" } });
    let error = told(&scene(share(0.5), json!({}), compliant));
    assert!(error.contains("tangential_restitution"), "{error}");
    let pair = json!({ "materials": { "a": {} }, "material_pairs": [{ "between": ["a", "a"], "tangential_restitution": 2 }] });
    let error = told(&scene(json!({}), json!({}), pair));
    assert!(error.contains("material_pairs[0].tangential_restitution"), "{error}");
}
