//! What is written is read back equal, and the schema knows what the reader knows.

use engine2d_scene::{Scene, json_schema};
use serde_json::Value;
use std::fs;

fn root() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The fixtures that together have everything: what the recorded rules know, the joints of the library, and what only the
/// located clock takes of bodies and surfaces.
fn everything() -> [String; 3] {
    ["everything", "joints", "special"].map(|name| {
        fs::read_to_string(root().join(format!("fixtures/scenes/{name}.json"))).expect("the fixture is there")
    })
}

#[test]
fn a_scene_with_everything_survives_writing_and_reading() {
    for fixture in everything() {
        let scene = Scene::from_json(&fixture).unwrap();
        let text = scene.to_json().unwrap();
        assert_eq!(Scene::from_json(&text).unwrap(), scene);
        assert_eq!(Scene::from_reader(text.as_bytes()).unwrap().to_json().unwrap(), text);
    }
}

/// Scenes of before call the angular velocity of a body otherwise.
#[test]
fn the_older_word_is_read_and_the_present_one_written() {
    let scene = |words: &str| {
        let body = format!(r#"{{"shape": {{"type": "ball", "radius": 1}}, "mass": 1, {words}}}"#);
        Scene::from_json(&format!(r#"{{"format": "engine2d-scene", "version": 1, "bodies": [{body}]}}"#))
    };
    let [older, present] = ["spin", "angular_velocity"].map(|word| scene(&format!("{word:?}: 0.5")).unwrap());
    assert_eq!(older, present);
    assert_eq!(older.bodies[0].angular_velocity, 0.5);
    let text = older.to_json().unwrap();
    assert!(text.contains("\"angular_velocity\"") && !text.contains("spin"));
    let both = scene(r#""spin": 0.5, "angular_velocity": 0.5"#).unwrap_err().to_string();
    assert!(both.contains("bodies[0].spin"), "{both}");
    let wrong = scene(r#""spin": "fast""#).unwrap_err().to_string();
    assert!(wrong.contains("bodies[0].spin"), "{wrong}");
}

#[test]
fn the_schema_in_the_docs_is_current() {
    let stored = fs::read_to_string(root().join("docs/scene.schema.json")).unwrap();
    let current = serde_json::to_string_pretty(&json_schema()).unwrap() + "\n";
    assert!(stored == current, "docs/scene.schema.json is out of date: run `cargo xtask schema bless`");
}

/// Every property that the schema names is used by the fixture that has everything, which the reader
/// accepts: neither knows a field that the other does not.
#[test]
fn the_schema_and_the_reader_know_the_same_fields() {
    let mut used = std::collections::BTreeSet::new();
    for fixture in everything() {
        collect_keys(&serde_json::from_str::<Value>(&fixture).unwrap(), &mut used);
    }
    let mut named = std::collections::BTreeSet::new();
    collect_properties(&json_schema(), &mut named);
    named.remove("type");
    used.remove("type");
    // Names that the fixtures give to materials, curves and variables, and the second way of saying "fixed".
    for own in ["rubber", "clay", "ice", "circle", "hump", "table", "h", "far"] {
        used.remove(own);
    }
    // The other form of a solver, which the next test reads, and the clock, which stands for solver and locator.
    named.remove("method");
    // What clocks have of their own is read by the tests of clocks.
    for own in ["clock", "substeps", "budget_ms", "sleeping"] {
        named.remove(own);
    }
    assert_eq!(named, used);
}

#[test]
fn the_precise_solver_and_compliant_contact_survive_writing_and_reading() {
    let scene = engine2d_scene::catalogue::block_on_slope(0.2, 0.5);
    let again = Scene::from_json(&scene.to_json().unwrap()).unwrap();
    assert_eq!(scene, again);
    let text = scene.to_json().unwrap().replace("dormand_prince", "runge");
    assert!(Scene::from_json(&text).unwrap_err().to_string().contains("settings.solver.method"));
}

fn collect_keys(value: &Value, keys: &mut std::collections::BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, child) in map {
                keys.insert(key.clone());
                collect_keys(child, keys);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_keys(item, keys)),
        _ => {}
    }
}

fn collect_properties(schema: &Value, names: &mut std::collections::BTreeSet<String>) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get("properties") {
                names.extend(properties.keys().cloned());
            }
            map.values().for_each(|child| collect_properties(child, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_properties(item, names)),
        _ => {}
    }
}
