//! Two points that coincide: a pin.

use crate::body::BodyId;
use crate::constraint::{Constraint, Stroke};
use crate::equation::Equation;
use crate::motion::Motions;
use crate::row::{direction_row, point_bias};
use engine2d_math::Vec2;

/// Coincidence of a point of the first body with a point of the second.
///
/// Position errors are the components of `p_1 − p_2` in world axes. The velocity rows follow the material
/// point of the second body that lies under the first point, so that the two bodies get opposite forces
/// along one line even while the points are apart.
#[doc(alias = "Ball")]
#[doc(alias = "Spherical")]
#[doc(alias = "CoincidentPoints")]
#[derive(Clone, Debug, PartialEq)]
pub struct Revolute {
    bodies: [BodyId; 2],
    points: [Vec2; 2],
}

impl Revolute {
    /// Joins `point_1` of `body_1` to `point_2` of `body_2` (body coordinates).
    #[must_use]
    pub fn new(
        body_1: impl Into<BodyId>,
        point_1: impl Into<Vec2>,
        body_2: impl Into<BodyId>,
        point_2: impl Into<Vec2>,
    ) -> Self {
        Self { bodies: [body_1.into(), body_2.into()], points: [point_1.into(), point_2.into()] }
    }

    /// Joins the origin of `body` to a point of the world.
    #[must_use]
    pub fn to_ground(body: impl Into<BodyId>, point: impl Into<Vec2>) -> Self {
        Self::new(body, [0.0, 0.0], BodyId::GROUND, point)
    }

    /// The two bodies, each with its point (body coordinates).
    #[must_use]
    pub fn ends(&self) -> [(BodyId, Vec2); 2] {
        [(self.bodies[0], self.points[0]), (self.bodies[1], self.points[1])]
    }
}

impl Constraint for Revolute {
    crate::constraint::joins_points!("revolute", points, draw_points);

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        for axis in [Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)] {
            out.push(coincidence(self.bodies, self.points, axis, motions));
        }
    }
}

/// The component along `axis` of the coincidence of two points.
pub(super) fn coincidence(
    bodies: [BodyId; 2],
    points: [Vec2; 2],
    axis: Vec2,
    motions: Motions<'_>,
) -> Equation {
    let [m1, m2] = bodies.map(|b| motions.of(b));
    let (p1, p2) = (m1.position(points[0]), m2.position(points[1]));
    let arms = [m1.arm(points[0]), p1 - m2.pose.position()];
    let row = direction_row(bodies, axis, arms);
    Equation::holonomic(row, axis.dot(&(p1 - p2)), point_bias(axis, [m1, m2], arms), motions)
}
