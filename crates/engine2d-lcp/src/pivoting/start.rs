//! Where the pivoting starts: bilateral rows at once, or the sets of an earlier answer.

use super::Pivoting;
use crate::dense::Dense;
use crate::tolerance::{CLEAR_PIVOT, CLEAR_RANK, TINY};
use crate::{Error, Reason, Set, Trace};
use engine2d_math::kernel::dot;

impl Pivoting {
    /// Factors the bilateral rows, largest remaining pivot first, leaves out those that are combinations of the
    /// others, and solves for their forces.
    pub(super) fn start_bilateral(
        &mut self,
        p: Dense<'_>,
        trace: &mut Option<&mut dyn Trace>,
    ) -> Result<(), Error> {
        self.permutation.clear();
        for k in 0..p.b.len() {
            let i = self.neighbours.sequence.get(k).copied().unwrap_or(k);
            if self.lo[i] == f64::NEG_INFINITY && self.hi[i] == f64::INFINITY {
                self.permutation.push(i);
            }
        }
        if self.permutation.is_empty() {
            return Ok(());
        }
        self.stats.factorizations += 1;
        if !self.append_in_order(p, trace) {
            self.clamped.clear();
            self.sets.fill(Set::Untreated);
            (self.redundant, self.stats.rejects) = (0, 0);
            self.factor.reset(p.b.len());
            self.append_ranked(p, trace);
        }
        self.take_target(p);
        if self.redundant > 0 && self.reconcile(p) {
            self.take_target(p);
        }
        Ok(())
    }

    /// Gives C the forces that bring it to rest, with all other forces as they are.
    fn take_target(&mut self, p: Dense<'_>) {
        self.target(p);
        for (k, &i) in self.clamped.iter().enumerate() {
            self.f[i] = self.direction[k];
        }
    }

    /// Appends the rows in `permutation` to C as they come, combinations of those before to R; `false` at a pivot that leaves
    /// the rank in question, which plain elimination cannot judge: where rows are left out, all others must be well apart, and it must be the
    /// first attempt.
    fn append_in_order(&mut self, p: Dense<'_>, trace: &mut Option<&mut dyn Trace>) -> bool {
        let mut smallest = f64::INFINITY;
        for k in 0..self.permutation.len() {
            let i = self.permutation[k];
            let row = p.row(i);
            let c = self.clamped.len();
            for (y, &j) in self.forwarded[..c].iter_mut().zip(&self.clamped) {
                *y = row[j];
            }
            self.factor.forward(&mut self.forwarded[..c]);
            let pivot = self.factor.pivot_of(row[i], &self.forwarded[..c]);
            if pivot > CLEAR_RANK * row[i] && pivot > TINY {
                smallest = smallest.min(pivot / row[i]);
                self.factor.push(&self.forwarded[..c], pivot);
                self.clamped.push(i);
                self.sets[i] = Set::Clamped;
                self.report(trace, i, Reason::Start, 0.0);
            } else if pivot.abs() <= self.threshold * row[i].max(TINY) {
                self.sets[i] = Set::Redundant;
                self.redundant += 1;
                self.stats.rejects += 1;
            } else {
                return false;
            }
            if self.redundant > 0 && (self.single || smallest < CLEAR_PIVOT) {
                return false;
            }
        }
        true
    }

    /// Appends the rows in `permutation` to C by diagonal pivoting (rank-revealing Cholesky); what is
    /// dependent goes to R.
    fn append_ranked(&mut self, p: Dense<'_>, trace: &mut Option<&mut dyn Trace>) {
        let mut candidates = std::mem::take(&mut self.permutation);
        let mut remaining = std::mem::take(&mut self.remaining);
        let mut partial = std::mem::take(&mut self.partial);
        let m = candidates.len();
        // `remaining[k]` is the pivot of candidate k against the rows appended so far, `partial` the rows
        // `L⁻¹ A_Ck` as far as they are known.
        remaining.clear();
        remaining.extend(candidates.iter().map(|&i| p.diagonal(i)));
        partial.clear();
        partial.resize(m * m, 0.0);
        for c in 0..m {
            let share = |k: usize| remaining[k] / p.diagonal(candidates[k]).max(TINY);
            let best = (c..m).fold(c, |best, k| if share(k) > share(best) { k } else { best });
            if !(share(best) > self.threshold) {
                break;
            }
            candidates.swap(c, best);
            remaining.swap(c, best);
            for column in 0..c {
                partial.swap(c * m + column, best * m + column);
            }
            let i = candidates[c];
            self.factor.push(&partial[c * m..c * m + c], remaining[c]);
            self.clamped.push(i);
            self.sets[i] = Set::Clamped;
            self.report(trace, i, Reason::Start, 0.0);
            let row = p.row(i);
            for k in c + 1..m {
                let y = row[candidates[k]] - dot(self.factor.lower_row(c), &partial[k * m..k * m + c]);
                partial[k * m + c] = y;
                remaining[k] -= y * y / remaining[c];
            }
        }
        for &i in &candidates[self.clamped.len()..] {
            self.sets[i] = Set::Redundant;
            self.redundant += 1;
            self.stats.rejects += 1;
        }
        self.permutation = candidates;
        self.remaining = remaining;
        self.partial = partial;
    }

    /// Appends row `i` to C if it is independent of it, to R otherwise. Forces do not change.
    pub(super) fn append(
        &mut self,
        p: Dense<'_>,
        i: usize,
        reason: Reason,
        trace: &mut Option<&mut dyn Trace>,
    ) {
        let row = p.row(i);
        let c = self.clamped.len();
        for (y, &j) in self.forwarded[..c].iter_mut().zip(&self.clamped) {
            *y = row[j];
        }
        self.factor.forward(&mut self.forwarded[..c]);
        let pivot = self.factor.pivot_of(row[i], &self.forwarded[..c]);
        if pivot > self.threshold * row[i] && pivot > TINY && !self.doubtful(p, i, pivot) {
            self.factor.push(&self.forwarded[..c], pivot);
            self.clamped.push(i);
            self.sets[i] = Set::Clamped;
            self.report(trace, i, reason, 0.0);
        } else {
            self.sets[i] = Set::Redundant;
            self.redundant += 1;
            self.stats.rejects += 1;
        }
    }

    /// Forces of C that bring its accelerations to zero with all other forces as they are, into `direction`.
    fn target(&mut self, p: Dense<'_>) {
        let c = self.clamped.len();
        for &i in &self.clamped {
            self.f[i] = 0.0;
        }
        for k in 0..c {
            let i = self.clamped[k];
            self.direction[k] = -self.acceleration(p, i);
        }
        self.factor.solve(&mut self.direction[..c]);
    }

    /// Starts from the sets of an earlier answer: one factorization of its C. Rows whose force would leave its
    /// bounds go to them, all at once, until none does: C only shrinks, so this ends.
    pub(super) fn start_from(
        &mut self,
        p: Dense<'_>,
        warm: &[Set],
        trace: &mut Option<&mut dyn Trace>,
    ) -> Result<(), Error> {
        self.start_bilateral(p, trace)?;
        for k in 0..p.b.len() {
            let i = self.neighbours.sequence.get(k).copied().unwrap_or(k);
            let bound = match warm[i] {
                Set::Lower => self.lo[i],
                Set::Upper => self.hi[i],
                Set::Clamped if self.sets[i] == Set::Untreated => {
                    self.append(p, i, Reason::Start, trace);
                    continue;
                }
                _ => continue,
            };
            if bound.is_finite() && self.sets[i] == Set::Untreated {
                self.f[i] = bound;
            }
        }
        self.stats.factorizations += 1;
        loop {
            self.target(p);
            let mut kept = true;
            for k in (0..self.clamped.len()).rev() {
                let (i, f) = (self.clamped[k], self.direction[k]);
                if f < self.lo[i] || f > self.hi[i] {
                    self.release(k, f > self.hi[i]);
                    self.report(trace, i, Reason::Blocked, 0.0);
                    kept = false;
                }
            }
            if kept {
                break;
            }
        }
        for (k, &i) in self.clamped.iter().enumerate() {
            self.f[i] = self.direction[k];
        }
        Ok(())
    }
}
