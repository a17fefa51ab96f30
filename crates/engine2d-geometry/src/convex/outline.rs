//! Corners of a convex core with the normals of its edges: support points by climbing, and the convex hull.

use crate::error::{ShapeError, check_point};
use engine2d_math::order::Order;
use engine2d_math::{Vec2, cross};

/// The corners of a convex core, counter-clockwise: one for a point, two for a segment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outline {
    corners: Vec<Vec2>,
    /// Outward unit normal of the edge from each corner to the next; none for a point.
    normals: Vec<Vec2>,
}

impl Outline {
    /// The outline of distinct corners in convex position, counter-clockwise.
    pub(crate) fn new(corners: Vec<Vec2>) -> Self {
        let n = corners.len();
        let normal = |i: usize| {
            let along = corners[(i + 1) % n] - corners[i];
            // Its square may vanish while the edge does not.
            let along = along / along.amax();
            Vec2::new(along.y, -along.x) / along.norm()
        };
        let normals = (0..if n < 2 { 0 } else { n }).map(normal).collect();
        Self { corners, normals }
    }

    pub(crate) fn corners(&self) -> &[Vec2] {
        &self.corners
    }

    pub(crate) fn normals(&self) -> &[Vec2] {
        &self.normals
    }

    pub(crate) fn len(&self) -> usize {
        self.corners.len()
    }

    /// Index of the corner after `i`.
    #[inline]
    pub(crate) fn after(&self, i: usize) -> usize {
        if i + 1 == self.corners.len() { 0 } else { i + 1 }
    }

    /// Index of the corner before `i`.
    #[inline]
    pub(crate) fn before(&self, i: usize) -> usize {
        if i == 0 { self.corners.len() - 1 } else { i - 1 }
    }

    /// Index of the corner farthest along `n`; the first of equals.
    pub(crate) fn farthest(&self, n: Vec2) -> usize {
        let mut best = 0;
        let mut reach = f64::NEG_INFINITY;
        for (i, c) in self.corners.iter().enumerate() {
            let along = c.dot(&n);
            if along > reach {
                (best, reach) = (i, along);
            }
        }
        best
    }

    /// As [`farthest`](Self::farthest), by climbing from corner `from`: heights along `n` rise towards one
    /// corner from both sides. Which of equals it is depends on `from`.
    #[inline]
    pub(crate) fn climb(&self, n: Vec2, from: usize) -> usize {
        let normals = &self.normals[..];
        if normals.is_empty() {
            return 0;
        }
        let mut i = from;
        // An edge rises along n if its normal is to the right of n.
        for _ in 0..normals.len() {
            if !(cross(normals[i], n) > 0.0) {
                break;
            }
            i = self.after(i);
        }
        let mut last = self.before(i);
        if i == from {
            for _ in 0..normals.len() {
                if !(cross(normals[last], n) < 0.0) {
                    break;
                }
                i = last;
                last = self.before(i);
            }
        }
        // At the farthest corner n lies between two normals less than a half turn apart. Where both point
        // away from n, edges that are level within rounding ended the climb at the lowest corner.
        let is_lowest = normals[i].dot(&n) < 0.0 && normals[last].dot(&n) < 0.0;
        if is_lowest { self.farthest(n) } else { i }
    }

    /// The area centroid; the mean of less than three corners.
    pub(crate) fn centroid(&self) -> Vec2 {
        let corners = &self.corners;
        let n = corners.len();
        let mean = corners.iter().sum::<Vec2>() / n as f64;
        if n < 3 {
            return mean;
        }
        // In a unit of their size: the squares of the largest coordinates are infinite.
        let unit = corners.iter().map(|c| (c - mean).amax()).fold(0.0, f64::max);
        let mut area = 0.0;
        let mut first = Vec2::zeros();
        for i in 0..n {
            let (p, q) = ((corners[i] - mean) / unit, (corners[(i + 1) % n] - mean) / unit);
            let c = cross(p, q);
            area += c;
            first += (p + q) * (c / 3.0);
        }
        mean + first / area * unit
    }
}

/// The corners of the convex hull, counter-clockwise \[Andrew 1979, monotone chain\].
///
/// # Errors
/// [`ShapeError::TooFewPoints`], [`ShapeError::NotFinite`], [`ShapeError::OutOfRange`] for coordinates beyond 1e75,
/// [`ShapeError::NoArea`].
pub fn convex_hull(points: &[Vec2]) -> Result<Vec<Vec2>, ShapeError> {
    if points.len() < 3 {
        return Err(ShapeError::TooFewPoints { count: points.len() });
    }
    points.iter().enumerate().try_for_each(|(index, p)| check_point(index, *p))?;
    let mut sorted = points.to_vec();
    sorted.order_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    let mut chain: Vec<Vec2> = Vec::with_capacity(points.len() + 1);
    for pass in 0..2 {
        let base = chain.len();
        for &p in &sorted {
            while chain.len() >= base + 2 {
                let (a, b) = (chain[chain.len() - 2], chain[chain.len() - 1]);
                if cross(b - a, p - b) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        // The last point of each chain begins the other.
        chain.pop();
        if pass == 0 {
            sorted.reverse();
        }
    }
    // Neighbours whose distance has no square make no edge.
    let is_edge = |p: Vec2, q: Vec2| (p - q).norm_squared() >= f64::MIN_POSITIVE;
    chain.dedup_by(|next, last| !is_edge(*next, *last));
    if chain.len() > 1 && !is_edge(chain[0], chain[chain.len() - 1]) {
        chain.pop();
    }
    if chain.len() < 3 {
        return Err(ShapeError::NoArea { area: 0.0 });
    }
    Ok(chain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Outline {
        Outline::new(
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| Vec2::new(x, y)).to_vec(),
        )
    }

    #[test]
    fn the_hull_drops_inner_and_collinear_points() {
        let points = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [2.0, 2.0], [1.0, 1.0], [0.0, 2.0], [0.5, 1.2]];
        let hull = convex_hull(&points.map(Vec2::from)).unwrap();
        assert_eq!(hull.len(), 4);
        let line = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]].map(Vec2::from);
        assert!(matches!(convex_hull(&line), Err(ShapeError::NoArea { .. })));
    }

    #[test]
    fn what_is_too_large_is_an_error_and_what_is_large_has_a_center() {
        let triangle = |size: f64| [[0.0, 0.0], [size, 0.0], [0.0, size]].map(Vec2::from);
        assert!(matches!(convex_hull(&triangle(1e80)), Err(ShapeError::OutOfRange { value: 1e80, .. })));
        let large = crate::Shape::rectangle(1e200, 1e180).unwrap();
        assert_eq!(large.center(), Vec2::zeros());
        for path in [crate::PathShape::polygon(&triangle(1e80)), crate::PathShape::block(1e200, 1e200)] {
            assert!(matches!(path, Err(ShapeError::OutOfRange { .. })), "{path:?}");
        }
    }

    #[test]
    fn climbing_ends_where_scanning_does_from_any_corner() {
        let segment = Outline::new(vec![Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)]);
        // Three corners on a line within rounding.
        let flat = Outline::new(
            [(0.0, 0.0), (1.0, 0.0), (2.0, 1e-300), (1.0, 1.0)].map(|(x, y)| Vec2::new(x, y)).to_vec(),
        );
        for outline in [square(), segment, flat] {
            for k in 0..64 {
                let (sin, cos) = engine2d_math::trig::sin_cos(f64::from(k) * std::f64::consts::PI / 32.0);
                for n in [Vec2::new(cos, sin), Vec2::new(cos.round(), sin.round())] {
                    let height = |i: usize| outline.corners()[i].dot(&n);
                    let top = height(outline.farthest(n));
                    for from in 0..outline.len() {
                        let climbed = height(outline.climb(n, from));
                        assert!((climbed - top).abs() < 1e-15, "{n} from {from}: {climbed} {top}");
                    }
                }
            }
        }
    }
}
