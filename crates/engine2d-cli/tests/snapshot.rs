//! Motions of a folder of scenes as regression tests, as a user has them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn engine2d(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine2d"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// An empty folder with two scenes in `scenes`.
fn project(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("snapshot").join(name);
    let _none = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("scenes")).unwrap();
    for scene in ["ball_on_floor", "newtons_cradle"] {
        let to = format!("scenes/{scene}.json");
        assert!(engine2d(&folder, &["scenes", "--write", scene, "--to", &to]).status.success());
    }
    folder
}

#[test]
fn a_folder_is_blessed_checked_and_told_what_differs() {
    let folder = project("told");
    let unblessed = engine2d(&folder, &["snapshot", "check"]);
    assert_eq!(unblessed.status.code(), Some(1));
    assert!(text(&unblessed.stdout).contains("ball_on_floor  has no snapshot yet"));

    let bless = ["snapshot", "bless", "--horizon", "2", "--reason", "the \"first\" motions"];
    let blessed = engine2d(&folder, &bless);
    assert!(blessed.status.success(), "{}", text(&blessed.stderr));
    let path = folder.join("scenes/snapshots/ball_on_floor.snap");
    let snap = fs::read_to_string(&path).unwrap();
    let heading = "---\nsource: \"ball_on_floor.json\"\ndescription: \"the \\\"first\\\" motions\"\nexpression: engine2d motion 1\n---\n";
    assert!(snap.starts_with(heading), "{}", &snap[..200]);
    assert!(snap.contains("\nevent 6.38") && snap.contains("\nbits ") && snap.contains("\ncount steps: "));
    let checked = engine2d(&folder, &["snapshot", "check"]);
    assert!(checked.status.success(), "{}{}", text(&checked.stdout), text(&checked.stderr));

    // The ball starts a little faster.
    let scene = folder.join("scenes/ball_on_floor.json");
    let original = fs::read_to_string(&scene).unwrap();
    let mut changed: serde_json::Value = serde_json::from_str(&original).unwrap();
    let bodies = changed["bodies"].as_array_mut().unwrap();
    let ball = bodies.iter_mut().find(|body| body["name"] == "ball").unwrap();
    ball["velocity"] = serde_json::json!([1e-7, 0.0]);
    fs::write(&scene, changed.to_string()).unwrap();
    let different = engine2d(&folder, &["snapshot", "check"]);
    assert_eq!(different.status.code(), Some(1));
    let said = text(&different.stdout);
    let told = "ball_on_floor  at t = 0, body \"ball\", vx: expected 0, found 0.0000001\n  blessed because: the \"first\" motions\n";
    assert!(said.starts_with(told), "{said}");
    assert!(said.contains("newtons_cradle  ok"));
    let page = fs::read_to_string(folder.join("scenes/snapshots/ball_on_floor.difference.html")).unwrap();
    assert!(page.contains("\"expected\":[{") && page.contains("\"found\":[{") && !page.contains("{{"));
    assert!(!page.contains("http"), "it needs no network");
    assert!(text(&different.stderr).contains("1 of 2 snapshots differ"));

    // Within a tolerance it is the same; with the old scene it is to the bit, and the page goes.
    assert!(engine2d(&folder, &["snapshot", "check", "--tolerance", "1e-5"]).status.success());
    fs::write(&scene, original).unwrap();
    assert!(engine2d(&folder, &["snapshot", "check", "scenes"]).status.success());
    assert!(!folder.join("scenes/snapshots/ball_on_floor.difference.html").exists());

    // Who is accepted anew has a new reason, the other keeps its own.
    fs::write(&scene, changed.to_string()).unwrap();
    assert!(
        engine2d(&folder, &["snapshot", "bless", "--horizon", "2", "--reason", "a faster ball"])
            .status
            .success()
    );
    assert!(fs::read_to_string(&path).unwrap().contains("description: \"a faster ball\""));
    let other = fs::read_to_string(folder.join("scenes/snapshots/newtons_cradle.snap")).unwrap();
    assert!(other.contains("the \\\"first\\\" motions"));
}

#[test]
fn a_difference_of_the_last_bits_is_found_and_one_behind_the_horizon_is_not() {
    let folder = project("bits");
    let bless = ["snapshot", "bless", "--horizon", "2", "--reason", "first"];
    assert!(engine2d(&folder, &bless).status.success());
    let path = folder.join("scenes/snapshots/ball_on_floor.snap");
    let snap = fs::read_to_string(&path).unwrap();
    let bits = snap.lines().find(|line| line.starts_with("bits ")).unwrap();
    let other = bits.replace(|c: char| c.is_ascii_digit(), "0");
    fs::write(&path, snap.replace(bits, &other)).unwrap();
    let different = text(&engine2d(&folder, &["snapshot", "check"]).stdout);
    assert!(different.contains("ball_on_floor  body \"ball\", bits of all steps: expected "), "{different}");
    assert!(engine2d(&folder, &["snapshot", "check", "--tolerance", "1e-9"]).status.success());

    // The first event is at 0.64 s.
    let event = snap.lines().find(|line| line.starts_with("event ")).unwrap();
    fs::write(&path, snap.replace(event, &event.replace("event 6", "event 7"))).unwrap();
    let different = text(&engine2d(&folder, &["snapshot", "check"]).stdout);
    assert!(
        different.contains("at t = 0.638") && different.contains("the events, number 1: expected"),
        "{different}"
    );
    assert!(engine2d(&folder, &["snapshot", "check", "--horizon", "0.6"]).status.success());
}

#[test]
fn a_blessing_needs_a_reason_and_a_text_that_is_none_is_told_with_its_line() {
    let folder = project("reason");
    let without = engine2d(&folder, &["snapshot", "bless"]);
    assert_eq!(without.status.code(), Some(2));
    assert!(text(&without.stderr).contains("--reason"));
    assert_eq!(engine2d(&folder, &["snapshot", "bless", "--reason", " "]).status.code(), Some(2));
    assert!(engine2d(&folder, &["snapshot", "bless", "--horizon", "0.1", "--reason", "r"]).status.success());
    let path = folder.join("scenes/snapshots/ball_on_floor.snap");
    let snap = fs::read_to_string(&path).unwrap();
    fs::write(&path, snap.replacen("until 1", "until one ", 1)).unwrap();
    let told = text(&engine2d(&folder, &["snapshot", "check"]).stderr);
    assert!(told.contains("ball_on_floor.snap: the snapshot cannot be read: line 6: "), "{told}");
    fs::write(folder.join("scenes/snapshots/gone.snap"), snap).unwrap();
    assert!(engine2d(&folder, &["snapshot", "bless", "--reason", "tidy"]).status.success());
    assert!(!folder.join("scenes/snapshots/gone.snap").exists(), "what has no scene goes");
}
