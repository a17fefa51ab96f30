//! After every row had its turn: accelerations anew, refinement, rows that became unacceptable, the end.

use super::{Dense, Driven, Pivoting};
use crate::tolerance::{RAY_RESIDUAL, REFINE, SOLVED};
use crate::{Error, Reason, Run, Set, Status};
use engine2d_math::kernel::dot;

impl Pivoting {
    /// `a = A f + b`, row by row.
    pub(super) fn accelerations(&mut self, p: Dense<'_>) {
        for (i, a) in self.a.iter_mut().enumerate() {
            *a = dot(p.row(i), &self.f) + p.b[i];
        }
    }

    /// Drives the worst row if one is left; otherwise says how the solve ended.
    pub(super) fn settle(
        &mut self,
        p: Dense<'_>,
        limit: usize,
        run: &mut Run<'_>,
    ) -> Result<Option<Status>, Error> {
        self.accelerations(p);
        self.refine(p);
        let Some(d) = self.worst(p) else { return Ok(Some(Status::Solved)) };
        if self.stats.pivots >= limit {
            return Ok(Some(Status::PivotLimit));
        }
        self.order.push(d);
        if let Driven::Stuck = self.drive(p, d, &mut run.trace)? {
            return Ok(self.stuck(p, d, run));
        }
        Ok(None)
    }

    /// A step of iterative refinement on `A_CC f_C = −b_C − A_CN f_N` where rounding left more than its share.
    fn refine(&mut self, p: Dense<'_>) {
        let largest = self.clamped.iter().fold(0.0_f64, |m, &i| m.max(self.a[i].abs()));
        if largest <= REFINE * self.bias_scale {
            return;
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
    }

    /// A redundant row whose drive nothing blocks: a ray if its bound exceeds the tolerance, otherwise a row
    /// that is satisfied within it and left alone.
    fn stuck(&mut self, p: Dense<'_>, d: usize, run: &mut Run<'_>) -> Option<Status> {
        let n = p.b.len();
        let sign = if self.a[d] < 0.0 { 1.0 } else { -1.0 };
        self.ray.clear();
        self.ray.resize(n, 0.0);
        for (&i, v) in self.clamped.iter().zip(&self.direction) {
            let one_sided = v.signum() * f64::INFINITY;
            let open = if *v > 0.0 { self.hi[i] == one_sided } else { self.lo[i] == one_sided };
            self.ray[i] = if open { *v } else { 0.0 };
        }
        self.ray[d] = sign;
        let norm: f64 = self.ray.iter().map(|v| v.abs()).sum();
        let slope = dot(&self.ray, p.b);
        let bound = -slope / (self.bias_scale * norm);
        let largest = p.a.iter().fold(0.0_f64, |m, a| m.max(a.abs()));
        let flat = (0..n).all(|i| dot(p.row(i), &self.ray).abs() <= RAY_RESIDUAL * largest * norm);
        if flat && bound > SOLVED {
            self.report(&mut run.trace, d, Reason::Ray, 0.0);
            return Some(Status::Infeasible);
        }
        self.ray.clear();
        // Satisfied within tolerance: closed for good, so that it is not driven again.
        self.sets[d] = Set::Redundant;
        Some(Status::NoProgress)
    }
}
