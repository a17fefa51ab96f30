//! A circle, or a point, on a line: the planar form of a sphere on a plane.

use super::Constraint;
use crate::equation::{Equation, Level, Motions, direction_row, rate, spin_cross, tangent_of, with_spin};
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;

/// A line fixed in a body, by a point on it and its unit normal (body coordinates).
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Line {
    /// A point on the line.
    pub origin: Vec2,
    /// Unit normal, towards the side of the circle.
    pub normal: Vec2,
}

impl Line {
    /// The line through `origin` with unit normal `normal`.
    #[must_use]
    pub fn new(origin: impl Into<Vec2>, normal: impl Into<Vec2>) -> Self {
        Self { origin: origin.into(), normal: normal.into() }
    }

    /// The x axis, its normal up.
    #[must_use]
    pub fn x_axis() -> Self {
        Self::new([0.0, 0.0], [0.0, 1.0])
    }
}

/// What the two constraints of this file share: a follower at a distance from a line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Follower {
    bodies: [BodyRef; 2],
    line: Line,
    point: Vec2,
    radius: f64,
}

impl Follower {
    /// The normal equation, and the tangential one for a radius that rolls.
    fn equations(&self, tangential: bool, motions: Motions<'_>, out: &mut Vec<Equation>) {
        // First the follower (pushed along the normal), then the line's body.
        let [circle, base] = self.bodies.map(|b| motions.of(b));
        let n = base.pose.rotate(self.line.normal);
        let p = circle.position(self.point) - base.pose.position();
        let arms = [circle.arm(self.point), p];
        // Velocity and acceleration of the centre seen from the line's body.
        let slip = circle.velocity_at(arms[0]) - base.velocity;
        let bias = circle.acceleration_bias_at(arms[0])
            - spin_cross(base.spin, slip) * 2.0
            - p * (base.spin * base.spin);
        let row = direction_row(self.bodies, n, arms);
        let height = self.line.normal.dot(&self.line.origin);
        out.push(Equation {
            level: Level::Position,
            row,
            position_error: n.dot(&p) - (height + self.radius),
            velocity_error: rate(&row, motions),
            acceleration_bias: n.dot(&bias),
        });
        if tangential {
            let t = tangent_of(n);
            // The material point at the contact moves with r times the relative spin along t.
            let row = with_spin(direction_row(self.bodies, t, arms), self.radius);
            out.push(Equation {
                level: Level::Velocity,
                row,
                position_error: 0.0,
                velocity_error: rate(&row, motions),
                acceleration_bias: t.dot(&bias),
            });
        }
    }
}

/// A circle of one body on a line of another, with or without rolling.
///
/// The separation `n·(O − line) − r` of the circle's centre `O` is the position error; with rolling, the
/// velocity along the line of the circle's material point at the contact, seen from the line's body, is a
/// second, nonholonomic equation.
#[doc(alias = "SphereOnPlaneContact")]
#[derive(Clone, Debug, PartialEq)]
pub struct CircleOnLine {
    follower: Follower,
    rolling: bool,
}

impl CircleOnLine {
    /// A circle of `radius` about `center` of `circle_body` on `line` of `line_body`, sliding freely.
    #[must_use]
    pub fn new(
        line_body: BodyRef,
        line: Line,
        circle_body: BodyRef,
        center: impl Into<Vec2>,
        radius: f64,
    ) -> Self {
        let follower = Follower { bodies: [circle_body, line_body], line, point: center.into(), radius };
        Self { follower, rolling: false }
    }

    /// The same contact without slip.
    #[must_use]
    pub fn rolling(mut self) -> Self {
        self.rolling = true;
        self
    }

    /// The body that carries the line.
    #[must_use]
    pub fn line_body(&self) -> BodyRef {
        self.follower.bodies[1]
    }

    /// The body that carries the circle.
    #[must_use]
    pub fn circle_body(&self) -> BodyRef {
        self.follower.bodies[0]
    }

    /// Whether slip is suppressed.
    #[must_use]
    pub fn is_rolling(&self) -> bool {
        self.rolling
    }

    /// The line, in its body.
    #[must_use]
    pub fn line(&self) -> Line {
        self.follower.line
    }

    /// Moves the line within its body.
    pub fn set_line(&mut self, line: Line) {
        self.follower.line = line;
    }

    /// The circle's centre, in its body.
    #[must_use]
    pub fn center(&self) -> Vec2 {
        self.follower.point
    }

    /// Moves the circle within its body.
    pub fn set_center(&mut self, center: impl Into<Vec2>) {
        self.follower.point = center.into();
    }

    /// The circle's radius.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.follower.radius
    }

    /// Changes the circle's radius.
    pub fn set_radius(&mut self, radius: f64) {
        self.follower.radius = radius;
    }

    /// Signed distance of the circle from the line, whether the constraint is enabled or not.
    #[must_use]
    pub fn separation(&self, motions: Motions<'_>) -> f64 {
        let f = &self.follower;
        let base = motions.of(f.bodies[1]);
        let n = base.pose.rotate(f.line.normal);
        let center = motions.of(f.bodies[0]).position(f.point);
        n.dot(&(center - base.pose.position())) - (f.line.normal.dot(&f.line.origin) + f.radius)
    }

    /// The circle's point nearest to the line (world), whether the constraint is enabled or not.
    #[must_use]
    pub fn contact_point(&self, motions: Motions<'_>) -> Vec2 {
        let f = &self.follower;
        let n = motions.of(f.bodies[1]).pose.rotate(f.line.normal);
        motions.of(f.bodies[0]).position(f.point) - n * f.radius
    }
}

impl Constraint for CircleOnLine {
    fn kind(&self) -> &'static str {
        "circle on line"
    }

    fn bodies(&self) -> Vec<BodyRef> {
        self.follower.bodies.to_vec()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        self.follower.equations(self.rolling, motions, out);
    }
}

/// A point of one body on a line of another, sliding along it or stuck to it.
#[doc(alias = "PointInPlane")]
#[doc(alias = "PointOnPlaneContact")]
#[derive(Clone, Debug, PartialEq)]
pub struct PointOnLine {
    follower: Follower,
    sticking: bool,
}

impl PointOnLine {
    /// A point of `point_body` that slides along `line` of `line_body`.
    #[must_use]
    pub fn new(line_body: BodyRef, line: Line, point_body: BodyRef, point: impl Into<Vec2>) -> Self {
        let follower = Follower { bodies: [point_body, line_body], line, point: point.into(), radius: 0.0 };
        Self { follower, sticking: false }
    }

    /// The same point without sliding.
    #[must_use]
    pub fn sticking(mut self) -> Self {
        self.sticking = true;
        self
    }
}

impl Constraint for PointOnLine {
    fn kind(&self) -> &'static str {
        "point on line"
    }

    fn bodies(&self) -> Vec<BodyRef> {
        self.follower.bodies.to_vec()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        self.follower.equations(self.sticking, motions, out);
    }
}
