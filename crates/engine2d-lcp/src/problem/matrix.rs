//! The forms in which `A` may be given, and products with it.

use super::{check_length, check_nonnegative, check_numbers};
use crate::Error;
use crate::tolerance::{FULL_SHARE, LARGEST};
use engine2d_math::gram::weighted_gram;
use engine2d_math::kernel::dot;
use engine2d_math::order::Order;
use std::borrow::Cow;

/// A sparse matrix by compressed rows: row `i` has the entries `start[i]..start[i + 1]` of `column` and `value`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseRows {
    /// First entry of each row, and the number of entries: length rows + 1.
    pub start: Vec<usize>,
    /// Column of each entry.
    pub column: Vec<usize>,
    /// Value of each entry; repeated columns add up.
    pub value: Vec<f64>,
}

impl SparseRows {
    /// A matrix with `rows` rows from its entries `(row, column, value)`, in any order; what is given several times for one
    /// place adds up. For a Jacobian, whose columns are three for each body.
    ///
    /// # Errors
    /// [`Error::Dimension`] for a row that is not there.
    pub fn from_triplets(entries: &[(usize, usize, f64)], rows: usize) -> Result<Self, Error> {
        Self::collect(entries.iter().copied(), rows)
    }

    /// A matrix from its compressed rows, as most libraries hold them: row `i` has the entries `start[i]..start[i + 1]`. What
    /// `sprs` calls `into_raw_storage()` of a `CsMat<f64>` is these three lists, what `nalgebra-sparse` calls `disassemble()` of a
    /// `CsrMatrix<f64>` too.
    ///
    /// ```
    /// use engine2d_lcp::{Lcp, Solver, SparseRows};
    ///
    /// let (start, column, value) = (vec![0, 2, 4], vec![0, 1, 0, 1], vec![2.0, -1.0, -1.0, 2.0]);
    /// let problem = Lcp::sparse(SparseRows::from_compressed(start, column, value)?, vec![-1.0, -1.0])?;
    /// assert!(Solver::auto().solve(&problem)?.is_solved());
    /// # Ok::<(), engine2d_lcp::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Dimension`] for lists that do not fit together. Columns are checked by the problem.
    pub fn from_compressed(start: Vec<usize>, column: Vec<usize>, value: Vec<f64>) -> Result<Self, Error> {
        let matrix = Self { start, column, value };
        matrix.check("compressed rows", matrix.rows(), usize::MAX)?;
        Ok(matrix)
    }

    /// As [`SparseRows::from_triplets`] for a symmetric matrix of which each pair of places is given once.
    ///
    /// # Errors
    /// [`Error::Dimension`] for a row or column that is not there.
    pub fn symmetric(entries: &[(usize, usize, f64)], rows: usize) -> Result<Self, Error> {
        let mirrored = entries.iter().filter(|(i, j, _)| i != j).map(|&(i, j, v)| (j, i, v));
        Self::collect(entries.iter().copied().chain(mirrored), rows)
    }

    fn collect(
        entries: impl Iterator<Item = (usize, usize, f64)> + Clone,
        rows: usize,
    ) -> Result<Self, Error> {
        let mut start = vec![0; rows + 1];
        for (i, _, _) in entries.clone() {
            if i >= rows {
                return Err(Error::Dimension { what: "a row of an entry", got: i, expected: rows });
            }
            start[i + 1] += 1;
        }
        for i in 0..rows {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut sorted = vec![(0, 0.0); start[rows]];
        for (i, j, v) in entries {
            sorted[next[i]] = (j, v);
            next[i] += 1;
        }
        let mut matrix = Self { start: vec![0], column: Vec::new(), value: Vec::new() };
        for i in 0..rows {
            let row = &mut sorted[start[i]..start[i + 1]];
            row.order_by_key(|(j, _)| *j);
            let from = matrix.column.len();
            for &(j, v) in &*row {
                if matrix.column.len() > from && matrix.column.last() == Some(&j) {
                    let last = matrix.value.len() - 1;
                    matrix.value[last] += v;
                } else {
                    matrix.column.push(j);
                    matrix.value.push(v);
                }
            }
            matrix.start.push(matrix.column.len());
        }
        Ok(matrix)
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Columns and values of row `i`.
    #[inline(always)]
    #[must_use]
    pub fn row(&self, i: usize) -> (&[usize], &[f64]) {
        let range = self.start[i]..self.start[i + 1];
        (&self.column[range.clone()], &self.value[range])
    }

    pub(super) fn check(&self, what: &'static str, rows: usize, columns: usize) -> Result<(), Error> {
        check_length(what, self.rows(), rows)?;
        check_length(what, self.column.len(), self.value.len())?;
        let entries = self.start.last().copied().unwrap_or(0);
        check_length(what, self.value.len(), entries)?;
        if self.start.first().copied().unwrap_or(0) != 0 || self.start.windows(2).any(|w| w[0] > w[1]) {
            return Err(Error::Dimension { what, got: 0, expected: entries });
        }
        if let Some(&got) = self.column.iter().find(|&&c| c >= columns) {
            return Err(Error::Dimension { what, got, expected: columns });
        }
        check_numbers(what, &self.value)
    }

    /// `y_i = Σ_j a_ij x_j` for each row.
    pub(crate) fn product(&self, x: &[f64], y: &mut [f64]) {
        for (i, y) in y.iter_mut().enumerate() {
            let (columns, values) = self.row(i);
            *y = columns.iter().zip(values).fold(0.0, |sum, (&j, v)| sum + v * x[j]);
        }
    }

    /// `y += Aᵀ x`.
    pub(crate) fn transposed_product_add(&self, x: &[f64], y: &mut [f64]) {
        for (i, &x) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            let (columns, values) = self.row(i);
            for (&j, v) in columns.iter().zip(values) {
                y[j] += v * x;
            }
        }
    }
}

/// The matrix `A` of a problem.
#[derive(Clone, Debug, PartialEq)]
pub enum Matrix<'a> {
    /// Row-major, `n × n`.
    Dense(Cow<'a, [f64]>),
    /// Both triangles by compressed rows.
    Sparse(SparseRows),
    /// `J diag(inverse_mass) Jᵀ + diag(compliance)`.
    Jacobian {
        /// `J` by compressed rows, one for each row of the problem.
        jacobian: SparseRows,
        /// Inverse mass (or inverse moment of inertia) of each column of `J`; 0 for what cannot move.
        inverse_mass: Vec<f64>,
        /// How far each row gives way, acceleration per force, `≥ 0`; empty if none does.
        compliance: Vec<f64>,
    },
}

impl Matrix<'_> {
    pub(super) fn check(&self, n: usize) -> Result<(), Error> {
        match self {
            Self::Dense(a) => check_length("A", a.len(), n * n),
            Self::Sparse(a) => {
                a.check("A", n, n)?;
                check_sparse_symmetry(a)
            }
            Self::Jacobian { jacobian, inverse_mass, compliance } => {
                jacobian.check("J", n, inverse_mass.len())?;
                check_nonnegative("inverse mass", inverse_mass)?;
                if !compliance.is_empty() {
                    check_length("compliance", compliance.len(), n)?;
                }
                check_nonnegative("compliance", compliance)?;
                self.check_values(n)
            }
        }
    }

    /// Checks what depends on the values alone.
    pub(super) fn check_values(&self, n: usize) -> Result<(), Error> {
        match self {
            Self::Dense(_) => Ok(()),
            Self::Sparse(a) => check_sparse_symmetry(a),
            Self::Jacobian { jacobian, inverse_mass, .. } => {
                let square = |i: usize| {
                    let (columns, values) = jacobian.row(i);
                    columns.iter().zip(values).map(|(&c, v)| v * v * inverse_mass[c]).sum::<f64>()
                };
                match (0..n).find(|&i| !(square(i) <= LARGEST)) {
                    Some(index) => {
                        Err(Error::OutOfRange { what: "J M⁻¹ Jᵀ", index, value: square(index) })
                    }
                    None => Ok(()),
                }
            }
        }
    }

    /// `y = A x`, row by row.
    pub fn product(&self, x: &[f64], y: &mut [f64]) {
        self.product_with(x, y, &mut Vec::new());
    }

    /// As [`Matrix::product`] with scratch for the motion of the bodies.
    pub(crate) fn product_with(&self, x: &[f64], y: &mut [f64], motion: &mut Vec<f64>) {
        match self {
            Self::Dense(a) => {
                let n = x.len();
                for (i, y) in y.iter_mut().enumerate() {
                    *y = dot(&a[i * n..(i + 1) * n], x);
                }
            }
            Self::Sparse(a) => a.product(x, y),
            Self::Jacobian { jacobian, inverse_mass, compliance } => {
                motion.clear();
                motion.resize(inverse_mass.len(), 0.0);
                self.motion(x, motion);
                jacobian.product(motion, y);
                for (y, (c, x)) in y.iter_mut().zip(compliance.iter().zip(x)) {
                    *y += c * x;
                }
            }
        }
    }

    /// The diagonal of `A`.
    pub fn diagonal(&self, diagonal: &mut [f64]) {
        let n = diagonal.len();
        for (i, d) in diagonal.iter_mut().enumerate() {
            *d = match self {
                Self::Dense(a) => a[i * (n + 1)],
                Self::Sparse(a) => {
                    let (columns, values) = a.row(i);
                    columns.iter().zip(values).filter(|(c, _)| **c == i).map(|(_, v)| v).sum()
                }
                Self::Jacobian { jacobian, inverse_mass, compliance } => {
                    let (columns, values) = jacobian.row(i);
                    let soft = compliance.get(i).copied().unwrap_or(0.0);
                    columns.iter().zip(values).map(|(&c, v)| v * v * inverse_mass[c]).sum::<f64>() + soft
                }
            };
        }
    }

    /// `M⁻¹ Jᵀ x` of a problem given by its Jacobian; zero otherwise.
    fn motion(&self, x: &[f64], motion: &mut [f64]) {
        if let Self::Jacobian { jacobian, inverse_mass, .. } = self {
            jacobian.transposed_product_add(x, motion);
            for (v, m) in motion.iter_mut().zip(inverse_mass) {
                *v *= m;
            }
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Self::Dense(a) => a.len().isqrt(),
            Self::Sparse(a) => a.rows(),
            Self::Jacobian { jacobian, .. } => jacobian.rows(),
        }
    }

    /// The matrix as row-major `n × n`, symmetric to the bit for a Jacobian.
    pub fn to_dense(&self, dense: &mut Vec<f64>) {
        self.form(dense, &mut Forming::default());
    }

    /// As [`Matrix::to_dense`] with scratch.
    pub(crate) fn form(&self, dense: &mut Vec<f64>, scratch: &mut Forming) {
        let n = self.rows();
        dense.clear();
        match self {
            Self::Dense(a) => dense.extend_from_slice(a),
            Self::Sparse(a) => {
                dense.resize(n * n, 0.0);
                for i in 0..n {
                    let (columns, values) = a.row(i);
                    for (&j, v) in columns.iter().zip(values) {
                        dense[i * n + j] += v;
                    }
                }
            }
            Self::Jacobian { jacobian, inverse_mass, compliance } => {
                dense.resize(n * n, 0.0);
                let columns = inverse_mass.len();
                if jacobian.value.len() as f64 > FULL_SHARE * (n * columns) as f64 {
                    scratch.full_rows(jacobian, inverse_mass, dense);
                } else {
                    scratch.sparse_rows(jacobian, inverse_mass, dense);
                }
                compliance.iter().enumerate().for_each(|(i, c)| dense[i * n + i] += c);
                for i in 1..n {
                    for j in 0..i {
                        dense[j * n + i] = dense[i * n + j];
                    }
                }
            }
        }
    }
}

/// Scratch of forming `A` from a Jacobian.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forming {
    /// Entries of the rows so far, linked by column: row, value, the one before; and the last one of each column.
    entries: Vec<(usize, f64, usize)>,
    last: Vec<usize>,
    /// `J` without holes, and the same times the inverse masses.
    full: Vec<f64>,
    scaled: Vec<f64>,
}

impl Forming {
    /// The lower half of `J diag(inverse_mass) Jᵀ`: each row's entries with those of the rows before in the same columns.
    fn sparse_rows(&mut self, jacobian: &SparseRows, inverse_mass: &[f64], lower: &mut [f64]) {
        let n = jacobian.rows();
        let Self { entries, last, .. } = self;
        last.clear();
        last.resize(inverse_mass.len(), usize::MAX);
        entries.clear();
        for i in 0..n {
            let (columns, values) = jacobian.row(i);
            for (&c, &v) in columns.iter().zip(values) {
                entries.push((i, v, last[c]));
                last[c] = entries.len() - 1;
            }
            let row = &mut lower[i * n..=i * n + i];
            for (&c, v) in columns.iter().zip(values) {
                let scaled = v * inverse_mass[c];
                if scaled == 0.0 {
                    continue; // what cannot move, and may be touched by every row
                }
                let mut next = last[c];
                while let Some(&(j, w, before)) = entries.get(next) {
                    row[j] += scaled * w;
                    next = before;
                }
            }
        }
    }

    /// As [`Forming::sparse_rows`] for a Jacobian with few zeros, by products of whole rows.
    fn full_rows(&mut self, jacobian: &SparseRows, inverse_mass: &[f64], lower: &mut [f64]) {
        let m = inverse_mass.len();
        self.full.clear();
        self.full.resize(jacobian.rows() * m, 0.0);
        for (i, row) in self.full.chunks_exact_mut(m.max(1)).enumerate() {
            let (columns, values) = jacobian.row(i);
            columns.iter().zip(values).for_each(|(&c, v)| row[c] += v);
        }
        weighted_gram(&self.full, inverse_mass, &mut self.scaled, lower);
    }
}

fn check_sparse_symmetry(a: &SparseRows) -> Result<(), Error> {
    use crate::tolerance::ASYMMETRY;
    let entry = |i: usize, j: usize| {
        let (columns, values) = a.row(i);
        columns.iter().zip(values).filter(|(c, _)| **c == j).fold(0.0, |sum, (_, v)| sum + v)
    };
    for row in 0..a.rows() {
        let diagonal = entry(row, row);
        if diagonal < 0.0 {
            return Err(Error::NotPsd { row, pivot: diagonal });
        }
        for &column in a.row(row).0 {
            let difference = (entry(row, column) - entry(column, row)).abs();
            let allowed = ASYMMETRY * ASYMMETRY * diagonal * entry(column, column);
            if difference * difference > allowed && difference > f64::MIN_POSITIVE {
                return Err(Error::Asymmetric { row, column, difference });
            }
        }
    }
    Ok(())
}
