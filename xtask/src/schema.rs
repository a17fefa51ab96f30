//! Keeps `docs/scene.schema.json` equal to what the scene crate generates.

use crate::{Action, TaskError, complain, say, workspace};
use std::fs;
use std::process::ExitCode;

pub(crate) fn run(action: Action) -> Result<ExitCode, TaskError> {
    let path = workspace().join("docs/scene.schema.json");
    let current = serde_json::to_string_pretty(&engine2d_scene::json_schema())? + "\n";
    match action {
        Action::Bless => {
            fs::write(&path, current)?;
            say("docs/scene.schema.json is written");
        }
        Action::Check if fs::read_to_string(&path)? != current => {
            complain("docs/scene.schema.json is out of date: run `cargo xtask schema bless`");
            return Ok(ExitCode::FAILURE);
        }
        Action::Check => say("docs/scene.schema.json is current"),
    }
    Ok(ExitCode::SUCCESS)
}
