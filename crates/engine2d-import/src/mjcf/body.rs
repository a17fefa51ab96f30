//! Bodies within bodies, with their joints.

use super::geom;
use super::joint;
use super::model::{Model, untold};
use crate::element::Element;
use crate::error::ImportError;
use crate::plane::Pose;
use crate::report::{NoteKind, Notes};
use crate::rigid::{Mass, Motion, Rigid};

/// What a body is fastened to: a rigid, or the world.
type Parent = Option<usize>;

/// Reads the bodies that are within an element.
pub(super) fn nested(
    element: &Element<'_, '_>,
    parent: Parent,
    parent_pose: Pose,
    class: &str,
    depth: usize,
    model: &mut Model,
    notes: &mut Notes,
) -> Result<(), ImportError> {
    if depth > DEEPEST {
        return Err(element.wrong("", format!("bodies deeper than {DEEPEST}")));
    }
    for child in element.children().into_iter().filter(|child| child.tag() == "body") {
        body(&child, parent, parent_pose, class, depth, model, notes)?;
    }
    Ok(())
}

fn body(
    element: &Element<'_, '_>,
    parent: Parent,
    parent_pose: Pose,
    class: &str,
    depth: usize,
    model: &mut Model,
    notes: &mut Notes,
) -> Result<(), ImportError> {
    let pose = parent_pose.then(model.compiler.pose(element, notes)?);
    let class = element.text("childclass").unwrap_or(class).to_owned();
    let name = element.text("name").map(str::to_owned);
    element.skip(&["mocap", "user"], notes);
    element.finish(notes);
    let joints: Vec<Element<'_, '_>> =
        element.children().into_iter().filter(|c| matches!(c.tag(), "joint" | "freejoint")).collect();
    if joints.is_empty() {
        // It is one with what it is fastened to.
        let place = match parent {
            Some(rigid) => {
                let mut whole = model.assembly.rigids[rigid].clone();
                let inner = Pose { at: whole.pose.inside(pose.at), angle: pose.angle - whole.pose.angle };
                contents(element, &mut whole, inner, name.as_deref(), &class, model, notes)?;
                model.assembly.rigids[rigid] = whole;
                Some(rigid)
            }
            None => {
                let mut fixed = Rigid::new(&element.path, name.clone(), pose, Motion::Fixed);
                contents(element, &mut fixed, Pose::default(), None, &class, model, notes)?;
                model.assembly.add(fixed);
                None
            }
        };
        if let Some(name) = name {
            model.bodies.insert(name, (place, pose));
        }
        return nested(element, place, pose, &class, depth + 1, model, notes);
    }
    let mut rigid = Rigid::new(&element.path, name.clone(), pose, Motion::Free);
    contents(element, &mut rigid, Pose::default(), None, &class, model, notes)?;
    let place = model.assembly.add(rigid);
    if let Some(name) = name {
        model.bodies.insert(name, (Some(place), pose));
    }
    // Bodies do not meet those that they are fastened to.
    if let Some(parent) = parent {
        model.assembly.part(parent, place);
    }
    joint::fasten(joints, parent, place, pose, &class, model, notes)?;
    nested(element, Some(place), pose, &class, depth + 1, model, notes)
}

/// Adds the geoms of a body to a rigid, in whose coordinates the body has a pose, and its mass.
pub(super) fn contents(
    element: &Element<'_, '_>,
    rigid: &mut Rigid,
    inner: Pose,
    prefix: Option<&str>,
    class: &str,
    model: &mut Model,
    notes: &mut Notes,
) -> Result<(), ImportError> {
    let before = rigid.mass();
    let first = rigid.parts.len();
    let mut given = None;
    for child in element.children() {
        match child.tag() {
            "body" | "joint" | "freejoint" => {}
            "geom" => {
                let child = model.defaults.dress(child, class)?;
                if let Some(mut part) = geom::read(&child, &model.compiler, notes)? {
                    part.pose = inner.then(part.pose);
                    if let (Some(prefix), Some(name)) = (prefix, &part.name) {
                        part.name = Some(format!("{prefix}.{name}"));
                    }
                    rigid.parts.push(part);
                }
            }
            "inertial" => given = Some(inertial(&child, model, notes)?),
            "site" | "camera" | "light" => child.note("", NoteKind::NoMotion, "", notes),
            _ => untold(&child, notes),
        }
    }
    if let Some(given) = given {
        rigid.total = Some(Mass::sum([before, given.out(inner)].into_iter()));
    } else if rigid.total.is_some() {
        let added = Mass::sum(rigid.parts[first..].iter().map(|part| part.own.out(part.pose)));
        rigid.total = Some(Mass::sum([before, added].into_iter()));
    }
    Ok(())
}

/// The mass that is given instead of that of the geoms, in coordinates of the body.
fn inertial(element: &Element<'_, '_>, model: &Model, notes: &mut Notes) -> Result<Mass, ImportError> {
    let pose = model.compiler.pose(element, notes)?;
    let mass = element.number("mass")?.filter(|mass| *mass > 0.0);
    let mass = mass.ok_or_else(|| element.wrong("mass", "a number above 0 is needed"))?;
    let diagonal = match element.vector::<6>("fullinertia")? {
        Some([x, y, z, ..]) => Some([x, y, z]),
        None => element.vector::<3>("diaginertia")?,
    };
    let diagonal = diagonal.ok_or_else(|| element.wrong("diaginertia", "three numbers are needed"))?;
    let moment = model.compiler.plane.off(diagonal);
    if !(moment > 0.0) {
        return Err(element.wrong("diaginertia", "numbers above 0 are needed"));
    }
    element.finish(notes);
    Ok(Mass { mass, center: pose.at, moment })
}

/// Most bodies within each other.
const DEEPEST: usize = 200;
