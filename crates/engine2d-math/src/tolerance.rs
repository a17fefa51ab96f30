//! Named tolerances of this crate: each with its unit, its reason and what a change would break.

/// Absolute size below which a whole row of a matrix counts as zero in [`crate::elimination`], in the unit
/// of the matrix. Fixed by the recorded behaviour: another value changes which systems are errors.
pub const ZERO_ROW: f64 = 1e-10;

/// Default absolute pivot zero of a direct [`crate::elimination::solve`], in the unit of the matrix.
pub const PIVOT_ZERO: f64 = 1e-10;

/// Largest right-hand side a row without pivot may carry before the system counts as inconsistent, absolute,
/// in the unit of the right-hand side. Loose on purpose: in contact problems a redundant row is only as
/// consistent as the positions it was computed from.
pub const INCONSISTENT: f64 = 0.1;

/// Default absolute limit on the diagonal of the eliminated matrix below which
/// [`crate::elimination::is_singular`] says so. An empirical value of the recorded engine; it influences
/// which of several valid contact forces is found.
pub const SINGULAR_DIAGONAL: f64 = 2e-3;
