//! Files that are there when they are complete, and not before.

use crate::Failure;
use crate::output::cannot;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What is added to the name of a file that is not complete.
const SUFFIX: &str = ".part";

/// A file that is written under a temporary name. Every failure to write tells its path.
pub(crate) struct PartFile {
    path: PathBuf,
    /// Its name until it is complete; that of `path` for what is no ordinary file, as a terminal.
    part: PathBuf,
    writer: BufWriter<File>,
    /// Bytes written so far.
    length: u64,
}

/// The name of a file until it is complete.
pub(crate) fn temporary(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(SUFFIX);
    PathBuf::from(name)
}

impl PartFile {
    /// Begins a file that will be at `path`.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let is_special = path.metadata().is_ok_and(|found| !found.is_file());
        let part = if is_special { path.to_owned() } else { temporary(path) };
        let file = File::create(&part).map_err(|error| cannot("write", &part, &error))?;
        Ok(Self { path: path.to_owned(), part, writer: BufWriter::new(file), length: 0 })
    }

    /// Goes on with a file of which `length` bytes are right; what was written after them goes.
    pub(crate) fn resume(path: &Path, length: u64) -> Result<Self, Failure> {
        let part = temporary(path);
        if !part.exists() && path.exists() {
            // The run was ended while it gave its files their names.
            fs::rename(path, &part).map_err(|error| cannot("rename", path, &error))?;
        }
        let open = || -> io::Result<File> {
            let mut file = File::options().write(true).open(&part)?;
            let found = file.metadata()?.len();
            if found < length {
                let told = format!("it has {found} bytes, its checkpoint knows {length}");
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, told));
            }
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(|error| cannot("go on with", &part, &error))?;
        Ok(Self { path: path.to_owned(), part, writer: BufWriter::new(file), length })
    }

    /// Brings all that was written to the disk; returns how many bytes that is.
    pub(crate) fn settle(&mut self) -> io::Result<u64> {
        let is_special = self.part == self.path;
        let sync = |file: &File| if is_special { Ok(()) } else { file.sync_data() };
        let settled = self.writer.flush().and_then(|()| sync(self.writer.get_ref()));
        settled.map_err(|error| self.named(&error))?;
        Ok(self.length)
    }

    /// Gives the file its name: now it is complete.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.writer.flush().map_err(|error| Failure::Other(self.named(&error).to_string()))?;
        if self.part == self.path {
            return Ok(());
        }
        fs::rename(&self.part, &self.path).map_err(|error| cannot("rename", &self.part, &error))
    }

    /// An error with the path.
    fn named(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("cannot write {}: {error}", self.part.display()))
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes).map_err(|error| self.named(&error))?;
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|error| self.named(&error))
    }
}

/// Writes a whole file: it is there complete, or as it was before.
pub(crate) fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut PartFile) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut file = PartFile::create(path)?;
    let told = |error: io::Error| Failure::Other(error.to_string());
    fill(&mut file).map_err(told)?;
    file.settle().map_err(told)?;
    file.finish()
}
