//! Outlines as polygons, and the plain questions about polygons that judge the answers of the geometry crate: nothing here knows of
//! arcs, trees or features.

use engine2d_geometry::{PathShape, Pose};
use engine2d_math::Vec2;

/// Closed polygons; what lies within an odd number of them is solid.
pub(super) struct Outline {
    loops: Vec<Vec<Vec2>>,
}

impl Outline {
    /// The outline of a shape at a pose, its arcs as chords that leave them by at most `tolerance` (length).
    pub(super) fn new(shape: &PathShape, pose: &Pose, tolerance: f64) -> Self {
        let center = shape.center_of_mass();
        let place = |p: Vec2| pose.position() + pose.rotate(p - center);
        let loops = shape.outlines(tolerance);
        Self { loops: loops.into_iter().map(|points| points.into_iter().map(place).collect()).collect() }
    }

    fn sides(&self) -> impl Iterator<Item = [Vec2; 2]> + '_ {
        let around = |points: &'_ Vec<Vec2>| {
            let points = points.clone();
            (0..points.len()).map(move |k| [points[k], points[(k + 1) % points.len()]])
        };
        self.loops.iter().flat_map(around)
    }

    /// Whether a point is within: a ray along x crosses an odd number of sides.
    pub(super) fn contains(&self, p: Vec2) -> bool {
        let crosses = |[a, b]: &[Vec2; 2]| {
            (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)
        };
        !self.sides().filter(crosses).count().is_multiple_of(2)
    }

    /// Distance of a point from the nearest side (length).
    pub(super) fn distance(&self, p: Vec2) -> f64 {
        self.sides().map(|side| to_side(p, side)).fold(f64::INFINITY, f64::min)
    }

    /// Distance of two outlines; 0 where sides cross (length).
    pub(super) fn apart(&self, other: &Self) -> f64 {
        let mut least = f64::INFINITY;
        for one in self.sides() {
            for two in other.sides() {
                if crosses(one, two) {
                    return 0.0;
                }
                let ends =
                    [to_side(one[0], two), to_side(one[1], two), to_side(two[0], one), to_side(two[1], one)];
                least = ends.into_iter().fold(least, f64::min);
            }
        }
        least
    }

    /// Area within (length²): each loop counts for or against, by how many others it lies in.
    pub(super) fn area(&self) -> f64 {
        let area = |points: &[Vec2]| {
            let next = |k: usize| points[(k + 1) % points.len()];
            (0..points.len()).map(|k| points[k].x * next(k).y - next(k).x * points[k].y).sum::<f64>().abs()
                / 2.0
        };
        let depth = |own: usize| {
            let others = (0..self.loops.len()).filter(|k| *k != own);
            others.filter(|k| self.lies_within(own, *k)).count()
        };
        let signed = |k: usize| if depth(k).is_multiple_of(2) { 1.0 } else { -1.0 } * area(&self.loops[k]);
        (0..self.loops.len()).map(signed).sum()
    }

    /// Whether a polygon lies within another one that it may touch: its corner farthest from the other's sides tells.
    fn lies_within(&self, own: usize, other: usize) -> bool {
        let other = Self { loops: vec![self.loops[other].clone()] };
        let farthest =
            self.loops[own].iter().max_by(|a, b| other.distance(**a).total_cmp(&other.distance(**b)));
        farthest.is_some_and(|corner| other.contains(*corner))
    }

    /// Corners of all polygons.
    pub(super) fn corners(&self) -> impl Iterator<Item = Vec2> + '_ {
        self.loops.iter().flatten().copied()
    }

    /// Length of all sides.
    pub(super) fn length(&self) -> f64 {
        self.sides().map(|[a, b]| (b - a).norm()).sum()
    }
}

/// Distance of a point from a side (length).
fn to_side(p: Vec2, [a, b]: [Vec2; 2]) -> f64 {
    let along = b - a;
    let squared = along.norm_squared();
    let part = if squared > 0.0 { ((p - a).dot(&along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (p - a - along * part).norm()
}

/// Whether two sides cross.
fn crosses([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> bool {
    let turn = |o: Vec2, p: Vec2, q: Vec2| (p - o).x * (q - o).y - (p - o).y * (q - o).x;
    turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0
}
