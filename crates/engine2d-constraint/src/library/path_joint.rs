//! A point that follows a curve of another body, between end stops if asked for.

use super::curve::{Curve, extended, foot};
use crate::body::BodyId;
use crate::constraint::{Constraint, Stroke};
use crate::equation::{Equation, RowKind};
use crate::motion::Motions;
use crate::relative::Relative;
use engine2d_math::{Vec2, cross, perp};
use std::sync::Arc as Shared;

/// Keeps a point of the first body on a curve of the second: the signed distance from the foot point vanishes.
///
/// With end stops two unilateral equations follow: the parameter of the foot point against both ends of an open
/// curve. Beyond its ends the curve goes on straight. The nearest branch of the curve is the one followed.
#[derive(Clone, Debug)]
pub struct PathJoint {
    bodies: [BodyId; 2],
    point: Vec2,
    curve: Shared<dyn Curve>,
    stops: bool,
}

impl PathJoint {
    /// `point` of `body` follows `curve`, which is fixed in `base`.
    #[must_use]
    pub fn new(
        body: impl Into<BodyId>,
        point: impl Into<Vec2>,
        base: impl Into<BodyId>,
        curve: impl Curve + 'static,
    ) -> Self {
        Self {
            bodies: [body.into(), base.into()],
            point: point.into(),
            curve: Shared::new(curve),
            stops: false,
        }
    }

    /// The same joint with stops at the ends of the curve; a closed curve has none.
    #[must_use]
    pub fn with_end_stops(mut self) -> Self {
        self.stops = !self.curve.is_closed();
        self
    }

    /// Parameter of the foot point at a state.
    #[must_use]
    pub fn parameter(&self, motions: Motions<'_>) -> f64 {
        let [body, base] = self.bodies.map(|b| motions.of(b));
        foot(self.curve.as_ref(), base.pose.transform_inverse(body.position(self.point)))
    }
}

impl Constraint for PathJoint {
    fn kind(&self) -> &'static str {
        "path joint"
    }

    fn anchor(&self, motions: Motions<'_>) -> Vec2 {
        motions.of(self.bodies[0]).position(self.point)
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.bodies.to_vec()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let seen = Relative::new(self.bodies, self.point, motions);
        let s = self.parameter(motions);
        let c = extended(self.curve.as_ref(), s);
        // Speed of the parameterization, curvature, and the frame of tangent t and normal n.
        let g = c.first.norm();
        let curvature = cross(c.first, c.second) / (g * g * g);
        let t = seen.base.pose.rotate(c.first / g);
        let n = perp(t);
        let offset = n.dot(&(seen.arms[1] - seen.base.pose.rotate(c.point)));
        // The point moves by τ along the curve and by ḋ across; the foot follows with σ̇ = τ / (1 − κ d).
        let (along, across) = (t.dot(&seen.velocity), n.dot(&seen.velocity));
        let lever = 1.0 - curvature * offset;
        let foot_speed = along / lever;
        let bias = n.dot(&seen.bias) - curvature * foot_speed * along;
        out.push(Equation::holonomic(seen.row(n), offset, bias, motions));
        if !self.stops {
            return;
        }
        // ṡ = τ / (g (1 − κ d)). Its derivative leaves out the change of curvature, which d = 0 multiplies.
        let scale = 1.0 / (g * lever);
        let stretch = c.first.dot(&c.second) / g;
        let bias = scale
            * (t.dot(&seen.bias) + curvature * foot_speed * across + foot_speed * curvature * across
                - foot_speed * lever * stretch * foot_speed / (g * g));
        let [low, high] = self.curve.range();
        for (sign, end) in [(1.0, low), (-1.0, high)] {
            let row = seen.row(t * (sign * scale));
            let stop = Equation::holonomic(row, sign * (s - end), sign * bias, motions);
            out.push(stop.with_kind(RowKind::Unilateral));
        }
    }

    fn draw(&self, motions: Motions<'_>, out: &mut Vec<Stroke>) {
        const SEGMENTS: u32 = 48;
        let base = motions.of(self.bodies[1]);
        let [low, high] = self.curve.range();
        let at = |k: u32| {
            let s = low + (high - low) * f64::from(k) / f64::from(SEGMENTS);
            base.position(self.curve.at(s).point)
        };
        out.extend((0..SEGMENTS).map(|k| Stroke::Segment { from: at(k), to: at(k + 1) }));
        let center = motions.of(self.bodies[0]).position(self.point);
        out.push(Stroke::Circle { center, radius: 0.0 });
    }
}
