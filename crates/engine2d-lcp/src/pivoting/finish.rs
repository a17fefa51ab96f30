//! After every row had its turn: accelerations anew, refinement, rows that became unacceptable, the end.

use super::{Dense, Driven, Pivoting};
use crate::tolerance::{RAY_RESIDUAL, REFINE, SHIFT_MARGIN, SOLVED};
use crate::{Error, Reason, Run, Status};
use engine2d_math::kernel::dot;

impl Pivoting {
    /// `a = A f + b`, row by row.
    pub(super) fn accelerations(&mut self, p: Dense<'_>) {
        for i in 0..self.a.len() {
            self.a[i] = self.acceleration(p, i);
        }
    }

    /// `a_i = Σ_j A_ij f_j + b_i`, over the nonzero entries where they are known.
    #[inline]
    pub(super) fn acceleration(&self, p: Dense<'_>, i: usize) -> f64 {
        let row = p.row(i);
        if self.sequence.is_empty() {
            return dot(row, &self.f) + self.bias[i];
        }
        let links = &self.links[self.link_start[i]..self.link_start[i + 1]];
        links.iter().fold(0.0, |sum, &j| sum + row[j as usize] * self.f[j as usize]) + self.bias[i]
    }

    /// Drives the worst row if one is left; otherwise says how the solve ended.
    pub(super) fn settle(
        &mut self,
        p: Dense<'_>,
        limit: usize,
        run: &mut Run<'_>,
    ) -> Result<Option<Status>, Error> {
        self.accelerations(p);
        let mut worst = self.worst(p);
        if worst.is_none() && self.refine(p) {
            worst = self.worst(p);
        }
        let Some(d) = worst else { return Ok(Some(Status::Solved)) };
        if self.stats.pivots >= limit {
            return Ok(Some(Status::PivotLimit));
        }
        self.order.push(d);
        if let Driven::Stuck = self.drive(p, d, &mut run.trace)? {
            return Ok(self.stuck(p, d, run));
        }
        Ok(None)
    }

    /// A step of iterative refinement on `A_CC f_C = −b_C − A_CN f_N` where rounding left more than its share; whether
    /// it did.
    fn refine(&mut self, p: Dense<'_>) -> bool {
        let largest = self.clamped.iter().fold(0.0_f64, |m, &i| m.max(self.a[i].abs()));
        if largest <= REFINE * self.bias_scale {
            return false;
        }
        self.stats.refinements += 1;
        let c = self.clamped.len();
        for k in 0..c {
            self.direction[k] = -self.a[self.clamped[k]];
        }
        self.factor.solve(&mut self.direction[..c]);
        for k in 0..c {
            let i = self.clamped[k];
            self.f[i] = (self.f[i] + self.direction[k]).clamp(self.lo[i], self.hi[i]);
        }
        self.accelerations(p);
        true
    }

    /// A redundant row whose drive nothing blocks. If the bound of the ray exceeds the tolerance, the problem
    /// has no solution. If not, the rows of the ray share the contradiction: shifting their bias by the bound
    /// makes them consistent, and no row misses its condition by more.
    fn stuck(&mut self, p: Dense<'_>, d: usize, run: &mut Run<'_>) -> Option<Status> {
        let n = p.b.len();
        let sign = if self.a[d] < 0.0 { 1.0 } else { -1.0 };
        self.ray.clear();
        self.ray.resize(n, 0.0);
        for (&i, v) in self.clamped.iter().zip(&self.direction) {
            let open = if *v > 0.0 { self.hi[i] == f64::INFINITY } else { self.lo[i] == f64::NEG_INFINITY };
            self.ray[i] = if open { *v } else { 0.0 };
        }
        self.ray[d] = sign;
        let norm: f64 = self.ray.iter().map(|v| v.abs()).sum();
        let bound = -dot(&self.ray, p.b) / (self.bias_scale * norm);
        if bound > SOLVED {
            let largest = p.a.iter().fold(0.0_f64, |m, a| m.max(a.abs()));
            if (0..n).all(|i| dot(p.row(i), &self.ray).abs() <= RAY_RESIDUAL * largest * norm) {
                self.report(&mut run.trace, d, Reason::Ray, 0.0);
                return Some(Status::Infeasible);
            }
            self.ray.clear();
            return Some(Status::NoProgress);
        }
        let slope = -dot(&self.ray, &self.bias);
        let shift = SHIFT_MARGIN * slope / norm;
        if !(shift > 0.0) {
            self.ray.clear();
            return Some(Status::NoProgress);
        }
        for (b, v) in self.bias.iter_mut().zip(&self.ray) {
            if *v != 0.0 {
                *b += shift * v.signum();
            }
        }
        self.ray.clear();
        self.repair(p);
        None
    }

    /// Forces of C for the shifted bias; what leaves its bounds goes to them.
    fn repair(&mut self, p: Dense<'_>) {
        self.accelerations(p);
        self.refine(p);
    }
}
