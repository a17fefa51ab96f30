//! Other starts of Lemke's method.
//!
//! **Problem.** A way that begins with no force may end on a ray though there is an answer: in the conditions of a bimatrix game it
//! does so at once, as no cost of a player depends on his own choice. **Method.** Unknowns are exchanged with their complements first,
//! a principal pivot [Cottle, Pang, Stone, §2.3], and the way begins there: one unknown alone, or one with that whose condition it is
//! the last to meet; then any two. Where the first unknown's complement covers what is negative, it is the artificial variable: for a
//! game that is the way of Lemke and Howson [1964], which ends in an equilibrium. **Promise.** None else.

use super::super::{End, PIVOT, PIVOTS_PER_UNKNOWN};
use super::Expanded;

/// Rows' squares times pivots that all starts together may take: some tenths of a second.
const WORK: usize = 30_000_000;

/// Pivots that a start counts for beside those of its way: the copy, the tableau and the exchange.
const START: usize = 3;

impl Expanded<'_> {
    /// As [`Expanded::forces`] along the ways from other starts: the first forces that `accepts` takes. Where there are none `found` stays.
    pub(super) fn forces_from_elsewhere(
        &mut self,
        mut accepts: impl FnMut(&[f64]) -> bool,
        found: &mut [f64],
    ) -> End {
        let n = self.q.len();
        let mut f = vec![0.0; self.bias.len()];
        let (mut left, mut pivots) = (WORK / (n * n).max(1), self.lemke.pivots);
        let (mut m, mut q, mut z) = (Vec::new(), Vec::new(), vec![0.0; n]);
        let mut end = End::Ray;
        for turn in 0..2 * n + n * n {
            let (first, second) = match (turn / 2, turn.checked_sub(2 * n)) {
                (_, Some(pair)) => (pair / n, Some(pair % n).filter(|second| *second > pair / n)),
                (first, None) if turn % 2 == 0 => (first, self.last_met(first)),
                (first, None) => (first, Some(first)),
            };
            let Some(second) = second else { continue };
            left = left.saturating_sub(START);
            if left == 0 || self.lemke.deadline.passed() {
                break;
            }
            m.clone_from(&self.m);
            q.clone_from(&self.q);
            if !principal_pivot(&mut m, &mut q, first, second) {
                continue;
            }
            let column = |i: usize| m[i * n + first];
            let covers = (0..n).all(|i| column(i) > 0.0 || column(i) == 0.0 && q[i] >= 0.0);
            // Of the ways of a game, of which each ends, another is shorter than one that is long.
            let most = if covers { PIVOTS_PER_UNKNOWN * (n + 1) } else { left };
            self.lemke.patience = Some(left.min(most));
            let solved = self.lemke.solve_covered(&m, &q, |i| if covers { column(i) } else { 1.0 }, &mut z);
            left = left.saturating_sub(self.lemke.pivots);
            pivots += self.lemke.pivots;
            if solved != End::Solved {
                continue;
            }
            self.z.copy_from_slice(&z);
            for i in [first, second] {
                let row = &m[i * n..(i + 1) * n];
                self.z[i] = row.iter().zip(&z).fold(q[i], |sum, (m, z)| sum + m * z).max(0.0);
            }
            self.forces_of_unknowns(&mut f);
            if accepts(&f) {
                found.copy_from_slice(&f);
                end = End::Solved;
                break;
            }
        }
        self.lemke.pivots = pivots;
        end
    }

    /// The condition that holds last as an unknown grows, of those it meets.
    fn last_met(&self, unknown: usize) -> Option<usize> {
        let n = self.q.len();
        let when = |i: usize| -self.q[i] / self.m[i * n + unknown];
        let met = (0..n).filter(|&i| i != unknown && self.q[i] < 0.0 && self.m[i * n + unknown] > 0.0);
        met.max_by(|&i, &k| when(i).total_cmp(&when(k)))
    }
}

/// Exchanges two unknowns, or one given twice, of `w = M z + q` with their complements; `false` where they do not determine these.
fn principal_pivot(m: &mut [f64], q: &mut [f64], first: usize, second: usize) -> bool {
    if !pivot(m, q, first, second) {
        return false;
    }
    if first == second {
        return true;
    }
    if !pivot(m, q, second, first) {
        return false;
    }
    let n = q.len();
    // Each of the two stands in the row and the column of the other.
    q.swap(first, second);
    for k in 0..n {
        m.swap(first * n + k, second * n + k);
    }
    for k in 0..n {
        m.swap(k * n + first, k * n + second);
    }
    true
}

/// Exchanges what stands in a row with what stands in a column.
#[inline(never)]
fn pivot(m: &mut [f64], q: &mut [f64], row: usize, column: usize) -> bool {
    let n = q.len();
    let by = m[row * n + column];
    let largest = (0..n).fold(0.0_f64, |most, i| most.max(m[i * n + column].abs()));
    if !(by.abs() > PIVOT * largest) {
        return false;
    }
    let mut pivot_row: Vec<f64> = m[row * n..(row + 1) * n].iter().map(|v| -v / by).collect();
    pivot_row[column] = 1.0 / by;
    let constant = -q[row] / by;
    for (i, target) in m.chunks_exact_mut(n).enumerate().filter(|(i, _)| *i != row) {
        let factor = std::mem::take(&mut target[column]);
        target.iter_mut().zip(&pivot_row).for_each(|(t, p)| *t += factor * p);
        q[i] += factor * constant;
    }
    m[row * n..(row + 1) * n].copy_from_slice(&pivot_row);
    q[row] = constant;
    true
}
