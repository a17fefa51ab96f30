//! What pivots tell of the rank.

/// What an elimination found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// This many rows are combinations of those before.
    Dependent(usize),
    /// A pivot is neither clear nor zero, or negative.
    Doubtful,
}

/// Whether a pivot is that of a row that is a combination of others; `None` where it is neither clear nor zero.
pub(super) fn is_dependent(pivot: f64, diagonal: f64, [clear, zero]: [f64; 2]) -> Option<bool> {
    if pivot > clear * diagonal { Some(false) } else { (pivot.abs() <= zero * diagonal).then_some(true) }
}
