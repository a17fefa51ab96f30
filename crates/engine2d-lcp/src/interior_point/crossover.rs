//! From an interior point to an exact answer: solve the set it points at, check, exchange what is wrong.

use super::polish::polish;
use super::{ABSENT, Point, Scaled, System, heading};
use crate::deadline::Deadline;
use crate::tolerance::{
    ACCEPTABLE, CLEARLY, CROSSOVER_FALL, CROSSOVER_ROUNDS, CROSSOVER_SINGLE, GUESS_FALL, GUESS_ROUNDS,
    GUESS_SHARE, PROXIMAL_PASSES, REFINEMENT_PAYS, ROUNDED, WEIGHT, WELL_WITHIN,
};
use crate::{Certificate, Lcp, Row, Set, Solution};

/// How long rows are exchanged.
struct Limits {
    rounds: usize,
    /// Wrong rows at most after the first round.
    first: usize,
    /// By which factor their number must fall from round to round, unless it is as small as that.
    fall: usize,
}

/// Scratch of a crossover.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    sets: Vec<Set>,
    before: Vec<Set>,
    f: Vec<f64>,
    a: Vec<f64>,
    step: Vec<f64>,
    weight: Vec<f64>,
    forces: Vec<f64>,
    found: Vec<f64>,
    motion: Vec<f64>,
    /// Share of the tolerance at which the last sets need no further look.
    enough: f64,
    /// When to give up.
    pub(super) deadline: Deadline,
}

impl Scratch {
    /// The certificate of `f`, with its accelerations in `a`.
    pub(super) fn certificate(
        &mut self,
        problem: &Lcp<'_>,
        f: &[f64],
        tolerance: f64,
        a: &mut [f64],
    ) -> Certificate {
        Certificate::compute_with(problem, f, tolerance, a, &mut self.motion)
    }

    /// Tries the sets that need no iteration: those of an earlier answer, or every row clamped, which a resting structure mostly is. Between joints, contacts
    /// are few and mostly stand alone: there a row that separates by itself starts at its bound. Goes on only while the
    /// wrong rows are few and fall fast. Returns the certificate; the forces are a starting point for the iteration
    /// if all rows were clamped.
    pub(super) fn guess(
        &mut self,
        (problem, p): (&Lcp<'_>, &Scaled),
        system: &mut System,
        warm: Option<&[Set]>,
        tolerance: f64,
        solution: &mut Solution,
    ) -> f64 {
        let n = p.b.len();
        let jointed = problem.kinds().contains(&Row::Bilateral);
        let set = |i: usize| match warm.map(|sets| sets[i]) {
            Some(Set::Lower) if p.lo[i].is_finite() => Set::Lower,
            Some(Set::Upper) if p.hi[i].is_finite() => Set::Upper,
            None if jointed && p.b[i] > 0.0 && p.lo[i] == 0.0 => Set::Lower,
            _ => Set::Clamped,
        };
        self.sets.clear();
        self.sets.extend((0..n).map(set));
        self.f.clear();
        self.f.resize(n, 0.0);
        let limits = Limits { rounds: GUESS_ROUNDS, first: n / GUESS_SHARE, fall: GUESS_FALL };
        self.settle((problem, p), system, tolerance, limits, f64::INFINITY, solution)
    }

    /// Solves for the sets at the end of the central path, starting from the forces there, and exchanges rows that turn out
    /// wrong, a few times. Keeps the answer in `solution` if it is better than `best`; returns the better certificate.
    pub(super) fn finish(
        &mut self,
        (problem, p): (&Lcp<'_>, &Scaled),
        system: &mut System,
        (sets, forces): (&[Set], &[f64]),
        tolerance: f64,
        best: f64,
        solution: &mut Solution,
    ) -> f64 {
        let n = p.b.len();
        self.sets.clear();
        self.sets.extend_from_slice(sets);
        self.f.clear();
        self.f.extend_from_slice(forces);
        let limits = Limits { rounds: CROSSOVER_ROUNDS, first: n, fall: 1 };
        self.settle((problem, p), system, tolerance, limits, best, solution)
    }

    /// Whether a certificate, that of the last crossover or before, leaves nothing to be done: with wrong rows left [`CLEARLY`]
    /// below the tolerance, with settled sets closer to it, and within it where their last digits have been worked out.
    pub(super) fn good(&self, best: f64, tolerance: f64) -> bool {
        best <= tolerance * self.enough
    }

    /// The scaled forces of the last sets tried.
    pub(super) fn last_forces(&self) -> &[f64] {
        &self.f
    }

    /// Solves for the sets and exchanges what is wrong, within limits.
    fn settle(
        &mut self,
        (problem, p): (&Lcp<'_>, &Scaled),
        system: &mut System,
        tolerance: f64,
        limits: Limits,
        mut best: f64,
        solution: &mut Solution,
    ) -> f64 {
        let n = p.b.len();
        let Self { a, step, weight, forces, found, .. } = self;
        for v in [weight, a, step, forces, found] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.enough = CLEARLY;
        let (mut fewest, mut polished) = (usize::MAX, false);
        for _ in 0..limits.rounds {
            if self.deadline.passed() {
                break;
            }
            if !polished {
                if !self.clamp(p, system) {
                    break;
                }
                solution.stats.factorizations += 1;
                refine(p, system, &self.sets, &mut self.f, &mut self.a, &mut self.step);
            }
            // The sets solved for stay in `before`; a polish changes digits only.
            self.before.clone_from(&self.sets);
            let moved = if polished { 0 } else { exchange(p, &self.f, &self.a, &mut self.sets) };
            if moved <= CROSSOVER_SINGLE {
                best = self.judge((problem, p), tolerance, (moved == 0, best), solution);
            }
            if best <= tolerance * CLEARLY || polished {
                break;
            }
            if moved == 0 {
                self.enough = WELL_WITHIN;
                if best > tolerance * WELL_WITHIN {
                    solution.stats.factorizations += 1;
                    self.enough = 1.0;
                    polished = polish(p, system, &self.sets, &mut self.f);
                    if polished {
                        continue;
                    }
                }
            }
            if moved > limits.first || limits.fall > 1 && moved > limits.fall.max(fewest / limits.fall) {
                break;
            }
            // All wrong rows at once while their number falls; then one at a time, which cannot cycle between two
            // [Murty 1974], if only a few are left.
            let slow = moved as f64 >= CROSSOVER_FALL * fewest as f64;
            if moved == 0 || slow && (moved > CROSSOVER_SINGLE || best <= tolerance * CLEARLY) {
                break;
            }
            if fewest <= CROSSOVER_SINGLE && moved >= fewest {
                let last = (0..n).rev().find(|&i| self.sets[i] != self.before[i]);
                for i in (0..n).filter(|&i| Some(i) != last) {
                    self.sets[i] = self.before[i];
                }
            }
            fewest = moved.min(fewest);
        }
        best
    }

    /// Factors the system of the clamped rows, and puts the others at their bounds; `false` if that fails.
    fn clamp(&mut self, p: &Scaled, system: &mut System) -> bool {
        for (i, set) in self.sets.iter().enumerate() {
            let clamped = *set == Set::Clamped && !p.fixed(i);
            self.weight[i] = if clamped { WEIGHT } else { ABSENT };
            match set {
                Set::Lower => self.f[i] = p.lo[i],
                Set::Upper => self.f[i] = p.hi[i],
                _ => {}
            }
        }
        system.factor(&self.weight)
    }

    /// Keeps the forces of the sets in `before` as the solution if their certificate is better than `best`; returns the better
    /// one. The rounding floor takes a pass over the matrix: worth it only for settled sets whose answer is close.
    fn judge(
        &mut self,
        (problem, p): (&Lcp<'_>, &Scaled),
        tolerance: f64,
        (settled, best): (bool, f64),
        solution: &mut Solution,
    ) -> f64 {
        let Self { before: sets, f, forces, found, motion, .. } = self;
        for (i, force) in forces.iter_mut().enumerate() {
            *force = p.force(i, f[i].clamp(p.lo[i], p.hi[i]));
        }
        p.split_pairs(forces);
        let plain = Certificate::compute_with(problem, forces, f64::INFINITY, found, motion);
        let close = settled && plain.residual > tolerance && plain.residual <= tolerance * ROUNDED;
        let excess = if close {
            Certificate::compute_with(problem, forces, tolerance, found, motion).excess
        } else {
            plain.residual
        };
        if !(excess < best) {
            return best;
        }
        solution.f.copy_from_slice(forces);
        solution.sets.copy_from_slice(sets);
        for &(i, j) in &p.pairs {
            let first = solution.f[i] > 0.0 || solution.f[j] == 0.0;
            let of = |pressed| if pressed { Set::Clamped } else { Set::Lower };
            (solution.sets[i], solution.sets[j]) = (of(first), of(!first));
        }
        excess
    }

    /// Takes the interior point itself if it is better than the best of the crossover.
    pub(super) fn keep_interior(
        &mut self,
        problem: &Lcp<'_>,
        p: &Scaled,
        point: &Point,
        tolerance: f64,
        best: f64,
        solution: &mut Solution,
    ) {
        let n = p.b.len();
        let Self { forces, found, motion, .. } = self;
        found.clear();
        found.resize(n, 0.0);
        forces.clear();
        forces.extend((0..n).map(|i| p.force(i, point.f[i])));
        p.split_pairs(forces);
        if forces.iter().any(|f| !f.is_finite()) {
            return;
        }
        let certificate = Certificate::compute_with(problem, forces, tolerance, found, motion);
        if certificate.excess < best {
            solution.f.copy_from_slice(forces);
            for i in 0..n {
                solution.sets[i] = heading(p, point, i);
            }
        }
    }
}

/// Steps of the proximal point method towards `a = 0` on the clamped rows: converges to the nearest solution even
/// if their matrix is singular.
fn refine(p: &Scaled, system: &mut System, sets: &[Set], f: &mut [f64], a: &mut [f64], step: &mut [f64]) {
    let n = p.b.len();
    let mut before = f64::INFINITY;
    for round in 0.. {
        system.product(f, a);
        let mut largest = 0.0_f64;
        for i in 0..n {
            a[i] += p.b[i];
            step[i] = if sets[i] == Set::Clamped { -a[i] } else { 0.0 };
            largest = largest.max(step[i].abs());
        }
        // As long as it pays, this is cheaper than a polish.
        let limit = if largest < REFINEMENT_PAYS * before { 2 * PROXIMAL_PASSES } else { PROXIMAL_PASSES };
        if round >= limit || largest < 1e-15 {
            break;
        }
        before = largest;
        system.solve(step);
        for i in 0..n {
            if sets[i] == Set::Clamped && step[i].is_finite() {
                f[i] += step[i];
            }
        }
    }
}

/// Moves rows to the set that their force and acceleration ask for; returns how many
/// moved. What rounding may explain moves nothing: degenerate rows, with neither force nor acceleration, stay
/// where they are.
fn exchange(p: &Scaled, f: &[f64], a: &[f64], sets: &mut [Set]) -> usize {
    let mut moved = 0;
    for (i, set) in sets.iter_mut().enumerate() {
        let wish = match *set {
            Set::Lower if a[i] < -ACCEPTABLE => Set::Clamped,
            Set::Upper if a[i] > ACCEPTABLE => Set::Clamped,
            Set::Clamped if f[i] < p.lo[i] - ACCEPTABLE => Set::Lower,
            Set::Clamped if f[i] > p.hi[i] + ACCEPTABLE => Set::Upper,
            same => same,
        };
        moved += usize::from(wish != *set);
        *set = wish;
    }
    moved
}
