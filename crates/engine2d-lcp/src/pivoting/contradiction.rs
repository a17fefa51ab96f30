//! Demands that contradict each other: a proof that there is no solution, or, within the tolerance, a shift of the bias
//! that reconciles them.

use super::Pivoting;
use crate::dense::Dense;
use crate::double::Double;
use crate::tolerance::{BILATERAL_SHIFT, REFINEMENTS, SHIFT_MARGIN};
use crate::{Reason, Run, Set, Status};
use engine2d_math::kernel::{axpy, dot};

impl Pivoting {
    /// Bilateral rows that are combinations of others, with demands that are not: shifts the bias of all of them by its
    /// component in the null space of their matrix, the least shift that makes them consistent, if that is within the
    /// tolerance. Returns whether it shifted; C holds the bilateral rows only.
    ///
    /// With `v_r` the null vector of the redundant row `r` and `s_r = v_rᵀ b`, the component is `Vᵀ (V Vᵀ)⁻¹ s`.
    pub(super) fn reconcile(&mut self, p: Dense<'_>) -> bool {
        let (n, c) = (p.b.len(), self.clamped.len());
        let rejected = |&i: &usize| self.sets[i] == Set::Redundant;
        let contradicts = |&i: &usize| rejected(&i) && self.acceleration(p, i).abs() > self.acceptable(i);
        if !self.permutation.iter().any(contradicts) {
            return false;
        }
        // Rows of V: the part on C, then one number for each redundant row.
        let redundant: Vec<usize> = self.permutation.iter().copied().filter(|i| rejected(i)).collect();
        let k = redundant.len();
        let mut v = vec![0.0; k * c];
        let mut slopes = vec![0.0; k];
        self.gram.reset(k);
        let mut column = vec![0.0; k];
        for (r, &i) in redundant.iter().enumerate() {
            slopes[r] = self.acceleration(p, i);
            let (before, row) = v.split_at_mut(r * c);
            let row = &mut row[..c];
            for (v, &j) in row.iter_mut().zip(&self.clamped) {
                *v = -p.row(i)[j];
            }
            self.factor.solve(row);
            for (s, other) in before.chunks_exact(c.max(1)).enumerate() {
                column[s] = dot(row, other);
            }
            self.gram.forward(&mut column[..r]);
            let pivot = self.gram.pivot_of(1.0 + dot(row, row), &column[..r]);
            self.gram.push(&column[..r], pivot);
        }
        self.gram.solve(&mut slopes);
        let mut shift = vec![0.0; n];
        for (r, &i) in redundant.iter().enumerate() {
            axpy(slopes[r], &v[r * c..(r + 1) * c], &mut self.direction[..c]);
            shift[i] = slopes[r];
        }
        for (k, &i) in self.clamped.iter().enumerate() {
            shift[i] = std::mem::take(&mut self.direction[k]);
        }
        self.measure_rows(p);
        let limit = BILATERAL_SHIFT * self.tolerance;
        if !shift.iter().zip(&self.scales.bias).all(|(s, scale)| s.abs() <= limit * scale) {
            return false;
        }
        axpy(-1.0, &shift, &mut self.bias);
        self.shifted = true;
        true
    }

    /// A redundant row whose drive nothing blocks. If the bound of the ray exceeds the tolerance, the problem
    /// has no solution. If not, the rows of the ray share the contradiction: shifting their bias makes them consistent,
    /// and no row misses its condition by more than the tolerance.
    pub(super) fn stuck(&mut self, p: Dense<'_>, d: usize, run: &mut Run<'_>) -> Option<Status> {
        let n = p.b.len();
        let sign = if self.a[d] < 0.0 { 1.0 } else { -1.0 };
        self.ray.clear();
        self.ray.resize(n, 0.0);
        for (&i, v) in self.clamped.iter().zip(&self.direction) {
            let open = if *v > 0.0 { self.hi[i] == f64::INFINITY } else { self.lo[i] == f64::NEG_INFINITY };
            self.ray[i] = if open { *v } else { 0.0 };
        }
        self.ray[d] = sign;
        self.measure_rows(p);
        let weight: f64 = self.ray.iter().zip(&self.scales.bias).map(|(v, scale)| v.abs() * scale).sum();
        if -dot(&self.ray, p.b) > self.tolerance * weight {
            // Whether it is a ray, and proves as much, is judged from the inputs.
            self.polish_ray(p);
            self.report(&mut run.trace, d, Reason::Ray, 0.0);
            return Some(Status::Infeasible);
        }
        let end = if self.share_out(p) { None } else { Some(Status::NoProgress) };
        self.ray.clear();
        if end.is_none() {
            self.accelerations(p);
            self.refine(p);
        }
        end
    }

    /// Takes from the ray what is not in the null space of C, by refinement with residuals of twice the digits.
    fn polish_ray(&mut self, p: Dense<'_>) {
        let c = self.clamped.len();
        for _ in 0..REFINEMENTS {
            for (target, &i) in self.direction[..c].iter_mut().zip(&self.clamped) {
                let terms = p.row(i).iter().zip(&self.ray).filter(|(_, v)| **v != 0.0);
                *target = terms.fold(Double::default(), |sum, (a, v)| sum.add_product(*a, *v)).value();
            }
            self.factor.solve(&mut self.direction[..c]);
            for (change, &i) in self.direction[..c].iter().zip(&self.clamped) {
                let v = self.ray[i] - change;
                let open =
                    if v > 0.0 { self.hi[i] == f64::INFINITY } else { self.lo[i] == f64::NEG_INFINITY };
                self.ray[i] = if open && v.is_finite() { v } else { 0.0 };
            }
        }
    }

    /// Shifts the bias along the ray until it proves nothing: by the least shift, a multiple of the ray, if no row gets
    /// much, otherwise evenly. `false` if there is nothing to shift, or a row would miss its condition by more
    /// than the tolerance.
    fn share_out(&mut self, p: Dense<'_>) -> bool {
        let slope = -SHIFT_MARGIN * dot(&self.ray, &self.bias);
        if !(slope > 0.0) {
            return false;
        }
        let scales = &self.scales.bias;
        let (norm, square, largest) =
            self.ray.iter().zip(scales).fold((0.0, 0.0, 0.0_f64), |(norm, square, largest), (v, s)| {
                (norm + v.abs() * s, square + v * v * s * s, largest.max(v.abs() * s))
            });
        let limit = SHIFT_MARGIN * self.tolerance;
        let even = largest * slope / square > BILATERAL_SHIFT * limit;
        for ((b, v), s) in self.bias.iter_mut().zip(&self.ray).zip(scales) {
            if *v != 0.0 {
                *b += if even { v.signum() * s * slope / norm } else { v * s * s * slope / square };
            }
        }
        self.shifted = true;
        self.bias.iter().zip(p.b).zip(scales).all(|((shifted, b), s)| (shifted - b).abs() <= limit * s)
    }
}
