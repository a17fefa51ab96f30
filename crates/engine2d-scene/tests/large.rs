//! Scenes of many bodies: reading and judging them takes time in proportion.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_scene::Scene;
use std::fmt::Write;
use std::time::Instant;

/// Balls and blocks with names on a square grid.
fn text(side: usize) -> String {
    let mut text = r#"{"format": "engine2d-scene", "version": 1, "bodies": ["#.to_owned();
    for k in 0..side * side {
        let shape = if k % 2 == 0 {
            r#"{"type": "ball", "radius": 0.4}"#
        } else {
            r#"{"type": "block", "width": 0.7, "height": 0.6}"#
        };
        let (x, y, comma) = (k % side, k / side, if k == 0 { "" } else { "," });
        write!(text, r#"{comma}{{"name": "b{k}", "shape": {shape}, "mass": 2, "position": [{x}, {y}], "elasticity": 0.5}}"#)
            .expect("memory");
    }
    text + "]}"
}

/// Seconds that reading a scene takes, the least of three.
fn seconds(side: usize) -> f64 {
    let text = text(side);
    let once = || {
        let clock = Instant::now();
        let scene = Scene::from_json(&text).expect("sound");
        assert_eq!(scene.bodies.len(), side * side);
        clock.elapsed().as_secs_f64()
    };
    (0..3).map(|_| once()).fold(f64::INFINITY, f64::min)
}

#[test]
fn reading_takes_time_in_proportion() {
    let (few, many) = (seconds(25), seconds(100));
    println!("625 bodies {few:.2e} s, 10,000 bodies {many:.2e} s");
    assert!(many < 64.0 * few.max(1e-4), "sixteen times as many bodies: {few:e} and {many:e}");
    let clock = Instant::now();
    let world = Scene::from_json(&text(100)).unwrap().to_world().unwrap();
    println!("with its world {:.2e} s", clock.elapsed().as_secs_f64());
    assert_eq!(world.bodies().len(), 10_000);
}
