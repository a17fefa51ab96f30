//! An arch of stones that share their corners stands on compliant contacts: corners that pass each other keep theirs.

use engine2d_scene::Scene;
use serde_json::json;
use std::f64::consts::PI;

const STONES: usize = 9;
const RADII: [f64; 2] = [2.0, 2.6];

fn stone(k: usize) -> serde_json::Value {
    let at = |radius: f64, joint: usize| {
        let angle = PI * joint as f64 / STONES as f64;
        [radius * angle.cos(), radius * angle.sin()]
    };
    let [inner, outer] = RADII;
    let points = [at(inner, k), at(outer, k), at(outer, k + 1), at(inner, k + 1)];
    json!({
        "name": format!("stone {k}"), "origin": "shape", "shape": {"type": "polygon", "points": points},
        "friction": 0.7, "material": "stone", "elasticity": 0.3,
    })
}

#[test]
fn an_arch_of_flush_stones_stands() {
    let floor = json!({
        "name": "floor", "shape": {"type": "block", "width": 12, "height": 1}, "fixed": true,
        "position": [0, -0.5], "friction": 0.7, "material": "stone",
    });
    let bodies: Vec<_> = std::iter::once(floor).chain((0..STONES).map(stone)).collect();
    let scene = json!({
        "format": "engine2d-scene", "version": 1, "duration": 0.5,
        "settings": {
            "contact_model": "compliant", "clock": {"type": "located", "tolerance": 1e-6},
            "compliant": {"z_eps": 1e-6},
        },
        "materials": {"stone": {"friction": 0.7, "young": 1e7}},
        "bodies": bodies, "force_laws": [{"type": "gravity", "strength": 9.81}],
    });
    let mut world = Scene::from_json(&scene.to_string()).expect("a scene").to_world().expect("a world");
    let before = world.energy().total();
    for _ in 0..10 {
        let report = world.advance(0.02).expect("it goes on");
        assert!(report.penetration < 3e-4, "t = {}: {:e} deep", report.time, report.penetration);
        assert!(report.energy < before, "t = {}: {} J of {before} J", report.time, report.energy);
    }
}
