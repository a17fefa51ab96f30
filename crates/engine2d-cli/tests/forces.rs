//! `engine2d run --forces`: contact forces of pairs of bodies in the tables.
#![allow(clippy::unwrap_used)]

use engine2d_table::{Table, Values};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn engine2d(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_engine2d")).args(arguments).output().expect("the command starts")
}

fn run(name: &str, arguments: &[&str]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let line = [arguments, &["--out", folder.to_str().unwrap()]].concat();
    let output = engine2d(&line);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

/// The columns of a table of numbers.
fn columns(folder: &Path) -> BTreeMap<String, Vec<f64>> {
    let text = fs::read_to_string(folder.join("trajectory.csv")).unwrap();
    let mut rows = text.lines().map(|line| line.split(','));
    let mut columns: Vec<(String, Vec<f64>)> =
        rows.next().unwrap().map(|name| (name.to_owned(), Vec::new())).collect();
    for row in rows {
        let values: Vec<f64> = row.map(|value| value.parse().unwrap()).collect();
        assert_eq!(values.len(), columns.len());
        columns.iter_mut().zip(values).for_each(|((_, column), value)| column.push(value));
    }
    columns.into_iter().collect()
}

const MASS: f64 = 3.0;
const G: f64 = 9.81;

/// A block of a mass on a slope, with the tangent of its angle and a coefficient of friction.
fn slope(name: &str, tan: f64, friction: f64, clock: &str) -> PathBuf {
    let angle = tan.atan();
    let (sin, cos) = angle.sin_cos();
    let scene = serde_json::json!({
        "format": "engine2d-scene",
        "version": 1,
        "duration": 1.0,
        "settings": { "clock": clock },
        "bodies": [
            { "name": "slope", "shape": { "type": "block", "width": 40.0, "height": 1.0 }, "fixed": true,
              "position": [0.5 * sin, -0.5 * cos], "angle": angle, "friction": friction },
            { "name": "block", "shape": { "type": "block", "width": 1.0, "height": 0.5 }, "mass": MASS,
              "position": [-0.25 * sin, 0.25 * cos], "angle": angle, "friction": friction },
        ],
        "force_laws": [{ "type": "gravity", "strength": G }],
    });
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.json"));
    fs::write(&path, scene.to_string()).unwrap();
    path
}

/// At rest on a slope of angle α `N = m g cos α`, `T = m g sin α`; sliding down it `T = μ N` and the speed `g t (sin α − μ cos α)`.
#[test]
fn a_block_on_a_slope_presses_and_holds() {
    for (name, tan, friction, mode) in [("rests", 0.4, 0.5, 1.0), ("slides", 0.4, 0.3, 2.0)] {
        let scene = slope(name, tan, friction, "located");
        let folder = run(name, &["run", scene.to_str().unwrap(), "--forces", "block,slope"]);
        let table = columns(&folder);
        let of = |column: &str| &table[&format!("block/slope.{column}")];
        let (sin, cos) = tan.atan().sin_cos();
        let normal = MASS * G * cos;
        // Friction keeps the block from going down, which is to the left of the normal into it turned a quarter: to the lower left.
        let (tangential, acceleration) = if mode == 1.0 {
            (-MASS * G * sin, 0.0)
        } else {
            (-friction * normal, G * (sin - friction * cos))
        };
        assert_eq!(of("contact_mode")[0], 0.0, "no force is known at the start");
        for (row, time) in table["time"].iter().enumerate().skip(1) {
            assert_eq!(of("contact_mode")[row], mode);
            assert!((of("normal_force")[row] - normal).abs() < 1e-9, "{} {normal}", of("normal_force")[row]);
            assert!(
                (of("tangential_force")[row] - tangential).abs() < 1e-9,
                "{} {tangential}",
                of("tangential_force")[row]
            );
            let speed = acceleration * time;
            assert!((of("slip_speed")[row] - speed).abs() < 1e-9, "{} {speed}", of("slip_speed")[row]);
        }
    }
}

/// Steps of a fixed length tell the same, by their own forces; seen from the slope it is the same too.
#[test]
fn fixed_steps_tell_the_same() {
    for (name, friction, mode) in [("steps-rest", 0.5, 1.0), ("steps-slide", 0.3, 2.0)] {
        let scene = slope(name, 0.4, friction, "time_stepping");
        let folder = run(name, &["run", scene.to_str().unwrap(), "--forces", "slope,block"]);
        let table = columns(&folder);
        let last = table["time"].len() - 1;
        let normal = MASS * G * 0.4_f64.atan().cos();
        let tangential = -normal * friction.min(0.4);
        assert_eq!(table["slope/block.contact_mode"][last], mode);
        assert!((table["slope/block.normal_force"][last] - normal).abs() < 1e-9);
        assert!((table["slope/block.tangential_force"][last] - tangential).abs() < 1e-9);
    }
}

#[test]
fn parquet_has_the_same_columns_with_units() {
    let arguments = ["run", "rough_slope", "--until", "0.5", "--forces", "all", "--format", "parquet"];
    let folder = run("forces-parquet", &arguments);
    let text = columns(&folder);
    let table = Table::read_parquet(File::open(folder.join("trajectory.parquet")).unwrap()).unwrap();
    let mut found = 0;
    for column in table.columns().iter().filter(|column| column.name().contains('/')) {
        let Values::Numbers(values) = column.values() else { panic!("numbers") };
        let values: Vec<f64> = values.iter().map(|value| value.unwrap()).collect();
        assert_eq!(values, text[column.name()]);
        let unit = if column.name().ends_with("_force") { "force" } else { column.unit() };
        assert_eq!(column.unit(), unit);
        found += 1;
    }
    // Five blocks and the slope: all pairs of six.
    assert_eq!(found, 4 * 15);
    assert!(text["slope/block0.normal_force"].last().unwrap() > &1.0);
}

#[test]
fn what_is_no_pair_is_told() {
    let cases = [
        ("block0,slop", "--forces: no body is named \"slop\"; did you mean \"slope\"?"),
        ("blok0,slope", "--forces: no body is named \"blok0\"; did you mean \"block0\"?"),
        ("slope", "\"slope\" is no pair of bodies; write two names with a comma between them, or all"),
        ("slope,slope", "\"slope\" does not meet itself"),
        ("block0,xyzzy", "no body is named \"xyzzy\" (there are: slope, block0"),
    ];
    for (asked, told) in cases {
        let output = engine2d(&["run", "rough_slope", "--until", "0", "--forces", asked]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{asked}: {error}");
        assert!(error.contains(told), "{asked}: {error}");
    }
}

/// A run that is killed goes on from its checkpoint with the columns that it began with, to the same bytes.
#[test]
fn a_run_that_was_killed_goes_on_with_its_forces() {
    let begun =
        ["run", "stick_slip", "--until", "150", "--forces", "block,floor", "--checkpoint-every", "0.005"];
    let whole = run("forces-whole", &begun);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("forces-killed");
    let _none = fs::remove_dir_all(&folder);
    let path = folder.to_str().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine2d"));
    let quiet = command.args(begun).args(["--out", path]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn().unwrap();
    let began = Instant::now();
    while !folder.join("checkpoint.state").exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint comes");
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!folder.join("trajectory.csv").exists(), "it was killed on the way");
    let again = engine2d(&["run", "--resume", path, "--forces", "all"]);
    assert_eq!(again.status.code(), Some(2), "a table cannot change its columns on the way");
    assert!(String::from_utf8_lossy(&again.stderr).contains("leave out --forces"));
    let resumed = engine2d(&["run", "--resume", path]);
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    for name in ["trajectory.csv", "events.jsonl", "summary.json"] {
        let [found, expected] = [&folder, &whole].map(|folder| fs::read(folder.join(name)).unwrap());
        assert!(found == expected, "another {name}");
    }
    let table = columns(&folder);
    assert_eq!(table["time"].len(), 6001);
    assert!(table["block/floor.normal_force"].iter().skip(1).all(|force| (force - 1.5 * G).abs() < 1e-6));
}

/// A run from a saved state has the rows of the whole run; the forces of its first one, its start, are not known yet.
#[test]
fn a_run_from_a_saved_state_tells_the_same_forces() {
    let state = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("forces.state");
    let state = state.to_str().unwrap();
    let begun = ["run", "dominoes", "--until", "2", "--forces", "all", "--save", state, "--save-at", "1.2"];
    let whole = columns(&run("forces-saved", &begun));
    let rest = columns(&run("forces-rest", &["run", "--resume", state, "--forces", "all"]));
    let before = whole["time"].len() - rest["time"].len();
    assert!(before > 10 && rest["time"].len() > 10 && whole.len() == rest.len());
    let (mut pressed, mut told) = (0, 0);
    for (name, column) in &rest {
        let same = &whole[name][before..];
        assert!(column[1..] == same[1..], "another {name}");
        if name.contains('/') {
            assert_eq!(column[0], 0.0, "{name}");
            pressed += usize::from(same[0] != 0.0);
            told += 1;
        } else {
            assert_eq!(column[0], same[0], "{name}");
        }
    }
    assert!(pressed > 10 && told == 4 * 78, "{pressed} {told}");
}
