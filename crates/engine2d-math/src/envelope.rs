//! Elimination of a symmetric positive semidefinite matrix inside its envelope, once, to solve and forget.
//!
//! **Problem.** `A x = r` for many matrices of the same kind, each used for a solve or two. **Method.** `A = Uᵀ D⁻¹ U` by
//! rows, each from its diagonal to the last column that any row up to it reaches, four pivots at a time, so that the
//! inner loop has no sums to wait for. Rows that are combinations of those before get no unknown. **Promise.** The same
//! bits on every processor; no judgement where a pivot is neither clear nor zero: the caller hears of it. Pairs of rows that reach no
//! farther than the next pair, as those of the pins of a chain, are eliminated pair by pair.

mod pairs;
mod rank;

pub use rank::Rank;

use crate::kernel::{axpy, axpy4, dot};
use rank::is_dependent;

/// Pivots eliminated together.
const BLOCK: usize = 4;

/// The upper triangle of a symmetric matrix inside its envelope, and its elimination.
#[derive(Clone, Debug, Default)]
pub struct Envelope {
    /// Where the diagonal entry of each row is stored; the row follows.
    start: Vec<usize>,
    /// First column beyond each row; the same in each block of pivots, and never falling.
    end: Vec<usize>,
    entries: Vec<f64>,
    /// The diagonal entries before elimination.
    diagonal: Vec<f64>,
    /// Reciprocal pivots; 0 for rows without an unknown.
    inverse: Vec<f64>,
    /// Whether all rows are in pairs that reach the next one at most.
    paired: bool,
}

impl Envelope {
    /// Makes room for a matrix of zeros whose row `k` ends before column `reach[k]`, which is beyond `k`.
    pub fn shape(&mut self, reach: &[usize]) {
        self.start.clear();
        self.end.clear();
        self.paired = pairs::fit(reach);
        let size = if self.paired { pairs::ROWS } else { BLOCK };
        let (mut far, mut next) = (0, 0);
        for (block, ends) in reach.chunks(size).enumerate() {
            far = ends.iter().fold(far, |far, end| far.max(*end));
            // Pairs are all of one size.
            far = if self.paired { reach.len().min(pairs::ROWS * (block + 2)) } else { far };
            for k in 0..ends.len() {
                self.start.push(next);
                self.end.push(far);
                next += far - (size * block + k);
            }
        }
        self.entries.clear();
        self.entries.resize(next, 0.0);
        self.inverse.clear();
        self.inverse.resize(reach.len(), 0.0);
    }

    /// Row `k` from its diagonal entry on.
    #[inline]
    pub fn row_mut(&mut self, k: usize) -> &mut [f64] {
        let (start, len) = (self.start[k], self.end[k] - k);
        &mut self.entries[start..start + len]
    }

    /// Row `k` from its diagonal entry on.
    #[inline]
    fn row(&self, k: usize) -> &[f64] {
        let (start, len) = (self.start[k], self.end[k] - k);
        &self.entries[start..start + len]
    }

    /// Whether row `k` is a combination of those before.
    #[inline]
    #[must_use]
    pub fn is_dependent(&self, k: usize) -> bool {
        self.inverse[k] == 0.0
    }

    /// Eliminates, and solves `A x = r` with `r` in `x`. A pivot counts as clear above the share `clear` of its diagonal
    /// entry, as zero up to the share `zero`.
    pub fn eliminate(&mut self, x: &mut [f64], clear: f64, zero: f64) -> Rank {
        let rank = self.reduce(x, clear, zero);
        if rank != Rank::Doubtful {
            self.backward(x);
        }
        rank
    }

    /// Eliminates for [`solve`](Self::solve); pivots are judged as in [`eliminate`](Self::eliminate).
    pub fn factor(&mut self, clear: f64, zero: f64) -> Rank {
        self.reduce(&mut [], clear, zero)
    }

    /// Eliminates, in a right-hand side too if there is one.
    fn reduce(&mut self, x: &mut [f64], clear: f64, zero: f64) -> Rank {
        let solves = !x.is_empty();
        let c = self.start.len();
        self.diagonal.clear();
        self.diagonal.extend(self.start.iter().map(|&at| self.entries[at]));
        if self.paired {
            let rank = pairs::factor(&mut self.entries, &self.diagonal, &mut self.inverse, [clear, zero]);
            if solves && rank != Rank::Doubtful {
                pairs::forward(&self.entries, &self.inverse, x);
            }
            return rank;
        }
        let mut dependent = 0;
        for first in (0..c).step_by(BLOCK) {
            let last = c.min(first + BLOCK);
            let end = self.end[first];
            for k in first..last {
                let (done, mut rest) = self.entries.split_at_mut(self.start[k] + end - k);
                let row = &done[self.start[k]..];
                let (pivot, diagonal) = (row[0], self.diagonal[k]);
                let Some(none) = is_dependent(pivot, diagonal, [clear, zero]) else { return Rank::Doubtful };
                if none {
                    dependent += 1;
                    continue;
                }
                let inverse = 1.0 / pivot;
                self.inverse[k] = inverse;
                for i in k + 1..last {
                    let (target, after) = rest.split_at_mut(end - i);
                    let factor = row[i - k] * inverse;
                    if factor != 0.0 {
                        axpy(-factor, &row[i - k..], target);
                        if solves {
                            x[i] -= factor * x[k];
                        }
                    }
                    rest = after;
                }
            }
            if last == end {
                continue;
            }
            let (done, rest) = self.entries.split_at_mut(self.start[last]);
            let rows: [&[f64]; BLOCK] =
                std::array::from_fn(|j| &done[self.start[first + j]..][..end - first - j]);
            let inverse: [f64; BLOCK] = std::array::from_fn(|j| self.inverse[first + j]);
            let known: [f64; BLOCK] = std::array::from_fn(|j| if solves { x[first + j] } else { 0.0 });
            for i in last..end {
                let factor: [f64; BLOCK] = std::array::from_fn(|j| -rows[j][i - first - j] * inverse[j]);
                if factor != [0.0; BLOCK] {
                    let at = self.start[i] - self.start[last];
                    let sources = std::array::from_fn(|j| &rows[j][i - first - j..]);
                    axpy4(factor, sources, &mut rest[at..at + end - i]);
                    if solves {
                        x[i] += (factor[0] * known[0] + factor[1] * known[1])
                            + (factor[2] * known[2] + factor[3] * known[3]);
                    }
                }
            }
        }
        Rank::Dependent(dependent)
    }

    /// The least pivot in its diagonal entry, of the rows that are no combinations of those before: how near one of them is to being one.
    /// After the elimination; 1 where there is none.
    #[must_use]
    pub fn least_share(&self) -> f64 {
        let shares = self.inverse.iter().zip(&self.diagonal).map(|(inverse, diagonal)| inverse * diagonal);
        1.0 / shares.fold(1.0, f64::max)
    }

    /// Solves `A x = r` with `r` in `x`, after the elimination.
    pub fn solve(&self, x: &mut [f64]) {
        self.forward(x);
        self.backward(x);
    }

    /// `x ← D U⁻ᵀ x`.
    fn forward(&self, x: &mut [f64]) {
        if self.paired {
            return pairs::forward(&self.entries, &self.inverse, x);
        }
        for k in 0..self.start.len() {
            let factor = x[k] * self.inverse[k];
            if factor != 0.0 {
                axpy(-factor, &self.row(k)[1..], &mut x[k + 1..]);
            }
        }
    }

    /// `x ← U⁻¹ x`.
    fn backward(&self, x: &mut [f64]) {
        if self.paired {
            return pairs::backward(&self.entries, &self.inverse, x);
        }
        for k in (0..self.start.len()).rev() {
            x[k] = (x[k] - dot(&self.row(k)[1..], &x[k + 1..])) * self.inverse[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Lcg32;

    /// `G Gᵀ` for a random `G` of `columns` columns whose row `k` has zeros but in a window around `k`.
    fn matrix(n: usize, columns: usize, width: usize, rng: &mut Lcg32) -> Vec<f64> {
        let mut g = vec![0.0; n * columns];
        for (k, row) in g.chunks_mut(columns).enumerate() {
            let from = (k * columns / n).min(columns.saturating_sub(width));
            row[from..columns.min(from + width)].fill_with(|| rng.next_unit() - 0.5);
        }
        let entry = |i: usize| dot(&g[i / n * columns..][..columns], &g[i % n * columns..][..columns]);
        (0..n * n).map(entry).collect()
    }

    fn load(a: &[f64], n: usize) -> Envelope {
        let mut envelope = Envelope::default();
        let last = |k: usize| (k..n).rev().find(|&j| a[k * n + j] != 0.0).unwrap_or(k) + 1;
        envelope.shape(&(0..n).map(last).collect::<Vec<_>>());
        for k in 0..n {
            let row = envelope.row_mut(k);
            let len = row.len();
            row.copy_from_slice(&a[k * n + k..][..len]);
        }
        envelope
    }

    /// Of `[1, c; c, 1]` the second row has `1 − c²` left; one that is a combination does not count.
    #[test]
    fn what_is_left_of_a_row_is_told() {
        let mut envelope = Envelope::default();
        for (c, left) in [(0.6, 0.64), (0.0, 1.0), (1.0, 1.0)] {
            envelope.shape(&[2, 2]);
            envelope.row_mut(0).copy_from_slice(&[4.0, 2.0 * c]);
            envelope.row_mut(1).copy_from_slice(&[1.0]);
            let rank = envelope.factor(1e-11, 1e-11);
            assert_eq!(rank, Rank::Dependent(usize::from(c == 1.0)));
            assert!((envelope.least_share() - left).abs() < 1e-15, "{}", envelope.least_share());
        }
    }

    #[test]
    fn solutions_satisfy_the_equations_whatever_the_rank() {
        let mut rng = Lcg32::new(9);
        for (n, columns, width) in
            [(1, 1, 1), (3, 5, 5), (4, 4, 2), (9, 12, 4), (30, 33, 6), (30, 20, 20), (23, 11, 11)]
        {
            let a = matrix(n, columns, width, &mut rng);
            let product = |x: &[f64]| (0..n).map(|i| dot(&a[i * n..][..n], x)).collect::<Vec<_>>();
            for round in 0..2 {
                let right = product(&(0..n).map(|i| 1.0 + (i % 5) as f64).collect::<Vec<_>>());
                let mut envelope = load(&a, n);
                let mut x = right.clone();
                let Rank::Dependent(dependent) = envelope.eliminate(&mut x, 1e-9, 1e-9) else {
                    panic!("doubt")
                };
                assert_eq!(dependent, n.saturating_sub(columns.min(n)), "{n} {columns}");
                assert_eq!((0..n).filter(|&k| envelope.is_dependent(k)).count(), dependent);
                if round == 1 {
                    x.clone_from(&right);
                    envelope = load(&a, n);
                    assert_eq!(envelope.factor(1e-9, 1e-9), Rank::Dependent(dependent));
                    envelope.solve(&mut x);
                }
                for (left, right) in product(&x).iter().zip(&right) {
                    assert!((left - right).abs() < 1e-8, "{n} {columns}: {left} {right}");
                }
            }
        }
    }

    /// Pairs eliminated pair by pair are as in an envelope of any other shape, dependent rows among them.
    #[test]
    fn pairs_are_eliminated_as_all_others() {
        let mut rng = Lcg32::new(21);
        for n in [2, 4, 6, 40] {
            // Each pair shares three columns with the next one; row 3 is a multiple of row 2.
            let columns = 3 * (n / 2 + 1);
            let mut g = vec![0.0; n * columns];
            for (k, row) in g.chunks_mut(columns).enumerate() {
                row[k / 2 * 3..k / 2 * 3 + 6].fill_with(|| rng.next_unit() - 0.5);
            }
            if n > 5 {
                let twice: Vec<f64> = g[2 * columns..3 * columns].iter().map(|v| 2.0 * v).collect();
                g[3 * columns..4 * columns].copy_from_slice(&twice);
            }
            let entry = |i: usize| dot(&g[i / n * columns..][..columns], &g[i % n * columns..][..columns]);
            let a: Vec<f64> = (0..n * n).map(entry).collect();
            let right: Vec<f64> = (0..n).map(|i| entry(i * n) - entry(i * n + n - 1)).collect();
            let mut pairs = load(&a, n);
            assert!(pairs.paired);
            let mut any = pairs.clone();
            let whole: Vec<usize> = (0..n).map(|k| if k + 1 < n { n.min(k + 5) } else { n }).collect();
            any.shape(&whole);
            any.paired = false;
            for k in 0..n {
                let len = any.row_mut(k).len();
                any.row_mut(k).copy_from_slice(&a[k * n + k..][..len]);
            }
            let [mut x, mut y, mut z] = [right.clone(), right.clone(), right];
            let dependent = Rank::Dependent(usize::from(n > 5));
            assert_eq!(pairs.clone().eliminate(&mut z, 1e-9, 1e-9), dependent);
            assert_eq!(pairs.factor(1e-9, 1e-9), dependent);
            assert_eq!(any.factor(1e-9, 1e-9), dependent);
            assert_eq!((0..n).find(|&k| pairs.is_dependent(k)), (0..n).find(|&k| any.is_dependent(k)));
            assert!((pairs.least_share() / any.least_share() - 1.0).abs() < 1e-9);
            pairs.solve(&mut x);
            any.solve(&mut y);
            assert_eq!(x, z);
            for (x, y) in x.iter().zip(&y) {
                assert!((x - y).abs() < 1e-9 * (1.0 + y.abs()), "{n}: {x} {y}");
            }
        }
    }

    #[test]
    fn doubtful_and_negative_pivots_are_told() {
        for a in [[1.0, 1.0, 1.0, 1.0 + 1e-8], [1.0, 2.0, 2.0, 1.0], [1.0, 0.0, 0.0, f64::NAN]] {
            assert_eq!(load(&a, 2).eliminate(&mut [1.0, 1.0], 1e-6, 1e-12), Rank::Doubtful);
        }
    }
}
