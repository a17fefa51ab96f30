//! How bodies may stand at the start.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_scene::{Scene, SceneError};
use engine2d_sim::Event;
use serde_json::{Value, json};

/// A scene of one ball with more.
fn read(more: &Value) -> Result<Scene, SceneError> {
    let mut scene = json!({
        "format": "engine2d-scene", "version": 1,
        "bodies": [{ "name": "ball", "shape": { "type": "ball", "radius": 0.1 }, "elasticity": 0 }],
    });
    for (key, value) in more.as_object().unwrap() {
        scene[key] = value.clone();
    }
    Scene::from_json(&scene.to_string())
}

/// A stop on an incline of slope 1/2 that begins a unit of x before the bead: it is √5/2 along the curve.
#[test]
fn a_bead_beyond_its_end_stop_is_refused_and_one_at_it_is_not() {
    let way = 0.5 * 5.0_f64.sqrt();
    let with = |limit: f64, upper: bool| {
        read(&json!({
            "curves": { "wire": { "type": "polynomial", "x": [0, 1], "y": [0, -0.5], "from": -1, "to": 9 } },
            "connectors": [
                { "type": "path_joint", "body": "ball", "curve": "wire" },
                { "type": "path_end_stop", "body": "ball", "curve": "wire", "limit": limit, "upper": upper },
            ],
        }))
    };
    assert!(with(way, true).is_ok() && with(way, false).is_ok());
    assert!(with(way + 1.0, true).is_ok() && with(way - 1.0, false).is_ok());
    for (limit, upper) in [(way - 1.0, true), (way + 1.0, false)] {
        let told = with(limit, upper).unwrap_err().to_string();
        let expected = "connectors[1]: it is 1.000000 beyond its limit at the start";
        assert!(told.contains(expected), "{told}");
    }
}

/// A rope may begin slack with its ends at one place, and falls taut; it needs a length for that.
#[test]
fn a_slack_rope_needs_no_direction() {
    let scene = read(&json!({
        "connectors": [{ "type": "rope", "body_a": "ground", "body_b": "ball", "length": 2 }],
        "force_laws": [{ "type": "gravity", "strength": 9.81 }],
    }));
    let mut world = scene.unwrap().to_world().unwrap();
    let taut = world.advance(1.0).unwrap().events.into_iter().find_map(|event| match event {
        Event::Collision { time, .. } => Some(time),
        _ => None,
    });
    assert!((taut.unwrap() - (4.0_f64 / 9.81).sqrt()).abs() < 1e-9, "{taut:?}");
}
