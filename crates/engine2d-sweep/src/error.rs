//! What can be wrong with a sweep.

/// A sweep that cannot be read, or a row that is none of its own.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The text is not JSON.
    #[error("sweep is not JSON: {0}")]
    NotJson(serde_json::Error),
    /// A field is missing, unknown or of the wrong type.
    #[error("{path}: {problem}")]
    Field {
        /// Where it is, like `parameters[2].values`.
        path: String,
        /// What is wrong, and what is allowed.
        problem: String,
    },
    /// A run beyond the last one.
    #[error("there is no run {run} (there are {count})")]
    NoRun {
        /// The run asked for.
        run: u64,
        /// How many there are.
        count: u64,
    },
    /// A row that cannot be read back.
    #[error("row {place} cannot be read: {source}")]
    Row {
        /// Place among the rows given.
        place: usize,
        /// What the reader says.
        source: serde_json::Error,
    },
    /// The table cannot be made.
    #[error(transparent)]
    Table(#[from] engine2d_table::TableError),
}

impl SweepError {
    /// A mistake at a path.
    pub(crate) fn at(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Field { path: path.into(), problem: problem.into() }
    }
}
