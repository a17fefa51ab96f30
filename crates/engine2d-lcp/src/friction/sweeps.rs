//! A cheap start: sweeps of projected Gauss–Seidel over the coupled conditions, with Newton from the sets they show.
//!
//! Where bodies rest side by side the sweeps settle quickly which contacts press, stick and slip, and one or two tries of
//! Newton end the solve. Where they do not, the point reached is still a better start for the fixed point than no forces,
//! unless it is far from a solution. Tall stacks, whose weight takes a sweep a layer, are left to the fixed point.

use super::start::Goal;
use super::{Friction, accelerations};
use crate::tolerance::{FRICTION_LONG, FRICTION_NEAR, FRICTION_SWEEPS, NEWTON_STEPS};
use crate::{Lcp, Stats};
use engine2d_math::kernel::{larger, smaller};

impl Friction {
    /// Looks for a solution from the sets that ever more sweeps point at; keeps the best point. Returns whether the last
    /// sweep came near a solution: then `f` and `sets` are a start for the fixed point.
    pub(super) fn sweep_and_polish(
        &mut self,
        problem: &Lcp<'_>,
        order: &[usize],
        goal: Goal,
        best: &mut f64,
        stats: &mut Stats,
    ) -> bool {
        let mut near = false;
        for (sweeps, steps) in FRICTION_SWEEPS {
            for _ in 0..sweeps {
                self.sweep(problem);
            }
            stats.iterations += 1;
            self.trial.copy_from_slice(&self.f);
            accelerations(&self.rows, problem.bias(), &self.trial, &mut self.a);
            self.update_sets(problem);
            let reached = self.measure(problem, goal);
            near = reached < FRICTION_NEAR;
            let polished = self.newton(problem, order, goal, steps, stats);
            self.keep(polished, best);
            if *best <= goal.aim {
                break;
            }
        }
        near
    }

    /// Sweeps ever longer, each time followed by Newton from the sets they show, whose point is taken over if it is better.
    pub(super) fn sweep_long(&mut self, problem: &Lcp<'_>, goal: Goal, best: &mut f64, stats: &mut Stats) {
        let (mut sweeps, mut done) = (FRICTION_SWEEPS[0].0, 0);
        while done < FRICTION_LONG && !self.deadline.passed() {
            for _ in 0..sweeps {
                self.sweep(problem);
            }
            done += sweeps;
            sweeps += sweeps / 2;
            stats.iterations += 1;
            self.trial.copy_from_slice(&self.f);
            accelerations(&self.rows, problem.bias(), &self.trial, &mut self.a);
            self.update_sets(problem);
            let reached = self.measure(problem, goal);
            self.keep(reached, best);
            let polished = self.newton(problem, &[], goal, NEWTON_STEPS, stats);
            self.keep(polished, best);
            if *best <= goal.aim {
                break;
            }
            if 2.0 * polished < reached {
                self.f.copy_from_slice(&self.trial);
            }
        }
    }

    /// Each row in turn to the force that makes its acceleration zero, or to the nearer bound, with the latest normal forces.
    fn sweep(&mut self, problem: &Lcp<'_>) {
        for (i, kind) in problem.kinds().iter().enumerate() {
            let normal = kind.normal().map_or(0.0, |normal| self.f[normal]);
            let (lo, hi) = kind.bounds(normal);
            let (columns, values) = self.rows.row(i);
            let acceleration =
                columns.iter().zip(values).fold(problem.bias()[i], |sum, (&j, v)| sum + v * self.f[j]);
            if self.diagonal[i] > 0.0 {
                let force = self.f[i] - acceleration / self.diagonal[i];
                // The bounds are in order: `clamp`, which checks that, is a call here in what is compiled for size.
                self.f[i] = larger(lo, smaller(hi, force));
            }
        }
    }
}
