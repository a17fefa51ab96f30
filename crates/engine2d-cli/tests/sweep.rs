//! The command `sweep`: shards, resuming after a kill, failures as rows.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::Duration;

const SWEEP: &str = r#"{
    "format": "engine2d-sweep",
    "version": 1,
    "scene": "pile",
    "parameters": [
        {"path": "force_laws[0].strength", "name": "g", "values": [5.0, 10.0]},
        {"path": "bodies[floor].elasticity", "name": "e", "range": [0.0, 0.5]}
    ],
    "sampling": {"method": "latin_hypercube", "count": 3, "seed": 7},
    "repeats": 2,
    "until": 0.5,
    "measures": [
        {"name": "hits", "of": "events[collision]", "reduce": "count"},
        {"of": "kinetic_energy", "reduce": "max"}
    ]
}"#;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _absent = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("sweep.json"), SWEEP).unwrap();
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine2d"));
    command.current_dir(folder).args(["sweep", "sweep.json", "--out", "out"]).args(arguments);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

/// The last word of what was said.
fn digest(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text.split_whitespace().last().unwrap().to_owned()
}

#[test]
fn one_job_two_jobs_and_shards_give_one_table() {
    let whole = folder("sweep-whole");
    let expected = digest(&run(&whole, &["--jobs", "1"]));
    let table = fs::read(whole.join("out/part-1-of-1.parquet")).unwrap();
    assert_eq!(&table[..4], b"PAR1");

    let twice = folder("sweep-two-jobs");
    assert_eq!(digest(&run(&twice, &["--jobs", "2"])), expected);
    assert_eq!(fs::read(twice.join("out/part-1-of-1.parquet")).unwrap(), table);

    let shards = folder("sweep-shards");
    for shard in ["1/3", "2/3", "3/3"] {
        assert_ne!(digest(&run(&shards, &["--shard", shard])), expected);
    }
    let gathered = run(&shards, &["--resume"]);
    assert!(String::from_utf8_lossy(&gathered.stdout).contains("12 of 12 runs are there"));
    assert_eq!(digest(&gathered), expected);
    assert_eq!(fs::read(shards.join("out/part-1-of-1.parquet")).unwrap(), table);
}

#[test]
fn a_killed_sweep_goes_on_where_it_was() {
    let whole = folder("sweep-unkilled");
    let expected = digest(&run(&whole, &["--jobs", "1"]));

    let killed = folder("sweep-killed");
    let mut child = command(&killed, &["--jobs", "1"]).stdout(std::process::Stdio::null()).spawn().unwrap();
    let journal = killed.join("out/part-1-of-1.jsonl");
    let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    while lines() < 4 {
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // As if the kill had come in the middle of a line.
    let mut text = fs::read_to_string(&journal).unwrap();
    text.push_str("{\"run\":11,\"rep");
    fs::write(&journal, text).unwrap();

    let refused = run(&killed, &[]);
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("--resume"));
    assert_eq!(digest(&run(&killed, &["--resume"])), expected);
    let text = fs::read_to_string(&journal).unwrap();
    let mut runs: Vec<u64> = text.lines().skip(1).map(number_of).collect();
    runs.sort_unstable();
    assert_eq!(runs, (0..12).collect::<Vec<_>>(), "no run is lost or repeated");
}

/// The run of a line.
fn number_of(line: &str) -> u64 {
    let row: serde_json::Value = serde_json::from_str(line).unwrap();
    row["run"].as_u64().unwrap()
}

#[test]
fn failures_are_rows_and_mistakes_have_paths() {
    let failing = folder("sweep-failing");
    fs::write(failing.join("sweep.json"), SWEEP.replace("[5.0, 10.0]", "[5.0, \"down\"]")).unwrap();
    let output = run(&failing, &[]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.contains("12 runs, 6 failed"), "{said}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("force_laws[0].strength"));

    let other = run(&folder("sweep-shard"), &["--shard", "4/3"]);
    assert_eq!(other.status.code(), Some(2));
    for (from, to, path) in [
        ("\"count\": 3", "\"count\": 0", "sampling.count"),
        ("latin_hypercube", "grid", "sampling.method"),
        ("\"reduce\": \"max\"", "\"reduce\": \"most\"", "measures[1].reduce"),
        ("\"until\"", "\"untl\"", "untl"),
        ("[0.0, 0.5]", "[0.5, 0.0]", "parameters[1].range"),
    ] {
        fs::write(failing.join("sweep.json"), SWEEP.replace(from, to)).unwrap();
        let output = run(&failing, &["--resume"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(&format!("error: {path}: ")), "{said}");
    }

    fs::write(failing.join("sweep.json"), SWEEP).unwrap();
    let output = run(&failing, &["--resume"]);
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("another sweep"),
        "rows of another sweep are not taken"
    );
}
