//! Models of MuJoCo's XML whose motion is in a plane: x and z, or x and y where the hinges turn about z.

mod body;
mod defaults;
mod geom;
mod joint;
mod model;
mod motor;
mod placement;

use crate::assembly::{Assembly, Kind, Tie};
use crate::element::Element;
use crate::error::ImportError;
use crate::plane::Pose;
use crate::report::{NoteKind, Notes};
use crate::rigid::{Motion, Rigid};
use defaults::Defaults;
use engine2d_scene::{FrictionRule, Point, Scene};
use model::{Model, untold};
use placement::{Compiler, Plane};
use std::collections::BTreeMap;

/// The scene of a model.
pub(crate) fn read(text: &str, notes: &mut Notes) -> Result<Scene, ImportError> {
    let document = roxmltree::Document::parse(text)?;
    let root = Element::root(document.root_element());
    if root.tag() != "mujoco" {
        return Err(root.wrong("", "the root must be <mujoco>"));
    }
    let plane = Plane::of(document.root_element());
    let sections = root.children();
    let mut model = Model {
        compiler: Compiler::read(&sections, plane, notes)?,
        defaults: Defaults::read(&sections)?,
        assembly: Assembly::new(root.text("model").unwrap_or("imported from MJCF")),
        bodies: BTreeMap::new(),
        joints: BTreeMap::new(),
    };
    model.assembly.scene.settings.friction_rule = FrictionRule::Maximum;
    let mut gravity = [0.0, 0.0, STANDARD_GRAVITY];
    if plane == Plane::Xy {
        gravity = [0.0, STANDARD_GRAVITY, 0.0];
    }
    for section in &sections {
        match section.tag() {
            "compiler" | "default" => {}
            "option" => {
                gravity = section.vector::<3>("gravity")?.unwrap_or(gravity);
                section.skip(&SOLVER, notes);
                section.finish(notes);
                section.children().iter().for_each(|child| untold(child, notes));
            }
            "worldbody" => {
                let mut world = Rigid::new(&section.path, None, Pose::default(), Motion::Fixed);
                body::contents(section, &mut world, Pose::default(), None, "", &mut model, notes)?;
                for mut part in world.parts {
                    let mut fixed = Rigid::new(&section.path, part.name.take(), part.pose, Motion::Fixed);
                    part.pose = Pose::default();
                    fixed.parts.push(part);
                    model.assembly.add(fixed);
                }
                body::nested(section, None, Pose::default(), "", 0, &mut model, notes)?;
            }
            "actuator" => {
                section.children().iter().try_for_each(|item| motor::read(item, &mut model, notes))?;
            }
            "equality" => section.children().iter().try_for_each(|item| equality(item, &mut model, notes))?,
            "contact" => section.children().iter().try_for_each(|item| contact(item, &mut model, notes))?,
            "visual" | "asset" | "size" | "statistic" | "sensor" | "custom" => {
                section.note("", NoteKind::NoMotion, "", notes);
            }
            _ => section.note("", NoteKind::NotUnderstood, "", notes),
        }
    }
    model.assembly.gravity = plane.vector(gravity);
    if plane.off(gravity) != 0.0 {
        notes.add("mujoco/option/@gravity", NoteKind::NotUnderstood, "gravity across the plane");
    }
    model.assembly.finish(notes)
}

/// A tie of the section `equality`.
fn equality(item: &Element<'_, '_>, model: &mut Model, notes: &mut Notes) -> Result<(), ImportError> {
    let kind = match item.tag() {
        "connect" => Kind::Pin,
        "weld" => Kind::Weld,
        _ => {
            untold(item, notes);
            return Ok(());
        }
    };
    if !item.has("body1") {
        item.note("", NoteKind::NotUnderstood, "a tie of sites", notes);
        return Ok(());
    }
    let (a, pose_a) = body_of(item, "body1", model)?;
    let (b, _) = if item.has("body2") { body_of(item, "body2", model)? } else { (None, Pose::default()) };
    if item.text("active") == Some("false") {
        item.note("active", NoteKind::NotUnderstood, "a tie that does not act is left out", notes);
        return Ok(());
    }
    let anchor = item.vector::<3>("anchor")?.unwrap_or_default();
    let at: Point = pose_a.out(model.compiler.plane.vector(anchor));
    let name = item.text("name").map(str::to_owned);
    model.assembly.ties.push(Tie {
        path: item.path.clone(),
        name,
        a,
        at_a: at,
        b,
        at_b: at,
        meet: false,
        kind,
    });
    item.skip(&["solref", "solimp"], notes);
    item.finish(notes);
    Ok(())
}

/// A pair of the section `contact`.
fn contact(item: &Element<'_, '_>, model: &mut Model, notes: &mut Notes) -> Result<(), ImportError> {
    if item.tag() != "exclude" {
        untold(item, notes);
        return Ok(());
    }
    let ((a, _), (b, _)) = (body_of(item, "body1", model)?, body_of(item, "body2", model)?);
    match (a, b) {
        (Some(a), Some(b)) => model.assembly.part(a, b),
        _ => untold(item, notes),
    }
    item.text("name");
    item.finish(notes);
    Ok(())
}

/// The body that an attribute names.
fn body_of(item: &Element<'_, '_>, name: &str, model: &Model) -> Result<(Option<usize>, Pose), ImportError> {
    let wanted = item.text(name).ok_or_else(|| item.wrong(name, "the name of a body is needed"))?;
    if wanted == "world" {
        return Ok((None, Pose::default()));
    }
    model.bodies.get(wanted).copied().ok_or_else(|| {
        let known = engine2d_scene::nearest(wanted, model.bodies.keys().map(String::as_str));
        let hint = known.map_or_else(String::new, |known| format!("; did you mean {known:?}?"));
        item.wrong(name, format!("no body is named {wanted:?}{hint}"))
    })
}

/// Gravity of a model that does not say (length/time²).
const STANDARD_GRAVITY: f64 = -9.81;

/// Attributes of `option` that tell another solver how to work.
const SOLVER: [&str; 14] = [
    "timestep",
    "integrator",
    "iterations",
    "ls_iterations",
    "tolerance",
    "ls_tolerance",
    "solver",
    "cone",
    "jacobian",
    "impratio",
    "noslip_iterations",
    "noslip_tolerance",
    "mpr_iterations",
    "apirate",
];
