//! The page on scene files: its examples run, it shows every type of thing, and its reference is current.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_scene::{Scene, json_schema, reference};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scene-format.md");
    fs::read_to_string(path).expect("the page is there")
}

/// The JSON of the page: what each block is of, and what it holds.
fn blocks(page: &str) -> Vec<(String, Value)> {
    let fences = page.split("```json").skip(1);
    let parts = fences.filter_map(|rest| rest.split_once("```")?.0.split_once('\n'));
    parts
        .map(|(what, text)| {
            let value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"));
            (what.trim().to_owned(), value)
        })
        .collect()
}

/// Reads a scene and runs it for half a second.
fn run(scene: &Value) {
    let read = Scene::from_json(&scene.to_string()).unwrap_or_else(|error| panic!("{error}\n{scene}"));
    assert_eq!(Scene::from_json(&read.to_json().unwrap()).unwrap(), read);
    let mut world = read.to_world().unwrap_or_else(|error| panic!("{error}\n{scene}"));
    for _ in 0..20 {
        world.advance(read.settings.time_step).unwrap_or_else(|error| panic!("{error}\n{scene}"));
    }
}

#[test]
fn every_example_runs() {
    let blocks = blocks(&page());
    let stage = &blocks.iter().find(|(what, _)| what == "stage").expect("the stage of the connectors").1;
    let mut count = 0;
    for (what, block) in &blocks {
        let Some(list) = block.as_array() else {
            run(block);
            continue;
        };
        for example in list {
            let mut scene = stage.clone();
            match what.as_str() {
                "shapes" => {
                    let fixed = example["type"] == "wall";
                    scene["bodies"] = json!([{ "shape": example, "fixed": fixed }]);
                }
                "settings" => scene["settings"] = example.clone(),
                "bodies" => {
                    scene["bodies"] = json!([example]);
                    scene["bodies"][0]["groups"] =
                        example.get("groups").cloned().unwrap_or(json!(["others"]));
                }
                list => scene[list] = json!([example]),
            }
            run(&scene);
            count += 1;
        }
    }
    assert!(count >= 40, "{count} examples");
}

#[test]
fn every_type_of_the_schema_is_shown() {
    let mut shown = BTreeSet::new();
    for (_, block) in blocks(&page()) {
        collect(&block, &mut |map| shown.extend(map.get("type").and_then(Value::as_str).map(str::to_owned)));
    }
    let mut known = BTreeSet::new();
    for group in ["Shape", "Edge", "ForceLaw", "Connector", "Moving"] {
        collect(&json_schema()["$defs"][group], &mut |map| {
            let word = map.get("type").and_then(|tag| tag.get("const")).and_then(Value::as_str);
            known.extend(word.map(str::to_owned));
        });
    }
    let missing: Vec<_> = known.difference(&shown).collect();
    assert!(known.len() > 35 && missing.is_empty(), "{missing:?}");
}

fn collect(value: &Value, look: &mut impl FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(map) => {
            look(map);
            map.values().for_each(|child| collect(child, look));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, look)),
        _ => {}
    }
}

#[test]
fn the_reference_is_current() {
    const MARK: &str = "<!-- What follows is written by `cargo xtask schema bless`. -->\n";
    let page = page();
    let (_, stored) = page.split_once(MARK).expect("the mark");
    assert!(stored == reference(), "docs/scene-format.md is out of date: run `cargo xtask schema bless`");
}

#[test]
fn the_reference_has_every_field_with_its_meaning() {
    for line in reference().lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        assert!(cells.len() >= 3 && !cells[1].is_empty() && !cells[2].is_empty(), "{line}");
    }
}
