//! Exercises of textbooks about friction and guided motion, published linkages and masonry, as a reader tries them: a scene file,
//! `engine2d run`, and what its tables tell beside the answer, which is derived beside each.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod balancing;
mod braking;
mod colliding;
mod falling;
mod guided;
mod linkages;
mod rocking;
mod rolling;
mod sliding;
mod woodpecker;

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const G: f64 = 9.81;

/// What differs by less is the same: what integration and the location of events leave.
const SAME: f64 = 1e-9;

/// Time between rows of the tables.
const STEP: f64 = 0.005;

/// The results of a run.
struct Run {
    columns: BTreeMap<String, Vec<f64>>,
    events: Vec<Value>,
}

impl Run {
    fn column(&self, name: &str) -> &[f64] {
        self.columns.get(name).unwrap_or_else(|| panic!("no {name} in {:?}", self.columns.keys()))
    }

    fn first(&self, name: &str) -> f64 {
        self.column(name)[0]
    }

    fn last(&self, name: &str) -> f64 {
        *self.column(name).last().unwrap()
    }

    /// The farthest that a column is from its start.
    fn moved(&self, name: &str) -> f64 {
        let start = self.first(name);
        self.column(name).iter().fold(0.0, |farthest: f64, x| farthest.max((x - start).abs()))
    }

    /// Time of the first event of a kind between two bodies after the start.
    fn time_of(&self, kind: &str, bodies: [&str; 2]) -> Option<f64> {
        let concerns = |event: &Value| {
            let named = event["bodies"].as_array().unwrap();
            bodies.iter().all(|body| named.iter().any(|name| name == body))
        };
        let time = |event: &Value| event["time"].as_f64().unwrap();
        let mut events = self.events.iter();
        events.find(|event| event["event"] == kind && time(event) > 0.0 && concerns(event)).map(time)
    }

    /// A coordinate at a time between two rows, from values and rates of both (cubic).
    fn at(&self, time: f64, value: &str, rate: &str) -> f64 {
        let times = self.column("time");
        let k = times.partition_point(|t| *t <= time).clamp(1, times.len() - 1);
        let (h, s) = (times[k] - times[k - 1], (time - times[k - 1]) / (times[k] - times[k - 1]));
        let (x, v) = (self.column(value), self.column(rate));
        let (p, q) = (s * s * (3.0 - 2.0 * s), s * (1.0 - s));
        x[k - 1] * (1.0 - p) + x[k] * p + h * q * ((1.0 - s) * v[k - 1] - s * v[k])
    }
}

/// Runs a scene of bodies with weight and whatever else there is.
fn run(name: &str, duration: f64, bodies: Value, more: &Value) -> Run {
    let mut scene = json!({
        "format": "engine2d-scene",
        "version": 1,
        "duration": duration,
        "settings": { "time_step": STEP },
        "bodies": bodies,
        "connectors": more["connectors"].as_array().cloned().unwrap_or_default(),
        "force_laws": [{ "type": "gravity", "strength": G }],
    });
    for key in ["curves", "events"] {
        if let Some(value) = more.get(key) {
            scene[key] = value.clone();
        }
    }
    for key in ["friction_rule", "impact_law"] {
        if let Some(value) = more.get(key) {
            scene["settings"][key] = value.clone();
        }
    }
    for (key, value) in more["settings"].as_object().into_iter().flatten() {
        scene["settings"][key] = value.clone();
    }
    for law in more["force_laws"].as_array().into_iter().flatten() {
        scene["force_laws"].as_array_mut().unwrap().push(law.clone());
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("textbook").join(name);
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("scene.json");
    fs::write(&file, scene.to_string()).unwrap();
    let arguments = ["run", file.to_str().unwrap(), "--out", folder.to_str().unwrap()];
    let output = Command::new(env!("CARGO_BIN_EXE_engine2d")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(folder.join("trajectory.csv")).unwrap();
    let mut rows = text.lines();
    let mut columns: Vec<(String, Vec<f64>)> =
        rows.next().unwrap().split(',').map(|name| (name.to_owned(), Vec::new())).collect();
    for row in rows {
        columns.iter_mut().zip(row.split(',')).for_each(|(column, x)| column.1.push(x.parse().unwrap()));
    }
    let events = fs::read_to_string(folder.join("events.jsonl")).unwrap();
    let events = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    Run { columns: columns.into_iter().collect(), events }
}

/// A body with more fields.
fn body(name: &str, shape: Value, friction: f64, position: [f64; 2], more: &Value) -> Value {
    let mut body = json!({
        "name": name, "shape": shape, "friction": friction, "elasticity": 0.0, "position": position,
    });
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    body
}

fn block(width: f64, height: f64) -> Value {
    json!({ "type": "block", "width": width, "height": height })
}

fn ball(radius: f64) -> Value {
    json!({ "type": "ball", "radius": radius })
}

/// A floor whose top is at height 0.
fn floor(friction: f64) -> Value {
    body("floor", block(80.0, 1.0), friction, [0.0, -0.5], &json!({ "fixed": true }))
}

/// A force on a body in its centre, and a torque.
fn force(name: &str, force: [f64; 2], torque: f64) -> Value {
    json!({ "type": "constant_force", "body": name, "force": force, "torque": torque })
}

/// Asserts that two numbers are the same.
#[track_caller]
fn same(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= SAME * expected.abs().max(1.0), "{what}: {found} {expected}");
}

/// The first zero of a function that is negative at the start, by bisection after steps of a thousandth.
fn first_zero(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    let step = 1e-3 * (to - from);
    let mut high = from;
    while f(high) < 0.0 {
        high += step;
        assert!(high < to, "no zero");
    }
    let mut low = high - step;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}
