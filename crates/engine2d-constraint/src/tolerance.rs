//! Named tolerances of mechanism analysis.

/// Eigenvalue of `J M⁻¹ Jᵀ`, scaled to a unit diagonal, below which a combination of rows is dependent. Relative.
/// An eigenvalue is the square of how far rows are from dependence: this is 2e-5 of a right angle. True redundancy
/// leaves only rounding (1e-16); a mechanism at a change point passes through smaller values, where keeping the
/// nearly dependent combination would turn position errors of 1e-15 into forces without bound. Measured on a
/// parallelogram that passes two change points: 1e-11 leaves an error of 2e-8 rad, this one 1e-12. A larger value would
/// take very light bodies between heavy ones (mass ratios above 1e8) for dependence.
pub const DEPENDENT: f64 = 3e-10;

/// Largest position and velocity error of an assembled mechanism (length, radians, and per time).
pub const ASSEMBLED: f64 = 1e-12;

/// Gauss–Newton iterations that assembly may take.
pub const ASSEMBLY_ITERATIONS: usize = 50;

/// Acceleration error, relative to the largest bias, above which constraints contradict each other.
pub const CONFLICT: f64 = 1e-8;

/// Smallest pivot of the matrix scaled to a unit diagonal at which the rows count as independent without a look at
/// eigenvalues. Relative. Above it the smallest eigenvalue is far above [`DEPENDENT`]; a larger value only costs time.
pub const REGULAR_PIVOT: f64 = 1e-6;

/// Error (length, radians) at or below which a unilateral row touches. Assembled rows are a thousand times closer; a
/// larger value would let contacts push before they touch.
pub const TOUCHING: f64 = 1e-9;

/// Rate (length or radians per time) up to which a touching row stays, a contact sticks and a motor holds its speed.
pub const RESTING: f64 = 1e-9;

/// Error of a row, relative to the largest of all, that no change of positions removes: the constraint conflicts.
pub const CONTRADICTION: f64 = 1e-8;

/// Share in dependent combinations above which a row counts as redundant: the square of its part in one of length 1. Rounding leaves
/// 1e-16, and 1e-12 where other combinations are as near to dependence as [`DEPENDENT`]. Forces that are said to be
/// determined may be a root of this off.
pub const REDUNDANT_SHARE: f64 = 1e-10;

/// Number of rows up to which a rank-deficient system is analysed by eigenvalues (multipliers of least norm); above it
/// dependent rows are left out. The cost of eigenvalues grows with the cube.
pub const EIGEN_ROWS: usize = 300;

/// Eigenvalue, as [`DEPENDENT`], below which a projection during integration leaves a combination of rows alone: a
/// thousandth of a right angle. There a position error of 1e-13 moves bodies by 1e-10; with a smaller limit the
/// correction jumps close to a change point.
pub const VANISHING: f64 = 1e-6;

/// Error that such a projection may leave in combinations it does not correct (length, radians, and per time).
pub const CARRIED: f64 = 1e-7;

/// Least tangent stiffness that a step takes of a nonlinear law (force per displacement). Where a law is flat it pushes
/// next to nothing anyhow; without a limit its compliance would be infinite. A larger value would hold rows that hang loose.
pub const SOFTEST: f64 = 1e-9;

/// Largest error that a projection during integration leaves where rounding allows (length, radians, and per time). Near a
/// change point it grows with the inverse square of the distance from it: errors a thousand times larger lose the motion
/// there.
pub const PROJECTED: f64 = 1e-15;

/// Number of rows up to which a problem is handed to a solver as a dense matrix; above it as a sparse one. A chain of 256
/// rows has 3 % of its entries different from zero, and a dense matrix of that size takes half a megabyte.
pub const DENSE_ROWS: usize = 256;

/// Penetration of rigid unilateral rows that a position correction of constrainers leaves (length, radians), so that
/// contacts do not chatter: with 0 a corrected contact is open by rounding in every other step and lets go.
pub const SLACK: f64 = 1e-4;

/// Step of finite differences along a motion (time): their own error is its square times third derivatives, 1e-10 for
/// motions of unit size, and rounding over the step, 1e-11.
pub const DIFFERENCE_STEP: f64 = 1e-5;

/// Agreement of a rate with finite differences, relative to the rate or 1: ten thousand times their own error, to leave room
/// for fast motions; a wrong term of unit size is a million times larger.
pub const DIFFERENCE_AGREEMENT: f64 = 1e-6;
