//! Exactly opposed contacts leave no room between them: together they are one bilateral row.

use crate::{Lcp, Matrix, Row};

/// Fills `pairs` with pairs of unilateral rows with `J_j = −J_i`, `b_j = −b_i`; each row is in one pair at most. `keyed` is
/// scratch.
pub(super) fn find(problem: &Lcp<'_>, keyed: &mut Vec<(u64, usize)>, pairs: &mut Vec<(usize, usize)>) {
    pairs.clear();
    let Matrix::Jacobian { jacobian, compliance, .. } = problem.matrix() else { return };
    let b = problem.bias();
    // Two that give way do not act as one.
    let unilateral =
        |i: &usize| problem.kinds()[*i] == Row::Unilateral && compliance.get(*i).is_none_or(|c| *c == 0.0);
    // Equal but for the sign: the sum of the bits of what has none.
    let key = |i: usize| {
        let (columns, values) = jacobian.row(i);
        let parts = columns.iter().zip(values).map(|(c, v)| v.abs().to_bits().rotate_left(*c as u32 % 64));
        parts.fold(b[i].abs().to_bits(), |sum, part| (sum ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    };
    keyed.clear();
    keyed.extend((0..problem.len()).filter(unilateral).map(|i| (key(i), i)));
    keyed.sort_unstable();
    let opposed = |i: usize, j: usize| {
        let ((ci, vi), (cj, vj)) = (jacobian.row(i), jacobian.row(j));
        b[i] == -b[j] && ci == cj && vi.iter().zip(vj).all(|(x, y)| *x == -y)
    };
    const TAKEN: usize = usize::MAX;
    for group in keyed.chunk_by_mut(|x, y| x.0 == y.0) {
        for k in 1..group.len() {
            let j = group[k].1;
            if let Some(m) = (0..k).find(|&m| group[m].1 != TAKEN && opposed(group[m].1, j)) {
                pairs.push((group[m].1, j));
                (group[m].1, group[k].1) = (TAKEN, TAKEN);
            }
        }
    }
}
