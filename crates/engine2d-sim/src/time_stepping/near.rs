//! Places where bodies face each other, from step to step.

use crate::road::{Row, Touch, contact_row, point_row};
use crate::tolerance::PLACED_DEPTH;
use engine2d_geometry::{BodyRef, CollisionBody, ContactId, Features};
use engine2d_math::Vec2;
use serde::{Deserialize, Serialize};

/// A place where bodies face each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Near {
    pub(super) id: ContactId,
    /// Out of the normal body into the primary one, as it was found.
    pub(super) normal: Vec2,
    /// The nearest points as they were found, each in its body's coordinates.
    pub(super) ends: [Vec2; 2],
    /// Depth of bodies that were placed inside each other and have not come out yet (length).
    pub(super) depth: f64,
    /// Impulses of the last part of a step of the iterative solver, along the normal and along the normal turned a quarter to the
    /// left (momentum).
    #[serde(default)]
    pub(super) impulse: [f64; 2],
    /// That of rolling resistance on the body with the higher number (angular momentum).
    #[serde(default, skip_serializing_if = "crate::contact_force::is_zero")]
    pub(super) rolling: f64,
    /// Whether it pressed in the last step of the iterative solver.
    #[serde(default)]
    pub(super) presses: bool,
}

/// The numbers of the bodies of a contact, the lower one first.
pub(super) fn bodies_of(id: ContactId) -> [u32; 2] {
    let number = |body: BodyRef| body.index().map_or(u32::MAX, |i| i as u32);
    let [a, b] = [id.primary, id.normal_body].map(number);
    [a.min(b), a.max(b)]
}

impl Near {
    /// A place that was found.
    pub(super) fn new(touch: &Touch, bodies: &[CollisionBody]) -> Self {
        let on = |body: BodyRef, point: Vec2| body.index().map_or(point, |i| bodies[i].to_body(point));
        let across = touch.point - touch.normal * touch.gap;
        let ends = [on(touch.id.primary, touch.point), on(touch.id.normal_body, across)];
        Self {
            id: touch.id,
            normal: touch.normal,
            ends,
            depth: 0.0,
            impulse: [0.0; 2],
            rolling: 0.0,
            presses: false,
        }
    }

    /// The numbers of the bodies, the lower one first.
    pub(super) fn pair(&self) -> [u32; 2] {
        bodies_of(self.id)
    }

    /// The point on the body with the lower number, in its coordinates.
    fn lower_end(&self) -> Vec2 {
        self.ends[usize::from(self.id.normal_body < self.id.primary)]
    }

    /// The middle between the nearest points as they were found (world), and the gap along the normal.
    pub(super) fn meeting(&self, bodies: &[CollisionBody]) -> (Vec2, f64) {
        let at = |body: BodyRef, point: Vec2| body.index().map_or(point, |i| bodies[i].to_world(point));
        let (a, b) = (at(self.id.primary, self.ends[0]), at(self.id.normal_body, self.ends[1]));
        ((a + b) * 0.5, self.normal.dot(&(a - b)) + self.depth)
    }

    /// Where the bodies meet, as a point of the lower-numbered one and of the other (world), and the gap along the normal: what is apart meets
    /// at the nearest points, what is not in the middle between them.
    pub(super) fn meeting_points(&self, bodies: &[CollisionBody]) -> ([Vec2; 2], f64) {
        let at = |body: BodyRef, point: Vec2| body.index().map_or(point, |i| bodies[i].to_world(point));
        let (a, b) = (at(self.id.primary, self.ends[0]), at(self.id.normal_body, self.ends[1]));
        let gap = self.normal.dot(&(a - b));
        let points = if gap <= 0.0 {
            [(a + b) * 0.5; 2]
        } else if self.id.normal_body < self.id.primary {
            [b, a]
        } else {
            [a, b]
        };
        (points, gap + self.depth)
    }

    /// Notes how deep the bodies are in each other, for them to come out as they move.
    pub(super) fn note_depth(&mut self, bodies: &[CollisionBody]) {
        self.depth = 0.0;
        let depth = -self.row(bodies).error;
        self.depth = if depth > PLACED_DEPTH { depth } else { 0.0 };
    }

    /// Takes the impulses to be of a part of a step that is so many times as long.
    pub(super) fn scale(&mut self, times: f64) {
        self.impulse = self.impulse.map(|impulse| impulse * times);
        self.rolling *= times;
    }

    /// Whether it is within `reach` (length) of another place of the same pair.
    pub(super) fn is_close_to(&self, other: &Self, reach: f64) -> bool {
        (self.lower_end() - other.lower_end()).norm() < reach
    }

    /// The row of the contact; its error is the gap beyond the depth that is left to it. Features that tell no signed gap (two
    /// corners, sides that cross each other) have that of their points along the normal as it was found.
    pub(super) fn row(&self, bodies: &[CollisionBody]) -> Row {
        let corners = matches!(self.id.features, Features::VertexVertex { .. });
        let signed = if corners { None } else { contact_row(self.id, None, -self.depth, bodies) };
        signed.unwrap_or_else(|| {
            let at = |body: BodyRef, point: Vec2| body.index().map_or(point, |i| bodies[i].to_world(point));
            let (a, b) = (at(self.id.primary, self.ends[0]), at(self.id.normal_body, self.ends[1]));
            let gap = self.normal.dot(&(a - b));
            Row { error: gap + self.depth, ..point_row(self.id, self.normal, a, bodies) }
        })
    }
}
