//! The lean path for few rows: guess which rows carry force, eliminate, look, exchange what is wrong.
//!
//! Below two dozen rows the general method spends its time on bookkeeping. Here one elimination of the guessed rows,
//! written so that its inner loop has no sums to wait for, gives their forces; rows whose force pulls leave, rows that
//! would approach join, all at once [Júdice, Pires 1994], a few times. No theorem promises that this ends, and none is
//! needed: at any doubt (a pivot that is neither clear nor zero, a negative one, rows that keep changing, rounding that
//! shows) nothing is answered and the general method starts afresh. What is answered carries the same certificate, four
//! digits below the tolerance.

use crate::dense::Dense;
use crate::exchange::{Outcome, Progress};
use crate::tolerance::{ACCEPTABLE, CLEAR_RANK, TINY};
use crate::{Row, Set, Solution};
use engine2d_math::kernel::dot;

/// Rows up to which the lean path is tried.
pub(crate) const ROWS: usize = 24;
/// Room for a row of the elimination and its right-hand side.
type Long = [f64; ROWS + 2];

/// Scratch of the lean path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Small {
    /// The upper triangle of the eliminated rows, each followed by its right-hand side.
    upper: Vec<Long>,
    inverse: [f64; ROWS],
    x: [f64; ROWS],
}

/// The rows with a force, bilateral ones first.
#[derive(Clone, Copy)]
struct Active {
    rows: [u8; ROWS],
    len: usize,
}

impl Active {
    #[inline]
    fn push(&mut self, row: usize) {
        self.rows[self.len] = row as u8;
        self.len += 1;
    }

    #[inline]
    fn rows(&self) -> &[u8] {
        &self.rows[..self.len]
    }
}

impl Small {
    /// Forces, accelerations and sets of a problem of bilateral and unilateral rows, from the sets of an earlier answer if
    /// given; there are at most [`ROWS`].
    pub(crate) fn solve(
        &mut self,
        p: Dense<'_>,
        kinds: &[Row],
        warm: Option<&[Set]>,
        solution: &mut Solution,
    ) -> Outcome {
        let n = p.b.len();
        let Some((mut active, bilateral)) = guess(p, kinds, warm) else { return Outcome::Nothing };
        let scale = p.b.iter().fold(1.0_f64, |m, b| if b.abs() > m { b.abs() } else { m });
        let acceptable = ACCEPTABLE * scale;
        solution.prepare(n);
        solution.stats.pivots = active.len;
        let mut progress = Progress::new(n);
        loop {
            solution.stats.factorizations += 1;
            let clear = match active.len {
                0..=2 => self.eliminate_few::<2>(p, &active),
                3..=4 => self.eliminate_few::<4>(p, &active),
                _ => self.eliminate(p, &active),
            };
            if !clear {
                return Outcome::Nothing;
            }
            solution.f.fill(0.0);
            solution.sets.fill(Set::Lower);
            let mut changes = 0;
            for (k, (&i, &x)) in active.rows().iter().zip(&self.x).enumerate() {
                let i = usize::from(i);
                solution.f[i] = x;
                solution.sets[i] = if x == 0.0 { Set::Redundant } else { Set::Clamped };
                changes += usize::from(x < 0.0 && k >= bilateral);
            }
            for i in 0..n {
                let a = dot(p.row(i), &solution.f) + p.b[i];
                solution.a[i] = a;
                changes += usize::from(a < -acceptable && solution.sets[i] != Set::Clamped);
            }
            if changes == 0 {
                solution.order.extend(active.rows().iter().map(|&i| usize::from(i)));
                let still = |(a, set): (&f64, &Set)| a.abs() <= acceptable || *set == Set::Lower;
                let all = solution.a.iter().zip(&solution.sets).all(still);
                return if all { Outcome::Solved } else { Outcome::Nothing };
            }
            let Some(single) = progress.goes_on(changes) else { return Outcome::Nothing };
            solution.stats.pivots += changes;
            active = exchange(&active, bilateral, acceptable, single, solution);
        }
    }

    /// Solves `A_CC x = −b_C` by symmetric elimination; rows that are combinations of those before get no force. `false` if
    /// a pivot leaves doubt.
    fn eliminate(&mut self, p: Dense<'_>, active: &Active) -> bool {
        let rows = active.rows();
        let c = rows.len();
        if self.upper.is_empty() {
            self.upper.resize(ROWS, [0.0; ROWS + 2]);
        }
        let Self { upper, inverse, x } = self;
        let upper = &mut upper[..c];
        for (k, (target, &i)) in upper.iter_mut().zip(rows).enumerate() {
            let row = p.row(usize::from(i));
            for (u, &j) in target[k..c].iter_mut().zip(&rows[k..]) {
                *u = row[usize::from(j)];
            }
            target[c] = -p.b[usize::from(i)];
        }
        for k in 0..c {
            let (done, rest) = upper.split_at_mut(k + 1);
            let source = &done[k];
            let Some(reciprocal) = reciprocal(source[k], p.diagonal(usize::from(rows[k]))) else {
                return false;
            };
            inverse[k] = reciprocal;
            if reciprocal == 0.0 {
                continue;
            }
            for (i, target) in (k + 1..c).zip(rest) {
                if source[i] != 0.0 {
                    let factor = source[i] * reciprocal;
                    for (t, s) in target[i..=c].iter_mut().zip(&source[i..=c]) {
                        *t -= factor * s;
                    }
                }
            }
        }
        for (x, row) in x.iter_mut().zip(upper.iter()) {
            *x = row[c];
        }
        for k in (0..c).rev() {
            let value = x[k] * inverse[k];
            x[k] = value;
            if value != 0.0 {
                for (x, row) in x[..k].iter_mut().zip(upper.iter()) {
                    *x -= row[k] * value;
                }
            }
        }
        true
    }

    /// As [`Small::eliminate`] with at most `N` rows, filled up with rows of the identity, so that every loop has a known
    /// length.
    fn eliminate_few<const N: usize>(&mut self, p: Dense<'_>, active: &Active) -> bool {
        let c = active.len.min(N);
        let rows = &active.rows[..c];
        let mut upper: [[f64; N]; N] =
            std::array::from_fn(|k| std::array::from_fn(|j| f64::from(u8::from(j == k))));
        let (mut inverse, mut right) = ([0.0; N], [0.0; N]);
        for k in 0..c {
            let i = usize::from(rows[k]);
            let row = p.row(i);
            for j in k..c {
                upper[k][j] = row[usize::from(rows[j])];
            }
            right[k] = -p.b[i];
        }
        let diagonal: [f64; N] = std::array::from_fn(|k| upper[k][k]);
        for k in 0..N {
            let source = upper[k];
            let Some(reciprocal) = reciprocal(source[k], diagonal[k]) else { return false };
            inverse[k] = reciprocal;
            for i in k + 1..N {
                let factor = source[i] * reciprocal;
                for j in 0..N {
                    upper[i][j] -= factor * source[j];
                }
                right[i] -= factor * right[k];
            }
        }
        for k in (0..N).rev() {
            right[k] *= inverse[k];
            for i in 0..k {
                right[i] -= upper[i][k] * right[k];
            }
        }
        self.x[..N].copy_from_slice(&right);
        true
    }
}

/// The reciprocal of a clear pivot, 0 for that of a combination of the rows before; `None` in doubt.
#[inline]
fn reciprocal(pivot: f64, diagonal: f64) -> Option<f64> {
    if pivot > CLEAR_RANK * diagonal && pivot > TINY {
        Some(1.0 / pivot)
    } else {
        (pivot.abs() <= ACCEPTABLE * diagonal.max(TINY)).then_some(0.0)
    }
}

/// C without what pulls and with what would approach: all of it, or the last such row only.
fn exchange(active: &Active, bilateral: usize, acceptable: f64, single: bool, solution: &Solution) -> Active {
    let leaves = |i: u8| solution.f[usize::from(i)] < 0.0;
    let joins = |i: usize| solution.a[i] < -acceptable && solution.sets[i] == Set::Lower;
    let one = if single {
        let last = (0..solution.a.len()).rev().find(|&i| joins(i));
        last.or_else(|| {
            active.rows()[bilateral..].iter().rev().copied().find(|&i| leaves(i)).map(usize::from)
        })
    } else {
        None
    };
    let mut kept = Active { rows: active.rows, len: bilateral };
    for &i in &active.rows()[bilateral..] {
        if !leaves(i) || one.is_some_and(|one| one != usize::from(i)) {
            kept.push(usize::from(i));
        }
    }
    for i in 0..solution.a.len() {
        if joins(i) && one.is_none_or(|one| one == i) {
            kept.push(i);
        }
    }
    kept
}

/// The rows that probably carry force, bilateral ones first, and how many those are; `None` for other kinds of rows.
fn guess(p: Dense<'_>, kinds: &[Row], warm: Option<&[Set]>) -> Option<(Active, usize)> {
    let mut active = Active { rows: [0; ROWS], len: 0 };
    let mut others = active;
    for (i, kind) in kinds.iter().enumerate() {
        match kind {
            Row::Bilateral => active.push(i),
            // What rests without force is mostly pressed by what lies on it.
            Row::Unilateral => {
                if warm.map_or(p.b[i] <= 0.0, |sets| sets[i] == Set::Clamped) {
                    others.push(i);
                }
            }
            _ => return None,
        }
    }
    let bilateral = active.len;
    for &i in others.rows() {
        active.push(usize::from(i));
    }
    Some((active, bilateral))
}

#[cfg(test)]
mod tests;
