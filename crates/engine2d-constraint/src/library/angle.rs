//! A fixed angle between two directions.

use crate::body::BodyId;
use crate::constraint::Constraint;
use crate::equation::Equation;
use crate::motion::Motions;
use crate::row::ConstraintRow;
use engine2d_math::trig;

/// A fixed angle between an axis of one body and an axis of another; position error
/// `cos(angle between the axes) − cos(angle)`, which does not tell the sides apart.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantAngle {
    bodies: [BodyId; 2],
    axes: [f64; 2],
    angle: f64,
}

impl ConstantAngle {
    /// Keeps the axis at `axis_1` (radians, in `body_1`) at `angle` from the axis at `axis_2` of `body_2`.
    #[must_use]
    pub fn new(
        (body_1, axis_1): (impl Into<BodyId>, f64),
        (body_2, axis_2): (impl Into<BodyId>, f64),
        angle: f64,
    ) -> Self {
        Self { bodies: [body_1.into(), body_2.into()], axes: [axis_1, axis_2], angle }
    }
}

impl Constraint for ConstantAngle {
    fn kind(&self) -> &'static str {
        "constant angle"
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.bodies.to_vec()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let [m1, m2] = self.bodies.map(|b| motions.of(b));
        let between = m1.pose.angle() + self.axes[0] - m2.pose.angle() - self.axes[1];
        let (sin, cos) = trig::sin_cos(between);
        let relative = m1.angular_velocity - m2.angular_velocity;
        let row = ConstraintRow {
            bodies: self.bodies.map(Into::into),
            jacobian: [[0.0, 0.0, -sin], [0.0, 0.0, sin]],
        };
        let error = cos - trig::cos(self.angle);
        out.push(Equation::holonomic(row, error, -cos * relative * relative, motions));
    }
}
