//! From the forces at hand to an answer in small steps: problems tied to the forces before, with ever weaker ties.
//!
//! **Problem.** `a + ε D (f − c)` in place of `a`, with `D = diag(A)` and the forces `c` before as centre. With large `ε` it is regular, its
//! answer is near `c`, and near on the way (see [`super::homotopy`]); each answer is the centre of the next problem, with a smaller `ε` (the proximal
//! point method [Rockafellar 1976] with decreasing parameters). What presses stiffly is settled by the first ones; forces that
//! nearly no motion tells apart are touched by the last ones only, which then have little to change. With the ties the systems are
//! regular and the way is short, and an event on it costs a fifth of a step of Newton, which may turn in circles. **Promise.** None: a way may be too long; then a problem half as far is tried.

use super::Friction;
use super::start::Goal;
use crate::tolerance::{
    DIGITS_PAY, FIRST_TIES, FREE_STEPS, LAST_TIES, NEARLY_FREE, PATH_EVENTS, PATH_ROWS, REFINEMENTS,
    TIED_NEWTON, TIES, TIES_FALL,
};
use crate::{Lcp, Stats};

impl Friction {
    /// Follows the problems from the forces `f` to the tolerance, and as long as Newton does it to the aim; keeps the best point.
    pub(super) fn loosen_ties(&mut self, problem: &Lcp<'_>, goal: Goal, best: &mut f64, stats: &mut Stats) {
        self.path.centre.clone_from(&self.f);
        let (mut ties, mut last, mut failures) = (FIRST_TIES, 1.0_f64, 0);
        let (most, most_lost) = TIES;
        for _ in 0..most {
            // Ways are followed to an answer, not to better its digits.
            let lost = !(*best <= goal.tolerance);
            let events = (lost && problem.len() <= PATH_ROWS).then_some(PATH_EVENTS);
            if self.deadline.passed() {
                return;
            }
            if !self.solve_tied(problem, ties, events, stats) {
                if !lost {
                    return;
                }
                failures += 1;
                if failures > most_lost {
                    return;
                }
                ties = (ties * last).sqrt();
                continue;
            }
            self.bodies.accelerations(&self.trial, problem.bias(), &mut self.a);
            let reached = self.measure(problem, goal);
            self.keep(reached, best);
            self.path.centre.copy_from_slice(&self.trial);
            if !(*best <= goal.aim) && ties <= NEARLY_FREE {
                self.update_sets(problem);
                let before = *best;
                let reached = self.newton_by_bodies(problem, goal, FREE_STEPS, stats);
                self.keep(reached, best);
                if !lost && *best > DIGITS_PAY * before {
                    return;
                }
            }
            if *best <= goal.aim {
                return;
            }
            last = ties;
            ties = (ties * TIES_FALL).max(LAST_TIES);
        }
    }

    /// Solves the tied problem: by the way from its centre over so many events at most, whose first piece is the step of Newton, else
    /// by steps of Newton alone. The answer is in `trial`.
    pub(super) fn solve_tied(
        &mut self,
        problem: &Lcp<'_>,
        ties: f64,
        events: Option<usize>,
        stats: &mut Stats,
    ) -> bool {
        self.trial.copy_from_slice(&self.path.centre);
        // Of many rows the way has more events than steps of Newton are worth: those come first.
        let few = problem.len() <= PATH_ROWS;
        if let Some(events) = events.filter(|_| few) {
            return self.follow(problem, (ties, events), stats);
        }
        self.bodies.accelerations(&self.trial, problem.bias(), &mut self.a);
        self.update_sets(problem);
        for _ in 0..TIED_NEWTON {
            self.block_sets(problem.kinds(), ties);
            if !self.bodies.is_factored() {
                stats.factorizations += 1;
                if !self.bodies.factor() {
                    return false;
                }
            }
            for _ in 0..REFINEMENTS {
                self.follow_sets(problem.kinds());
                self.tied_accelerations(problem, ties);
                self.rhs.iter_mut().zip(&self.a).for_each(|(g, a)| *g = -a);
                self.bodies.solve(&mut self.rhs);
                self.trial.iter_mut().zip(&self.rhs).for_each(|(f, step)| *f += step);
            }
            self.follow_sets(problem.kinds());
            self.tied_accelerations(problem, ties);
            if self.update_sets(problem) == 0 {
                return true;
            }
        }
        self.trial.copy_from_slice(&self.path.centre);
        events.is_some_and(|events| self.follow(problem, (ties, events), stats))
    }

    /// `a + ε D (f − c)` of the forces `trial`.
    pub(super) fn tied_accelerations(&mut self, problem: &Lcp<'_>, ties: f64) {
        let Self { bodies, trial, path, diagonal, a, .. } = self;
        bodies.accelerations(trial, problem.bias(), a);
        for (((a, f), c), d) in a.iter_mut().zip(trial).zip(&path.centre).zip(diagonal) {
            *a += ties * *d * (*f - *c);
        }
    }
}
