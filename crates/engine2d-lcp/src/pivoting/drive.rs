//! Driving one row to zero acceleration.

use super::{Driven, Pivoting};
use crate::dense::Dense;
use crate::tolerance::{CLEAR_PIVOT, NOT_PSD, NOT_PSD_MARGIN, PIVOT_ROUNDING, ROUNDING, TINY};
use crate::{Error, Reason, Set, Trace};

/// What ends a step.
enum Block {
    /// The driven row reaches zero acceleration.
    Zero,
    /// The driven row reaches its own bound.
    Own,
    /// The clamped row in this place of C reaches a bound.
    Clamped(usize),
}

impl Pivoting {
    /// Drives `d`, whose acceleration `self.a[d]` is current, until it is zero or `d` is at its bound. Other
    /// accelerations are not updated.
    ///
    /// Let `δ` be the Schur complement of `d`. If `δ = 0`, the direction `v` changes no acceleration at all
    /// (`vᵀA v = 0` implies `A v = 0` in a semidefinite matrix). Either a clamped row `i` reaches a bound; then
    /// `v_i ≠ 0`, so that `A` on `C ∖ i ∪ d` is regular and the drive goes on. Or `d` reaches its own bound. Or
    /// nothing blocks: `v` is a ray. Luck plays no part.
    pub(super) fn drive(
        &mut self,
        p: Dense<'_>,
        d: usize,
        trace: &mut Option<&mut dyn Trace>,
    ) -> Result<Driven, Error> {
        let row = p.row(d);
        let diagonal = row[d];
        let sign = if self.a[d] < 0.0 { 1.0 } else { -1.0 };
        if self.sets[d] == Set::Redundant {
            self.redundant -= 1;
            self.sets[d] = Set::Untreated;
        }
        loop {
            let pivot = self.aim(row, diagonal, sign);
            if pivot < -NOT_PSD * diagonal && pivot < -NOT_PSD_MARGIN * self.pivot_rounding(p, d) {
                return Err(Error::NotPsd { row: d, pivot });
            }
            let redundant = self.redundant_pivot(p, d, pivot);
            let (step, block) = self.longest_step(p, d, sign, if redundant { 0.0 } else { pivot });
            if step == f64::INFINITY {
                self.sets[d] = Set::Redundant;
                self.redundant += 1;
                self.stats.rejects += 1;
                self.report(trace, d, Reason::Deferred, 0.0);
                return Ok(Driven::Stuck);
            }
            self.stats.zero_steps += usize::from(step == 0.0);
            for (&i, v) in self.clamped.iter().zip(&self.direction) {
                self.f[i] += step * v;
            }
            self.f[d] += step * sign;
            match block {
                Block::Zero => {
                    let c = self.clamped.len();
                    self.factor.push(&self.forwarded[..c], pivot);
                    self.clamped.push(d);
                    self.sets[d] = Set::Clamped;
                    self.a[d] = 0.0;
                    self.report(trace, d, Reason::Solved, step);
                    return Ok(Driven::Done);
                }
                Block::Own => {
                    (self.f[d], self.sets[d]) =
                        if sign > 0.0 { (self.hi[d], Set::Upper) } else { (self.lo[d], Set::Lower) };
                    self.a[d] += step * sign * pivot;
                    self.report(trace, d, Reason::OwnBound, step);
                    return Ok(Driven::Done);
                }
                Block::Clamped(k) => {
                    let upper = self.direction[k] > 0.0;
                    let i = self.release(k, upper);
                    if !redundant {
                        self.a[d] += step * sign * pivot;
                    }
                    self.report(trace, i, Reason::Blocked, step);
                }
            }
        }
    }

    /// Whether a row whose direction was just worked out is a combination of C as far as rounding lets tell.
    #[inline]
    fn redundant_pivot(&self, p: Dense<'_>, d: usize, pivot: f64) -> bool {
        let share = pivot / p.diagonal(d);
        !(share > self.threshold && pivot > TINY) || share < CLEAR_PIVOT && pivot <= self.pivot_rounding(p, d)
    }

    /// As [`Self::redundant_pivot`] where only `L⁻¹ A_Cd` is known yet.
    #[inline]
    pub(super) fn doubtful(&mut self, p: Dense<'_>, d: usize, pivot: f64) -> bool {
        if pivot >= CLEAR_PIVOT * p.diagonal(d) {
            return false;
        }
        let c = self.clamped.len();
        let (forwarded, direction) = (&self.forwarded[..c], &mut self.direction[..c]);
        direction.copy_from_slice(forwarded);
        self.factor.divide(direction);
        self.factor.backward(direction);
        pivot <= self.pivot_rounding(p, d)
    }

    /// What rounding may leave of a pivot that is zero. It is `vᵀA v` for the direction `v` of a unit push: entries of `A` that
    /// are wrong in the last place, `|E_ij| ≤ ε √(A_ii A_jj)`, change it by `vᵀE v ≤ ε (Σ |v_i| √A_ii)²`.
    fn pivot_rounding(&self, p: Dense<'_>, d: usize) -> f64 {
        let sum = self.clamped.iter().zip(&self.direction).map(|(&i, v)| v.abs() * p.diagonal(i).sqrt());
        PIVOT_ROUNDING * (sum.sum::<f64>() + p.diagonal(d).sqrt()).powi(2)
    }

    /// Direction of C for a unit push of `sign` on the row; returns the row's pivot. Leaves `L⁻¹ A_Cd` in
    /// `forwarded`.
    #[inline]
    fn aim(&mut self, row: &[f64], diagonal: f64, sign: f64) -> f64 {
        let c = self.clamped.len();
        let (forwarded, direction) = (&mut self.forwarded[..c], &mut self.direction[..c]);
        for (y, &i) in forwarded.iter_mut().zip(&self.clamped) {
            *y = row[i];
        }
        self.factor.forward(forwarded);
        let pivot = self.factor.pivot_of(diagonal, forwarded);
        for (v, y) in direction.iter_mut().zip(forwarded.iter()) {
            *v = -sign * y;
        }
        self.factor.divide(direction);
        self.factor.backward(direction);
        pivot
    }

    /// How far the direction may be followed, and what stops it. A `pivot` of 0 means that the driven row does
    /// not gain by it. Ties go to the clamped row with the largest slope: the one whose removal leaves the
    /// best conditioned set.
    #[inline]
    fn longest_step(&self, p: Dense<'_>, d: usize, sign: f64, pivot: f64) -> (f64, Block) {
        let mut step = if pivot > 0.0 { self.a[d].abs() / pivot } else { f64::INFINITY };
        let mut block = Block::Zero;
        let room = if sign > 0.0 { self.hi[d] - self.f[d] } else { self.f[d] - self.lo[d] };
        if room < step {
            (step, block) = (room.max(0.0), Block::Own);
        }
        let share = if pivot > 0.0 { ROUNDING } else { self.flat_redundant };
        let flat = share * share * p.diagonal(d);
        match self.first_block(p, step, flat) {
            (step, Some(_)) if pivot == 0.0 && step > self.certifiable(p, d) => (f64::INFINITY, block),
            (step, Some(k)) => (step, Block::Clamped(k)),
            (step, None) => (step, block),
        }
    }

    /// The largest step of a redundant row that counts.
    fn certifiable(&self, p: Dense<'_>, d: usize) -> f64 {
        self.reach * self.bias_scale / (f64::EPSILON * p.diagonal(d))
    }

    /// How far C may follow its direction, at most `step`, and the place of the row that stops it. Components whose
    /// square, in scaled terms, is at most `flat` count as rounding.
    #[inline]
    pub(super) fn first_block(&self, p: Dense<'_>, mut step: f64, flat: f64) -> (f64, Option<usize>) {
        let (mut block, mut slope) = (None, 0.0);
        for (k, (&i, &v)) in self.clamped.iter().zip(&self.direction).enumerate() {
            let room = if v < 0.0 { self.f[i] - self.lo[i] } else { self.hi[i] - self.f[i] };
            let size = v.abs();
            if room <= step * size && room < f64::INFINITY && size * size * p.diagonal(i) > flat {
                let length = room.max(0.0) / size;
                if length < step || length == step && size > slope {
                    (step, block, slope) = (length, Some(k), size);
                }
            }
        }
        (step, block)
    }

    /// Takes the row in place `k` of C out, to its upper or lower bound; returns its index.
    pub(super) fn release(&mut self, k: usize, upper: bool) -> usize {
        let i = self.clamped.remove(k);
        self.factor.remove(k);
        (self.f[i], self.sets[i]) = if upper { (self.hi[i], Set::Upper) } else { (self.lo[i], Set::Lower) };
        i
    }
}
