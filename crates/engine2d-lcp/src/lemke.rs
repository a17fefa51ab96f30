//! Lemke's complementary pivoting with a lexicographic ratio test, for problems without symmetry.
//!
//! **Problem.** `w = M z + q`, `w ≥ 0`, `z ≥ 0`, `wᵀz = 0`, any square `M`. **Promise.** The lexicographic rule lets
//! no basis come back, so in exact arithmetic the method ends: in a solution or on a ray. For copositive `M` with
//! `zᵀq ≥ 0` on its kernel cone (friction problems with `b` in the range of the Jacobian) it ends in a solution
//! [Cottle, Pang, Stone, §4.4]. **Failure.** In floating point the tableau loses accuracy with each pivot: now and then it is
//! worked out anew from its basis, the final basis is solved anew, and the caller checks the certificate. Up to a few hundred
//! unknowns.

pub(crate) mod expand;

use crate::deadline::Deadline;
use engine2d_math::lu::Lu;

/// How Lemke's method ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A complementary basis was found.
    Solved,
    /// A secondary ray: the method cannot say more.
    Ray,
    /// The limit on pivots was reached.
    PivotLimit,
}

/// Entries of the tableau below this share of the largest of their column do not pivot.
const PIVOT: f64 = 1e-11;
/// Ratios within this share of each other count as ties, decided by the later columns.
const TIE: f64 = 1e-12;
/// Entry of the right-hand side or of a column of `B⁻¹`, relative to the largest of it, that is rounding of zero: as such it may
/// not decide a tie.
const ZERO: f64 = 1e-13;
/// Pivots allowed for each unknown: ways that end take one or two with a symmetric matrix.
const PIVOTS_PER_UNKNOWN: usize = 4;
/// The same where it is not symmetric.
pub(crate) const PIVOTS_UNSYMMETRIC: usize = 25;
/// Pivots after which the tableau is worked out anew: with a hundred, one in a thousand of the ways through nearly redundant
/// contacts ends in a basis that is none.
const REFRESH: usize = 30;

/// The tableau; reuse it to save allocations.
#[derive(Clone, Debug, Default)]
pub struct Lemke {
    table: Vec<f64>,
    basis: Vec<usize>,
    column: Vec<f64>,
    cover: Vec<f64>,
    /// The largest entry of each column that decides ties.
    largest: Vec<f64>,
    lu: Lu,
    active: Vec<usize>,
    rhs: Vec<f64>,
    /// When to give up.
    pub(crate) deadline: Deadline,
    /// Pivots allowed, if not as many as usual.
    pub(crate) patience: Option<usize>,
    /// Pivots of the last solve.
    pub pivots: usize,
}

impl Lemke {
    /// An empty tableau.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves `w = M z + q` for row-major `m`; `z` is overwritten, also on failure.
    ///
    /// ```
    /// use engine2d_lcp::lemke::{End, Lemke};
    ///
    /// let mut z = [0.0; 2];
    /// let end = Lemke::new().solve(&[2.0, 1.0, -1.0, 2.0], &[-5.0, -1.0], &mut z);
    /// assert_eq!(end, End::Solved);
    /// assert!((z[0] - 1.8).abs() < 1e-15 && (z[1] - 1.4).abs() < 1e-15);
    /// ```
    ///
    /// # Panics
    /// If the lengths do not match.
    pub fn solve(&mut self, m: &[f64], q: &[f64], z: &mut [f64]) -> End {
        self.solve_covered(m, q, |_| 1.0, z)
    }

    /// As [`Lemke::solve`] along another way: `cover` gives the share of each row in the artificial variable, which is positive where `q`
    /// is negative, and nowhere negative.
    pub(crate) fn solve_covered(
        &mut self,
        m: &[f64],
        q: &[f64],
        cover: impl FnMut(usize) -> f64,
        z: &mut [f64],
    ) -> End {
        self.cover.clear();
        self.cover.extend((0..q.len()).map(cover));
        self.follow(m, q, z)
    }

    /// Follows the way that is covered.
    fn follow(&mut self, m: &[f64], q: &[f64], z: &mut [f64]) -> End {
        let n = q.len();
        assert!(m.len() == n * n && z.len() == n, "M is n × n, z has n entries");
        z.fill(0.0);
        self.pivots = 0;
        if q.iter().all(|q| *q >= 0.0) {
            return End::Solved;
        }
        self.load(m, q);
        let width = 2 * n + 2;
        let artificial = 2 * n;
        // The artificial variable enters where q over its cover is lexicographically least: the last such row.
        let mut covered = (0..n).filter(|&i| self.cover[i] > 0.0);
        let Some(mut leave) = covered.next() else { return End::Ray };
        for i in covered {
            if q[i] * self.cover[leave] <= q[leave] * self.cover[i] {
                leave = i;
            }
        }
        let mut enter = artificial;
        let mut end = End::PivotLimit;
        for _ in 0..self.patience.unwrap_or(PIVOTS_PER_UNKNOWN * (n + 1)) {
            if self.deadline.passed() {
                break;
            }
            self.pivot(leave, enter, width);
            let left = std::mem::replace(&mut self.basis[leave], enter);
            if left == artificial {
                end = End::Solved;
                break;
            }
            enter = if left < n { left + n } else { left - n };
            if self.pivots.is_multiple_of(REFRESH) {
                self.refresh(m, q);
            }
            match self.ratio_test(enter, width, artificial) {
                Some(row) => leave = row,
                None => {
                    end = End::Ray;
                    break;
                }
            }
        }
        for (i, &variable) in self.basis.iter().enumerate() {
            if (n..artificial).contains(&variable) {
                z[variable - n] = self.table[i * width + width - 1].max(0.0);
            }
        }
        if end == End::Solved {
            self.polish(m, q, z);
        }
        end
    }

    /// The tableau of the basis of slacks.
    fn load(&mut self, m: &[f64], q: &[f64]) {
        self.load_table(m, q);
        self.basis.clear();
        self.basis.extend(0..q.len());
    }

    /// `[I, −M, −cover, q]`.
    fn load_table(&mut self, m: &[f64], q: &[f64]) {
        let n = q.len();
        let width = 2 * n + 2;
        self.table.clear();
        self.table.resize(n * width, 0.0);
        for i in 0..n {
            let row = &mut self.table[i * width..(i + 1) * width];
            row[i] = 1.0;
            for (t, m) in row[n..2 * n].iter_mut().zip(&m[i * n..(i + 1) * n]) {
                *t = -m;
            }
            row[2 * n] = -self.cover[i];
            row[2 * n + 1] = q[i];
        }
    }

    fn pivot(&mut self, row: usize, column: usize, width: usize) {
        self.pivots += 1;
        let n = self.basis.len();
        let inverse = 1.0 / self.table[row * width + column];
        self.table[row * width..(row + 1) * width].iter_mut().for_each(|t| *t *= inverse);
        self.column.clear();
        self.column.extend_from_slice(&self.table[row * width..(row + 1) * width]);
        for i in (0..n).filter(|&i| i != row) {
            let target = &mut self.table[i * width..(i + 1) * width];
            let factor = target[column];
            if factor != 0.0 {
                for (t, s) in target.iter_mut().zip(&self.column) {
                    *t -= factor * s;
                }
                target[column] = 0.0;
            }
        }
    }

    /// Works the tableau out anew, `B⁻¹ [I, −M, −cover, q]`; leaves it as it is where the basis is singular to rounding.
    fn refresh(&mut self, m: &[f64], q: &[f64]) {
        let n = q.len();
        let matrix = self.lu.load(n);
        for (k, &variable) in self.basis.iter().enumerate() {
            for i in 0..n {
                matrix[i * n + k] = match variable {
                    unit if unit < n => f64::from(u8::from(unit == i)),
                    unknown if unknown < 2 * n => -m[i * n + unknown - n],
                    _ => -self.cover[i],
                };
            }
        }
        if self.lu.factor().is_none() {
            return;
        }
        self.load_table(m, q);
        let width = 2 * n + 2;
        for column in 0..width {
            self.column.clear();
            self.column.extend((0..n).map(|i| self.table[i * width + column]));
            self.lu.solve(&mut self.column);
            for (i, x) in self.column.iter().enumerate() {
                self.table[i * width + column] = *x;
            }
        }
        for (k, &variable) in self.basis.iter().enumerate() {
            for i in 0..n {
                self.table[i * width + variable] = f64::from(u8::from(i == k));
            }
        }
    }

    /// The row that leaves: least right-hand side over pivot, ties by the columns of `B⁻¹` in turn.
    fn ratio_test(&mut self, enter: usize, width: usize, artificial: usize) -> Option<usize> {
        let Self { table, basis, largest, .. } = self;
        let n = basis.len();
        largest.clear();
        largest.resize(n + 1, 0.0);
        for row in table.chunks_exact(width) {
            let deciding = row[..n].iter().chain(&row[width - 1..]);
            largest.iter_mut().zip(deciding).for_each(|(most, t)| *most = most.max(t.abs()));
        }
        let entry = |i: usize| table[i * width + enter];
        let steepest = (0..n).fold(0.0_f64, |m, i| m.max(entry(i)));
        let usable = |i: &usize| entry(*i) > PIVOT * steepest && entry(*i) > 0.0;
        // The columns in turn; of the rest of a ratio what rounding explains is left out.
        let ratio = |i: usize, k: usize| {
            let t = table[i * width + if k == n { width - 1 } else { k }];
            if t.abs() <= ZERO * largest[k] { 0.0 } else { t / entry(i) }
        };
        let mut best: Option<usize> = None;
        for i in (0..n).filter(usable) {
            let Some(b) = best else {
                best = Some(i);
                continue;
            };
            for k in std::iter::once(n).chain(0..n) {
                let (r, s) = (ratio(i, k), ratio(b, k));
                let tie = TIE * (r.abs() + s.abs());
                if (r - s).abs() > tie {
                    if r < s {
                        best = Some(i);
                    }
                    break;
                }
                // The artificial variable leaves whenever it may: that is the solution.
                if k == n && basis[i] == artificial {
                    best = Some(i);
                    break;
                }
                if k == n && basis[b] == artificial {
                    break;
                }
            }
        }
        best
    }

    /// Whether an unknown of the last solve is in its basis.
    pub(crate) fn is_basic(&self, unknown: usize) -> bool {
        self.basis.contains(&(self.basis.len() + unknown))
    }

    /// Solves the final basis anew from the inputs, if that keeps it nonnegative.
    fn polish(&mut self, m: &[f64], q: &[f64], z: &mut [f64]) {
        let n = q.len();
        self.active.clear();
        self.active.extend(self.basis.iter().filter(|v| (n..2 * n).contains(v)).map(|v| v - n));
        let k = self.active.len();
        let matrix = self.lu.load(k);
        for (r, &i) in self.active.iter().enumerate() {
            for (c, &j) in self.active.iter().enumerate() {
                matrix[r * k + c] = m[i * n + j];
            }
        }
        if self.lu.factor().is_none() {
            return;
        }
        self.rhs.clear();
        self.rhs.extend(self.active.iter().map(|&i| -q[i]));
        self.lu.solve(&mut self.rhs);
        let largest = z.iter().fold(1.0_f64, |m, z| m.max(*z));
        let close = |(&i, x): (&usize, &f64)| (x - z[i]).abs() <= 1e-6 * largest && *x >= -1e-9 * largest;
        if self.active.iter().zip(&self.rhs).all(close) {
            for (&i, x) in self.active.iter().zip(&self.rhs) {
                z[i] = x.max(0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycling_example_ends() {
        // Degenerate: several zero entries in q tie at once.
        let m = [1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0];
        let mut z = [0.0; 3];
        assert_eq!(Lemke::new().solve(&m, &[-1.0, -1.0, -1.0], &mut z), End::Solved);
        for i in 0..3 {
            let w: f64 = (0..3).map(|j| m[i * 3 + j] * z[j]).sum::<f64>() - 1.0;
            assert!(w >= -1e-14 && (w * z[i]).abs() < 1e-14);
        }
    }

    #[test]
    fn a_problem_without_solution_ends_on_a_ray() {
        let mut z = [0.0];
        assert_eq!(Lemke::new().solve(&[0.0], &[-1.0], &mut z), End::Ray);
    }
}
