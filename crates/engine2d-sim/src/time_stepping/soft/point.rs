//! A point of contact in the iterative solver.

use super::super::memory::Near;
use super::motion::Motion;
use engine2d_constraint::InverseMass;
use engine2d_geometry::{BodyRef, CollisionBody};
use engine2d_math::Vec2;

/// One point of a pair.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    /// From body a to body b.
    pub(super) normal: [f64; 2],
    /// From the centres of mass to the point, at the beginning of the step.
    pub(super) arms: [[f64; 2]; 2],
    /// Gap at the beginning of the step.
    pub(super) gap: f64,
    /// Rate of the row per impulse, normal and tangential.
    pub(super) inverse_mass: [f64; 2],
    pub(super) impulse: [f64; 2],
    /// Sum over the substeps.
    pub(super) total: [f64; 2],
    pub(super) most: f64,
    /// Rate at the beginning of the step.
    pub(super) rate: f64,
    pub(super) mu: f64,
    /// Rolling resistance (length), its impulse on the second body, and the sum over the substeps.
    pub(super) resistance: f64,
    pub(super) rolling: f64,
    pub(super) rolled: f64,
}

impl Point {
    /// A place between two bodies, in their order.
    pub(super) fn of(near: &Near, ends: [u32; 2], bodies: &[CollisionBody]) -> Self {
        // Out of the body with the lower number.
        let out = near.id.primary == BodyRef::Body(ends[1]);
        let normal = if out { near.normal } else { -near.normal };
        let (point, gap) = near.meeting(bodies);
        let arms = ends.map(|i| {
            let arm: Vec2 = point - bodies[i as usize].pose.position();
            [arm.x, arm.y]
        });
        Self {
            normal: [normal.x, normal.y],
            arms,
            gap,
            impulse: near.impulse,
            rolling: near.rolling,
            ..Self::default()
        }
    }

    /// Impulse of rolling resistance.
    pub(super) fn roll(&mut self, m: &[InverseMass; 2], (va, vb): (&mut [f64; 3], &mut [f64; 3])) {
        let inverse = m[0].angular + m[1].angular;
        if self.resistance > 0.0 && inverse > 0.0 {
            let most = self.resistance * self.impulse[0];
            let next = (self.rolling - (vb[2] - va[2]) / inverse).clamp(-most, most);
            let more = next - self.rolling;
            self.rolling = next;
            self.turn(m, (va, vb), more);
        }
    }

    /// Violation of the law of rolling resistance by the smaller of turning and what is left of the torque, as a speed at the
    /// longer arm of a body that can turn.
    pub(super) fn rolling_residual(&self, m: &[InverseMass; 2], (va, vb): (&[f64; 3], &[f64; 3])) -> f64 {
        let inverse = m[0].angular + m[1].angular;
        if self.resistance == 0.0 {
            return 0.0;
        }
        let free = self.rolling * inverse;
        let most = self.resistance * self.impulse[0] * inverse;
        let turned = self.arms.iter().zip(m).filter(|(_, m)| m.angular > 0.0);
        let arm = turned.map(|(arm, _)| dot(*arm, *arm)).fold(0.0, f64::max).sqrt();
        (free - (free - (vb[2] - va[2])).clamp(-most, most)).abs() * arm
    }

    /// Gives the bodies an impulse of rolling resistance.
    pub(super) fn turn(&self, m: &[InverseMass; 2], (va, vb): (&mut [f64; 3], &mut [f64; 3]), p: f64) {
        va[2] -= m[0].angular * p;
        vb[2] += m[1].angular * p;
    }

    fn relative(&self, (va, vb): (&[f64; 3], &[f64; 3])) -> [f64; 2] {
        let [ra, rb] = self.arms;
        [vb[0] - vb[2] * rb[1] - va[0] + va[2] * ra[1], vb[1] + vb[2] * rb[0] - va[1] - va[2] * ra[0]]
    }

    /// Rate of the gap.
    pub(super) fn rate_of(&self, v: (&[f64; 3], &[f64; 3])) -> f64 {
        dot(self.normal, self.relative(v))
    }

    /// Rate along the normal turned a quarter to the left.
    pub(super) fn slip_of(&self, v: (&[f64; 3], &[f64; 3])) -> f64 {
        dot([-self.normal[1], self.normal[0]], self.relative(v))
    }

    /// The gap after the bodies have moved.
    pub(super) fn gap_of(&self, (a, b): (&Motion, &Motion)) -> f64 {
        let shift = |motion: &Motion, [x, y]: [f64; 2]| {
            let [c, s] = motion.rotation;
            [motion.way[0] + (c * x - s * y) - x, motion.way[1] + (s * x + c * y) - y]
        };
        let (sa, sb) = (shift(a, self.arms[0]), shift(b, self.arms[1]));
        self.gap + dot(self.normal, [sb[0] - sa[0], sb[1] - sa[1]])
    }

    /// Gives the bodies normal and tangential impulses.
    pub(super) fn push(
        &self,
        m: &[InverseMass; 2],
        (va, vb): (&mut [f64; 3], &mut [f64; 3]),
        [n, t]: [f64; 2],
    ) {
        let [x, y] = self.normal;
        let p = [n * x - t * y, n * y + t * x];
        va[0] -= m[0].linear * p[0];
        va[1] -= m[0].linear * p[1];
        va[2] -= m[0].angular * cross(self.arms[0], p);
        vb[0] += m[1].linear * p[0];
        vb[1] += m[1].linear * p[1];
        vb[2] += m[1].angular * cross(self.arms[1], p);
    }
}

pub(super) fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(super) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(super) fn velocity(body: &CollisionBody) -> [f64; 3] {
    if body.fixed { [0.0; 3] } else { [body.velocity.x, body.velocity.y, body.angular_velocity] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wheel that turns against the floor with a torque short of its limit violates the law by what the limit still allows; at
    /// its limit it does not, nor at rest below it.
    #[test]
    fn turning_against_too_small_a_torque_is_a_residual() {
        let (arm, inverse, limit) = (0.5, 2.0, 0.1);
        let masses =
            [InverseMass { linear: 0.0, angular: 0.0 }, InverseMass { linear: 1.0, angular: inverse }];
        let residual = |turning: f64, rolling: f64| {
            let arms = [[100.0, 0.0], [0.0, -arm]];
            let point = Point { arms, resistance: limit, impulse: [1.0, 0.0], rolling, ..Point::default() };
            point.rolling_residual(&masses, (&[0.0; 3], &[0.0, 0.0, turning]))
        };
        assert!((residual(3.0, 0.0) - limit * inverse * arm).abs() < 1e-15, "what the limit allows");
        assert!((residual(0.1, 0.0) - 0.1 * arm).abs() < 1e-15, "what turning asks for");
        assert_eq!(residual(3.0, -limit), 0.0);
        assert_eq!(residual(0.0, 0.5 * limit), 0.0);
    }
}
