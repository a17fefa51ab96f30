//! Two points that do not move further apart than a length.

use super::rod::Distance;
use crate::body::BodyId;
use crate::constraint::{Constraint, Stroke};
use crate::equation::{Equation, RowKind};
use crate::motion::Motions;
use crate::row::ConstraintRow;
use engine2d_math::Vec2;

/// A rope between a point of each body: it pulls when taut and is not there when slack. Error `length − |p_1 − p_2|`,
/// so that it is ≥ 0 and its multiplier is the tension.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    bodies: [BodyId; 2],
    points: [Vec2; 2],
    length: f64,
}

impl Rope {
    /// Keeps `point_1` of `body_1` within `longest` (> 0) of `point_2` of `body_2`.
    #[must_use]
    pub fn new(
        body_1: impl Into<BodyId>,
        point_1: impl Into<Vec2>,
        body_2: impl Into<BodyId>,
        point_2: impl Into<Vec2>,
        longest: f64,
    ) -> Self {
        let points = [point_1.into(), point_2.into()];
        Self { bodies: [body_1.into(), body_2.into()], points, length: longest }
    }
}

impl Constraint for Rope {
    crate::constraint::joins_points!("rope", points, draw_span);

    fn check(&self) -> Result<(), crate::constraint::BadValue> {
        crate::constraint::check_positive("length", self.length)
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let gap = Distance::new(self.bodies, self.points, motions);
        let row = ConstraintRow {
            bodies: self.bodies.map(Into::into),
            jacobian: gap.row.jacobian.map(|j| j.map(|x| -x)),
        };
        let slack = Equation::holonomic(row, self.length - gap.length, -gap.bias, motions);
        out.push(slack.with_kind(RowKind::Unilateral));
    }
}
