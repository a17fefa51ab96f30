//! Why a problem is not one: found before solving, except for a matrix that is not positive semidefinite.

/// A malformed problem or request.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A slice or matrix has the wrong size.
    #[error("{what} has length {got}, expected {expected}")]
    Dimension {
        /// Which part of the problem.
        what: &'static str,
        /// Its length.
        got: usize,
        /// What it must be.
        expected: usize,
    },
    /// An entry is infinite or not a number.
    #[error("{what}, entry {index}: not a finite number")]
    NonFinite {
        /// Which part of the problem.
        what: &'static str,
        /// Index of the entry (row-major for a matrix).
        index: usize,
    },
    /// An entry is so large that products with it leave the range of numbers.
    #[error("{what}, entry {index}: {value:e} is beyond 1e150, products with it overflow")]
    OutOfRange {
        /// Which part of the problem.
        what: &'static str,
        /// Index of the entry (row-major for a matrix).
        index: usize,
        /// The entry.
        value: f64,
    },
    /// The forces that solve the problem are too large to be numbers.
    #[error("row {row}: its force or acceleration overflows")]
    Overflow {
        /// The first such row.
        row: usize,
    },
    /// The matrix is not symmetric.
    #[error(
        "A[{row}][{column}] and A[{column}][{row}] differ by {difference:e}; the matrix must be symmetric \
         (`Lcp::unsymmetric` takes others)"
    )]
    Asymmetric {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// `|A_ij − A_ji|`.
        difference: f64,
    },
    /// The bounds of a boxed row are crossed or not numbers.
    #[error("row {row}: bounds [{lo}, {hi}] are crossed")]
    CrossedBounds {
        /// The row.
        row: usize,
        /// Lower bound.
        lo: f64,
        /// Upper bound.
        hi: f64,
    },
    /// A friction row names no usable normal row.
    #[error("row {row}: its normal row {normal} must be another row, of kind unilateral")]
    BadNormalRow {
        /// The friction row.
        row: usize,
        /// The row it names.
        normal: usize,
    },
    /// A coefficient of friction is negative, not a number or too large.
    #[error("row {row}: coefficient of friction {mu} must be between 0 and 1e150")]
    BadFriction {
        /// The friction row.
        row: usize,
        /// Its coefficient.
        mu: f64,
    },
    /// The matrix is not positive semidefinite.
    #[error("the matrix is not positive semidefinite: pivot {pivot:e} at row {row}")]
    NotPsd {
        /// The row.
        row: usize,
        /// Its pivot.
        pivot: f64,
    },
    /// An order lists a row that does not exist.
    #[error("the order names row {row} of a problem with {rows} rows")]
    OrderRange {
        /// The row named.
        row: usize,
        /// Number of rows.
        rows: usize,
    },
    /// An order lists a row twice.
    #[error("the order names row {row} twice")]
    OrderRepeats {
        /// The row.
        row: usize,
    },
    /// An order leaves a row out.
    #[error("the order leaves out row {row}")]
    OrderOmits {
        /// The row.
        row: usize,
    },
    /// The pre-ordered policy needs an order.
    #[error("the pre-ordered policy needs an order")]
    MissingOrder,
    /// A policy that draws needs a generator.
    #[error("the policy draws random numbers: give it a generator")]
    MissingGenerator,
    /// The solver cannot do what was asked.
    #[error("{solver} does not support {what}")]
    Unsupported {
        /// Name of the solver.
        solver: &'static str,
        /// The feature.
        what: &'static str,
    },
    /// A problem file could not be read.
    #[error("problem file: {0}")]
    File(String),
}
