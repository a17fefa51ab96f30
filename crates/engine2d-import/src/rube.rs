//! Worlds of the R.U.B.E. editor: Box2D in JSON.

mod body;
mod fixture;
mod joint;

use crate::assembly::Assembly;
use crate::error::ImportError;
use crate::fields::Fields;
use crate::report::Notes;
use engine2d_scene::Scene;
use serde_json::Value;

/// The scene of a world.
pub(crate) fn read(text: &str, notes: &mut Notes) -> Result<Scene, ImportError> {
    let tree: Value = serde_json::from_str(text)?;
    let world = Fields::of(&tree, "")?;
    let mut assembly = Assembly::new("imported from R.U.B.E.");
    assembly.gravity = world.vector("gravity")?.unwrap_or_default();
    for (path, value) in world.list("body")? {
        let fields = Fields::of(value, path)?;
        let rigid = body::read(&fields, notes)?;
        fields.finish(notes);
        assembly.add(rigid);
    }
    for (path, value) in world.list("joint")? {
        joint::read(Fields::of(value, path)?, &mut assembly, notes)?;
    }
    world.skip(&SOLVER, notes);
    world.finish(notes);
    assembly.finish(notes)
}

/// What tells another solver how to work, and an editor what to show.
const SOLVER: [&str; 12] = [
    "allowSleep",
    "autoClearForces",
    "continuousPhysics",
    "positionIterations",
    "velocityIterations",
    "stepsPerSecond",
    "subStepping",
    "warmStarting",
    "image",
    "collisionbitplanes",
    "customProperties",
    "view",
];
