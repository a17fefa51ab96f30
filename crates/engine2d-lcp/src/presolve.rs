//! What can be said about a problem before solving it: islands that do not touch each other, rows that say the
//! same twice, and pairs of rows that say opposite things.
//!
//! A contact listed twice needs one row; its copy keeps force 0. Two opposed contacts (`A_j = −A_i`, `b_j = −b_i`)
//! leave no room between them: together they are one bilateral row, whose force is carried by whichever
//! of the two it points to. Both reductions are exact, and [`Presolved::expand`] undoes them.

use crate::partition::Partition;
use crate::{Error, Lcp, Row};
use std::collections::BTreeMap;

/// Groups of rows such that no entry of `A` and no friction row links two of them, each in increasing order.
#[must_use]
pub fn islands(problem: &Lcp<'_>) -> Vec<Vec<usize>> {
    let mut partition = Partition::default();
    partition.find(problem.matrix(), problem.kinds(), problem.len());
    (0..partition.len()).map(|k| partition.rows(k).to_vec()).collect()
}

/// What a row of the reduced problem stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The row itself.
    Row(usize),
    /// Two opposed contacts.
    Pair(usize, usize),
}

/// A problem without exact duplicates and opposites among its unilateral rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Presolved {
    problem: Lcp<'static>,
    origins: Vec<Origin>,
    rows: usize,
}

impl Presolved {
    /// Merges duplicate and opposed unilateral rows. Rows that a friction row refers to are left alone.
    ///
    /// # Errors
    /// None for a valid problem; the reduced one is checked like any other.
    pub fn new(problem: &Lcp<'_>) -> Result<Self, Error> {
        let n = problem.len();
        let mut dense = Vec::new();
        problem.matrix().to_dense(&mut dense);
        let b = problem.bias();
        let mut pressed = vec![false; n];
        for kind in problem.kinds() {
            if let Some(normal) = kind.normal() {
                pressed[normal] = true;
            }
        }
        let mergeable = |i: usize| problem.kinds()[i] == Row::Unilateral && !pressed[i];
        let row = |i: usize| &dense[i * n..(i + 1) * n];
        let same = |i: usize, j: usize, sign: f64| {
            b[i] == sign * b[j] && row(i).iter().zip(row(j)).all(|(x, y)| *x == sign * y)
        };
        // Equal up to sign means equal in size: sort by that, compare within the groups.
        let mut groups: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
        for i in (0..n).filter(|&i| mergeable(i)) {
            let key = (row(i)[i].to_bits(), b[i].abs().to_bits());
            groups.entry(key).or_default().push(i);
        }
        let mut partner: Vec<Option<usize>> = vec![None; n];
        let mut dropped = vec![false; n];
        for group in groups.values() {
            for (k, &i) in group.iter().enumerate() {
                for &j in &group[..k] {
                    if dropped[j] || dropped[i] {
                        continue;
                    }
                    if same(i, j, 1.0) {
                        dropped[i] = true;
                    } else if partner[j].is_none() && same(i, j, -1.0) {
                        dropped[i] = true;
                        partner[j] = Some(i);
                    }
                }
            }
        }
        let kept: Vec<usize> = (0..n).filter(|&i| !dropped[i]).collect();
        let origins: Vec<Origin> =
            kept.iter().map(|&i| partner[i].map_or(Origin::Row(i), |j| Origin::Pair(i, j))).collect();
        let mut place = vec![usize::MAX; n];
        kept.iter().enumerate().for_each(|(k, &i)| place[i] = k);
        let matrix: Vec<f64> =
            kept.iter().flat_map(|&i| kept.iter().map(move |&j| (i, j))).map(|(i, j)| row(i)[j]).collect();
        let bias: Vec<f64> = kept.iter().map(|&i| b[i]).collect();
        let kinds: Vec<Row> = origins
            .iter()
            .map(|origin| match *origin {
                Origin::Pair(..) => Row::Bilateral,
                Origin::Row(i) => {
                    let kind = problem.kinds()[i];
                    kind.normal().map_or(kind, |normal| kind.with_normal(place[normal]))
                }
            })
            .collect();
        Ok(Self { problem: Lcp::from_dense(matrix, bias)?.rows(kinds)?, origins, rows: n })
    }

    /// The reduced problem.
    #[must_use]
    pub fn problem(&self) -> &Lcp<'static> {
        &self.problem
    }

    /// Forces of the original problem from forces of the reduced one.
    #[must_use]
    pub fn expand(&self, reduced: &[f64]) -> Vec<f64> {
        let mut f = vec![0.0; self.rows];
        for (origin, &force) in self.origins.iter().zip(reduced) {
            match *origin {
                Origin::Row(i) => f[i] = force,
                Origin::Pair(i, _) if force >= 0.0 => f[i] = force,
                Origin::Pair(_, j) => f[j] = -force,
            }
        }
        f
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Certificate, Solver};

    #[test]
    fn islands_are_found_in_order() {
        let a = [[1.0, 0.0, 0.5, 0.0], [0.0, 1.0, 0.0, 0.0], [0.5, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
        let problem = Lcp::dense(a, [-1.0; 4]).unwrap();
        assert_eq!(islands(&problem), [vec![0, 2], vec![1], vec![3]]);
        let rows = [Row::Unilateral, Row::Unilateral, Row::Unilateral, Row::Friction { normal: 1, mu: 0.1 }];
        assert_eq!(islands(&problem.rows(rows).unwrap()), [vec![0, 2], vec![1, 3]]);
    }

    #[test]
    fn duplicates_and_opposites_are_merged_and_expanded() {
        // Contact 0, its copy, its opposite, and another contact.
        let j = [[1.0, 0.5], [1.0, 0.5], [-1.0, -0.5], [0.0, 1.0]];
        let a = j.map(|x| j.map(|y| x[0] * y[0] + x[1] * y[1]));
        for pull in [-1.0, 1.0] {
            let b = j.map(|x| pull * x[0] - 0.25 * x[1]);
            let problem = Lcp::dense(a, b).unwrap();
            let presolved = Presolved::new(&problem).unwrap();
            assert_eq!(presolved.problem().len(), 2);
            assert_eq!(presolved.problem().kinds(), [Row::Bilateral, Row::Unilateral]);
            let solution = Solver::auto().solve(presolved.problem()).unwrap();
            let f = presolved.expand(&solution.f);
            assert!(Certificate::compute(&problem, &f, 1e-8, &mut [0.0; 4]).residual < 1e-14);
        }
    }
}
