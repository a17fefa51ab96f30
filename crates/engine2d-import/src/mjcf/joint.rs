//! Joints of bodies: hinges and slides of the plane.

use super::model::{Axis, Model, Way};
use crate::assembly::{Kind, Tie};
use crate::element::Element;
use crate::error::ImportError;
use crate::plane::{Pose, dot, scale, turn};
use crate::report::{NoteKind, Notes};
use engine2d_scene::Point;

/// Fastens a body to its parent by its joints.
pub(super) fn fasten(
    joints: Vec<Element<'_, '_>>,
    parent: Option<usize>,
    child: usize,
    pose: Pose,
    class: &str,
    model: &mut Model,
    notes: &mut Notes,
) -> Result<(), ImportError> {
    let mut ways = Vec::new();
    let mut limits = Vec::new();
    let mut free = false;
    for joint in joints {
        if joint.tag() == "freejoint" || joint.text("type") == Some("free") {
            free = true;
            joint.text("name");
            joint.skip(&["group", "align"], notes);
            joint.finish(notes);
            continue;
        }
        let joint = model.defaults.dress(joint, class)?;
        let Some((way, at)) = way(&joint, pose, model, notes)? else { continue };
        let name = joint.text("name").map(str::to_owned);
        if let Some(bounds) = bounds(&joint, way, model)? {
            limits.push((name.clone(), bounds, at));
        }
        joint.text("class");
        joint.skip(
            &["group", "solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin", "user"],
            notes,
        );
        joint.finish(notes);
        if let Some(name) = &name {
            model.joints.insert(name.clone(), Axis { parent, child, at, way });
        }
        ways.push((name, way, at, joint.path.clone()));
    }
    let path = model.assembly.rigids[child].path.clone();
    let mut push = |name: Option<String>, at: Point, kind: Kind| {
        let (a, b, path) = (parent, Some(child), path.clone());
        model.assembly.ties.push(Tie { path, name, a, at_a: at, b, at_b: at, meet: false, kind });
    };
    let turns = ways.iter().filter(|(_, way, ..)| matches!(way, Way::Turn(_))).count();
    let slides: Vec<Point> = ways
        .iter()
        .filter_map(|(_, way, ..)| if let Way::Slide(axis) = way { Some(*axis) } else { None })
        .collect();
    let name = ways.first().and_then(|(name, ..)| name.clone());
    match (free, turns, &slides[..]) {
        (true, ..) => {}
        (_, 1, []) => push(name, ways[0].2, Kind::Pin),
        (_, 0, [axis]) => push(name, ways[0].2, Kind::Prismatic { axis: *axis }),
        (_, 1, [axis]) => {
            // The axis of the slide is that of the parent if the slide comes first.
            let hinge = ways.iter().find(|(_, way, ..)| matches!(way, Way::Turn(_))).map_or(pose.at, |w| w.2);
            push(name, hinge, Kind::Slider { axis: *axis });
            if matches!(ways[0].1, Way::Turn(_)) {
                let text = "a slide after a hinge keeps the direction of the parent";
                notes.add(&path, NoteKind::Changed, text);
            }
        }
        (_, 1, [a, b]) if independent(*a, *b) => {}
        (_, 0, [a, b]) if independent(*a, *b) => {
            push(name, pose.at, Kind::Angles { factor_a: -1.0, factor_b: 1.0 });
        }
        _ => notes.add(&path, NoteKind::NotUnderstood, "these joints together leave the body free"),
    }
    for (name, kind, at) in limits {
        push(name.map(|name| format!("{name} limit")), at, kind);
    }
    Ok(())
}

fn independent(a: Point, b: Point) -> bool {
    crate::plane::cross(a, b).abs() > LEAST_SINE
}

/// What a joint lets move, and where; `None`, noted, for one that leaves the plane.
fn way(
    joint: &Element<'_, '_>,
    pose: Pose,
    model: &Model,
    notes: &mut Notes,
) -> Result<Option<(Way, Point)>, ImportError> {
    let plane = model.compiler.plane;
    let axis = joint.vector::<3>("axis")?.unwrap_or([0.0, 0.0, 1.0]);
    let at = pose.out(plane.vector(joint.vector::<3>("pos")?.unwrap_or_default()));
    let way = match joint.text("type").unwrap_or("hinge") {
        "hinge" => plane.sense(axis).map(Way::Turn),
        "slide" => {
            let along = plane.vector(axis);
            let size = dot(along, along).sqrt();
            (plane.off(axis) == 0.0 && size > 0.0)
                .then(|| Way::Slide(turn(scale(along, 1.0 / size), pose.angle)))
        }
        other => {
            joint.note("type", NoteKind::NotUnderstood, format!("a joint of type {other}"), notes);
            return Ok(None);
        }
    };
    if way.is_none() {
        joint.note("axis", NoteKind::NotUnderstood, "a joint that leaves the plane", notes);
    }
    Ok(way.map(|way| (way, at)))
}

/// The limits of a joint, from the start.
fn bounds(joint: &Element<'_, '_>, way: Way, model: &Model) -> Result<Option<Kind>, ImportError> {
    let range = joint.vector::<2>("range")?;
    let start = joint.number("ref")?.unwrap_or(0.0);
    let limited = match joint.text("limited") {
        Some("true") => true,
        Some("false") => false,
        _ => model.compiler.auto_limits,
    };
    let Some([low, high]) = range.filter(|_| limited) else { return Ok(None) };
    if !(low < high) {
        return Err(joint.wrong("range", "the first number must be below the second"));
    }
    Ok(Some(match way {
        Way::Turn(sense) => {
            let [low, high] = [low, high].map(|bound| sense * model.compiler.angle(bound - start));
            Kind::AngleLimit { low: Some(low.min(high)), high: Some(low.max(high)) }
        }
        Way::Slide(axis) => Kind::SlideLimit { axis, low: Some(low - start), high: Some(high - start) },
    }))
}

/// Sine of the angle between two slides below which they are one.
const LEAST_SINE: f64 = 1e-6;
