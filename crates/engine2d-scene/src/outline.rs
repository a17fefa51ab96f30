//! Signed depth in an outline of straight and circular edges, exact up to rounding.

use engine2d_geometry::{CircularEdge, Curve, PathShape, StraightEdge};
use engine2d_math::{Vec2, trig};
use std::ops::Range;

/// The boundary of a body, in body coordinates: closed paths, each around solid or around a hole.
pub(crate) struct Outline<'a> {
    shape: &'a PathShape,
    paths: Vec<ClosedPath>,
}

/// A closed path of an outline.
struct ClosedPath {
    /// Its edges, by their place in the shape.
    edges: Range<usize>,
    /// Whether its edges say that the outside is within.
    is_hole: bool,
}

/// A piece of boundary with its parametrization by arc length.
enum Piece<'a> {
    Line(&'a StraightEdge),
    Arc(&'a CircularEdge),
}

impl Piece<'_> {
    fn length(&self) -> f64 {
        match self {
            Self::Line(line) => (line.end() - line.start()).norm(),
            Self::Arc(arc) => arc.span() * arc.radius(),
        }
    }

    /// The point at a fraction (0 to 1) of the length.
    fn at(&self, fraction: f64) -> Vec2 {
        match self {
            Self::Line(line) => line.start() + (line.end() - line.start()) * fraction,
            Self::Arc(arc) => {
                let (low, high) = arc.interval();
                let (sin, cos) = trig::sin_cos(low + (high - low) * fraction);
                arc.center() + Vec2::new(cos, sin) * arc.radius()
            }
        }
    }

    /// Distance of a point from the piece.
    fn distance(&self, p: Vec2) -> f64 {
        let (start, end) = match self {
            Self::Line(line) => {
                let along = line.end() - line.start();
                let fraction = ((p - line.start()).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
                return (p - line.start() - along * fraction).norm();
            }
            Self::Arc(arc) if arc.contains_direction(p) => {
                return ((p - arc.center()).norm() - arc.radius()).abs();
            }
            Self::Arc(arc) => (arc.start(), arc.end()),
        };
        (p - start).norm().min((p - end).norm())
    }

    /// How often a ray from `p` to the right crosses the piece. Pieces count their lower end and not their
    /// upper one, so that a ray through a vertex is counted once.
    fn crossings(&self, p: Vec2) -> u32 {
        match self {
            Self::Line(line) => {
                let (a, b) = (line.start(), line.end());
                if (a.y > p.y) == (b.y > p.y) {
                    return 0;
                }
                u32::from(a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) > p.x)
            }
            Self::Arc(arc) => arc_crossings(arc, p),
        }
    }
}

/// Splits an arc where it is highest and lowest and counts each monotone part.
fn arc_crossings(arc: &CircularEdge, p: Vec2) -> u32 {
    use std::f64::consts::{FRAC_PI_2, PI};
    let (low, high) = arc.interval();
    let (center, radius) = (arc.center(), arc.radius());
    let (first, last) = if arc.clockwise() { (arc.end(), arc.start()) } else { (arc.start(), arc.end()) };
    let mut count = 0;
    let mut from_y = first.y;
    let mut angle = low;
    // Extremes of y lie at π/2 + kπ.
    let mut k = ((low - FRAC_PI_2) / PI).floor() + 1.0;
    loop {
        let next = FRAC_PI_2 + k * PI;
        let at_end = next >= high;
        let upper = if at_end { high } else { next };
        let even = k.rem_euclid(2.0) == 0.0;
        let to_y = match (at_end, even) {
            (true, _) => last.y,
            (false, true) => center.y + radius,
            (false, false) => center.y - radius,
        };
        if (from_y > p.y) != (to_y > p.y) {
            let half = (radius * radius - (p.y - center.y) * (p.y - center.y)).max(0.0).sqrt();
            let right_half = trig::cos(0.5 * (angle + upper)) > 0.0;
            let x = if right_half { center.x + half } else { center.x - half };
            count += u32::from(x > p.x);
        }
        if at_end {
            return count;
        }
        (from_y, angle, k) = (to_y, upper, k + 1.0);
    }
}

impl<'a> Outline<'a> {
    pub(crate) fn new(shape: &'a PathShape) -> Self {
        let mut outline = Self { shape, paths: Vec::new() };
        for number in 0..shape.path_count() {
            let first = outline.paths.last().map_or(0, |path| path.edges.end);
            let count = shape.edges()[first..].iter().take_while(|edge| edge.path() == number).count();
            let edges = first..first + count;
            let holes = edges.clone().filter(|&edge| outline.sides(&edges, edge, 0.5) == Some((true, false)));
            let is_hole = 2 * holes.count() > count;
            outline.paths.push(ClosedPath { edges, is_hole });
        }
        outline
    }

    fn piece(&self, edge: usize) -> Piece<'a> {
        match self.shape.edges()[edge].curve() {
            Curve::Straight(line) => Piece::Line(line),
            Curve::Circular(arc) => Piece::Arc(arc),
        }
    }

    fn pieces(&self) -> impl Iterator<Item = Piece<'a>> {
        (0..self.shape.edges().len()).map(|edge| self.piece(edge))
    }

    /// Whether a closed path goes around a point.
    fn encloses(&self, path: &Range<usize>, p: Vec2) -> bool {
        path.clone().map(|edge| self.piece(edge).crossings(p)).sum::<u32>() % 2 == 1
    }

    /// Whether a path goes around the points just beside one of its edges: on the side it calls outside, and
    /// on the other. `None` where the edge has no normal.
    fn sides(&self, path: &Range<usize>, edge: usize, fraction: f64) -> Option<(bool, bool)> {
        let bounds = self.shape.bounds();
        let p = self.piece(edge).at(fraction);
        let nudge = self.shape.edges()[edge].normal(p)? * (bounds.width().max(bounds.height()) * SIDE_NUDGE);
        Some((self.encloses(path, p + nudge), self.encloses(path, p - nudge)))
    }

    /// How many more solid paths than holes go around a point, without the path of a number.
    fn winding(&self, p: Vec2, without: Option<usize>) -> i32 {
        let others = self.paths.iter().enumerate().filter(|&(number, _)| Some(number) != without);
        let around = others.filter(|(_, path)| self.encloses(&path.edges, p));
        around.map(|(_, path)| if path.is_hole { -1 } else { 1 }).sum()
    }

    /// How deep a point lies inside: its distance from the boundary, negative outside.
    pub(crate) fn depth(&self, p: Vec2) -> f64 {
        let distance = self.pieces().map(|piece| piece.distance(p)).fold(f64::INFINITY, f64::min);
        if self.winding(p, None) > 0 { distance } else { -distance }
    }

    /// Whether some point of the boundary, placed by `place`, lies deeper than `tolerance` in `other`.
    ///
    /// Depth is a function with Lipschitz constant 1, so the middle of a piece bounds the whole of it: the
    /// search halves pieces until the bound decides, or until they are so short that the rest does not
    /// matter: [`RESOLUTION`] of the tolerance or [`SHORTEST_PART`] of the edge.
    pub(crate) fn reaches_into(
        &self,
        other: &Outline<'_>,
        tolerance: f64,
        place: impl Fn(Vec2) -> Vec2,
    ) -> bool {
        let limit = tolerance * (1.0 + RESOLUTION);
        for piece in self.pieces() {
            let length = piece.length();
            let shortest = (tolerance * RESOLUTION).max(length * SHORTEST_PART);
            let mut open = vec![(0.0, 1.0)];
            while let Some((low, high)) = open.pop() {
                let middle = 0.5 * (low + high);
                let depth = other.depth(place(piece.at(middle)));
                if depth > limit {
                    return true;
                }
                let half = 0.5 * (high - low);
                if depth + half * length > limit && half * length > shortest {
                    open.push((low, middle));
                    open.push((middle, high));
                }
            }
        }
        false
    }

    /// Whether the paths enclose a solid: no path crosses itself, the edges of each agree where the outside
    /// is, and holes are in something.
    pub(crate) fn check(&self) -> Result<(), String> {
        for (number, path) in self.paths.iter().enumerate() {
            for edge in path.edges.clone() {
                for (out, within) in SAMPLES.into_iter().filter_map(|at| self.sides(&path.edges, edge, at)) {
                    if out == within {
                        return Err(format!(
                            "edge {edge} has no inside beside it: its path crosses or touches itself"
                        ));
                    }
                    if out != path.is_hole {
                        return Err(format!(
                            "edge {edge} has its outside on the other side than the rest of its path"
                        ));
                    }
                }
            }
            let start = self.piece(path.edges.start).at(0.5);
            if path.is_hole && self.winding(start, Some(number)) <= 0 {
                return Err(format!(
                    "path {number} is a hole in nothing: its edges say that the outside is within"
                ));
            }
        }
        Ok(())
    }
}

/// Relative slack of the tolerance in overlap checks; below it depths are not told apart.
const RESOLUTION: f64 = 1e-3;

/// Part of an edge that is not divided further; it bounds the work where tolerances are tiny.
const SHORTEST_PART: f64 = 1e-4;

/// How far beside an edge its two sides are sampled, relative to the size of the body: far above rounding,
/// far below any feature that the distance tolerance lets matter.
const SIDE_NUDGE: f64 = 1e-7;

/// Where along an edge its sides are sampled; irregular so that symmetric crossings are not missed.
const SAMPLES: [f64; 4] = [0.083, 0.317, 0.5, 0.871];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_the_signed_distance() {
        let block = PathShape::block(2.0, 1.0).unwrap();
        let ball = PathShape::ball(1.0).unwrap();
        let frame = PathShape::frame(4.0, 4.0, 1.0).unwrap();
        let cases = [
            (&block, [0.0, 0.0], 0.5),
            (&block, [0.9, 0.0], 0.1),
            (&block, [1.5, 0.0], -0.5),
            (&block, [1.3, 0.9], -0.5),
            (&ball, [0.0, 0.0], 1.0),
            (&ball, [0.0, 0.25], 0.75),
            (&ball, [-0.6, -0.8], 0.0),
            (&ball, [3.0, 4.0], -4.0),
            (&frame, [0.0, 0.0], -1.5),
            (&frame, [2.0, 0.0], 0.5),
        ];
        for (shape, p, depth) in cases {
            let found = Outline::new(shape).depth(p.into());
            assert!((found - depth).abs() < 1e-12, "{p:?}: {found} instead of {depth}");
        }
    }

    #[test]
    fn crossing_plates_are_found_though_no_corner_is_inside() {
        let (flat, tall) = (PathShape::block(4.0, 0.2).unwrap(), PathShape::block(0.2, 4.0).unwrap());
        assert!(Outline::new(&flat).reaches_into(&Outline::new(&tall), 0.01, |p| p));
        assert!(!Outline::new(&flat).reaches_into(&Outline::new(&tall), 0.01, |p| p + Vec2::new(0.0, 2.105)));
        assert!(Outline::new(&tall).reaches_into(&Outline::new(&flat), 0.01, |p| p + Vec2::new(0.0, 2.05)));
    }

    #[test]
    fn a_half_disc_counts_its_arc_and_its_chord() {
        let mut builder = engine2d_geometry::PathBuilder::new();
        builder.start([-1.0, 0.0]).unwrap();
        builder.line_to([1.0, 0.0], false).unwrap();
        builder.arc_to([-1.0, 0.0], [0.0, 0.0], false, true).unwrap();
        let shape = builder.finish().unwrap();
        let outline = Outline::new(&shape);
        assert_eq!(outline.check(), Ok(()));
        assert!((outline.depth(Vec2::new(0.0, 0.3)) - 0.3).abs() < 1e-12);
        assert!((outline.depth(Vec2::new(0.0, -0.3)) + 0.3).abs() < 1e-12);
        assert!((outline.depth(Vec2::new(0.9, 0.9)) + (0.9 * 2f64.sqrt() - 1.0)).abs() < 1e-12);
    }
}
