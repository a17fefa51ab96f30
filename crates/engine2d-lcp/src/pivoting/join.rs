//! Several rows into C at once, with one direction for all of them.
//!
//! The direction leads to the minimum of `½ fᵀA f + bᵀf` over the forces of C; a row that reaches its bound on the way leaves,
//! and the direction is worked out anew. So the function decreases as with single drives, and what is promised for those
//! holds. One joined step costs what a drive costs, and often does the work of many.

use super::Pivoting;
use crate::dense::Dense;
use crate::tolerance::ROUNDING;
use crate::{Reason, Run, Set};

impl Pivoting {
    /// Takes the `candidates` that are independent of C and of each other into C and moves to the point where C is at rest.
    /// Returns how many there were.
    pub(super) fn join(&mut self, p: Dense<'_>, run: &mut Run<'_>) -> usize {
        let known = self.clamped.len();
        let candidates = std::mem::take(&mut self.candidates);
        for &i in &candidates {
            if self.sets[i] == Set::Redundant {
                self.redundant -= 1;
                self.sets[i] = Set::Untreated;
            }
            self.append(p, i, Reason::Solved, &mut run.trace);
        }
        self.candidates = candidates;
        let joined = self.clamped.len() - known;
        if joined > 0 {
            self.advance(p, known, run);
        }
        joined
    }

    /// Moves towards the point where C is at rest, releasing rows that reach their bounds on the way, until it is. The first
    /// `known` rows of C are at rest before, the accelerations of the others are current.
    fn advance(&mut self, p: Dense<'_>, mut known: usize, run: &mut Run<'_>) {
        while known < self.clamped.len() {
            let c = self.clamped.len();
            self.direction[..known].fill(0.0);
            for k in known..c {
                self.direction[k] = -self.a[self.clamped[k]];
            }
            self.factor.solve(&mut self.direction[..c]);
            let scaled = |k: usize| self.direction[k] * self.direction[k] * p.diagonal(self.clamped[k]);
            let flat = ROUNDING * ROUNDING * (known..c).fold(0.0_f64, |m, k| m.max(scaled(k)));
            let (step, block) = self.first_block(p, 1.0, flat);
            self.stats.zero_steps += usize::from(step == 0.0);
            for (&i, v) in self.clamped.iter().zip(&self.direction) {
                self.f[i] += step * v;
            }
            for &i in &self.clamped[known..] {
                self.a[i] *= 1.0 - step;
            }
            let Some(k) = block else { break };
            let upper = self.direction[k] > 0.0;
            let i = self.release(k, upper);
            self.report(&mut run.trace, i, Reason::Blocked, step);
            known -= usize::from(k < known);
        }
        for &i in &self.clamped[known..] {
            self.a[i] = 0.0;
        }
    }
}
