//! Fixtures of Box2D: outlines with density, surface and filter.

use crate::error::ImportError;
use crate::fields::{Fields, numbers};
use crate::outline::{Line, capsule, corners, disc, line, polygon};
use crate::plane::{Pose, length, sub};
use crate::report::{NoteKind, Notes};
use crate::rigid::{Mass, Motion, Part};
use crate::surface::{Filter, Surface};
use engine2d_math::trig;
use engine2d_scene::{Point, Shape};
use serde_json::Value;

/// Adds the parts that a fixture is.
pub(super) fn read(
    fields: Fields<'_>,
    motion: Motion,
    parts: &mut Vec<Part>,
    notes: &mut Notes,
) -> Result<(), ImportError> {
    let density = fields.size("density")?.unwrap_or(0.0);
    let bits = |name: &str, usual: i64| Ok::<i64, ImportError>(fields.whole(name)?.unwrap_or(usual));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bits of a filter")]
    let filter = Filter::Box2d {
        category: bits("filter-categoryBits", 1)? as u16 as u32,
        mask: bits("filter-maskBits", 0xffff)? as u16 as u32,
        group: bits("filter-groupIndex", 0)? as i32,
    };
    let restitution = fields.size("restitution")?.unwrap_or(0.0);
    if restitution > 1.0 {
        notes.add(fields.at("restitution"), NoteKind::Changed, "a restitution above 1 is 1");
    }
    let surface =
        Surface { friction: fields.size("friction")?.unwrap_or(0.0), restitution: restitution.min(1.0) };
    let name = fields.text("name")?.map(str::to_owned);
    let sensor = fields.flag("sensor")?.unwrap_or(false);
    let mut add = |shape: Shape, pose: Pose, solid: Mass| {
        let own = solid.times(density);
        parts.push(Part { shape, pose, own, solid, surface, filter, sensor, name: name.clone() });
    };
    if let Some(value) = fields.value("circle") {
        let circle = Fields::of(value, fields.at("circle"))?;
        let at = circle.vector("center")?.unwrap_or_default();
        let radius = circle.number("radius")?.filter(|radius| *radius > 0.0);
        let radius =
            radius.ok_or_else(|| ImportError::at(circle.at("radius"), "a number above 0 is needed"))?;
        add(Shape::Ball { radius }, Pose { at, angle: 0.0 }, disc(radius));
        circle.finish(notes);
    }
    if let Some(value) = fields.value("polygon") {
        let (path, points) = vertices(value, &fields.at("polygon"), notes)?;
        let solid =
            polygon(&points).ok_or_else(|| ImportError::at(path, "a polygon with an area is needed"))?;
        add(corners(points), Pose::default(), solid);
    }
    if let Some(value) = fields.value("chain") {
        let (path, points) = vertices(value, &fields.at("chain"), notes)?;
        let closed = points.len() > 3 && points.first() == points.last();
        if points.len() < 2 {
            return Err(ImportError::at(path, "at least two vertices are needed"));
        }
        let outline = if closed { Line::Sticks(segments(&points)) } else { line(&points) };
        match outline {
            Line::Terrain(shape) if motion == Motion::Fixed => {
                notes.add(
                    path,
                    NoteKind::Changed,
                    "a chain from left to right is ground: what is below it is solid",
                );
                add(shape, Pose::default(), Mass::default());
            }
            Line::Terrain(_) => sticks(&segments(&points), &path, notes, add),
            Line::Sticks(sides) => sticks(&sides, &path, notes, add),
        }
    }
    fields.skip(&["customProperties"], notes);
    fields.finish(notes);
    Ok(())
}

/// Points in twos.
fn segments(points: &[Point]) -> Vec<[Point; 2]> {
    points.windows(2).map(|pair| [pair[0], pair[1]]).filter(|[a, b]| a != b).collect()
}

/// Sides of a line as thin sticks.
fn sticks(sides: &[[Point; 2]], path: &str, notes: &mut Notes, mut add: impl FnMut(Shape, Pose, Mass)) {
    let text = format!("a line is thin sticks with round ends of radius {THIN}");
    notes.add(path, NoteKind::Changed, text);
    for [a, b] in sides {
        let along = sub(*b, *a);
        let pose =
            Pose { at: [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0], angle: trig::atan2(along[1], along[0]) };
        let segment = length(along);
        add(Shape::Capsule { length: segment, radius: THIN }, pose, capsule(segment, THIN));
    }
}

/// The vertices of a polygon or chain, with their path.
fn vertices(value: &Value, path: &str, notes: &mut Notes) -> Result<(String, Vec<Point>), ImportError> {
    let fields = Fields::of(value, path)?;
    let missing = || ImportError::at(fields.at("vertices"), "lists x and y are needed");
    let inner = Fields::of(fields.value("vertices").ok_or_else(missing)?, fields.at("vertices"))?;
    let [x, y] = ["x", "y"].map(|name| inner.list(name).and_then(|items| numbers(&items)));
    let (x, y) = (x?, y?);
    if x.len() != y.len() {
        let problem = format!("x and y must be as many, not {} and {}", x.len(), y.len());
        return Err(ImportError::at(inner.path, problem));
    }
    let path = inner.path.clone();
    inner.finish(notes);
    fields.skip(&["hasPrevVertex", "hasNextVertex", "prevVertex", "nextVertex"], notes);
    fields.finish(notes);
    Ok((path, x.into_iter().zip(y).map(|(x, y)| [x, y]).collect()))
}

/// Radius of the sticks that lines are (length): half the distance that touching bodies keep by default.
const THIN: f64 = 0.005;
