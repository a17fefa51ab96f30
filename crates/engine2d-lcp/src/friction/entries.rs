//! The entries that are not zero, row by row.

use crate::SparseRows;

/// The entries of a dense matrix that are not zero.
pub(super) fn collect(dense: &[f64], n: usize, rows: &mut SparseRows) {
    rows.start.clear();
    rows.column.clear();
    rows.value.clear();
    rows.start.push(0);
    for row in dense.chunks_exact(n.max(1)) {
        for (j, value) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            rows.column.push(j);
            rows.value.push(*value);
        }
        rows.start.push(rows.column.len());
    }
}

/// Takes the columns of what cannot move out: every row may touch them, and they link none.
pub(super) fn drop_immovable(rows: &mut SparseRows, inverse_mass: &[f64]) {
    let (mut kept, mut from) = (0, 0);
    for i in 0..rows.rows() {
        let to = rows.start[i + 1];
        for k in from..to {
            if inverse_mass[rows.column[k]] != 0.0 {
                (rows.column[kept], rows.value[kept]) = (rows.column[k], rows.value[k]);
                kept += 1;
            }
        }
        (from, rows.start[i + 1]) = (to, kept);
    }
    rows.column.truncate(kept);
    rows.value.truncate(kept);
}

/// `a = A f + b` over the nonzero entries.
pub(super) fn accelerations(rows: &SparseRows, bias: &[f64], f: &[f64], a: &mut [f64]) {
    rows.product(f, a);
    for (a, b) in a.iter_mut().zip(bias) {
        *a += b;
    }
}
