//! A hoist as a scene: a winch winds up a load on a rope of limited strength, a limit stops it, an event tells when it is up.
//!
//! `cargo run --release -p engine2d-scene --example hoist`

#![allow(clippy::print_stdout, reason = "an example tells what it finds")]

use engine2d_scene::Scene;

/// Where the limit stops it (metres); with rounding, it is there.
const TOP: f64 = 5.0 - 1e-9;

const HOIST: &str = r#"{
  "format": "engine2d-scene", "version": 1,
  "let": { "mass": 200, "top": 5 },
  "bodies": [
    { "name": "cage", "shape": { "type": "block", "width": 1, "height": 1.6 }, "mass": "=mass", "position": [0, 1] },
    { "name": "guest{i}", "shape": { "type": "ball", "radius": 0.1 }, "mass": 30, "repeat": { "count": 2, "offset": [0.4, 0] },
      "position": [-0.2, 2] }
  ],
  "connectors": [
    { "type": "prismatic", "body_a": "ground", "point_a": [0, 1], "body_b": "cage", "axis": [0, 1], "name": "rails" },
    { "type": "weld", "body_a": "cage", "point_a": ["=-0.2 + 0.4*i", 1], "body_b": "guest{i}", "repeat": 2 },
    { "type": "motor", "drive": "travel", "axis": [0, 1], "body_a": "ground", "body_b": "cage", "speed": 0.8, "limit": 3000,
      "name": "winch" },
    { "type": "slide_limit", "body_a": "ground", "body_b": "cage", "axis": [0, 1], "high": "=top", "name": "stop" }
  ],
  "force_laws": [{ "type": "gravity", "strength": 9.81 }],
  "events": [{ "name": "half way", "body": "cage", "coordinate": "y", "crosses": "=(1 + top)/2" }]
}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = Scene::from_json(HOIST)?;
    for warning in scene.warnings() {
        println!("warning: {warning}");
    }
    let mut world = scene.to_world()?;
    let winch = world.joint("winch")?;
    while world.time() < 6.0 {
        for event in world.advance(0.5)?.events() {
            println!("{event}");
        }
        let (height, pull) = (world.body("cage")?.position().y, world.reaction(winch)?.force.y);
        if height < TOP {
            println!("{:4.1} s: at {height:.3} m, the winch pulls with {pull:.1} N", world.time());
        }
    }
    assert!((world.body("cage")?.position().y - TOP).abs() < 1e-8, "it is at the top");
    Ok(())
}
