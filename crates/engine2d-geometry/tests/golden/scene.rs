//! Two bodies at given poses, one detection pass, and what is expected of its records.

use engine2d_geometry::{
    BodyRef, CollisionBody, Contact, Features, FinderWorkspace, Pass, PathBuilder, PathShape, Pose, Rules,
    find_contacts, sizes,
};
use engine2d_math::Vec2;
use std::sync::Arc;

/// Agreement of numbers given to nine digits or more.
pub(crate) const AGREEMENT: f64 = 1e-9;
/// The distance tolerance of all scenes.
const TOLERANCE: f64 = 0.01;

/// A body at a place; its old pose is that place until [`Placed::old`] says otherwise.
pub(crate) fn at(shape: PathShape, x: f64, y: f64, angle: f64) -> Placed {
    let mut body = CollisionBody::new(Arc::new(shape));
    body.pose = Pose::new(x, y, angle);
    Placed { body, old: None }
}

/// A body and where it came from.
pub(crate) struct Placed {
    pub(crate) body: CollisionBody,
    old: Option<Pose>,
}

impl Placed {
    pub(crate) fn velocity(mut self, x: f64, y: f64, angular: f64) -> Self {
        self.body.velocity = Vec2::new(x, y);
        self.body.angular_velocity = angular;
        self
    }

    pub(crate) fn old(mut self, x: f64, y: f64, angle: f64) -> Self {
        self.old = Some(Pose::new(x, y, angle));
        self
    }

    /// Moves the centre of mass within the body; the pose is that of the new one.
    pub(crate) fn center_of_mass(mut self, x: f64, y: f64) -> Self {
        self.body.center_of_mass = Vec2::new(x, y);
        self.body.min_height = self.body.shape.min_height(self.body.center_of_mass);
        self
    }

    pub(crate) fn fixed(mut self) -> Self {
        self.body.fixed = true;
        self
    }
}

/// A floor with its top at height 0: edge 2.
pub(crate) fn floor(width: f64) -> Placed {
    at(PathShape::block(width, 1.0).unwrap(), 0.0, -0.5, 0.0).fixed()
}

pub(crate) fn ball(radius: f64) -> PathShape {
    PathShape::ball(radius).unwrap()
}

pub(crate) fn block(w: f64, h: f64) -> PathShape {
    PathShape::block(w, h).unwrap()
}

pub(crate) fn rounded(r: f64) -> PathShape {
    PathShape::round_corner_block(sizes::RoundCornerBlock { width: 1.0, height: 1.0, radius: r }).unwrap()
}

/// A block whose upper side is a convex arc about `(1, −0.3)`.
pub(crate) fn block_round_edge() -> PathShape {
    let mut b = PathBuilder::new();
    b.start([0.0, 0.0]).unwrap();
    b.line_to([2.0, 0.0], false).unwrap();
    b.line_to([2.0, 1.0], true).unwrap();
    b.arc_to([0.0, 1.0], [1.0, -0.3], false, true).unwrap();
    b.line_to([0.0, 0.0], false).unwrap();
    b.close().unwrap();
    b.finish().unwrap()
}

/// A block with a bowl of radius 2 in its upper side; centre of mass at `(1.5, 0)`.
pub(crate) fn concave_circle() -> PathShape {
    let mut b = PathBuilder::new();
    b.start([0.0, -0.5]).unwrap();
    b.line_to([3.0, -0.5], false).unwrap();
    b.line_to([3.0, 1.0], true).unwrap();
    b.arc_of_radius_to([0.0, 1.0], 2.0, true, true, false).unwrap();
    b.line_to([0.0, -0.5], false).unwrap();
    b.close().unwrap();
    b.finish().unwrap().with_center_of_mass(Vec2::new(1.5, 0.0))
}

/// The records of one pass over two bodies at `time`, with the bodies; `step` is what the speed limit is for.
/// Bodies are followed from their old poses if either has one.
pub(crate) fn pass(
    first: Placed,
    second: Placed,
    time: f64,
    step: f64,
) -> (Vec<Contact>, Vec<CollisionBody>) {
    let follows = first.old.is_some() || second.old.is_some();
    let bodies: Vec<CollisionBody> = [first, second]
        .into_iter()
        .map(|Placed { mut body, old }| {
            if follows {
                let now = body.pose;
                body.pose = old.unwrap_or(now);
                body.save_old_pose();
                body.pose = now;
            }
            body
        })
        .collect();
    let mut records = Vec::new();
    let pass = Pass { time, step, tolerance: TOLERANCE, rules: Rules::REFERENCE };
    find_contacts(&bodies, &pass, &mut FinderWorkspace::default(), &mut records);
    (records, bodies)
}

/// As [`pass`] with the step of the golden values.
pub(crate) fn records(first: Placed, second: Placed, time: f64) -> Vec<Contact> {
    pass(first, second, time, 0.025).0
}

/// A vertex of body `primary` on an edge of the other.
pub(crate) fn ve(primary: u32, vertex: u32, edge: u32) -> (u32, Features) {
    (primary, Features::VertexEdge { vertex, edge })
}

/// An arc of body `primary` on an edge of the other.
pub(crate) fn ee(primary: u32, edge: u32, other: u32) -> (u32, Features) {
    (primary, Features::EdgeEdge { edge, other })
}

/// A vertex of body `primary` at a vertex of the other.
pub(crate) fn cc(primary: u32, vertex: u32, other: u32) -> (u32, Features) {
    (primary, Features::VertexVertex { vertex, other })
}

/// Checks roles, features and distances of all records, in order.
#[track_caller]
pub(crate) fn check(id: &str, found: &[Contact], expected: &[((u32, Features), f64)]) {
    let features: Vec<(Option<usize>, Features)> =
        found.iter().map(|c| (c.id.primary.index(), c.id.features)).collect();
    let wanted: Vec<(Option<usize>, Features)> =
        expected.iter().map(|((primary, features), _)| (Some(*primary as usize), *features)).collect();
    assert_eq!(features, wanted, "{id}");
    for (c, (_, distance)) in found.iter().zip(expected) {
        near(id, "distance", c.distance, *distance);
        assert_eq!(c.detection.distance, c.distance, "{id}");
        let BodyRef::Body(normal_body) = c.id.normal_body else { panic!("{id}: no normal body") };
        assert_eq!(c.id.primary, BodyRef::Body(1 - normal_body), "{id}");
    }
}

#[track_caller]
pub(crate) fn near(id: &str, what: &str, found: f64, expected: f64) {
    let agree = found == expected || (found - expected).abs() <= AGREEMENT;
    assert!(agree, "{id}: {what} is {found}, not {expected}");
}

#[track_caller]
pub(crate) fn near_vector(id: &str, what: &str, found: Vec2, expected: [f64; 2]) {
    near(id, what, found.x, expected[0]);
    near(id, what, found.y, expected[1]);
}

/// Checks the estimated collision time.
#[track_caller]
pub(crate) fn estimate(id: &str, contact: &Contact, expected: f64) {
    near(id, "estimate", contact.estimate.unwrap(), expected);
}
