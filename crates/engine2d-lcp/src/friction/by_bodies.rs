//! Newton on the coupled conditions of normal and friction rows as in [`super::newton`], with systems by bodies.

use super::Friction;
use crate::tolerance::{
    JACOBIAN_ROWS, KNOWN_STEPS, PATH_ROWS, PATIENCE, PROXIMAL, REFINEMENT_PAYS, REFINEMENTS, STICKING_STEPS,
    WELL_WITHIN, WINDOW_SWEEPS,
};
use crate::{Certificate, Lcp, Row, Set, Stats};

impl Friction {
    /// Solves by bodies: from the given sets and forces if they are `known`, improved to the certificate `aim`, from what sticks everywhere, from the inside, from what some sweeps
    /// come to.
    pub(super) fn solve_by_bodies(
        &mut self,
        problem: &Lcp<'_>,
        tolerance: f64,
        (known, aim): (bool, f64),
        best: &mut f64,
        stats: &mut Stats,
    ) {
        if known {
            self.trial.copy_from_slice(&self.f);
            self.bodies.accelerations(&self.trial, problem.bias(), &mut self.a);
            // Forces that still are an answer stay to the bit: nothing creeps at rest.
            let same = Certificate::of_accelerations(problem, &self.trial, &self.a, tolerance).excess;
            self.keep(same, best);
            if *best <= aim {
                return;
            }
            let reached = self.newton_by_bodies(problem, aim, KNOWN_STEPS, stats);
            self.keep(reached, best);
            if !(*best <= aim) {
                self.loosen_ties(problem, (tolerance, aim), best, stats);
            }
        }
        if !(*best <= tolerance) {
            // What rests mostly sticks everywhere.
            self.sets.fill(Set::Clamped);
            self.trial.fill(0.0);
            let reached = self.newton_by_bodies(problem, aim, STICKING_STEPS, stats);
            self.keep(reached, best);
        }
        if !(*best <= tolerance) {
            self.cross_cones(problem, tolerance, best, stats);
        }
        if !(*best <= tolerance) {
            self.sweep_contacts(problem, WINDOW_SWEEPS);
            if problem.len() <= PATH_ROWS {
                self.loosen_ties(problem, (tolerance, aim), best, stats);
            }
        }
        if !(*best <= tolerance) && self.bodies.has_bodies() {
            self.settle_by_windows(problem, tolerance, best, stats);
        }
        // Of few rows all that can be known was tried before.
        if !(*best <= tolerance) && problem.len() >= JACOBIAN_ROWS {
            self.loosen_patiently(problem, tolerance, best, stats);
        }
    }

    /// As [`Friction::newton`], with systems by bodies.
    pub(super) fn newton_by_bodies(
        &mut self,
        problem: &Lcp<'_>,
        tolerance: f64,
        steps: usize,
        stats: &mut Stats,
    ) -> f64 {
        let mut best = f64::INFINITY;
        self.kept.clone_from(&self.trial);
        let (mut idle, mut before, mut left) = (0, f64::INFINITY, steps);
        while idle < PATIENCE {
            self.block_sets(problem.kinds(), PROXIMAL);
            if !self.bodies.is_factored() {
                stats.factorizations += 1;
                if left == 0 || !self.bodies.factor() {
                    break;
                }
                left -= 1;
            }
            self.follow_sets(problem.kinds());
            self.bodies.accelerations(&self.trial, problem.bias(), &mut self.a);
            for _ in 0..REFINEMENTS {
                self.rhs.iter_mut().zip(&self.a).for_each(|(g, a)| *g = -a);
                self.bodies.solve(&mut self.rhs);
                self.trial.iter_mut().zip(&self.rhs).for_each(|(f, step)| *f += step);
                self.follow_sets(problem.kinds());
                self.bodies.accelerations(&self.trial, problem.bias(), &mut self.a);
            }
            if !self.trial.iter().all(|f| f.is_finite()) {
                break;
            }
            let reached = Certificate::of_accelerations(problem, &self.trial, &self.a, f64::INFINITY).excess;
            let slow = best <= tolerance && reached > 0.1 * best;
            idle += 1;
            if reached < best {
                (best, idle) = (reached, 0);
                self.kept.copy_from_slice(&self.trial);
            }
            if best <= WELL_WITHIN * tolerance || slow {
                break;
            }
            // Settled sets are solved again as long as that pays: rows that are nearly redundant come slowly to rest.
            let pays = best > tolerance && reached < REFINEMENT_PAYS * before;
            if self.update_sets(problem) == 0 && !pays {
                break;
            }
            before = reached;
        }
        self.trial.copy_from_slice(&self.kept);
        best
    }

    /// The blocks of the present sets: sticking rows are held by ties of some strength, slipping ones follow their normal row.
    pub(super) fn block_sets(&mut self, kinds: &[Row], ties: f64) {
        for i in 0..kinds.len() {
            self.block_row(kinds, ties, i);
        }
    }

    /// The entries of a row in the block of its contact, see [`Friction::block_sets`].
    pub(super) fn block_row(&mut self, kinds: &[Row], ties: f64, i: usize) {
        let Self { bodies, sets, diagonal, .. } = self;
        let held = |i: usize| held(ties, diagonal[i]);
        (bodies.own[i], bodies.cross[i]) = match kinds[i].shares() {
            None if sets[i] == Set::Clamped || kinds[i] == Row::Bilateral => (held(i), 0.0),
            Some((n, lo, hi)) if sets[n] == Set::Clamped => match sets[i] {
                Set::Clamped => (held(i), 0.0),
                Set::Lower => (0.0, lo * held(n)),
                _ => (0.0, hi * held(n)),
            },
            _ => (0.0, 0.0),
        };
    }

    /// Puts forces that do not vary where their sets say.
    pub(super) fn follow_sets(&mut self, kinds: &[Row]) {
        for (i, kind) in kinds.iter().enumerate() {
            if *kind == Row::Unilateral && self.sets[i] != Set::Clamped {
                self.trial[i] = 0.0;
            }
        }
        for (i, kind) in kinds.iter().enumerate() {
            if let Some((n, lo, hi)) = kind.shares() {
                let pressed = self.trial[n].max(0.0);
                match self.sets[i] {
                    Set::Lower => self.trial[i] = lo * pressed,
                    Set::Upper => self.trial[i] = hi * pressed,
                    _ if self.sets[n] != Set::Clamped => self.trial[i] = 0.0,
                    _ => {}
                }
            }
        }
    }
}

/// Weight of a row with a diagonal entry that ties of some strength hold.
pub(super) fn held(ties: f64, diagonal: f64) -> f64 {
    1.0 / (ties * diagonal.max(f64::MIN_POSITIVE))
}
