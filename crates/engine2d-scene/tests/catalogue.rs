//! Every built-in scene is sound, survives a file and can be simulated.

use engine2d_scene::Scene;
use engine2d_scene::catalogue::CATALOGUE;

#[test]
fn built_in_scenes_are_sound() {
    for entry in CATALOGUE {
        let scene = entry.scene();
        let text = scene.to_json().unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        assert!(Scene::from_json(&text).unwrap() == scene, "{}", entry.name);
        let mut world = scene.to_world().unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        for _ in 0..20 {
            world.advance(scene.settings.time_step).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        }
    }
}

#[test]
fn names_find_their_scenes() {
    assert_eq!(Scene::built_in("pile").unwrap().bodies.len(), 16);
    assert!(Scene::built_in("no such scene").is_none());
}

/// Half a tooth for each half period, and as wide a swing at the end as at the start.
#[test]
fn the_clock_keeps_time() {
    let scene = Scene::built_in("pendulum_clock").unwrap();
    let mut world = scene.to_world().unwrap();
    let (mut crossings, mut swing) = (Vec::new(), 0.0_f64);
    let mut last = world.body_named("pendulum").unwrap().angle();
    while world.time() < 20.0 {
        world.advance(0.01).unwrap();
        let angle = world.body_named("pendulum").unwrap().angle();
        if last * angle < 0.0 {
            crossings.push((world.time(), world.body_named("wheel").unwrap().angle()));
        }
        if world.time() > 15.0 {
            swing = swing.max(angle.abs());
        }
        last = angle;
    }
    assert!((12..=16).contains(&crossings.len()), "{} beats", crossings.len());
    for pair in crossings.windows(2) {
        let (beat, turn) = (pair[1].0 - pair[0].0, pair[0].1 - pair[1].1);
        assert!((1.3..1.5).contains(&beat), "a beat of {beat} s");
        assert!((turn - std::f64::consts::TAU / 24.0).abs() < 0.02, "half a tooth, not {turn}");
    }
    assert!((0.14..0.17).contains(&swing), "{swing}");
}
