//! Pieces of drawn paths, and the edges they become.

use super::biarc::{Bezier, Elliptic, follow};
use super::segment::Segment;
use engine2d_math::{Vec2, cross};

/// Difference of two half axes, relative to them, that is still a circle.
pub(super) const CIRCULAR: f64 = 1e-12;

/// A piece of a path as it is drawn, y upwards.
pub(super) enum Piece {
    Line(Vec2, Vec2),
    Arc { ends: [Vec2; 2], ellipse: Elliptic },
    Curve(Bezier),
}

/// An affine map.
pub(super) struct Affine {
    columns: [Vec2; 2],
    shift: Vec2,
}

impl Affine {
    /// The matrix of SVG, whose y points down, for y upwards.
    pub(super) fn of([a, b, c, d, e, f]: [f64; 6]) -> Self {
        Self { columns: [Vec2::new(a, -b), Vec2::new(-c, d)], shift: Vec2::new(e, -f) }
    }

    fn turn(&self, v: Vec2) -> Vec2 {
        self.columns[0] * v.x + self.columns[1] * v.y
    }

    fn point(&self, p: Vec2) -> Vec2 {
        self.turn(p) + self.shift
    }
}

impl Piece {
    /// Appends its edges after the map.
    pub(super) fn flatten(&self, map: &Affine, tolerance: f64, out: &mut Vec<Segment>) {
        match self {
            Self::Line(a, b) => {
                line(out, map.point(*a), map.point(*b));
            }
            Self::Curve(Bezier(points)) => {
                let before = out.len();
                follow(&Bezier(points.map(|p| map.point(p))), tolerance, out);
                join(&mut out[before..], points.map(|p| map.point(p)));
            }
            Self::Arc { ends, ellipse } => {
                let [start, end] = ends.map(|p| map.point(p));
                let axes = ellipse.axes.map(|axis| map.turn(axis));
                let (center, lengths) = (map.point(ellipse.center), axes.map(|axis| axis.norm()));
                let scale = lengths[0].max(lengths[1]);
                let round = (lengths[0] - lengths[1]).abs() <= CIRCULAR * scale
                    && axes[0].dot(&axes[1]).abs() <= CIRCULAR * scale * scale;
                if round {
                    let forward = (ellipse.angles[1] > ellipse.angles[0]) == (cross(axes[0], axes[1]) > 0.0);
                    out.push(Segment { start, end, arc: Some((center, !forward)) });
                    return;
                }
                let before = out.len();
                follow(&Elliptic { center, axes, angles: ellipse.angles }, tolerance, out);
                join(&mut out[before..], [start, start, end, end]);
            }
        }
    }
}

/// Lets edges begin and end to the bit where their curve does.
fn join(edges: &mut [Segment], points: [Vec2; 4]) {
    if let Some(first) = edges.first_mut() {
        first.start = points[0];
    }
    if let Some(last) = edges.last_mut() {
        last.end = points[3];
    }
}

/// Adds a line, unless it has no length.
fn line(path: &mut Vec<Segment>, start: Vec2, end: Vec2) -> Vec2 {
    if (end - start).norm() > 0.0 {
        path.push(Segment { start, end, arc: None });
        return end;
    }
    start
}
