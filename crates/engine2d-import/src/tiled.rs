//! Maps of the Tiled editor: their object layers.

mod object;
mod properties;
mod scale;
mod tie;
mod tmx;

use crate::assembly::Assembly;
use crate::error::ImportError;
use crate::fields::Fields;
use crate::options::Options;
use crate::report::{NoteKind, Notes};
use engine2d_scene::{Point, Scene};
use object::Object;
use properties::properties;
use scale::Scale;
use serde_json::Value;
use std::collections::BTreeMap;

/// The scene of a map.
pub(crate) fn read(text: &str, options: &Options, notes: &mut Notes) -> Result<Scene, ImportError> {
    let tree: Value =
        if text.trim_start().starts_with('<') { tmx::tree(text)? } else { serde_json::from_str(text)? };
    let map = Fields::of(&tree, "")?;
    let mut assembly = Assembly::new("imported from Tiled");
    let properties = properties(&map)?;
    let number = |name: &str| match properties.get(name) {
        None => Ok(None),
        Some(value) => match value.as_f64() {
            Some(number) => Ok(Some(number)),
            None => Err(ImportError::at(format!("properties[{name}]"), "a number is needed")),
        },
    };
    let tile = [map.size("tilewidth")?, map.size("tileheight")?];
    let per_meter = options.pixels_per_meter.or(number("pixels_per_meter")?).or(tile[0]).unwrap_or(1.0);
    if !(per_meter > 0.0 && per_meter.is_finite()) {
        return Err(ImportError::at("properties[pixels_per_meter]", "a number above 0 is needed"));
    }
    let height = map.size("height")?.unwrap_or(0.0) * tile[1].unwrap_or(0.0);
    let scale = Scale { pixel: 1.0 / per_meter, height };
    assembly.gravity = [0.0, -number("gravity")?.unwrap_or(0.0)];
    for name in properties.keys().filter(|name| !["gravity", "pixels_per_meter"].contains(&name.as_str())) {
        notes.add(format!("properties[{name}]"), NoteKind::NotUnderstood, "");
    }
    if let Some(orientation) = map.text("orientation")?.filter(|text| *text != "orthogonal") {
        let text = format!("objects of a map that is {orientation} are taken as those of an orthogonal one");
        notes.add("orientation", NoteKind::Changed, text);
    }
    let mut objects = Vec::new();
    layers(&map, [0.0; 2], 0, &mut objects, notes)?;
    map.skip(&DRAWING, notes);
    map.finish(notes);
    let (ties, bodies): (Vec<Object>, Vec<Object>) = objects.into_iter().partition(tie::is_tie);
    let mut places = BTreeMap::new();
    for object in bodies {
        let id = object.id;
        if let Some(rigid) = object.into_rigid(&scale, notes)? {
            let place = assembly.add(rigid);
            if let Some(id) = id {
                places.insert(id, place);
            }
        }
    }
    for object in ties {
        tie::fasten(object, &scale, &places, &mut assembly, notes)?;
    }
    assembly.finish(notes)
}

/// Collects the objects of layers, also of those in groups.
fn layers(
    of: &Fields<'_>,
    offset: Point,
    depth: usize,
    objects: &mut Vec<Object>,
    notes: &mut Notes,
) -> Result<(), ImportError> {
    if depth > DEEPEST {
        return Err(ImportError::at(&of.path, format!("groups deeper than {DEEPEST}")));
    }
    for (path, value) in of.list("layers")? {
        let layer = Fields::of(value, path)?;
        let kind = layer.text("type")?.unwrap_or_default();
        let x = offset[0] + layer.number("offsetx")?.unwrap_or(0.0);
        let y = offset[1] + layer.number("offsety")?.unwrap_or(0.0);
        match kind {
            "objectgroup" => {
                for (path, value) in layer.list("objects")? {
                    objects.push(Object::read(Fields::of(value, path)?, [x, y], notes)?);
                }
            }
            "group" => layers(&layer, [x, y], depth + 1, objects, notes)?,
            other => {
                let text = format!("a layer of type {other:?} has no objects");
                notes.add(&layer.path, NoteKind::NotUnderstood, text);
                continue;
            }
        }
        layer.skip(&DRAWING, notes);
        layer.finish(notes);
    }
    Ok(())
}

/// Most groups within each other.
const DEEPEST: usize = 100;

/// How a map is drawn and counted.
const DRAWING: [&str; 25] = [
    "backgroundcolor",
    "class",
    "color",
    "compressionlevel",
    "draworder",
    "id",
    "infinite",
    "locked",
    "name",
    "nextlayerid",
    "nextobjectid",
    "opacity",
    "parallaxx",
    "parallaxy",
    "renderorder",
    "tiledversion",
    "tilesets",
    "tintcolor",
    "type",
    "version",
    "visible",
    "width",
    "height",
    "x",
    "y",
];
