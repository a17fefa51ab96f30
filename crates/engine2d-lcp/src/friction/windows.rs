//! Sweeps over windows: neighbouring bodies at a time, all other forces kept, to a solution of their own.
//!
//! What Newton does not settle is mostly local: a few contacts that open, stick and slip in turn, here and there in a large heap. A
//! window holds some bodies and the contacts among them, a small problem with a solution whenever the whole one has; its
//! way is short (see [`super::homotopy`]) and its systems are small. From sweep to sweep the windows grow, so that what crosses
//! their borders is settled by the next ones.

use super::Friction;
use crate::tolerance::{
    FRICTION_NEAR, LARGEST_WINDOW, NEWTON_STEPS, WINDOW_BODIES, WINDOW_GROWTH, WINDOW_LAYERS, WINDOW_SWEEPS,
    WINDOW_TOLERANCE,
};
use crate::{Certificate, Lcp, Row, SparseRows, Stats};

/// Scratch of the windows.
#[derive(Clone, Debug, Default)]
pub(super) struct Windows {
    /// Rows of each body.
    start: Vec<usize>,
    rows: Vec<u32>,
    /// Whether a body was in the middle of a window.
    done: Vec<bool>,
    /// Place of each body in the window, and of each row.
    body_in: Vec<u32>,
    row_in: Vec<u32>,
    bodies: Vec<usize>,
    list: Vec<usize>,
    inner: Option<Box<Friction>>,
}

/// No place in the window.
const OUTSIDE: u32 = u32::MAX;

impl Friction {
    /// Sweeps over ever larger windows from the forces `f`, with Newton after each; keeps the best point.
    pub(super) fn settle_by_windows(
        &mut self,
        problem: &Lcp<'_>,
        tolerance: f64,
        best: &mut f64,
        stats: &mut Stats,
    ) {
        let mut size = WINDOW_BODIES;
        let mut backward = false;
        while size <= LARGEST_WINDOW {
            if size >= self.bodies.count() {
                self.trial.copy_from_slice(&self.f);
                self.follow(problem, tolerance, best, stats);
                return;
            }
            for _ in 0..2 {
                self.sweep_windows(problem, size, backward, stats);
                backward = !backward;
            }
            self.trial.copy_from_slice(&self.f);
            self.bodies.accelerations(&self.trial, problem.bias(), &mut self.a);
            let reached = self.violation(problem);
            self.keep(reached, best);
            self.update_sets(problem);
            let reached = self.newton_by_bodies(problem, tolerance, NEWTON_STEPS, stats);
            self.keep(reached, best);
            if *best <= tolerance {
                return;
            }
            size += size / WINDOW_GROWTH;
        }
    }

    fn violation(&self, problem: &Lcp<'_>) -> f64 {
        Certificate::of_accelerations(problem, &self.trial, &self.a, f64::INFINITY).excess
    }

    /// One sweep over windows of so many bodies.
    fn sweep_windows(&mut self, problem: &Lcp<'_>, size: usize, backward: bool, stats: &mut Stats) {
        let mut windows = std::mem::take(&mut self.windows);
        windows.link(problem.len(), self);
        self.bodies.set_motion(&self.f);
        let count = self.bodies.count();
        for k in 0..count {
            let seed = if backward { count - 1 - k } else { k };
            if !windows.done[seed] {
                windows.grow(seed, size, self);
                self.solve_window(problem, &mut windows, stats);
            }
        }
        self.windows = windows;
    }

    /// Solves a window and takes its forces over if they are better.
    fn solve_window(&mut self, problem: &Lcp<'_>, windows: &mut Windows, stats: &mut Stats) {
        let start: Vec<f64> = windows.list.iter().map(|&i| self.f[i]).collect();
        let part = self.window_problem(problem, &start, windows);
        windows.leave();
        let Some(part) = part else { return };
        let mut inner = windows.inner.take().unwrap_or_default();
        if inner.settle_window(&part, &start, stats) {
            for (&i, f) in windows.list.iter().zip(&inner.best) {
                self.bodies.push_by(i, f - self.f[i]);
                self.f[i] = *f;
            }
        }
        windows.inner = Some(inner);
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
            entries.sort_unstable_by_key(|e| e.0);
            jacobian.column.extend(entries.iter().map(|e| e.0));
            jacobian.value.extend(entries.iter().map(|e| e.1));
            jacobian.start.push(jacobian.column.len());
            kinds.push(match problem.kinds()[i] {
                Row::Friction { normal, mu } => Row::Friction { normal: row_in[normal] as usize, mu },
                kind => kind,
            });
        }
        Lcp::jacobian(jacobian, vec![1.0; bodies.len() * size], bias).ok()?.rows(kinds).ok()
    }

    /// Solves a window from some forces: Newton, else set by set. Whether it gets better.
    fn settle_window(&mut self, part: &Lcp<'_>, start: &[f64], stats: &mut Stats) -> bool {
        self.scale_rows(part);
        self.reset(part, Some(start));
        if !self.load_bodies(part) {
            return false;
        }
        self.trial.copy_from_slice(start);
        self.bodies.accelerations(&self.trial, part.bias(), &mut self.a);
        let was = self.violation(part);
        if was <= WINDOW_TOLERANCE {
            return false;
        }
        let mut best = was;
        self.update_sets(part);
        let reached = self.newton_by_bodies(part, WINDOW_TOLERANCE, NEWTON_STEPS, stats);
        self.keep(reached, &mut best);
        if best > FRICTION_NEAR * was {
            self.trial.copy_from_slice(start);
            self.follow(part, WINDOW_TOLERANCE, &mut best, stats);
        }
        if best > FRICTION_NEAR * was {
            // The way is lost: another one from another start.
            self.cross_cones(part, WINDOW_TOLERANCE, &mut best, stats);
            if best > FRICTION_NEAR * was {
                self.sweep_contacts(part, WINDOW_SWEEPS);
                self.trial.copy_from_slice(&self.f);
                self.follow(part, WINDOW_TOLERANCE, &mut best, stats);
            }
        }
        best < was
    }
}

impl Windows {
    /// Takes over which bodies and rows belong together.
    fn link(&mut self, rows: usize, friction: &Friction) {
        let (bodies, count) = (&friction.bodies, friction.bodies.count());
        self.start.clear();
        self.start.resize(count + 1, 0);
        let ends = |i: usize| bodies.bodies_of(i);
        for i in 0..rows {
            ends(i).for_each(|body| self.start[body + 1] += 1);
        }
        for body in 0..count {
            self.start[body + 1] += self.start[body];
        }
        self.rows.clear();
        self.rows.resize(self.start[count], 0);
        let mut next = self.start.clone();
        for i in 0..rows {
            for body in ends(i) {
                self.rows[next[body]] = i as u32;
                next[body] += 1;
            }
        }
        self.done.clear();
        self.done.resize(count, false);
        self.body_in.clear();
        self.body_in.resize(count, OUTSIDE);
        self.row_in.clear();
        self.row_in.resize(rows, OUTSIDE);
    }

    /// Gathers bodies about one that were in no window yet, then layers of any about them, and the rows among all these.
    fn grow(&mut self, seed: usize, size: usize, friction: &Friction) {
        self.bodies.clear();
        self.add(seed);
        let (mut at, mut layers) = (0, 0);
        while at < self.bodies.len() && self.bodies.len() < size {
            self.add_neighbours(at, friction, false);
            at += 1;
        }
        self.bodies.iter().for_each(|&body| self.done[body] = true);
        while layers < WINDOW_LAYERS {
            let end = self.bodies.len();
            while at < end {
                self.add_neighbours(at, friction, true);
                at += 1;
            }
            layers += 1;
        }
        self.list.clear();
        for &body in &self.bodies {
            for &i in &self.rows[self.start[body]..self.start[body + 1]] {
                let inside = |body: usize| self.body_in[body] != OUTSIDE;
                if self.row_in[i as usize] == OUTSIDE && friction.bodies.bodies_of(i as usize).all(inside) {
                    self.row_in[i as usize] = 0;
                    self.list.push(i as usize);
                }
            }
        }
        self.list.sort_unstable();
        self.list.iter().enumerate().for_each(|(k, &i)| self.row_in[i] = k as u32);
    }

    fn add(&mut self, body: usize) {
        self.body_in[body] = self.bodies.len() as u32;
        self.bodies.push(body);
    }

    /// Adds the neighbours of a body of the window, also those done if `any`.
    fn add_neighbours(&mut self, at: usize, friction: &Friction, any: bool) {
        let body = self.bodies[at];
        for k in self.start[body]..self.start[body + 1] {
            for other in friction.bodies.bodies_of(self.rows[k] as usize) {
                if self.body_in[other] == OUTSIDE && (any || !self.done[other]) {
                    self.add(other);
                }
            }
        }
    }

    /// Forgets the places of the window's bodies and rows.
    fn leave(&mut self) {
        self.bodies.iter().for_each(|&body| self.body_in[body] = OUTSIDE);
        self.list.iter().for_each(|&i| self.row_in[i] = OUTSIDE);
    }
}
