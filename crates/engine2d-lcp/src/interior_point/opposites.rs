//! Exactly opposed contacts leave no room between them: together they are one bilateral row.

use crate::{Lcp, Matrix, Row};

/// Pairs of unilateral rows with `J_j = −J_i`, `b_j = −b_i`; each row is in one pair at most.
pub(super) fn find(problem: &Lcp<'_>) -> Vec<(usize, usize)> {
    let Matrix::Jacobian { jacobian, .. } = problem.matrix() else { return Vec::new() };
    let b = problem.bias();
    let unilateral = |i: &usize| problem.kinds()[*i] == Row::Unilateral;
    // Equal but for the sign: the sum of the bits of what has none.
    let key = |i: usize| {
        let (columns, values) = jacobian.row(i);
        let parts = columns.iter().zip(values).map(|(c, v)| v.abs().to_bits().rotate_left(*c as u32 % 64));
        parts.fold(b[i].abs().to_bits(), |sum, part| (sum ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    };
    let mut keyed: Vec<(u64, usize)> = (0..problem.len()).filter(unilateral).map(|i| (key(i), i)).collect();
    keyed.sort_unstable();
    let opposed = |i: usize, j: usize| {
        let ((ci, vi), (cj, vj)) = (jacobian.row(i), jacobian.row(j));
        b[i] == -b[j] && ci == cj && vi.iter().zip(vj).all(|(x, y)| *x == -y)
    };
    let mut pairs = Vec::new();
    for group in keyed.chunk_by(|x, y| x.0 == y.0).filter(|group| group.len() > 1) {
        let mut open: Vec<usize> = group.iter().map(|x| x.1).collect();
        while let Some(j) = open.pop() {
            if let Some(k) = open.iter().position(|&i| opposed(i, j)) {
                pairs.push((open.remove(k), j));
            }
        }
    }
    pairs
}
