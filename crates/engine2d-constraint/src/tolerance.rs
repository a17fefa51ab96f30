//! Named tolerances of mechanism analysis.

/// Eigenvalue of `J M⁻¹ Jᵀ`, scaled to a unit diagonal, below which a combination of rows is dependent. Relative;
/// rows of an assembled mechanism are either independent to about 1e-6 or dependent to rounding.
pub const DEPENDENT: f64 = 1e-11;

/// Largest position and velocity error of an assembled mechanism (length, radians, and per time).
pub const ASSEMBLED: f64 = 1e-12;

/// Gauss–Newton iterations that assembly may take.
pub const ASSEMBLY_ITERATIONS: usize = 50;

/// Acceleration error, relative to the largest bias, above which constraints contradict each other.
pub const CONFLICT: f64 = 1e-8;
