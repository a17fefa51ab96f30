//! Judges engine2d against the recorded answers kept in `fixtures/recorded`.

#![expect(clippy::unwrap_used, reason = "a fixture that cannot be read fails the test")]

use engine2d_oracle::{CaseResult, Kind, Recording, Siblings, judge};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

struct Folder(PathBuf);

impl Siblings for Folder {
    fn load(&self, path: &str) -> Option<Value> {
        serde_json::from_slice(&fs::read(self.0.join(path)).ok()?).ok()
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "json") {
            found.push(path);
        }
    }
}

#[test]
fn the_kept_answers_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/recorded");
    let folder = Folder(root.clone());
    let mut found = Vec::new();
    files(&root, &mut found);
    found.sort();
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    let mut failures: Vec<String> = Vec::new();
    for path in found {
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        let value = folder.load(&name).unwrap();
        let Some(kind) = Kind::of(&value) else { continue };
        let recording = Recording { name: &name, value: &value, siblings: &folder };
        judge(kind, &recording, &mut |case: CaseResult| {
            *counts.entry(kind).or_default() += 1;
            if !case.passed {
                failures.push(case.to_string());
            }
        });
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    for (kind, least) in [
        (Kind::Simulation, 7),
        (Kind::Evaluation, 3),
        (Kind::Impulse, 12),
        (Kind::Contacts, 30),
        (Kind::Convex, 30),
        (Kind::Hysteresis, 3),
        (Kind::Compliant, 3),
        (Kind::Constraint, 20),
        (Kind::Lcp, 6),
        (Kind::Linear, 2),
        (Kind::Trig, 20),
    ] {
        let count = counts.get(&kind).copied().unwrap_or(0);
        assert!(count >= least, "{count} {kind} cases, at least {least} are kept");
    }
}

/// A number that differs from `x` in its sixth digit.
fn sixth_digit_changed(x: f64) -> f64 {
    x + 5.0 * 10.0_f64.powi(x.abs().log10().floor() as i32 - 5)
}

/// Recorded answers of every kind: file and place. Impulses that are not unique are judged by the velocities they make.
const ANSWERS: [(Kind, &str, &str); 16] = [
    (
        Kind::Simulation,
        "cases/StraightStraight/110_corner_collision.json",
        "/segments/0/oracle/trajectory/3/state/1",
    ),
    (Kind::Simulation, "cases/Joint/021_pendulum_2_joints_1.json", "/segments/0/expectation/vars/0/0"),
    (Kind::Evaluation, "evaluations/CircleStraight.json", "/evaluations/0/groups/0/b/0"),
    (Kind::Evaluation, "evaluations/CircleStraight.json", "/evaluations/0/groups/0/A/0/0"),
    (Kind::Evaluation, "evaluations/CircleStraight.json", "/evaluations/0/accel_after/1/2"),
    (Kind::Impulse, "impulses/CircleStraight.json", "/calls/0/results/0/body_velocities_after/1/0"),
    (Kind::Contacts, "geometry/synthetic.json", "/configurations/0/results/0/distance"),
    (Kind::Contacts, "geometry/synthetic.json", "/configurations/0/results/0/normal/0"),
    (Kind::Convex, "convex_pairs.json", "/cases/0/distance"),
    (Kind::Hysteresis, "contact_hysteresis.json", "/cases/0/steps/0/z2"),
    (Kind::Compliant, "contact_trajectories.json", "/cases/0/events/1/t"),
    (Kind::Compliant, "contact_trajectories.json", "/cases/0/samples/5/y/1"),
    (Kind::Constraint, "constraints/simbody_ball_states.json", "/cases/0/udot/0"),
    (Kind::Lcp, "lcp.json", "/problems/0/runs/0/f/10"),
    (Kind::Linear, "linear_solve.json", "/problems/1/x/0"),
    (Kind::Trig, "trig.json", "/rows/0/1"),
];

#[test]
fn an_answer_changed_in_its_sixth_digit_is_not_accepted() {
    let folder = Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/recorded"));
    for (kind, file, place) in ANSWERS {
        let mut value = folder.load(file).unwrap();
        let verdicts = |value: &Value| {
            let recording = Recording { name: file, value, siblings: &folder };
            let mut failed = 0;
            judge(kind, &recording, &mut |case| failed += usize::from(!case.passed));
            failed
        };
        assert_eq!(verdicts(&value), 0, "{file}");
        let answer = value.pointer_mut(place).unwrap();
        *answer = Value::from(sixth_digit_changed(answer.as_f64().unwrap()));
        assert!(
            verdicts(&value) > 0,
            "{kind}: {file}{place} = {answer} is accepted",
            answer = value.pointer(place).unwrap()
        );
    }
    assert!(Kind::ALL.iter().all(|(kind, _)| ANSWERS.iter().any(|a| a.0 == *kind)));
}
