//! Objects that tie bodies: points and lines whose class is that of a connector.

use super::object::{Figure, Object};
use super::scale::Scale;
use crate::assembly::{Assembly, Kind, Tie};
use crate::error::ImportError;
use crate::plane::{length, sub};
use crate::report::{NoteKind, Notes};
use engine2d_scene::Point;
use engine2d_scene::joint::Drive;
use std::collections::BTreeMap;

/// Classes of points that tie.
const POINTS: [&str; 2] = ["pin", "weld"];
/// Classes of lines of two points that tie: what is between them, or the axis of a slide.
const LINES: [&str; 4] = ["rod", "rope", "spring", "prismatic"];

/// Whether an object ties bodies rather than being one.
pub(super) fn is_tie(object: &Object) -> bool {
    let class = object.class.as_str();
    match object.figure {
        Figure::Point => POINTS.contains(&class),
        Figure::Polyline(_) => LINES.contains(&class),
        _ => false,
    }
}

/// Adds the ties that an object is.
pub(super) fn fasten(
    object: Object,
    scale: &Scale,
    places: &BTreeMap<i64, usize>,
    assembly: &mut Assembly,
    notes: &mut Notes,
) -> Result<(), ImportError> {
    let body = |name: &str| match object.reference(name)? {
        None => Ok(None),
        Some(id) => places.get(&id).copied().map(Some).ok_or_else(|| {
            ImportError::at(format!("{}.properties[{name}]", object.path), format!("object {id} is no body"))
        }),
    };
    let (a, b) = (body("body_a")?, body("body_b")?);
    if a.is_none() && b.is_none() {
        let problem = "a property body_a or body_b must refer to a body";
        return Err(ImportError::at(&object.path, problem));
    }
    let ends: [Point; 2] = match &object.figure {
        Figure::Polyline(points) => match points[..] {
            [first, second] => [first, second].map(|point| object.world(scale, point)),
            _ => return Err(ImportError::at(format!("{}.polyline", object.path), "two points are needed")),
        },
        _ => [object.world(scale, [0.0; 2]); 2],
    };
    let apart = length(sub(ends[1], ends[0]));
    let positive = |name: &str| {
        let problem =
            || ImportError::at(format!("{}.properties[{name}]", object.path), "a number > 0 is needed");
        object.number(name)?.map(|value| if value > 0.0 { Ok(value) } else { Err(problem()) }).transpose()
    };
    let limit = positive("limit")?;
    let mut kinds = Vec::new();
    let mut at = ends;
    match object.class.as_str() {
        "pin" => {
            kinds.push(Kind::Pin);
            if let Some(speed) = object.number("speed")? {
                let (drive, axis, place, enabled) = (Drive::Angle, None, None, true);
                kinds.push(Kind::Motor { drive, axis, speed: Some(speed), place, limit, enabled });
            }
        }
        "weld" => kinds.push(Kind::Weld),
        _ if !(apart > 0.0) => {
            return Err(ImportError::at(format!("{}.polyline", object.path), "the points must be apart"));
        }
        "rod" => kinds.push(Kind::Rod { length: positive("length")?.unwrap_or(apart) }),
        "rope" => kinds.push(Kind::Rope { length: positive("length")?.unwrap_or(apart) }),
        "spring" => {
            let stiffness = positive("stiffness")?.ok_or_else(|| {
                ImportError::at(
                    format!("{}.properties[stiffness]", object.path),
                    "a spring needs a stiffness",
                )
            })?;
            let damping = positive("damping")?.unwrap_or(0.0);
            kinds.push(Kind::Spring { length: positive("length")?.unwrap_or(apart), stiffness, damping });
        }
        _ => {
            let axis = sub(ends[1], ends[0]);
            at = [ends[0]; 2];
            kinds.push(Kind::Prismatic { axis });
            if let Some(speed) = object.number("speed")? {
                let (drive, place, enabled) = (Drive::Travel, None, true);
                kinds.push(Kind::Motor {
                    drive,
                    axis: Some(axis),
                    speed: Some(speed),
                    place,
                    limit,
                    enabled,
                });
            }
        }
    }
    for (k, kind) in kinds.into_iter().enumerate() {
        let name = object.name.clone().map(|name| if k == 0 { name } else { format!("{name} motor") });
        let meet = matches!(kind, Kind::Spring { .. });
        assembly.ties.push(Tie {
            path: object.path.clone(),
            name,
            a,
            at_a: at[0],
            b,
            at_b: at[1],
            meet,
            kind,
        });
    }
    if limit.is_some() && object.number("speed")?.is_none() {
        let path = format!("{}.properties[limit]", object.path);
        notes.add(path, NoteKind::NotUnderstood, "a limit without a speed");
    }
    object.finish(notes);
    Ok(())
}
