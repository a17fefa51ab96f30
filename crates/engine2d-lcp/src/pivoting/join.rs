//! Several rows into C at once: one step for all of them, and rows that it drives out of their bounds leave together.
//!
//! Nothing is proved about such a step (the objective may grow), so the number of them is limited; the point it ends in is
//! as good a start for single drives as any: forces within bounds, C at rest.

use super::{Dense, Pivoting};
use crate::tolerance::FLAT;
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
            let row = p.row(i);
            let c = self.clamped.len();
            for (y, &j) in self.forwarded[..c].iter_mut().zip(&self.clamped) {
                *y = row[j];
            }
            self.factor.forward(&mut self.forwarded[..c]);
            let pivot = self.factor.pivot_of(row[i], &self.forwarded[..c]);
            if pivot > self.threshold * row[i] {
                self.factor.push(&self.forwarded[..c], pivot);
                self.clamped.push(i);
                self.sets[i] = Set::Clamped;
                self.report(&mut run.trace, i, Reason::Solved, 0.0);
            } else {
                self.redundant += 1;
                self.sets[i] = Set::Redundant;
            }
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
            let flat = FLAT * FLAT * (known..c).fold(0.0_f64, |m, k| m.max(scaled(k)));
            let (mut step, mut block, mut slope) = (1.0, None, 0.0);
            for (k, (&i, &v)) in self.clamped.iter().zip(&self.direction).enumerate() {
                let room = if v < 0.0 { self.f[i] - self.lo[i] } else { self.hi[i] - self.f[i] };
                let size = v.abs();
                if room <= step * size && room < f64::INFINITY && size * size * p.diagonal(i) > flat {
                    let length = room.max(0.0) / size;
                    if length < step || length == step && size > slope {
                        (step, block, slope) = (length, Some(k), size);
                    }
                }
            }
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
