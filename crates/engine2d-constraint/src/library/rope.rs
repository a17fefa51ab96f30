//! Two points that do not move further apart than a length.

use super::rod::Distance;
use super::{Constraint, Stroke};
use crate::equation::{Equation, Motions, RowKind};
use crate::row::ConstraintRow;
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;

/// A rope between a point of each body: it pulls when taut and is not there when slack. Error `length − |p_1 − p_2|`,
/// so that it is ≥ 0 and its multiplier is the tension.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    bodies: [BodyRef; 2],
    points: [Vec2; 2],
    length: f64,
}

impl Rope {
    /// Keeps `point_1` of `body_1` within `longest` (> 0) of `point_2` of `body_2`.
    #[must_use]
    pub fn new(
        body_1: BodyRef,
        point_1: impl Into<Vec2>,
        body_2: BodyRef,
        point_2: impl Into<Vec2>,
        longest: f64,
    ) -> Self {
        let points = [point_1.into(), point_2.into()];
        Self { bodies: [body_1, body_2], points, length: longest }
    }
}

impl Constraint for Rope {
    fn kind(&self) -> &'static str {
        "rope"
    }

    fn anchor(&self, motions: Motions<'_>) -> Vec2 {
        motions.of(self.bodies[0]).position(self.points[0])
    }

    fn check(&self) -> Result<(), super::BadValue> {
        super::check_positive("length", self.length)
    }

    fn bodies(&self) -> Vec<BodyRef> {
        self.bodies.to_vec()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let gap = Distance::new(self.bodies, self.points, motions);
        let row = ConstraintRow { bodies: self.bodies, jacobian: gap.row.jacobian.map(|j| j.map(|x| -x)) };
        let slack = Equation::holonomic(row, self.length - gap.length, -gap.bias, motions);
        out.push(slack.with_kind(RowKind::Unilateral));
    }

    fn draw(&self, motions: Motions<'_>, out: &mut Vec<Stroke>) {
        super::draw_span(self.bodies, self.points, motions, out);
    }
}
