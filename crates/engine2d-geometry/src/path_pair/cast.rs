//! Where a path body that is pushed without turning first meets another one.
//!
//! Two curves that move apart or together along a line first meet with an end of one on the other, or where an arc touches
//! the other's inner part. Each of these is the root of a linear or quadratic equation in the way, so that no way is too
//! shallow to be followed.

use super::curve::{PlacedArc, PlacedCurve, PlacedEdge};
use super::frame::PlacedPath;
use super::placed::{Pair, PathWorkspace};
use engine2d_math::{Vec2, cross};

/// How far `a` can be pushed along the unit vector `direction`, at most by `length`, before its outline meets that of `b`. Corners that
/// pass each other within rounding meet. The outlines must be apart at the start.
pub(crate) fn first_touch(
    a: &PlacedPath<'_>,
    direction: Vec2,
    length: f64,
    b: &PlacedPath<'_>,
    workspace: &mut PathWorkspace,
) -> Option<f64> {
    let pair = Pair::new(a, b);
    pair.collect(length, workspace);
    let sweep = Sweep { direction, slack: pair.slack };
    let mut least = f64::INFINITY;
    for e in &workspace.near_a {
        for f in &workspace.near_b {
            if sweep.may_meet(e, f) {
                least = least.min(sweep.meeting(e, f));
            }
        }
    }
    (least <= length).then_some(least)
}

/// A motion along a line.
struct Sweep {
    direction: Vec2,
    /// Length within which points are the same.
    slack: f64,
}

impl Sweep {
    fn reversed(&self) -> Self {
        Self { direction: -self.direction, ..*self }
    }

    /// Whether the way of the circle about `moving` passes the circle about `still`.
    fn may_meet(&self, moving: &PlacedEdge, still: &PlacedEdge) -> bool {
        let (offset, reach) = (still.center - moving.center, still.radius + moving.radius + self.slack);
        cross(self.direction, offset).abs() <= reach && self.direction.dot(&offset) >= -reach
    }

    /// After which way an edge first meets another one; infinite if it does not.
    fn meeting(&self, moving: &PlacedEdge, still: &PlacedEdge) -> f64 {
        let back = self.reversed();
        let mut least = f64::INFINITY;
        let mut meets = |way: f64| {
            if way >= 0.0 && way < least {
                least = way;
            }
        };
        for p in [moving.start, moving.end] {
            self.point(p, still, &mut meets);
        }
        for p in [still.start, still.end] {
            back.point(p, moving, &mut meets);
        }
        match (&moving.curve, &still.curve) {
            (PlacedCurve::Line { .. }, PlacedCurve::Line { .. }) => {}
            (PlacedCurve::Arc(arc), PlacedCurve::Line { .. }) => self.arc_on_line(arc, still, &mut meets),
            (PlacedCurve::Line { .. }, PlacedCurve::Arc(arc)) => back.arc_on_line(arc, moving, &mut meets),
            (PlacedCurve::Arc(first), PlacedCurve::Arc(second)) => self.arcs(first, second, &mut meets),
        }
        least
    }

    /// The ways after which a point is on an edge.
    fn point(&self, p: Vec2, edge: &PlacedEdge, meets: &mut impl FnMut(f64)) {
        for end in [edge.start, edge.end] {
            if cross(self.direction, end - p).abs() <= self.slack {
                meets(self.direction.dot(&(end - p)));
            }
        }
        match &edge.curve {
            PlacedCurve::Line { normal, tangent, length } => {
                let offset = p - edge.start;
                let way = -normal.dot(&offset) / normal.dot(&self.direction);
                let along = tangent.dot(&(offset + self.direction * way));
                if 0.0 <= along && along <= *length {
                    meets(way);
                }
            }
            PlacedCurve::Arc(arc) => {
                for way in self.to_circle(p, arc.center, arc.radius) {
                    if arc.covers((p + self.direction * way - arc.center) / arc.radius) {
                        meets(way);
                    }
                }
            }
        }
    }

    /// The ways after which a circle touches a line from either side, within the arc and the edge.
    fn arc_on_line(&self, arc: &PlacedArc, line: &PlacedEdge, meets: &mut impl FnMut(f64)) {
        let PlacedCurve::Line { normal, tangent, length } = line.curve else { return };
        let offset = arc.center - line.start;
        let (height, closing) = (normal.dot(&offset), -normal.dot(&self.direction));
        for side in [1.0, -1.0] {
            let way = (height - side * arc.radius) / closing;
            let along = tangent.dot(&(offset + self.direction * way));
            if 0.0 <= along && along <= length && arc.covers(-side * normal) {
                meets(way);
            }
        }
    }

    /// The ways after which two circles touch, from outside or within, on both arcs.
    fn arcs(&self, moving: &PlacedArc, still: &PlacedArc, meets: &mut impl FnMut(f64)) {
        let offset = |way: f64| moving.center + self.direction * way - still.center;
        let sum = moving.radius + still.radius;
        for way in self.to_circle(moving.center, still.center, sum) {
            let out = offset(way) / sum;
            if still.covers(out) && moving.covers(-out) {
                meets(way);
            }
        }
        let difference = still.radius - moving.radius;
        if difference != 0.0 {
            for way in self.to_circle(moving.center, still.center, difference.abs()) {
                // Seen from both centres the touch is where the larger circle is nearest to the smaller one.
                let out = offset(way) / difference;
                if still.covers(out) && moving.covers(out) {
                    meets(way);
                }
            }
        }
    }

    /// The ways after which a point is on a circle.
    fn to_circle(&self, p: Vec2, center: Vec2, radius: f64) -> impl Iterator<Item = f64> + use<> {
        let offset = center - p;
        let (middle, side) = (self.direction.dot(&offset), cross(self.direction, offset).abs());
        // Without the cancellation of squares; NaN where the line passes the circle.
        let half = ((radius - side) * (radius + side)).sqrt();
        [middle - half, middle + half].into_iter().filter(|way| !way.is_nan())
    }
}
