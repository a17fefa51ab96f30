//! Reads any bytes as a scene: an error or a scene that can be written, read back equal, and built.

#![no_main]

use engine2d_scene::Scene;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(scene) = Scene::from_reader(bytes) {
        let text = scene.to_json().expect("what is read can be written");
        assert!(Scene::from_json(&text).expect("what is written can be read") == scene);
        let _built_or_refused = scene.to_world().is_ok();
    }
});
