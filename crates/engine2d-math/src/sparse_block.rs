//! A sparse matrix of dense blocks, the form in which constraints hand over their Jacobians.

use std::collections::BTreeMap;

/// A matrix whose block rows and block columns have sizes of their own; only nonzero blocks are stored, each
/// row-major.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseBlockMatrix {
    row_start: Vec<usize>,
    column_start: Vec<usize>,
    blocks: BTreeMap<(usize, usize), Vec<f64>>,
}

/// A block that does not fit the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("block ({row}, {column}) has {got} entries, expected {expected}")]
pub struct BlockError {
    /// Block row.
    pub row: usize,
    /// Block column.
    pub column: usize,
    /// Entries given.
    pub got: usize,
    /// Entries the block has; 0 if there is no such block row or column.
    pub expected: usize,
}

impl SparseBlockMatrix {
    /// A zero matrix with the given sizes of block rows and block columns.
    #[must_use]
    pub fn new(rows: &[usize], columns: &[usize]) -> Self {
        let mut matrix = Self { row_start: vec![0], column_start: vec![0], blocks: BTreeMap::new() };
        rows.iter().for_each(|&size| matrix.push_row(size));
        columns.iter().for_each(|&size| matrix.push_column(size));
        matrix
    }

    /// Appends an empty block row.
    pub fn push_row(&mut self, size: usize) {
        let end = self.row_start.last().copied().unwrap_or(0);
        if self.row_start.is_empty() {
            self.row_start.push(0);
        }
        self.row_start.push(end + size);
    }

    /// Appends an empty block column.
    pub fn push_column(&mut self, size: usize) {
        let end = self.column_start.last().copied().unwrap_or(0);
        if self.column_start.is_empty() {
            self.column_start.push(0);
        }
        self.column_start.push(end + size);
    }

    /// Number of scalar rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.row_start.last().copied().unwrap_or(0)
    }

    /// Number of scalar columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.column_start.last().copied().unwrap_or(0)
    }

    /// Adds a row-major block to what is at block row `row`, block column `column`.
    ///
    /// # Errors
    /// [`BlockError`] if it does not fit.
    pub fn add_block(&mut self, row: usize, column: usize, block: &[f64]) -> Result<(), BlockError> {
        let size = |start: &[usize], k: usize| Some(start.get(k + 1)? - start[k]);
        let expected = size(&self.row_start, row)
            .and_then(|height| Some(height * size(&self.column_start, column)?))
            .unwrap_or(0);
        if expected != block.len() || expected == 0 {
            return Err(BlockError { row, column, got: block.len(), expected });
        }
        let stored = self.blocks.entry((row, column)).or_insert_with(|| vec![0.0; expected]);
        stored.iter_mut().zip(block).for_each(|(s, b)| *s += b);
        Ok(())
    }

    /// The block at a place; `None` if it is zero.
    #[must_use]
    pub fn block(&self, row: usize, column: usize) -> Option<&[f64]> {
        self.blocks.get(&(row, column)).map(Vec::as_slice)
    }

    /// The blocks in order of block row, then block column.
    pub fn blocks(&self) -> impl Iterator<Item = ((usize, usize), &[f64])> {
        self.blocks.iter().map(|(place, block)| (*place, block.as_slice()))
    }

    /// `A x`.
    ///
    /// # Panics
    /// If `x` has another length than there are columns.
    #[must_use]
    pub fn multiply(&self, x: &[f64]) -> Vec<f64> {
        assert_eq!(x.len(), self.columns(), "the vector must have an entry for each column");
        let mut y = vec![0.0; self.rows()];
        for (&(row, column), block) in &self.blocks {
            let part = &x[self.column_start[column]..self.column_start[column + 1]];
            for (y, line) in y[self.row_start[row]..].iter_mut().zip(block.chunks_exact(part.len())) {
                *y += line.iter().zip(part).map(|(a, x)| a * x).sum::<f64>();
            }
        }
        y
    }

    /// `Aᵀ x`.
    ///
    /// # Panics
    /// If `x` has another length than there are rows.
    #[must_use]
    pub fn multiply_transposed(&self, x: &[f64]) -> Vec<f64> {
        assert_eq!(x.len(), self.rows(), "the vector must have an entry for each row");
        let mut y = vec![0.0; self.columns()];
        for (&(row, column), block) in &self.blocks {
            let target = &mut y[self.column_start[column]..self.column_start[column + 1]];
            for (x, line) in x[self.row_start[row]..].iter().zip(block.chunks_exact(target.len())) {
                target.iter_mut().zip(line).for_each(|(y, a)| *y += a * x);
            }
        }
        y
    }

    /// The matrix row-major.
    #[must_use]
    pub fn to_dense(&self) -> Vec<f64> {
        let width = self.columns();
        let mut dense = vec![0.0; self.rows() * width];
        for (&(row, column), block) in &self.blocks {
            let (from, size) =
                (self.column_start[column], self.column_start[column + 1] - self.column_start[column]);
            for (k, line) in block.chunks_exact(size).enumerate() {
                let at = (self.row_start[row] + k) * width + from;
                dense[at..at + size].copy_from_slice(line);
            }
        }
        dense
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_land_where_they_belong() {
        let mut m = SparseBlockMatrix::new(&[1, 2], &[2, 1]);
        m.add_block(0, 0, &[1.0, 2.0]).unwrap();
        m.add_block(1, 1, &[3.0, 4.0]).unwrap();
        m.add_block(1, 1, &[1.0, 1.0]).unwrap();
        assert_eq!(m.to_dense(), [1.0, 2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 5.0]);
        assert_eq!(m.multiply(&[1.0, 1.0, 2.0]), [3.0, 8.0, 10.0]);
        assert_eq!(m.multiply_transposed(&[1.0, 1.0, 1.0]), [1.0, 2.0, 9.0]);
        assert_eq!((m.block(0, 1), m.blocks().count()), (None, 2));
        let wrong = m.add_block(1, 0, &[1.0]).unwrap_err();
        assert_eq!(wrong, BlockError { row: 1, column: 0, got: 1, expected: 4 });
        assert!(m.add_block(5, 0, &[1.0]).is_err());
    }
}
