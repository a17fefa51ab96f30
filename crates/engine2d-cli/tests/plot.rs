//! `engine2d plot`: SVG pictures of runs written as text and as Parquet.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn engine2d(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_engine2d")).args(arguments).output().expect("the command starts")
}

fn error_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A run of the pile for a second: 41 rows.
fn run(format: &str, name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let out = folder.to_str().expect("a path of Unicode");
    let output = engine2d(&["run", "pile", "--until", "1", "--format", format, "--out", out]);
    assert!(output.status.success(), "{}", error_of(&output));
    folder
}

fn text_of(path: &Path) -> &str {
    path.to_str().expect("a path of Unicode")
}

fn plot(folder: &Path, arguments: &[&str]) -> String {
    let out = folder.join("plot.svg");
    let line = [&["plot", text_of(folder), "--out", text_of(&out)], arguments].concat();
    let output = engine2d(&line);
    assert!(output.status.success(), "{arguments:?}: {}", error_of(&output));
    fs::read_to_string(out).expect("the picture")
}

/// The numbers of points of the lines that are not of the axes, and the dots.
fn points(svg: &str) -> (Vec<usize>, usize) {
    let lines = svg.split("<polyline ").skip(1).filter_map(|rest| rest.split("/>").next());
    let lines = lines.filter(|line| !line.contains("stroke=\"#000000\""));
    let counts = lines.map(|line| {
        let points = line.split("points=\"").nth(1).and_then(|rest| rest.split('"').next());
        points.map_or(0, |points| points.split_whitespace().count())
    });
    (counts.filter(|count| *count > 2).collect(), svg.matches("<circle ").count())
}

#[test]
fn plots_have_the_points_of_the_run_and_axes_with_units() {
    let (text, parquet) = (run("csv", "plot-csv"), run("parquet", "plot-parquet"));
    let cases: [(&[&str], [&str; 2]); 3] = [
        (&["--what", "energy"], ["time (time)", "energy (energy)"]),
        (&["--what", "trajectory", "--body", "ball1"], ["x (length)", "y (length)"]),
        (&["--what", "phase", "--body", "ball1"], ["angle (radians)", "angular velocity (radians/time)"]),
    ];
    let rows = fs::read_to_string(text.join("trajectory.csv")).unwrap().lines().count() - 1;
    for (arguments, axes) in cases {
        let (first, second) = (plot(&text, arguments), plot(&parquet, arguments));
        assert_eq!(first, second, "{arguments:?}: text and Parquet");
        assert!(axes.iter().all(|axis| first.contains(axis)), "{arguments:?}");
        let lines = if arguments.contains(&"energy") { 3 } else { 1 };
        assert_eq!(points(&first).0, vec![rows; lines], "{arguments:?}");
    }
    // As many dots as events.
    let events = fs::read_to_string(text.join("events.jsonl")).unwrap().lines().count();
    let svg = plot(&text, &["--what", "events"]);
    assert_eq!(points(&svg).1, events);
    assert!(events > 5 && svg.contains("collision"));
    assert_eq!(plot(&parquet, &["--what", "events"]), svg);
    let counts = plot(&parquet, &["--what", "contacts"]);
    assert_eq!(points(&counts).0, [rows]);
    assert!(counts.contains("contacts (number)"));
    let forces = plot(&parquet, &["--what", "forces"]);
    assert!(forces.contains("force (force)"));
}

#[test]
fn what_cannot_be_plotted_is_said() {
    let folder = run("csv", "plot-mistakes");
    let folder = folder.to_str().unwrap();
    let told = |arguments: &[&str], code: i32, text: &str| {
        let output = engine2d(&[&["plot"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", error_of(&output));
        assert!(error_of(&output).contains(text), "{arguments:?}: {}", error_of(&output));
    };
    told(&[folder, "--what", "trajectory", "--body", "bal1"], 2, "did you mean \"ball1\"?");
    told(&[folder, "--what", "phase"], 2, "--body is needed");
    told(&[folder, "--what", "forces"], 1, "--format parquet");
    told(&[folder, "--what", "energy", "--out", "energy.png"], 2, "only SVG files are written");
    told(&["nowhere", "--what", "energy"], 1, "no folder of a run");
}
