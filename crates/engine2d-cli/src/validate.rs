//! `engine2d validate`.

use crate::limits::LimitArguments;
use crate::output::{complain, say};
use crate::{Failure, source};
use std::path::PathBuf;

/// What to judge, and how strictly.
#[derive(clap::Args)]
pub(crate) struct ValidateArguments {
    /// Scene file, `-` for standard input, or the name of a built-in scene.
    scene: PathBuf,
    /// Take warnings as errors: exit code 2.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    limits: LimitArguments,
}

pub(crate) fn validate(arguments: &ValidateArguments) -> Result<(), Failure> {
    let scene = source::load(&arguments.scene, &arguments.limits.of_scenes())?;
    scene.to_world().map_err(|error| Failure::BadScene(error.to_string()))?;
    let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    say(&format!(
        "scene is valid: {}, {}, {}",
        count(scene.bodies.len(), "body", "bodies"),
        count(scene.force_laws.len(), "force law", "force laws"),
        count(scene.connectors.len(), "connector", "connectors"),
    ));
    let warnings = scene.warnings();
    for warning in &warnings {
        complain(&format!("warning: {warning}"));
    }
    if arguments.strict && !warnings.is_empty() {
        let found = count(warnings.len(), "warning", "warnings");
        return Err(Failure::BadScene(format!("{found}, which --strict does not accept")));
    }
    Ok(())
}
