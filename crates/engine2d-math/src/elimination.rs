//! Gaussian elimination with scaled partial pivoting that also solves singular but consistent systems.
//! Lives here: the elimination, both forms of the solve, the singularity test. Not here: factors that are
//! kept up to date.
//!
//! **Problem.** `A x = b` with `A` square, of any rank. **Promise.** If the system is consistent the answer
//! is a basic solution: the variables without a pivot are 0 (it is not the least-norm one). **Failure.** A row
//! of zeros, one that is not finite, or one that reduces to `0 = r` with `|r| > 0.1`, is an error naming the row.
//!
//! Source: scaled partial pivoting as in [Golub, Van Loan, §3.4]; columns without a usable pivot are moved
//! behind the others instead of ending the elimination.

use crate::tolerance::{INCONSISTENT, PIVOT_ZERO, ZERO_ROW};

/// Why a linear system has no answer here.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EliminationError {
    /// All coefficients of the row are below [`ZERO_ROW`].
    #[error("row {row} of the matrix is zero (largest coefficient {largest:e})")]
    ZeroRow {
        /// Index of the row.
        row: usize,
        /// Its largest coefficient in size.
        largest: f64,
    },
    /// The row reduces to `0 = rest` with `rest` larger than [`INCONSISTENT`].
    #[error("the system is inconsistent: row {row} reduces to 0 = {rest}")]
    Inconsistent {
        /// Index of the row in the given matrix.
        row: usize,
        /// What remains of its right-hand side.
        rest: f64,
    },
    /// A coefficient, a right-hand side or an unknown that is no finite number.
    #[error("row {row} of the system, or of its solution, has an entry that is not finite")]
    NotFinite {
        /// Index of the row.
        row: usize,
    },
    /// A slice has the wrong length.
    #[error("{what} has length {got}, expected {expected}")]
    Length {
        /// Which argument.
        what: &'static str,
        /// Its length.
        got: usize,
        /// The length it must have (at least).
        expected: usize,
    },
}

/// Scratch of the elimination: reuse it and nothing is allocated after the largest system.
#[derive(Clone, Debug, Default)]
pub struct Elimination {
    matrix: Vec<f64>,
    scale: Vec<f64>,
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl Elimination {
    /// An empty workspace.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves `A x = b` for row-major `a` (`n × n`, `n = b.len()`), leaving both untouched; pivots smaller
    /// than `pivot_zero` in size are not used.
    ///
    /// # Errors
    /// [`EliminationError`]: lengths, a zero row, or an inconsistent row.
    pub fn solve(
        &mut self,
        a: &[f64],
        b: &[f64],
        pivot_zero: f64,
        x: &mut [f64],
    ) -> Result<(), EliminationError> {
        let n = b.len();
        check_length("matrix", a.len(), n * n)?;
        check_length("solution", x.len(), n)?;
        let mut matrix = std::mem::take(&mut self.matrix);
        matrix.clear();
        for (row, &rhs) in b.iter().enumerate() {
            matrix.extend_from_slice(&a[row * n..(row + 1) * n]);
            matrix.push(rhs);
        }
        let result = self.solve_augmented(&mut matrix, n, n + 1, pivot_zero, x);
        self.matrix = matrix;
        result
    }

    /// Solves `A_II x_I = b_I`, where `A_II` is the symmetric selection `index` of rows and columns of the
    /// row-major `a` (`dim × dim`), and `b_I = sign · rhs_I`. The answer is packed: `x[k]` belongs to `index[k]`.
    ///
    /// # Errors
    /// As [`Elimination::solve`]; rows are counted within the selection.
    pub fn solve_selection(
        &mut self,
        a: &[f64],
        dim: usize,
        index: &[usize],
        rhs: impl Fn(usize) -> f64,
        pivot_zero: f64,
        x: &mut [f64],
    ) -> Result<(), EliminationError> {
        let n = index.len();
        let mut matrix = std::mem::take(&mut self.matrix);
        gather(&mut matrix, a, dim, index, rhs);
        let result = self.solve_augmented(&mut matrix, n, n + 1, pivot_zero, x);
        self.matrix = matrix;
        result
    }

    /// Solves in place on an augmented row-major buffer: row `i` starts at `i · stride` and holds `n`
    /// coefficients, then the right-hand side. The buffer may be oversized (`stride > n + 1`, more rows); it is
    /// left eliminated, with the pivot order of its rows in [`Elimination::row_order`].
    ///
    /// # Errors
    /// As [`Elimination::solve`].
    pub fn solve_augmented(
        &mut self,
        m: &mut [f64],
        n: usize,
        stride: usize,
        pivot_zero: f64,
        x: &mut [f64],
    ) -> Result<(), EliminationError> {
        check_augmented(m, n, stride)?;
        check_length("solution", x.len(), n)?;
        let rank = self.eliminate(m, n, stride, pivot_zero)?;
        for &row in &self.rows[rank..] {
            let rest = m[row * stride + n];
            if !(rest.abs() <= INCONSISTENT) {
                return Err(EliminationError::Inconsistent { row, rest });
            }
        }
        x[..n].fill(0.0);
        for k in (0..rank).rev() {
            let row = &m[self.rows[k] * stride..][..=n];
            let mut sum = 0.0;
            for &column in &self.columns[k + 1..rank] {
                sum += row[column] * x[column];
            }
            let unknown = (row[n] - sum) / row[self.columns[k]];
            if !unknown.is_finite() {
                return Err(EliminationError::NotFinite { row: self.rows[k] });
            }
            x[self.columns[k]] = unknown;
        }
        Ok(())
    }

    /// Rows of the last matrix in the order in which they became pivots; rows without pivot come last.
    #[must_use]
    pub fn row_order(&self) -> &[usize] {
        &self.rows
    }

    /// Whether the selection `index` of the row-major `a` (`dim × dim`) is singular: after elimination some
    /// entry of the `i`-th pivot row in column `i` is smaller than `limit` in size, or a row is zero.
    ///
    /// The limit is absolute.
    pub fn selection_is_singular(
        &mut self,
        a: &[f64],
        dim: usize,
        index: &[usize],
        pivot_zero: f64,
        limit: f64,
    ) -> bool {
        let n = index.len();
        let mut matrix = std::mem::take(&mut self.matrix);
        gather(&mut matrix, a, dim, index, |_| 1.0);
        let singular = match self.eliminate(&mut matrix, n, n + 1, pivot_zero) {
            Ok(_) => (0..n).any(|k| matrix[self.rows[k] * (n + 1) + k].abs() < limit),
            Err(_) => true,
        };
        self.matrix = matrix;
        singular
    }

    /// Eliminates below the pivots; returns their number.
    fn eliminate(
        &mut self,
        m: &mut [f64],
        n: usize,
        stride: usize,
        pivot_zero: f64,
    ) -> Result<usize, EliminationError> {
        self.rows.clear();
        self.rows.extend(0..n);
        self.columns.clear();
        self.columns.extend(0..n);
        self.scale.clear();
        for row in 0..n {
            if !m[row * stride..][..=n].iter().all(|v| v.is_finite()) {
                return Err(EliminationError::NotFinite { row });
            }
            let largest = m[row * stride..][..n].iter().fold(0.0_f64, |s, v| s.max(v.abs()));
            if !(largest >= ZERO_ROW) {
                return Err(EliminationError::ZeroRow { row, largest });
            }
            self.scale.push(largest);
        }
        let mut rotated = false;
        for k in 0..n {
            let mut tries = n - k;
            let at = loop {
                let column = self.columns[k];
                let (mut at, mut best) = (k, -1.0);
                for (i, &row) in self.rows.iter().enumerate().skip(k) {
                    let share = m[row * stride + column].abs() / self.scale[row];
                    if share > best {
                        (at, best) = (i, share);
                    }
                }
                if m[self.rows[at] * stride + column].abs() >= pivot_zero {
                    break at;
                }
                tries -= 1;
                if tries == 0 {
                    return Ok(k);
                }
                self.columns[k..].rotate_left(1);
                rotated = true;
            };
            self.rows.swap(k, at);
            eliminate_below(m, stride, n, &self.rows[k..], &self.columns[k..], rotated);
        }
        Ok(n)
    }
}

/// Subtracts multiples of the first of `rows` from the others, so that the first of `columns` becomes 0.
fn eliminate_below(m: &mut [f64], stride: usize, n: usize, rows: &[usize], columns: &[usize], rotated: bool) {
    let (pivot_row, column) = (rows[0], columns[0]);
    let pivot = m[pivot_row * stride + column];
    for &row in &rows[1..] {
        let entry = m[row * stride + column];
        if entry == 0.0 {
            continue; // exact: nothing would change
        }
        let factor = entry / pivot;
        m[row * stride + column] = 0.0;
        if rotated {
            for &c in &columns[1..] {
                m[row * stride + c] -= factor * m[pivot_row * stride + c];
            }
            m[row * stride + n] -= factor * m[pivot_row * stride + n];
        } else {
            let (from, to) = (column + 1, n + 1);
            let (low, high) = m.split_at_mut(pivot_row.max(row) * stride);
            let (target, source) = if row < pivot_row {
                (&mut low[row * stride..], &high[..])
            } else {
                (&mut high[..], &low[pivot_row * stride..])
            };
            for (t, s) in target[from..to].iter_mut().zip(&source[from..to]) {
                *t -= factor * s;
            }
        }
    }
}

/// Fills an augmented `n × (n + 1)` buffer with the selection and its right-hand side.
fn gather(matrix: &mut Vec<f64>, a: &[f64], dim: usize, index: &[usize], rhs: impl Fn(usize) -> f64) {
    matrix.clear();
    for &i in index {
        let row = &a[i * dim..(i + 1) * dim];
        matrix.extend(index.iter().map(|&j| row[j]));
        matrix.push(rhs(i));
    }
}

/// Solves `A x = b` with a fresh workspace and the default pivot zero; `a` is row-major and untouched.
///
/// ```
/// use engine2d_math::elimination::solve;
///
/// // Singular but consistent: the second equation repeats the first.
/// let x = solve(&[1.0, 2.0, 2.0, 4.0], &[3.0, 6.0])?;
/// assert_eq!(x[0] + 2.0 * x[1], 3.0);
/// # Ok::<(), engine2d_math::elimination::EliminationError>(())
/// ```
///
/// # Errors
/// As [`Elimination::solve`].
pub fn solve(a: &[f64], b: &[f64]) -> Result<Vec<f64>, EliminationError> {
    let mut x = vec![0.0; b.len()];
    Elimination::new().solve(a, b, PIVOT_ZERO, &mut x)?;
    Ok(x)
}

/// Whether the row-major `n × n` matrix `a` is singular by the absolute `limit` on its eliminated diagonal.
///
/// # Errors
/// [`EliminationError::Length`] if `a` is not `n × n`.
pub fn is_singular(a: &[f64], n: usize, pivot_zero: f64, limit: f64) -> Result<bool, EliminationError> {
    check_length("matrix", a.len(), n * n)?;
    let index: Vec<usize> = (0..n).collect();
    Ok(Elimination::new().selection_is_singular(a, n, &index, pivot_zero, limit))
}

fn check_length(what: &'static str, got: usize, expected: usize) -> Result<(), EliminationError> {
    if got == expected { Ok(()) } else { Err(EliminationError::Length { what, got, expected }) }
}

fn check_augmented(m: &[f64], n: usize, stride: usize) -> Result<(), EliminationError> {
    if stride <= n && n > 0 {
        return Err(EliminationError::Length { what: "stride", got: stride, expected: n + 1 });
    }
    let expected = if n == 0 { 0 } else { (n - 1) * stride + n + 1 };
    if m.len() < expected {
        return Err(EliminationError::Length { what: "augmented matrix", got: m.len(), expected });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::SINGULAR_DIAGONAL;

    #[test]
    fn a_regular_system_is_solved_in_both_forms() {
        let a = [0.0, 2.0, 1.0, 4.0, 1.0, -1.0, 1.0, 1.0, 3.0];
        let x = solve(&a, &[5.0, 1.0, 6.0]).unwrap();
        for (row, b) in a.chunks(3).zip([5.0, 1.0, 6.0]) {
            let sum: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((sum - b).abs() < 1e-14);
        }
        let mut oversized = vec![f64::NAN; 4 * 6];
        for i in 0..3 {
            oversized[i * 6..i * 6 + 3].copy_from_slice(&a[i * 3..i * 3 + 3]);
            oversized[i * 6 + 3] = [5.0, 1.0, 6.0][i];
        }
        let mut elimination = Elimination::new();
        let mut y = [0.0; 3];
        elimination.solve_augmented(&mut oversized, 3, 6, PIVOT_ZERO, &mut y).unwrap();
        assert_eq!(x, y);
        let mut order = elimination.row_order().to_vec();
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2]);
    }

    #[test]
    fn a_column_without_pivot_becomes_a_free_variable() {
        // x0 appears nowhere; x1 + x2 = 2, x1 - x2 = 0, and their sum again.
        let a = [0.0, 1.0, 1.0, 0.0, 1.0, -1.0, 0.0, 2.0, 0.0];
        let x = solve(&a, &[2.0, 0.0, 2.0]).unwrap();
        assert_eq!(x, [0.0, 1.0, 1.0]);
        assert!(is_singular(&a, 3, PIVOT_ZERO, SINGULAR_DIAGONAL).unwrap());
    }

    #[test]
    fn errors_name_the_row() {
        let zero = solve(&[1.0, 0.0, 0.0, 0.0], &[1.0, 0.0]).unwrap_err();
        assert_eq!(zero, EliminationError::ZeroRow { row: 1, largest: 0.0 });
        let conflict = solve(&[1.0, 1.0, 1.0, 1.0], &[1.0, 2.0]).unwrap_err();
        assert_eq!(conflict, EliminationError::Inconsistent { row: 1, rest: 1.0 });
        assert!(matches!(solve(&[1.0], &[1.0, 2.0]), Err(EliminationError::Length { .. })));
        for (a, b, row) in [
            ([f64::NAN, 1.0, 1.0, 1.0], [1.0, 1.0], 0),
            ([1.0, 1.0, f64::INFINITY, 1.0], [1.0, 1.0], 1),
            ([1.0, 0.0, 0.0, 1.0], [1.0, f64::NAN], 1),
            ([1.0, 0.0, 0.0, 1e-3], [1.0, 1e308], 1),
        ] {
            assert_eq!(solve(&a, &b), Err(EliminationError::NotFinite { row }), "{a:?} {b:?}");
        }
    }

    #[test]
    fn singularity_is_judged_by_the_absolute_limit() {
        let singular = |a: &[f64], n| is_singular(a, n, PIVOT_ZERO, SINGULAR_DIAGONAL).unwrap();
        assert!(!singular(&[1.3, 0.7, 0.7, 1.3], 2));
        assert!(singular(&[1.0, 1.0, 1.0, 1.001], 2));
        assert!(singular(&[1e-3], 1));
    }
}
