//! The problem `a = A f + b` with its rows, checked on construction.

mod matrix;
mod part;
mod unsymmetric;

pub(crate) use matrix::Forming;
pub use matrix::{Matrix, SparseRows};
pub(crate) use part::Part;

use crate::tolerance::{ASYMMETRY, LARGEST};
use crate::{Error, Row};
use engine2d_math::kernel::larger;
use std::borrow::Cow;

/// A mixed linear complementarity problem: find `f` with `a = A f + b` such that each [`Row`] gets what it
/// demands. `A` is symmetric positive semidefinite, `n × n`. Units: force and acceleration, or impulse and
/// velocity. [`Lcp::unsymmetric`] takes any other square matrix. The data are owned or borrowed; what is inside has been checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Lcp<'a> {
    matrix: Matrix<'a>,
    bias: Cow<'a, [f64]>,
    rows: Cow<'a, [Row]>,
    frictional: bool,
    symmetric: bool,
}

impl<'a> Lcp<'a> {
    /// A small problem from arrays; all rows unilateral until [`Lcp::rows`] says otherwise.
    ///
    /// # Errors
    /// [`Error::NonFinite`], [`Error::Asymmetric`], [`Error::NotPsd`] (negative diagonal).
    pub fn dense<const N: usize>(a: [[f64; N]; N], b: [f64; N]) -> Result<Lcp<'static>, Error> {
        Lcp::from_dense(a.concat(), b.to_vec())
    }

    /// As [`Lcp::dense`] from a row-major matrix of any size.
    ///
    /// # Errors
    /// As [`Lcp::dense`], and [`Error::Dimension`].
    pub fn from_dense(a: impl Into<Cow<'a, [f64]>>, b: impl Into<Cow<'a, [f64]>>) -> Result<Self, Error> {
        Self::with_matrix(Matrix::Dense(a.into()), b.into())
    }

    /// A problem on borrowed data: nothing is copied or allocated.
    ///
    /// # Errors
    /// As [`Lcp::from_dense`] and [`Lcp::rows`].
    pub fn borrowed(a: &'a [f64], b: &'a [f64], rows: &'a [Row]) -> Result<Self, Error> {
        check_dense(a, b.len())?;
        check_bias(b)?;
        let frictional = check_rows(rows, b.len())?;
        Ok(Self {
            matrix: Matrix::Dense(a.into()),
            bias: b.into(),
            rows: rows.into(),
            frictional,
            symmetric: true,
        })
    }

    /// A problem with a sparse symmetric `A`, both triangles stored.
    ///
    /// # Errors
    /// As [`Lcp::from_dense`].
    pub fn sparse(a: SparseRows, b: impl Into<Cow<'a, [f64]>>) -> Result<Self, Error> {
        Self::with_matrix(Matrix::Sparse(a), b.into())
    }

    /// A problem with a sparse symmetric `A` from its entries `(row, column, value)`, in any order: each pair of places once, in
    /// either triangle; what is given several times for one place adds up.
    ///
    /// # Errors
    /// As [`Lcp::from_dense`].
    pub fn triplets(entries: &[(usize, usize, f64)], b: impl Into<Cow<'a, [f64]>>) -> Result<Self, Error> {
        let b = b.into();
        Lcp::sparse(SparseRows::symmetric(entries, b.len())?, b)
    }

    /// A problem given by its Jacobian: `A = J diag(inverse_mass) Jᵀ`, positive semidefinite by construction.
    ///
    /// # Errors
    /// [`Error::Dimension`], [`Error::NonFinite`].
    pub fn jacobian(
        jacobian: SparseRows,
        inverse_mass: Vec<f64>,
        b: impl Into<Cow<'a, [f64]>>,
    ) -> Result<Self, Error> {
        Self::soft_jacobian(jacobian, inverse_mass, Vec::new(), b)
    }

    /// As [`Lcp::jacobian`] with rows that give way: `A = J diag(inverse_mass) Jᵀ + diag(compliance)`. A row's compliance is the
    /// acceleration that a unit of its own force adds; a time step `h` makes `1/(h² k)` of a spring with stiffness `k`, and
    /// a little of it everywhere makes any contradiction solvable.
    ///
    /// # Errors
    /// As [`Lcp::jacobian`]; [`Error::NotPsd`] for a negative compliance.
    pub fn soft_jacobian(
        jacobian: SparseRows,
        inverse_mass: Vec<f64>,
        compliance: Vec<f64>,
        b: impl Into<Cow<'a, [f64]>>,
    ) -> Result<Self, Error> {
        Self::with_matrix(Matrix::Jacobian { jacobian, inverse_mass, compliance }, b.into())
    }

    fn with_matrix(matrix: Matrix<'a>, bias: Cow<'a, [f64]>) -> Result<Self, Error> {
        match &matrix {
            Matrix::Dense(a) => check_dense(a, bias.len())?,
            other => other.check(bias.len())?,
        }
        check_bias(&bias)?;
        let rows = vec![Row::Unilateral; bias.len()].into();
        Ok(Self { matrix, bias, rows, frictional: false, symmetric: true })
    }

    /// Sets the kinds of all rows.
    ///
    /// # Errors
    /// [`Error::Dimension`], [`Error::CrossedBounds`], [`Error::BadNormalRow`], [`Error::BadFriction`].
    pub fn rows(mut self, rows: impl Into<Vec<Row>>) -> Result<Self, Error> {
        let rows = rows.into();
        self.frictional = check_rows(&rows, self.bias.len())?;
        self.rows = Cow::Owned(rows);
        Ok(self)
    }

    /// Replaces `b`, keeping everything else.
    ///
    /// # Errors
    /// [`Error::Dimension`], [`Error::NonFinite`].
    pub fn set_bias(&mut self, b: &[f64]) -> Result<(), Error> {
        check_length("b", b.len(), self.bias.len())?;
        check_bias(b)?;
        self.bias.to_mut().copy_from_slice(b);
        Ok(())
    }

    /// Replaces the numbers of the matrix, keeping its pattern: the entries of `A` row by row, or those of `A` or `J` that are
    /// stored. What a [`Workspace`](crate::Workspace) knows about the pattern stays valid, zeros among the values too.
    ///
    /// # Errors
    /// As the constructors; values that make no matrix of a problem leave zeros behind.
    pub fn set_values(&mut self, values: &[f64]) -> Result<(), Error> {
        let target = match &mut self.matrix {
            Matrix::Dense(a) => {
                if self.symmetric {
                    check_dense(values, self.bias.len())?;
                }
                a.to_mut()
            }
            Matrix::Sparse(a) => &mut a.value,
            Matrix::Jacobian { jacobian, .. } => &mut jacobian.value,
        };
        check_length("values", values.len(), target.len())?;
        check_numbers("values", values)?;
        target.copy_from_slice(values);
        if !self.symmetric {
            return Ok(());
        }
        let checked = self.matrix.check_values(self.bias.len());
        if checked.is_err() {
            // What is inside has been checked.
            match &mut self.matrix {
                Matrix::Dense(a) => a.to_mut().fill(0.0),
                Matrix::Sparse(a) => a.value.fill(0.0),
                Matrix::Jacobian { jacobian, .. } => jacobian.value.fill(0.0),
            }
        }
        checked
    }

    /// Replaces the inverse masses of a problem given by its Jacobian.
    ///
    /// # Errors
    /// As [`Lcp::jacobian`]; [`Error::Unsupported`] for other problems.
    pub fn set_inverse_masses(&mut self, values: &[f64]) -> Result<(), Error> {
        let Matrix::Jacobian { inverse_mass, .. } = &mut self.matrix else {
            return Err(Error::Unsupported { solver: "a problem without Jacobian", what: "masses" });
        };
        check_length("inverse mass", values.len(), inverse_mass.len())?;
        check_nonnegative("inverse mass", values)?;
        inverse_mass.copy_from_slice(values);
        Ok(())
    }

    /// Replaces the compliances of a problem given by its Jacobian; none means that no row gives way.
    ///
    /// # Errors
    /// As [`Lcp::soft_jacobian`]; [`Error::Unsupported`] for problems without Jacobian.
    pub fn set_compliance(&mut self, values: &[f64]) -> Result<(), Error> {
        let Matrix::Jacobian { compliance, .. } = &mut self.matrix else {
            return Err(Error::Unsupported { solver: "a problem without Jacobian", what: "compliance" });
        };
        if !values.is_empty() {
            check_length("compliance", values.len(), self.bias.len())?;
        }
        check_nonnegative("compliance", values)?;
        compliance.clear();
        compliance.extend_from_slice(values);
        Ok(())
    }

    /// Replaces the coefficients of friction, one for each row of kind [`Row::Friction`] or [`Row::Sliding`] in the order of the
    /// rows.
    ///
    /// # Errors
    /// [`Error::Dimension`], [`Error::BadFriction`]; the problem is as before then.
    pub fn set_friction(&mut self, mu: &[f64]) -> Result<(), Error> {
        let has_one = |kind: &&Row| matches!(kind, Row::Friction { .. } | Row::Sliding { .. });
        check_length("friction", mu.len(), self.rows.iter().filter(has_one).count())?;
        let mut given = mu.iter();
        let changed = |kind: &Row| match (*kind, has_one(&kind)) {
            (Row::Friction { normal, mu }, _) => {
                Row::Friction { normal, mu: given.next().copied().unwrap_or(mu) }
            }
            (Row::Sliding { normal, mu, sign }, _) => {
                Row::Sliding { normal, mu: given.next().copied().unwrap_or(mu), sign }
            }
            (other, _) => other,
        };
        let rows: Vec<Row> = self.rows.iter().map(changed).collect();
        self.frictional = check_rows(&rows, self.bias.len())?;
        self.rows = Cow::Owned(rows);
        Ok(())
    }

    /// The same problem with each diagonal entry of `A` raised by a share of itself.
    pub(crate) fn raised(&self, share: f64) -> Lcp<'static> {
        let n = self.len();
        let matrix = match &self.matrix {
            Matrix::Dense(a) => {
                let mut a = a.to_vec();
                (0..n).for_each(|i| a[i * n + i] *= 1.0 + share);
                Matrix::Dense(a.into())
            }
            Matrix::Sparse(a) => {
                let mut a = a.clone();
                for i in 0..n {
                    let range = a.start[i]..a.start[i + 1];
                    let entries = a.column[range.clone()].iter().zip(&mut a.value[range]);
                    entries.filter(|(c, _)| **c == i).for_each(|(_, v)| *v *= 1.0 + share);
                }
                Matrix::Sparse(a)
            }
            Matrix::Jacobian { jacobian, inverse_mass, compliance } => Matrix::Jacobian {
                jacobian: jacobian.clone(),
                inverse_mass: inverse_mass.clone(),
                compliance: compliance.clone(),
            },
        };
        let (bias, rows) = (self.bias.to_vec().into(), self.rows.to_vec().into());
        Lcp { matrix, bias, rows, frictional: self.frictional, symmetric: self.symmetric }
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bias.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bias.is_empty()
    }

    /// The matrix `A`.
    #[must_use]
    pub fn matrix(&self) -> &Matrix<'a> {
        &self.matrix
    }

    /// `b`: the accelerations without forces.
    #[must_use]
    pub fn bias(&self) -> &[f64] {
        &self.bias
    }

    /// The kinds of the rows.
    #[must_use]
    pub fn kinds(&self) -> &[Row] {
        &self.rows
    }

    /// Whether some row is a friction row: then `f` and `a` need not be unique, and no theorem promises that a
    /// solver ends in a solution.
    #[must_use]
    pub fn has_friction(&self) -> bool {
        self.frictional
    }

    /// `a = A f + b`, computed from the data of the problem row by row.
    pub fn accelerations(&self, f: &[f64], a: &mut [f64]) {
        self.accelerations_with(f, a, &mut Vec::new());
    }

    /// As [`Lcp::accelerations`] with scratch.
    pub(crate) fn accelerations_with(&self, f: &[f64], a: &mut [f64], motion: &mut Vec<f64>) {
        self.matrix.product_with(f, a, motion);
        for (a, b) in a.iter_mut().zip(self.bias.iter()) {
            *a += b;
        }
    }
}

pub(crate) fn check_length(what: &'static str, got: usize, expected: usize) -> Result<(), Error> {
    if got == expected { Ok(()) } else { Err(Error::Dimension { what, got, expected }) }
}

/// Finds the first entry that is not finite; sums first, because one pass of additions is cheaper than a
/// test of each entry (a sum is finite only if all terms are, unless it overflows).
pub(crate) fn check_finite(what: &'static str, values: &[f64]) -> Result<(), Error> {
    let suspicious = values.iter().fold(0.0, |sum, v| sum + v * 0.0) != 0.0;
    let found = if suspicious { values.iter().position(|v| !v.is_finite()) } else { None };
    found.map_or(Ok(()), |index| Err(Error::NonFinite { what, index }))
}

fn check_bias(b: &[f64]) -> Result<(), Error> {
    check_numbers("b", b)
}

/// As [`check_finite`], and no entry so large that products overflow.
pub(crate) fn check_numbers(what: &'static str, values: &[f64]) -> Result<(), Error> {
    check_finite(what, values)?;
    let suspicious = values.iter().fold(0.0_f64, |most, v| larger(v.abs(), most)) > LARGEST;
    let found = if suspicious { values.iter().position(|v| v.abs() > LARGEST) } else { None };
    found.map_or(Ok(()), |index| Err(Error::OutOfRange { what, index, value: values[index] }))
}

/// As [`check_numbers`], none negative.
pub(crate) fn check_nonnegative(what: &'static str, values: &[f64]) -> Result<(), Error> {
    check_numbers(what, values)?;
    let found = values.iter().position(|v| *v < 0.0);
    found.map_or(Ok(()), |row| Err(Error::NotPsd { row, pivot: values[row] }))
}

fn check_dense(a: &[f64], n: usize) -> Result<(), Error> {
    check_length("A", a.len(), n * n)?;
    check_numbers("A", a)?;
    for row in 0..n {
        let diagonal = a[row * n + row];
        if diagonal < 0.0 {
            return Err(Error::NotPsd { row, pivot: diagonal });
        }
        for column in 0..row {
            let difference = (a[row * n + column] - a[column * n + row]).abs();
            let allowed = ASYMMETRY * ASYMMETRY * diagonal * a[column * n + column];
            if difference * difference > allowed && difference > f64::MIN_POSITIVE {
                return Err(Error::Asymmetric { row, column, difference });
            }
        }
    }
    Ok(())
}

fn check_rows(rows: &[Row], n: usize) -> Result<bool, Error> {
    check_length("rows", rows.len(), n)?;
    for (row, kind) in rows.iter().enumerate() {
        match *kind {
            Row::Boxed { lo, hi } => {
                if !(lo <= hi) || lo == f64::INFINITY || hi == f64::NEG_INFINITY {
                    return Err(Error::CrossedBounds { row, lo, hi });
                }
            }
            Row::Friction { normal, mu } => check_friction(rows, row, normal, &[mu])?,
            Row::FrictionLimits { normal, mu_minus, mu_plus } => {
                check_friction(rows, row, normal, &[mu_minus, mu_plus])?;
            }
            Row::Sliding { normal, mu, sign } => {
                check_friction(rows, row, normal, &[mu])?;
                if sign.abs() != 1.0 {
                    return Err(Error::BadFriction { row, mu: sign });
                }
            }
            Row::Bilateral | Row::Unilateral => {}
        }
    }
    Ok(rows.iter().any(|kind| kind.normal().is_some()))
}

/// Checks a row that follows a normal force.
fn check_friction(rows: &[Row], row: usize, normal: usize, coefficients: &[f64]) -> Result<(), Error> {
    if rows.get(normal) != Some(&Row::Unilateral) {
        return Err(Error::BadNormalRow { row, normal });
    }
    match coefficients.iter().find(|mu| !(**mu >= 0.0 && **mu <= LARGEST)) {
        Some(&mu) => Err(Error::BadFriction { row, mu }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
