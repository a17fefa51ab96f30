//! The lean path for few rows: guess which rows carry force, eliminate, look, exchange what is wrong.
//!
//! Below two dozen rows the general method spends its time on bookkeeping. Here one elimination of the guessed rows,
//! written so that its inner loop has no sums to wait for, gives their forces; rows whose force pulls leave, rows that
//! would approach join, all at once [Júdice, Pires 1994], a few times. No theorem promises that this ends, and none is
//! needed: at any doubt (a pivot that is neither clear nor zero, a negative one, rows that keep changing, rounding that
//! shows) nothing is answered and the general method starts afresh. What is answered carries the same certificate, four
//! digits below the tolerance.

use crate::exchange::Outcome;
use crate::pivoting::Dense;
use crate::tolerance::{ACCEPTABLE, CLEAR_RANK, SMALL_PATIENCE, SMALL_ZERO};
use crate::{Row, Set, Solution, Stats};
use engine2d_math::kernel::dot;

/// Rows up to which the lean path is tried.
pub(crate) const ROWS: usize = 24;
/// Room for a row of the elimination and its right-hand side.
const STRIDE: usize = ROWS + 2;

/// Scratch of the lean path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Small {
    /// The upper triangle of the eliminated rows, each followed by its right-hand side.
    upper: Vec<[f64; STRIDE]>,
}

/// The rows with a force, bilateral ones first.
struct Active {
    rows: [usize; ROWS],
    len: usize,
}

impl Active {
    fn push(&mut self, row: usize) {
        self.rows[self.len] = row;
        self.len += 1;
    }

    fn rows(&self) -> &[usize] {
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
        if self.upper.is_empty() {
            self.upper.resize(ROWS, [0.0; STRIDE]);
        }
        let Some((mut active, bilateral)) = guess(p, kinds, warm) else { return Outcome::Nothing };
        let scale = p.b.iter().fold(1.0_f64, |m, b| if b.abs() > m { b.abs() } else { m });
        let acceptable = ACCEPTABLE * scale;
        solution.clear(n);
        solution.stats = Stats { pivots: active.len, ..Stats::default() };
        let mut x = [0.0; STRIDE];
        let (mut fewest, mut patience) = (ROWS + 1, SMALL_PATIENCE);
        while patience > 0 {
            solution.stats.factorizations += 1;
            if !self.eliminate(p, &active, &mut x) {
                return Outcome::Nothing;
            }
            solution.f.fill(0.0);
            solution.sets.fill(Set::Lower);
            let (mut kept, mut changes) = (Active { rows: active.rows, len: bilateral }, 0);
            for (k, &i) in active.rows().iter().enumerate() {
                solution.f[i] = x[k];
                solution.sets[i] = if x[k] == 0.0 { Set::Redundant } else { Set::Clamped };
                if k >= bilateral {
                    if x[k] < 0.0 {
                        changes += 1;
                    } else {
                        kept.push(i);
                    }
                }
            }
            for i in 0..n {
                solution.a[i] = dot(p.row(i), &solution.f) + p.b[i];
                if solution.sets[i] != Set::Clamped && solution.a[i] < -acceptable && kept.len < ROWS {
                    kept.push(i);
                    changes += 1;
                }
            }
            if changes == 0 {
                solution.order.extend_from_slice(active.rows());
                let still = |(i, a): (usize, &f64)| a.abs() <= acceptable || solution.sets[i] == Set::Lower;
                let all = solution.a.iter().enumerate().all(still);
                return if all { Outcome::Solved } else { Outcome::Nothing };
            }
            if changes < fewest {
                (fewest, patience) = (changes, SMALL_PATIENCE);
            } else {
                patience -= 1;
            }
            solution.stats.pivots += changes;
            active = kept;
        }
        Outcome::Nothing
    }

    /// Solves `A_CC x = −b_C` by symmetric elimination; rows that are combinations of those before get no force. `false` if
    /// a pivot leaves doubt.
    fn eliminate(&mut self, p: Dense<'_>, active: &Active, x: &mut [f64; STRIDE]) -> bool {
        let rows = active.rows();
        let c = rows.len();
        let upper = &mut self.upper[..c];
        for (k, (target, &i)) in upper.iter_mut().zip(rows).enumerate() {
            let row = p.row(i);
            for (u, &j) in target[k..c].iter_mut().zip(&rows[k..]) {
                *u = row[j];
            }
            target[c] = -p.b[i];
        }
        let mut inverse = [0.0; ROWS];
        for k in 0..c {
            let (pivot, diagonal) = (upper[k][k], p.diagonal(rows[k]));
            if !(pivot > CLEAR_RANK * diagonal) {
                if pivot.abs() > SMALL_ZERO * diagonal {
                    return false;
                }
                continue; // a combination of the rows before
            }
            inverse[k] = 1.0 / pivot;
            let (done, rest) = upper.split_at_mut(k + 1);
            let source = &done[k];
            for (i, target) in (k + 1..c).zip(rest) {
                if source[i] != 0.0 {
                    let factor = source[i] * inverse[k];
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
}

/// The rows that probably carry force, bilateral ones first, and how many those are; `None` for other kinds of rows.
fn guess(p: Dense<'_>, kinds: &[Row], warm: Option<&[Set]>) -> Option<(Active, usize)> {
    let mut active = Active { rows: [0; ROWS], len: 0 };
    for (i, kind) in kinds.iter().enumerate() {
        match kind {
            Row::Bilateral => active.push(i),
            Row::Unilateral => {}
            _ => return None,
        }
    }
    let bilateral = active.len;
    for (i, kind) in kinds.iter().enumerate() {
        // What rests without force is mostly pressed by what lies on it.
        let carries = warm.map_or(p.b[i] <= 0.0, |sets| sets[i] == Set::Clamped);
        if carries && *kind == Row::Unilateral {
            active.push(i);
        }
    }
    Some((active, bilateral))
}

#[cfg(test)]
mod tests;
