//! The rows of a sweep that are done, one JSON object a line: what a command that was ended leaves to the next.

use crate::Failure;
use crate::output::{cannot, complain};
use engine2d_sweep::{Row, Sweep};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A journal being written.
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
}

/// The first line of a journal: whose rows these are.
fn head(sweep: &Sweep) -> String {
    let facts = sweep.facts().into_iter().map(|(key, value)| (key.to_owned(), value.into()));
    serde_json::Value::Object(facts.collect()).to_string()
}

impl Journal {
    /// Opens a journal; a line that was cut short is cut off.
    pub(crate) fn open(path: &Path, sweep: &Sweep) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| cannot("write", path, &error);
        let text = if path.exists() { fs::read_to_string(path).map_err(failed)? } else { String::new() };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
        file.set_len(whole as u64).map_err(failed)?;
        let mut journal = Self { file, path: path.to_owned() };
        if whole == 0 {
            journal.line(&head(sweep))?;
        }
        Ok(journal)
    }

    /// Adds a row.
    pub(crate) fn note(&mut self, row: &Row) -> Result<(), Failure> {
        self.line(&serde_json::to_string(row).map_err(std::io::Error::from)?)
    }

    fn line(&mut self, text: &str) -> Result<(), Failure> {
        // One write for the whole line: what is cut short is cut short at the end of the file.
        self.file
            .write_all(format!("{text}\n").as_bytes())
            .map_err(|error| cannot("write", &self.path, &error))
    }
}

/// The rows in the journals of a folder. Journals of another sweep, scene or version are refused.
pub(crate) fn known(folder: &Path, sweep: &Sweep) -> Result<BTreeMap<u64, Row>, Failure> {
    let mut rows = BTreeMap::new();
    let entries = fs::read_dir(folder).map_err(|error| cannot("read", folder, &error))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    paths.sort();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|error| cannot("read", &path, &error))?;
        let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(str::trim_end);
        let Some(first) = lines.next() else { continue };
        if first != head(sweep) {
            let there = path.display();
            let message =
                format!("{there} is of another sweep, scene or version of the engine: remove it first");
            return Err(Failure::Other(message));
        }
        for line in lines {
            match serde_json::from_str::<Row>(line) {
                Ok(row) => {
                    rows.insert(row.run, row);
                }
                Err(error) => complain(&format!("note: a line of {} is left out: {error}", path.display())),
            }
        }
    }
    Ok(rows)
}
