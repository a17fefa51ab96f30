//! Exchange of rows in blocks: guess which rows carry force, solve for them, exchange what is wrong, all at once.
//!
//! **Problem.** Without friction rows. **Method.** With the sets fixed the forces are those of a linear system; rows whose force
//! is past its bound leave C, rows that would move the wrong way join it, all together [Júdice, Pires 1994], and the last few one at
//! a time. **Promise.** None that it ends: when rounds no longer lower the number of wrong rows, or at a pivot that leaves doubt, the
//! general method takes over, from the sets of the best round. What is answered carries the same certificate. An answer whose
//! sets were known takes one round. [`crate::small`] does the same for few rows, without bookkeeping.
//!
//! How the system is solved is left to a [`Factorization`]: inside the envelope of a cheap order where rows meet few others,
//! else by a dense Cholesky factor.

mod envelope;
mod factorization;
mod whole;

use crate::deadline::Deadline;
use crate::dense::Dense;
use crate::neighbours::Neighbours;
use crate::tolerance::{ACCEPTABLE, EXCHANGE_BILATERAL, EXCHANGE_FEW, EXCHANGE_PATIENCE, EXCHANGE_SINGLES};
use crate::{Row, Set, Solution};
use factorization::Factorization;
pub(crate) use whole::Unclear;

/// Scratch of the exchange.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exchange {
    rounds: Rounds,
    envelope: envelope::Scratch,
    whole: whole::Whole,
    /// The sets of the best round.
    pub(crate) sets: Vec<Set>,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The answer is in the solution, for a certificate to judge.
    Solved,
    /// The general method may start from the sets.
    Sets,
    /// Nothing is known.
    Nothing,
}

/// Whether exchanges get anywhere.
pub(crate) struct Progress {
    /// The least number of wrong rows so far.
    fewest: usize,
    patience: usize,
    singles: usize,
}

impl Progress {
    pub(crate) fn new(rows: usize) -> Self {
        Self { fewest: rows + 1, patience: EXCHANGE_PATIENCE, singles: EXCHANGE_SINGLES }
    }

    /// Whether, after a round that leaves so many rows wrong, to exchange only one of them, which gets the last few right
    /// [Júdice, Pires 1994]; `None` to give up.
    pub(crate) fn goes_on(&mut self, wrong: usize) -> Option<bool> {
        if wrong < self.fewest {
            (self.fewest, self.patience) = (wrong, EXCHANGE_PATIENCE);
            return Some(false);
        }
        if self.patience > 0 {
            self.patience -= 1;
            return Some(false);
        }
        if self.singles == 0 || self.fewest > EXCHANGE_FEW {
            return None;
        }
        self.singles -= 1;
        Some(true)
    }
}

impl Exchange {
    /// When to give up.
    pub(crate) fn end_at(&mut self, deadline: Deadline) {
        self.rounds.deadline = deadline;
    }

    /// Forces, accelerations and sets of a problem of bilateral and unilateral rows, from the sets of an earlier answer if
    /// given, else where most of what carries force is known: in stacks, where nearly everything does, and in mechanisms.
    pub(crate) fn solve(
        &mut self,
        p: Dense<'_>,
        kinds: &[Row],
        neighbours: &Neighbours,
        warm: Option<&[Set]>,
        solution: &mut Solution,
    ) -> Outcome {
        if !self.guess(p, kinds, neighbours, warm) {
            return Outcome::Nothing;
        }
        let mut envelope = self.envelope.with(neighbours);
        self.rounds.run(&mut envelope, p, kinds, &mut self.sets, solution)
    }

    /// As [`Exchange::solve`] for all kinds of rows, from the rows that would move the wrong way, by a dense factor.
    pub(crate) fn solve_whole(
        &mut self,
        p: Dense<'_>,
        kinds: &[Row],
        unclear: Unclear,
        solution: &mut Solution,
    ) -> Outcome {
        self.sets.clear();
        self.sets.extend(kinds.iter().zip(p.b).map(|(kind, b)| match kind {
            Row::Unilateral if *b >= 0.0 => Set::Lower,
            Row::Boxed { lo, .. } if *lo == 0.0 && *b >= 0.0 => Set::Lower,
            _ => Set::Clamped,
        }));
        self.whole.unclear = unclear;
        self.rounds.run(&mut self.whole, p, kinds, &mut self.sets, solution)
    }

    /// Which rows probably carry force; `false` if that is anyone's guess, or for other kinds of rows.
    fn guess(&mut self, p: Dense<'_>, kinds: &[Row], neighbours: &Neighbours, warm: Option<&[Set]>) -> bool {
        let bilateral = kinds.iter().filter(|kind| **kind == Row::Bilateral).count();
        let narrow = neighbours.narrow && bilateral == 0;
        if warm.is_none() && !narrow && ((bilateral as f64) < EXCHANGE_BILATERAL * kinds.len() as f64) {
            return false;
        }
        self.sets.clear();
        for (i, kind) in kinds.iter().enumerate() {
            let carries = match (kind, warm) {
                (Row::Bilateral, _) => true,
                (Row::Unilateral, Some(sets)) => sets[i] == Set::Clamped,
                // In a stack nearly everything carries force; elsewhere, mostly what is pressed by what lies on it.
                (Row::Unilateral, None) => narrow || p.b[i] <= 0.0,
                _ => return false,
            };
            self.sets.push(if carries { Set::Clamped } else { Set::Lower });
        }
        true
    }
}

/// Scratch of the rounds.
#[derive(Clone, Debug, Default)]
struct Rounds {
    /// C in the order of the factorization.
    active: Vec<u32>,
    x: Vec<f64>,
    sets: Vec<Set>,
    deadline: Deadline,
}

impl Rounds {
    /// Exchanges from the given sets until none is wrong; leaves those of the best round.
    fn run(
        &mut self,
        factorization: &mut impl Factorization,
        p: Dense<'_>,
        kinds: &[Row],
        best: &mut Vec<Set>,
        solution: &mut Solution,
    ) -> Outcome {
        let n = p.b.len();
        let scale = p.b.iter().fold(1.0_f64, |m, b| if b.abs() > m { b.abs() } else { m });
        let acceptable = ACCEPTABLE * scale;
        solution.clear(n);
        self.sets.clone_from(best);
        let (mut progress, mut outcome) = (Progress::new(n), Outcome::Nothing);
        loop {
            if self.deadline.passed() {
                return outcome;
            }
            solution.stats.factorizations += 1;
            if !self.solve_sets(factorization, p, kinds, solution) {
                return outcome;
            }
            factorization.accelerations(p, &solution.f, &mut solution.a);
            if self.unrest(solution) > acceptable {
                self.refine(factorization, solution);
                factorization.accelerations(p, &solution.f, &mut solution.a);
                if self.unrest(solution) > acceptable {
                    return outcome;
                }
                solution.stats.refinements += 1;
            }
            let wrong = |(i, kind): (usize, &Row)| wish(i, *kind, acceptable, solution).is_some();
            let changes = kinds.iter().enumerate().filter(|row| wrong(*row)).count();
            if changes == 0 {
                // How still rows are that are combinations of others is told by the certificate.
                best.clone_from(&solution.sets);
                solution.order.extend(self.active.iter().map(|&i| i as usize));
                return Outcome::Solved;
            }
            solution.stats.pivots += changes;
            if changes < progress.fewest {
                best.clone_from(&solution.sets);
                outcome = Outcome::Sets;
            }
            let Some(single) = progress.goes_on(changes) else { return outcome };
            self.exchange(kinds, acceptable, single, solution);
        }
    }

    /// The forces for the present sets, and the rows among them that are combinations of others; `false` if a pivot leaves doubt.
    fn solve_sets(
        &mut self,
        factorization: &mut impl Factorization,
        p: Dense<'_>,
        kinds: &[Row],
        solution: &mut Solution,
    ) -> bool {
        let mut pushed = false;
        for (i, kind) in kinds.iter().enumerate() {
            let (lo, hi) = kind.bounds(0.0);
            solution.f[i] = match self.sets[i] {
                Set::Lower => lo,
                Set::Upper => hi,
                _ => 0.0,
            };
            pushed |= solution.f[i] != 0.0;
        }
        solution.sets.copy_from_slice(&self.sets);
        self.active.clear();
        let sequence = factorization.sequence();
        for k in 0..p.b.len() {
            let i = sequence.get(k).copied().unwrap_or(k);
            if self.sets[i] == Set::Clamped {
                self.active.push(i as u32);
            }
        }
        if pushed {
            factorization.accelerations(p, &solution.f, &mut solution.a);
        }
        let pull = if pushed { &solution.a } else { p.b };
        self.x.clear();
        self.x.extend(self.active.iter().map(|&i| -pull[i as usize]));
        if !factorization.eliminate(p, &self.active, &mut self.x) {
            return false;
        }
        for (k, (&i, &x)) in self.active.iter().zip(&self.x).enumerate() {
            solution.f[i as usize] = x;
            if factorization.is_dependent(k) {
                solution.sets[i as usize] = Set::Redundant;
            }
        }
        true
    }

    /// The largest acceleration of a row that should have none.
    fn unrest(&self, solution: &Solution) -> f64 {
        let clamped = self.active.iter().filter(|&&i| solution.sets[i as usize] == Set::Clamped);
        clamped.fold(0.0, |m, &i| m.max(solution.a[i as usize].abs()))
    }

    /// One step of iterative refinement.
    fn refine(&mut self, factorization: &mut impl Factorization, solution: &mut Solution) {
        for (x, &i) in self.x.iter_mut().zip(&self.active) {
            *x = -solution.a[i as usize];
        }
        factorization.solve(&mut self.x);
        for (x, &i) in self.x.iter().zip(&self.active) {
            solution.f[i as usize] += x;
        }
    }

    /// Gives the wrong rows the sets they ask for: all of them, or the last one only.
    fn exchange(&mut self, kinds: &[Row], acceptable: f64, single: bool, solution: &Solution) {
        for (i, kind) in kinds.iter().enumerate().rev() {
            if let Some(set) = wish(i, *kind, acceptable, solution) {
                self.sets[i] = set;
                if single {
                    break;
                }
            }
        }
    }
}

/// The set that a row asks for whose force is past a bound or that would move the wrong way; `None` if it is right.
fn wish(i: usize, kind: Row, acceptable: f64, solution: &Solution) -> Option<Set> {
    if kind == Row::Bilateral {
        return None;
    }
    let (f, a) = (solution.f[i], solution.a[i]);
    let (lo, hi) = kind.bounds(0.0);
    match solution.sets[i] {
        Set::Clamped => (f < lo).then_some(Set::Lower).or((f > hi).then_some(Set::Upper)),
        Set::Upper => (a > acceptable).then_some(Set::Clamped),
        _ => (a < -acceptable).then_some(Set::Clamped),
    }
}

#[cfg(test)]
mod tests;
