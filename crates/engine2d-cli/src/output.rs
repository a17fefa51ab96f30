//! What the command prints, and the files it writes.

use crate::Failure;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Prints a result to standard output; a closed pipe is not an error.
pub(crate) fn say(text: &str) {
    let _closed = writeln!(io::stdout(), "{text}");
}

/// Prints a complaint to standard error.
pub(crate) fn complain(text: &str) {
    let _closed = writeln!(io::stderr(), "{text}");
}

/// Opens a file for writing; its path is part of the message if that fails.
pub(crate) fn create(path: &Path) -> Result<BufWriter<File>, Failure> {
    let file = File::create(path).map_err(|error| cannot("write", path, &error))?;
    Ok(BufWriter::new(file))
}

/// A failure to read or write a file.
pub(crate) fn cannot(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::Other(format!("cannot {what} {}: {error}", path.display()))
}
