//! Shapes as manifolds know them: discs and convex polygons, placed once in a step.

use engine2d_geometry::CollisionBody;
use engine2d_math::{Pose, Vec2, perp};

/// Most corners of a polygon that is taken here; others go the general way.
const CORNERS: usize = 16;

/// Smallest sine of the angle of a polygon's corner.
const CONVEX: f64 = 1e-9;

/// A shape as far as manifolds know it, about the centre of mass.
#[derive(Clone, Copy, Debug)]
pub(super) enum Plain {
    Disc {
        center: Vec2,
        radius: f64,
    },
    /// So many corners from a place of the list of corners on, and the middle of them.
    Polygon {
        first: u32,
        count: u32,
        middle: Vec2,
    },
    Other,
}

/// The shapes of all bodies. Corners are listed counter-clockwise, each with the outward normal of the side after it.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    plain: Vec<Plain>,
    /// About the centres of mass.
    corners: Vec<Vec2>,
    normals: Vec<Vec2>,
    /// In the world, where the bodies were when they were looked at last.
    placed_corners: Vec<Vec2>,
    placed_normals: Vec<Vec2>,
    /// Of each body: the middle of its corners, or of the disc.
    middles: Vec<Vec2>,
}

/// Bodies with their shapes.
pub(super) type Formed<'a> = (&'a [CollisionBody], &'a Shapes);

impl Shapes {
    /// Takes up other bodies.
    pub(super) fn begin(&mut self, bodies: &[CollisionBody]) {
        self.plain.clear();
        self.corners.clear();
        self.normals.clear();
        for body in bodies {
            let plain = self.add(body);
            self.plain.push(plain);
        }
        self.placed_corners.clone_from(&self.corners);
        self.placed_normals.clone_from(&self.normals);
        self.middles.clear();
        self.middles.resize(bodies.len(), Vec2::zeros());
    }

    pub(super) fn len(&self) -> usize {
        self.plain.len()
    }

    fn add(&mut self, body: &CollisionBody) -> Plain {
        let shape = &body.shape;
        if shape.is_unbounded()
            || shape.one_sided_edge().is_some()
            || shape.special_edge().is_some()
            || !body.ignored_edges.is_empty()
        {
            return Plain::Other;
        }
        if let Some((center, radius)) = shape.disc() {
            return Plain::Disc { center: center - body.center_of_mass, radius };
        }
        let (edges, vertices) = (shape.edges(), shape.vertices());
        let count = edges.len();
        let plain = (3..=CORNERS).contains(&count)
            && vertices.len() == count
            && shape.path_count() == 1
            && edges.iter().enumerate().all(|(k, edge)| edge.is_straight() && edge.start_vertex() == k);
        if !plain {
            return Plain::Other;
        }
        let corners: Vec<Vec2> = vertices.iter().map(|v| v.point() - body.center_of_mass).collect();
        let side = |k: usize| corners[(k + 1) % count] - corners[k];
        let turn = |k: usize| side(k).normalize().perp(&side((k + 1) % count).normalize());
        if (0..count).any(|k| side(k).norm() == 0.0 || turn(k) < CONVEX) {
            return Plain::Other;
        }
        let middle = corners.iter().fold(Vec2::zeros(), |sum, p| sum + p) / count as f64;
        let first = self.corners.len() as u32;
        self.normals.extend((0..count).map(|k| -perp(side(k).normalize())));
        self.corners.extend(corners);
        Plain::Polygon { first, count: count as u32, middle }
    }

    #[inline]
    pub(super) fn plain(&self, body: u32) -> Plain {
        self.plain[body as usize]
    }

    /// The middle of a disc or of the corners of a polygon (world).
    #[inline]
    pub(super) fn middle(&self, body: u32) -> Vec2 {
        self.middles[body as usize]
    }

    /// Looks where the bodies are.
    pub(super) fn place(&mut self, bodies: &[CollisionBody]) {
        for (k, body) in bodies.iter().enumerate() {
            self.place_one(k, &body.pose);
        }
    }

    /// Looks where a body is.
    #[inline]
    pub(super) fn place_one(&mut self, body: usize, pose: &Pose) {
        let Self { plain, corners, normals, placed_corners, placed_normals, middles } = self;
        match plain[body] {
            Plain::Disc { center, .. } => middles[body] = pose.transform(center),
            Plain::Polygon { first, count, middle } => {
                middles[body] = pose.transform(middle);
                for k in first as usize..(first + count) as usize {
                    placed_corners[k] = pose.transform(corners[k]);
                    placed_normals[k] = pose.rotate(normals[k]);
                }
            }
            Plain::Other => {}
        }
    }

    /// The polygon of a body, from what its shape says of it.
    pub(super) fn polygon(&self, body: u32, first: u32, count: u32) -> Polygon<'_> {
        let range = first as usize..(first + count) as usize;
        Polygon {
            corners: &self.placed_corners[range.clone()],
            normals: &self.placed_normals[range],
            middle: self.middles[body as usize],
        }
    }
}

/// A polygon in the world.
#[derive(Clone, Copy)]
pub(super) struct Polygon<'a> {
    pub(super) corners: &'a [Vec2],
    pub(super) normals: &'a [Vec2],
    middle: Vec2,
}

impl Polygon<'_> {
    /// The side from which another polygon is farthest, and how far. Its lowest corner is no higher above a side than its middle:
    /// most sides need no more than that.
    pub(super) fn farthest_side(&self, other: &Self) -> (f64, usize) {
        let height = |k: usize, q: Vec2| {
            let (n, d) = (self.normals[k], q - self.corners[k]);
            n.x * d.x + n.y * d.y
        };
        // That of the lowest corner, or of one that is no more than `enough`.
        let least = |k: usize, enough: f64| {
            let mut least = f64::INFINITY;
            for &q in other.corners {
                let h = height(k, q);
                if h < least {
                    least = h;
                    if least <= enough {
                        break;
                    }
                }
            }
            least
        };
        let (mut highest, mut first) = (f64::NEG_INFINITY, 0);
        for k in 0..self.corners.len() {
            let h = height(k, other.middle);
            if h > highest {
                (highest, first) = (h, k);
            }
        }
        let mut best = (least(first, f64::NEG_INFINITY), first);
        for k in (0..self.corners.len()).filter(|&k| k != first) {
            if height(k, other.middle) > best.0 {
                let distance = least(k, best.0);
                if distance > best.0 {
                    best = (distance, k);
                }
            }
        }
        best
    }

    pub(super) fn next(&self, k: usize) -> usize {
        if k + 1 == self.corners.len() { 0 } else { k + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_geometry::PathShape;
    use std::sync::Arc;

    /// As by looking at all corners from all sides.
    #[test]
    fn the_farthest_side_is_found() {
        let polygon = |points: &[[f64; 2]]| {
            let points: Vec<Vec2> = points.iter().map(|&p| p.into()).collect();
            Arc::new(PathShape::polygon(&points).expect("a polygon"))
        };
        let wheel: Vec<[f64; 2]> = (0..9)
            .map(|k| engine2d_math::trig::sin_cos(f64::from(k) * 0.698))
            .map(|(s, c)| [0.6 * c, 0.4 * s])
            .collect();
        let shapes = [
            Arc::new(PathShape::block(1.0, 1.0).expect("a block")),
            Arc::new(PathShape::block(2.0, 0.2).expect("a block")),
            polygon(&[[0.0, 0.0], [1.0, 0.0], [0.1, 0.5]]),
            polygon(&wheel),
        ];
        let number = |k: u32| f64::from(k.wrapping_mul(2_654_435_761) >> 12) / f64::from(1_u32 << 20);
        let mut apart = 0;
        for k in 0..4000_u32 {
            let mut bodies = [0, 1].map(|i| CollisionBody::new(shapes[(k >> (2 * i)) as usize % 4].clone()));
            bodies[1].pose =
                Pose::new(2.0 * number(5 * k) - 1.0, 2.0 * number(5 * k + 1) - 1.0, 6.0 * number(5 * k + 2));
            let mut placed = Shapes::default();
            placed.begin(&bodies);
            placed.place(&bodies);
            let of = |body: u32| match placed.plain[body as usize] {
                Plain::Polygon { first, count, .. } => placed.polygon(body, first, count),
                _ => panic!("a polygon"),
            };
            let (a, b) = (of(0), of(1));
            for (own, other) in [(a, b), (b, a)] {
                let distance = |side: usize| {
                    let height = |q: &Vec2| own.normals[side].dot(&(q - own.corners[side]));
                    other.corners.iter().map(height).fold(f64::INFINITY, f64::min)
                };
                let expected = (0..own.corners.len()).map(distance).fold(f64::NEG_INFINITY, f64::max);
                let (found, side) = own.farthest_side(&other);
                assert!((found - expected).abs() < 1e-15, "{k}: {found} instead of {expected}");
                assert_eq!(found, distance(side), "{k}");
                apart += u32::from(found > 0.0);
            }
        }
        assert!((500..7500).contains(&apart), "{apart}");
    }
}
