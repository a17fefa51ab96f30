//! Compares the built-in scenes with their committed snapshots, or accepts what changed.

use crate::{Action, TaskError, say, workspace};
use std::process::{Command, ExitCode};

/// Where the snapshots are, from the workspace's folder.
const FOLDER: &str = "crates/engine2d/tests/snapshots";

pub(crate) fn run(action: Action) -> Result<ExitCode, TaskError> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(workspace())
        // With the features of the whole workspace, so that what `cargo test --workspace` has built is not built anew.
        .args(["test", "--quiet", "--locked", "--workspace", "--test", "snapshots"])
        .env("INSTA_UPDATE", if matches!(action, Action::Bless) { "always" } else { "no" })
        .env("INSTA_OUTPUT", "diff")
        // A blessing passes over every difference, so that one run accepts all.
        .env("INSTA_FORCE_PASS", if matches!(action, Action::Bless) { "1" } else { "0" })
        .status()?;
    if !status.success() {
        return Ok(ExitCode::FAILURE);
    }
    say(match action {
        Action::Check => "the built-in scenes move as in their snapshots",
        Action::Bless => "the snapshots are up to date; explain their difference in the commit",
    });
    say(&format!("snapshots: {FOLDER}"));
    Ok(ExitCode::SUCCESS)
}
