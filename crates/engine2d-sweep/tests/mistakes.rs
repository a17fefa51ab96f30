//! Sweeps that are wrong: each is refused with the path of its mistake.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_sweep::Sweep;
use serde_json::{Value, json};

/// A sweep with a list, a range and a measure.
fn sound() -> Value {
    json!({
        "format": "engine2d-sweep", "version": 1, "scene": "pile",
        "parameters": [
            {"path": "force_laws[0].strength", "name": "g", "values": [1.0, 2.0]},
            {"path": "bodies[0].mass", "name": "m", "range": [1.0, 2.0]}
        ],
        "sampling": {"method": "random", "count": 3, "seed": 1},
        "measures": [{"of": "energy", "reduce": "last"}]
    })
}

/// What is said of a sweep; nothing if it is read.
fn said(text: &str) -> Option<String> {
    Sweep::read(text, |name| if name == "pile" { Ok(json!({})) } else { Err(format!("no scene {name:?}")) })
        .err()
        .map(|error| error.to_string())
}

#[test]
fn each_mistake_has_its_path() {
    assert_eq!(said(&sound().to_string()), None);
    let cases = [
        ("/format", json!("engine2d-scene"), "format: "),
        ("/version", json!(2), "version: "),
        ("/scene", json!("heap"), "scene: no scene \"heap\""),
        ("/scene", json!(3), "scene: "),
        ("/parameters", json!({}), "parameters: a list"),
        ("/parameters/0", json!(7), "parameters[0]: an object"),
        ("/parameters/0/path", json!(7), "parameters[0].path: a text"),
        ("/parameters/0/path", json!("bodies[0"), "parameters[0].path: \"bodies[0\" is no path"),
        ("/parameters/0/name", json!(7), "parameters[0].name: a text"),
        ("/parameters/0/name", json!("digest"), "parameters[0]: there is a column \"digest\""),
        ("/parameters/0/name", json!("m"), "parameters[1]: there is a column \"m\""),
        ("/parameters/0/values", json!([]), "parameters[0].values: "),
        ("/parameters/0", json!({"path": "a"}), "parameters[0]: one of values, range"),
        ("/parameters/0", json!({"path": "a", "from": 1}), "parameters[0].to: a number"),
        ("/parameters/0", json!({"path": "a", "from": 1, "to": 2, "count": 1}), "parameters[0].count: "),
        ("/parameters/1/range", json!([2.0, 1.0]), "parameters[1].range: "),
        ("/parameters/1/range", json!([2.0]), "parameters[1].range: "),
        (
            "/parameters/1",
            json!({"path": "a", "range": [0.0, 1.0], "scale": "log"}),
            "parameters[1].scale: log needs ends > 0",
        ),
        (
            "/parameters/1",
            json!({"path": "a", "range": [0.0, 1.0], "scale": "cubic"}),
            "parameters[1].scale: linear or log",
        ),
        ("/parameters/1", json!({"path": "a", "values": [1]}), "sampling: no parameter has a range"),
        ("/sampling", json!(null), "sampling: an object"),
        ("/sampling/method", json!("grid"), "sampling.method: "),
        ("/sampling/count", json!(0), "sampling.count: "),
        ("/sampling/seed", json!(-1), "sampling.seed: "),
        ("/sampling", json!({"method": "random", "count": 3, "sed": 1}), "sampling.sed: unknown field"),
        ("/measures", json!(1), "measures: a list"),
        ("/measures/0/of", json!("enrgy"), "measures[0].of: \"enrgy\" cannot be measured"),
        ("/measures/0/of", json!("bodies[a].z"), "measures[0].of: \"z\" is no number of a body"),
        ("/measures/0/of", json!("events[jam].mass"), "measures[0].of: "),
        ("/measures/0/reduce", json!("most"), "measures[0].reduce: \"most\" is no reduction"),
        (
            "/measures/0",
            json!({"of": "energy", "reduce": "last", "name": "g"}),
            "measures[0]: there is a column",
        ),
    ];
    for (place, value, expected) in cases {
        let mut sweep = sound();
        *sweep.pointer_mut(place).unwrap() = value.clone();
        let said = said(&sweep.to_string()).unwrap_or_default();
        assert!(said.starts_with(expected), "{place} = {value}: {said:?}");
    }
}

#[test]
fn what_is_too_much_or_not_known_is_refused() {
    let with = |name: &str, value: Value| {
        let mut sweep = sound();
        sweep[name] = value;
        said(&sweep.to_string()).unwrap_or_default()
    };
    assert!(with("untl", json!(1.0)).starts_with("untl: unknown field"));
    assert!(with("until", json!("late")).starts_with("until: "));
    assert!(with("repeats", json!(0)).starts_with("repeats: "));
    assert!(with("repeats", json!(1_000_000_000)).starts_with("parameters: more than 1000000000 runs"));
    assert!(said("{").is_some_and(|said| said.starts_with("sweep is not JSON")));
    assert!(said("[]").is_some_and(|said| said.starts_with("sweep: an object")));
}
