//! Equality-constrained systems `M q + Jᵀ λ = r`, `J q = c`, with an analysis of the rank of `J`.
//!
//! **Conditions.** `M` symmetric positive definite, `J` of any rank. **Method.** The Schur complement
//! `S = J M⁻¹ Jᵀ` is factored by largest pivot, which reveals its rank (plain `LDLᵀ` does not); rows that are
//! combinations of others get `λ = 0` and are checked for consistency. **Promise.** `q` is unique; `λ` is a basic
//! solution. **Failure.** `M` not definite; a dependent row whose demand contradicts the others.

use crate::kernel::dot;
use crate::ldlt::UpdatableLdlt;
use crate::order::Order;

/// Answer of [`solve`].
#[derive(Clone, Debug, PartialEq)]
pub struct KktSolution {
    /// The unknowns.
    pub q: Vec<f64>,
    /// The multipliers, one for each row of `J`; 0 for dependent rows.
    pub lambda: Vec<f64>,
    /// Rank of `J`.
    pub rank: usize,
    /// Rows of `J` that are combinations of the others.
    pub dependent: Vec<usize>,
    /// Largest miss `|J q − c|` among the dependent rows: their inconsistency.
    pub inconsistency: f64,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum KktError {
    /// `M` is not positive definite.
    #[error("M is not positive definite: pivot {pivot:e} at row {row}")]
    NotDefinite {
        /// Row of `M`.
        row: usize,
        /// Its pivot.
        pivot: f64,
    },
    /// An entry that is no finite number.
    #[error("entry {index} of {what} is not finite")]
    NotFinite {
        /// Which argument.
        what: &'static str,
        /// Place of the entry.
        index: usize,
    },
    /// A slice has the wrong length.
    #[error("{what} has length {got}, expected {expected}")]
    Length {
        /// Which argument.
        what: &'static str,
        /// Its length.
        got: usize,
        /// What it must be.
        expected: usize,
    },
}

/// Solves for row-major `m` (`n × n`) and `j` (`c.len() × n`); a row of `J` whose pivot falls below `limit` times
/// its diagonal entry of `S` counts as dependent.
///
/// ```
/// // A unit mass on a rod along x, given twice; pushed by (3, 4).
/// let answer = engine2d_math::kkt::solve(
///     &[1.0, 0.0, 0.0, 1.0], &[1.0, 0.0, 1.0, 0.0], &[3.0, 4.0], &[0.0, 0.0], 1e-10)?;
/// assert_eq!((answer.rank, answer.q), (1, vec![0.0, 4.0]));
/// # Ok::<(), engine2d_math::kkt::KktError>(())
/// ```
///
/// # Errors
/// [`KktError`].
pub fn solve(m: &[f64], j: &[f64], r: &[f64], c: &[f64], limit: f64) -> Result<KktSolution, KktError> {
    let (n, rows) = (r.len(), c.len());
    for (what, got, expected) in [("M", m.len(), n * n), ("J", j.len(), rows * n)] {
        if got != expected {
            return Err(KktError::Length { what, got, expected });
        }
    }
    for (what, entries) in [("M", m), ("J", j), ("r", r), ("c", c)] {
        if let Some(index) = entries.iter().position(|v| !v.is_finite()) {
            return Err(KktError::NotFinite { what, index });
        }
    }
    let mass = factor_definite(m, n)?;
    // Columns of M⁻¹ Jᵀ, and S.
    let mut columns = j.to_vec();
    columns.chunks_exact_mut(n.max(1)).for_each(|column| mass.solve(column));
    let row = |i: usize| &j[i * n..(i + 1) * n];
    let entry = |i: usize, k: usize| dot(row(i), &columns[k * n..(k + 1) * n]);
    let mut q = r.to_vec();
    mass.solve(&mut q);
    let (factor, order) = factor_ranked(rows, entry, limit);
    let (independent, dependent) = order.split_at(factor.len());
    let mut packed: Vec<f64> = independent.iter().map(|&i| dot(row(i), &q) - c[i]).collect();
    factor.solve(&mut packed);
    let mut lambda = vec![0.0; rows];
    for (&i, value) in independent.iter().zip(&packed) {
        lambda[i] = *value;
        q.iter_mut().zip(&columns[i * n..(i + 1) * n]).for_each(|(q, v)| *q -= value * v);
    }
    let inconsistency = dependent.iter().fold(0.0_f64, |worst, &i| worst.max((dot(row(i), &q) - c[i]).abs()));
    let mut dependent = dependent.to_vec();
    dependent.order();
    Ok(KktSolution { q, lambda, rank: factor.len(), dependent, inconsistency })
}

fn factor_definite(m: &[f64], n: usize) -> Result<UpdatableLdlt, KktError> {
    let mut factor = UpdatableLdlt::new();
    factor.reset(n);
    for row in 0..n {
        let mut y = m[row * n..row * n + row].to_vec();
        factor.forward(&mut y);
        let pivot = factor.pivot_of(m[row * n + row], &y);
        if !(pivot > f64::EPSILON * m[row * n + row]) {
            return Err(KktError::NotDefinite { row, pivot });
        }
        factor.push(&y, pivot);
    }
    Ok(factor)
}

/// Factors a semidefinite matrix by largest pivot; returns the factor and the rows, independent ones first.
fn factor_ranked(
    rows: usize,
    entry: impl Fn(usize, usize) -> f64,
    limit: f64,
) -> (UpdatableLdlt, Vec<usize>) {
    let mut factor = UpdatableLdlt::new();
    factor.reset(rows);
    let mut order: Vec<usize> = (0..rows).collect();
    let diagonal: Vec<f64> = (0..rows).map(|i| entry(i, i)).collect();
    for done in 0..rows {
        let mut best = None;
        let mut largest = limit;
        for (k, &i) in order.iter().enumerate().skip(done) {
            let mut y: Vec<f64> = order[..done].iter().map(|&j| entry(i, j)).collect();
            factor.forward(&mut y);
            let pivot = factor.pivot_of(diagonal[i], &y);
            if pivot > largest * diagonal[i] {
                largest = pivot / diagonal[i];
                best = Some((k, y, pivot));
            }
        }
        let Some((k, y, pivot)) = best else { break };
        factor.push(&y, pivot);
        order.swap(done, k);
    }
    (factor, order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redundant_constraints_are_named_and_checked() {
        let m = [2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0];
        let j = [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 1.0];
        let consistent = solve(&m, &j, &[1.0, 0.0, 3.0], &[1.0, 2.0, 3.0], 1e-10).unwrap();
        assert_eq!((consistent.rank, consistent.dependent.len()), (2, 1));
        assert!(consistent.inconsistency < 1e-14);
        assert!((consistent.q[0] + consistent.q[1] - 1.0).abs() < 1e-14);
        assert!((consistent.q[1] + consistent.q[2] - 2.0).abs() < 1e-14);
        let conflicting = solve(&m, &j, &[1.0, 0.0, 3.0], &[1.0, 2.0, 4.0], 1e-10).unwrap();
        assert!((conflicting.inconsistency - 1.0).abs() < 1e-12);
        assert!(matches!(
            solve(&[0.0], &[1.0], &[1.0], &[0.0], 1e-10),
            Err(KktError::NotDefinite { row: 0, .. })
        ));
        assert!(matches!(solve(&[1.0], &[1.0, 2.0], &[1.0], &[0.0], 1e-10), Err(KktError::Length { .. })));
        let nan = solve(&[1.0], &[1.0, f64::NAN], &[1.0], &[0.0, 0.0], 1e-10);
        assert_eq!(nan, Err(KktError::NotFinite { what: "J", index: 1 }));
    }
}
