//! The Delassus operator as a sparse matrix: an entry for every pair of rows that share a movable body.

use crate::delassus::{Delassus, coupling};
use crate::row::{ConstraintRow, InverseMass};
use engine2d_math::order::Order;

/// A sparse Delassus matrix in compressed rows, both triangles, with its storage reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct SparseDelassus {
    start: Vec<usize>,
    column: Vec<usize>,
    value: Vec<f64>,
    /// Rows of each body, in compressed form.
    body_start: Vec<usize>,
    body_rows: Vec<usize>,
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

    /// Start of each row, and the number of entries; the column of each entry.
    pub(crate) fn pattern(&self) -> [&[usize]; 2] {
        [&self.start, &self.column]
    }

    /// The value of each entry.
    pub(crate) fn values(&self) -> &[f64] {
        &self.value
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

    /// Entry of row and column `i`.
    pub(crate) fn diagonal(&self, i: usize) -> f64 {
        let (columns, values) = self.row(i);
        columns.binary_search(&i).map_or(0.0, |k| values[k])
    }

    /// Assembles the matrix of [`delassus`](crate::delassus()), to the same bits, without the entries of pairs that
    /// share no movable body. Allocates nothing once it has seen a system of this size.
    ///
    /// # Panics
    /// If a row names a body without inverse mass.
    pub fn assemble(&mut self, rows: &[ConstraintRow], inverse_masses: &[InverseMass]) {
        let movable = |row: &ConstraintRow| {
            let [a, b] = row.bodies.map(|b| b.index().filter(|&b| inverse_masses[b].is_movable()));
            [a, if a == b { None } else { b }].into_iter().flatten()
        };
        debug_assert!(
            rows.iter().flat_map(|r| r.bodies).all(|b| b.index().is_none_or(|i| i < inverse_masses.len())),
            "every row acts on bodies that have masses"
        );
        // The rows of each body: counted, then listed from the end of each list.
        self.body_start.clear();
        self.body_start.resize(inverse_masses.len() + 1, 0);
        rows.iter().flat_map(movable).for_each(|b| self.body_start[b] += 1);
        let mut total = 0;
        for end in &mut self.body_start {
            total += *end;
            *end = total;
        }
        self.body_rows.clear();
        self.body_rows.resize(total, 0);
        for (i, row) in rows.iter().enumerate().rev() {
            for b in movable(row) {
                self.body_start[b] -= 1;
                self.body_rows[self.body_start[b]] = i;
            }
        }
        self.start.clear();
        self.column.clear();
        self.value.clear();
        for (i, row) in rows.iter().enumerate() {
            let first = self.column.len();
            self.start.push(first);
            self.column.push(i);
            for b in movable(row) {
                self.column.extend(&self.body_rows[self.body_start[b]..self.body_start[b + 1]]);
            }
            self.column[first..].order();
            let mut kept = first + 1;
            for k in first + 1..self.column.len() {
                if self.column[k] != self.column[kept - 1] {
                    self.column[kept] = self.column[k];
                    kept += 1;
                }
            }
            self.column.truncate(kept);
            // The later row first, so that both triangles have the same bits.
            let entry = |&j: &usize| coupling(&rows[i.max(j)], &rows[i.min(j)], inverse_masses);
            self.value.extend(self.column[first..].iter().map(entry));
        }
        self.start.push(self.column.len());
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
