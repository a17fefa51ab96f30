//! Outlines with their area, centre and moment.

use crate::plane::{add, cross, dot, scale, sub};
use crate::rigid::Mass;
use engine2d_scene::{Point, Shape};
use std::f64::consts::PI;

/// The mass of a disc of density 1.
pub(crate) fn disc(radius: f64) -> Mass {
    let mass = PI * radius * radius;
    Mass { mass, center: [0.0; 2], moment: mass * radius * radius / 2.0 }
}

/// The mass of a centred rectangle of density 1.
pub(crate) fn rectangle(width: f64, height: f64) -> Mass {
    let mass = width * height;
    Mass { mass, center: [0.0; 2], moment: mass * (width * width + height * height) / 12.0 }
}

/// The mass of a centred ellipse of density 1.
pub(crate) fn ellipse(width: f64, height: f64) -> Mass {
    let mass = PI * width * height / 4.0;
    Mass { mass, center: [0.0; 2], moment: mass * (width * width + height * height) / 16.0 }
}

/// The mass of a capsule of density 1.
pub(crate) fn capsule(segment: f64, radius: f64) -> Mass {
    let middle = rectangle(segment, 2.0 * radius);
    let ends = disc(radius);
    // The centre of a half disc is 4 r / 3 π from its flat side; its moment about that centre is r² (1/2 − 16 / 9 π²) of its mass.
    let offset = 4.0 * radius / (3.0 * PI);
    let half = Mass {
        mass: ends.mass / 2.0,
        center: [segment / 2.0 + offset, 0.0],
        moment: ends.moment / 2.0 - ends.mass / 2.0 * offset * offset,
    };
    let other = Mass { center: [-half.center[0], 0.0], ..half };
    Mass::sum([middle, half, other].into_iter())
}

/// The mass of a polygon of density 1, whichever way it goes round; `None` for one without area.
pub(crate) fn polygon(corners: &[Point]) -> Option<Mass> {
    let first = *corners.first()?;
    let (mut area, mut center, mut moment) = (0.0, [0.0; 2], 0.0);
    for k in 0..corners.len() {
        let [a, b] = [corners[k], corners[(k + 1) % corners.len()]].map(|corner| sub(corner, first));
        let twice = cross(a, b);
        area += twice / 2.0;
        center = add(center, scale(add(a, b), twice / 6.0));
        moment += twice * (dot(a, a) + dot(a, b) + dot(b, b)) / 12.0;
    }
    // A polygon without area turns up as one that is small by its extent.
    let extent =
        corners.iter().map(|corner| dot(sub(*corner, first), sub(*corner, first))).fold(0.0, f64::max);
    if !(area.abs() > NO_AREA * extent) {
        return None;
    }
    let center = scale(center, 1.0 / area);
    let moment = (moment - area * dot(center, center)).abs();
    Some(Mass { mass: area.abs(), center: add(center, first), moment })
}

/// Area of a polygon by the square of its extent below which it is a line (relative): thinner ones are lost in rounding.
const NO_AREA: f64 = 1e-9;

/// A closed polygon.
pub(crate) fn corners(points: Vec<Point>) -> Shape {
    Shape::Polygon { points, moment_factor: None }
}

/// How an open line of points becomes outlines.
pub(crate) enum Line {
    /// Ground below it.
    Terrain(Shape),
    /// Thin sticks along its segments: ends of each.
    Sticks(Vec<[Point; 2]>),
}

/// An open line: ground if x increases or decreases all along, else sticks.
pub(crate) fn line(points: &[Point]) -> Line {
    let rises = points.windows(2).all(|pair| pair[1][0] > pair[0][0]);
    let falls = points.windows(2).all(|pair| pair[1][0] < pair[0][0]);
    if !rises && !falls {
        let sticks = points.windows(2).map(|pair| [pair[0], pair[1]]).filter(|[a, b]| a != b);
        return Line::Sticks(sticks.collect());
    }
    let mut points = points.to_vec();
    if falls {
        points.reverse();
    }
    let low = points.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max);
    let width = points.last().map_or(0.0, |last| last[0] - points[0][0]);
    Line::Terrain(Shape::Terrain { points, bottom: low - (high - low).max(width) * DEPTH })
}

/// Depth of ground below its lowest point, by its extent.
const DEPTH: f64 = 0.25;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_are_those_of_the_textbooks() {
        let square = polygon(&[[1.0, 1.0], [3.0, 1.0], [3.0, 2.0], [1.0, 2.0]]).unwrap();
        assert_eq!((square.mass, square.center), (2.0, [2.0, 1.5]));
        assert!((square.moment - rectangle(2.0, 1.0).moment).abs() < 1e-14);
        let clockwise = polygon(&[[1.0, 2.0], [3.0, 2.0], [3.0, 1.0], [1.0, 1.0]]).unwrap();
        assert!((clockwise.moment - square.moment).abs() < 1e-14);
        // A capsule without segment is a disc; a long thin one a rod.
        assert!((capsule(0.0, 2.0).moment - disc(2.0).moment).abs() < 1e-12);
        let rod = capsule(100.0, 0.01);
        assert!((rod.moment / rod.mass / (1e4 / 12.0) - 1.0).abs() < 1e-3);
        assert_eq!(polygon(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), None);
        assert_eq!(polygon(&[]), None);
    }
}
