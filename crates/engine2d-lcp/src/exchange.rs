//! The lean path for some dozen to some hundred rows: guess which rows carry force, eliminate in the cheap order, exchange
//! what is wrong, all at once.
//!
//! As [`crate::small`] does for few rows, but over the entries that are not zero: one elimination inside the envelope, one
//! product and one look at every row make a round [Júdice, Pires 1994]. An answer whose sets were known takes one round.
//! Without sets to start from it is tried where most of what carries force is known: in stacks, where nearly everything does,
//! and in mechanisms. When rounds no longer lower the number of wrong rows, or at a pivot that leaves doubt, the general method
//! takes over, from the sets of the best round. What is answered carries the same certificate.

use crate::pivoting::{Dense, Neighbours};
use crate::tolerance::{
    ACCEPTABLE, CLEAR_RANK, EXCHANGE_BILATERAL, EXCHANGE_FEW, EXCHANGE_PATIENCE, EXCHANGE_SINGLES,
    EXCHANGE_ZERO,
};
use crate::{Row, Set, Solution};
use engine2d_math::envelope::{Envelope, Rank};
use engine2d_math::kernel::dot;

/// The place of a row that is not in C.
const NOWHERE: u32 = u32::MAX;

/// Scratch of the lean path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exchange {
    /// C in the cheap order.
    active: Vec<u32>,
    /// The place of each row in C.
    place: Vec<u32>,
    reach: Vec<usize>,
    envelope: Envelope,
    x: Vec<f64>,
    carries: Vec<bool>,
    /// The sets of the best round.
    pub(crate) sets: Vec<Set>,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The answer is in the solution.
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
    /// Forces, accelerations and sets of a problem of bilateral and unilateral rows, from the sets of an earlier answer if
    /// given.
    pub(crate) fn solve(
        &mut self,
        p: Dense<'_>,
        kinds: &[Row],
        neighbours: &Neighbours,
        warm: Option<&[Set]>,
        solution: &mut Solution,
    ) -> Outcome {
        let n = p.b.len();
        if !self.guess(p, kinds, neighbours, warm) {
            return Outcome::Nothing;
        }
        let scale = p.b.iter().fold(1.0_f64, |m, b| if b.abs() > m { b.abs() } else { m });
        let acceptable = ACCEPTABLE * scale;
        solution.clear(n);
        let (mut progress, mut outcome) = (Progress::new(n), Outcome::Nothing);
        loop {
            solution.stats.factorizations += 1;
            if !self.eliminate(p, neighbours) {
                return outcome;
            }
            self.spread(solution);
            accelerations(p, neighbours, solution);
            if self.unrest(solution) > acceptable {
                self.refine(solution);
                accelerations(p, neighbours, solution);
                if self.unrest(solution) > acceptable {
                    return outcome;
                }
                solution.stats.refinements += 1;
            }
            let wrong = |(i, kind): &(usize, &Row)| Self::wrong(*i, **kind, acceptable, solution);
            let changes = kinds.iter().enumerate().filter(wrong).count();
            if changes == 0 {
                solution.order.extend(self.active.iter().map(|&i| i as usize));
                let still = |(a, set): (&f64, &Set)| a.abs() <= acceptable || *set == Set::Lower;
                let all = solution.a.iter().zip(&solution.sets).all(still);
                return if all { Outcome::Solved } else { outcome };
            }
            solution.stats.pivots += changes;
            if changes < progress.fewest {
                self.sets.clone_from(&solution.sets);
                outcome = Outcome::Sets;
            }
            let Some(single) = progress.goes_on(changes) else { return outcome };
            self.exchange(kinds, acceptable, single, solution);
        }
    }

    /// Which rows probably carry force; `false` if that is anyone's guess, or for other kinds of rows.
    fn guess(&mut self, p: Dense<'_>, kinds: &[Row], neighbours: &Neighbours, warm: Option<&[Set]>) -> bool {
        let bilateral = kinds.iter().filter(|kind| **kind == Row::Bilateral).count();
        let narrow = neighbours.narrow && bilateral == 0;
        if warm.is_none() && !narrow && ((bilateral as f64) < EXCHANGE_BILATERAL * kinds.len() as f64) {
            return false;
        }
        self.carries.clear();
        for (i, kind) in kinds.iter().enumerate() {
            self.carries.push(match (kind, warm) {
                (Row::Bilateral, _) => true,
                (Row::Unilateral, Some(sets)) => sets[i] == Set::Clamped,
                // In a stack nearly everything carries force; elsewhere, mostly what is pressed by what lies on it.
                (Row::Unilateral, None) => narrow || p.b[i] <= 0.0,
                _ => return false,
            });
        }
        true
    }

    /// Solves `A_CC x = −b_C`; `false` if a pivot leaves doubt.
    fn eliminate(&mut self, p: Dense<'_>, neighbours: &Neighbours) -> bool {
        let n = p.b.len();
        self.active.clear();
        self.place.clear();
        self.place.resize(n, NOWHERE);
        for k in 0..n {
            let i = neighbours.sequence.get(k).copied().unwrap_or(k);
            if self.carries[i] {
                self.place[i] = self.active.len() as u32;
                self.active.push(i as u32);
            }
        }
        let c = self.active.len();
        self.reach.clear();
        self.x.clear();
        for (k, &i) in self.active.iter().enumerate() {
            self.x.push(-p.b[i as usize]);
            self.reach.push(if neighbours.sequence.is_empty() {
                c
            } else {
                let (links, _) = neighbours.row(i as usize);
                let places = links.iter().map(|&j| self.place[j as usize]).filter(|place| *place != NOWHERE);
                places.fold(k, |far, place| far.max(place as usize)) + 1
            });
        }
        self.envelope.shape(&self.reach);
        for (k, &i) in self.active.iter().enumerate() {
            let target = self.envelope.row_mut(k);
            if neighbours.sequence.is_empty() {
                let row = p.row(i as usize);
                for (t, &j) in target.iter_mut().zip(&self.active[k..]) {
                    *t = row[j as usize];
                }
            } else {
                let (links, values) = neighbours.row(i as usize);
                for (&j, a) in links.iter().zip(values) {
                    let place = self.place[j as usize];
                    if place != NOWHERE && place as usize >= k {
                        target[place as usize - k] = *a;
                    }
                }
            }
        }
        self.envelope.eliminate(&mut self.x, CLEAR_RANK, EXCHANGE_ZERO) != Rank::Doubtful
    }

    /// The forces and the sets that the elimination found.
    fn spread(&self, solution: &mut Solution) {
        solution.f.fill(0.0);
        solution.sets.fill(Set::Lower);
        for (k, &i) in self.active.iter().enumerate() {
            let dependent = self.envelope.is_dependent(k);
            solution.f[i as usize] = self.x[k];
            solution.sets[i as usize] = if dependent { Set::Redundant } else { Set::Clamped };
        }
    }

    /// The largest acceleration of a row that should have none.
    fn unrest(&self, solution: &Solution) -> f64 {
        let clamped = self.active.iter().filter(|&&i| solution.sets[i as usize] == Set::Clamped);
        clamped.fold(0.0, |m, &i| m.max(solution.a[i as usize].abs()))
    }

    /// One step of iterative refinement.
    fn refine(&mut self, solution: &mut Solution) {
        for (x, &i) in self.x.iter_mut().zip(&self.active) {
            *x = -solution.a[i as usize];
        }
        self.envelope.solve(&mut self.x);
        for (x, &i) in self.x.iter().zip(&self.active) {
            solution.f[i as usize] += x;
        }
    }

    /// Whether row `i` pulls or would approach.
    fn wrong(i: usize, kind: Row, acceptable: f64, solution: &Solution) -> bool {
        kind == Row::Unilateral
            && if solution.sets[i] == Set::Clamped {
                solution.f[i] < 0.0
            } else {
                solution.a[i] < -acceptable
            }
    }

    /// Takes out what pulls and takes in what would approach: all of it, or the last one only.
    fn exchange(&mut self, kinds: &[Row], acceptable: f64, single: bool, solution: &Solution) {
        for (i, kind) in kinds.iter().enumerate().rev() {
            if Self::wrong(i, *kind, acceptable, solution) {
                self.carries[i] = solution.sets[i] != Set::Clamped;
                if single {
                    break;
                }
            }
        }
    }
}

/// `a = A f + b`.
fn accelerations(p: Dense<'_>, neighbours: &Neighbours, solution: &mut Solution) {
    let Solution { f, a, .. } = solution;
    for (i, (a, b)) in a.iter_mut().zip(p.b).enumerate() {
        *a = if neighbours.sequence.is_empty() { dot(p.row(i), f) } else { neighbours.product(i, f) } + b;
    }
}

#[cfg(test)]
mod tests;
