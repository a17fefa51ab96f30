//! What is within where closed paths lie in each other.

use super::meeting::any_cross;
use super::segment::{Segment, signed_area};
use crate::error::ShapeError;
use engine2d_math::order::Order;
use engine2d_math::{Vec2, cross, perp};

/// How far off the middle of an edge it is looked at, as a part of its chord.
const OFF_MIDDLE: f64 = 0.0137;

/// Which points closed paths contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FillRule {
    /// Those that they go round in all, each turn with its sign.
    #[default]
    NonZero,
    /// Those that an odd number of them goes round.
    EvenOdd,
}

impl FillRule {
    fn contains(self, turns: i32) -> bool {
        match self {
            Self::NonZero => turns != 0,
            Self::EvenOdd => turns % 2 != 0,
        }
    }
}

/// How far beside an edge its sides are looked at, as a part of the size of all.
const BESIDE: f64 = 1e-7;

/// The paths that bound material, those around it first, and of each whether it is to the left.
pub(super) fn filled(
    paths: &[Vec<Segment>],
    rule: FillRule,
) -> Result<Vec<(&Vec<Segment>, bool)>, ShapeError> {
    let crossing = ShapeError::SvgPath {
        position: 0,
        what: "the paths cross themselves or each other: unite them, so that they do not",
    };
    // What turns round the middles of edges does not tell: an edge that is crossed twice.
    if any_cross(paths) {
        return Err(crossing);
    }
    let all = || paths.iter().flatten();
    let size = all().map(|s| (s.start - paths[0][0].start).norm()).fold(0.0, f64::max);
    let mut found = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        // Turns about both sides of the path, by itself and by the others: the same all along it.
        let mut sides: Option<[i32; 3]> = None;
        for segment in path {
            let (middle, normal) = segment.middle();
            let beside = [1.0, -1.0].map(|sign| middle + normal * (sign * BESIDE * size));
            let others = paths.iter().enumerate().filter(|(other, _)| *other != number);
            let here = [
                turns(path, beside[0]),
                turns(path, beside[1]),
                others.map(|(_, other)| turns(other, middle)).sum(),
            ];
            if *sides.get_or_insert(here) != here {
                return Err(crossing);
            }
        }
        let Some([left, right, others]) = sides else { continue };
        if !matches!((left, right), (1, 0) | (0, -1)) {
            return Err(crossing);
        }
        let [left, right] = [left, right].map(|own| rule.contains(own + others));
        if left != right {
            found.push((path, left));
        }
    }
    // A path around material has it where the path goes round.
    found.order_by_key(|(path, left)| (signed_area(path) > 0.0) != *left);
    Ok(found)
}

/// How often a path goes round a point, counter-clockwise.
fn turns(path: &[Segment], p: Vec2) -> i32 {
    path.iter().map(|segment| segment.turns(p)).sum()
}

impl Segment {
    /// A point near its middle, off it so that symmetric pictures have no two on one line, and the unit normal to its left
    /// there.
    fn middle(&self) -> (Vec2, Vec2) {
        let chord = self.end - self.start;
        let left = perp(chord).try_normalize(0.0).unwrap_or_else(Vec2::zeros);
        match self.arc {
            None => (0.5 * (self.start + self.end) + chord * OFF_MIDDLE, left),
            Some((center, clockwise)) => {
                // An arc lies to the right of its chord if it runs counter-clockwise.
                let (out, radius) = (if clockwise { left } else { -left }, (self.start - center).norm());
                let towards = (out * radius + chord * OFF_MIDDLE).normalize();
                (center + towards * radius, if clockwise { towards } else { -towards })
            }
        }
    }

    /// Its share of the turns about a point: crossings of the chord with the ray to the right, and what lies between
    /// chord and arc.
    fn turns(&self, p: Vec2) -> i32 {
        let (a, b) = (self.start, self.end);
        let side = cross(b - a, p - a);
        let of_chord = match (a.y <= p.y, b.y <= p.y) {
            (true, false) if side > 0.0 => 1,
            (false, true) if side < 0.0 => -1,
            _ => 0,
        };
        let Some((center, clockwise)) = self.arc else { return of_chord };
        if (p - center).norm() >= (a - center).norm() {
            return of_chord;
        }
        match clockwise {
            false if side <= 0.0 => of_chord + 1,
            true if side >= 0.0 => of_chord - 1,
            _ => of_chord,
        }
    }
}
