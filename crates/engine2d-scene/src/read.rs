//! From a JSON tree to a scene.
//!
//! The walk never stops at a mistake: it notes it, puts a placeholder (not-a-number, an empty list) and
//! goes on, so that one reading reports everything. Ranges and references are judged afterwards, in
//! [`check`](crate::check), which passes over the placeholders because their places are already noted.

mod body;
mod connector;
mod fields;
mod force_law;
mod joint;
mod piece;
mod root;
mod shape;
mod special;

use crate::check;
use crate::expand::expand;
use crate::mistake::{Log, MistakeKind, SceneError};
use crate::scene::Scene;
use crate::tree::Node;
use fields::{Cursor, Read};
use std::io;

impl Scene {
    /// Reads a scene from JSON text.
    ///
    /// # Errors
    /// [`SceneError::NotJson`] with the place, or [`SceneError::Invalid`] with every mistake.
    pub fn from_json(text: &str) -> Result<Self, SceneError> {
        let node: Node = serde_json::from_str(text).map_err(not_json)?;
        read(node)
    }

    /// Reads a scene from a stream of JSON text.
    ///
    /// # Errors
    /// [`SceneError::Unreadable`] when the stream fails or is not UTF-8, else as [`Scene::from_json`].
    pub fn from_reader(mut reader: impl io::Read) -> Result<Self, SceneError> {
        let mut text = String::new();
        io::Read::read_to_string(&mut reader, &mut text)?;
        Self::from_json(&text)
    }
}

fn not_json(error: serde_json::Error) -> SceneError {
    let (line, column) = (error.line(), error.column());
    // The parser appends the place to its message; it is given once, by the error's own fields.
    let full = error.to_string();
    let message = full.split(" at line ").next().unwrap_or_default().to_owned();
    SceneError::NotJson { message, line, column }
}

fn read(node: Node) -> Result<Scene, SceneError> {
    let mut log = Log::default();
    let node = expand(node, &mut log);
    let log = std::cell::RefCell::new(log);
    let scene = Scene::read(&Cursor::root(&node, &log));
    let mut log = log.into_inner();
    check::check(&scene, &mut log);
    log.verdict().map_err(SceneError::Invalid)?;
    Ok(scene)
}

/// Notes that a value is of the wrong type.
fn wrong_type(cursor: &Cursor<'_>, expected: &str) {
    cursor.note(MistakeKind::WrongType { found: cursor.node.describe(), expected: expected.to_owned() });
}
