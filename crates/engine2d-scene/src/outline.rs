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

/// How far beside an edge its two sides are sampled, relative to the size of the body: far above rounding,
/// far below any feature that the distance tolerance lets matter.
const SIDE_NUDGE: f64 = 1e-7;

/// Where along an edge its sides are sampled; irregular so that symmetric crossings are not missed.
const SAMPLES: [f64; 4] = [0.083, 0.317, 0.5, 0.871];
