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
    ] {
        let count = counts.get(&kind).copied().unwrap_or(0);
        assert!(count >= least, "{count} {kind} cases, at least {least} are kept");
    }
}

#[test]
fn a_wrong_answer_is_not_accepted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/recorded");
    let folder = Folder(root);
    let mut value = folder.load("convex_pairs.json").unwrap();
    let distance = value["cases"][0]["distance"].as_f64().unwrap();
    value["cases"][0]["distance"] = Value::from(distance + 2e-9);
    let recording = Recording { name: "convex_pairs.json", value: &value, siblings: &folder };
    let mut verdicts = Vec::new();
    judge(Kind::Convex, &recording, &mut |case| verdicts.push(case.passed));
    assert!(!verdicts[0] && verdicts[1..].iter().all(|p| *p));
}
