//! Circles about the edges of a shape: what most tests of its features end at.

use crate::edge::{Curve, Edge};
use crate::tolerance::{ARC_END, BOUND_ROUNDING};
use engine2d_math::Vec2;

/// Edges that follow each other and have one circle together.
pub(crate) const GROUP: usize = 12;

/// The proximity circles of all edges.
pub(crate) fn edge_circles(edges: &[Edge]) -> Vec<[f64; 3]> {
    edges.iter().map(|e| [e.proximity_center.x, e.proximity_center.y, e.proximity_radius]).collect()
}

/// A circle that contains the edge.
pub(crate) fn enclosing_circle_of(edge: &Edge) -> [f64; 3] {
    let (center, radius) = match &edge.curve {
        Curve::Straight(line) => {
            let middle = (line.start() + line.end()) * 0.5;
            (middle, (line.start() - middle).norm().max((line.end() - middle).norm()))
        }
        Curve::Circular(arc) => arc.enclosing_circle(),
    };
    // The ends of an arc may leave its circle by rounding and what its construction allows.
    [center.x, center.y, radius * (1.0 + BOUND_ROUNDING) + ARC_END]
}

/// Distance from `center` of the farthest point of the edges' proximity circles.
pub(crate) fn edge_reach(edges: &[Edge], center: Vec2) -> f64 {
    edges.iter().map(|e| (e.proximity_center - center).norm() + e.proximity_radius).fold(0.0, f64::max)
}

/// A circle about the circles of every [`GROUP`] edges, beyond rounding: what is outside of it is outside of all of them. None where
/// one group has all edges.
pub(crate) fn group_circles(circles: &[[f64; 3]]) -> Vec<[f64; 3]> {
    if circles.len() <= GROUP {
        return Vec::new();
    }
    let about = |group: &[[f64; 3]]| {
        let [x, y] =
            [0, 1].map(|axis| group.iter().map(|circle| circle[axis]).sum::<f64>() / group.len() as f64);
        let reach = |c: &[f64; 3]| (Vec2::new(c[0], c[1]) - Vec2::new(x, y)).norm() + c[2];
        let radius = group.iter().map(reach).fold(0.0, f64::max);
        [x, y, radius + BOUND_ROUNDING * (radius + x.abs() + y.abs())]
    };
    circles.chunks(GROUP).map(about).collect()
}
