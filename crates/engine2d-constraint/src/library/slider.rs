//! Sliding along a direction: with turning (slider) and without (prismatic).

use super::measure::Measure;
use crate::body::BodyId;
use crate::constraint::{Constraint, Stroke};
use crate::equation::Equation;
use crate::motion::Motions;
use crate::row::{direction_row, point_bias, tangent_of};
use engine2d_math::Vec2;

/// In which frame a direction stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fixed {
    World,
    Second,
}

/// Two points that may separate along one direction only: their separation along the unit normal vanishes. The
/// bodies turn freely.
#[doc(alias = "Joint")]
#[derive(Clone, Debug, PartialEq)]
pub struct Slider {
    bodies: [BodyId; 2],
    points: [Vec2; 2],
    normal: Vec2,
    fixed: Fixed,
}

impl Slider {
    /// Keeps `n · (p_1 − p_2) = 0` for a unit normal that is fixed in the world.
    #[must_use]
    pub fn along_world(
        body_1: impl Into<BodyId>,
        point_1: impl Into<Vec2>,
        body_2: impl Into<BodyId>,
        point_2: impl Into<Vec2>,
        normal: impl Into<Vec2>,
    ) -> Self {
        let points = [point_1.into(), point_2.into()];
        Self { bodies: [body_1.into(), body_2.into()], points, normal: normal.into(), fixed: Fixed::World }
    }

    /// The same with a normal that turns with `body_2` (body coordinates).
    #[must_use]
    pub fn along_body(
        body_1: impl Into<BodyId>,
        point_1: impl Into<Vec2>,
        body_2: impl Into<BodyId>,
        point_2: impl Into<Vec2>,
        normal: impl Into<Vec2>,
    ) -> Self {
        Self { fixed: Fixed::Second, ..Self::along_world(body_1, point_1, body_2, point_2, normal) }
    }
}

impl Constraint for Slider {
    crate::constraint::joins_points!("slider", points, draw_span);

    fn check(&self) -> Result<(), crate::constraint::BadValue> {
        crate::constraint::check_unit("normal", self.normal)
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        match self.fixed {
            Fixed::World => {
                let [m1, m2] = self.bodies.map(|b| motions.of(b));
                let arms = [m1.arm(self.points[0]), m2.arm(self.points[1])];
                let apart = m1.position(self.points[0]) - m2.position(self.points[1]);
                let row = direction_row(self.bodies, self.normal, arms);
                let bias = point_bias(self.normal, [m1, m2], arms);
                out.push(Equation::holonomic(row, self.normal.dot(&apart), bias, motions));
            }
            Fixed::Second => {
                out.push(across(self.bodies, self.points, self.normal).at(motions).held([0.0; 3], motions))
            }
        }
    }
}

/// The travel of two points along a direction fixed in the second body.
fn across(bodies: [BodyId; 2], points: [Vec2; 2], direction: Vec2) -> Measure {
    Measure::travel((bodies[0], points[0]), (bodies[1], points[1]), direction)
}

/// Sliding along an axis of the second body without turning: the separation across the axis, then the difference of
/// the angles, vanish.
#[derive(Clone, Debug, PartialEq)]
pub struct Prismatic {
    bodies: [BodyId; 2],
    points: [Vec2; 2],
    axis: Vec2,
    angle: f64,
}

impl Prismatic {
    /// `point_1` of `body_1` slides through `point_2` of `body_2` along the unit `axis` of `body_2`, turned by `angle`
    /// against it (radians, unwrapped).
    #[must_use]
    pub fn new(
        body_1: impl Into<BodyId>,
        point_1: impl Into<Vec2>,
        body_2: impl Into<BodyId>,
        point_2: impl Into<Vec2>,
        axis: impl Into<Vec2>,
        angle: f64,
    ) -> Self {
        let points = [point_1.into(), point_2.into()];
        Self { bodies: [body_1.into(), body_2.into()], points, axis: axis.into(), angle }
    }
}

impl Constraint for Prismatic {
    crate::constraint::joins_points!("prismatic", points, draw_span);

    fn check(&self) -> Result<(), crate::constraint::BadValue> {
        crate::constraint::check_unit("axis", self.axis)
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let apart = across(self.bodies, self.points, tangent_of(self.axis));
        out.push(apart.at(motions).held([0.0; 3], motions));
        let turned = Measure::angle(self.bodies[0], self.bodies[1]);
        out.push(turned.at(motions).held([self.angle, 0.0, 0.0], motions));
    }
}
