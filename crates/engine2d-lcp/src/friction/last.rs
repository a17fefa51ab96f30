//! What is left of few rows when nothing converges: Lemke's method, whose ways end, then Newton for the last digits.
//!
//! Its argument needs exact arithmetic; so it is given the proximal problem near the best point, which is regular, from point to
//! point. The artificial variable may cover the rows in any proportion, and each makes a way of its own.

use super::start::Goal;
use super::{Friction, accelerations};
use crate::lemke::expand::Expanded;
use crate::tolerance::{LAST_PROXIMAL, LEMKE_ROUNDS, LEMKE_WAYS, NEWTON_STEPS, PROXIMAL};
use crate::{Lcp, Row, Stats};
use engine2d_math::random::Lcg32;

impl Friction {
    /// Goes one way after the other until one ends in a solution; keeps the best point.
    pub(super) fn pivot_to_the_end(
        &mut self,
        problem: &Lcp<'_>,
        goal: Goal,
        best: &mut f64,
        stats: &mut Stats,
    ) {
        let mut rng = Lcg32::new(1);
        // What slides may have no solution at all.
        let slides = problem.kinds().iter().any(|kind| matches!(kind, Row::Sliding { .. }));
        for way in 0..if slides { LAST_PROXIMAL.len() } else { LEMKE_WAYS } {
            if *best <= goal.aim || self.deadline.passed() {
                break;
            }
            self.f.copy_from_slice(&self.best);
            let proximal = LAST_PROXIMAL[way % LAST_PROXIMAL.len()];
            self.shift(proximal);
            for _ in 0..LEMKE_ROUNDS {
                stats.iterations += 1;
                for i in 0..problem.len() {
                    self.bias[i] = problem.bias()[i] - proximal * self.diagonal[i] * self.f[i];
                }
                let mut expanded = Expanded::new(problem.kinds(), &self.shifted, &self.bias);
                let cover = |_| if way < LAST_PROXIMAL.len() { 1.0 } else { 0.5 + rng.next_unit() };
                expanded.forces(cover, &mut self.trial);
                stats.pivots += expanded.pivots();
                expanded.sets(&mut self.sets);
                if !self.trial.iter().all(|f| f.is_finite()) {
                    break;
                }
                self.f.copy_from_slice(&self.trial);
                accelerations(&self.rows, problem.bias(), &self.trial, &mut self.a);
                let reached = self.measure(problem, goal);
                self.keep(reached, best);
                if !(*best <= goal.aim) {
                    self.proximal = proximal;
                    let polished = self.newton(problem, &[], goal, NEWTON_STEPS, stats);
                    self.keep(polished, best);
                }
                self.proximal = PROXIMAL;
                if *best <= goal.aim {
                    break;
                }
            }
            if way >= LEMKE_WAYS / 2 {
                self.sharpen(problem, goal, best, stats);
            }
        }
        self.shift(PROXIMAL);
    }

    /// Puts `A + proximal diag A` where the matrix of the proximal problems is.
    fn shift(&mut self, proximal: f64) {
        let n = self.diagonal.len();
        for (i, d) in self.diagonal.iter().enumerate() {
            self.shifted[i * n + i] = (1.0 + proximal) * d;
        }
    }
}
