//! Which formats there are, how they are told apart, and the way from text to scene.

use crate::error::ImportError;
use crate::options::Options;
use crate::report::{Import, Notes};
use crate::{mjcf, rube, tiled};
use serde_json::Value;
use std::fmt;

/// A format that scenes can be made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Models of the MuJoCo XML format whose motion is in a plane.
    Mjcf,
    /// Worlds of the R.U.B.E. editor: Box2D in JSON.
    Rube,
    /// Maps of the Tiled editor, JSON or TMX: their object layers.
    Tiled,
}

impl Format {
    /// The format that a text seems to have.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let start = text.trim_start_matches('\u{feff}').trim_start();
        if start.starts_with('<') {
            let document = roxmltree::Document::parse(text).ok()?;
            return match document.root_element().tag_name().name() {
                "mujoco" => Some(Self::Mjcf),
                "map" => Some(Self::Tiled),
                _ => None,
            };
        }
        let tree: Value = serde_json::from_str(start).ok()?;
        let has = |name: &str| tree.get(name).is_some();
        match (has("layers"), has("body") || has("gravity")) {
            (true, _) => Some(Self::Tiled),
            (false, true) => Some(Self::Rube),
            (false, false) => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mjcf => "mjcf",
            Self::Rube => "rube",
            Self::Tiled => "tiled",
        })
    }
}

/// The scene that a text of a format describes, and what of the text is not in it.
///
/// # Errors
/// [`ImportError`] with the place, if the text is not of the format, or what it describes is no sound scene.
pub fn import(text: &str, format: Format, options: &Options) -> Result<Import, ImportError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut notes = Notes::default();
    let scene = match format {
        Format::Mjcf => mjcf::read(text, &mut notes)?,
        Format::Rube => rube::read(text, &mut notes)?,
        Format::Tiled => tiled::read(text, options, &mut notes)?,
    };
    // Text that cannot be read back is not handed out.
    let scene_text = scene.to_json()?;
    let scene = engine2d_scene::Scene::from_json(&scene_text)?;
    Ok(Import { scene, notes: notes.0 })
}
