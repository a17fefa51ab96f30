//! Motion that is prescribed: moving platforms, doors, conveyors' carriages.

use engine2d_constraint::{Coordinate, Joint, Prescribed};
use engine2d_geometry::{BodyRef, CollisionBody};
use engine2d_math::{Vec2, perp, trig};
use std::fmt;
use std::sync::Arc;

/// Where a body is led at a time: x and y of its centre of mass and its angle, each with rate and acceleration.
pub type Led = [[f64; 3]; 3];

/// A prescribed motion.
#[derive(Clone)]
pub(crate) enum Motion {
    /// Constant velocity and angular velocity from the pose at a time on.
    Steady { velocity: Vec2, angular_velocity: f64 },
    /// By a function of time.
    Path(Arc<dyn Fn(f64) -> Led + Send + Sync>),
}

impl fmt::Debug for Motion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steady { velocity, angular_velocity } => {
                write!(f, "Steady({velocity:?}, {angular_velocity})")
            }
            Self::Path(_) => f.write_str("Path"),
        }
    }
}

impl Motion {
    /// The function of time, for a body that is where it is at `start`.
    pub(crate) fn path(&self, body: &CollisionBody, start: f64) -> Arc<dyn Fn(f64) -> Led + Send + Sync> {
        match self {
            Self::Path(path) => path.clone(),
            Self::Steady { velocity, angular_velocity } => {
                let (v, w) = (*velocity, *angular_velocity);
                let (p, angle) = (body.pose.position(), body.pose.angle());
                Arc::new(move |time| {
                    let t = time - start;
                    [[p.x + v.x * t, v.x, 0.0], [p.y + v.y * t, v.y, 0.0], [angle + w * t, w, 0.0]]
                })
            }
        }
    }

    /// Gives a body the velocity that it is led with at a time, when it is where it is.
    pub(crate) fn begin(&self, body: &mut CollisionBody, time: f64) {
        let [x, y, angle] = self.path(body, time)(time).map(|of| of[1]);
        (body.velocity, body.angular_velocity) = (Vec2::new(x, y), angle);
    }
}

/// The constraints that lead a body along a path of its centre of mass.
pub(crate) fn leading(
    path: &Arc<dyn Fn(f64) -> Led + Send + Sync>,
    place: usize,
    center: Vec2,
    name: &str,
) -> [Joint; 3] {
    [(0, Coordinate::X, "x"), (1, Coordinate::Y, "y"), (2, Coordinate::Angle, "angle")].map(
        |(k, coordinate, word)| {
            let path = path.clone();
            let led = move |time: f64| {
                let [x, y, angle] = path(time);
                if k == 2 {
                    return angle;
                }
                // Constraints see the origin of the shape, off the centre of mass by this.
                let (sin, cos) = trig::sin_cos(angle[0]);
                let arm = Vec2::new(cos * center.x - sin * center.y, sin * center.x + cos * center.y);
                let rate = angle[1] * perp(arm);
                let acceleration = angle[2] * perp(arm) - angle[1] * angle[1] * arm;
                let of = if k == 0 { x } else { y };
                [of[0] - arm[k], of[1] - rate[k], of[2] - acceleration[k]]
            };
            let measure = (BodyRef::Body(place as u32), coordinate);
            Joint::new(Prescribed::trajectory(measure, led)).named(format!("{name} {word}"))
        },
    )
}
