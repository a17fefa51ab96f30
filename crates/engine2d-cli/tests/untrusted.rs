//! What nobody vouches for ends in a clear error, soon; what the engine tells of its work, and that it changes nothing.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn output(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine2d"));
    command.args(arguments).stdin(Stdio::null()).output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("untrusted").join(name);
    let _none = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

const BALL: &str = r#"{"shape":{"type":"ball","radius":1},"position":[0,5]}"#;

#[test]
fn each_ends_in_a_clear_error_within_a_second() {
    let folder = fresh("cases");
    let scene = |fields: &str| format!(r#"{{"format":"engine2d-scene","version":1,{fields}}}"#);
    let with = |fields: &str| scene(&format!(r#""bodies":[{BALL}],{fields}"#));
    let cases = [
        (with(r#""duration":1e300"#), "changes nothing"),
        (with(r#""settings":{"time_step":1e-300}"#), "changes nothing"),
        (with(r#""start_time":1e16"#), "changes nothing"),
        (with(r#""duration":1e9"#), "steps"),
        (with(r#""duration":1e999"#), "out of range"),
        (
            scene(r#""bodies":[{"repeat":1000000,"shape":{"type":"ball","radius":1}}]"#),
            "at most 100000 bodies",
        ),
        (scene(r#""bodies":[{"shape":{"type":"ball","radius":NaN}}]"#), "not JSON"),
        ("[".repeat(1_000_000), "not JSON"),
        (format!("[{}0]", "0,".repeat(10_000_000)), "more than 1500000 values"),
    ];
    let most = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });
    for (k, (scene, told)) in cases.iter().enumerate() {
        let file = folder.join(format!("{k}.json"));
        fs::write(&file, scene).unwrap();
        let began = Instant::now();
        let out = folder.join("out");
        let result = output(&["run", file.to_str().unwrap(), "--out", out.to_str().unwrap()]);
        assert!(began.elapsed() < most, "case {k} took {:?}", began.elapsed());
        assert_eq!(result.status.code(), Some(2), "case {k}");
        assert!(text(&result.stderr).contains(told), "case {k}: {}", text(&result.stderr));
        assert!(!out.exists());
    }
    let began = Instant::now();
    let endless = fs::File::open("/dev/zero").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine2d"));
    let result = command.args(["validate", "-"]).stdin(endless).output().unwrap();
    assert!(began.elapsed() < most);
    assert!(text(&result.stderr).contains("more than 67108864 bytes"), "{}", text(&result.stderr));
}

#[test]
fn runs_end_at_their_limits_with_what_there_is() {
    let folder = fresh("limits");
    let out = folder.join("out");
    let out = out.to_str().unwrap();
    for (limit, told) in [
        ("steps=20", "the run would take"),
        ("events=5", "more than 5 events"),
        ("contacts=1", "more than 1 contacts"),
        ("wall_time=0.05", "seconds of wall time|time allowed on the clock"),
        ("memory=1e6", "more than 1000000 bytes of memory"),
    ] {
        let began = Instant::now();
        let result =
            output(&["run", "pile", "--clock", "exact", "--until", "50", "--limit", limit, "--out", out]);
        assert!(began.elapsed() < Duration::from_secs(20), "{limit}");
        assert_eq!(result.status.code(), Some(1), "{limit}");
        let said = text(&result.stderr);
        assert!(told.split('|').any(|told| said.contains(told)), "{limit}: {said}");
    }
    let unknown = output(&["run", "pile", "--limit", "bodyes=3"]);
    assert!(text(&unknown.stderr).contains("there is no limit of \"bodyes\""), "{}", text(&unknown.stderr));
}

#[test]
fn what_is_told_of_the_work_changes_no_byte() {
    let folder = fresh("told");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let run = |name: &str, more: &[&str]| {
        let out = at(name);
        let result = output(&[&["run", "rocking_block", "--until", "1", "--out", &out], more].concat());
        assert!(result.status.success(), "{}", text(&result.stderr));
        let files = ["trajectory.csv", "events.jsonl", "summary.json", "replay.html"]
            .map(|file| fs::read(folder.join(name).join(file)).unwrap());
        (text(&result.stderr), files)
    };
    let trace = at("trace.json");
    let (silent, expected) = run("silent", &[]);
    let (steps, with_steps) = run("steps", &["-v"]);
    let (all, with_all) = run("all", &["-vv", "--trace", &trace]);
    assert!(silent.is_empty(), "{silent}");
    assert!(expected == with_steps && expected == with_all);
    assert!(steps.contains("step{time=0.0 ") && steps.contains("impact{") && !steps.contains("stage{"));
    assert!(all.contains("stage{name=\"detection\"}") && all.contains("island{"));
    let events: serde_json::Value = serde_json::from_str(&fs::read_to_string(&trace).unwrap()).unwrap();
    let events = events.as_array().unwrap();
    for name in ["step", "stage", "island", "impact"] {
        let of_it: Vec<_> = events.iter().filter(|event| event["name"] == name).collect();
        assert!(!of_it.is_empty(), "no {name}");
        assert!(of_it.iter().all(|event| event["ph"] == "X" && event["dur"].as_f64().unwrap() >= 0.0));
    }
    let step = events.iter().find(|event| event["name"] == "step").unwrap();
    assert_eq!(step["args"]["status"], "done");
    assert_eq!(step["args"]["time"], 0.0);
}

#[test]
fn a_scene_with_a_byte_order_mark_is_read() {
    let folder = fresh("mark");
    let path = folder.join("mark.json");
    let mut file = fs::File::create(&path).unwrap();
    write!(file, "\u{feff}{{\"format\":\"engine2d-scene\",\"version\":1,\"bodies\":[{BALL}]}}").unwrap();
    assert!(output(&["validate", path.to_str().unwrap()]).status.success());
}
