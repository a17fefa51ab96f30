//! Two points at a fixed distance.

use super::Constraint;
use crate::equation::{Equation, Level, Motions, direction_row, point_bias, rate};
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;

/// A fixed distance between a point of each body; position error `|p_1 − p_2| − length`.
#[doc(alias = "ConstantDistance")]
#[derive(Clone, Debug, PartialEq)]
pub struct Rod {
    bodies: [BodyRef; 2],
    points: [Vec2; 2],
    length: f64,
}

impl Rod {
    /// Keeps `point_1` of `body_1` at `length` (> 0) from `point_2` of `body_2`.
    #[must_use]
    pub fn new(
        body_1: BodyRef,
        point_1: impl Into<Vec2>,
        body_2: BodyRef,
        point_2: impl Into<Vec2>,
        length: f64,
    ) -> Self {
        Self { bodies: [body_1, body_2], points: [point_1.into(), point_2.into()], length }
    }
}

impl Constraint for Rod {
    fn kind(&self) -> &'static str {
        "rod"
    }

    fn bodies(&self) -> Vec<BodyRef> {
        self.bodies.to_vec()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let [m1, m2] = self.bodies.map(|b| motions.of(b));
        let apart = m1.position(self.points[0]) - m2.position(self.points[1]);
        let distance = apart.norm();
        let n = if distance > 0.0 { apart / distance } else { Vec2::new(1.0, 0.0) };
        let arms = [m1.arm(self.points[0]), m2.arm(self.points[1])];
        let row = direction_row(self.bodies, n, arms);
        let velocity = m1.velocity_at(arms[0]) - m2.velocity_at(arms[1]);
        let along = n.dot(&velocity);
        // The direction turns with the transverse velocity: d̈ ∋ |v_⊥|²/d.
        let turning = if distance > 0.0 { (velocity.norm_squared() - along * along) / distance } else { 0.0 };
        out.push(Equation {
            level: Level::Position,
            row,
            position_error: distance - self.length,
            velocity_error: rate(&row, motions),
            acceleration_bias: point_bias(n, [m1, m2], arms) + turning,
        });
    }
}
