//! Presolve: exactly opposed contacts (`J_j = −J_i`, `b_j = −b_i`) leave no room between them. Together they are one bilateral
//! row, whose force is carried by whichever of the two it points to.

use crate::{Lcp, Matrix, Row};
use engine2d_math::order::Order;

/// Fills `pairs` with pairs of unilateral rows with `J_j = −J_i`, `b_j = −b_i`; each row is in one pair at most. `keyed` is
/// scratch.
pub(crate) fn opposed_pairs(
    problem: &Lcp<'_>,
    keyed: &mut Vec<(u64, usize)>,
    pairs: &mut Vec<(usize, usize)>,
) {
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
    keyed.order();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Solver, SparseRows};

    #[test]
    fn opposed_contacts_are_found_once_and_act_as_one_row() {
        // Contact 0, its copy, two opposed to it, and another contact.
        let rows = [[1.0, 0.5], [1.0, 0.5], [-1.0, -0.5], [-1.0, -0.5], [0.0, 1.0]];
        for pull in [-1.0, 1.0] {
            let jacobian = SparseRows {
                start: (0..=rows.len()).map(|i| 2 * i).collect(),
                column: [0, 1].repeat(rows.len()),
                value: rows.concat(),
            };
            let bias = rows.map(|x| pull * x[0] - 0.25 * x[1]).to_vec();
            let problem = Lcp::jacobian(jacobian, vec![1.0, 1.0], bias).unwrap();
            let mut pairs = Vec::new();
            opposed_pairs(&problem, &mut Vec::new(), &mut pairs);
            pairs.sort_unstable();
            assert_eq!(pairs.len(), 2);
            assert!(pairs.iter().all(|&(i, j)| i < 2 && (2..4).contains(&j)) && pairs[0].1 != pairs[1].1);
            let solution = Solver::with(crate::Method::InteriorPoint).solve(&problem).unwrap();
            assert!(solution.is_solved() && solution.certificate.residual < 1e-12, "{solution}");
        }
    }
}
