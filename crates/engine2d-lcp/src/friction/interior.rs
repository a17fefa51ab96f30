//! Coulomb friction from the inside: a smoothed interior point over the generators of the friction cones.
//!
//! **Problem.** With `r = λ⁺(1, μ) + λ⁻(1, −μ)`, `w± = u_n ± μ u_t` and `s = μ|u_t|` [De Saxcé, Feng 1998] the conditions of a contact
//! are `0 ≤ λ± ⊥ w± + s ≥ 0`. **Method.** `|·|` is smoothed along the way to the boundary, `s = √((μ u_t)² + c² κ D²)` with
//! `κ = λ y`, and both are solved by one Newton loop with predictor and corrector [Mehrotra 1992], by bodies. As soon as the
//! point is near a solution its sets are tried. **Promise.** None, the problem is not monotone: the certificate tells.

use super::Friction;
use super::start::Goal;
use crate::tolerance::{
    BOUNDARY, CONE_CROSSOVER, CONE_EDGE, CONE_FALL, CONE_NEWTON, CONE_SMOOTHING, CONE_STALL, INTERIOR_STEPS,
    LEAST_WEIGHT, WEIGHT,
};
use crate::{Certificate, Lcp, Row, Set, Stats};

/// A contact: its rows, and the multipliers of the generators with their complements in units of force.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    normal: u32,
    /// Row and coefficient of friction, unless it has none.
    slip: Option<(u32, f64)>,
    diagonal: f64,
    force: [f64; 2],
    room: [f64; 2],
    step: [f64; 2],
    room_step: [f64; 2],
    /// Whether the system has its generators for directions.
    split: bool,
    /// `K⁻¹` of the last factorization.
    inverse: [[f64; 2]; 2],
    /// `τ = d/s`, and what is left of `w + s − D y`.
    tilt: f64,
    left: [f64; 2],
}

impl Cone {
    /// A contact without forces, with the row and coefficient of its friction if it has any.
    fn new(normal: u32, slip: Option<(u32, f64)>, diagonal: f64) -> Self {
        let zero = [0.0; 2];
        Self {
            normal,
            slip,
            diagonal,
            force: zero,
            room: zero,
            step: zero,
            room_step: zero,
            split: false,
            inverse: [zero; 2],
            tilt: 0.0,
            left: zero,
        }
    }

    fn generators(&self) -> usize {
        1 + usize::from(self.slip.is_some())
    }

    /// `w±`, from the accelerations.
    fn approach(&self, a: &[f64]) -> [f64; 2] {
        let along = self.slip.map_or(0.0, |(t, mu)| mu * a[t as usize]);
        [a[self.normal as usize] + along, a[self.normal as usize] - along]
    }

    /// Takes the change of forces that press as it was found: from what they move it would have to be divided by next to nothing.
    fn take_found(&mut self, change: &[f64]) {
        let normal = change[self.normal as usize];
        let found = match self.slip {
            None => [normal, 0.0],
            Some((t, _)) if self.split => [normal, change[t as usize]],
            Some(_) => return,
        };
        for (k, found) in found.into_iter().enumerate().take(self.generators()) {
            if self.force[k] > self.room[k] {
                self.step[k] = found;
            }
        }
    }

    /// `B⁻¹ x` with `B = I + ½ (1, 1)ᵀ (τ, −τ)`.
    fn straighten(&self, x: [f64; 2]) -> [f64; 2] {
        let part = 0.5 * self.tilt * (x[0] - x[1]);
        [x[0] - part, x[1] - part]
    }
}

impl Friction {
    /// Makes room for the multipliers, where each contact has one row of friction at most, which may stick and has the same limit
    /// both ways, and no row has bounds of its own; whether it is so.
    fn load_cones(&mut self) -> bool {
        let Self { cones, contacts, diagonal, .. } = self;
        cones.clear();
        for contact in contacts.iter() {
            let slip = match contact.tangents() {
                [] => None,
                [t] if t.lo == -t.hi && t.may_stick() => Some((t.row, t.hi)),
                _ => return false,
            };
            let Some(normal) = contact.normal else { return false };
            let diagonal = diagonal[normal as usize].max(f64::MIN_POSITIVE);
            cones.push(Cone::new(normal, slip, diagonal));
        }
        true
    }

    /// Goes through the inside of the cones and tries the sets on the way; keeps the best point.
    pub(super) fn cross_cones(&mut self, problem: &Lcp<'_>, goal: Goal, best: &mut f64, stats: &mut Stats) {
        if !self.load_cones() {
            return;
        }
        let cones = &mut self.cones;
        let forces = cones.iter().map(|c| problem.bias()[c.normal as usize].abs() / c.diagonal);
        let start = forces.fold(0.0, f64::max);
        if !(start > 0.0) {
            return;
        }
        cones.iter_mut().for_each(|c| (c.force, c.room) = ([start; 2], [start; 2]));
        self.f.fill(0.0);
        let (mut try_at, mut length) = (CONE_CROSSOVER, 1.0);
        for _ in 0..INTERIOR_STEPS {
            if self.deadline.passed() {
                return;
            }
            self.spread_cones();
            self.bodies.accelerations(&self.f, problem.bias(), &mut self.a);
            let near = Certificate::of_accelerations(problem, &self.f, &self.a, f64::INFINITY).residual;
            if near < try_at {
                try_at = near * CONE_FALL;
                self.read_sets();
                self.trial.copy_from_slice(&self.f);
                let reached = self.newton_by_bodies(problem, goal, CONE_NEWTON, stats);
                self.keep(reached, best);
                if *best <= goal.tolerance {
                    return;
                }
                // Newton has left those of its own point.
                self.bodies.accelerations(&self.f, problem.bias(), &mut self.a);
            }
            let mean = self.mean_gap(0.0);
            stats.factorizations += 1;
            stats.iterations += 1;
            if !self.aim_cones(mean) {
                return;
            }
            self.cone_direction(problem, 0.0, false);
            let ahead = self.mean_gap(self.longest_cone_step().min(1.0));
            let share = if length < 0.2 { 0.9 } else { (ahead / mean).powi(2).clamp(0.01, 0.8) };
            self.cone_direction(problem, share * mean, true);
            length = (BOUNDARY * self.longest_cone_step()).min(1.0);
            self.walk_cones(problem, length);
            // A few contacts in a corner hold all others: they are settled by themselves.
            if length < CONE_STALL {
                return;
            }
        }
    }

    /// The forces of the contacts from their multipliers.
    fn spread_cones(&mut self) {
        for c in &self.cones {
            if let Some((t, mu)) = c.slip {
                self.f[c.normal as usize] = c.force[0] + c.force[1];
                self.f[t as usize] = mu * (c.force[0] - c.force[1]);
            } else {
                self.f[c.normal as usize] = c.force[0];
            }
        }
    }

    /// The sets that the multipliers head for. A contact near the edge of its cone slips: where it sticks at its limit, as all
    /// contacts do of a heap that slides as one, the way through the inside leaves open which, and slipping leaves fewer unknowns.
    fn read_sets(&mut self) {
        self.sets.fill(Set::Clamped);
        for c in &self.cones {
            let on = [0, 1].map(|k| k < c.generators() && c.force[k] > c.room[k]);
            let pressed = on[0] || on[1];
            let on = [0, 1].map(|k| on[k] && c.force[k] > CONE_EDGE * c.force[1 - k]);
            self.sets[c.normal as usize] = if pressed { Set::Clamped } else { Set::Lower };
            if let Some((t, _)) = c.slip {
                self.sets[t as usize] = match on {
                    [true, true] => Set::Clamped,
                    [true, false] => Set::Upper,
                    _ => Set::Lower,
                };
            }
        }
    }

    /// Mean complementarity after a step of some length.
    fn mean_gap(&self, length: f64) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for c in &self.cones {
            for k in 0..c.generators() {
                sum += (c.force[k] + length * c.step[k]) * (c.room[k] + length * c.room_step[k]);
                count += 1.0;
            }
        }
        sum / count
    }

    /// Works out the blocks at the present point and factors; `false` if that fails.
    fn aim_cones(&mut self, mean: f64) -> bool {
        let Self { cones, bodies, a, diagonal, .. } = self;
        for (own, d) in bodies.own.iter_mut().zip(&*diagonal) {
            *own = 1.0 / (WEIGHT * d.max(f64::MIN_POSITIVE)); // bilateral rows keep it
        }
        bodies.cross.fill(0.0);
        bodies.directions.clear();
        let coupled = !bodies.has_bodies();
        for c in cones {
            let (n, d) = (c.normal as usize, c.diagonal);
            let w = c.approach(a);
            let weight = |k: usize| d * c.room[k] / c.force[k];
            let Some((t, mu)) = c.slip else {
                c.left = [w[0] - d * c.room[0], 0.0];
                c.inverse[0][0] = 1.0 / (weight(0) + LEAST_WEIGHT * d);
                bodies.own[n] = c.inverse[0][0];
                continue;
            };
            let along = 0.5 * (w[0] - w[1]);
            let smooth = (along * along + CONE_SMOOTHING * CONE_SMOOTHING * mean * d * d).sqrt();
            c.left = [0, 1].map(|k| w[k] + smooth - d * c.room[k]);
            c.tilt = if smooth > 0.0 { along / smooth } else { 0.0 };
            let (p, q, half) = (weight(0), weight(1), 0.5 * c.tilt);
            let k = [
                [(1.0 - half) * p + LEAST_WEIGHT * d, half * q],
                [-half * p, (1.0 + half) * q + LEAST_WEIGHT * d],
            ];
            let determinant = k[0][0] * k[1][1] - k[0][1] * k[1][0];
            c.inverse = [
                [k[1][1] / determinant, -k[0][1] / determinant],
                [-k[1][0] / determinant, k[0][0] / determinant],
            ];
            let t = t as usize;
            c.split = coupled && mu != 0.0;
            if c.split {
                // The equations and unknowns of the generators: (B K + B Gᵀ W G) Δλ = B g.
                let least = LEAST_WEIGHT * d;
                (bodies.own[n], bodies.cross[n]) = (1.0, mu * (1.0 + c.tilt));
                (bodies.cross[t], bodies.own[t]) = (1.0, -mu * (1.0 - c.tilt));
                let weights =
                    [[p + least * (1.0 + half), -least * half], [least * half, q + least * (1.0 - half)]];
                bodies.directions.set([n, t], weights, [[1.0, 1.0], [mu, -mu]]);
                continue;
            }
            let [[e, f], [g, h]] = c.inverse;
            (bodies.own[n], bodies.cross[n]) = (e + f + g + h, mu * (e - f + g - h));
            (bodies.cross[t], bodies.own[t]) = (mu * (e + f - g - h), mu * mu * (e - f - g + h));
        }
        bodies.factor()
    }

    /// The step towards complementarity `target`, with the second-order term of the last one if `corrected`.
    fn cone_direction(&mut self, problem: &Lcp<'_>, target: f64, corrected: bool) {
        let Self { cones, bodies, a, rhs, .. } = self;
        // z solves (I + Ĥᵀ E Ĥ) z = Ĥᵀ G K⁻¹ g: the forces G K⁻¹ g push, bilateral rows by their accelerations.
        rhs.fill(0.0);
        for (i, kind) in problem.kinds().iter().enumerate() {
            if *kind == Row::Bilateral {
                rhs[i] = -a[i] * bodies.own[i];
            }
        }
        for c in cones.iter_mut() {
            let mut wish = [0.0; 2];
            for (k, wish) in wish.iter_mut().enumerate().take(c.generators()) {
                let second = if corrected { c.step[k] * c.room_step[k] } else { 0.0 };
                c.room_step[k] = target - second;
                *wish = c.diagonal * ((target - second) / c.force[k] - c.room[k]) - c.left[k];
            }
            if let Some((t, mu)) = c.slip {
                let g = c.straighten(wish);
                let x = multiply(c.inverse, g);
                c.step = g;
                (rhs[c.normal as usize], rhs[t as usize]) =
                    if c.split { (wish[0], wish[1]) } else { (x[0] + x[1], mu * (x[0] - x[1])) };
            } else {
                c.step = [wish[0], 0.0];
                rhs[c.normal as usize] = wish[0] * c.inverse[0][0];
            }
        }
        bodies.pull_back(rhs);
        let found = bodies.found_forces();
        for c in cones.iter_mut() {
            let moved = c.approach(rhs);
            if c.slip.is_some() {
                c.step = multiply(c.inverse, [c.step[0] - moved[0], c.step[1] - moved[1]]);
            } else {
                c.step[0] = (c.step[0] - moved[0]) * c.inverse[0][0];
            }
            if let Some(found) = found {
                c.take_found(found);
            }
            for k in 0..c.generators() {
                let wish = c.room_step[k];
                c.room_step[k] = (wish - c.room[k] * (c.force[k] + c.step[k])) / c.force[k];
            }
        }
    }

    /// The longest step that keeps everything positive.
    fn longest_cone_step(&self) -> f64 {
        let mut length = 1.0 / BOUNDARY;
        for c in &self.cones {
            for k in 0..c.generators() {
                for (value, change) in [(c.force[k], c.step[k]), (c.room[k], c.room_step[k])] {
                    if change < 0.0 && -value > length * change {
                        length = -value / change;
                    }
                }
            }
        }
        length
    }

    /// Takes the step; lifts products that fell far behind the others.
    fn walk_cones(&mut self, problem: &Lcp<'_>, length: f64) {
        let found = self.bodies.found_forces();
        for (i, kind) in problem.kinds().iter().enumerate() {
            if *kind == Row::Bilateral {
                let moved = (-self.a[i] - self.rhs[i]) * self.bodies.own[i];
                self.f[i] += length * found.map_or(moved, |found| found[i]);
            }
        }
        for c in &mut self.cones {
            for k in 0..c.generators() {
                c.force[k] += length * c.step[k];
                c.room[k] += length * c.room_step[k];
            }
        }
        let least = 0.01 * self.mean_gap(0.0);
        for c in &mut self.cones {
            for k in 0..c.generators() {
                if c.force[k] * c.room[k] < least {
                    if c.force[k] < c.room[k] {
                        c.force[k] = least / c.room[k];
                    } else {
                        c.room[k] = least / c.force[k];
                    }
                }
            }
        }
    }
}

fn multiply(m: [[f64; 2]; 2], x: [f64; 2]) -> [f64; 2] {
    [m[0][0] * x[0] + m[0][1] * x[1], m[1][0] * x[0] + m[1][1] * x[1]]
}

#[cfg(test)]
mod tests {
    use crate::friction::{Friction, Start};
    use crate::{Lcp, Row, Solution, SparseRows, Status};

    /// Two discs, one on the other, pushed aside; their contacts give way.
    #[test]
    fn rows_that_give_way_are_solved_by_their_matrix() {
        let rows: [&[(usize, f64)]; 4] = [
            &[(1, 1.0)],
            &[(0, 1.0), (2, 0.5)],
            &[(1, -1.0), (4, 1.0)],
            &[(0, -1.0), (2, 0.5), (3, 1.0), (5, 0.5)],
        ];
        let mut jacobian = SparseRows { start: vec![0], ..SparseRows::default() };
        for row in rows {
            jacobian.column.extend(row.iter().map(|entry| entry.0));
            jacobian.value.extend(row.iter().map(|entry| entry.1));
            jacobian.start.push(jacobian.column.len());
        }
        let masses = vec![1.0, 1.0, 8.0, 1.0, 1.0, 8.0];
        let soft = vec![0.3, 0.0, 0.2, 0.1];
        let problem = Lcp::soft_jacobian(jacobian, masses, soft, vec![-1.0, 0.2, -0.5, 0.6]);
        let slips = |normal| Row::Friction { normal, mu: 0.4 };
        let kinds = vec![Row::Unilateral, slips(0), Row::Unilateral, slips(2)];
        let problem = problem.and_then(|problem| problem.rows(kinds)).expect("a problem");
        let mut solution = Solution::default();
        let status = Friction::default().solve_sparse(&problem, 1e-12, Start::default(), &mut solution);
        assert_eq!(status, Status::Solved, "{}", solution.certificate);
        assert!(solution.f[2] > 0.0 && solution.f[1] < 0.0, "{:?}", solution.f);
    }
}
