//! What can go wrong with a table.

/// A table that cannot be made or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Columns of unequal length.
    #[error("column {name:?} has {rows} rows, the first one has {expected}: give all columns as many")]
    Length {
        /// Name of the column.
        name: String,
        /// Its rows.
        rows: usize,
        /// Rows of the first column.
        expected: usize,
    },
    /// What is read is no Parquet file, or a damaged one.
    #[error("the table cannot be read: {0}")]
    Unreadable(parquet::errors::ParquetError),
    /// A column of a kind that no table of a run has.
    #[error("column {name:?} is of kind {kind}: numbers, whole numbers, texts and flags can be read")]
    Kind {
        /// Name of the column.
        name: String,
        /// Its kind.
        kind: String,
    },
    /// Arrow refuses the columns.
    #[error("the table cannot be made: {0}")]
    Arrow(#[from] arrow_schema::ArrowError),
    /// Parquet cannot be written.
    #[error("the table cannot be written: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
}

impl From<TableError> for std::io::Error {
    fn from(error: TableError) -> Self {
        Self::other(error)
    }
}
