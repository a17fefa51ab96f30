//! The Delassus operator as a sparse matrix: an entry for every pair of rows that share a movable body.

use crate::delassus::{Delassus, coupling};
use crate::row::{ConstraintRow, InverseMass};

/// A sparse Delassus matrix in compressed rows, both triangles, with its storage reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct SparseDelassus {
    start: Vec<usize>,
    column: Vec<usize>,
    value: Vec<f64>,
    /// Rows of each body, in compressed form.
    body_start: Vec<usize>,
    body_rows: Vec<usize>,
    /// The strictly lower triangle.
    lower_start: Vec<usize>,
    lower: Vec<(usize, f64)>,
    cursor: Vec<usize>,
}

impl SparseDelassus {
    /// Number of rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Number of stored entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.value.len()
    }

    /// Columns (increasing) and values of row `i`.
    ///
    /// # Panics
    /// If `i` is not below [`size`](Self::size).
    #[must_use]
    pub fn row(&self, i: usize) -> (&[usize], &[f64]) {
        let range = self.start[i]..self.start[i + 1];
        (&self.column[range.clone()], &self.value[range])
    }

    /// Adds a regularization to the diagonal.
    ///
    /// # Panics
    /// If it has not an entry for every row.
    pub fn add_to_diagonal(&mut self, regularization: &[f64]) {
        assert_eq!(regularization.len(), self.size(), "a regularization for every row");
        for (i, r) in regularization.iter().enumerate() {
            let range = self.start[i]..self.start[i + 1];
            if let Ok(k) = self.column[range.clone()].binary_search(&i) {
                self.value[range.start + k] += r;
            }
        }
    }

    /// `y ← A x`.
    ///
    /// # Panics
    /// If the vectors do not have an entry for every row.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        for (i, y) in y.iter_mut().enumerate() {
            let (columns, values) = self.row(i);
            *y = columns.iter().zip(values).map(|(&j, v)| v * x[j]).sum();
        }
    }

    /// Writes all entries into a dense matrix.
    pub fn to_dense(&self, out: &mut Delassus) {
        out.clear(self.size());
        for i in 0..self.size() {
            let (columns, values) = self.row(i);
            columns.iter().zip(values).for_each(|(&j, &v)| out.set(i, j, v));
        }
    }

    /// Assembles the matrix of [`delassus`](crate::delassus()), to the same bits, without the entries of pairs that
    /// share no movable body. Allocates nothing once it has seen a system of this size.
    pub fn assemble(&mut self, rows: &[ConstraintRow], inverse_masses: &[InverseMass]) {
        self.collect_rows(rows, inverse_masses);
        let n = rows.len();
        self.lower.clear();
        self.lower_start.clear();
        self.lower_start.push(0);
        // Row lengths, then row ends.
        self.start.clear();
        self.start.resize(n + 1, 0);
        for (i, row) in rows.iter().enumerate() {
            let first = self.lower.len();
            for body in row.bodies.iter().filter_map(|b| b.index()) {
                let of_body = &self.body_rows[self.body_start[body]..self.body_start[body + 1]];
                let before = of_body.iter().take_while(|j| **j < i);
                self.lower.extend(before.map(|&j| (j, 0.0)));
            }
            self.lower[first..].sort_unstable_by_key(|(j, _)| *j);
            // Rows that share both bodies were met twice.
            let mut kept = first;
            for k in first..self.lower.len() {
                let j = self.lower[k].0;
                if kept > first && self.lower[kept - 1].0 == j {
                    continue;
                }
                self.lower[kept] = (j, coupling(row, &rows[j], inverse_masses));
                self.start[j + 1] += 1;
                kept += 1;
            }
            self.lower.truncate(kept);
            self.start[i + 1] += kept - first + 1;
            self.lower_start.push(kept);
        }
        for i in 0..n {
            self.start[i + 1] += self.start[i];
        }
        self.mirror(rows, inverse_masses);
    }

    /// Lists the rows of each movable body.
    fn collect_rows(&mut self, rows: &[ConstraintRow], inverse_masses: &[InverseMass]) {
        let movable = |b: usize| inverse_masses[b].is_movable();
        let bodies = inverse_masses.len();
        self.body_start.clear();
        self.body_start.resize(bodies + 1, 0);
        let each = |row: &ConstraintRow| {
            let [a, b] = row.bodies.map(|b| b.index().filter(|&b| movable(b)));
            [a, if a == b { None } else { b }]
        };
        for row in rows {
            each(row).into_iter().flatten().for_each(|b| self.body_start[b + 1] += 1);
        }
        for b in 0..bodies {
            self.body_start[b + 1] += self.body_start[b];
        }
        self.cursor.clear();
        self.cursor.extend_from_slice(&self.body_start[..bodies]);
        self.body_rows.clear();
        self.body_rows.resize(self.body_start[bodies], 0);
        for (i, row) in rows.iter().enumerate() {
            for b in each(row).into_iter().flatten() {
                self.body_rows[self.cursor[b]] = i;
                self.cursor[b] += 1;
            }
        }
    }

    /// Fills both triangles from the lower one: columns come out sorted, because later rows append.
    fn mirror(&mut self, rows: &[ConstraintRow], inverse_masses: &[InverseMass]) {
        let n = rows.len();
        let total = self.start[n];
        self.column.clear();
        self.column.resize(total, 0);
        self.value.clear();
        self.value.resize(total, 0.0);
        self.cursor.clear();
        self.cursor.extend_from_slice(&self.start[..n]);
        for (i, row) in rows.iter().enumerate() {
            for k in self.lower_start[i]..self.lower_start[i + 1] {
                let (j, value) = self.lower[k];
                for (at, column) in [(i, j), (j, i)] {
                    let place = self.cursor[at];
                    (self.column[place], self.value[place]) = (column, value);
                    self.cursor[at] += 1;
                }
            }
            let place = self.cursor[i];
            (self.column[place], self.value[place]) = (i, coupling(row, row, inverse_masses));
            self.cursor[i] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_geometry::BodyRef::{Body, Ground};

    #[test]
    fn the_sparse_matrix_has_the_bits_of_the_dense_one() {
        let masses = [
            InverseMass::new(1.0, 0.3),
            InverseMass::default(),
            InverseMass::new(3.0, 0.7),
            InverseMass::new(0.2, 0.1),
        ];
        let pairs = [
            [Body(0), Ground],
            [Body(1), Body(2)],
            [Body(2), Body(0)],
            [Body(0), Body(2)],
            [Body(3), Body(1)],
            [Body(3), Body(3)],
        ];
        let rows: Vec<ConstraintRow> = pairs
            .iter()
            .enumerate()
            .map(|(k, &bodies)| {
                let x = k as f64;
                ConstraintRow { bodies, jacobian: [[1.0, 0.3 * x, -x], [-0.7, x, 0.1]] }
            })
            .collect();
        let (mut sparse, mut dense, mut expanded) =
            (SparseDelassus::default(), Delassus::default(), Delassus::default());
        for _ in 0..2 {
            sparse.assemble(&rows, &masses);
        }
        crate::delassus(&rows, &masses, &mut dense);
        sparse.to_dense(&mut expanded);
        assert_eq!(dense.entries(), expanded.entries());
        // Rows 1 and 4 meet only at an immovable body, rows 4 and 5 at body 3.
        assert_eq!(sparse.row(4).0, [4, 5]);
        assert_eq!(sparse.entries(), 18);
    }
}
