//! A contact found by collision detection, as rows of one instant.

use super::follower::{Follower, Line, Tangential};
use crate::body::BodyId;
use crate::constraint::{Constraint, Stroke};
use crate::equation::{Equation, RowKind};
use crate::motion::Motions;
use engine2d_math::Vec2;

/// A unilateral contact between two bodies at a point, with Coulomb friction if asked for.
///
/// The normal points out of the second body and turns with it; the point is fixed in the first body. What curved
/// outlines add to the acceleration is not in it: circles have constraints of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    follower: Follower,
}

impl Contact {
    /// The contact at the world point `point` of `body_1`, `gap` above `body_2` along the unit normal `normal`
    /// (world, out of `body_2`), at the given motions.
    #[must_use]
    pub fn new(
        bodies: [impl Into<BodyId>; 2],
        point: impl Into<Vec2>,
        normal: impl Into<Vec2>,
        gap: f64,
        motions: Motions<'_>,
    ) -> Self {
        let [body_1, body_2] = bodies.map(Into::into);
        let (point, normal) = (point.into(), normal.into());
        let base = motions.of(body_2).pose;
        let line = Line::new(base.transform_inverse(point - normal * gap), base.rotate_inverse(normal));
        let local = motions.of(body_1).pose.transform_inverse(point);
        let mut follower = Follower::new([body_1, body_2], line, local, 0.0);
        follower.normal = RowKind::Unilateral;
        Self { follower }
    }

    /// The same contact with friction of coefficient `mu` (≥ 0).
    #[must_use]
    pub fn with_friction(mut self, mu: f64) -> Self {
        self.follower.tangential = Tangential::Friction(mu);
        self
    }
}

impl Constraint for Contact {
    super::follower::follows_line!("contact");

    fn draw(&self, motions: Motions<'_>, out: &mut Vec<Stroke>) {
        let from = self.follower.contact_point(motions);
        out.push(Stroke::Segment {
            from,
            to: from - self.follower.world_normal(motions) * self.follower.separation(motions),
        });
    }
}
