//! Sweeps over windows: neighbouring bodies at a time, all other forces kept, to a solution of their own.
//!
//! What Newton does not settle is mostly local: a few contacts that open, stick and slip in turn, here and there in a large heap. A
//! window holds some bodies and the contacts among them, a small problem with a solution whenever the whole one has; its
//! way is short (see [`super::homotopy`]) and its systems are small. From sweep to sweep the windows grow, so that what crosses
//! their borders is settled by the next ones. A window is solved to well within the tolerance of the whole problem: its neighbours change
//! it by more, but near the end a few that are left as they are would keep all others from it.

use super::Friction;
use super::start::Goal;
use super::window::Windows;
use crate::tolerance::{
    FRICTION_NEAR, NEWTON_STEPS, TIED_AGAIN, TIED_FROM, WELL_WITHIN, WINDOW_GROWTH, WINDOW_SWEEPS,
};
use crate::{Lcp, Row, SparseRows, Stats};
use engine2d_math::order::Order;

impl Friction {
    /// Sweeps over ever larger windows from the forces `f`, of so many bodies at first and at last, with Newton after each, and ties where
    /// they come much nearer; keeps the best point.
    pub(super) fn settle_by_windows(
        &mut self,
        problem: &Lcp<'_>,
        (first, last): (usize, usize),
        goal: Goal,
        best: &mut f64,
        stats: &mut Stats,
    ) {
        let (mut size, mut tied, mut backward) = (first, TIED_FROM, false);
        while size <= last {
            if size >= self.bodies.count() {
                self.trial.copy_from_slice(&self.f);
                self.follow_to_the_end(problem, Goal::of(goal.tolerance), best, stats);
                return;
            }
            let before = stats.factorizations;
            for _ in 0..2 {
                self.sweep_windows(problem, (size, Goal::of(WELL_WITHIN * goal.tolerance)), backward, stats);
                backward = !backward;
            }
            let unchanged = stats.factorizations == before;
            self.trial.copy_from_slice(&self.f);
            self.bodies.accelerations(&self.trial, problem.bias(), &mut self.a);
            let swept = self.measure(problem, goal);
            self.keep(swept, best);
            self.update_sets(problem);
            let reached = self.newton_by_bodies(problem, goal, NEWTON_STEPS, stats);
            self.keep(reached, best);
            // What is wrong over long distances no window mends: near an answer ties do, in few steps of Newton.
            if !(*best <= goal.tolerance) && swept < TIED_AGAIN * tied {
                tied = swept;
                self.loosen_ties(problem, goal, best, stats);
            }
            if *best <= goal.tolerance || unchanged {
                return;
            }
            size += size / WINDOW_GROWTH;
        }
    }

    /// One sweep over windows of so many bodies, each solved to a goal of its own.
    fn sweep_windows(
        &mut self,
        problem: &Lcp<'_>,
        (size, goal): (usize, Goal),
        backward: bool,
        stats: &mut Stats,
    ) {
        let mut windows = std::mem::take(&mut self.windows);
        windows.link(problem.len(), &self.bodies);
        self.bodies.set_motion(&self.f);
        let count = self.bodies.count();
        for k in 0..count {
            let seed = if backward { count - 1 - k } else { k };
            if !windows.done[seed] {
                windows.grow(seed, size, &self.bodies);
                self.solve_window(problem, &mut windows, goal, stats);
            }
        }
        self.windows = windows;
    }

    /// Solves a window and takes its forces over if they are better.
    fn solve_window(&mut self, problem: &Lcp<'_>, windows: &mut Windows, goal: Goal, stats: &mut Stats) {
        if self.deadline.passed() {
            return;
        }
        let start: Vec<f64> = windows.list.iter().map(|&i| self.f[i]).collect();
        let part = self.window_problem(problem, &start, windows);
        windows.leave();
        let Some(part) = part else { return };
        let mut inner = self.inner.take().unwrap_or_default();
        inner.deadline = self.deadline;
        if inner.settle_window(&part, &start, goal, stats) {
            for (&i, f) in windows.list.iter().zip(&inner.best) {
                self.bodies.push_by(i, f - self.f[i]);
                self.f[i] = *f;
            }
        }
        self.inner = Some(inner);
    }

    /// The problem of a window's rows, with what the other forces do in its bias.
    fn window_problem(
        &mut self,
        problem: &Lcp<'_>,
        start: &[f64],
        windows: &Windows,
    ) -> Option<Lcp<'static>> {
        let Windows { body_in, row_in, bodies, list, .. } = windows;
        let size = self.bodies.body_size();
        list.iter().zip(start).for_each(|(&i, f)| self.bodies.push_by(i, -f));
        let bias: Vec<f64> = list.iter().map(|&i| problem.bias()[i] + self.bodies.acceleration(i)).collect();
        list.iter().zip(start).for_each(|(&i, f)| self.bodies.push_by(i, *f));
        let mut jacobian = SparseRows { start: vec![0], ..SparseRows::default() };
        let mut kinds = Vec::with_capacity(list.len());
        let mut entries = Vec::new();
        for &i in list {
            entries.clear();
            let place = |c: usize| body_in[c / size] as usize * size + c % size;
            entries.extend(self.bodies.entries_of(i).map(|(c, v)| (place(c), v)));
            entries.order_distinct_by_key(|e| e.0);
            jacobian.column.extend(entries.iter().map(|e| e.0));
            jacobian.value.extend(entries.iter().map(|e| e.1));
            jacobian.start.push(jacobian.column.len());
            kinds.push(match problem.kinds()[i] {
                Row::Friction { normal, mu } => Row::Friction { normal: row_in[normal] as usize, mu },
                Row::FrictionLimits { normal, mu_minus, mu_plus } => {
                    Row::FrictionLimits { normal: row_in[normal] as usize, mu_minus, mu_plus }
                }
                kind => kind,
            });
        }
        Lcp::jacobian(jacobian, vec![1.0; bodies.len() * size], bias).ok()?.rows(kinds).ok()
    }

    /// Solves a window from some forces: Newton, else set by set. Whether it gets better.
    fn settle_window(&mut self, part: &Lcp<'_>, start: &[f64], goal: Goal, stats: &mut Stats) -> bool {
        self.scale_rows(part);
        self.reset(part, Some(start));
        if !self.load_bodies(part) {
            return false;
        }
        self.trial.copy_from_slice(start);
        self.bodies.accelerations(&self.trial, part.bias(), &mut self.a);
        let was = self.measure(part, goal);
        if was <= goal.tolerance {
            return false;
        }
        let mut best = was;
        self.update_sets(part);
        let reached = self.newton_by_bodies(part, goal, NEWTON_STEPS, stats);
        self.keep(reached, &mut best);
        if best > FRICTION_NEAR * was {
            self.trial.copy_from_slice(start);
            self.follow_to_the_end(part, goal, &mut best, stats);
        }
        if best > FRICTION_NEAR * was {
            // The way is lost: another one from another start.
            self.cross_cones(part, goal, &mut best, stats);
            if best > FRICTION_NEAR * was {
                self.sweep_contacts(part, WINDOW_SWEEPS);
                self.trial.copy_from_slice(&self.f);
                self.follow_to_the_end(part, goal, &mut best, stats);
            }
        }
        best < was
    }
}
