//! What the command prints, and how it says that it could not.

use crate::Failure;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

/// The first failure to print a result.
static UNSAID: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints a result to standard output. What cannot be printed is told by [`said`] when the command ends.
pub(crate) fn say(text: &str) {
    let mut out = io::stdout();
    if let Err(error) = writeln!(out, "{text}").and_then(|()| out.flush())
        && let Ok(mut first) = UNSAID.lock()
    {
        first.get_or_insert(error);
    }
}

/// Whether all results could be printed.
pub(crate) fn said() -> Result<(), Failure> {
    match UNSAID.lock().ok().and_then(|mut first| first.take()) {
        Some(error) => Err(Failure::Other(format!("cannot write standard output: {error}"))),
        None => Ok(()),
    }
}

/// Prints a complaint to standard error.
pub(crate) fn complain(text: &str) {
    let _closed = writeln!(io::stderr(), "{text}");
}

/// A failure to read or write a file.
pub(crate) fn cannot(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::Other(format!("cannot {what} {}: {error}", path.display()))
}
