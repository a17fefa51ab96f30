//! A part of a problem: the rows of an island as a problem of its own, in buffers that are kept.

use super::{Lcp, Matrix, SparseRows};
use std::borrow::Cow;

/// Columns of a body of the plane: they stay together, as the sparse method works by bodies.
const BODY: usize = 3;

/// Marks a column that the part does not use.
const NONE: usize = usize::MAX;

/// The rows of an island of a larger problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    problem: Option<Lcp<'static>>,
    /// Number in the part of each column (of the Jacobian or the matrix) of the larger problem.
    local: Vec<usize>,
    used: Vec<usize>,
}

impl Part {
    /// Takes over the given rows, in increasing order. What the rows are linked to must be among them, the normal rows of
    /// friction rows too: else `None`.
    pub(crate) fn take(&mut self, whole: &Lcp<'_>, rows: &[usize]) -> Option<&Lcp<'static>> {
        let Self { problem, local, used } = self;
        let old = problem.take();
        let (matrix, bias, kinds) = match old {
            Some(old) => (old.matrix, old.bias.into_owned(), old.rows.into_owned()),
            None => (Matrix::Sparse(SparseRows::default()), Vec::new(), Vec::new()),
        };
        used.clear();
        let matrix = match whole.matrix() {
            Matrix::Dense(a) => {
                let mut part = match matrix {
                    Matrix::Dense(part) => part.into_owned(),
                    _ => Vec::new(),
                };
                part.clear();
                part.extend(rows.iter().flat_map(|&i| rows.iter().map(move |&j| a[i * whole.len() + j])));
                Matrix::Dense(Cow::Owned(part))
            }
            Matrix::Sparse(a) => {
                let mut part = match matrix {
                    Matrix::Sparse(part) => part,
                    _ => SparseRows::default(),
                };
                local.resize(local.len().max(whole.len()), NONE);
                // The columns are the rows, in the same order.
                rows.iter().for_each(|&i| number(local, used, i, 1));
                select(a, rows, |_| true, 1, (local, used), &mut part);
                Matrix::Sparse(part)
            }
            Matrix::Jacobian { jacobian, inverse_mass, compliance } => {
                let (mut part, mut masses, mut soft) = match matrix {
                    Matrix::Jacobian { jacobian, inverse_mass, compliance } => {
                        (jacobian, inverse_mass, compliance)
                    }
                    _ => (SparseRows::default(), Vec::new(), Vec::new()),
                };
                local.resize(local.len().max(inverse_mass.len()), NONE);
                let together = if inverse_mass.len().is_multiple_of(BODY) { BODY } else { 1 };
                let moves = |c: usize| inverse_mass[c] != 0.0;
                select(jacobian, rows, moves, together, (local, used), &mut part);
                masses.clear();
                masses.extend(used.iter().map(|&c| inverse_mass[c]));
                soft.clear();
                if !compliance.is_empty() {
                    soft.extend(rows.iter().map(|&i| compliance[i]));
                }
                Matrix::Jacobian { jacobian: part, inverse_mass: masses, compliance: soft }
            }
        };
        used.iter().for_each(|&c| local[c] = NONE);
        let (mut bias, mut kinds) = (bias, kinds);
        bias.clear();
        bias.extend(rows.iter().map(|&i| whole.bias()[i]));
        kinds.clear();
        let mut frictional = false;
        for &i in rows {
            let kind = whole.kinds()[i];
            kinds.push(match kind.normal() {
                Some(normal) => {
                    frictional = true;
                    kind.with_normal(rows.binary_search(&normal).ok()?)
                }
                None => kind,
            });
        }
        let part = Lcp {
            matrix,
            bias: Cow::Owned(bias),
            rows: Cow::Owned(kinds),
            frictional,
            symmetric: whole.symmetric,
        };
        Some(problem.insert(part))
    }
}

/// Gives a column, and those that go together with it, the next numbers if it has none.
fn number(local: &mut [usize], used: &mut Vec<usize>, column: usize, together: usize) {
    if local[column] == NONE {
        let first = column - column % together;
        for (c, local) in (first..).zip(&mut local[first..first + together]) {
            *local = used.len();
            used.push(c);
        }
    }
}

/// Copies rows with their columns renumbered in the order of first use.
fn select(
    from: &SparseRows,
    rows: &[usize],
    keep: impl Fn(usize) -> bool,
    together: usize,
    (local, used): (&mut [usize], &mut Vec<usize>),
    to: &mut SparseRows,
) {
    to.start.clear();
    to.column.clear();
    to.value.clear();
    to.start.push(0);
    for &i in rows {
        let (columns, values) = from.row(i);
        for (&c, &v) in columns.iter().zip(values).filter(|(c, v)| **v != 0.0 && keep(**c)) {
            number(local, used, c, together);
            to.column.push(local[c]);
            to.value.push(v);
        }
        to.start.push(to.column.len());
    }
}
