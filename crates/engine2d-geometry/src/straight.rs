//! A straight edge: distance, foot and normal.

use crate::tolerance::{DEGENERATE_LENGTH, STRAIGHT_INFLATION};
use engine2d_math::Vec2;

/// Direction class of a straight edge; it selects the arithmetic, so that axis-parallel edges are exact.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Direction {
    Vertical,
    Horizontal,
    Slanted { slope: f64 },
}

/// A straight edge from `start` to `end` (body coordinates) with its outside marked by direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightEdge {
    start: Vec2,
    end: Vec2,
    outside_is_up: bool,
    direction: Direction,
    normal: Vec2,
}

/// Whether an edge of that extent counts as vertical. Of one too short to tell it is what it is more of.
pub(crate) fn is_vertical(d: Vec2) -> bool {
    d.x.abs() < DEGENERATE_LENGTH && (d.x.abs() < d.y.abs() || d.y.abs() >= DEGENERATE_LENGTH)
}

impl StraightEdge {
    /// The edge from `start` to `end`; the outside lies above it, or to its right if it is vertical, when
    /// `outside_is_up`, else on the other side.
    #[must_use]
    pub fn new(start: impl Into<Vec2>, end: impl Into<Vec2>, outside_is_up: bool) -> Self {
        let (start, end): (Vec2, Vec2) = (start.into(), end.into());
        let d = end - start;
        let direction = if is_vertical(d) {
            Direction::Vertical
        } else if d.y.abs() < DEGENERATE_LENGTH {
            Direction::Horizontal
        } else {
            Direction::Slanted { slope: d.y / d.x }
        };
        let sigma = if outside_is_up { 1.0 } else { -1.0 };
        let normal = match direction {
            Direction::Vertical => Vec2::new(sigma, 0.0),
            Direction::Horizontal => Vec2::new(0.0, sigma),
            Direction::Slanted { slope } => {
                let length = (1.0 + slope * slope).sqrt();
                Vec2::new(sigma * (-slope / length), sigma * (1.0 / length))
            }
        };
        Self { start, end, outside_is_up, direction, normal }
    }

    /// First end (body coordinates).
    #[inline]
    #[must_use]
    pub fn start(&self) -> Vec2 {
        self.start
    }

    /// Second end (body coordinates).
    #[inline]
    #[must_use]
    pub fn end(&self) -> Vec2 {
        self.end
    }

    /// Whether the outside lies above (for a vertical edge: to the right).
    #[must_use]
    pub fn outside_is_up(&self) -> bool {
        self.outside_is_up
    }

    /// Unit normal out of the material (body coordinates).
    #[inline]
    #[must_use]
    pub fn normal(&self) -> Vec2 {
        self.normal
    }

    /// Foot of the perpendicular from `a` on the infinite line.
    #[inline]
    #[must_use]
    pub fn foot(&self, a: impl Into<Vec2>) -> Vec2 {
        let a: Vec2 = a.into();
        match self.direction {
            Direction::Vertical => Vec2::new(self.start.x, a.y),
            Direction::Horizontal => Vec2::new(a.x, self.start.y),
            Direction::Slanted { slope: m } => {
                let x = (a.y - self.start.y + a.x / m + m * self.start.x) / (m + 1.0 / m);
                Vec2::new(x, self.start.y + m * (x - self.start.x))
            }
        }
    }

    /// Signed distance of `a` from the infinite line: positive outside, negative inside.
    #[inline]
    #[must_use]
    pub fn line_distance(&self, a: impl Into<Vec2>) -> f64 {
        let a: Vec2 = a.into();
        let above = match self.direction {
            Direction::Vertical => a.x - self.start.x,
            Direction::Horizontal => a.y - self.start.y,
            Direction::Slanted { .. } => {
                let q = self.foot(a);
                let length = (a - q).norm();
                if a.y < q.y { -length } else { length }
            }
        };
        if self.outside_is_up { above } else { -above }
    }

    /// Whether a point of the line lies between the ends (closed).
    #[inline]
    #[must_use]
    pub fn spans(&self, foot: impl Into<Vec2>) -> bool {
        let foot: Vec2 = foot.into();
        let (value, a, b) = match self.direction {
            Direction::Vertical => (foot.y, self.start.y, self.end.y),
            _ => (foot.x, self.start.x, self.end.x),
        };
        if a < b { a <= value && value <= b } else { b <= value && value <= a }
    }

    /// Signed distance of `a` if its foot lies between the ends, else `None`.
    #[inline]
    #[must_use]
    pub fn segment_distance(&self, a: impl Into<Vec2>) -> Option<f64> {
        let a: Vec2 = a.into();
        self.spans(self.foot(a)).then(|| self.line_distance(a))
    }

    /// Centre and radius of the circle used to skip the edge cheaply.
    pub(crate) fn proximity_circle(&self) -> (Vec2, f64) {
        let middle = (self.start + self.end) * 0.5;
        let reach = (self.start - middle).norm().max((self.end - middle).norm());
        (middle, STRAIGHT_INFLATION * reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_signed_by_the_outside_and_agrees_with_the_normal() {
        for (start, end, up) in [
            ([0.0, 0.0], [2.0, 0.0], true),
            ([0.0, 0.0], [0.0, 3.0], false),
            ([1.0, 1.0], [3.0, 2.0], true),
            ([1.0, 1.0], [3.0, -2.0], false),
        ] {
            let edge = StraightEdge::new(Vec2::from(start), Vec2::from(end), up);
            for a in [Vec2::new(0.3, 1.7), Vec2::new(-1.0, -2.0), Vec2::new(2.5, 0.1)] {
                let expected = edge.normal().dot(&(a - edge.start()));
                assert!((edge.line_distance(a) - expected).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn distance_beyond_the_ends_is_none() {
        let edge = StraightEdge::new(Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0), true);
        assert_eq!(edge.segment_distance(Vec2::new(1.0, 0.5)), Some(0.5));
        assert_eq!(edge.segment_distance(Vec2::new(1.1, 0.5)), None);
    }
}
