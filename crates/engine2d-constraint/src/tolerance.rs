//! Named tolerances of mechanism analysis.

/// Eigenvalue of `J M⁻¹ Jᵀ`, scaled to a unit diagonal, below which a combination of rows is dependent. Relative.
/// An eigenvalue is the square of how far rows are from dependence: this is 3e-6 of a right angle. True redundancy
/// leaves only rounding (1e-16); a mechanism at a change point passes through smaller values, where keeping the
/// nearly dependent combination would turn position errors of 1e-12 into forces without bound.
pub const DEPENDENT: f64 = 1e-11;

/// Largest position and velocity error of an assembled mechanism (length, radians, and per time).
pub const ASSEMBLED: f64 = 1e-12;

/// Gauss–Newton iterations that assembly may take.
pub const ASSEMBLY_ITERATIONS: usize = 50;

/// Acceleration error, relative to the largest bias, above which constraints contradict each other.
pub const CONFLICT: f64 = 1e-8;
