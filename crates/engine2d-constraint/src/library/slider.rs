//! Sliding along a direction: with turning (slider) and without (prismatic), and limits of the travel.

use crate::body::BodyId;
use crate::constraint::{Constraint, Stroke};
use crate::equation::{Equation, RowKind};
use crate::motion::Motions;
use crate::relative::Relative;
use crate::row::ConstraintRow;
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
            Fixed::Second => out.push(across(self.bodies, self.points, self.normal, motions)),
        }
    }
}

/// The separation of two points along a direction fixed in the second body.
fn across(bodies: [BodyId; 2], points: [Vec2; 2], direction: Vec2, motions: Motions<'_>) -> Equation {
    let seen = Relative::new(bodies, points[0], motions);
    let n = seen.base.pose.rotate(direction);
    let error = n.dot(&seen.arms[1]) - direction.dot(&points[1]);
    Equation::holonomic(seen.row(n), error, n.dot(&seen.bias), motions)
}

/// The difference of two angles against a value.
fn angle_between(bodies: [BodyId; 2], value: f64, motions: Motions<'_>) -> Equation {
    let turned = motions.of(bodies[0]).pose.angle() - motions.of(bodies[1]).pose.angle();
    let bodies = bodies.map(Into::into);
    let row = ConstraintRow { bodies, jacobian: [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]] };
    Equation::holonomic(row, turned - value, 0.0, motions)
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
        out.push(across(self.bodies, self.points, tangent_of(self.axis), motions));
        out.push(angle_between(self.bodies, self.angle, motions));
    }
}

/// Limits of a travel: a lower and an upper row, each ≥ 0 inside.
fn limits(measured: Equation, range: [f64; 2], out: &mut Vec<Equation>) {
    out.push(
        Equation { position_error: measured.position_error - range[0], ..measured }
            .with_kind(RowKind::Unilateral),
    );
    let negated =
        ConstraintRow { bodies: measured.row.bodies, jacobian: measured.row.jacobian.map(|j| j.map(|x| -x)) };
    out.push(
        Equation {
            row: negated,
            position_error: range[1] - measured.position_error,
            velocity_error: -measured.velocity_error,
            acceleration_bias: -measured.acceleration_bias,
            ..measured
        }
        .with_kind(RowKind::Unilateral),
    );
}

/// Limits of the angle of one body against another (radians, unwrapped).
#[derive(Clone, Debug, PartialEq)]
pub struct AngleLimit {
    bodies: [BodyId; 2],
    range: [f64; 2],
}

impl AngleLimit {
    /// Keeps the angle of `body_1` minus that of `body_2` between `low` and `high`.
    #[must_use]
    pub fn new(body_1: impl Into<BodyId>, body_2: impl Into<BodyId>, low: f64, high: f64) -> Self {
        Self { bodies: [body_1.into(), body_2.into()], range: [low, high] }
    }
}

impl Constraint for AngleLimit {
    fn kind(&self) -> &'static str {
        "angle limit"
    }

    fn check(&self) -> Result<(), crate::constraint::BadValue> {
        crate::constraint::check_range("upper angle", self.range)
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.bodies.to_vec()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        limits(angle_between(self.bodies, 0.0, motions), self.range, out);
    }
}

/// Limits of the travel of a point along an axis of another body.
#[derive(Clone, Debug, PartialEq)]
pub struct SlideLimit {
    bodies: [BodyId; 2],
    points: [Vec2; 2],
    axis: Vec2,
    range: [f64; 2],
}

impl SlideLimit {
    /// Keeps the travel of `point_1` of `body_1` from `point_2` along the unit `axis`, both of `body_2`, in `range`.
    #[must_use]
    pub fn new(
        (body_1, point_1): (impl Into<BodyId>, Vec2),
        (body_2, point_2): (impl Into<BodyId>, Vec2),
        axis: impl Into<Vec2>,
        range: [f64; 2],
    ) -> Self {
        Self { bodies: [body_1.into(), body_2.into()], points: [point_1, point_2], axis: axis.into(), range }
    }
}

impl Constraint for SlideLimit {
    fn kind(&self) -> &'static str {
        "slide limit"
    }

    fn check(&self) -> Result<(), crate::constraint::BadValue> {
        crate::constraint::check_unit("axis", self.axis)?;
        crate::constraint::check_range("upper travel", self.range)
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.bodies.to_vec()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        limits(across(self.bodies, self.points, self.axis, motions), self.range, out);
    }

    fn draw(&self, motions: Motions<'_>, out: &mut Vec<Stroke>) {
        let base = motions.of(self.bodies[1]);
        let at = |travel: f64| base.position(self.points[1] + self.axis * travel);
        out.push(Stroke::Segment { from: at(self.range[0]), to: at(self.range[1]) });
    }
}
