//! The commands as a shell sees them: output, files and exit codes.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn engine2d(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine2d"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn output(mut command: Command) -> Output {
    command.output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes")
}

#[test]
fn an_empty_object_is_not_a_scene() {
    let mut command = engine2d(&["validate", "-"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"{}").unwrap();
    let result = child.wait_with_output().unwrap();
    assert_eq!(result.status.code(), Some(2));
    assert!(text(&result.stderr).starts_with("error: scene is not valid (3 problems)\n  bodies: missing"));
}

#[test]
fn every_broken_scene_ends_with_code_2_and_its_mistakes() {
    let mut count = 0;
    for entry in fs::read_dir(fixtures().join("broken")).unwrap() {
        let path = entry.unwrap().path();
        let result = output(engine2d(&["validate", path.to_str().unwrap()]));
        assert_eq!(result.status.code(), Some(2), "{}", path.display());
        assert!(text(&result.stderr).starts_with("error: scene is not "), "{}", text(&result.stderr));
        assert!(result.stdout.is_empty());
        count += 1;
    }
    assert!(count > 10);
}

#[test]
fn a_file_that_is_not_there_is_another_error() {
    let result = output(engine2d(&["validate", "no/such/file.json"]));
    assert_eq!(result.status.code(), Some(1));
    assert!(text(&result.stderr).contains("no file or built-in scene is named no/such/file.json"));
}

#[test]
fn a_saved_scene_is_valid_and_runs() {
    let folder = folder("saved");
    let path = folder.join("ball.json");
    let path = path.to_str().unwrap();
    let saved = output(engine2d(&["scenes", "--write", "ball_on_floor", "--to", path]));
    assert!(saved.status.success(), "{}", text(&saved.stderr));
    let valid = output(engine2d(&["validate", path]));
    assert_eq!(text(&valid.stdout), "scene is valid: 2 bodies, 1 force law, 0 connectors\n");

    let out = folder.join("out");
    let run = output(engine2d(&["run", path, "--until", "1.5", "--out", out.to_str().unwrap()]));
    assert!(run.status.success(), "{}", text(&run.stderr));
    assert!(run.stderr.is_empty(), "quiet when piped: {}", text(&run.stderr));
    assert!(text(&run.stdout).starts_with("ball_on_floor\n  simulated "));

    let table = fs::read_to_string(out.join("trajectory.csv")).unwrap();
    assert_eq!(table.lines().count(), 62);
    assert!(table.starts_with("time,kinetic_energy,potential_energy,total_energy,ball.x,ball.y,ball.angle"));
    let events = fs::read_to_string(out.join("events.jsonl")).unwrap();
    let first: serde_json::Value = serde_json::from_str(events.lines().next().unwrap()).unwrap();
    assert_eq!((&first["event"], &first["bodies"][0]), (&"collision".into(), &"ball".into()));
    let fall = (2.0f64 * 2.0 / 9.81).sqrt();
    assert!((first["time"].as_f64().unwrap() - fall).abs() < 2e-3);
    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    for field in [
        "simulated_s",
        "steps",
        "backups",
        "collisions",
        "contacts_max",
        "energy_start",
        "energy_end",
        "kinetic_energy_end",
        "worst_certificate",
        "worst_penetration",
        "worst_joint_error",
        "lcp_solves",
        "lcp_size_max",
        "digest",
    ] {
        assert!(!summary[field].is_null(), "{field} is missing");
    }
    let page = fs::read_to_string(out.join("replay.html")).unwrap();
    assert!(!page.contains("{{") && !page.contains("http://") && !page.contains("https://"));
}

#[test]
fn the_same_run_has_the_same_files() {
    let run = |name: &str| {
        let out = folder(name);
        let run = output(engine2d(&["run", "billiards", "--until", "2", "--out", out.to_str().unwrap()]));
        assert!(run.status.success(), "{}", text(&run.stderr));
        let timing: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(out.join("timing.json")).unwrap()).unwrap();
        assert!(timing["wall_s"].as_f64().unwrap() > 0.0 && timing["lcp_s"].is_number());
        assert!(timing["stages"].as_object().unwrap().values().all(serde_json::Value::is_number));
        ["trajectory.csv", "events.jsonl", "summary.json", "replay.html"]
            .map(|file| fs::read_to_string(out.join(file)).unwrap())
    };
    let (first, second) = (run("first"), run("second"));
    assert!(first == second, "all but the times of the clock are equal to the byte");
}

#[test]
fn every_built_in_scene_is_listed_and_can_be_drawn() {
    let list = text(&output(engine2d(&["scenes"])).stdout);
    let folder = folder("pictures");
    for line in list.lines() {
        let name = line.split_whitespace().next().unwrap();
        let path = folder.join(format!("{name}.svg"));
        let result = output(engine2d(&["render", name, "--at", "0.2", "--svg", path.to_str().unwrap()]));
        assert!(result.status.success(), "{name}: {}", text(&result.stderr));
        let picture = fs::read_to_string(path).unwrap();
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n") && !picture.contains("NaN"));
    }
    assert!(list.lines().count() >= 11);
}

#[test]
fn wrong_times_are_told() {
    let result = output(engine2d(&["run", "pendulum", "--until", "-1"]));
    assert!(!result.status.success());
    let result = output(engine2d(&["run", "pendulum", "--until=nan"]));
    assert!(text(&result.stderr).contains("a finite number of seconds is needed"));
}

#[test]
fn validate_warns_and_strict_refuses() {
    let path = folder("warned").join("tilted.json");
    let body = r#"{ "shape": { "type": "ball", "radius": 1 }, "angle": 30 }"#;
    fs::write(&path, format!(r#"{{ "format": "engine2d-scene", "version": 1, "bodies": [{body}] }}"#))
        .unwrap();
    let lax = output(engine2d(&["validate", path.to_str().unwrap()]));
    assert_eq!(lax.status.code(), Some(0));
    assert!(text(&lax.stdout).starts_with("scene is valid: 1 body"));
    assert!(text(&lax.stderr).starts_with("warning: bodies[0].angle: 30.0 is more than a turn"));
    let strict = output(engine2d(&["validate", "--strict", path.to_str().unwrap()]));
    assert_eq!(strict.status.code(), Some(2));
    assert!(text(&strict.stderr).ends_with("error: 1 warning, which --strict does not accept\n"));
    let clean = output(engine2d(&["validate", "--strict", "pile"]));
    assert_eq!(clean.status.code(), Some(0), "{}", text(&clean.stderr));
}

#[test]
fn mistyped_names_of_scenes_and_commands_are_suggested() {
    let told = |arguments: &[&str]| text(&output(engine2d(arguments)).stderr);
    let error = "error: no file or built-in scene is named";
    assert_eq!(told(&["run", "pil"]), format!("{error} pil; did you mean pile?\n"));
    assert_eq!(told(&["validte"]), format!("{error} validte; did you mean the command validate?\n"));
    assert!(told(&["run", "quetzalcoatl"]).contains("(built-in: pile, stack"));
    let write = told(&["scenes", "--write", "pendulm"]);
    assert_eq!(write, "error: no built-in scene is named \"pendulm\"; did you mean \"pendulum\"?\n");
}

#[test]
fn mistyped_commands_are_suggested_with_their_arguments() {
    for (arguments, hint) in [
        (&["vaildate", "pile"][..], "; did you mean validate?"),
        (&["rnu", "pile", "--until", "1"], "; did you mean run?"),
        (&["rednder", "pile", "--at", "1"], "; did you mean render?"),
    ] {
        let result = output(engine2d(arguments));
        assert_eq!(result.status.code(), Some(2), "{arguments:?}");
        let told = format!("error: there is no command named {}{hint}\n", arguments[0]);
        assert_eq!(text(&result.stderr), told);
    }
    let result = output(engine2d(&["check", "scenes"]));
    assert!(text(&result.stderr).contains("no command named check (there are: run, validate, "));
    for fitting in [&["pile", "more"][..], &["pile", "--at", "1"]] {
        let result = output(engine2d(fitting));
        assert_eq!(result.status.code(), Some(2), "{fitting:?}");
        assert!(!text(&result.stderr).contains("no command named"), "{}", text(&result.stderr));
    }
}

#[test]
fn a_file_named_like_a_built_in_scene_is_told() {
    let folder = folder("named");
    fs::write(folder.join("pendulum"), "not a scene").unwrap();
    fs::create_dir_all(folder.join("stack")).unwrap();
    for name in ["pendulum", "stack"] {
        let mut command = engine2d(&["validate", name]);
        command.current_dir(&folder);
        let result = output(command);
        assert_eq!(result.status.code(), Some(0));
        let note = format!("note: the built-in scene {name} is meant; write ./{name} for what is here\n");
        assert_eq!(text(&result.stderr), note);
    }
    let mut command = engine2d(&["validate", "./pendulum"]);
    command.current_dir(&folder);
    assert_eq!(output(command).status.code(), Some(2));
}

#[test]
fn the_clock_of_a_run_can_be_chosen() {
    let out = folder("clock");
    let folder = out.to_str().unwrap();
    let result = output(engine2d(&["run", "stack", "--clock", "exact", "--out", folder]));
    assert!(result.status.success(), "{}", text(&result.stderr));
    let said = text(&result.stdout);
    assert!(said.contains("integrator steps                200"), "{said}");
    assert!(said.contains("worst certificate") && said.contains("x real time"), "{said}");
    let refused = output(engine2d(&["run", "compliant_cradle", "--clock", "exact", "--out", folder]));
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("this contact needs the clock \"located\""),
        "{}",
        text(&refused.stderr)
    );
}
