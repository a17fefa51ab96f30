//! `cargo xtask tidy`: what the compiler does not check. Dependencies in vain, which crate may use which, circles of imports, words that are
//! not the field's, bare small numbers, long files, and what line 1 says.
//!
//! Circles, words, numbers and long files have a ratchet, `xtask/tidy.json`: what is there may stay, more fails, and
//! `bless` writes down what has become less, never more.

mod circles;
mod dependencies;
mod files;
mod layers;
mod literals;
mod ratchet;
mod source;
mod words;

use crate::{Action, TaskError, complain, say, workspace};
use ratchet::Ratchet;
use std::fs;
use std::process::ExitCode;

/// Where the ratchet is, from the workspace's folder.
const RATCHET: &str = "xtask/tidy.json";
/// Where the words are.
const NOTATION: &str = "docs/notation.md";

pub(crate) fn run(action: Action) -> Result<ExitCode, TaskError> {
    let root = workspace();
    let crates = source::read(&root)?;
    let mut faults = Vec::new();
    let mut counted = Ratchet::default();
    let banned = words::banned(&fs::read_to_string(root.join(NOTATION))?)?;
    for package in &crates {
        faults.extend(dependencies::faults(package));
        faults.extend(layers::faults(package));
        faults.extend(files::faults(package));
        files::count(package, &mut counted);
        circles::count(package, &mut counted);
        words::count(package, &banned, &mut counted);
        literals::count(package, &mut counted);
    }
    let path = root.join(RATCHET);
    // The first blessing writes down what there is.
    let allowed = match (action, path.is_file()) {
        (Action::Bless, false) => counted.clone(),
        _ => serde_json::from_str(&fs::read_to_string(&path)?)?,
    };
    faults.extend(counted.beyond(&allowed));
    if matches!(action, Action::Bless) {
        let mut text = serde_json::to_string_pretty(&counted.tightened(&allowed))?;
        text.push('\n');
        fs::write(&path, text)?;
    }
    faults.iter().for_each(|fault| complain(fault));
    let files: usize = crates.iter().map(|c| c.files.len()).sum();
    say(&format!("{} crates, {files} files, {} faults", crates.len(), faults.len()));
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
