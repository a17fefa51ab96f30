//! One page that shows two motions of a scene, one upon the other.

use super::compare::Difference;
use super::motion::{MotionRecord, Sample, rounded};
use crate::picture::Model;
use engine2d_scene::{Scene, SceneError};
use serde_json::json;
use std::io::{self, Write};

/// The page; `{{title}}` and `{{data}}` are filled in.
const PAGE: &str = include_str!("overlay.html");

/// Writes a page that overlays the motion expected and the one found, with the first difference. It needs no network.
///
/// # Errors
/// What writing reports; a scene that is not usable is an error of the kind `InvalidData`.
pub fn write_overlay(
    mut writer: impl Write,
    scene: &Scene,
    (expected, found): (&MotionRecord, &MotionRecord),
    difference: &Difference,
) -> io::Result<()> {
    let invalid = |error: SceneError| io::Error::new(io::ErrorKind::InvalidData, error.to_string());
    let world = scene.to_world().map_err(invalid)?;
    let bodies: Vec<_> = Model::of(&world)
        .bodies
        .into_iter()
        .map(|body| json!({ "name": body.name, "fixed": body.fixed, "pose": body.pose, "paths": body.paths }))
        .collect();
    let samples = |record: &MotionRecord| -> Vec<_> {
        let pose = |state: &[f64; 6]| [state[0], state[1], state[2]].map(rounded);
        let sample = |sample: &Sample| json!({ "t": sample.time, "poses": sample.bodies.iter().map(pose).collect::<Vec<_>>() });
        record.samples.iter().map(sample).collect()
    };
    let title = scene.name.as_deref().unwrap_or("scene");
    let data = json!({
        "title": title, "told": difference.to_string(), "time": difference.time, "bodies": bodies,
        "expected": samples(expected), "found": samples(found),
    });
    // Within a script element only "<" could end it early; JSON has it nowhere but in texts.
    let data = data.to_string().replace('<', "\\u003c");
    let (before, rest) = PAGE.split_once("{{title}}").unwrap_or((PAGE, ""));
    let (between, after) = rest.split_once("{{data}}").unwrap_or((rest, ""));
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    for part in [before, &title, between, &data, after] {
        writer.write_all(part.as_bytes())?;
    }
    Ok(())
}
