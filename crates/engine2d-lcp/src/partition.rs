//! Islands: groups of rows that no entry of `A` links. Each is a problem of its own.
//!
//! Disjoint sets by union-find: time and memory grow with the entries of the matrix or the Jacobian only. The
//! buffers stay for the next problem.

use crate::problem::Matrix;
use crate::{Lcp, Row};

/// Marks a column that no row has used yet.
const NONE: usize = usize::MAX;

/// Groups of rows such that no entry of `A` and no friction row links two of them, each in increasing order.
#[must_use]
pub fn islands(problem: &Lcp<'_>) -> Vec<Vec<usize>> {
    let mut partition = Partition::default();
    partition.find(problem.matrix(), problem.kinds(), problem.len());
    (0..partition.len()).map(|k| partition.rows(k).to_vec()).collect()
}

/// The islands of a problem, in the order of their first rows; rows in increasing order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Partition {
    root: Vec<usize>,
    /// A row that uses each column of the Jacobian.
    user: Vec<usize>,
    /// Island of each row.
    island: Vec<usize>,
    start: Vec<usize>,
    rows: Vec<usize>,
}

impl Partition {
    /// Finds the islands of a problem of `n` rows; friction rows go with their normal rows.
    pub(crate) fn find(&mut self, matrix: &Matrix<'_>, kinds: &[Row], n: usize) {
        self.root.clear();
        self.root.extend(0..n);
        self.join_linked(matrix, n);
        for (i, kind) in kinds.iter().enumerate() {
            if let Some(normal) = kind.normal() {
                join(&mut self.root, i, normal);
            }
        }
        let Self { root, island, start, rows, .. } = self;
        island.clear();
        start.clear();
        // The smallest row of an island is its root: it comes first.
        for i in 0..n {
            let r = root_of(root, i);
            if r == i {
                island.push(start.len());
                start.push(1);
            } else {
                island.push(island[r]);
                start[island[r]] += 1;
            }
        }
        let mut before = 0;
        for count in start.iter_mut() {
            before += std::mem::replace(count, before);
        }
        start.push(n);
        rows.clear();
        rows.resize(n, 0);
        for i in 0..n {
            let next = &mut start[island[i]];
            rows[*next] = i;
            *next += 1;
        }
        // Each start has moved to the end of its island, the start of the next one.
        start.pop();
        start.insert(0, 0);
    }

    /// Number of islands.
    pub(crate) fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// The rows of an island.
    pub(crate) fn rows(&self, island: usize) -> &[usize] {
        &self.rows[self.start[island]..self.start[island + 1]]
    }

    /// Joins the rows that an entry of the matrix links.
    fn join_linked(&mut self, matrix: &Matrix<'_>, n: usize) {
        let Self { root, user, .. } = self;
        match matrix {
            Matrix::Dense(a) => {
                for i in 0..n {
                    let row = &a[i * n..(i + 1) * n];
                    for j in (0..n).filter(|&j| row[j] != 0.0) {
                        // Above the diagonal only what the mirrored entry does not link: there is none if `A` is symmetric.
                        if j < i || j > i && a[j * n + i] == 0.0 {
                            join(root, i, j);
                        }
                    }
                }
            }
            Matrix::Sparse(a) => {
                for i in 0..n {
                    let (columns, values) = a.row(i);
                    for (&j, _) in columns.iter().zip(values).filter(|(_, v)| **v != 0.0) {
                        join(root, i, j);
                    }
                }
            }
            Matrix::Jacobian { jacobian, inverse_mass, .. } => {
                user.clear();
                user.resize(inverse_mass.len(), NONE);
                for i in 0..n {
                    let (columns, values) = jacobian.row(i);
                    let mut last = i;
                    for (&c, v) in columns.iter().zip(values) {
                        if *v != 0.0 && inverse_mass[c] != 0.0 {
                            let before = std::mem::replace(&mut user[c], i);
                            // The columns of a body mostly have the same user.
                            if before != NONE && before != last {
                                join(root, i, before);
                                last = before;
                            }
                        }
                    }
                }
            }
        }
    }
}

fn root_of(root: &mut [usize], mut i: usize) -> usize {
    while root[i] != i {
        root[i] = root[root[i]];
        i = root[i];
    }
    i
}

/// The smaller index stays the root, so that islands come in the order of their first row.
fn join(root: &mut [usize], i: usize, j: usize) {
    let (a, b) = (root_of(root, i), root_of(root, j));
    root[a.max(b)] = a.min(b);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn islands_are_found_in_order() {
        let a = [[1.0, 0.0, 0.5, 0.0], [0.0, 1.0, 0.0, 0.0], [0.5, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
        let problem = Lcp::dense(a, [-1.0; 4]).unwrap();
        assert_eq!(islands(&problem), [vec![0, 2], vec![1], vec![3]]);
        let rows = [Row::Unilateral, Row::Unilateral, Row::Unilateral, Row::Friction { normal: 1, mu: 0.1 }];
        assert_eq!(islands(&problem.rows(rows).unwrap()), [vec![0, 2], vec![1, 3]]);
    }
}
