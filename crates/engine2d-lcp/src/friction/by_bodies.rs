//! Newton on the coupled conditions of normal and friction rows as in [`super::newton`], with systems by bodies.

use super::Friction;
use crate::tolerance::{PATIENCE, PROXIMAL, REFINEMENTS, WELL_WITHIN};
use crate::{Certificate, Lcp, Row, Set, Stats};

impl Friction {
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
        let mut idle = 0;
        for _ in 0..steps {
            if idle == PATIENCE {
                break;
            }
            self.block_sets(problem.kinds());
            if !self.bodies.is_factored() {
                stats.factorizations += 1;
                if !self.bodies.factor() {
                    break;
                }
            }
            for _ in 0..REFINEMENTS {
                self.follow_sets(problem.kinds());
                self.bodies.accelerations(&self.trial, problem.bias(), &mut self.a);
                self.rhs.iter_mut().zip(&self.a).for_each(|(g, a)| *g = -a);
                self.bodies.solve(&mut self.rhs);
                self.trial.iter_mut().zip(&self.rhs).for_each(|(f, step)| *f += step);
            }
            self.follow_sets(problem.kinds());
            if !self.trial.iter().all(|f| f.is_finite()) {
                break;
            }
            self.bodies.accelerations(&self.trial, problem.bias(), &mut self.a);
            let reached = Certificate::of_accelerations(problem, &self.trial, &self.a, f64::INFINITY).excess;
            let slow = best <= tolerance && reached > 0.1 * best;
            idle += 1;
            if reached < best {
                (best, idle) = (reached, 0);
                self.kept.copy_from_slice(&self.trial);
            }
            if best <= WELL_WITHIN * tolerance || slow || self.update_sets(problem) == 0 {
                break;
            }
        }
        self.trial.copy_from_slice(&self.kept);
        best
    }

    /// The blocks of the present sets: sticking rows are held, slipping ones follow their normal row.
    pub(super) fn block_sets(&mut self, kinds: &[Row]) {
        let Self { bodies, sets, diagonal, .. } = self;
        bodies.own.fill(0.0);
        bodies.cross.fill(0.0);
        for (i, kind) in kinds.iter().enumerate() {
            let held = |i: usize| 1.0 / (PROXIMAL * diagonal[i].max(f64::MIN_POSITIVE));
            match kind.shares() {
                None if sets[i] == Set::Clamped || *kind == Row::Bilateral => bodies.own[i] = held(i),
                Some((n, ..)) if sets[n] != Set::Clamped => {}
                Some((n, lo, hi)) => match sets[i] {
                    Set::Clamped => bodies.own[i] = held(i),
                    Set::Lower => bodies.cross[i] = lo * held(n),
                    _ => bodies.cross[i] = hi * held(n),
                },
                None => {}
            }
        }
    }

    /// Puts forces that do not vary where their sets say.
    fn follow_sets(&mut self, kinds: &[Row]) {
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
