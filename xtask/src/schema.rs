//! Keeps `docs/scene.schema.json` and the reference part of `docs/scene-format.md` equal to what the scene crate generates.

use crate::{Action, TaskError, complain, say, workspace};
use std::fs;
use std::process::ExitCode;

/// What begins the generated part of the page, to its end.
const MARK: &str = "<!-- What follows is written by `cargo xtask schema bless`. -->\n";

pub(crate) fn run(action: Action) -> Result<ExitCode, TaskError> {
    let schema = serde_json::to_string_pretty(&engine2d_scene::json_schema())? + "\n";
    let page_path = workspace().join("docs/scene-format.md");
    let page = fs::read_to_string(page_path)?;
    let (by_hand, _) =
        page.split_once(MARK).ok_or("docs/scene-format.md has no mark of its generated part")?;
    let page = format!("{by_hand}{MARK}{}", engine2d_scene::reference());
    let mut code = ExitCode::SUCCESS;
    for (name, current) in [("docs/scene.schema.json", schema), ("docs/scene-format.md", page)] {
        let path = workspace().join(name);
        match action {
            Action::Bless => {
                fs::write(&path, current)?;
                say(&format!("{name} is written"));
            }
            Action::Check if fs::read_to_string(&path)? != current => {
                complain(&format!("{name} is out of date: run `cargo xtask schema bless`"));
                code = ExitCode::FAILURE;
            }
            Action::Check => say(&format!("{name} is current")),
        }
    }
    Ok(code)
}
