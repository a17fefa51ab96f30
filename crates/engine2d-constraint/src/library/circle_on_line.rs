//! A circle, or a point, on a line: the planar form of a sphere on a plane.

use super::follower::{Follower, Line, Tangential};
use crate::body::BodyId;
use crate::constraint::{Constraint, Stroke};
use crate::equation::{Equation, RowKind};
use crate::motion::Motions;
use crate::row::tangent_of;
use engine2d_math::Vec2;

/// A circle of one body on a line of another, with or without rolling.
///
/// The separation `n·(O − line) − r` of the circle's centre `O` is the position error; with rolling, the
/// velocity along the line of the circle's material point at the contact, seen from the line's body, is a
/// second, nonholonomic equation.
#[doc(alias = "SphereOnPlaneContact")]
#[derive(Clone, Debug, PartialEq)]
pub struct CircleOnLine {
    follower: Follower,
}

impl CircleOnLine {
    /// A circle of `radius` about `center` of `circle_body` on `line` of `line_body`, sliding freely.
    #[must_use]
    pub fn new(
        line_body: impl Into<BodyId>,
        line: Line,
        circle_body: impl Into<BodyId>,
        center: impl Into<Vec2>,
        radius: f64,
    ) -> Self {
        Self { follower: Follower::new([circle_body.into(), line_body.into()], line, center.into(), radius) }
    }

    /// The same contact without slip.
    #[must_use]
    pub fn rolling(mut self) -> Self {
        self.follower.tangential = Tangential::Rolling;
        self
    }

    /// The same contact pushing only: it opens instead of pulling.
    #[must_use]
    pub fn unilateral(mut self) -> Self {
        self.follower.normal = RowKind::Unilateral;
        self
    }

    /// The same contact with Coulomb friction of coefficient `mu` (≥ 0) along the line.
    #[must_use]
    pub fn with_friction(mut self, mu: f64) -> Self {
        self.follower.tangential = Tangential::Friction(mu);
        self
    }

    /// The body that carries the line.
    #[must_use]
    pub fn line_body(&self) -> BodyId {
        self.follower.bodies[1]
    }

    /// The body that carries the circle.
    #[must_use]
    pub fn circle_body(&self) -> BodyId {
        self.follower.bodies[0]
    }

    /// Whether slip is suppressed.
    #[must_use]
    pub fn is_rolling(&self) -> bool {
        self.follower.tangential == Tangential::Rolling
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

    /// Half of the length at which the line is drawn; 1 unless set, 0 draws no line. Physics does not see it.
    #[must_use]
    pub fn display_half_width(&self) -> f64 {
        self.follower.half_width
    }

    /// Sets half of the length at which the line is drawn.
    pub fn set_display_half_width(&mut self, half_width: f64) {
        self.follower.half_width = half_width;
    }

    /// A vector of the world along the line's tangent `(n_y, −n_x)` and normal.
    #[must_use]
    pub fn in_line_frame(&self, v: Vec2, motions: Motions<'_>) -> [f64; 2] {
        let n = self.follower.world_normal(motions);
        [tangent_of(n).dot(&v), n.dot(&v)]
    }

    /// Values of its equations, such as velocity or acceleration errors, as the original reports them: along the tangent (0
    /// unless rolling) and along the normal.
    #[must_use]
    pub fn along_axes(&self, rows: &[f64]) -> [f64; 2] {
        let of = |k: usize| rows.get(k).copied().unwrap_or(0.0);
        [of(1), of(0)]
    }

    /// The multipliers as the original reports them: along the tangent (0 unless rolling) and along the normal, with the
    /// sign opposite to the force on the circle. `ours` are those of its equations here.
    #[must_use]
    pub fn multipliers(&self, ours: &[f64]) -> [f64; 2] {
        self.along_axes(ours).map(|l| -l)
    }

    /// Signed distance of the circle from the line, whether the constraint is enabled or not.
    #[must_use]
    pub fn separation(&self, motions: Motions<'_>) -> f64 {
        self.follower.separation(motions)
    }

    /// The circle's point nearest to the line (world), whether the constraint is enabled or not.
    #[must_use]
    pub fn contact_point(&self, motions: Motions<'_>) -> Vec2 {
        self.follower.contact_point(motions)
    }
}

impl Constraint for CircleOnLine {
    super::follower::follows_line!("circle on line");

    fn draw(&self, motions: Motions<'_>, out: &mut Vec<Stroke>) {
        self.follower.draw(motions, out);
    }
}

/// A point of one body on a line of another, sliding along it or stuck to it.
#[doc(alias = "PointInPlane")]
#[doc(alias = "PointOnPlaneContact")]
#[derive(Clone, Debug, PartialEq)]
pub struct PointOnLine {
    follower: Follower,
}

impl PointOnLine {
    /// A point of `point_body` that slides along `line` of `line_body`.
    #[must_use]
    pub fn new(
        line_body: impl Into<BodyId>,
        line: Line,
        point_body: impl Into<BodyId>,
        point: impl Into<Vec2>,
    ) -> Self {
        Self { follower: Follower::new([point_body.into(), line_body.into()], line, point.into(), 0.0) }
    }

    /// The same point without sliding.
    #[must_use]
    pub fn sticking(mut self) -> Self {
        self.follower.tangential = Tangential::Rolling;
        self
    }
}

impl Constraint for PointOnLine {
    super::follower::follows_line!("point on line");

    fn draw(&self, motions: Motions<'_>, out: &mut Vec<Stroke>) {
        self.follower.draw(motions, out);
    }
}
