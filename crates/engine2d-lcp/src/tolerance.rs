//! Named tolerances of this crate: each with its unit, its reason and what a change would break.

/// Default certificate below which an answer counts as solved; relative (see [`crate::Certificate`]). Contact
/// data carry about 10 digits, so a smaller value would only measure rounding.
pub const SOLVED: f64 = 1e-8;

/// Share of `|b_i| + Σ_j |A_ij f_j|` that rounding may leave in `a_i`; relative. About 500 units in the last
/// place: the rounding of sums of a few hundred terms, with a margin.
pub const ROUNDING_FLOOR: f64 = 1e-13;

/// Pivot of a row, relative to its diagonal entry, at which it counts as a combination of the active rows.
/// Rounding leaves about `n ε = 1e-13`; contacts that are independent by geometry have `1e-6` and more.
/// Larger: stiff stacks are cut; smaller: redundant rows get enormous forces.
pub const REDUNDANT: f64 = 1e-11;

/// Negative pivot, relative to the diagonal entry, that proves the matrix is not positive semidefinite. Far
/// above rounding, so that a redundant row is never mistaken for it.
pub const NOT_PSD: f64 = 1e-7;

/// Asymmetry allowed between `A_ij` and `A_ji`, relative to `√(A_ii A_jj)`. Matrices assembled entry by entry
/// agree to `1e-14`; more is a mistake of the caller.
pub const ASYMMETRY: f64 = 1e-9;

/// Unwanted acceleration, relative to the largest `|b_i|` (at least 1), below which the pivoting solver leaves
/// a row alone. Four digits below [`SOLVED`].
pub const ACCEPTABLE: f64 = 1e-12;

/// Share of `√A_ii Σ √A_jj |f_j|`, the bound of Cauchy on `Σ |A_ij f_j|`, that the pivoting solver attributes
/// to rounding when it decides whether a row needs driving.
pub const DRIVE_FLOOR: f64 = 2e-15;

/// Residual `|a_C|`, relative to the largest `|b_i|`, above which the forces get a step of refinement.
pub const REFINE: f64 = 1e-14;

/// Component of a direction, relative to the driven row and in scaled coordinates, that counts as rounding:
/// it cannot block.
pub const FLAT: f64 = 1e-13;

/// Largest `‖A v‖∞` of an infeasibility ray, relative to `max|A| ‖v‖₁`.
pub const RAY_RESIDUAL: f64 = 1e-12;

/// Hard limit on the pivots of one solve: `PIVOTS_PER_ROW · n + PIVOTS_ALWAYS`. Typical problems take one to
/// two per row; the limit only turns a failure of rounding into a status.
pub const PIVOTS_PER_ROW: usize = 50;
/// See [`PIVOTS_PER_ROW`].
pub const PIVOTS_ALWAYS: usize = 100;
