//! Bodies as the instrument has seen them, and how much room their boxes have.

use engine2d_geometry::{CollisionBody, IgnoredEdges, PathShape};
use engine2d_math::Vec2;
use std::sync::Arc;

/// Room of a body's box beyond it, relative to the body: in it a body moves without being looked up anew.
const ROOM: f64 = 0.2;

/// Room of one that goes on as far from report to report: in ways, and at most, relative to the body. More is looked up less often and
/// has more neighbours.
const AFAR: f64 = 12.0;
const MOST_ROOM: f64 = 4.0;

/// Fewest looks for which such room is worth while.
const FEWEST_LOOKS: f64 = 3.0;

/// A body, and where it was when its box was made.
#[derive(Clone, Debug)]
pub(super) struct Track {
    shape: Arc<PathShape>,
    center_of_mass: Vec2,
    ignored_edges: Vec<IgnoredEdges>,
    pub(super) position: Vec2,
    pub(super) angle: f64,
    /// Room in the box (length).
    pub(super) room: f64,
}

impl Track {
    pub(super) fn new(body: &CollisionBody) -> Self {
        Self {
            shape: body.shape.clone(),
            center_of_mass: body.center_of_mass,
            ignored_edges: body.ignored_edges.clone(),
            position: body.pose.position(),
            angle: body.pose.angle(),
            room: 0.0,
        }
    }

    pub(super) fn is_of(&self, body: &CollisionBody) -> bool {
        Arc::ptr_eq(&self.shape, &body.shape)
            && self.center_of_mass == body.center_of_mass
            && self.ignored_edges == body.ignored_edges
    }
}

/// Room for a body that goes so far from one look to the next.
pub(super) fn room_for(way: f64, reach: f64) -> f64 {
    let most = MOST_ROOM * reach;
    // What leaves every room by the next look needs none.
    if way * FEWEST_LOOKS > most { ROOM * reach } else { (AFAR * way).clamp(ROOM * reach, most) }
}
