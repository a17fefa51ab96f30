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
