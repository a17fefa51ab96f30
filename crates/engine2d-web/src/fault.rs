//! What is wrong with a scene, and on which line.

use crate::locate::locate;
use engine2d_scene::SceneError;
use serde::Serialize;

/// A mistake with its place in the text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fault {
    /// Where it is in the scene, like `bodies[3].mass`; empty for the scene itself.
    pub path: String,
    /// What is wrong and what is allowed, in the words of the reader.
    pub message: String,
    /// Line of the text, from 1.
    pub line: usize,
    /// Column of the line, from 1.
    pub column: usize,
}

impl Fault {
    /// The mistakes of a text that could not be read, at least one.
    #[must_use]
    pub fn of(text: &str, error: &SceneError) -> Vec<Self> {
        match error {
            SceneError::NotJson { message, line, column } => vec![Self {
                path: String::new(),
                message: format!("not JSON: {message}"),
                line: (*line).max(1),
                column: (*column).max(1),
            }],
            SceneError::Invalid(mistakes) => mistakes
                .as_slice()
                .iter()
                .map(|mistake| {
                    let (line, column) = locate(text, &mistake.path);
                    Self { path: mistake.path.clone(), message: mistake.kind.to_string(), line, column }
                })
                .collect(),
            other => vec![Self { path: String::new(), message: other.to_string(), line: 1, column: 1 }],
        }
    }
}
