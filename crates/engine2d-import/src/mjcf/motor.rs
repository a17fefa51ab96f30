//! Actuators: motors of joints, off until they are told what to do.

use super::model::{Model, Way, untold};
use crate::assembly::{Kind, Tie};
use crate::element::Element;
use crate::error::ImportError;
use crate::report::{NoteKind, Notes};
use engine2d_scene::joint::Drive;

/// Adds the motor that an actuator is.
pub(super) fn read(item: &Element<'_, '_>, model: &mut Model, notes: &mut Notes) -> Result<(), ImportError> {
    let item = model.defaults.dress(Element::root(item.node).renamed(&item.path), "")?;
    let tag = item.tag();
    if !matches!(tag, "motor" | "velocity" | "position") || !item.has("joint") {
        untold(&item, notes);
        return Ok(());
    }
    let joint = item.text("joint").unwrap_or_default();
    let Some(axis) = model.joints.get(joint).cloned() else {
        let known = engine2d_scene::nearest(joint, model.joints.keys().map(String::as_str));
        let hint = known.map_or_else(String::new, |known| format!("; did you mean {known:?}?"));
        return Err(item.wrong("joint", format!("no joint of the plane is named {joint:?}{hint}")));
    };
    let gear = item.numbers("gear")?.and_then(|gear| gear.first().copied()).unwrap_or(1.0);
    let largest = |name: &str| {
        Ok::<_, ImportError>(item.vector::<2>(name)?.map(|[low, high]| low.abs().max(high.abs())))
    };
    let (control, force) = (largest("ctrlrange")?, largest("forcerange")?);
    let limit = match tag {
        "motor" => [force, control].into_iter().flatten().reduce(f64::min),
        _ => force,
    };
    let limit = limit.map(|limit| limit * gear.abs()).filter(|limit| *limit > 0.0);
    let (drive, direction) = match axis.way {
        Way::Turn(_) => (Drive::Angle, None),
        Way::Slide(axis) => (Drive::Travel, Some(axis)),
    };
    let servo = tag == "position";
    let (speed, place) = if servo { (None, Some(0.0)) } else { (Some(0.0), None) };
    // Without a control there is no torque: a motor of torque is off, one of speed or place holds still.
    let enabled = tag != "motor";
    let kind = Kind::Motor { drive, axis: direction, speed, place, limit, enabled };
    let text = match tag {
        "motor" => "a motor that is off: switch it on, and set its speed and the limit of its force",
        "velocity" => "a motor of speed 0 whose force is up to its limit, not by a gain",
        _ => "a servo whose force is up to its limit, not by a gain",
    };
    item.note("", NoteKind::Changed, text, notes);
    let name = item.text("name").map_or_else(|| format!("{joint} {tag}"), str::to_owned);
    for name in ["ctrllimited", "forcelimited", "class", "kp", "kv"] {
        item.text(name);
    }
    item.finish(notes);
    let (path, at) = (item.path.clone(), axis.at);
    let (a, b, name) = (axis.parent, Some(axis.child), Some(name));
    model.assembly.ties.push(Tie { path, name, a, at_a: at, b, at_b: at, meet: false, kind });
    Ok(())
}
