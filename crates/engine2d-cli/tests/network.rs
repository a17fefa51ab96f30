//! `engine2d run --network`: the contacts that carry a force, and the islands that they make.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn engine2d(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_engine2d")).args(arguments).output().expect("the command starts")
}

/// The rows of a table by column, and its heading.
fn rows(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let text = fs::read_to_string(path).unwrap();
    let mut rows = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let heading = rows.next().unwrap();
    let rows: Vec<_> = rows.collect();
    assert!(rows.iter().all(|row| row.len() == heading.len()));
    (heading, rows)
}

/// Two columns of blocks of 2 kg: in `n` blocks of height `h` the upright internal moment is `m g h n² / 2`.
#[test]
fn tables_of_the_network_say_what_presses_what() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("network");
    let block = |name: &str, x: f64, y: f64| {
        serde_json::json!({ "name": name, "shape": { "type": "block", "width": 1.0, "height": 0.5 }, "mass": 2.0,
                            "position": [x, y] })
    };
    let floor = serde_json::json!({ "name": "floor", "shape": { "type": "block", "width": 9.0, "height": 1.0 },
                                    "fixed": true, "position": [0.0, -0.5] });
    let scene = serde_json::json!({
        "format": "engine2d-scene", "version": 1, "duration": 0.5,
        "bodies": [floor, block("a", -2.0, 0.25), block("b", 2.0, 0.25), block("c", -2.0, 0.75)],
        "force_laws": [{ "type": "gravity", "strength": 10.0 }],
    });
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("network.json");
    fs::write(&path, scene.to_string()).unwrap();
    let line = ["run", path.to_str().unwrap(), "--network", "--out", folder.to_str().unwrap()];
    let output = engine2d(&line);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let (heading, islands) = rows(&folder.join("islands.csv"));
    let column = |name: &str| heading.iter().position(|heading| heading == name).unwrap();
    let last = &islands[islands.len() - 2..];
    assert_eq!((last[0][column("island")].as_str(), last[1][column("island")].as_str()), ("a", "b"));
    for (island, count) in last.iter().zip([2.0, 1.0]) {
        let figure = |name: &str| island[column(name)].parse::<f64>().unwrap();
        let moment = 2.0 * 10.0 * 0.5 * count * count / 2.0;
        assert!((figure("moment_yy") - moment).abs() < 1e-9, "{island:?}");
        assert!((figure("pressure") - moment / (2.0 * 0.5 * count)).abs() < 1e-9, "{island:?}");
        assert!((figure("time") - 0.5).abs() < 1e-12 && figure("bodies") == count);
    }
    let (heading, contacts) = rows(&folder.join("contacts.csv"));
    let column = |name: &str| heading.iter().position(|heading| heading == name).unwrap();
    let last = &contacts[contacts.len() - 6..];
    // The floor bears three blocks of 20 N.
    let on_floor = last.iter().filter(|row| row[1..3].contains(&"floor".to_owned()));
    let total: f64 = on_floor.map(|row| row[column("normal_force")].parse::<f64>().unwrap()).sum();
    assert!((total - 60.0).abs() < 1e-9, "{total}");

    let told = engine2d(&[&line[..], &["--checkpoint-every", "1"]].concat());
    assert_eq!(told.status.code(), Some(2));
    // The next run without it leaves none of its files.
    assert!(engine2d(&["run", path.to_str().unwrap(), "--out", folder.to_str().unwrap()]).status.success());
    assert!(!folder.join("islands.csv").exists() && !folder.join("contacts.csv").exists());
}
