//! The complementarity problem of rows, given by their Jacobian: what it costs grows with the bodies, not with the square of the
//! rows.

use super::row::Row;
use engine2d_constraint::{ConstraintRow, InverseMass, RowKind};
use engine2d_geometry::BodyRef;
use engine2d_lcp::{Error, Lcp, SparseRows};

/// Entries of a row: the coordinates of two bodies.
const ENTRIES: usize = 6;

/// A row with what the problem asks of it.
pub(crate) struct Asked<'a> {
    pub(crate) row: &'a ConstraintRow,
    pub(crate) kind: RowKind,
    /// Rate without multipliers.
    pub(crate) bias: f64,
    /// Rate per multiplier of the row itself; 0 where it is rigid.
    pub(crate) compliance: f64,
}

impl<'a> Asked<'a> {
    /// What a rigid row asks of its multiplier, with a right-hand side of its own.
    pub(crate) fn new(row: &'a Row, bias: f64) -> Self {
        Self { row: &row.row, kind: row.kind, bias, compliance: 0.0 }
    }
}

/// The problem `w = (J M⁻¹ Jᵀ + C) λ + b` of rows.
///
/// # Errors
/// What the problem says of numbers that are none.
pub(crate) fn problem_by_bodies<'a>(
    rows: &mut dyn ExactSizeIterator<Item = Asked<'a>>,
    masses: &[InverseMass],
) -> Result<Lcp<'static>, Error> {
    let count = rows.len();
    let mut jacobian = SparseRows {
        start: Vec::with_capacity(count + 1),
        column: Vec::with_capacity(ENTRIES * count),
        value: Vec::with_capacity(ENTRIES * count),
    };
    jacobian.start.push(0);
    let (mut bias, mut compliance, mut kinds) =
        (Vec::with_capacity(count), Vec::with_capacity(count), Vec::with_capacity(count));
    for asked in rows {
        enter(asked.row, masses, &mut jacobian);
        bias.push(asked.bias);
        compliance.push(asked.compliance);
        kinds.push(asked.kind);
    }
    if compliance.iter().all(|c| *c == 0.0) {
        compliance.clear();
    }
    let inverse = masses.iter().flat_map(|m| [m.linear, m.linear, m.angular]).collect();
    Lcp::soft_jacobian(jacobian, inverse, compliance, bias).and_then(|problem| problem.rows(kinds))
}

/// Appends a row's entries in the columns of its movable bodies.
fn enter(row: &ConstraintRow, masses: &[InverseMass], jacobian: &mut SparseRows) {
    let movable = |body: BodyRef| body.index().filter(|&i| masses[i].is_movable());
    let [a, b] = row.bodies.map(movable);
    let mut side = |body: Option<usize>, entries: &[f64; 3]| {
        let Some(body) = body else { return };
        for (k, value) in entries.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            jacobian.column.push(3 * body + k);
            jacobian.value.push(*value);
        }
    };
    let [first, second] = &row.jacobian;
    match (a, b) {
        (Some(i), Some(j)) if i == j => {
            side(a, &[first[0] + second[0], first[1] + second[1], first[2] + second[2]]);
        }
        (Some(i), Some(j)) if j < i => {
            side(b, second);
            side(a, first);
        }
        _ => {
            side(a, first);
            side(b, second);
        }
    }
    jacobian.start.push(jacobian.column.len());
}
