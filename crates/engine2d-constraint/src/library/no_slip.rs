//! Equal velocities of two bodies at a point, along a direction.

use crate::body::BodyId;
use crate::constraint::Constraint;
use crate::equation::Equation;
use crate::motion::{Motions, omega_cross};
use crate::row::{direction_row, point_bias};
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;

/// No slip between the material points of two bodies at a point and along a direction that are fixed in a
/// third body, the case: friction wheels, belts, racks.
#[doc(alias = "NoSlip1D")]
#[derive(Clone, Debug, PartialEq)]
pub struct NoSlip {
    case: BodyId,
    point: Vec2,
    direction: Vec2,
    bodies: [BodyId; 2],
}

impl NoSlip {
    /// Equal velocities of `body_1` and `body_2` along unit `direction` at `point`, both in `case`.
    #[must_use]
    pub fn new(
        case: impl Into<BodyId>,
        point: impl Into<Vec2>,
        direction: impl Into<Vec2>,
        body_1: impl Into<BodyId>,
        body_2: impl Into<BodyId>,
    ) -> Self {
        Self {
            case: case.into(),
            point: point.into(),
            direction: direction.into(),
            bodies: [body_1.into(), body_2.into()],
        }
    }
}

impl Constraint for NoSlip {
    fn kind(&self) -> &'static str {
        "no slip"
    }

    fn anchor(&self, motions: Motions<'_>) -> Vec2 {
        motions.of(self.case).position(self.point)
    }

    fn check(&self) -> Result<(), crate::constraint::BadValue> {
        crate::constraint::check_unit("direction", self.direction)
    }

    fn bodies(&self) -> Vec<BodyId> {
        let mut bodies = self.bodies.to_vec();
        if !bodies.iter().any(|b| BodyRef::from(*b) == self.case) {
            bodies.push(self.case);
        }
        bodies
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let case = motions.of(self.case);
        let n = case.pose.rotate(self.direction);
        let point = case.position(self.point);
        let [m1, m2] = self.bodies.map(|b| motions.of(b));
        let arms = [point - m1.pose.position(), point - m2.pose.position()];
        let (v1, v2) = (m1.velocity_at(arms[0]), m2.velocity_at(arms[1]));
        let row = direction_row(self.bodies, n, arms);
        // Accelerations of the material points now at the point; the direction turns with the case.
        let turning = omega_cross(case.angular_velocity, n).dot(&(v1 - v2));
        let bias = point_bias(n, [m1, m2], arms) + turning;
        out.push(Equation::nonholonomic(row, 0.0, bias, motions));
    }
}
