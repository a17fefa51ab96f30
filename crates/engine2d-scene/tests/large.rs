//! Scenes of many bodies: reading and judging them takes time in proportion.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_scene::Scene;
use std::fmt::Write;
use std::time::Instant;

/// Most seconds that reading 10,000 bodies may take in a release build; 0.03 to 0.05 on an idle machine.
const MOST_SECONDS: f64 = 0.1;

/// Balls and blocks with names on a square grid, of two shapes or each of its own.
fn text(side: usize, alike: bool) -> String {
    let mut text = r#"{"format": "engine2d-scene", "version": 1, "bodies": ["#.to_owned();
    for k in 0..side * side {
        let less = if alike { 0.0 } else { 1e-6 * k as f64 };
        let shape = if k % 2 == 0 {
            format!(r#"{{"type": "ball", "radius": {}}}"#, 0.4 - less)
        } else {
            format!(r#"{{"type": "block", "width": {}, "height": 0.6}}"#, 0.7 - less)
        };
        let (x, y, comma) = (k % side, k / side, if k == 0 { "" } else { "," });
        write!(text, r#"{comma}{{"name": "b{k}", "shape": {shape}, "mass": 2, "position": [{x}, {y}], "elasticity": 0.5}}"#)
            .expect("memory");
    }
    text + "]}"
}

/// Seconds that reading a scene takes, the least of five.
fn seconds(side: usize, alike: bool) -> f64 {
    let text = text(side, alike);
    let once = || {
        let clock = Instant::now();
        let scene = Scene::from_json(&text).expect("sound");
        assert_eq!(scene.bodies.len(), side * side);
        clock.elapsed().as_secs_f64()
    };
    (0..5).map(|_| once()).fold(f64::INFINITY, f64::min)
}

#[test]
fn reading_takes_time_in_proportion() {
    for alike in [true, false] {
        let (few, many) = (seconds(25, alike), seconds(100, alike));
        println!("625 bodies {few:.2e} s, 10,000 bodies {many:.2e} s, alike: {alike}");
        assert!(many < 64.0 * few.max(1e-4), "sixteen times as many bodies: {few:e} and {many:e}");
        if !cfg!(debug_assertions) {
            assert!(many < MOST_SECONDS, "10,000 bodies take {many} s");
        }
    }
    let clock = Instant::now();
    let world = Scene::from_json(&text(100, true)).unwrap().to_world().unwrap();
    println!("with its world {:.2e} s", clock.elapsed().as_secs_f64());
    assert_eq!(world.bodies().len(), 10_000);
}
