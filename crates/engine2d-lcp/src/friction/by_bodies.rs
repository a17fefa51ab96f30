//! Newton on the coupled conditions of normal and friction rows as in [`super::newton`], with systems by bodies.

use super::start::Goal;
use super::{Friction, contacts};
use crate::tolerance::{
    JACOBIAN_ROWS, KNOWN_CHANGES, KNOWN_STEPS, KNOWN_SWEEPS, PATH_ROWS, PATIENCE, PROXIMAL, REFINEMENT_PAYS,
    REFINEMENTS, STICKING_STEPS, WELL_WITHIN, WINDOW_SWEEPS, WINDOWS_FAR, WINDOWS_FROM, WINDOWS_NEAR,
};
use crate::{Certificate, Lcp, Matrix, Row, Set, Stats};
use engine2d_math::kernel::{larger, smaller};

impl Friction {
    /// Prepares the solution by bodies; `false` for problems with rows that it does not know.
    pub(super) fn load_bodies(&mut self, problem: &Lcp<'_>) -> bool {
        let Self { contacts, partner, place, .. } = self;
        if !contacts::find(problem.kinds(), contacts, partner, place) {
            return false;
        }
        match problem.matrix() {
            Matrix::Jacobian { inverse_mass, compliance, .. } if compliance.is_empty() => {
                self.bodies.load(&self.scaled, inverse_mass.len(), &self.partner);
            }
            _ => {
                self.form_rows(problem);
                self.bodies.load_coupled(&self.rows, &self.partner);
            }
        }
        true
    }

    /// Solves by bodies from the given sets and forces if they are `known`, else from nothing, improved to the aim. What rests is improved
    /// to rounding: else what is left of it would add up from step to step.
    pub(super) fn solve_by_bodies(
        &mut self,
        problem: &Lcp<'_>,
        known: bool,
        goal: Goal,
        best: &mut f64,
        stats: &mut Stats,
    ) {
        self.start.clone_from(&self.sets);
        if known {
            self.trial.copy_from_slice(&self.f);
            self.bodies.accelerations(&self.trial, problem.bias(), &mut self.a);
            // Forces that still are an answer stay to the bit: nothing creeps at rest.
            let same = Certificate::of_accelerations(problem, &self.trial, &self.a, goal.tolerance).excess;
            self.keep(same, best);
            if *best <= WELL_WITHIN * goal.aim {
                return;
            }
        }
        self.search_by_bodies(problem, known, goal, best, stats);
        if *best <= goal.aim && (!known || self.sets == self.start) {
            self.refine(problem, goal, best);
        }
    }

    /// Corrects the best point once more with the factors there are, if they are those of its sets.
    fn refine(&mut self, problem: &Lcp<'_>, goal: Goal, best: &mut f64) {
        self.trial.copy_from_slice(&self.best);
        self.block_sets(problem.kinds(), PROXIMAL);
        if self.bodies.is_factored() {
            self.correct_by_bodies(problem);
            let reached = self.measure(problem, goal);
            self.keep(reached, best);
        }
    }

    /// From the sets and forces that are known, from what sticks everywhere, from the inside, from what some sweeps come to.
    fn search_by_bodies(
        &mut self,
        problem: &Lcp<'_>,
        known: bool,
        goal: Goal,
        best: &mut f64,
        stats: &mut Stats,
    ) {
        let asked = Goal::of(goal.tolerance);
        if known {
            let most = (KNOWN_CHANGES * problem.len() as f64) as usize;
            let reached = self.newton_while_settled(problem, goal, (KNOWN_STEPS, most), stats);
            self.keep(reached, best);
            if !(*best <= goal.aim) {
                self.sweep_contacts(problem, KNOWN_SWEEPS);
                self.loosen_ties(problem, goal, best, stats);
            }
        }
        if !(*best <= goal.tolerance) {
            // What rests mostly sticks everywhere.
            self.sets.fill(Set::Clamped);
            self.trial.fill(0.0);
            let reached = self.newton_by_bodies(problem, goal, STICKING_STEPS, stats);
            self.keep(reached, best);
        }
        if !(*best <= goal.tolerance) {
            self.cross_cones(problem, asked, best, stats);
        }
        // From step to step few contacts are wrong at the best point, here and there.
        let windows = self.bodies.has_bodies() && self.bodies.count() > WINDOWS_NEAR.0;
        if !(*best <= goal.tolerance) && *best <= WINDOWS_FROM && windows {
            self.f.copy_from_slice(&self.best);
            self.settle_by_windows(problem, WINDOWS_NEAR, goal, best, stats);
        }
        if !(*best <= goal.tolerance) {
            self.sweep_contacts(problem, WINDOW_SWEEPS);
            if problem.len() <= PATH_ROWS {
                self.loosen_ties(problem, goal, best, stats);
            }
        }
        if !(*best <= goal.tolerance) && self.bodies.has_bodies() {
            self.settle_by_windows(problem, WINDOWS_FAR, goal, best, stats);
            self.settle_from_the_best(problem, goal, best, stats);
        }
        // Of few rows all that can be known was tried before.
        if !(*best <= goal.tolerance) && problem.len() >= JACOBIAN_ROWS {
            self.loosen_patiently(problem, asked, best, stats);
        }
    }

    /// Windows from the best point there is, again as long as that halves its violation.
    fn settle_from_the_best(&mut self, problem: &Lcp<'_>, goal: Goal, best: &mut f64, stats: &mut Stats) {
        let mut before = f64::INFINITY;
        while !(*best <= goal.tolerance) && *best < 0.5 * before && !self.deadline.passed() {
            before = *best;
            self.f.copy_from_slice(&self.best);
            self.sweep_contacts(problem, WINDOW_SWEEPS);
            self.settle_by_windows(problem, WINDOWS_NEAR, goal, best, stats);
        }
    }

    /// As [`Friction::newton`], with systems by bodies.
    pub(super) fn newton_by_bodies(
        &mut self,
        problem: &Lcp<'_>,
        goal: Goal,
        steps: usize,
        stats: &mut Stats,
    ) -> f64 {
        self.newton_while_settled(problem, goal, (steps, usize::MAX), stats)
    }

    /// As [`Friction::newton_by_bodies`] while at most so many sets change in a step.
    fn newton_while_settled(
        &mut self,
        problem: &Lcp<'_>,
        goal: Goal,
        (steps, most): (usize, usize),
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
            self.correct_by_bodies(problem);
            if !self.trial.iter().all(|f| f.is_finite()) {
                break;
            }
            let reached = self.measure(problem, goal);
            let slow = best <= goal.aim && reached > 0.1 * best;
            idle += 1;
            if reached < best {
                (best, idle) = (reached, 0);
                self.kept.copy_from_slice(&self.trial);
            }
            if best <= WELL_WITHIN * goal.aim || slow {
                break;
            }
            // Settled sets are solved again as long as that pays: rows that are nearly redundant come slowly to rest.
            let pays = best > goal.aim && reached < REFINEMENT_PAYS * before;
            let changes = self.update_sets(problem);
            if changes > most || changes == 0 && !pays {
                break;
            }
            before = reached;
        }
        self.trial.copy_from_slice(&self.kept);
        best
    }

    /// Moves the forces to where the accelerations of what is held vanish, by the factors there are.
    fn correct_by_bodies(&mut self, problem: &Lcp<'_>) {
        self.follow_sets(problem.kinds());
        self.bodies.accelerations(&self.trial, problem.bias(), &mut self.a);
        for _ in 0..REFINEMENTS {
            self.rhs.iter_mut().zip(&self.a).for_each(|(g, a)| *g = -a);
            self.bodies.solve(&mut self.rhs);
            self.trial.iter_mut().zip(&self.rhs).for_each(|(f, step)| *f += step);
            self.follow_sets(problem.kinds());
            self.bodies.accelerations(&self.trial, problem.bias(), &mut self.a);
        }
    }

    /// The blocks of the present sets: sticking rows are held by ties of some strength, slipping ones follow their normal row.
    pub(super) fn block_sets(&mut self, kinds: &[Row], ties: f64) {
        self.bodies.directions.clear();
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
                Set::Clamped if lo < hi => (held(i), 0.0),
                Set::Lower => (0.0, lo * held(n)),
                _ => (0.0, hi * held(n)),
            },
            _ => (0.0, 0.0),
        };
    }

    /// Puts forces that do not vary where their sets say.
    pub(super) fn follow_sets(&mut self, kinds: &[Row]) {
        for (i, kind) in kinds.iter().enumerate() {
            if kind.normal().is_none() && *kind != Row::Bilateral && self.sets[i] != Set::Clamped {
                let (lo, hi) = kind.bounds(0.0);
                self.trial[i] = match self.sets[i] {
                    Set::Lower if lo.is_finite() => lo,
                    Set::Upper if hi.is_finite() => hi,
                    _ => larger(lo, smaller(hi, 0.0)),
                };
            }
        }
        for (i, kind) in kinds.iter().enumerate() {
            if let Some((n, lo, hi)) = kind.shares() {
                let pressed = self.trial[n].max(0.0);
                match self.sets[i] {
                    Set::Lower => self.trial[i] = lo * pressed,
                    Set::Upper => self.trial[i] = hi * pressed,
                    _ if lo == hi => self.trial[i] = hi * pressed,
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

#[cfg(test)]
mod tests {
    use crate::friction::start::Goal;
    use crate::friction::{Friction, Start};
    use crate::{Lcp, Row, Solution, SparseRows, Stats, Status};
    use engine2d_math::random::Lcg32;

    /// Discs on the ground and on each other, each pressed down and pushed aside at random; the friction of every third contact has
    /// limits `kinds` of its own, if two of them for two rates.
    fn heap(kinds: &[fn(usize) -> Row], seed: u32) -> Lcp<'static> {
        let (discs, mut rng) = (12_usize, Lcg32::new(seed));
        let (mut jacobian, mut rows, mut bias) =
            (SparseRows { start: vec![0], ..SparseRows::default() }, Vec::new(), Vec::new());
        let mut row = |entries: &[(usize, f64)], kind: Row, b: f64| {
            jacobian.column.extend(entries.iter().map(|entry| entry.0));
            jacobian.value.extend(entries.iter().map(|entry| entry.1));
            jacobian.start.push(jacobian.column.len());
            rows.push(kind);
            bias.push(b);
        };
        for k in 0..discs {
            let normal = if k == 0 { vec![(1, 1.0)] } else { vec![(3 * k - 2, -1.0), (3 * k + 1, 1.0)] };
            let mut along = if k == 0 { vec![] } else { vec![(3 * k - 3, -1.0), (3 * k - 1, 0.5)] };
            along.extend([(3 * k, 1.0), (3 * k + 2, 0.5)]);
            let (press, push) = (-rng.next_unit(), rng.next_unit() - 0.5);
            let at = 2 * k + k.div_ceil(3) * (kinds.len() - 1);
            row(&normal, Row::Unilateral, press);
            if k % 3 == 0 {
                for (kind, rate) in kinds.iter().zip([0.0, 0.3]) {
                    row(&along, kind(at), push + rate);
                }
            } else {
                row(&along, Row::Friction { normal: at, mu: 0.3 }, push);
            }
        }
        let masses = (0..3 * discs).map(|k| if k % 3 == 2 { 8.0 } else { 1.0 }).collect();
        Lcp::jacobian(jacobian, masses, bias).and_then(|problem| problem.rows(rows)).expect("a problem")
    }

    #[test]
    fn friction_with_other_limits_is_solved_by_bodies() {
        let one_way: &[fn(usize) -> Row] =
            &[|normal| Row::FrictionLimits { normal, mu_minus: 0.1, mu_plus: 0.5 }];
        let of_two_rates: &[fn(usize) -> Row] = &[
            |normal| Row::FrictionLimits { normal, mu_minus: 0.4, mu_plus: 0.0 },
            |normal| Row::FrictionLimits { normal, mu_minus: 0.0, mu_plus: 0.4 },
        ];
        // As of a pressing force that is given.
        let of_its_own: &[fn(usize) -> Row] = &[|_| Row::Boxed { lo: -0.1, hi: 0.2 }];
        let without_zero: &[fn(usize) -> Row] = &[|_| Row::Boxed { lo: 0.05, hi: f64::INFINITY }];
        let that_slides: &[fn(usize) -> Row] = &[|normal| Row::Sliding { normal, mu: 0.4, sign: -1.0 }];
        for kinds in [one_way, of_two_rates, of_its_own, without_zero, that_slides] {
            let (mut events, mut factorizations) = (0, 0);
            for seed in 0..40 {
                let problem = heap(kinds, seed);
                let mut solution = Solution::default();
                let mut friction = Friction::default();
                let status = friction.solve_sparse(&problem, 1e-11, Start::default(), &mut solution);
                assert_eq!(status, Status::Solved, "{seed}: {}", solution.certificate);
                // The way from no forces alone, which tells each change of a set.
                let (mut best, mut stats) = (f64::INFINITY, Stats::default());
                friction.scale_rows(&problem);
                friction.reset(&problem, None);
                assert!(friction.load_bodies(&problem), "its rows are known");
                friction.loosen_ties(&problem, Goal::of(1e-9), &mut best, &mut stats);
                assert!(best <= 1e-9, "{seed}: {best:e}");
                events += stats.pivots;
                factorizations += stats.factorizations;
            }
            // A factorization for each strength of the ties, and none for an event: those change the system as they say.
            assert!(
                events > 200 && factorizations <= 220,
                "{events} events, {factorizations} factorizations"
            );
        }
    }

    #[test]
    fn a_third_row_of_friction_is_left_to_others() {
        let limits = |normal| Row::FrictionLimits { normal, mu_minus: 0.1, mu_plus: 0.1 };
        let rows = [&[(0, 1.0)][..], &[(1, 1.0)], &[(1, 1.0)], &[(1, 1.0)]];
        let triplets: Vec<_> =
            rows.iter().enumerate().flat_map(|(i, row)| row.iter().map(move |&(c, v)| (i, c, v))).collect();
        let jacobian = SparseRows::from_triplets(&triplets, 4).expect("rows in range");
        let problem = Lcp::jacobian(jacobian, vec![1.0; 2], vec![-1.0, 0.2, 0.1, 0.0]).expect("a problem");
        let problem = problem.rows(vec![Row::Unilateral, limits(0), limits(0), limits(0)]).expect("rows");
        let mut friction = Friction::default();
        friction.scale_rows(&problem);
        assert!(!friction.load_bodies(&problem));
    }
}
