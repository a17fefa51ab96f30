//! After every row had its turn: accelerations anew, refinement, rows that became unacceptable, the end.

use super::{Driven, Pivoting};
use crate::dense::Dense;
use crate::tolerance::{ALIKE, JOIN_FROM, JOINS, REFINE, TIDY_GROWTH, TIDY_ROW};
use crate::{Error, Run, Set, Status};
use engine2d_math::kernel::dot;
use engine2d_math::order::Order;

impl Pivoting {
    /// `a = A f + b`, row by row.
    pub(super) fn accelerations(&mut self, p: Dense<'_>) {
        for i in 0..self.a.len() {
            self.a[i] = self.acceleration(p, i);
        }
    }

    /// `a_i = Σ_j A_ij f_j + b_i`, over the nonzero entries where they are known.
    #[inline]
    pub(super) fn acceleration(&self, p: Dense<'_>, i: usize) -> f64 {
        if self.neighbours.sequence.is_empty() {
            return dot(p.row(i), &self.f) + self.bias[i];
        }
        self.neighbours.product(i, &self.f) + self.bias[i]
    }

    /// Drives the worst row if one is left; otherwise says how the solve ended.
    pub(super) fn settle(
        &mut self,
        p: Dense<'_>,
        limit: usize,
        run: &mut Run<'_>,
    ) -> Result<Option<Status>, Error> {
        self.accelerations(p);
        self.tidy_up(p);
        let mut worst = self.worst(p);
        if worst.is_none() && self.refine(p) {
            worst = self.worst(p);
        }
        let Some(d) = worst else { return Ok(Some(Status::Solved)) };
        if self.stats.pivots >= limit || self.deadline.passed() {
            return Ok(Some(Status::PivotLimit));
        }
        if !self.single && self.candidates.len() >= JOIN_FROM && self.joins < JOINS {
            self.joins += 1;
            self.order.extend_from_slice(&self.candidates);
            if self.join(p, run) > 0 {
                return Ok(None);
            }
        }
        self.order.push(d);
        if let Driven::Stuck = self.drive(p, d, &mut run.trace)? {
            return Ok(self.stuck(p, d, run));
        }
        // The others that are nearly as bad, before all accelerations are computed anew.
        let candidates = std::mem::take(&mut self.candidates);
        for &i in candidates.iter().filter(|&&i| i != d) {
            if self.sets[i] == Set::Clamped {
                continue;
            }
            let before = self.unwanted(i);
            self.a[i] = self.acceleration(p, i);
            if self.unwanted(i) > ALIKE * before {
                self.order.push(i);
                self.drive(p, i, &mut run.trace)?;
            }
        }
        self.candidates = candidates;
        Ok(None)
    }

    /// Factors C anew in the cheap order if rows that came late, at the end of it, have made the factor much larger.
    fn tidy_up(&mut self, p: Dense<'_>) {
        let (c, profile) = (self.clamped.len(), self.factor.profile());
        if self.neighbours.sequence.is_empty() || profile < TIDY_GROWTH * self.tidy.max(c * TIDY_ROW) {
            return;
        }
        self.tidy = profile; // not again at once if it should fail
        self.permutation.clone_from(&self.clamped);
        self.permutation.order_distinct_by_key(|&i| self.neighbours.places[i]);
        self.spare.reset(p.b.len());
        self.rank.clear();
        self.rank.resize(p.b.len(), usize::MAX);
        for (k, &i) in self.permutation.iter().enumerate() {
            self.rank[i] = k;
            let forwarded = &mut self.forwarded[..k];
            forwarded.fill(0.0);
            let (links, values) = self.neighbours.row(i);
            for (&j, a) in links.iter().zip(values) {
                let rank = self.rank[j as usize];
                if rank < k {
                    forwarded[rank] = *a;
                }
            }
            self.spare.forward(forwarded);
            let diagonal = p.diagonal(i);
            let pivot = self.spare.pivot_of(diagonal, forwarded);
            if !(pivot > self.threshold * diagonal) {
                return;
            }
            self.spare.push(forwarded, pivot);
        }
        self.stats.factorizations += 1;
        std::mem::swap(&mut self.factor, &mut self.spare);
        std::mem::swap(&mut self.clamped, &mut self.permutation);
        self.tidy = self.factor.profile();
    }

    /// A step of iterative refinement on `A_CC f_C = −b_C − A_CN f_N` where rounding left more than its share; whether
    /// it did. A force that this takes past its bound by more than rounding is at its bound, and its row not in C.
    pub(super) fn refine(&mut self, p: Dense<'_>) -> bool {
        let largest = self.clamped.iter().fold(0.0_f64, |m, &i| m.max(self.a[i].abs()));
        if largest <= REFINE * self.bias_scale {
            return false;
        }
        loop {
            self.stats.refinements += 1;
            let c = self.clamped.len();
            for k in 0..c {
                self.direction[k] = -self.a[self.clamped[k]];
            }
            self.factor.solve(&mut self.direction[..c]);
            let mut released = false;
            for k in (0..c).rev() {
                let i = self.clamped[k];
                let f = self.f[i] + self.direction[k];
                self.f[i] = f.clamp(self.lo[i], self.hi[i]);
                if (f - self.f[i]).abs() * p.diagonal(i) > self.acceptable(i) {
                    self.release(k, f > self.hi[i]);
                    released = true;
                }
            }
            self.accelerations(p);
            if !released {
                return true;
            }
        }
    }
}
