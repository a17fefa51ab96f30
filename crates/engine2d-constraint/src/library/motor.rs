//! Motors: a relative speed, held as long as a force limit allows.

use crate::body::BodyId;
use crate::constraint::Constraint;
use crate::equation::{Equation, RowKind};
use crate::motion::Motions;
use crate::relative::Relative;
use crate::row::ConstraintRow;
use engine2d_math::Vec2;

/// What a motor drives.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Drive {
    Turn,
    /// A point of the first body along a unit axis of the second.
    Slide {
        point: Vec2,
        axis: Vec2,
    },
}

/// Holds the speed of one body relative to another with a force (or torque) of at most `limit` either way.
#[derive(Clone, Debug, PartialEq)]
pub struct Motor {
    bodies: [BodyId; 2],
    drive: Drive,
    speed: f64,
    limit: f64,
}

impl Motor {
    /// Turns `body_1` against `body_2` at `speed` (radians/time) with at most the torque `limit` (≥ 0).
    #[must_use]
    pub fn rotary(body_1: impl Into<BodyId>, body_2: impl Into<BodyId>, speed: f64, limit: f64) -> Self {
        Self { bodies: [body_1.into(), body_2.into()], drive: Drive::Turn, speed, limit }
    }

    /// Drives `point` of `body_1` along the unit `axis` of `body_2` at `speed` with at most the force `limit` (≥ 0).
    #[must_use]
    pub fn linear(
        body_1: impl Into<BodyId>,
        point: impl Into<Vec2>,
        body_2: impl Into<BodyId>,
        axis: impl Into<Vec2>,
        speed: f64,
        limit: f64,
    ) -> Self {
        let drive = Drive::Slide { point: point.into(), axis: axis.into() };
        Self { bodies: [body_1.into(), body_2.into()], drive, speed, limit }
    }

    /// Changes the speed.
    pub fn set_speed(&mut self, speed: f64) {
        self.speed = speed;
    }

    /// Changes the largest force or torque.
    pub fn set_limit(&mut self, limit: f64) {
        self.limit = limit;
    }
}

impl Constraint for Motor {
    fn kind(&self) -> &'static str {
        "motor"
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.bodies.to_vec()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let kind = RowKind::Boxed { lo: -self.limit, hi: self.limit };
        let (row, bias) = match self.drive {
            Drive::Turn => {
                let jacobian = [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
                (ConstraintRow { bodies: self.bodies.map(Into::into), jacobian }, 0.0)
            }
            Drive::Slide { point, axis } => {
                let seen = Relative::new(self.bodies, point, motions);
                let along = seen.base.pose.rotate(axis);
                (seen.row(along), along.dot(&seen.bias))
            }
        };
        out.push(Equation::nonholonomic(row, self.speed, bias, motions).with_kind(kind));
    }
}
