//! Geoms: solids of space, as they look in the plane, with the mass that they have in space.

use super::placement::{Compiler, Plane};
use crate::element::Element;
use crate::error::ImportError;
use crate::outline::{capsule, disc, ellipse, rectangle};
use crate::plane::{Pose, length, sub};
use crate::report::{NoteKind, Notes};
use crate::rigid::{Mass, Part};
use crate::surface::{Filter, Surface};
use engine2d_math::trig;
use engine2d_scene::{Shape, Side};
use std::f64::consts::{FRAC_PI_2, PI};

/// A solid seen in the plane: outline, its pose, volume, moment of density 1 across the plane, area.
struct Solid {
    shape: Shape,
    pose: Pose,
    volume: f64,
    moment: f64,
    area: Mass,
}

/// The part that a geom is; `None`, noted, for one that the plane does not have.
pub(super) fn read(
    element: &Element<'_, '_>,
    compiler: &Compiler,
    notes: &mut Notes,
) -> Result<Option<Part>, ImportError> {
    let Some(solid) = solid(element, compiler, notes)? else { return Ok(None) };
    let given = element.number("mass")?;
    let density = element.number("density")?.unwrap_or(DENSITY);
    let mass = given.unwrap_or(density * solid.volume);
    if mass < 0.0 {
        return Err(element.wrong("mass", format!("a mass ≥ 0 is needed, not {mass}")));
    }
    let factor = if solid.volume > 0.0 { mass / solid.volume } else { 0.0 };
    let own = Mass { mass, center: [0.0; 2], moment: solid.moment * factor };
    let friction = element.numbers("friction")?.and_then(|numbers| numbers.first().copied()).unwrap_or(1.0);
    if friction < 0.0 {
        return Err(element.wrong("friction", "a number ≥ 0 is needed"));
    }
    if element.node.attribute("friction").is_some_and(|text| text.split_whitespace().count() > 1) {
        let text = "friction of turning and rolling is not had";
        element.note("friction", NoteKind::NotUnderstood, text, notes);
    }
    let bits = |name: &str| {
        let number = element.number(name)?.unwrap_or(1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bits of a filter")]
        Ok::<u32, ImportError>(number as u32)
    };
    let filter = Filter::Mujoco { kind: bits("contype")?, affinity: bits("conaffinity")? };
    element.text("class");
    element
        .skip(&["rgba", "material", "group", "solref", "solimp", "margin", "gap", "condim", "solmix"], notes);
    let name = element.text("name").map(str::to_owned);
    element.finish(notes);
    let surface = Surface { friction, restitution: 0.0 };
    let (shape, pose) = (solid.shape, solid.pose);
    Ok(Some(Part { shape, pose, own, solid: solid.area, surface, filter, sensor: false, name }))
}

/// What a geom looks like in the plane.
fn solid(
    element: &Element<'_, '_>,
    compiler: &Compiler,
    notes: &mut Notes,
) -> Result<Option<Solid>, ImportError> {
    let kind = element.text("type").unwrap_or("sphere").to_owned();
    let mut pose = compiler.pose(element, notes)?;
    let sizes = element.numbers("size")?.unwrap_or_default();
    let size = |k: usize| {
        let size = sizes.get(k).copied().filter(|size| *size > 0.0);
        size.ok_or_else(|| element.wrong("size", format!("a geom of type {kind} needs sizes above 0")))
    };
    // The half length of what has an axis, along z unless two ends are given.
    let mut half = None;
    let across = compiler.plane == Plane::Xy;
    let mut axis_is_across = across;
    if let Some([x1, y1, z1, x2, y2, z2]) = element.vector::<6>("fromto")? {
        let [from, to] = [[x1, y1, z1], [x2, y2, z2]].map(|end| compiler.plane.vector(end));
        let along = sub(to, from);
        axis_is_across = along == [0.0; 2];
        let off = compiler.plane.off([x2 - x1, y2 - y1, z2 - z1]);
        if off != 0.0 && !axis_is_across {
            element.note("fromto", NoteKind::NotUnderstood, "a direction out of the plane", notes);
        }
        let angle = if axis_is_across { 0.0 } else { trig::atan2(along[1], along[0]) - FRAC_PI_2 };
        pose = Pose { at: [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0], angle };
        half = Some(if axis_is_across { off.abs() / 2.0 } else { length(along) / 2.0 });
    }
    let half = |k: usize| half.map_or_else(|| size(k), Ok);
    // What lies along the axis of a capsule or cylinder in the plane is drawn along x.
    let lying = Pose { at: pose.at, angle: pose.angle + FRAC_PI_2 };
    Ok(Some(match kind.as_str() {
        "sphere" => {
            let r = size(0)?;
            let volume = 4.0 / 3.0 * PI * r * r * r;
            ball(r, pose, volume, volume * r * r * 2.0 / 5.0)
        }
        "capsule" => {
            let (r, h) = (size(0)?, half(1)?);
            let (tube, ends) = (PI * r * r * 2.0 * h, 4.0 / 3.0 * PI * r * r * r);
            if axis_is_across {
                ball(r, pose, tube + ends, tube * r * r / 2.0 + ends * r * r * 2.0 / 5.0)
            } else {
                // The centre of a half ball is 3/8 of its radius from its flat side.
                let ends_moment = ends * (r * r * 2.0 / 5.0 + h * h + 3.0 / 4.0 * h * r);
                let moment = tube * (r * r / 4.0 + h * h / 3.0) + ends_moment;
                let shape = Shape::Capsule { length: 2.0 * h, radius: r };
                Solid { shape, pose: lying, volume: tube + ends, moment, area: capsule(2.0 * h, r) }
            }
        }
        "cylinder" => {
            let (r, h) = (size(0)?, half(1)?);
            let volume = PI * r * r * 2.0 * h;
            if axis_is_across {
                ball(r, pose, volume, volume * r * r / 2.0)
            } else {
                let moment = volume * (r * r / 4.0 + h * h / 3.0);
                let shape = Shape::Block { width: 2.0 * h, height: 2.0 * r };
                Solid { shape, pose: lying, volume, moment, area: rectangle(2.0 * h, 2.0 * r) }
            }
        }
        "box" | "ellipsoid" => {
            let space = [size(0)?, size(1)?, size(2)?];
            let ([a, b], depth) = (compiler.plane.vector(space), compiler.plane.off(space));
            if kind == "box" {
                let volume = 8.0 * a * b * depth;
                let shape = Shape::Block { width: 2.0 * a, height: 2.0 * b };
                let moment = volume * (a * a + b * b) / 3.0;
                Solid { shape, pose, volume, moment, area: rectangle(2.0 * a, 2.0 * b) }
            } else {
                let volume = 4.0 / 3.0 * PI * a * b * depth;
                let moment = volume * (a * a + b * b) / 5.0;
                if a == b {
                    ball(a, pose, volume, moment)
                } else {
                    let shape = Shape::Ellipse { width: 2.0 * a, height: 2.0 * b, tolerance: None };
                    Solid { shape, pose, volume, moment, area: ellipse(2.0 * a, 2.0 * b) }
                }
            }
        }
        "plane" if across => {
            element.note("", NoteKind::NotUnderstood, "a floor in the plane of motion", notes);
            return Ok(None);
        }
        "plane" => {
            // A size of 0 has no end; its place is that of its surface.
            let half = sizes.first().copied().filter(|half| *half > 0.0).unwrap_or(ENDLESS);
            let (width, height) = (2.0 * half, half.min(FLOOR));
            pose.at = pose.out([0.0, -height / 2.0]);
            let shape = Shape::Wall { width, height, side: Side::Top };
            Solid { shape, pose, volume: 0.0, moment: 0.0, area: rectangle(width, height) }
        }
        other => {
            element.note("", NoteKind::NotUnderstood, format!("a geom of type {other}"), notes);
            return Ok(None);
        }
    }))
}

fn ball(radius: f64, pose: Pose, volume: f64, moment: f64) -> Solid {
    Solid { shape: Shape::Ball { radius }, pose, volume, moment, area: disc(radius) }
}

/// Density of a geom that does not say (mass/length³).
const DENSITY: f64 = 1000.0;
/// Half the width of a floor without end (length).
const ENDLESS: f64 = 100.0;
/// Thickness of a floor (length).
const FLOOR: f64 = 1.0;
