//! Whether segments of closed paths cross: where two curves meet within both segments, and not only touch.

use super::segment::Segment;
use engine2d_math::order::Order;
use engine2d_math::{Vec2, cross, perp};

/// How far from the ends of a segment, and from only touching, a crossing must be to count, relative to the sizes that take part. Less
/// than that is rounding of paths that touch.
const CLEAR: f64 = 1e-9;

/// Whether any two segments cross.
pub(super) fn any_cross(paths: &[Vec<Segment>]) -> bool {
    let mut boxed: Vec<([Vec2; 2], &Segment)> = paths.iter().flatten().map(|s| (s.bounds(), s)).collect();
    boxed.order_by(|(one, _), (two, _)| one[0].x.total_cmp(&two[0].x));
    boxed.iter().enumerate().any(|(k, (own, segment))| {
        let near = boxed[k + 1..].iter().take_while(|(other, _)| other[0].x <= own[1].x);
        near.filter(|(other, _)| other[0].y <= own[1].y && own[0].y <= other[1].y)
            .any(|(_, other)| segment.crosses(other))
    })
}

impl Segment {
    /// The least and the greatest coordinates; of an arc those of its circle.
    fn bounds(&self) -> [Vec2; 2] {
        match self.arc {
            None => [self.start.inf(&self.end), self.start.sup(&self.end)],
            Some((center, _)) => {
                let r = (self.start - center).norm();
                [center - Vec2::new(r, r), center + Vec2::new(r, r)]
            }
        }
    }

    fn crosses(&self, other: &Self) -> bool {
        let points = match (self.arc, other.arc) {
            (None, None) => lines(self, other),
            (None, Some((center, _))) => line_and_circle(self, center, (other.start - center).norm()),
            (Some((center, _)), None) => line_and_circle(other, center, (self.start - center).norm()),
            (Some((one, _)), Some((two, _))) => {
                circles((one, (self.start - one).norm()), (two, (other.start - two).norm()))
            }
        };
        points.into_iter().flatten().any(|p| self.has_within(p) && other.has_within(p))
    }

    /// Whether a point of the segment's curve is within it and not at an end.
    fn has_within(&self, p: Vec2) -> bool {
        let chord = self.end - self.start;
        match self.arc {
            None => {
                let part = (p - self.start).dot(&chord) / chord.norm_squared();
                part > CLEAR && part < 1.0 - CLEAR
            }
            // An arc lies to the right of its chord if it runs counter-clockwise.
            Some((center, clockwise)) => {
                let side = cross(chord, p - self.start) * if clockwise { 1.0 } else { -1.0 };
                side > CLEAR * chord.norm() * (self.start - center).norm()
            }
        }
    }
}

/// Where the lines of two segments meet, unless they are parallel.
fn lines(one: &Segment, two: &Segment) -> [Option<Vec2>; 2] {
    let (u, v) = (one.end - one.start, two.end - two.start);
    let turn = cross(u, v);
    if turn.abs() <= CLEAR * u.norm() * v.norm() {
        return [None; 2];
    }
    [Some(one.start + u * (cross(two.start - one.start, v) / turn)), None]
}

/// Where the line of a segment cuts a circle, unless it touches it.
fn line_and_circle(line: &Segment, center: Vec2, radius: f64) -> [Option<Vec2>; 2] {
    let Some(along) = (line.end - line.start).try_normalize(0.0) else { return [None; 2] };
    let foot = line.start + along * (center - line.start).dot(&along);
    let away = (foot - center).norm();
    if !(away < radius * (1.0 - CLEAR)) {
        return [None; 2];
    }
    let half = ((radius - away) * (radius + away)).sqrt();
    [Some(foot + along * half), Some(foot - along * half)]
}

/// Where two circles cut each other, unless they touch.
fn circles((one, r): (Vec2, f64), (two, s): (Vec2, f64)) -> [Option<Vec2>; 2] {
    let between = two - one;
    let d = between.norm();
    let clear = CLEAR * (r + s);
    if !(d > (r - s).abs() + clear && d < r + s - clear) {
        return [None; 2];
    }
    let along = (d + (r - s) * (r + s) / d) / 2.0;
    let half = ((r - along) * (r + along)).max(0.0).sqrt();
    let (foot, across) = (one + between * (along / d), perp(between) / d);
    [Some(foot + across * half), Some(foot - across * half)]
}

#[cfg(test)]
mod tests {
    use crate::PathShape;

    #[test]
    fn paths_that_cross_are_refused_and_paths_that_touch_are_not() {
        for crossing in [
            // Each edge is crossed twice or not at all, so that turns about the middles of edges tell nothing.
            "M-3.25 -3.75l -3.75 -3.75t -3.75 -2.125h -3.75ZM4.5 -3.75L -3.125 -3.25h -1.5L -5 -5Z",
            "M0 0H10V1H0Z M4.9 -1H5.1V2H4.9Z",
            "M-2 0A2 2 0 0 0 2 0A2 2 0 0 0 -2 0Z M0 0H4V0.5H0Z",
        ] {
            assert!(PathShape::from_svg_path(crossing).is_err(), "{crossing}");
        }
        for sound in [
            "M-1 0A1 1 0 0 0 1 0A1 1 0 0 0 -1 0Z M1 0A1 1 0 0 0 3 0A1 1 0 0 0 1 0Z",
            "M0 0H4V4H0Z M1 1V3H3V1Z",
            "M0 0H2V2H0Z M2 2H4V4H2Z",
        ] {
            assert!(PathShape::from_svg_path(sound).is_ok(), "{sound}");
        }
    }
}
