//! The convex pieces of all bodies, and how far apart two of them are.

use super::piece::Piece;
use crate::body::BodyData;
use engine2d_geometry::{CollisionBody, PairId, Pose, distance};
use engine2d_math::Vec2;

/// Pairs whose enclosing circles are farther apart than this fraction of their radii are not looked at more
/// closely: the circles' gap, a lower bound, stands for their distance.
const FAR: f64 = 0.05;

/// A piece and the body it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct PlacedPiece {
    pub(crate) body: u32,
    pub(crate) piece: Piece,
    circle: Option<(Vec2, f64)>,
}

/// The relative place of two pieces.
pub(crate) struct PairView {
    pub(crate) distance: f64,
    /// Out of the first piece into the second.
    pub(crate) normal: Vec2,
    pub(crate) point: Vec2,
}

/// The pieces of all bodies, body by body.
#[derive(Clone, Debug, Default)]
pub(crate) struct PieceSet {
    pieces: Vec<PlacedPiece>,
    /// First piece of each body, and the number of pieces at the end.
    starts: Vec<u32>,
}

/// Whether two bodies may come into contact: they are not both immovable, and neither ignores the other.
pub(crate) fn may_meet(bodies: &[CollisionBody], a: u32, b: u32) -> bool {
    let (first, second) = (&bodies[a as usize], &bodies[b as usize]);
    let immovable = first.fixed && second.fixed;
    let ignored = first.ignored_bodies.contains(&b) || second.ignored_bodies.contains(&a);
    a != b && !immovable && !ignored && first.filter.meets(&second.filter)
}

impl PieceSet {
    /// Takes the pieces of all bodies.
    pub(crate) fn place(&mut self, data: &[BodyData]) {
        self.pieces.clear();
        self.starts.clear();
        for (index, body) in data.iter().enumerate() {
            self.starts.push(self.pieces.len() as u32);
            for piece in &body.pieces {
                let circle = piece.enclosing_circle();
                self.pieces.push(PlacedPiece { body: index as u32, piece: piece.clone(), circle });
            }
        }
        self.starts.push(self.pieces.len() as u32);
    }

    /// The piece of that number.
    pub(crate) fn get(&self, k: u32) -> &PlacedPiece {
        &self.pieces[k as usize]
    }

    /// The bodies of a pair of pieces.
    pub(crate) fn owners(&self, pair: PairId) -> [u32; 2] {
        let (i, j) = pair.shapes();
        [self.get(i).body, self.get(j).body]
    }

    /// Numbers of the pieces of a body.
    pub(crate) fn of_body(&self, body: u32) -> std::ops::Range<u32> {
        self.starts[body as usize]..self.starts[body as usize + 1]
    }

    /// Appends the pairs of pieces of two bodies that are looked at.
    pub(crate) fn pairs_of(&self, a: u32, b: u32, pairs: &mut Vec<PairId>) {
        for i in self.of_body(a) {
            for j in self.of_body(b) {
                if self.get(i).piece.meets(&self.get(j).piece) {
                    pairs.push(PairId::of(i, j));
                }
            }
        }
    }

    /// Lower bound of the distance of two pieces that are clearly apart.
    pub(crate) fn far_apart(&self, pair: PairId, bodies: &[CollisionBody]) -> Option<f64> {
        let (i, j) = pair.shapes();
        let (a, b) = (self.get(i), self.get(j));
        let ((p, r), (q, s)) = (a.circle?, b.circle?);
        let apart = bodies[b.body as usize].to_world(q) - bodies[a.body as usize].to_world(p);
        let gap = apart.norm() - r - s;
        (gap > FAR * (r + s)).then_some(gap)
    }

    /// How a corner rests on a side of a polygon that is not the nearest one, if it does; `sign` is 1 if the polygon is the
    /// first of the pair.
    fn rests(&self, polygon: u32, corner: u32, bodies: &[CollisionBody], sign: f64) -> Option<PairView> {
        let (area, tip) = (self.get(polygon), self.get(corner));
        let cone = tip.piece.cone?;
        let (_, size) = area.circle.filter(|_| !area.piece.sides.is_empty())?;
        let (body, other) = (&bodies[area.body as usize], &bodies[tip.body as usize]);
        let world = other.to_world(tip.piece.pose.position());
        let seen = |v: Vec2| area.piece.pose.rotate_inverse(body.pose.rotate_inverse(other.pose.rotate(v)));
        let at = area.piece.pose.transform_inverse(body.to_body(world));
        let (normal, out) = area.piece.facing(at, cone.map(seen), size)?;
        let normal = body.pose.rotate(area.piece.pose.rotate(normal));
        Some(PairView { distance: out, normal: normal * sign, point: world - normal * (0.5 * out) })
    }

    /// Where the pieces of a pair are nearest, or deepest. `None` where no distance is defined.
    pub(crate) fn view(&self, pair: PairId, bodies: &[CollisionBody]) -> Option<PairView> {
        let (i, j) = pair.shapes();
        let place = |k: u32| {
            let placed = self.get(k);
            let body = &bodies[placed.body as usize];
            let position = body.to_world(placed.piece.pose.position());
            let angle = body.pose.angle() + placed.piece.pose.angle();
            (&placed.piece.shape, Pose::new(position.x, position.y, angle))
        };
        let ((first, at_first), (second, at_second)) = (place(i), place(j));
        if let Some(view) = self.rests(i, j, bodies, 1.0).or_else(|| self.rests(j, i, bodies, -1.0)) {
            return Some(view);
        }
        let found = distance(second, &at_second, first, &at_first).ok()?;
        let point = (found.point_a + found.point_b) * 0.5;
        Some(PairView { distance: found.distance, normal: found.normal, point })
    }
}
