//! `engine2d validate`.

use crate::output::say;
use crate::{Failure, source};
use std::path::Path;

pub(crate) fn validate(path: &Path) -> Result<(), Failure> {
    let scene = source::load(path)?;
    scene.to_world().map_err(|error| Failure::BadScene(error.to_string()))?;
    let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    say(&format!(
        "scene is valid: {}, {}, {}",
        count(scene.bodies.len(), "body", "bodies"),
        count(scene.force_laws.len(), "force law", "force laws"),
        count(scene.connectors.len(), "connector", "connectors"),
    ));
    Ok(())
}
