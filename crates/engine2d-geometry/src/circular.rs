//! A circular edge: angular interval, distance, normal and auxiliary vertices.

use crate::error::ShapeError;
use crate::tolerance::{
    ARC_END, ARC_SPACING, ARC_STEP, CHORD_ANGLE, COMPLETE_CIRCLE, CONCAVE_INFLATION, DEGENERATE_LENGTH,
    MAX_VERTICES,
};
use engine2d_math::{Vec2, perp, trig};
use std::f64::consts::{PI, TAU};

/// Difference of cosines of two angles that are not the same to rounding.
const CLEAR: f64 = 1e-9;

/// An arc of a circle (body coordinates), convex when the outside of the circle is outside the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CircularEdge {
    start: Vec2,
    end: Vec2,
    center: Vec2,
    radius: f64,
    clockwise: bool,
    convex: bool,
    low: f64,
    high: f64,
    /// Unit vector from the centre to the middle of the arc, and the cosine of the angle from there to its ends.
    middle: Vec2,
    cos_half: f64,
}

impl CircularEdge {
    /// The arc about `center` from `start` to `end`, travelled clockwise or not; `convex` says that the
    /// outside of the circle is outside the body. Equal ends mean a complete circle.
    ///
    /// # Errors
    /// [`ShapeError::ArcRadii`] when the ends are not at one distance from the centre, and
    /// [`ShapeError::NotPositive`] when that distance vanishes.
    pub fn new(
        start: Vec2,
        end: Vec2,
        center: Vec2,
        clockwise: bool,
        convex: bool,
    ) -> Result<Self, ShapeError> {
        let radius = (start - center).norm();
        if radius < DEGENERATE_LENGTH || !radius.is_finite() {
            return Err(ShapeError::NotPositive { what: "arc radius", value: radius });
        }
        let end_radius = (end - center).norm();
        if (end_radius - radius).abs() > ARC_END {
            return Err(ShapeError::ArcRadii { start: radius, end: end_radius });
        }
        let s = trig::atan2(start.y - center.y, start.x - center.x);
        let mut f = trig::atan2(end.y - center.y, end.x - center.x);
        let (low, high) = if (s - f).abs() < ARC_END || ((s - f).abs() - TAU).abs() < ARC_END {
            f = s + TAU;
            (s.min(f), s.min(f) + TAU)
        } else {
            let (low, high) = if clockwise { (f, s) } else { (s, f) };
            (low, if high > low { high } else { high + TAU })
        };
        let (sin, cos) = trig::sin_cos((low + high) / 2.0);
        let (middle, cos_half) = (Vec2::new(cos, sin), trig::cos((high - low) / 2.0));
        Ok(Self { start, end, center, radius, clockwise, convex, low, high, middle, cos_half })
    }

    /// The centre of the arc of given `radius` through both ends: on the side of the chord that is above
    /// it (to its right for a vertical chord) when `above`, else on the other.
    ///
    /// # Errors
    /// [`ShapeError::ArcRadii`] when the radius does not exceed half the chord.
    pub fn center_from_radius(
        start: impl Into<Vec2>,
        end: impl Into<Vec2>,
        radius: f64,
        above: bool,
    ) -> Result<Vec2, ShapeError> {
        let (start, end): (Vec2, Vec2) = (start.into(), end.into());
        let middle = (start + end) * 0.5;
        let half = (end - start).norm() / 2.0;
        let excess = radius * radius - half * half;
        // A NaN radius fails this comparison too.
        if !(excess >= DEGENERATE_LENGTH) {
            return Err(ShapeError::ArcRadii { start: radius, end: half });
        }
        let offset = if above { excess.sqrt() } else { -excess.sqrt() };
        let d = end - start;
        if d.x.abs() < DEGENERATE_LENGTH {
            return Ok(middle + Vec2::new(offset, 0.0));
        }
        let slope = d.y / d.x;
        let length = (1.0 + slope * slope).sqrt();
        Ok(middle + Vec2::new(-slope * offset / length, offset / length))
    }

    /// First end (body coordinates).
    #[must_use]
    pub fn start(&self) -> Vec2 {
        self.start
    }

    /// Second end (body coordinates).
    #[must_use]
    pub fn end(&self) -> Vec2 {
        self.end
    }

    /// Centre of the circle (body coordinates).
    #[inline]
    #[must_use]
    pub fn center(&self) -> Vec2 {
        self.center
    }

    /// Radius of the circle, positive.
    #[inline]
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Direction of travel from the first end to the second.
    #[must_use]
    pub fn clockwise(&self) -> bool {
        self.clockwise
    }

    /// Whether the outside of the circle is outside the body.
    #[inline]
    #[must_use]
    pub fn is_convex(&self) -> bool {
        self.convex
    }

    /// Angular interval `[low, high]` covered (radians), `low` in `[−π, π]`, `high − low` in `(0, 2π]`.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Angle covered (radians).
    #[must_use]
    pub fn span(&self) -> f64 {
        self.high - self.low
    }

    /// Whether the arc is a complete circle.
    #[inline]
    #[must_use]
    pub fn is_complete(&self) -> bool {
        (TAU - self.span()).abs() < COMPLETE_CIRCLE
    }

    /// Radius with the sign of convexity: negative for a concave arc.
    #[inline]
    #[must_use]
    pub fn signed_radius(&self) -> f64 {
        if self.convex { self.radius } else { -self.radius }
    }

    /// Height of the arc over its chord (sagitta); the diameter for a complete circle.
    #[must_use]
    pub fn depth(&self) -> f64 {
        if self.is_complete() { 2.0 * self.radius } else { self.radius * (1.0 - self.cos_half) }
    }

    /// Whether the direction from the centre to `a` falls on the arc.
    #[inline]
    #[must_use]
    pub fn contains_direction(&self, a: impl Into<Vec2>) -> bool {
        let a: Vec2 = a.into();
        if self.is_complete() {
            return true;
        }
        // The cosine of the angle from the middle decides, except where it is that of the ends to rounding:
        // there the angle itself does, as the rules of detection have it.
        let offset = a - self.center;
        let length = offset.norm();
        let margin = self.middle.dot(&offset) - self.cos_half * length;
        if margin.abs() > CLEAR * length {
            return margin > 0.0;
        }
        let mut angle = trig::atan2(a.y - self.center.y, a.x - self.center.x);
        if angle < self.low {
            angle += TAU;
        }
        self.low <= angle && angle <= self.high
    }

    /// Whether the direction from the centre to `a` falls on the arc reflected through the centre.
    #[must_use]
    pub fn contains_reflected_direction(&self, a: impl Into<Vec2>) -> bool {
        let a: Vec2 = a.into();
        let mut angle = trig::atan2(a.y - self.center.y, a.x - self.center.x);
        while angle < self.low + PI {
            angle += TAU;
        }
        angle <= self.high + PI
    }

    /// `a` itself if its direction falls on the arc, else the end of the arc nearer by angle.
    #[must_use]
    pub fn nearest_direction(&self, a: impl Into<Vec2>) -> Vec2 {
        let a: Vec2 = a.into();
        if self.contains_direction(a) {
            return a;
        }
        let angle = trig::atan2(a.y - self.center.y, a.x - self.center.x);
        // Both distances are positive and add up to the uncovered angle.
        let mut above_high = angle - self.high;
        while above_high < 0.0 {
            above_high += TAU;
        }
        let mut below_low = self.low - angle;
        while below_low < 0.0 {
            below_low += TAU;
        }
        let nearest = if below_low < above_high { self.low } else { self.high };
        let (sin, cos) = trig::sin_cos(nearest);
        self.center + Vec2::new(self.radius * cos, self.radius * sin)
    }

    /// Unit vector from the centre to the middle of the arc (body coordinates).
    pub(crate) fn middle(&self) -> Vec2 {
        self.middle
    }

    /// Cosine of half the angle covered.
    pub(crate) fn cos_half(&self) -> f64 {
        self.cos_half
    }

    /// A circle that contains the arc: its own, or for less than half of it that on the chord.
    pub(crate) fn enclosing_circle(&self) -> (Vec2, f64) {
        if self.span() >= PI {
            (self.center, self.radius)
        } else {
            ((self.start + self.end) * 0.5, (self.end - self.start).norm() / 2.0)
        }
    }

    /// Outward unit normal at a point `p` of the arc and unit direction of travel there.
    pub(crate) fn travel(&self, p: Vec2) -> (Vec2, Vec2) {
        let u = (p - self.center) / (p - self.center).norm();
        (if self.convex { u } else { -u }, if self.clockwise { -perp(u) } else { perp(u) })
    }

    /// Signed distance of `a` from the full circle: positive outside the body.
    #[inline]
    #[must_use]
    pub fn line_distance(&self, a: impl Into<Vec2>) -> f64 {
        let a: Vec2 = a.into();
        let d = (a - self.center).norm() - self.radius;
        if self.convex { d } else { -d }
    }

    /// Signed distance if the direction of `a` falls on the arc, else `None`.
    #[must_use]
    pub fn segment_distance(&self, a: impl Into<Vec2>) -> Option<f64> {
        let a: Vec2 = a.into();
        self.contains_direction(a).then(|| self.line_distance(a))
    }

    /// Unit normal out of the material at the direction of `a`; `None` at the centre.
    #[inline]
    #[must_use]
    pub fn normal(&self, a: impl Into<Vec2>) -> Option<Vec2> {
        let a: Vec2 = a.into();
        let r = a - self.center;
        let length = r.norm();
        (length >= DEGENERATE_LENGTH).then(|| if self.convex { r / length } else { -r / length })
    }

    /// Number of sub-arcs between auxiliary vertices, and the angle of each.
    pub(crate) fn subdivision(&self) -> (u32, f64) {
        let by_angle = (self.span() / ARC_STEP).ceil();
        let by_length = (self.span() * self.radius / ARC_SPACING).ceil();
        let count = by_angle.max(by_length).max(1.0);
        (count as u32, self.span() / count)
    }

    /// The auxiliary vertices, from the start towards the end.
    pub(crate) fn auxiliary_vertices(&self) -> impl Iterator<Item = Vec2> + '_ {
        let (count, step) = self.subdivision();
        (1..count).map(move |i| {
            let turn = f64::from(i) * step;
            let angle = if self.clockwise { self.high - turn } else { self.low + turn };
            let (sin, cos) = trig::sin_cos(angle);
            self.center + Vec2::new(self.radius * cos, self.radius * sin)
        })
    }

    /// Points from the start towards the end, the end left out, whose chords leave the arc by at most
    /// `tolerance` (length), or by as much as [`MAX_VERTICES`] of them do on a circle.
    pub(crate) fn points(&self, tolerance: f64) -> impl Iterator<Item = Vec2> + '_ {
        // A chord of angle s leaves the arc by 2 r sin²(s/4).
        let sine = (tolerance / (2.0 * self.radius)).clamp(0.0, 1.0).sqrt();
        let step = (4.0 * trig::asin(sine)).clamp(TAU / MAX_VERTICES as f64, CHORD_ANGLE);
        let count = (self.span() / step).ceil().max(1.0);
        let turn = self.span() / count;
        (0..count as u32).map(move |i| {
            let by = f64::from(i) * turn;
            let angle = if self.clockwise { self.high - by } else { self.low + by };
            let (sin, cos) = trig::sin_cos(angle);
            self.center + Vec2::new(self.radius * cos, self.radius * sin)
        })
    }

    /// Bound on the error of replacing the arc by its auxiliary vertices (length).
    #[must_use]
    pub fn chord_error(&self) -> f64 {
        let (_, step) = self.subdivision();
        self.radius * (1.0 - (1.0 - step * step / 4.0).sqrt())
    }

    pub(crate) fn proximity_circle(&self) -> (Vec2, f64) {
        let (center, radius) = self.enclosing_circle();
        (center, if self.convex { radius } else { radius * CONCAVE_INFLATION })
    }

    /// Extremes of the arc: `(min, max)` corners of its bounding box.
    pub(crate) fn extents(&self) -> (Vec2, Vec2) {
        let covers = |direction: f64| {
            let angle = if direction < self.low { direction + TAU } else { direction };
            self.low <= angle && angle <= self.high
        };
        let mut low = self.start.inf(&self.end);
        let mut high = self.start.sup(&self.end);
        if covers(PI) {
            low.x = self.center.x - self.radius;
        }
        if covers(0.0) {
            high.x = self.center.x + self.radius;
        }
        if covers(-PI / 2.0) {
            low.y = self.center.y - self.radius;
        }
        if covers(PI / 2.0) {
            high.y = self.center.y + self.radius;
        }
        (low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(radius: f64) -> CircularEdge {
        let start = Vec2::new(-radius, 0.0);
        CircularEdge::new(start, start, Vec2::zeros(), false, true).unwrap()
    }

    #[test]
    fn chord_errors_and_vertex_counts_are_the_published_ones() {
        for (radius, count, error) in [
            (0.2, 8, 0.016066595613),
            (0.5, 11, 0.020825443737),
            (0.8, 17, 0.013779015403),
            (1.0, 21, 0.011253346570),
            (4.0, 84, 0.002798485857),
        ] {
            let edge = ball(radius);
            assert_eq!(edge.subdivision().0, count);
            assert!((edge.chord_error() - error).abs() < 1e-12);
            assert!(edge.is_complete());
            assert_eq!(edge.depth(), 2.0 * radius);
        }
    }

    #[test]
    fn center_from_radius_lies_on_the_named_side() {
        let center =
            CircularEdge::center_from_radius(Vec2::new(3.0, 1.0), Vec2::new(0.0, 1.0), 2.0, true).unwrap();
        assert!((center - Vec2::new(1.5, 2.3228756555)).norm() < 1e-9);
        let arc = CircularEdge::new(Vec2::new(3.0, 1.0), Vec2::new(0.0, 1.0), center, true, false).unwrap();
        assert!((arc.interval().0 - -2.418858405776).abs() < 1e-9);
        assert!((arc.interval().1 - -0.722734247813).abs() < 1e-9);
        assert_eq!(arc.auxiliary_vertices().count(), 11);
        assert!((arc.depth() - 0.677124344).abs() < 1e-9);
    }

    #[test]
    fn directions_outside_the_arc_snap_to_the_nearer_end() {
        let quarter =
            CircularEdge::new(Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0), Vec2::zeros(), false, true).unwrap();
        assert!(quarter.contains_direction(Vec2::new(2.0, 2.0)));
        assert!(!quarter.contains_direction(Vec2::new(-1.0, -1.0)));
        assert!(quarter.contains_reflected_direction(Vec2::new(-1.0, -1.0)));
        assert!((quarter.nearest_direction(Vec2::new(1.0, -0.5)) - Vec2::new(1.0, 0.0)).norm() < 1e-15);
        assert!((quarter.nearest_direction(Vec2::new(-0.5, 1.0)) - Vec2::new(0.0, 1.0)).norm() < 1e-15);
    }
}
