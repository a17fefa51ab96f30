//! Two frames that coincide.

use super::ball::coincidence;
use crate::body::BodyId;
use crate::constraint::{Constraint, Stroke};
use crate::equation::Equation;
use crate::motion::Motions;
use crate::row::ConstraintRow;
use engine2d_math::{Vec2, trig};

/// Coincidence of a frame of the first body with a frame of the second: no relative motion.
///
/// Position errors: the sine of the angle of the first frame relative to the second, then the components of
/// the distance of the origins in world axes.
#[doc(alias = "CoincidentFrames")]
#[derive(Clone, Debug, PartialEq)]
pub struct Weld {
    bodies: [BodyId; 2],
    origins: [Vec2; 2],
    angles: [f64; 2],
}

impl Weld {
    /// Welds the frame at `origin_1`, turned by `angle_1`, of `body_1` to that of `body_2`.
    #[must_use]
    pub fn new(
        (body_1, origin_1, angle_1): (impl Into<BodyId>, Vec2, f64),
        (body_2, origin_2, angle_2): (impl Into<BodyId>, Vec2, f64),
    ) -> Self {
        Self {
            bodies: [body_1.into(), body_2.into()],
            origins: [origin_1, origin_2],
            angles: [angle_1, angle_2],
        }
    }
}

impl Constraint for Weld {
    crate::constraint::joins_points!("weld", origins, draw_points);

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let [m1, m2] = self.bodies.map(|b| motions.of(b));
        let angle = m1.pose.angle() + self.angles[0] - m2.pose.angle() - self.angles[1];
        let (sin, cos) = trig::sin_cos(angle);
        let relative = m1.angular_velocity - m2.angular_velocity;
        let row = ConstraintRow {
            bodies: self.bodies.map(Into::into),
            jacobian: [[0.0, 0.0, cos], [0.0, 0.0, -cos]],
        };
        out.push(Equation::holonomic(row, sin, -sin * relative * relative, motions));
        for axis in [Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)] {
            out.push(coincidence(self.bodies, self.origins, axis, motions));
        }
    }
}
