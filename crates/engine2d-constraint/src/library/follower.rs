//! A point at a distance from a line of another body: what circles on lines, points on lines and contacts share.

use crate::body::BodyId;
use crate::equation::{Equation, RowKind};
use crate::motion::Motions;
use crate::relative::Relative;
use crate::row::{tangent_of, with_turning};
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

/// What happens along the line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Tangential {
    /// Nothing: the follower slides.
    #[default]
    Free,
    /// No slip, whatever force it takes.
    Rolling,
    /// No slip as far as Coulomb friction allows.
    Friction(f64),
}

impl Tangential {
    /// The kind of the tangential row, if there is one; `normal` is the row that presses.
    pub(super) fn kind(self, normal: usize) -> Option<RowKind> {
        match self {
            Self::Free => None,
            Self::Rolling => Some(RowKind::Bilateral),
            Self::Friction(mu) => Some(RowKind::Friction { normal, mu }),
        }
    }
}

/// A circle (or, with radius 0, a point) of the first body above a line of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Follower {
    pub(super) bodies: [BodyId; 2],
    pub(super) line: Line,
    pub(super) point: Vec2,
    pub(super) radius: f64,
    /// Kind of the normal row.
    pub(super) normal: RowKind,
    pub(super) tangential: Tangential,
    /// Half of the length at which the line is drawn.
    pub(super) half_width: f64,
}

impl Follower {
    pub(super) fn new(bodies: [BodyId; 2], line: Line, point: Vec2, radius: f64) -> Self {
        let (normal, tangential) = (RowKind::Bilateral, Tangential::Free);
        Self { bodies, line, point, radius, normal, tangential, half_width: 1.0 }
    }

    /// The normal equation, and the tangential one for a follower that rolls or rubs.
    pub(super) fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let seen = Relative::new(self.bodies, self.point, motions);
        let n = seen.base.pose.rotate(self.line.normal);
        let height = self.line.normal.dot(&self.line.origin);
        let error = n.dot(&seen.arms[1]) - (height + self.radius);
        let normal = Equation::holonomic(seen.row(n), error, n.dot(&seen.bias), motions);
        out.push(normal.with_kind(self.normal));
        if let Some(kind) = self.tangential.kind(0) {
            let t = tangent_of(n);
            // The material point at the contact moves with r times the relative angular_velocity along t.
            let row = with_turning(seen.row(t), self.radius);
            out.push(Equation::nonholonomic(row, 0.0, t.dot(&seen.bias), motions).with_kind(kind));
        }
    }

    pub(super) fn check(&self) -> Result<(), crate::constraint::BadValue> {
        crate::constraint::check_unit("normal", self.line.normal)?;
        if self.radius >= 0.0 && self.radius.is_finite() {
            return Ok(());
        }
        Err(crate::constraint::BadValue {
            what: "radius",
            value: self.radius,
            allowed: "must be ≥ 0 and finite",
        })
    }

    /// Unit normal of the line in the world.
    pub(super) fn world_normal(&self, motions: Motions<'_>) -> Vec2 {
        motions.of(self.bodies[1]).pose.rotate(self.line.normal)
    }

    /// The follower's centre in the world.
    pub(super) fn center(&self, motions: Motions<'_>) -> Vec2 {
        motions.of(self.bodies[0]).position(self.point)
    }

    /// Signed distance from the line.
    pub(super) fn separation(&self, motions: Motions<'_>) -> f64 {
        let from_base = self.center(motions) - motions.of(self.bodies[1]).pose.position();
        self.world_normal(motions).dot(&from_base) - (self.line.normal.dot(&self.line.origin) + self.radius)
    }

    /// The follower's point nearest to the line.
    pub(super) fn contact_point(&self, motions: Motions<'_>) -> Vec2 {
        self.center(motions) - self.world_normal(motions) * self.radius
    }

    /// The line about the foot of the follower, and the circle.
    pub(super) fn draw(&self, motions: Motions<'_>, out: &mut Vec<crate::constraint::Stroke>) {
        let n = self.world_normal(motions);
        if self.half_width > 0.0 {
            let middle = motions.of(self.bodies[1]).position(self.line.origin);
            let reach = tangent_of(n) * self.half_width;
            out.push(crate::constraint::Stroke::Segment { from: middle - reach, to: middle + reach });
        }
        let (center, radius) = (self.center(motions), self.radius);
        out.push(crate::constraint::Stroke::Circle { center, radius });
    }
}

/// What followers of a line do alike.
macro_rules! follows_line {
    ($kind:literal) => {
        fn kind(&self) -> &'static str {
            $kind
        }

        fn anchor(&self, motions: Motions<'_>) -> Vec2 {
            self.follower.contact_point(motions)
        }

        fn check(&self) -> Result<(), crate::constraint::BadValue> {
            self.follower.check()
        }

        fn bodies(&self) -> Vec<BodyId> {
            self.follower.bodies.to_vec()
        }

        fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
            self.follower.equations(motions, out);
        }
    };
}

pub(super) use follows_line;
