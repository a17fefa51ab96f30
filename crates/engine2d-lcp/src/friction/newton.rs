//! Semismooth Newton on the coupled conditions of normal and friction rows.

use super::{Friction, accelerations};
use crate::tolerance::{NEWTON_REFINEMENTS, NEWTON_STEPS, PROXIMAL};
use crate::{Certificate, Lcp, Row, Set, Stats};

impl Friction {
    /// Improves `trial`, starting from the sets of the last convex problem; returns the best certificate seen,
    /// with `trial` at that point.
    pub(super) fn newton(
        &mut self,
        problem: &Lcp<'_>,
        order: &[usize],
        tolerance: f64,
        stats: &mut Stats,
    ) -> f64 {
        let mut best = f64::INFINITY;
        self.start.clone_from(&self.sets);
        self.kept.clone_from(&self.trial);
        for _ in 0..NEWTON_STEPS {
            if !self.solve_sets(problem, order) {
                break;
            }
            stats.factorizations += 1;
            accelerations(&self.rows, problem.bias(), &self.trial, &mut self.a);
            let certificate = Certificate::of_accelerations(problem, &self.trial, &self.a, f64::INFINITY);
            if certificate.excess < best {
                best = certificate.excess;
                self.kept.copy_from_slice(&self.trial);
            }
            if best <= tolerance || !self.update_sets(problem) {
                break;
            }
        }
        self.trial.copy_from_slice(&self.kept);
        self.sets.copy_from_slice(&self.start);
        best
    }

    /// The forces for fixed sets: clamped rows at rest, slipping rows at `±μ f_n`. `order` keeps neighbours
    /// close, so that the factors stay narrow; it may be empty.
    fn solve_sets(&mut self, problem: &Lcp<'_>, order: &[usize]) -> bool {
        let n = problem.len();
        let kinds = problem.kinds();
        self.active.clear();
        self.place.clear();
        self.place.resize(n, usize::MAX);
        for k in 0..n {
            let i = order.get(k).copied().unwrap_or(k);
            if self.sets[i] == Set::Clamped || kinds[i] == Row::Bilateral {
                self.place[i] = self.active.len();
                self.active.push(i);
            }
        }
        let m = self.active.len();
        let matrix = self.lu.load(m);
        for (k, &i) in self.active.iter().enumerate() {
            let (columns, values) = self.rows.row(i);
            let target = &mut matrix[k * m..(k + 1) * m];
            for (&j, v) in columns.iter().zip(values) {
                if self.place[j] < m {
                    target[self.place[j]] += v;
                } else if let (Row::Friction { normal, mu }, Some(sign)) = (kinds[j], slip(self.sets[j]))
                    && self.place[normal] < m
                {
                    target[self.place[normal]] += sign * mu * v;
                }
                if j == i {
                    target[k] += PROXIMAL * v;
                }
            }
        }
        if self.lu.factor().is_none() {
            return false;
        }
        for (i, kind) in kinds.iter().enumerate() {
            if self.place[i] == usize::MAX {
                self.trial[i] = match *kind {
                    Row::Boxed { lo, hi } => {
                        if self.sets[i] == Set::Upper {
                            hi
                        } else {
                            lo.max(f64::MIN).min(hi)
                        }
                    }
                    _ => 0.0,
                };
            }
        }
        self.slide(problem);
        for _ in 0..NEWTON_REFINEMENTS {
            accelerations(&self.rows, problem.bias(), &self.trial, &mut self.a);
            for (k, &i) in self.active.iter().enumerate() {
                self.rhs[k] = -self.a[i];
            }
            self.lu.solve(&mut self.rhs[..m]);
            for (k, &i) in self.active.iter().enumerate() {
                self.trial[i] += self.rhs[k];
            }
            self.slide(problem);
        }
        self.trial.iter().all(|f| f.is_finite())
    }

    /// Sets slipping rows to their limits.
    fn slide(&mut self, problem: &Lcp<'_>) {
        for (i, kind) in problem.kinds().iter().enumerate() {
            if let (Row::Friction { normal, mu }, Some(sign)) = (*kind, slip(self.sets[i])) {
                self.trial[i] = sign * mu * self.trial[normal].max(0.0);
            }
        }
    }

    /// The sets that forces and accelerations ask for; `false` if they are the same as before.
    fn update_sets(&mut self, problem: &Lcp<'_>) -> bool {
        let mut changed = false;
        for (i, kind) in problem.kinds().iter().enumerate() {
            let normal = if let Row::Friction { normal, .. } = *kind { self.trial[normal] } else { 0.0 };
            let (lo, hi) = kind.bounds(normal);
            let wish = self.trial[i] - self.a[i] / self.diagonal[i].max(f64::MIN_POSITIVE);
            let set = if wish <= lo {
                Set::Lower
            } else if wish >= hi {
                Set::Upper
            } else {
                Set::Clamped
            };
            changed |= set != self.sets[i];
            self.sets[i] = set;
        }
        changed
    }
}

/// Direction in which a slipping row pulls; `None` if it sticks.
fn slip(set: Set) -> Option<f64> {
    match set {
        Set::Lower => Some(-1.0),
        Set::Upper => Some(1.0),
        _ => None,
    }
}
