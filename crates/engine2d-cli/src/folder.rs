//! The folder of a run's results: one run at a time, nothing left of an older one.

use crate::Failure;
use crate::output::cannot;
use crate::part::temporary;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The table of the motion.
pub(crate) const TRAJECTORY: &str = "trajectory.csv";
/// The record of events.
pub(crate) const EVENTS: &str = "events.jsonl";
/// The figures.
pub(crate) const SUMMARY: &str = "summary.json";
/// What the wall clock says.
pub(crate) const TIMING: &str = "timing.json";
/// The page that plays the run.
pub(crate) const REPLAY: &str = "replay.html";
/// The state from which a run that was killed goes on.
pub(crate) const CHECKPOINT: &str = "checkpoint.state";

/// The tables in Parquet.
pub(crate) const TABLES: [&str; 3] = ["trajectory.parquet", "contacts.parquet", "events.parquet"];

/// The network of contact forces: contacts and islands.
pub(crate) const NETWORK: [&str; 2] = ["contacts.csv", "islands.csv"];

/// All that a run writes beside them.
const ALL: [&str; 6] = [CHECKPOINT, SUMMARY, TIMING, REPLAY, EVENTS, TRAJECTORY];

/// The file that a run holds locked.
const LOCK: &str = ".engine2d.lock";

/// A folder that no other run writes into while this one is open.
pub(crate) struct Folder {
    path: PathBuf,
    /// Unlocked when it is closed, however the program ends.
    _lock: File,
}

impl Folder {
    /// Opens the folder, which is made if needed, for one run.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|error| cannot("create", path, &error))?;
        let name = path.join(LOCK);
        let lock = File::options().write(true).create(true).truncate(false).open(&name);
        let lock = lock.map_err(|error| cannot("write", &name, &error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(Failure::Other(format!(
                "another run writes into {}: wait for it, or give this one another folder with --out",
                path.display()
            ))),
            Err(TryLockError::Error(error)) => Err(cannot("lock", &name, &error)),
        }
    }

    /// Where a file of the run is.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Removes what an older run left, complete or not.
    pub(crate) fn clear(&self) -> Result<(), Failure> {
        for name in ALL.into_iter().chain(TABLES).chain(NETWORK) {
            let path = self.file(name);
            remove(&path)?;
            remove(&temporary(&path))?;
        }
        Ok(())
    }

    /// Removes the checkpoint, and one that was not complete when the run was killed: the run is complete.
    pub(crate) fn forget_checkpoint(&self) -> Result<(), Failure> {
        let path = self.file(CHECKPOINT);
        remove(&temporary(&path))?;
        remove(&path)
    }
}

/// Removes a file if it is there.
fn remove(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot("remove", path, &error)),
        _ => Ok(()),
    }
}
