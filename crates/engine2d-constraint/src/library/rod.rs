//! Two points at a fixed distance.

use crate::body::BodyId;
use crate::constraint::{Constraint, Stroke};
use crate::equation::Equation;
use crate::motion::Motions;
use crate::row::ConstraintRow;
use crate::row::{direction_row, point_bias};
use engine2d_math::Vec2;

/// A fixed distance between a point of each body; position error `|p_1 − p_2| − length`.
#[doc(alias = "ConstantDistance")]
#[derive(Clone, Debug, PartialEq)]
pub struct Rod {
    bodies: [BodyId; 2],
    points: [Vec2; 2],
    length: f64,
}

impl Rod {
    /// Keeps `point_1` of `body_1` at `length` (> 0) from `point_2` of `body_2`.
    #[must_use]
    pub fn new(
        body_1: impl Into<BodyId>,
        point_1: impl Into<Vec2>,
        body_2: impl Into<BodyId>,
        point_2: impl Into<Vec2>,
        length: f64,
    ) -> Self {
        Self { bodies: [body_1.into(), body_2.into()], points: [point_1.into(), point_2.into()], length }
    }
}

impl Constraint for Rod {
    crate::constraint::joins_points!("rod", points, draw_span);

    fn check(&self) -> Result<(), crate::constraint::BadValue> {
        crate::constraint::check_positive("length", self.length)
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let gap = Distance::new(self.bodies, self.points, motions);
        out.push(Equation::holonomic(gap.row, gap.length - self.length, gap.bias, motions));
    }
}

/// The distance of two points, its row and what its second derivative has beside accelerations.
pub(super) struct Distance {
    pub(super) length: f64,
    pub(super) row: ConstraintRow,
    pub(super) bias: f64,
}

impl Distance {
    pub(super) fn new(bodies: [BodyId; 2], points: [Vec2; 2], motions: Motions<'_>) -> Self {
        let [m1, m2] = bodies.map(|b| motions.of(b));
        let apart = m1.position(points[0]) - m2.position(points[1]);
        let length = apart.norm();
        let n = if length > 0.0 { apart / length } else { Vec2::new(1.0, 0.0) };
        let arms = [m1.arm(points[0]), m2.arm(points[1])];
        let velocity = m1.velocity_at(arms[0]) - m2.velocity_at(arms[1]);
        let along = n.dot(&velocity);
        // The direction turns with the transverse velocity: d̈ ∋ |v_⊥|²/d.
        let turning = if length > 0.0 { (velocity.norm_squared() - along * along) / length } else { 0.0 };
        let bias = point_bias(n, [m1, m2], arms) + turning;
        Self { length, row: direction_row(bodies, n, arms), bias }
    }
}
