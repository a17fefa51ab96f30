//! Objects of a layer, and the bodies that they are.

use super::properties::properties;
use super::scale::Scale;
use crate::error::ImportError;
use crate::fields::{Fields, vector};
use crate::outline::{Line, capsule, corners, disc, ellipse, line, polygon, rectangle};
use crate::plane::{Pose, length, sub, turn};
use crate::report::{NoteKind, Notes};
use crate::rigid::{Mass, Motion, Part, Rigid};
use crate::surface::{Filter, Surface};
use engine2d_math::trig;
use engine2d_scene::{Point, Shape};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// An object as it stands in the map: pixels, y down, degrees clockwise.
pub(super) struct Object {
    pub(super) path: String,
    pub(super) id: Option<i64>,
    pub(super) name: Option<String>,
    pub(super) class: String,
    pub(super) at: Point,
    /// Degrees, clockwise.
    rotation: f64,
    size: Point,
    pub(super) figure: Figure,
    properties: BTreeMap<String, Value>,
    used: RefCell<BTreeSet<String>>,
}

/// What an object looks like; points are seen from its place.
pub(super) enum Figure {
    Rectangle,
    Ellipse,
    Capsule,
    Point,
    /// A tile: a rectangle that stands on its place.
    Tile,
    Polygon(Vec<Point>),
    Polyline(Vec<Point>),
    Text,
}

impl Object {
    pub(super) fn read(fields: Fields<'_>, offset: Point, notes: &mut Notes) -> Result<Self, ImportError> {
        let points = |name: &str| {
            let items = fields.list(name)?;
            items.iter().map(|(path, value)| vector(value, path)).collect::<Result<Vec<Point>, ImportError>>()
        };
        let figure = if fields.flag("ellipse")? == Some(true) {
            Figure::Ellipse
        } else if fields.flag("capsule")? == Some(true) {
            Figure::Capsule
        } else if fields.flag("point")? == Some(true) {
            Figure::Point
        } else if fields.value("polygon").is_some() {
            Figure::Polygon(points("polygon")?)
        } else if fields.value("polyline").is_some() {
            Figure::Polyline(points("polyline")?)
        } else if fields.value("text").is_some() {
            Figure::Text
        } else if fields.value("gid").is_some() {
            Figure::Tile
        } else {
            Figure::Rectangle
        };
        let [x, y] = [fields.number("x")?.unwrap_or(0.0), fields.number("y")?.unwrap_or(0.0)];
        let named = |name: &str| Ok::<_, ImportError>(fields.text(name)?.filter(|text| !text.is_empty()));
        let class = match named("class")? {
            Some(class) => class,
            None => named("type")?.unwrap_or_default(),
        };
        let own = properties(&fields)?;
        let object = Self {
            path: fields.path.clone(),
            id: fields.whole("id")?,
            name: named("name")?.map(str::to_owned),
            class: class.to_owned(),
            at: [x + offset[0], y + offset[1]],
            rotation: fields.number("rotation")?.unwrap_or(0.0),
            size: [fields.size("width")?.unwrap_or(0.0), fields.size("height")?.unwrap_or(0.0)],
            figure,
            properties: own.into_iter().map(|(name, value)| (name, value.clone())).collect(),
            used: RefCell::default(),
        };
        fields.skip(&["visible", "opacity"], notes);
        fields.finish(notes);
        Ok(object)
    }

    fn at_property(&self, name: &str) -> String {
        format!("{}.properties[{name}]", self.path)
    }

    fn property(&self, name: &str) -> Option<&Value> {
        self.used.borrow_mut().insert(name.to_owned());
        self.properties.get(name)
    }

    /// A property that is a number.
    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, ImportError> {
        match self.property(name) {
            None => Ok(None),
            Some(value) => match value.as_f64() {
                Some(number) => Ok(Some(number)),
                None => Err(ImportError::at(self.at_property(name), "a number is needed")),
            },
        }
    }

    /// A property that is a number from 0.
    fn size_of(&self, name: &str) -> Result<Option<f64>, ImportError> {
        match self.number(name)? {
            Some(number) if number < 0.0 => {
                Err(ImportError::at(self.at_property(name), "a number ≥ 0 is needed"))
            }
            number => Ok(number),
        }
    }

    fn flag(&self, name: &str) -> Result<bool, ImportError> {
        match self.property(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(ImportError::at(self.at_property(name), "true or false is needed")),
        }
    }

    /// A property that refers to another object.
    pub(super) fn reference(&self, name: &str) -> Result<Option<i64>, ImportError> {
        match self.property(name) {
            None => Ok(None),
            Some(value) => match value.as_i64() {
                Some(id) => Ok(Some(id).filter(|id| *id != 0)),
                None => Err(ImportError::at(self.at_property(name), "a reference to an object is needed")),
            },
        }
    }

    /// Notes the properties that nobody has asked for.
    pub(super) fn finish(&self, notes: &mut Notes) {
        let used = self.used.borrow();
        for name in self.properties.keys().filter(|name| !used.contains(*name)) {
            notes.add(self.at_property(name), NoteKind::NotUnderstood, "");
        }
    }

    /// Counter-clockwise (radians).
    fn angle(&self) -> f64 {
        if self.rotation == 0.0 { 0.0 } else { -self.rotation.to_radians() }
    }

    /// A point of the object (pixels from its place, y down) in the world.
    pub(super) fn world(&self, scale: &Scale, point: Point) -> Point {
        Pose { at: scale.point(self.at), angle: self.angle() }.out(scale.vector(point))
    }

    /// The body that the object is; `None` for one that is only seen.
    pub(super) fn into_rigid(self, scale: &Scale, notes: &mut Notes) -> Result<Option<Rigid>, ImportError> {
        let outlines = self.outlines(scale, notes)?;
        if outlines.is_empty() {
            self.finish(notes);
            return Ok(None);
        }
        let density = self.size_of("density")?;
        let mass = self.size_of("mass")?.filter(|mass| *mass > 0.0);
        let moves = match self.class.as_str() {
            "dynamic" => true,
            "fixed" | "static" => false,
            "" => self.flag("dynamic")? || mass.is_some() || density.is_some(),
            other => {
                let text = format!("the class {other:?}; bodies are dynamic or fixed");
                notes.add(format!("{}.class", self.path), NoteKind::NotUnderstood, text);
                mass.is_some() || density.is_some()
            }
        };
        self.property("dynamic");
        let restitution = self.size_of("restitution")?.unwrap_or(0.0);
        if restitution > 1.0 {
            return Err(ImportError::at(self.at_property("restitution"), "a number from 0 to 1 is needed"));
        }
        let surface = Surface { friction: self.size_of("friction")?.unwrap_or(0.0), restitution };
        let sensor = self.flag("sensor")?;
        // The body has its coordinates where its first outline has them.
        let main = outlines[0].1;
        let motion = if moves { Motion::Free } else { Motion::Fixed };
        let mut rigid = Rigid::new(self.path.clone(), self.name.clone(), main, motion);
        for (shape, pose, solid) in outlines {
            rigid.parts.push(Part {
                shape,
                pose: Pose { at: main.inside(pose.at), angle: pose.angle - main.angle },
                own: solid.times(density.unwrap_or(1.0)),
                solid,
                surface,
                filter: Filter::All,
                sensor,
                name: None,
            });
        }
        if let Some(mass) = mass {
            let own = rigid.mass();
            rigid.total = Some(own.times(mass / own.mass));
        }
        rigid.velocity =
            [self.number("velocity_x")?.unwrap_or(0.0), self.number("velocity_y")?.unwrap_or(0.0)];
        rigid.angular_velocity = self.number("angular_velocity")?.unwrap_or(0.0);
        if !moves && (rigid.velocity != [0.0; 2] || rigid.angular_velocity != 0.0) {
            notes.add(&self.path, NoteKind::NotUnderstood, "a fixed body has no velocity");
        }
        self.finish(notes);
        Ok(Some(rigid))
    }

    /// Outlines, where their coordinates are in the world, and their mass of density 1 in these.
    fn outlines(&self, scale: &Scale, notes: &mut Notes) -> Result<Vec<(Shape, Pose, Mass)>, ImportError> {
        let angle = self.angle();
        let [width, height] = self.size.map(|size| size * scale.pixel);
        let none = |kind: NoteKind, text: &str, notes: &mut Notes| {
            notes.add(&self.path, kind, text);
            Ok(Vec::new())
        };
        let centered = |up: f64| {
            let middle = turn([width / 2.0, up * height / 2.0], angle);
            let at = scale.point(self.at);
            Pose { at: [at[0] + middle[0], at[1] + middle[1]], angle }
        };
        let flat = !(width > 0.0 && height > 0.0);
        Ok(match &self.figure {
            Figure::Point => return none(NoteKind::NotUnderstood, "a point is no body", notes),
            Figure::Text => return none(NoteKind::NoMotion, "a text", notes),
            Figure::Rectangle | Figure::Ellipse | Figure::Capsule | Figure::Tile if flat => {
                return none(NoteKind::NotUnderstood, "an object without size is no body", notes);
            }
            Figure::Rectangle => {
                vec![(Shape::Block { width, height }, centered(-1.0), rectangle(width, height))]
            }
            Figure::Tile => {
                notes.add(&self.path, NoteKind::Changed, "a tile is a rectangle");
                vec![(Shape::Block { width, height }, centered(1.0), rectangle(width, height))]
            }
            Figure::Ellipse if width == height => {
                vec![(Shape::Ball { radius: width / 2.0 }, centered(-1.0), disc(width / 2.0))]
            }
            Figure::Ellipse => {
                let shape = Shape::Ellipse { width, height, tolerance: None };
                vec![(shape, centered(-1.0), ellipse(width, height))]
            }
            Figure::Capsule => {
                let radius = width.min(height) / 2.0;
                let mut pose = centered(-1.0);
                if height > width {
                    pose.angle += std::f64::consts::FRAC_PI_2;
                }
                let segment = (width - height).abs();
                if segment > 0.0 {
                    vec![(Shape::Capsule { length: segment, radius }, pose, capsule(segment, radius))]
                } else {
                    vec![(Shape::Ball { radius }, pose, disc(radius))]
                }
            }
            Figure::Polygon(points) => {
                let points: Vec<Point> = points.iter().map(|point| scale.vector(*point)).collect();
                let problem = "a polygon with an area is needed";
                let solid = polygon(&points)
                    .ok_or_else(|| ImportError::at(format!("{}.polygon", self.path), problem))?;
                vec![(corners(points), Pose { at: scale.point(self.at), angle }, solid)]
            }
            Figure::Polyline(points) => self.polyline(points, scale, notes),
        })
    }

    /// Ground where the line runs from left to right, else thin sticks.
    fn polyline(&self, points: &[Point], scale: &Scale, notes: &mut Notes) -> Vec<(Shape, Pose, Mass)> {
        let path = format!("{}.polyline", self.path);
        let points: Vec<Point> = points.iter().map(|point| self.world(scale, *point)).collect();
        if points.len() < 2 {
            notes.add(path, NoteKind::NotUnderstood, "a line of fewer than two points is no body");
            return Vec::new();
        }
        match line(&points) {
            Line::Terrain(shape) => {
                notes.add(
                    path,
                    NoteKind::Changed,
                    "a line from left to right is ground: what is below it is solid",
                );
                vec![(shape, Pose::default(), rectangle(1.0, 1.0))]
            }
            Line::Sticks(sides) => {
                let radius = THIN * scale.pixel;
                notes.add(path, NoteKind::Changed, format!("a line is thin sticks of radius {radius}"));
                let stick = |[a, b]: [Point; 2]| {
                    let (along, segment) = (sub(b, a), length(sub(b, a)));
                    let angle = trig::atan2(along[1], along[0]);
                    let at = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
                    (Shape::Capsule { length: segment, radius }, Pose { at, angle }, capsule(segment, radius))
                };
                sides.into_iter().map(stick).collect()
            }
        }
    }
}

/// Radius of the sticks that lines are (pixels).
const THIN: f64 = 1.0;
