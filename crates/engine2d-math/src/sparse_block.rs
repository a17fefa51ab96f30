//! Sparse matrices made of dense blocks: block rows of fixed heights, block columns appended one by one.

use crate::order::Order;
use std::fmt;

/// A dense block at a block row; its values stand together, row-major.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Block {
    row: usize,
    /// Where its values start.
    start: usize,
    /// The block of the same column that was set after it.
    next: Option<usize>,
}

/// A column of blocks of one width.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BlockColumn {
    width: usize,
    /// Its first and last block.
    ends: Option<(usize, usize)>,
}

/// Why a block cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
///
/// All blocks share one storage, which [`reset`](Self::reset) keeps: filling a matrix again allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct SparseBlockMatrix {
    heights: Vec<usize>,
    /// First row of each block row.
    starts: Vec<usize>,
    rows: usize,
    columns: Vec<BlockColumn>,
    width: usize,
    blocks: Vec<Block>,
    values: Vec<f64>,
}

/// Equal entries in equal blocks.
impl PartialEq for SparseBlockMatrix {
    fn eq(&self, other: &Self) -> bool {
        let widths = |m: &Self| m.columns.iter().map(|c| c.width).collect::<Vec<_>>();
        let blocks = |m: &Self| {
            let mut all = Vec::new();
            m.for_each_block(|row, column, values| all.push((column, row, values.to_vec())));
            all.order_by_key(|(column, row, _)| (*column, *row));
            all
        };
        self.heights == other.heights && widths(self) == widths(other) && blocks(self) == blocks(other)
    }
}

impl SparseBlockMatrix {
    /// A matrix of block rows with the given heights, without columns.
    #[must_use]
    pub fn new(heights: impl IntoIterator<Item = usize>) -> Self {
        let mut matrix = Self::default();
        matrix.reset(heights);
        matrix
    }

    /// Removes all columns and gives the block rows new heights; the storage stays.
    pub fn reset(&mut self, heights: impl IntoIterator<Item = usize>) {
        self.heights.clear();
        self.heights.extend(heights);
        self.starts.clear();
        self.rows = 0;
        for &height in &self.heights {
            self.starts.push(self.rows);
            self.rows += height;
        }
        self.columns.clear();
        self.width = 0;
        self.blocks.clear();
        self.values.clear();
    }

    /// Appends an empty block column; returns its index.
    pub fn append_column(&mut self, width: usize) -> usize {
        self.columns.push(BlockColumn { width, ends: None });
        self.width += width;
        self.columns.len() - 1
    }

    /// Sets (or adds to) the block at a block row and column, row-major.
    ///
    /// # Errors
    /// [`BlockError`].
    pub fn set(&mut self, row: usize, column: usize, values: &[f64]) -> Result<(), BlockError> {
        let (rows, columns) = (self.heights.len(), self.columns.len());
        let height = *self.heights.get(row).ok_or(BlockError::Row { row, rows })?;
        let BlockColumn { width, ends } =
            *self.columns.get(column).ok_or(BlockError::Column { column, columns })?;
        if values.len() != height * width {
            return Err(BlockError::Size { height, width, got: values.len() });
        }
        let present = self.column_blocks(column).find(|b| b.row == row).map(|b| b.start);
        if let Some(start) = present {
            self.values[start..start + values.len()].iter_mut().zip(values).for_each(|(a, b)| *a += b);
            return Ok(());
        }
        let new = self.blocks.len();
        self.blocks.push(Block { row, start: self.values.len(), next: None });
        self.values.extend_from_slice(values);
        if let Some((_, last)) = ends {
            self.blocks[last].next = Some(new);
        }
        self.columns[column].ends = Some((ends.map_or(new, |(first, _)| first), new));
        Ok(())
    }

    /// Blocks of a column in the order in which they were set.
    fn column_blocks(&self, column: usize) -> impl Iterator<Item = Block> + '_ {
        let mut next = self.columns[column].ends.map(|(first, _)| first);
        std::iter::from_fn(move || {
            let block = self.blocks[next?];
            next = block.next;
            Some(block)
        })
    }

    /// Calls `visit(block row, block column, values)` for every block, column by column; values are row-major.
    pub fn for_each_block(&self, mut visit: impl FnMut(usize, usize, &[f64])) {
        for (column, c) in self.columns.iter().enumerate() {
            for block in self.column_blocks(column) {
                let size = self.heights[block.row] * c.width;
                visit(block.row, column, &self.values[block.start..block.start + size]);
            }
        }
    }

    /// Width of a block column; `None` if there is no such column.
    #[must_use]
    pub fn column_width(&self, column: usize) -> Option<usize> {
        self.columns.get(column).map(|c| c.width)
    }

    /// Number of block columns.
    #[must_use]
    pub fn block_columns(&self) -> usize {
        self.columns.len()
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.width
    }

    /// Calls `visit(row, column, value)` for every stored entry, column by column.
    pub fn for_each_entry(&self, mut visit: impl FnMut(usize, usize, f64)) {
        let mut first_column = 0;
        for (column, c) in self.columns.iter().enumerate() {
            for block in self.column_blocks(column) {
                let size = self.heights[block.row] * c.width;
                for (k, &value) in self.values[block.start..block.start + size].iter().enumerate() {
                    visit(self.starts[block.row] + k / c.width, first_column + k % c.width, value);
                }
            }
            first_column += c.width;
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
    fn a_matrix_that_is_filled_again_is_the_same() {
        let fill = |m: &mut SparseBlockMatrix| {
            let (a, b) = (m.append_column(1), m.append_column(2));
            m.set(1, b, &[1.0, 2.0, 3.0, 4.0]).unwrap();
            m.set(0, a, &[5.0]).unwrap();
            m.set(0, b, &[6.0, 7.0]).unwrap();
        };
        let mut fresh = SparseBlockMatrix::new([1, 2]);
        fill(&mut fresh);
        let mut again = SparseBlockMatrix::new([3, 3, 3]);
        let column = again.append_column(1);
        again.set(2, column, &[1.0; 3]).unwrap();
        again.reset([1, 2]);
        assert_ne!(fresh, again);
        fill(&mut again);
        assert_eq!(fresh, again);
        assert_eq!((again.rows(), again.columns(), again.column_width(1)), (3, 3, Some(2)));
        let mut blocks = Vec::new();
        again.for_each_block(|row, column, values| blocks.push((row, column, values.to_vec())));
        assert_eq!(blocks[1], (1, 1, vec![1.0, 2.0, 3.0, 4.0]));
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
