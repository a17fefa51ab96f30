//! What an import gives: the scene, and what of the file is not in it.

use engine2d_scene::Scene;
use std::fmt;

/// A scene, and what is to be said of how it came about.
#[derive(Clone, Debug)]
pub struct Import {
    /// The scene; it is sound.
    pub scene: Scene,
    /// All of the file that is not in the scene, or is there as something else, in the order it was met.
    pub notes: Vec<Note>,
}

/// A piece of the file that the scene does not have as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where it is in the file.
    pub path: String,
    /// The line, in formats that have lines.
    pub line: Option<u32>,
    /// What became of it.
    pub kind: NoteKind,
    /// What is to be said, in words.
    pub text: String,
}

/// What became of a piece of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// It is not in the scene, and the motion may depend on it.
    NotUnderstood,
    /// It is in the scene as something else, which moves otherwise.
    Changed,
    /// It is not in the scene, and no motion depends on it: pictures, names, settings of an editor or another solver.
    NoMotion,
}

impl NoteKind {
    /// Whether the scene may move otherwise for it.
    #[must_use]
    pub fn matters(self) -> bool {
        self != Self::NoMotion
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotUnderstood => "not understood",
            Self::Changed => "changed",
            Self::NoMotion => "no part in the motion",
        })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{}: {}", self.path, self.kind)?;
        if self.text.is_empty() { Ok(()) } else { write!(f, ": {}", self.text) }
    }
}

/// The notes of an import under way.
#[derive(Default)]
pub(crate) struct Notes(pub(crate) Vec<Note>);

impl Notes {
    /// Notes something at a path.
    pub(crate) fn add(&mut self, path: impl Into<String>, kind: NoteKind, text: impl Into<String>) {
        self.0.push(Note { path: path.into(), line: None, kind, text: text.into() });
    }
}
