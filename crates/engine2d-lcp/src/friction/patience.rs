//! The long way from nothing to an answer, for problems of which nothing else finds the end: flows of grains, where a good part of
//! the contacts slips and the sets of one are decided by many.
//!
//! As in [`super::continuation`] the forces are tied to the ones before with ever weaker ties, which makes regular problems with short
//! ways; but each problem is solved to its end, and how fast the ties fall is told by whether that succeeds. Where a way gets too
//! long the problem before is tied anew to its own answer: that moves on by itself (the proximal point method \[Rockafellar 1976\]),
//! and the next way is shorter. **Promise.** None, but that it seldom fails: what is lost is time.

use super::Friction;
use super::start::Goal;
use crate::tolerance::{
    CONE_CROSSOVER, CONE_NEWTON, FIRST_TIES, LAST_TIES, LONG_FALL, LONG_TIES, WINDOW_SWEEPS,
};
use crate::{Lcp, Stats};

impl Friction {
    /// Follows tied problems from what some sweeps come to, until the violation is within the tolerance; keeps the best point.
    pub(super) fn loosen_patiently(
        &mut self,
        problem: &Lcp<'_>,
        goal: Goal,
        best: &mut f64,
        stats: &mut Stats,
    ) {
        self.f.fill(0.0);
        self.sweep_contacts(problem, WINDOW_SWEEPS);
        self.path.centre.clone_from(&self.f);
        let events = problem.len();
        let [fastest, slowest, tighten] = LONG_FALL;
        let (tightest, most) = LONG_TIES;
        let (mut ties, mut last, mut fall) = (FIRST_TIES, f64::INFINITY, fastest);
        let mut lost = false;
        for _ in 0..most {
            if self.deadline.passed() {
                return;
            }
            if !self.solve_tied(problem, ties, Some(events), stats) {
                if ties > tightest {
                    return;
                }
                // Once more as tight as before, which is nearer by the answer found there; if that is too far too, tighter.
                if !lost && ties < last {
                    (ties, fall) = (last, fall.sqrt().min(slowest));
                } else {
                    ties *= tighten;
                }
                lost = true;
                continue;
            }
            if !lost {
                fall = (0.5 * fall * (1.0 + fall)).max(fastest);
            }
            (last, lost) = (ties, false);
            self.bodies.accelerations(&self.trial, problem.bias(), &mut self.a);
            let reached = self.measure(problem, goal);
            self.keep(reached, best);
            self.path.centre.copy_from_slice(&self.trial);
            if reached <= CONE_CROSSOVER {
                self.update_sets(problem);
                let reached = self.newton_by_bodies(problem, goal, CONE_NEWTON, stats);
                self.keep(reached, best);
            }
            if *best <= goal.tolerance {
                return;
            }
            ties = (ties * fall).max(LAST_TIES);
        }
    }
}
