//! `cargo xtask oracle DIR [--kind KIND]`: runs every recorded case below a folder and judges it.

use crate::{TaskError, say};
use engine2d_oracle::{CaseResult, FileKind, Kind, Recording, Siblings, judge};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What to run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Folder of recorded answers, searched recursively; a single file is accepted too.
    dir: PathBuf,
    /// Only this kind: simulation, evaluation, impulse, lcp, linear, contacts, trig, convex, hysteresis,
    /// compliant, constraint.
    #[arg(long)]
    kind: Option<Kind>,
    /// Only files whose path contains this.
    #[arg(long)]
    only: Option<String>,
}

/// Runs the cases, prints a line for each and the counts alone on the last line. Fails if a case does, if a file cannot
/// be read or declares a schema that is not known, and if there is no case at all.
pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let printed = judge_all(options)?;
    say(&format!("{} passed, {} failed", printed.passed, printed.failed));
    Ok(if printed.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn judge_all(options: &Options) -> Result<Printed, TaskError> {
    let mut files = Vec::new();
    collect(&options.dir, &mut files)?;
    files.sort();
    let wanted = |f: &PathBuf| options.only.as_ref().is_none_or(|o| f.to_string_lossy().contains(o.as_str()));
    files.retain(wanted);
    let folder = Folder::new(&options.dir);
    let next = AtomicUsize::new(0);
    let finished: Mutex<BTreeMap<usize, Vec<CaseResult>>> = Mutex::new(BTreeMap::new());
    let printed = Mutex::new(Printed::default());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(index) else { break };
                    let results = judge_file(&folder, file, options.kind);
                    lock(&finished).insert(index, results);
                    lock(&printed).print_ready(&mut lock(&finished));
                }
            });
        }
    });
    let mut printed = printed.into_inner().unwrap_or_else(PoisonError::into_inner);
    if printed.passed + printed.failed == 0 {
        let name = options.dir.to_string_lossy();
        printed.print(&CaseResult::failure(&name, "no case", "nothing was judged".to_owned()));
    }
    Ok(printed)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints results in the order of the files, as soon as all earlier ones are done.
#[derive(Default)]
struct Printed {
    next: usize,
    passed: usize,
    failed: usize,
}

impl Printed {
    fn print_ready(&mut self, finished: &mut BTreeMap<usize, Vec<CaseResult>>) {
        while let Some(results) = finished.remove(&self.next) {
            self.next += 1;
            results.iter().for_each(|result| self.print(result));
        }
    }

    fn print(&mut self, result: &CaseResult) {
        say(&result.to_string());
        if result.passed {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
    }

    fn is_success(&self) -> bool {
        self.failed == 0 && self.passed > 0
    }
}

/// All recorded files below `path`.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), TaskError> {
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(|e| format!("{}: {e}", path.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path.to_string_lossy();
        if path.is_dir() || name.ends_with(".json") || name.ends_with(".json.gz") {
            collect(&path, files)?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Value, TaskError> {
    let bytes = fs::read(path)?;
    if path.extension().is_some_and(|e| e == "gz") {
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut text)?;
        return Ok(serde_json::from_slice(&text)?);
    }
    Ok(serde_json::from_slice(&bytes)?)
}

/// The root of a collection: the folder given, or one above it that holds the files a case refers to.
struct Folder {
    roots: Vec<PathBuf>,
    shared: Mutex<BTreeMap<String, Option<Value>>>,
}

impl Folder {
    fn new(dir: &Path) -> Self {
        let start = fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
        Self { roots: start.ancestors().take(4).map(Path::to_owned).collect(), shared: Mutex::default() }
    }

    /// Path of `file` relative to the root of its collection: the nearest folder that has an index or
    /// sensitivity file.
    fn name_of(&self, file: &Path) -> String {
        let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        let is_root = |p: &&Path| p.join("sensitivity.json").is_file();
        let root = file.ancestors().skip(1).take(4).find(is_root).map(Path::to_owned);
        let root = root.or_else(|| self.roots.first().cloned()).unwrap_or_default();
        let relative = file.strip_prefix(&root).unwrap_or(&file);
        if relative.as_os_str().is_empty() {
            return file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        }
        relative.to_string_lossy().replace('\\', "/")
    }
}

impl Siblings for Folder {
    fn load(&self, path: &str) -> Option<Value> {
        // Only the file that every case refers to is worth keeping.
        let keep = path == "sensitivity.json";
        if keep && let Some(value) = lock(&self.shared).get(path) {
            return value.clone();
        }
        let value =
            self.roots.iter().map(|root| root.join(path)).find(|p| p.is_file()).and_then(|p| read(&p).ok());
        if keep {
            lock(&self.shared).insert(path.to_owned(), value.clone());
        }
        value
    }
}

fn judge_file(folder: &Folder, file: &Path, wanted: Option<Kind>) -> Vec<CaseResult> {
    let mut results = Vec::new();
    let name = folder.name_of(file);
    match read(file) {
        Ok(value) => match FileKind::of(&name, &value) {
            FileKind::Cases(kind) if wanted.is_none_or(|w| w == kind) => {
                let recording = Recording { name: &name, value: &value, siblings: folder };
                judge(kind, &recording, &mut |result| results.push(result));
            }
            FileKind::Cases(_) | FileKind::Companion => {}
            FileKind::Unknown(schema) => {
                let reason = match schema {
                    Some(schema) => format!("no judge knows the schema {schema:?}"),
                    None => "the file declares no schema".to_owned(),
                };
                results.push(CaseResult::failure(&name, "unknown schema", reason));
            }
        },
        Err(error) => results.push(CaseResult::failure(&name, "unreadable", error.to_string())),
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdict on a folder of these files.
    fn judged(test: &str, files: &[(&str, &str)], kind: Option<Kind>) -> Printed {
        let dir = std::env::temp_dir().join(format!("engine2d-oracle-{test}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        for (name, text) in files {
            fs::write(dir.join(name), text).unwrap();
        }
        let printed = judge_all(&Options { dir: dir.clone(), kind, only: None }).unwrap();
        fs::remove_dir_all(&dir).unwrap();
        printed
    }

    const GOOD: (&str, &str) = ("trig.json", r#"{"schema":"rigid2d-oracle-trig/1","rows":[[0,0,1,0]]}"#);

    #[test]
    fn right_answers_and_companions_pass() {
        let companion = ("timings.json", r#"{"schema":"rigid2d-oracle-timings/1"}"#);
        let printed = judged("good", &[GOOD, companion, ("index.json", "[{}]")], None);
        assert!(printed.is_success() && printed.passed == 1);
    }

    #[test]
    fn wrong_answers_fail() {
        let wrong = r#"{"schema":"rigid2d-oracle-trig/1","rows":[[0,0.00001,1,0]]}"#;
        assert!(!judged("wrong", &[GOOD, ("wrong.json", wrong)], None).is_success());
    }

    #[test]
    fn no_case_at_all_fails() {
        assert!(!judged("empty", &[], None).is_success());
        assert!(!judged("other", &[GOOD], Some(Kind::Lcp)).is_success());
        let empty = r#"{"schema":"rigid2d-oracle-trig/1","rows":[]}"#;
        assert!(!judged("hollow", &[GOOD, ("empty.json", empty)], None).is_success());
    }

    #[test]
    fn what_cannot_be_read_or_is_not_known_fails() {
        for (test, text) in [
            ("schema", r#"{"schema":"rigid2d-oracle-trig/2","rows":[[0,0,1,0]]}"#),
            ("bare", "{}"),
            ("cut", r#"{"schema":"rigid2d-oracle-trig/1","rows":[[0,0"#),
            ("no-text", "\u{0}"),
        ] {
            assert!(!judged(test, &[GOOD, ("bad.json", text)], None).is_success(), "{test}");
        }
        assert!(!judged("gzip", &[GOOD, ("bad.json.gz", "not compressed")], None).is_success());
    }
}
