//! The signed distance of two path bodies.

use super::corner::Corner;
use super::curve::{Place, PlacedEdge};
use super::depth::{coincident, deepest};
use super::frame::{Placed, PlacedPath};
use super::nearest::{Meeting, nearest};
use super::placed::{Pair, PathFeature, PathFeatures, PathWorkspace};
use engine2d_math::Vec2;

/// Signed distance of two path bodies, and where it is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathDistance {
    /// Distance of the outlines (length); if the solids overlap, minus the depth: the largest distance that a point
    /// of one outline within the other solid has from that solid's outline.
    pub gap: f64,
    /// Point on the outline of the first body (world); where the outlines coincide with the material on one side, as
    /// of equal bodies at one place, a point within both, and the gap is minus its distance from the outlines.
    pub point_a: Vec2,
    /// Point on the outline of the second body (world).
    pub point_b: Vec2,
    /// Unit normal out of the second body into the first (world): `gap = normal · (point_a − point_b)` up to
    /// rounding.
    pub normal: Vec2,
    /// The features on which the points lie.
    pub features: PathFeatures,
}

/// The signed distance of two path bodies where they stand, whatever their motion; `None` if they are farther apart
/// than `reach` (length, may be infinite). It shares nothing with the detection of contacts, so that it can judge it.
///
/// Exact up to rounding, 1e-12 of the sizes: outlines apart are nearest at common normals or ends of edges, all of
/// which are compared; in overlap the deepest point is found by branch and bound, be it a corner, within an arc, or
/// within a side that passes through the other body. A wall is a block, of a one-sided wall
/// there is only the active side and no inside, and what bounds a cavity from outside is solid everywhere else. Poses must be finite.
///
/// ```
/// use engine2d_geometry::{PathShape, PathWorkspace, PlacedPath, Pose, path_distance};
///
/// let (bar, ball) = (PathShape::block(4.0, 1.0)?, PathShape::ball(0.5)?);
/// let mut workspace = PathWorkspace::default();
/// let mut gap = |y: f64| {
///     let (ball, bar) = (PlacedPath::new(&ball, Pose::new(0.3, y, 0.0)), PlacedPath::new(&bar, Pose::IDENTITY));
///     path_distance(&ball, &bar, 2.0, &mut workspace).map(|d| d.gap)
/// };
/// assert_eq!(gap(1.25), Some(0.25));
/// assert_eq!(gap(0.75), Some(-0.25));
/// assert_eq!(gap(9.0), None);
/// # Ok::<(), engine2d_geometry::ShapeError>(())
/// ```
#[must_use]
pub fn path_distance(
    a: &PlacedPath<'_>,
    b: &PlacedPath<'_>,
    reach: f64,
    workspace: &mut PathWorkspace,
) -> Option<PathDistance> {
    let pair = Pair::new(a, b);
    let unbounded = pair.a.is_unbounded() || pair.b.is_unbounded();
    if !unbounded && !(pair.apart() <= reach) {
        return None;
    }
    // A negative reach asks whether they overlap so deeply at least.
    pair.collect(reach.max(pair.slack), workspace);
    let found = nearest(&workspace.near_a, &workspace.near_b, reach.max(pair.slack), pair.slack);
    let mut best = found.best;
    let has_inside = !(pair.a.is_one_sided() || pair.b.is_one_sided());
    if has_inside && (found.crosses || pair.one_within_other()) {
        let mut overlap = self::overlap(&pair, workspace);
        // Edges that are left out are farther away than the reach.
        let deeper = overlap.is_some_and(|meeting| -meeting.gap > reach);
        if deeper || overlap.is_none() && !found.crosses {
            pair.collect(f64::INFINITY, workspace);
            overlap = self::overlap(&pair, workspace);
            // The edges have other places in the lists now.
            let reach = reach.max(pair.slack);
            best = nearest(&workspace.near_a, &workspace.near_b, reach, pair.slack).best;
        }
        best = match (overlap, best) {
            // Within rounding the sides that touch tell more than the deepest point.
            (Some(deep), Some(touching)) if -deep.gap <= pair.slack => {
                Some(Meeting { gap: deep.gap, ..touching })
            }
            (Some(deep), _) => Some(deep),
            (None, best) => best,
        };
    }
    let best = best.filter(|m| m.gap <= reach)?;
    Some(answer(&pair, &best, workspace))
}

/// The deepest point of either outline in the other solid.
fn overlap(pair: &Pair<'_>, workspace: &mut PathWorkspace) -> Option<Meeting> {
    let PathWorkspace { near_a, near_b, cuts, pieces, .. } = workspace;
    let size = 2.0 * (pair.a.radius + pair.b.radius);
    let of_a = deepest(near_a, near_b, &pair.b, pair.slack, (cuts, pieces));
    let of_b = deepest(near_b, near_a, &pair.a, pair.slack, (cuts, pieces)).map(Meeting::swapped);
    let deepest = match (of_a, of_b) {
        (Some(a), Some(b)) if b.gap < a.gap => Some(b),
        (Some(a), _) => Some(a),
        (None, b) => b,
    };
    let is_clear = deepest.is_some_and(|m| -m.gap > pair.slack);
    if is_clear { deepest } else { coincident(near_a, near_b, size, pair.slack).or(deepest) }
}

impl Pair<'_> {
    /// Whether a path of one outline begins within the other solid: what two outlines that do not cross can have.
    fn one_within_other(&self) -> bool {
        let begins_in = |first: &Placed<'_>, second: &Placed<'_>| {
            let shape = first.path.shape;
            let mut path = None;
            shape.edges().iter().any(|edge| {
                let starts = path != Some(edge.path());
                path = Some(edge.path());
                starts && {
                    let p = first.point(shape.vertices()[edge.start_vertex()].point());
                    let near = (p - second.center).norm() <= second.radius || second.is_unbounded();
                    near && second.is_solid(p)
                }
            })
        };
        begins_in(&self.a, &self.b) || begins_in(&self.b, &self.a)
    }
}

/// The answer in the world.
fn answer(pair: &Pair<'_>, meeting: &Meeting, workspace: &PathWorkspace) -> PathDistance {
    let (e, f) = (&workspace.near_a[meeting.edge_a.0], &workspace.near_b[meeting.edge_b.0]);
    let meeting = Meeting {
        edge_a: (meeting.edge_a.0, e.place_near_ends(meeting.point_a, meeting.edge_a.1, pair.slack)),
        edge_b: (meeting.edge_b.0, f.place_near_ends(meeting.point_b, meeting.edge_b.1, pair.slack)),
        ..*meeting
    };
    let offset = meeting.point_a - meeting.point_b;
    let length = offset.norm();
    // A foot within an edge has its normal; the deep point of an overlap need not.
    let touching = meeting.gap >= -pair.slack;
    let (foot_on_a, foot_on_b) = (touching || !meeting.foot_on_b, touching || meeting.foot_on_b);
    let normal = if foot_on_b && meeting.edge_b.1 == Place::Inner {
        f.normal_at(meeting.point_b)
    } else if foot_on_a && meeting.edge_a.1 == Place::Inner {
        -e.normal_at(meeting.point_a)
    } else if length > pair.slack {
        if meeting.gap < 0.0 { -offset / length } else { offset / length }
    } else {
        let corner_a = Corner::new(&pair.a, vertex_of(e, meeting.edge_a.1));
        let corner_b = Corner::new(&pair.b, vertex_of(f, meeting.edge_b.1));
        Corner::normal_between(&corner_a, &corner_b)
    };
    PathDistance {
        gap: meeting.gap,
        point_a: pair.origin + meeting.point_a,
        point_b: pair.origin + meeting.point_b,
        normal,
        features: PathFeatures { a: feature(e, meeting.edge_a.1), b: feature(f, meeting.edge_b.1) },
    }
}

fn vertex_of(edge: &PlacedEdge, place: Place) -> u32 {
    if place == Place::End { edge.end_vertex } else { edge.start_vertex }
}

fn feature(edge: &PlacedEdge, place: Place) -> PathFeature {
    if place == Place::Inner {
        PathFeature::Edge(edge.index)
    } else {
        PathFeature::Vertex(vertex_of(edge, place))
    }
}
