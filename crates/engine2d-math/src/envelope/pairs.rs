//! Pairs of rows of which each reaches the next pair at most: a block tridiagonal matrix.
//!
//! A pair lies in memory as `d00 d01 o00 o01, d11 o10 o11`, its diagonal block and its block beside the next pair, and the last one as
//! `d00 d01, d11`.

use super::rank::{Rank, is_dependent};

/// Rows of a pair.
pub(super) const ROWS: usize = 2;

/// Entries of a pair.
const ENTRIES: usize = 7;

/// Whether all rows are in pairs and end with the next one.
pub(super) fn fit(reach: &[usize]) -> bool {
    reach.len().is_multiple_of(ROWS) && reach.iter().enumerate().all(|(k, end)| *end <= ROWS * (k / ROWS + 2))
}

/// Eliminates; what is left of a row is in its place.
pub(super) fn factor(
    entries: &mut [f64],
    diagonal: &[f64],
    inverse: &mut [f64],
    [clear, zero]: [f64; 2],
) -> Rank {
    let mut dependent = 0;
    let mut reciprocal = |pivot: f64, diagonal: f64| {
        let none = is_dependent(pivot, diagonal, [clear, zero])?;
        dependent += usize::from(none);
        Some(if none { 0.0 } else { 1.0 / pivot })
    };
    // What the pair before takes away from the diagonal block.
    let mut less = [0.0; 3];
    let (diagonals, inverses) = (diagonal.as_chunks::<ROWS>().0, inverse.as_chunks_mut::<ROWS>().0);
    for ((pair, diagonal), inverse) in entries.chunks_mut(ENTRIES).zip(diagonals).zip(inverses) {
        let last = pair.len() < ENTRIES;
        let second = if last { 2 } else { 4 };
        let (d00, d01) = (pair[0] - less[0], pair[1] - less[1]);
        let Some(i0) = reciprocal(d00, diagonal[0]) else { return Rank::Doubtful };
        let share = d01 * i0;
        let d11 = (pair[second] - less[2]) - share * d01;
        let Some(i1) = reciprocal(d11, diagonal[1]) else { return Rank::Doubtful };
        (pair[0], pair[1], pair[second]) = (d00, d01, d11);
        *inverse = [i0, i1];
        if let [_, _, o00, o01, _, o10, o11] = pair {
            *o10 -= share * *o00;
            *o11 -= share * *o01;
            let (s0, s1) = ([*o00 * i0, *o01 * i0], [*o10 * i1, *o11 * i1]);
            less = [s0[0] * *o00 + s1[0] * *o10, s0[0] * *o01 + s1[0] * *o11, s0[1] * *o01 + s1[1] * *o11];
        }
    }
    Rank::Dependent(dependent)
}

/// `x ← D U⁻ᵀ x`.
pub(super) fn forward(entries: &[f64], inverse: &[f64], x: &mut [f64]) {
    let pairs = entries.chunks(ENTRIES).zip(inverse.as_chunks::<ROWS>().0);
    let mut less = [0.0; ROWS];
    for ((pair, [i0, i1]), x) in pairs.zip(x.as_chunks_mut::<ROWS>().0) {
        let first = x[0] - less[0];
        let y0 = first * i0;
        let second = (x[1] - less[1]) - pair[1] * y0;
        let y1 = second * i1;
        *x = [first, second];
        if let [_, _, o00, o01, _, o10, o11] = pair {
            less = [o00 * y0 + o10 * y1, o01 * y0 + o11 * y1];
        }
    }
}

/// `x ← U⁻¹ x`.
pub(super) fn backward(entries: &[f64], inverse: &[f64], x: &mut [f64]) {
    let pairs = entries.chunks(ENTRIES).zip(inverse.as_chunks::<ROWS>().0);
    let mut next = [0.0; ROWS];
    for ((pair, [i0, i1]), x) in pairs.zip(x.as_chunks_mut::<ROWS>().0).rev() {
        let [mut first, mut second] = *x;
        if let [_, _, o00, o01, _, o10, o11] = pair {
            first -= o00 * next[0] + o01 * next[1];
            second -= o10 * next[0] + o11 * next[1];
        }
        let y1 = second * i1;
        let y0 = (first - pair[1] * y1) * i0;
        next = [y0, y1];
        *x = next;
    }
}
