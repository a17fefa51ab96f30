//! The order in which rows are driven.

use super::{Driven, Pivoting};
use crate::dense::Dense;
use crate::tolerance::{ALIKE, CHUNK, DRIVE_FLOOR, NEIGHBOUR_ROWS};
use crate::{Error, Policy, Reason, Run, Set};
use engine2d_math::random::permutation;

impl Pivoting {
    /// How unacceptable the acceleration of row `i` is: 0 if it is fine where its force stands.
    #[inline]
    pub(super) fn unwanted(&self, i: usize) -> f64 {
        let (a, f) = (self.a[i], self.f[i]);
        if a < 0.0 {
            if f < self.hi[i] { -a } else { 0.0 }
        } else if f > self.lo[i] {
            a
        } else {
            0.0
        }
    }

    /// Unwanted acceleration that rounding explains: a share of the largest bias and of the force terms.
    #[inline]
    pub(super) fn floor(&self, p: Dense<'_>, i: usize, force_measure: f64) -> f64 {
        self.acceptable(i) + DRIVE_FLOOR * p.diagonal(i).sqrt() * force_measure
    }

    /// Whether a row whose turn has come has an acceleration to be driven to zero.
    fn needs_driving(&self, p: Dense<'_>, i: usize) -> bool {
        let unwanted = self.unwanted(i);
        unwanted > self.acceptable(i) && (self.uniform || unwanted > self.floor(p, i, self.force_measure(p)))
    }

    /// `Σ √A_jj |f_j|`.
    pub(super) fn force_measure(&self, p: Dense<'_>) -> f64 {
        let mut sum = 0.0;
        for (i, f) in self.f.iter().enumerate() {
            if *f != 0.0 {
                sum += p.diagonal(i).sqrt() * f.abs();
            }
        }
        sum
    }

    /// The cheap order: neighbours after each other, each acceleration computed when the row's turn comes. In dense problems
    /// some rows at once, so that they share the work of a step.
    pub(super) fn sweep(&mut self, p: Dense<'_>, run: &mut Run<'_>) -> Result<(), Error> {
        let n = p.b.len();
        let size = if !self.neighbours.sequence.is_empty() || n < NEIGHBOUR_ROWS { 1 } else { CHUNK };
        let mut from = 0;
        while from < n && !self.deadline.passed() {
            self.candidates.clear();
            for k in from..n.min(from + size) {
                let d = self.neighbours.sequence.get(k).copied().unwrap_or(k);
                if self.sets[d] != Set::Untreated {
                    continue;
                }
                self.a[d] = self.acceleration(p, d);
                self.order.push(d);
                if self.needs_driving(p, d) {
                    self.candidates.push(d);
                } else {
                    self.accept(d);
                }
            }
            from += size;
            if size > 1 {
                self.join(p, run);
            } else if let Some(d) = self.candidates.pop() {
                self.drive(p, d, &mut run.trace)?;
            }
        }
        Ok(())
    }

    /// Treats every row once in the order of a policy, with all accelerations current.
    pub(super) fn treat(&mut self, p: Dense<'_>, policy: Policy, run: &mut Run<'_>) -> Result<(), Error> {
        self.treated.clear();
        self.treated.extend(self.sets.iter().map(|s| *s != Set::Untreated));
        self.accelerations(p);
        while let Some(d) = self.next_row(policy, run)? {
            if self.deadline.passed() {
                break;
            }
            self.treated[d] = true;
            self.order.push(d);
            if self.needs_driving(p, d) {
                if let Driven::Done = self.drive(p, d, &mut run.trace)? {
                    self.accelerations(p);
                }
            } else if self.sets[d] == Set::Untreated {
                self.accept(d);
                self.report(&mut run.trace, d, Reason::Acceptable, 0.0);
            }
        }
        Ok(())
    }

    /// The next untreated row: bilateral ones first.
    fn next_row(&mut self, policy: Policy, run: &mut Run<'_>) -> Result<Option<usize>, Error> {
        let n = self.f.len();
        if matches!(policy, Policy::Hybrid | Policy::Random) {
            let rng = run.rng.as_mut().ok_or(Error::MissingGenerator)?;
            permutation(n, rng, &mut self.permutation);
        }
        let bilateral = |i: usize| self.lo[i] == f64::NEG_INFINITY && self.hi[i] == f64::INFINITY;
        let open = |i: usize| !self.treated[i];
        let largest = |want: bool| {
            let mut best: Option<usize> = None;
            for i in (0..n).filter(|&i| open(i) && bilateral(i) == want) {
                if best.is_none_or(|b| {
                    if want { self.a[i].abs() > self.a[b].abs() } else { self.a[i] < self.a[b] }
                }) {
                    best = Some(i);
                }
            }
            best
        };
        let first =
            |list: &[usize], want: bool| list.iter().copied().find(|&i| open(i) && bilateral(i) == want);
        Ok(match policy {
            Policy::MinAccel => largest(true).or_else(|| largest(false)),
            Policy::Hybrid => first(&self.permutation, true).or_else(|| largest(false)),
            Policy::Random => first(&self.permutation, true).or_else(|| first(&self.permutation, false)),
            Policy::PreOrdered => {
                let order = run.order.ok_or(Error::MissingOrder)?;
                first(order, true).or_else(|| first(order, false))
            }
        })
    }

    /// Puts a row that needs no force into NC.
    pub(super) fn accept(&mut self, d: usize) {
        self.sets[d] = if self.f[d] == self.lo[d] {
            Set::Lower
        } else if self.f[d] == self.hi[d] {
            Set::Upper
        } else {
            // Inside its bounds and already at rest: no force of its own is needed, nothing to hold yet.
            self.redundant += 1;
            Set::Redundant
        };
    }

    /// The row whose unwanted acceleration, in scaled terms, is largest among those above the floor; if all
    /// are acceptable, `None`. Leaves the others that are nearly as bad in `candidates`, in the cheap order.
    pub(super) fn worst(&mut self, p: Dense<'_>) -> Option<usize> {
        let mut best = None;
        let mut largest = 0.0;
        let mut measure = None;
        // In small problems one row at a time is cheaper.
        let many = self.a.len() >= NEIGHBOUR_ROWS;
        self.candidates.clear();
        for k in 0..self.a.len() {
            let i = self.neighbours.sequence.get(k).copied().unwrap_or(k);
            if self.sets[i] == Set::Clamped {
                continue;
            }
            let unwanted = self.unwanted(i);
            if unwanted <= self.acceptable(i) {
                continue;
            }
            let measure = *measure.get_or_insert_with(|| self.force_measure(p));
            if unwanted <= self.floor(p, i, measure) {
                continue;
            }
            let scaled = unwanted * unwanted / p.diagonal(i).max(f64::MIN_POSITIVE);
            if scaled > largest {
                (largest, best) = (scaled, Some(i));
            }
            if many && scaled >= ALIKE * ALIKE * largest {
                self.candidates.push(i);
            }
        }
        if self.candidates.len() > 1 {
            let mut candidates = std::mem::take(&mut self.candidates);
            let scaled = |i: usize| self.unwanted(i).powi(2) / p.diagonal(i).max(f64::MIN_POSITIVE);
            candidates.retain(|&i| scaled(i) >= ALIKE * ALIKE * largest);
            self.candidates = candidates;
        }
        best
    }
}
