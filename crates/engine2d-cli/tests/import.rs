//! `engine2d import`: scenes of other programs' files, and how it says what is not in them.

use std::path::PathBuf;
use std::process::{Command, Output};

fn engine2d(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_engine2d")).args(arguments).output().expect("the command starts")
}

fn sample(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/import").join(name);
    path.to_str().expect("a path of Unicode").to_owned()
}

fn error_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn each_sample_becomes_a_valid_scene() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for (name, lost) in [
        ("pendulum.xml", "joint[hinge]/@damping: not understood"),
        ("stack.json", "joint[3]: not understood: a joint of type friction"),
        ("ramp.json", "layers[1].objects[1].properties[colour]: not understood"),
        ("ramp.tmx", "layers[0]: not understood: a layer of type \"tilelayer\" has no objects"),
    ] {
        let scene = folder.join(format!("{name}.scene.json"));
        let scene = scene.to_str().unwrap();
        let output = engine2d(&["import", &sample(name), "--out", scene]);
        assert!(output.status.success(), "{}", error_of(&output));
        assert!(error_of(&output).contains(lost), "{}", error_of(&output));
        assert!(engine2d(&["validate", scene]).status.success(), "{name}");
    }
}

#[test]
fn strict_and_wrong_files_end_with_code_2() {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("never.json");
    let strict = engine2d(&["import", &sample("stack.json"), "--strict", "--out", out.to_str().unwrap()]);
    assert_eq!(strict.status.code(), Some(2));
    assert!(error_of(&strict).contains("which --strict does not accept") && !out.exists());
    let other = engine2d(&["import", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")]);
    assert_eq!(other.status.code(), Some(2));
    assert!(error_of(&other).contains("the format cannot be told"), "{}", error_of(&other));
    let missing = engine2d(&["import", "nowhere.xml"]);
    assert_eq!(missing.status.code(), Some(1));
    let wrong = engine2d(&["import", &sample("ramp.json"), "--from", "mjcf"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(error_of(&wrong).contains("not XML"), "{}", error_of(&wrong));
}
