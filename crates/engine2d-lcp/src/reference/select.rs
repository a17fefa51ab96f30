//! Which row the recorded solver takes next, and when it has been here before.

use super::{EPSILON, Problem, Set, Solver};
use crate::Policy;
use engine2d_math::random::permutation;
use rand_core::Rng;

/// Smallest unwanted acceleration for which a rejected row is taken up again: `100 ε`, absolute.
const RETRY: f64 = 100.0 * EPSILON;

impl Solver {
    /// The next row to drive, or `None` when the treatment is complete.
    pub(super) fn select(&mut self, problem: &Problem<'_>, rng: &mut impl Rng) -> Option<usize> {
        let n = problem.b.len();
        let untreated = match problem.policy {
            Policy::MinAccel => {
                self.extreme_joint(problem.joint).or_else(|| self.least_acceleration(problem.joint))
            }
            Policy::Hybrid => {
                permutation(n, rng, &mut self.permutation);
                first(&self.permutation, |i| !self.treated[i] && problem.joint[i])
                    .or_else(|| self.least_acceleration(problem.joint))
            }
            Policy::Random => {
                permutation(n, rng, &mut self.permutation);
                self.first_in_order(&self.permutation, problem.joint)
            }
            Policy::PreOrdered => self.first_in_order(problem.order.unwrap_or_default(), problem.joint),
        };
        untreated.or_else(|| self.worst_reject(problem.joint))
    }

    /// Joints first, then the others, each in the order of the list.
    fn first_in_order(&self, list: &[usize], joint: &[bool]) -> Option<usize> {
        first(list, |i| !self.treated[i] && joint[i]).or_else(|| first(list, |i| !self.treated[i]))
    }

    /// The untreated joint with the largest acceleration in size.
    fn extreme_joint(&self, joint: &[bool]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for i in (0..joint.len()).filter(|&i| joint[i] && !self.treated[i]) {
            if best.is_none_or(|b| self.a[i].abs() > self.a[b].abs()) {
                best = Some(i);
            }
        }
        best
    }

    /// The untreated non-joint with the smallest acceleration.
    fn least_acceleration(&self, joint: &[bool]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for i in (0..joint.len()).filter(|&i| !joint[i] && !self.treated[i]) {
            if best.is_none_or(|b| self.a[i] < self.a[b]) {
                best = Some(i);
            }
        }
        best
    }

    /// The rejected row, not yet tried again in vain, with the largest unwanted acceleration. Only when
    /// nothing is untreated.
    fn worst_reject(&self, joint: &[bool]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for i in (0..joint.len()).filter(|&i| self.rejected[i]) {
            let unwanted = if joint[i] { self.a[i] != 0.0 } else { self.a[i] < 0.0 };
            if unwanted && !self.again.contains(&i) && best.is_none_or(|b| self.a[i].abs() > self.a[b].abs())
            {
                best = Some(i);
            }
        }
        best.filter(|&i| self.a[i].abs() > RETRY)
    }

    /// Whether these sets with this row to drive were seen before; remembers them if not. Only once no row is
    /// untreated.
    pub(super) fn is_repeated(&mut self, d: usize) -> bool {
        let n = self.set.len();
        if self.treated.iter().any(|t| !t) {
            return false;
        }
        let start = self.visited.len();
        for i in 0..n {
            self.visited.push(match self.set[i] {
                Set::Clamped => 1,
                Set::Free => 2,
                Set::Out => 3,
            });
        }
        self.visited.push(d as u32);
        let (before, now) = self.visited.split_at(start);
        let repeated = before.chunks_exact(n + 1).any(|seen| seen == now);
        if repeated {
            self.visited.truncate(start);
        }
        repeated
    }
}

fn first(list: &[usize], wanted: impl Fn(usize) -> bool) -> Option<usize> {
    list.iter().copied().find(|&i| wanted(i))
}
