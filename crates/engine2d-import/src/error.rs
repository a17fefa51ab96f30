//! What can be wrong with a file to be imported.

/// A file that is not what it is said to be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// Neither the name nor the text tells the format.
    #[error("the format cannot be told: give it as mjcf, rube or tiled")]
    UnknownFormat,
    /// The text is not XML.
    #[error("not XML: {0}")]
    NotXml(#[from] roxmltree::Error),
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    NotJson(#[from] serde_json::Error),
    /// A value is missing, of the wrong type or out of range.
    #[error("{}{path}: {problem}", line.map_or_else(String::new, |line| format!("line {line}: ")))]
    Value {
        /// Where it is, like `body[2].fixture[0].density`.
        path: String,
        /// The line, in formats that have lines.
        line: Option<u32>,
        /// What is wrong, and what is allowed.
        problem: String,
    },
    /// What was read makes no sound scene.
    #[error("the scene that comes of it is not sound: {0}")]
    Scene(#[from] engine2d_scene::SceneError),
}

impl ImportError {
    /// A mistake at a path.
    pub(crate) fn at(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Value { path: path.into(), line: None, problem: problem.into() }
    }
}
