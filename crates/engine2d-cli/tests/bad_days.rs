//! Runs that are killed, interrupted, out of space or in each other's way; states saved and resumed.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const RESULTS: [&str; 4] = ["trajectory.csv", "events.jsonl", "summary.json", "replay.html"];

fn engine2d(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine2d"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn output(arguments: &[&str]) -> Output {
    engine2d(arguments).output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder that is not there yet, in one of its own for each test.
fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad_days").join(name);
    let _none = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.parent().unwrap()).unwrap();
    folder
}

fn results(folder: &Path) -> [Vec<u8>; 4] {
    RESULTS.map(|name| fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

const COMPLETE: [&str; 6] =
    [".engine2d.lock", "events.jsonl", "replay.html", "summary.json", "timing.json", "trajectory.csv"];

fn wait_for(what: &Path, child: &mut Child) {
    let began = Instant::now();
    while !what.exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "{} does not come", what.display());
        assert!(child.try_wait().unwrap().is_none(), "the run ended before {} came", what.display());
        sleep(Duration::from_millis(1));
    }
}

/// The next number of a reproducible sequence, from 0 to 1 [Lehmer's generator with the multiplier of Park and Miller].
fn draw(seed: &mut u64) -> f64 {
    *seed = *seed * 48_271 % 2_147_483_647;
    *seed as f64 / 2_147_483_647.0
}

#[test]
fn killed_at_fifty_moments_it_goes_on_to_the_same_bytes() {
    let run = ["run", "billiards", "--until", "12", "--checkpoint-every", "0.005", "--out"];
    let whole = fresh("killed_whole");
    let began = Instant::now();
    let reference = output(&[&run[..], &[whole.to_str().unwrap()]].concat());
    let mut length = began.elapsed().as_secs_f64();
    assert!(reference.status.success(), "{}", text(&reference.stderr));
    let expected = results(&whole);
    let (mut seed, mut resumed, mut in_files, mut k) = (20_u64, 0, 0, 0);
    while k < 50 {
        let folder = fresh("killed");
        let path = folder.to_str().unwrap();
        let mut child = engine2d(&[&run[..], &[path]].concat()).spawn().unwrap();
        sleep(Duration::from_secs_f64(draw(&mut seed) * length));
        if child.try_wait().unwrap().is_some() {
            // It came to its end before: the machine has more time than it had.
            length *= 0.9;
            continue;
        }
        k += 1;
        child.kill().unwrap();
        child.wait().unwrap();
        in_files += usize::from(folder.join("trajectory.csv.part").exists());
        // Killed before there was anything to go on from, or when all was done: else once more on the way.
        for last in [false, true] {
            if !folder.join("checkpoint.state").exists() {
                break;
            }
            resumed += 1;
            let mut child = engine2d(&["run", "--resume", path]).spawn().unwrap();
            if last {
                let end = child.wait_with_output().unwrap();
                assert!(end.status.success(), "kill {k}: {}", text(&end.stderr));
            } else {
                sleep(Duration::from_secs_f64(draw(&mut seed) * 0.5 * length));
                child.kill().unwrap();
                child.wait().unwrap();
            }
        }
        if !folder.join("summary.json").exists() {
            let anew = output(&[&run[..], &[path]].concat());
            assert!(anew.status.success(), "{}", text(&anew.stderr));
        }
        assert!(results(&folder) == expected, "kill {k}: other bytes");
        assert_eq!(names(&folder), COMPLETE, "kill {k}");
    }
    assert!(resumed >= 25 && in_files >= 25, "{resumed} resumes, {in_files} of files that were not complete");
}

#[test]
fn results_of_an_older_run_go_and_nothing_incomplete_stays() {
    let folder = fresh("older");
    let path = folder.to_str().unwrap();
    assert!(output(&["run", "stack", "--until", "0.1", "--out", path]).status.success());
    for left in ["checkpoint.state", "trajectory.csv.part", "replay.html.part"] {
        fs::write(folder.join(left), "of another run").unwrap();
    }
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    assert!(output(&["run", "pendulum", "--until", "0.1", "--out", path]).status.success());
    let mut expected = COMPLETE.to_vec();
    expected.insert(2, "notes.txt");
    assert_eq!(names(&folder), expected);
    assert!(fs::read_to_string(folder.join("trajectory.csv")).unwrap().contains("bar0.x"));
}

#[test]
fn two_runs_do_not_write_into_one_folder() {
    let folder = fresh("twice");
    let path = folder.to_str().unwrap();
    let mut first = engine2d(&["run", "billiards", "--until", "1e6", "--out", path]).spawn().unwrap();
    wait_for(&folder.join("trajectory.csv.part"), &mut first);
    let second = output(&["run", "pendulum", "--out", path]);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(1));
    let told = text(&second.stderr);
    assert!(told.contains("another run writes into") && told.contains(path), "{told}");
    let third = output(&["run", "pendulum", "--until", "0.1", "--out", path]);
    assert!(third.status.success(), "what was killed holds nothing: {}", text(&third.stderr));
}

#[test]
fn an_interrupted_run_ends_with_what_there_is() {
    let folder = fresh("interrupted");
    let (path, state) = (folder.to_str().unwrap(), folder.with_extension("state"));
    let state = state.to_str().unwrap();
    let mut child =
        engine2d(&["run", "billiards", "--until", "1e6", "--save", state, "--out", path]).spawn().unwrap();
    wait_for(&folder.join("trajectory.csv.part"), &mut child);
    sleep(Duration::from_millis(100));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let end = child.wait_with_output().unwrap();
    assert_eq!(end.status.code(), Some(130), "{}", text(&end.stderr));
    assert!(text(&end.stderr).starts_with("error: interrupted at t = "));
    assert_eq!(names(&folder), COMPLETE);
    let table = fs::read_to_string(folder.join("trajectory.csv")).unwrap();
    let columns = table.lines().next().unwrap().split(',').count();
    assert!(table.ends_with('\n') && table.lines().all(|line| line.split(',').count() == columns));
    let on = fresh("interrupted_on");
    let on = output(&["run", "--resume", state, "--until", "0", "--out", on.to_str().unwrap()]);
    assert!(text(&on.stderr).contains("--until 0 is before the start"), "{}", text(&on.stderr));
}

/// A step that takes minutes: hundreds of rough blocks fall on each other within it.
#[test]
fn a_run_is_interrupted_within_a_step() {
    let folder = fresh("within");
    let (path, state) = (folder.to_str().unwrap(), folder.with_extension("state"));
    let scene = folder.with_extension("json");
    let mut bodies = vec![serde_json::json!({
        "name": "floor", "shape": { "type": "block", "width": 40, "height": 1 }, "position": [0, -0.5], "fixed": true,
        "friction": 0.7,
    })];
    bodies.extend((0..400).map(|k| {
        let at = [1.2 * f64::from(k % 20) - 12.0, 0.7 + 1.2 * f64::from(k / 20)];
        serde_json::json!({
            "name": format!("b{k}"), "shape": { "type": "block", "width": 0.8, "height": 0.8 }, "mass": 1, "position": at,
            "angle": 0.37 * f64::from(k), "friction": 0.7,
        })
    }));
    let step = 50.0;
    let whole = serde_json::json!({
        "format": "engine2d-scene", "version": 1, "duration": 100.0 * step, "bodies": bodies,
        "settings": { "time_step": step, "clock": "located" }, "force_laws": [{ "type": "gravity", "strength": 9.81 }],
    });
    fs::write(&scene, whole.to_string()).unwrap();
    let state = state.to_str().unwrap();
    for signal in ["-INT", "-TERM"] {
        let mut child =
            engine2d(&["run", scene.to_str().unwrap(), "--save", state, "--out", path]).spawn().unwrap();
        wait_for(&folder.join("trajectory.csv.part"), &mut child);
        sleep(Duration::from_millis(1500));
        let asked = Instant::now();
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let end = child.wait_with_output().unwrap();
        // Half a second is meant; machines that test have other things to do.
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
        assert_eq!(end.status.code(), Some(130), "{}", text(&end.stderr));
        assert!(text(&end.stderr).starts_with("error: interrupted at t = 0\n"), "{}", text(&end.stderr));
        assert_eq!(names(&folder), COMPLETE);
        assert_eq!(fs::read_to_string(folder.join("trajectory.csv")).unwrap().lines().count(), 2);
        let on = fresh("within_on");
        let on = output(&["run", "--resume", state, "--until", "-1", "--out", on.to_str().unwrap()]);
        assert!(text(&on.stderr).contains("--until -1 is before the start, 0"), "{}", text(&on.stderr));
    }
}

#[test]
fn what_cannot_be_written_is_told_with_its_path_and_code_1() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let result = engine2d(&["scenes"]).stdout(full).output().unwrap();
    assert_eq!(result.status.code(), Some(1));
    assert!(text(&result.stderr).starts_with("error: cannot write standard output: No space left"));

    // A limit on the size of files stands for a disk that is full.
    let folder = fresh("full");
    let run = format!(
        "trap '' XFSZ; ulimit -f 16; exec '{}' run billiards --until 100 --out '{}'",
        env!("CARGO_BIN_EXE_engine2d"),
        folder.display()
    );
    let result = Command::new("sh").args(["-c", &run]).output().unwrap();
    assert_eq!(result.status.code(), Some(1), "{}", text(&result.stderr));
    let part = folder.join("trajectory.csv.part");
    assert!(
        text(&result.stderr).contains(&format!("cannot write {}: ", part.display())),
        "{}",
        text(&result.stderr)
    );
    assert!(!folder.join("trajectory.csv").exists(), "what is not complete has not its name");
    let summary = fs::read_to_string(folder.join("summary.json")).unwrap();
    assert!(summary.contains("\"error\": \"cannot write"), "{summary}");
}

#[test]
fn a_state_saved_on_the_way_goes_on_to_the_same_end() {
    let (whole, rest) = (fresh("saved_whole"), fresh("saved_rest"));
    let state = whole.with_extension("state");
    let state = state.to_str().unwrap();
    let run = ["run", "located_bounces", "--until", "4", "--save", state, "--save-at", "1.7", "--out"];
    let first = output(&[&run[..], &[whole.to_str().unwrap()]].concat());
    assert!(first.status.success(), "{}", text(&first.stderr));
    let second = output(&["run", "--resume", state, "--out", rest.to_str().unwrap()]);
    assert!(second.status.success(), "{}", text(&second.stderr));
    let [all, part] = [&whole, &rest].map(|f| fs::read_to_string(f.join("trajectory.csv")).unwrap());
    let part: Vec<&str> = part.lines().skip(1).collect();
    assert!(part.len() > 10 && part.len() < all.lines().count() - 10);
    assert!(all.ends_with(&(part.join("\n") + "\n")), "the rows are those of the whole run");
    let digest = |folder: &Path| {
        let text = fs::read_to_string(folder.join("summary.json")).unwrap();
        serde_json::from_str::<serde_json::Value>(&text).unwrap()["digest"].clone()
    };
    assert_eq!(digest(&whole), digest(&rest));

    // A branch: the same state under other rules.
    let branch = fresh("saved_branch");
    let branch = branch.to_str().unwrap();
    let other = output(&["run", "--resume", state, "--clock", "exact", "--until", "2", "--out", branch]);
    assert!(other.status.success(), "{}", text(&other.stderr));
    let foreign = output(&["run", "stack", "--resume", state, "--out", branch]);
    assert_eq!(foreign.status.code(), Some(1));
    assert!(text(&foreign.stderr).contains("the state does not fit the scene"), "{}", text(&foreign.stderr));
}

#[test]
fn states_that_are_not_whole_are_refused_before_anything_is_written() {
    let (folder, state) = (fresh("refused"), fresh("refused.state"));
    let at = state.to_str().unwrap();
    assert!(
        output(&["run", "pendulum", "--until", "1", "--save", at, "--out", folder.to_str().unwrap()])
            .status
            .success()
    );
    let whole = fs::read_to_string(&state).unwrap();
    let cases = [
        (whole[..whole.len() - 5].to_owned(), "it was cut short"),
        (whole.replacen("\"until\":1.0", "\"until\":2.0", 1), "it is damaged"),
        (whole.replacen("engine2d-state 1", "engine2d-state 7", 1), "it is of version 7"),
        ("{}".to_owned(), "this is no state file"),
    ];
    for (file, told) in cases {
        fs::write(&state, file).unwrap();
        let out = fresh("refused_out");
        let result = output(&["run", "--resume", at, "--out", out.to_str().unwrap()]);
        assert_eq!(result.status.code(), Some(1));
        let said = text(&result.stderr);
        assert!(said.contains(told) && said.contains(at), "{said}");
        assert!(!out.exists(), "nothing is written");
    }
    let complete = output(&["run", "--resume", folder.to_str().unwrap()]);
    assert!(text(&complete.stderr).contains("there is no checkpoint in"), "{}", text(&complete.stderr));
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_duration() {
    let folder = fresh("long");
    let path = folder.to_str().unwrap();
    let mut child = engine2d(&["run", "billiards", "--until", "1e7", "--out", path]).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let kilobytes = || -> u64 {
        let status = fs::read_to_string(&status).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let written = || fs::metadata(folder.join("trajectory.csv.part")).map_or(0, |file| file.len());
    let reach = |bytes: u64| {
        let began = Instant::now();
        while written() < bytes {
            assert!(began.elapsed() < Duration::from_secs(120), "{} bytes written", written());
            sleep(Duration::from_millis(5));
        }
        (kilobytes(), written())
    };
    let (early, first) = reach(4_000_000);
    let (late, last) = reach(24_000_000);
    child.kill().unwrap();
    child.wait().unwrap();
    let grown = late.saturating_sub(early) * 1024;
    assert!(grown < (last - first) / 8, "{early} kB, then {late} kB, for {} bytes written", last - first);
    fs::remove_dir_all(folder).unwrap();
}
