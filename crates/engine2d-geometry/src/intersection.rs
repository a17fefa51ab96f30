//! Crossings of a motion segment with an edge.

use crate::circular::CircularEdge;
use crate::tolerance::{DEGENERATE_LENGTH, END_SLACK, PARALLEL};
use engine2d_math::Vec2;

/// Where the segment `p3 p4` (a motion) crosses the segment `p1 p2` (an edge); `None` if they do not meet,
/// are parallel or overlap along a line.
///
/// The arithmetic distinguishes vertical and horizontal lines so that axis-parallel crossings are exact;
/// ends are closed with a slack of 1e-14.
#[must_use]
pub fn segment_segment(
    p1: impl Into<Vec2>,
    p2: impl Into<Vec2>,
    p3: impl Into<Vec2>,
    p4: impl Into<Vec2>,
) -> Option<Vec2> {
    let (p1, p2, p3, p4): (Vec2, Vec2, Vec2, Vec2) = (p1.into(), p2.into(), p3.into(), p4.into());
    let (x_low, x_high) = ordered(p1.x, p2.x);
    let (y_low, y_high) = ordered(p1.y, p2.y);
    // Strict, without slack: boxes that do not overlap never cross.
    if (p3.x > x_high && p4.x > x_high) || (p3.x < x_low && p4.x < x_low) {
        return None;
    }
    if (p3.y > y_high && p4.y > y_high) || (p3.y < y_low && p4.y < y_low) {
        return None;
    }
    let first = (x_low, x_high, y_low, y_high);
    let (mx_low, mx_high) = ordered(p3.x, p4.x);
    let (my_low, my_high) = ordered(p3.y, p4.y);
    let second = (mx_low, mx_high, my_low, my_high);
    if (p2.x - p1.x).abs() < PARALLEL {
        if (p4.x - p3.x).abs() < PARALLEL {
            return None;
        }
        let slope = (p4.y - p3.y) / (p4.x - p3.x);
        let candidate = Vec2::new(p1.x, slope * (p1.x - p3.x) + p3.y);
        let accepted = in_range(candidate.y, y_low, y_high) && in_box(candidate, second);
        return accepted.then_some(candidate);
    }
    if (p4.x - p3.x).abs() < PARALLEL {
        let slope = (p2.y - p1.y) / (p2.x - p1.x);
        let candidate = Vec2::new(p3.x, slope * (p3.x - p1.x) + p1.y);
        let accepted = in_box(candidate, first) && in_range(candidate.y, my_low, my_high);
        return accepted.then_some(candidate);
    }
    let m1 = (p2.y - p1.y) / (p2.x - p1.x);
    let m2 = (p4.y - p3.y) / (p4.x - p3.x);
    if (m2 - m1).abs() < PARALLEL {
        return None;
    }
    let candidate = if m2.abs() < PARALLEL {
        let y = (p3.y + p4.y) / 2.0;
        Vec2::new((y - p1.y) / m1 + p1.x, y)
    } else if m1.abs() < PARALLEL {
        let y = (p1.y + p2.y) / 2.0;
        Vec2::new((y - p3.y) / m2 + p3.x, y)
    } else {
        let x = (m2 * p3.x - m1 * p1.x - p3.y + p1.y) / (m2 - m1);
        Vec2::new(x, m1 * (x - p1.x) + p1.y)
    };
    (in_box(candidate, first) && in_box(candidate, second)).then_some(candidate)
}

#[inline]
fn ordered(a: f64, b: f64) -> (f64, f64) {
    if a < b { (a, b) } else { (b, a) }
}

#[inline]
fn in_range(value: f64, low: f64, high: f64) -> bool {
    low - END_SLACK <= value && value <= high + END_SLACK
}

#[inline]
fn in_box(p: Vec2, (x_low, x_high, y_low, y_high): (f64, f64, f64, f64)) -> bool {
    in_range(p.x, x_low, x_high) && in_range(p.y, y_low, y_high)
}

/// Where the motion `a → b` (body coordinates) crosses an arc: up to two points, each on the arc and
/// within the closed ranges of the motion.
#[must_use]
pub fn segment_arc(arc: &CircularEdge, a: impl Into<Vec2>, b: impl Into<Vec2>) -> [Option<Vec2>; 2] {
    let (a, b): (Vec2, Vec2) = (a.into(), b.into());
    let center = arc.center();
    let (a, b) = (a - center, b - center);
    let r = arc.radius();
    let (x_low, x_high) = ordered(a.x, b.x);
    let (y_low, y_high) = ordered(a.y, b.y);
    let kept = |p: Vec2, along_x: bool| {
        let inside = (!along_x || (x_low <= p.x && p.x <= x_high)) && y_low <= p.y && p.y <= y_high;
        (inside && arc.contains_direction(p + center)).then(|| p + center)
    };
    if (a.x - b.x).abs() < DEGENERATE_LENGTH {
        let x = (a.x + b.x) / 2.0;
        if !(-r..=r).contains(&x) {
            return [None, None];
        }
        let y = (r * r - x * x).sqrt();
        return [kept(Vec2::new(x, y), false), kept(Vec2::new(x, -y), false)];
    }
    let m = (b.y - a.y) / (b.x - a.x);
    let q = a.y - m * a.x;
    let square = 1.0 + m * m;
    let discriminant = square * r * r - q * q;
    if discriminant < 0.0 {
        return [None, None];
    }
    let e = discriminant.sqrt();
    [
        kept(Vec2::new(-(m * q + e) / square, (q - m * e) / square), true),
        kept(Vec2::new((e - m * q) / square, (q + m * e) / square), true),
    ]
}

/// Distance of the point `a` from the line through `p` along the unit vector `n`.
#[must_use]
pub fn distance_to_line(a: impl Into<Vec2>, p: impl Into<Vec2>, n: impl Into<Vec2>) -> f64 {
    let (a, p, n): (Vec2, Vec2, Vec2) = (a.into(), p.into(), n.into());
    if n.x.abs() < DEGENERATE_LENGTH {
        return (a.x - p.x).abs();
    }
    if n.y.abs() < DEGENERATE_LENGTH {
        return (a.y - p.y).abs();
    }
    let foot = p + n * n.dot(&(a - p));
    (a - foot).norm()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_of_segments_are_the_published_ones() {
        let v = Vec2::new;
        let cases = [
            (v(-1.0, 0.0), v(1.0, 0.0), v(0.0, 1.0), v(0.0, -1.0), Some(v(0.0, 0.0))),
            (v(-1.0, 0.0), v(1.0, 0.0), v(1.0, 1.0), v(1.0, -1.0), Some(v(1.0, 0.0))),
            (v(-1.0, 0.0), v(1.0, 0.0), v(1.0 + 5e-15, 1.0), v(1.0 + 5e-15, -1.0), None),
            (v(-1.0, 0.0), v(1.0, 0.0), v(0.0, 0.0), v(2.0, 0.0), None),
            (v(0.0, -1.0), v(0.0, 1.0), v(-1.0, -1.0), v(1.0, 1.0), Some(v(0.0, 0.0))),
            (v(0.0, 0.0), v(1.0, 2.0), v(0.0, 2.0), v(1.0, 0.0), Some(v(0.5, 1.0))),
            (v(-1.0, 0.0), v(1.0, 0.0), v(0.2, 0.0), v(0.2, 0.0), Some(v(0.2, 0.0))),
            (
                v(3.5355339059327378, 0.5),
                v(-3.5355339059327378, 0.5),
                v(-3.497695148119348, 0.47209383993684373),
                v(-3.665778648699753, 0.5768083643426545),
                None,
            ),
            (
                v(-3.5355339059327378, -0.5),
                v(-3.5355339059327378, 0.5),
                v(-3.497695148119348, 0.47209383993684373),
                v(-3.665778648699753, 0.5768083643426545),
                Some(v(-3.5355339059327378, 0.4956670491742391)),
            ),
        ];
        for (p1, p2, p3, p4, expected) in cases {
            let found = segment_segment(p1, p2, p3, p4);
            match (found, expected) {
                (Some(f), Some(e)) => assert!((f - e).norm() < 1e-12, "{f} {e}"),
                (f, e) => assert_eq!(f, e),
            }
        }
    }

    #[test]
    fn a_motion_through_a_disc_crosses_twice() {
        let start = Vec2::new(-1.0, 0.0);
        let arc = CircularEdge::new(start, start, Vec2::zeros(), false, true).unwrap();
        let crossings = segment_arc(&arc, Vec2::new(-2.0, 0.6), Vec2::new(2.0, 0.6));
        assert!((crossings[0].unwrap() - Vec2::new(-0.8, 0.6)).norm() < 1e-15);
        assert!((crossings[1].unwrap() - Vec2::new(0.8, 0.6)).norm() < 1e-15);
        assert_eq!(segment_arc(&arc, Vec2::new(0.0, 0.0), Vec2::new(0.2, 0.3)), [None, None]);
        let vertical = segment_arc(&arc, Vec2::new(0.6, 2.0), Vec2::new(0.6, 0.0));
        assert!((vertical[0].unwrap() - Vec2::new(0.6, 0.8)).norm() < 1e-15);
        assert_eq!(vertical[1], None);
    }

    #[test]
    fn distance_to_a_line_in_every_direction() {
        let a = Vec2::new(3.0, 4.0);
        assert_eq!(distance_to_line(a, Vec2::zeros(), Vec2::new(0.0, 1.0)), 3.0);
        assert_eq!(distance_to_line(a, Vec2::zeros(), Vec2::new(1.0, 0.0)), 4.0);
        assert!(distance_to_line(a, Vec2::zeros(), Vec2::new(0.6, 0.8)) < 1e-15);
    }
}
