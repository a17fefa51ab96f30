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
use crate::limits::Limits;
use crate::mistake::{Log, MistakeKind, SceneError};
use crate::scene::Scene;
use crate::tree::{Counted, Node};
use fields::{Cursor, Read};
use serde::de::DeserializeSeed;
use std::cell::Cell;
use std::io;

/// Marks that a text with a byte order mark begins with.
const BYTE_ORDER_MARK: char = '\u{feff}';

impl Scene {
    /// Reads a scene from JSON text.
    ///
    /// # Errors
    /// [`SceneError::NotJson`] with the place, or [`SceneError::Invalid`] with every mistake.
    pub fn from_json(text: &str) -> Result<Self, SceneError> {
        Self::from_json_within(text, &Limits::NONE)
    }

    /// As [`from_json`](Self::from_json), for texts that nobody vouches for.
    ///
    /// # Errors
    /// [`SceneError::TooLarge`], or as [`from_json`](Self::from_json); what is too much in a scene is a mistake with its place.
    pub fn from_json_within(text: &str, limits: &Limits) -> Result<Self, SceneError> {
        if text.len() as u64 > limits.bytes {
            return Err(SceneError::TooLarge { what: "bytes", limit: limits.bytes });
        }
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let left = Cell::new(limits.values);
        let mut parser = serde_json::Deserializer::from_str(text);
        let node = Counted { left: &left }.deserialize(&mut parser).and_then(|node| {
            parser.end()?;
            Ok(node)
        });
        match node {
            Ok(node) => read(node, limits),
            Err(_) if left.get() == 0 => {
                Err(SceneError::TooLarge { what: "values", limit: limits.values as u64 })
            }
            Err(error) => Err(not_json(error)),
        }
    }

    /// Reads a scene from a stream of JSON text.
    ///
    /// # Errors
    /// [`SceneError::Unreadable`] when the stream fails or is not UTF-8, else as [`Scene::from_json`].
    pub fn from_reader(reader: impl io::Read) -> Result<Self, SceneError> {
        Self::from_reader_within(reader, &Limits::NONE)
    }

    /// As [`from_reader`](Self::from_reader), for streams that nobody vouches for: no more is read than may be.
    ///
    /// # Errors
    /// As [`from_reader`](Self::from_reader) and [`from_json_within`](Self::from_json_within).
    pub fn from_reader_within(reader: impl io::Read, limits: &Limits) -> Result<Self, SceneError> {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::Read::take(reader, limits.bytes.saturating_add(1)), &mut bytes)?;
        if bytes.len() as u64 > limits.bytes {
            return Err(SceneError::TooLarge { what: "bytes", limit: limits.bytes });
        }
        let text = String::from_utf8(bytes)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))?;
        Self::from_json_within(&text, limits)
    }
}

fn not_json(error: serde_json::Error) -> SceneError {
    let (line, column) = (error.line(), error.column());
    // The parser appends the place to its message; it is given once, by the error's own fields.
    let full = error.to_string();
    let message = full.split(" at line ").next().unwrap_or_default().to_owned();
    SceneError::NotJson { message, line, column }
}

/// Reads a text without judging what it says; with the mistakes met.
pub(crate) fn read_unchecked(text: &str, limits: &Limits) -> Result<(Scene, Log), SceneError> {
    let left = Cell::new(limits.values);
    let mut parser = serde_json::Deserializer::from_str(text);
    let node = Counted { left: &left }.deserialize(&mut parser).map_err(not_json)?;
    let (mut scene, log) = walk(node, limits);
    scene.settings = scene.settings.resolved();
    Ok((scene, log))
}

fn walk(node: Node, limits: &Limits) -> (Scene, Log) {
    let mut log = Log::default();
    let node = expand(node, limits, &mut log);
    let log = std::cell::RefCell::new(log);
    let scene = Scene::read(&Cursor::root(&node, &log));
    (scene, log.into_inner())
}

fn read(node: Node, limits: &Limits) -> Result<Scene, SceneError> {
    let (mut scene, mut log) = walk(node, limits);
    // What is wrong with a clock is told of the place where it is given.
    check::check(&scene, limits, &mut log);
    log.verdict().map_err(SceneError::Invalid)?;
    scene.settings = scene.settings.resolved();
    Ok(scene)
}

/// Notes that a value is of the wrong type.
fn wrong_type(cursor: &Cursor<'_>, expected: &str) {
    cursor.note(MistakeKind::WrongType { found: cursor.node.describe(), expected: expected.to_owned() });
}
