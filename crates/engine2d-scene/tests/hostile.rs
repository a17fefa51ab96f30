//! Nothing that a file may hold makes the reader panic, hang or accept what it cannot write again.

use engine2d_math::random::{Lcg32, pick};
use engine2d_scene::Scene;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Scenes to start from: those with everything, and those of the catalogue.
fn seeds() -> Vec<Value> {
    let everything = ["everything", "joints", "joints"].map(|name| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../fixtures/scenes/{name}.json"));
        fs::read_to_string(path).expect("the fixture is there")
    });
    let built_in =
        engine2d_scene::catalogue::CATALOGUE.iter().map(|entry| entry.scene().to_json().expect("sound"));
    everything.into_iter().chain(built_in).map(|text| serde_json::from_str(&text).expect("JSON")).collect()
}

/// Replaces the node at a place of the depth-first order.
fn replace(value: &mut Value, place: &mut usize, with: &Value) -> bool {
    if *place == 0 {
        *value = with.clone();
        return true;
    }
    *place -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| replace(item, place, with)),
        Value::Object(map) => map.values_mut().any(|item| replace(item, place, with)),
        _ => false,
    }
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(map) => map.values().map(count).sum(),
        _ => 0,
    }
}

#[test]
fn replaced_values_are_judged_without_panic() {
    let seeds = seeds();
    let values = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(-1),
        json!(1),
        json!(2),
        json!(4_294_967_296_u64),
        json!(-0.0),
        json!(1e-320),
        json!(1e-12),
        json!(1e12),
        json!(1e308),
        json!(-1e308),
        json!(0.5),
        json!(""),
        json!("ground"),
        json!("ball"),
        json!("paths"),
        json!("=2*h - i"),
        json!("{i}{"),
        json!({"count": 3, "offset": [1, 1]}),
        json!([]),
        json!([0, 0]),
        json!([1e308, -1e308]),
        json!({}),
        json!({"type": "ball", "radius": 1e9}),
        json!({"type": "random_polygon", "sides": 4_000_000_000_u32}),
        json!({"type": "block", "width": 1e308, "height": 1e-308}),
        json!([[0, 0], [1, 0], [0, 1]]),
    ];
    let mut generator = Lcg32::new(7);
    let mut accepted = 0;
    for _ in 0..4000 {
        let mut scene = seeds[pick(seeds.len(), &mut generator)].clone();
        for _ in 0..=pick(3, &mut generator) {
            let mut place = pick(count(&scene), &mut generator);
            let with = &values[pick(values.len(), &mut generator)];
            replace(&mut scene, &mut place, with);
        }
        if let Ok(read) = Scene::from_json(&scene.to_string()) {
            accepted += 1;
            let text = read.to_json().expect("what is read can be written");
            assert!(Scene::from_json(&text).expect("what is written can be read") == read);
            // What the simulation refuses is an error, never a panic.
            let _refused = read.to_world().is_err();
        }
    }
    assert!(accepted > 100, "{accepted} of the changed scenes were sound");
}

#[test]
fn cut_and_garbled_text_is_judged_without_panic() {
    let text = seeds()[0].to_string().into_bytes();
    let mut generator = Lcg32::new(11);
    for _ in 0..1000 {
        let mut garbled = text.clone();
        for _ in 0..=pick(4, &mut generator) {
            let place = pick(garbled.len(), &mut generator);
            garbled[place] = pick(256, &mut generator) as u8;
        }
        garbled.truncate(1 + pick(2 * garbled.len(), &mut generator).min(garbled.len() - 1));
        let _judged = Scene::from_reader(&garbled[..]).is_ok();
    }
}

#[test]
fn many_mistakes_are_counted_not_listed() {
    let text = json!({"format": "engine2d-scene", "version": 1, "bodies": vec![json!(1); 5000]}).to_string();
    let message = Scene::from_json(&text).expect_err("no body is one").to_string();
    assert!(message.starts_with("scene is not valid (5000 problems)"));
    assert!(message.ends_with("… and 4800 more"));
}

#[test]
fn deep_nesting_is_refused() {
    let text = "[".repeat(100_000);
    assert!(Scene::from_json(&text).is_err());
}
