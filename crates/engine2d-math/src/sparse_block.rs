//! Sparse matrices made of dense blocks: block rows of fixed heights, block columns appended one by one.

use std::fmt;

/// A dense block at a block row, row-major.
#[derive(Clone, Debug, PartialEq)]
struct Block {
    row: usize,
    values: Vec<f64>,
}

/// A column of blocks of one width.
#[derive(Clone, Debug, PartialEq)]
struct BlockColumn {
    width: usize,
    blocks: Vec<Block>,
}

/// Why a block cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// The block row does not exist.
    #[error("block row {row} does not exist: there are {rows}")]
    Row {
        /// The row asked for.
        row: usize,
        /// Number of block rows.
        rows: usize,
    },
    /// No column has been appended, or it does not exist.
    #[error("block column {column} does not exist: there are {columns}")]
    Column {
        /// The column asked for.
        column: usize,
        /// Number of block columns.
        columns: usize,
    },
    /// The values do not fill the block.
    #[error("a block of {height} × {width} takes {} values, got {got}", height * width)]
    Size {
        /// Height of the block row.
        height: usize,
        /// Width of the block column.
        width: usize,
        /// Number of values given.
        got: usize,
    },
}

/// A matrix of dense blocks. Constraint Jacobians are kept as their transposes: a block row for each body (three
/// velocities), a block column for each constraint.
///
/// ```
/// use engine2d_math::SparseBlockMatrix;
///
/// let mut gt = SparseBlockMatrix::new([3, 3]);
/// let column = gt.append_column(1);
/// gt.set(1, column, &[0.0, 1.0, 0.5])?;
/// assert_eq!(gt.transposed_product(&[0.0, 0.0, 0.0, 1.0, 2.0, 4.0]), [4.0]);
/// # Ok::<(), engine2d_math::sparse_block::BlockError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseBlockMatrix {
    heights: Vec<usize>,
    columns: Vec<BlockColumn>,
}

impl SparseBlockMatrix {
    /// A matrix of block rows with the given heights, without columns.
    #[must_use]
    pub fn new(heights: impl IntoIterator<Item = usize>) -> Self {
        Self { heights: heights.into_iter().collect(), columns: Vec::new() }
    }

    /// Appends an empty block column; returns its index.
    pub fn append_column(&mut self, width: usize) -> usize {
        self.columns.push(BlockColumn { width, blocks: Vec::new() });
        self.columns.len() - 1
    }

    /// Sets (or adds to) the block at a block row and column, row-major.
    ///
    /// # Errors
    /// [`BlockError`].
    pub fn set(&mut self, row: usize, column: usize, values: &[f64]) -> Result<(), BlockError> {
        let (rows, columns) = (self.heights.len(), self.columns.len());
        let height = *self.heights.get(row).ok_or(BlockError::Row { row, rows })?;
        let c = self.columns.get_mut(column).ok_or(BlockError::Column { column, columns })?;
        if values.len() != height * c.width {
            return Err(BlockError::Size { height, width: c.width, got: values.len() });
        }
        match c.blocks.iter_mut().find(|b| b.row == row) {
            Some(block) => block.values.iter_mut().zip(values).for_each(|(a, b)| *a += b),
            None => c.blocks.push(Block { row, values: values.to_vec() }),
        }
        Ok(())
    }

    /// Number of block columns.
    #[must_use]
    pub fn block_columns(&self) -> usize {
        self.columns.len()
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.heights.iter().sum()
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns.iter().map(|c| c.width).sum()
    }

    /// Calls `visit(row, column, value)` for every stored entry, column by column.
    pub fn for_each_entry(&self, mut visit: impl FnMut(usize, usize, f64)) {
        let mut starts = Vec::with_capacity(self.heights.len());
        let mut start = 0;
        for h in &self.heights {
            starts.push(start);
            start += h;
        }
        let mut first_column = 0;
        for column in &self.columns {
            for block in &column.blocks {
                for (k, &value) in block.values.iter().enumerate() {
                    visit(starts[block.row] + k / column.width, first_column + k % column.width, value);
                }
            }
            first_column += column.width;
        }
    }

    /// The transpose as dense rows: for a transposed Jacobian, the Jacobian.
    #[must_use]
    pub fn to_dense_transposed(&self) -> Vec<Vec<f64>> {
        let mut rows = vec![vec![0.0; self.rows()]; self.columns()];
        self.for_each_entry(|i, j, value| rows[j][i] += value);
        rows
    }

    /// `Aᵀ x` for a vector over the rows.
    ///
    /// # Panics
    /// If `x` is shorter than the number of rows.
    #[must_use]
    pub fn transposed_product(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.columns()];
        self.for_each_entry(|i, j, value| y[j] += value * x[i]);
        y
    }

    /// `A x` for a vector over the columns.
    ///
    /// # Panics
    /// If `x` is shorter than the number of columns.
    #[must_use]
    pub fn product(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.rows()];
        self.for_each_entry(|i, j, value| y[i] += value * x[j]);
        y
    }

    /// The matrix in faer's compressed columns.
    #[cfg(feature = "sparse")]
    #[must_use]
    pub fn to_faer(&self) -> Option<faer::sparse::SparseColMat<usize, f64>> {
        let mut entries = Vec::new();
        self.for_each_entry(|i, j, value| entries.push(faer::sparse::Triplet::new(i, j, value)));
        faer::sparse::SparseColMat::try_new_from_triplets(self.rows(), self.columns(), &entries).ok()
    }
}

impl fmt::Display for SparseBlockMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} × {} in {} × {} blocks",
            self.rows(),
            self.columns(),
            self.heights.len(),
            self.columns.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_agree_with_the_dense_matrix() {
        let mut m = SparseBlockMatrix::new([2, 3]);
        let a = m.append_column(2);
        m.set(0, a, &[1.0, 2.0, 3.0, 4.0]).unwrap();
        let b = m.append_column(1);
        m.set(1, b, &[5.0, 6.0, 7.0]).unwrap();
        m.set(1, b, &[1.0, 0.0, 0.0]).unwrap();
        assert_eq!(m.product(&[1.0, 1.0, 2.0]), [3.0, 7.0, 12.0, 12.0, 14.0]);
        assert_eq!(m.transposed_product(&[1.0, 1.0, 1.0, 0.0, 1.0]), [4.0, 6.0, 13.0]);
        assert_eq!(m.to_dense_transposed()[2], [0.0, 0.0, 6.0, 6.0, 7.0]);
    }

    #[test]
    fn misplaced_blocks_are_errors() {
        let mut m = SparseBlockMatrix::new([3]);
        assert_eq!(m.set(0, 0, &[0.0; 3]), Err(BlockError::Column { column: 0, columns: 0 }));
        m.append_column(1);
        assert_eq!(m.set(1, 0, &[0.0; 3]), Err(BlockError::Row { row: 1, rows: 1 }));
        assert_eq!(m.set(0, 0, &[0.0; 2]), Err(BlockError::Size { height: 3, width: 1, got: 2 }));
    }
}
