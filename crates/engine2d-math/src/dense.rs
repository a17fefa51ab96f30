//! Small utilities on dense vectors and row-major matrices: products, norms, checks, and how they are printed.

use std::fmt;

/// A vector or matrix that does not fit, or holds what is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DenseError {
    /// The data have the wrong length.
    #[error("{what} has length {got}, expected {expected}")]
    Length {
        /// Which argument.
        what: &'static str,
        /// Its length.
        got: usize,
        /// What it must be.
        expected: usize,
    },
    /// An entry is infinite or not a number.
    #[error("entry {index} is not finite")]
    NonFinite {
        /// Index of the entry.
        index: usize,
    },
}

fn check(what: &'static str, got: usize, expected: usize) -> Result<(), DenseError> {
    if got == expected { Ok(()) } else { Err(DenseError::Length { what, got, expected }) }
}

/// A matrix of zeros, row-major.
#[must_use]
pub fn zeros(rows: usize, columns: usize) -> Vec<f64> {
    vec![0.0; rows * columns]
}

/// `A x`, or `A x − b` if a right-hand side is given; `a` is row-major with `x.len()` columns.
///
/// # Errors
/// [`DenseError::Length`] if `a` is no whole number of rows or `b` has another length than the product.
pub fn matrix_multiply(a: &[f64], x: &[f64], b: Option<&[f64]>) -> Result<Vec<f64>, DenseError> {
    let columns = x.len();
    let rows = a.len().checked_div(columns).unwrap_or_else(|| b.map_or(0, <[f64]>::len));
    check("matrix", a.len(), rows * columns)?;
    if let Some(b) = b {
        check("right-hand side", b.len(), rows)?;
    }
    Ok((0..rows)
        .map(|i| {
            let row = &a[i * columns..(i + 1) * columns];
            let product: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
            product - b.map_or(0.0, |b| b[i])
        })
        .collect())
}

/// Largest entry of `A x − b` in size.
///
/// # Errors
/// As [`matrix_multiply`].
pub fn residual(a: &[f64], x: &[f64], b: &[f64]) -> Result<f64, DenseError> {
    Ok(largest_magnitude(&matrix_multiply(a, x, Some(b))?))
}

/// The `n × n` matrix in data with `n` or `n + 1` numbers a row, the last of which is left out.
///
/// # Errors
/// [`DenseError::Length`] if the data are neither.
pub fn square_of(data: &[f64], n: usize) -> Result<Vec<f64>, DenseError> {
    if data.len() == n * n {
        return Ok(data.to_vec());
    }
    check("data", data.len(), n * (n + 1))?;
    Ok(data.chunks_exact(n + 1).flat_map(|row| row[..n].iter().copied()).collect())
}

/// The row-major matrix `a` with `column` appended on the right.
///
/// # Errors
/// [`DenseError::Length`] if `a` has not `column.len()` rows.
pub fn append_column(a: &[f64], column: &[f64]) -> Result<Vec<f64>, DenseError> {
    let rows = column.len();
    let width = a.len().checked_div(rows).unwrap_or(0);
    check("matrix", a.len(), rows * width)?;
    let mut out = Vec::with_capacity(a.len() + rows);
    for (i, value) in column.iter().enumerate() {
        out.extend_from_slice(&a[i * width..(i + 1) * width]);
        out.push(*value);
    }
    Ok(out)
}

/// `x + y`.
///
/// # Errors
/// [`DenseError::Length`] if the lengths differ.
pub fn sum(x: &[f64], y: &[f64]) -> Result<Vec<f64>, DenseError> {
    check("second vector", y.len(), x.len())?;
    Ok(x.iter().zip(y).map(|(x, y)| x + y).collect())
}

/// Euclidean length.
#[must_use]
pub fn length(x: &[f64]) -> f64 {
    let square = x.iter().map(|x| x * x).sum::<f64>();
    if square.is_normal() {
        return square.sqrt();
    }
    // The square of a length may leave the range of numbers while the length does not.
    let largest = largest_magnitude(x);
    if largest == 0.0 || !largest.is_finite() {
        return square.sqrt();
    }
    largest * x.iter().map(|x| (x / largest) * (x / largest)).sum::<f64>().sqrt()
}

/// Largest entry in size; 0 for an empty vector.
#[must_use]
pub fn largest_magnitude(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| if x.abs() > m { x.abs() } else { m })
}

/// Index of the first entry that is largest in size; `None` if all are zero.
#[must_use]
pub fn index_of_largest(x: &[f64]) -> Option<usize> {
    let largest = largest_magnitude(x);
    if largest > 0.0 { x.iter().position(|x| x.abs() == largest) } else { None }
}

/// Smallest entry; `None` for an empty vector.
#[must_use]
pub fn smallest(x: &[f64]) -> Option<f64> {
    x.iter().copied().reduce(f64::min)
}

/// Whether two vectors agree within `tolerance`, absolute, entry by entry.
#[must_use]
pub fn nearly_equal(x: &[f64], y: &[f64], tolerance: f64) -> bool {
    x.len() == y.len() && x.iter().zip(y).all(|(x, y)| (x - y).abs() <= tolerance)
}

/// Checks that every entry is finite.
///
/// # Errors
/// [`DenseError::NonFinite`] with the index of the first that is not.
pub fn check_finite(x: &[f64]) -> Result<(), DenseError> {
    x.iter().position(|x| !x.is_finite()).map_or(Ok(()), |index| Err(DenseError::NonFinite { index }))
}

/// Prints a vector in brackets with nine digits.
#[derive(Clone, Copy, Debug)]
pub struct ShowVector<'a>(pub &'a [f64]);

impl fmt::Display for ShowVector<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, x) in self.0.iter().enumerate() {
            write!(f, "{}{x:.9}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str("]")
    }
}

/// Prints a row-major matrix line by line, rows and columns in a given order if there is one.
#[derive(Clone, Copy, Debug)]
pub struct ShowMatrix<'a> {
    /// The entries.
    pub data: &'a [f64],
    /// Number of columns.
    pub columns: usize,
    /// Rows to print, in order; all if `None`.
    pub row_order: Option<&'a [usize]>,
    /// Columns to print, in order; all if `None`.
    pub column_order: Option<&'a [usize]>,
}

impl fmt::Display for ShowMatrix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.data.len().checked_div(self.columns).unwrap_or(0);
        for k in 0..self.row_order.map_or(rows, <[usize]>::len) {
            let i = self.row_order.map_or(k, |order| order[k]);
            for l in 0..self.column_order.map_or(self.columns, <[usize]>::len) {
                let j = self.column_order.map_or(l, |order| order[l]);
                let entry = self.data.get(i * self.columns + j).copied().unwrap_or(f64::NAN);
                write!(f, "{}{entry:>12.6}", if l > 0 { " " } else { "" })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_residuals() {
        let a = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(matrix_multiply(&a, &[1.0, 1.0], None).unwrap(), [3.0, 7.0]);
        assert_eq!(matrix_multiply(&a, &[1.0, 1.0], Some(&[1.0, 1.0])).unwrap(), [2.0, 6.0]);
        assert_eq!(residual(&a, &[1.0, 0.0], &[1.0, 5.0]).unwrap(), 2.0);
        assert!(matrix_multiply(&a, &[1.0; 3], None).is_err());
    }

    #[test]
    fn shapes() {
        let augmented = [1.0, 2.0, 9.0, 3.0, 4.0, 9.0];
        let square = square_of(&augmented, 2).unwrap();
        assert_eq!(square, [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(append_column(&square, &[9.0, 9.0]).unwrap(), augmented);
        assert_eq!(
            square_of(&augmented, 3).unwrap_err(),
            DenseError::Length { what: "data", got: 6, expected: 12 }
        );
        assert_eq!(zeros(2, 3).len(), 6);
    }

    #[test]
    fn sizes_of_vectors() {
        let x = [3.0, -4.0, 4.0];
        assert_eq!((largest_magnitude(&x), index_of_largest(&x), smallest(&x)), (4.0, Some(1), Some(-4.0)));
        assert_eq!((index_of_largest(&[0.0, 0.0]), smallest(&[])), (None, None));
        assert_eq!(length(&[3.0, 4.0]), 5.0);
        for unit in [1e200, 1e-200] {
            assert!((length(&[3.0 * unit, 4.0 * unit]) / unit - 5.0).abs() < 1e-14);
        }
        assert!(length(&[0.0, f64::NAN]).is_nan() && length(&[f64::INFINITY, 1.0]).is_infinite());
        assert_eq!(sum(&x, &x).unwrap(), [6.0, -8.0, 8.0]);
        assert!(nearly_equal(&x, &[3.0, -4.0, 4.1], 0.2) && !nearly_equal(&x, &x[..2], 1.0));
        assert_eq!(check_finite(&[0.0, f64::NAN]), Err(DenseError::NonFinite { index: 1 }));
    }

    #[test]
    fn printing_follows_the_order_asked_for() {
        assert_eq!(ShowVector(&[1.0, -0.5]).to_string(), "[1.000000000, -0.500000000]");
        let data = [1.0, 2.0, 3.0, 4.0];
        let shown =
            ShowMatrix { data: &data, columns: 2, row_order: Some(&[1, 0]), column_order: Some(&[1]) }
                .to_string();
        assert_eq!(shown, "    4.000000\n    2.000000\n");
    }
}
