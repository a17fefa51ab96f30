//! The convex pieces of a body's surface that compliant contact sees.

use super::material::Curvature;
use engine2d_geometry::{Curve, PathShape, Pose, Shape, ShapeError, convex_hull};
use engine2d_math::{Vec2, cross, perp};

/// A convex piece of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The piece in its own coordinates.
    pub shape: Shape,
    /// Where it lies, in body coordinates.
    pub pose: Pose,
    /// Curvature of its surface at a contact.
    pub curvature: Curvature,
    /// Whether it is a corner of a polygon: corners meet polygons only, and polygons meet each other through
    /// their corners only, so that flat sides rest on two points.
    pub corner: bool,
    /// Of a corner the outward normals of its two edges, counter-clockwise (body coordinates).
    pub(crate) cone: Option<[Vec2; 2]>,
    /// Of a polygon its sides.
    pub(crate) sides: Vec<PieceSide>,
}

/// A side of a polygon (body coordinates).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PieceSide {
    /// Its outward normal.
    normal: Vec2,
    /// How far out along that it is.
    out: f64,
    /// From where to where it goes along the normal turned a quarter to the left.
    along: [f64; 2],
}

impl PieceSide {
    /// How far out of it a point is.
    fn out(&self, point: Vec2) -> f64 {
        self.normal.dot(&point) - self.out
    }

    /// Whether a point is over it, or beyond its ends by no more than `slack`.
    fn is_below(&self, point: Vec2, slack: f64) -> bool {
        let at = perp(self.normal).dot(&point);
        (self.along[0] - slack..=self.along[1] + slack).contains(&at)
    }
}

impl Piece {
    /// A piece about the body's origin.
    #[must_use]
    pub fn new(shape: Shape, curvature: Curvature) -> Self {
        Self { shape, pose: Pose::IDENTITY, curvature, corner: false, cone: None, sides: Vec::new() }
    }

    /// A disc about a point of the body.
    ///
    /// # Errors
    /// [`ShapeError`] unless the radius is positive.
    pub fn disc(center: impl Into<Vec2>, radius: f64) -> Result<Self, ShapeError> {
        Ok(Self::new(Shape::circle(radius)?, Curvature::Round(radius)).at(center.into(), 0.0))
    }

    /// The area and the corners of the convex hull of points (body coordinates), of a given size: what it touches it
    /// touches with a side or with one of its corners.
    ///
    /// # Errors
    /// [`ShapeError`] for fewer than three points, or points on a line.
    pub fn polygon(points: &[Vec2], size: f64) -> Result<Vec<Self>, ShapeError> {
        let flat = Curvature::Flat(size);
        let mut pieces = vec![Self::new(Shape::polygon(points)?, flat)];
        let corners = convex_hull(points)?;
        let n = corners.len();
        let normal = |i: usize| {
            let along = corners[(i + 1) % n] - corners[i % n];
            Vec2::new(along.y, -along.x).normalize()
        };
        pieces[0].sides = (0..n)
            .map(|i| {
                let normal = normal(i);
                let along = [i, i + 1].map(|k| perp(normal).dot(&corners[k % n]));
                PieceSide { normal, out: normal.dot(&corners[i]), along }
            })
            .collect();
        for (i, &corner) in corners.iter().enumerate() {
            // A disc too small to be seen: the corner itself has no surface to deform.
            let point = Self::disc(corner, CORNER_RADIUS * size)?;
            let cone = Some([normal(i + n - 1), normal(i)]);
            pieces.push(Self { curvature: flat, corner: true, cone, ..point });
        }
        Ok(pieces)
    }

    /// The side of this polygon against which a corner rests that is within it: its normal and how far out the corner is
    /// (body coordinates); `None` where the nearest side is the one, or no side faces the corner. A corner flush with a
    /// side beside it is nearest to that one, which its body has never faced: bodies on top of each other would not hold.
    ///
    /// Two such corners that pass each other, of stones that share them, are both outside for a moment: their bodies overlap
    /// between them. Then that rests which is over the side that faces it.
    pub(crate) fn facing(&self, corner: Vec2, cone: [Vec2; 2], size: f64) -> Option<(Vec2, f64)> {
        let out = |side: &PieceSide| side.out(corner);
        let nearest = self.sides.iter().max_by(|a, b| out(a).total_cmp(&out(b)))?;
        let faces = |side: &PieceSide| {
            let towards = -side.normal;
            cross(cone[0], towards) >= -ASIDE
                && cross(towards, cone[1]) >= -ASIDE
                && towards.dot(&(cone[0] + cone[1])) > 0.0
        };
        if faces(nearest) {
            return None;
        }
        let facing = self.sides.iter().filter(|side| faces(side)).max_by(|a, b| out(a).total_cmp(&out(b)))?;
        let (outside, depth) = (out(nearest), -out(facing));
        let rests = outside <= FLUSH * size
            || outside <= depth
                && depth <= SHALLOW * size
                && facing.is_below(corner, PASSING * depth)
                && self.is_entered((corner, cone), nearest, depth, size);
        rests.then_some((facing.normal, -depth))
    }

    /// Whether an edge of a corner comes into this polygon through a side, no farther than `reach` from the corner.
    fn is_entered(&self, (corner, cone): (Vec2, [Vec2; 2]), side: &PieceSide, reach: f64, size: f64) -> bool {
        let edges = [-perp(cone[0]), perp(cone[1])];
        edges.into_iter().any(|way| {
            let inwards = -side.normal.dot(&way);
            let entry = corner + way * (side.out(corner) / inwards);
            inwards > 0.0
                && side.out(corner) <= reach * inwards
                && self.sides.iter().all(|s| s.out(entry) <= FLUSH * size)
        })
    }

    /// Places the piece in the body.
    #[must_use]
    pub fn at(mut self, position: impl Into<Vec2>, angle: f64) -> Self {
        let p = position.into();
        self.pose = Pose::new(p.x, p.y, angle);
        self
    }

    /// Whether a pair of pieces is looked at.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        let flat = |p: &Self| !p.corner && matches!(p.curvature, Curvature::Flat(_));
        match (self.corner, other.corner) {
            (true, true) => false,
            (true, false) => flat(other),
            (false, true) => flat(self),
            (false, false) => !(flat(self) && flat(other)),
        }
    }

    /// A circle (body coordinates) that holds the piece; `None` if it has no bounds.
    pub(crate) fn enclosing_circle(&self) -> Option<(Vec2, f64)> {
        if self.shape.is_unbounded() {
            return None;
        }
        let bounds = self.shape.bounds(&Pose::IDENTITY);
        let reach = 0.5 * (bounds.max - bounds.min).norm();
        Some((self.pose.transform(bounds.center()), reach))
    }
}

/// The pieces of an outline: the disc of a full circle; the area and the corners of a convex polygon; none of
/// any other.
pub(crate) fn pieces_of(shape: &PathShape) -> Vec<Piece> {
    if shape.path_count() != 1 {
        return Vec::new();
    }
    disc_of(shape).map(|disc| vec![disc]).or_else(|| polygon_of(shape)).unwrap_or_default()
}

fn disc_of(shape: &PathShape) -> Option<Piece> {
    let mut circle: Option<(Vec2, f64)> = None;
    for edge in shape.edges() {
        let Curve::Circular(arc) = edge.curve() else { return None };
        if edge.curvature_radius() <= 0.0 {
            return None;
        }
        let this = (arc.center(), arc.radius());
        if circle.is_some_and(|c| c != this) {
            return None;
        }
        circle = Some(this);
    }
    let (center, radius) = circle?;
    Piece::disc(center, radius).ok()
}

fn polygon_of(shape: &PathShape) -> Option<Vec<Piece>> {
    if shape.edges().iter().any(|edge| !edge.is_straight()) {
        return None;
    }
    let corners: Vec<Vec2> =
        shape.vertices().iter().filter(|v| v.is_end_point()).map(|v| v.point()).collect();
    let n = corners.len();
    let turn = |i: usize| {
        let (a, b, c) = (corners[i], corners[(i + 1) % n], corners[(i + 2) % n]);
        cross(b - a, c - b)
    };
    let convex = (0..n).all(|i| turn(i) >= 0.0) || (0..n).all(|i| turn(i) <= 0.0);
    if n < 3 || !convex {
        return None;
    }
    Piece::polygon(&corners, shape.centroid_radius()).ok()
}

/// How far beyond its two edges' normals a corner still faces a side: sine of the angle. Bodies that rest on each other are
/// turned by less.
const ASIDE: f64 = 0.5;

/// How far beyond the end of a side a corner that passes another one still rests on it, relative to its depth, so that one of
/// both does: bodies that rest on each other are turned by less.
const PASSING: f64 = 0.01;

/// How deep such corners are at most, relative to the size of the polygon: deeper ones are beside it.
const SHALLOW: f64 = 0.01;

/// How far outside a side a corner still is within the polygon, relative to its size: rounding of flush sides.
const FLUSH: f64 = 1e-11;

/// Radius of a corner relative to the size of its polygon: below the resolution of any distance.
const CORNER_RADIUS: f64 = 1e-14;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_and_convex_polygons_have_pieces_and_other_outlines_none() {
        assert_eq!(pieces_of(&PathShape::ball(0.5).unwrap()).len(), 1);
        let block = pieces_of(&PathShape::block(1.0, 2.0).unwrap());
        assert_eq!((block.len(), block.iter().filter(|p| p.corner).count()), (5, 4));
        let arrow = [[0.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, -1.0]].map(Vec2::from);
        assert!(pieces_of(&PathShape::polygon(&arrow).unwrap()).is_empty());
        assert!(
            pieces_of(
                &PathShape::frame(engine2d_geometry::sizes::Frame {
                    width: 2.0,
                    height: 2.0,
                    thickness: 0.2
                })
                .unwrap()
            )
            .is_empty()
        );
    }

    #[test]
    fn a_flush_corner_rests_on_the_side_that_faces_it() {
        let block = pieces_of(&PathShape::block(1.0, 1.0).unwrap());
        let lower_right = block.iter().find_map(|p| {
            let at = p.pose.position();
            p.cone.filter(|_| at.x > 0.0 && at.y < 0.0)
        });
        let cone = lower_right.unwrap();
        let facing = |x: f64, y: f64| block[0].facing(Vec2::new(x, y), cone, 1.0);
        // Flush with the right side and a little below the top: the top it is, not the right side.
        let (normal, out) = facing(0.5, 0.49).unwrap();
        assert!(normal.y == 1.0 && (out + 0.01).abs() < 1e-15);
        assert!(facing(0.3, 0.49).is_none(), "the nearest side faces it");
        assert!(facing(0.5 + 1e-3, 0.49).is_none(), "it is past the end of the top");
        assert!(facing(0.5 + 1e-6, 0.4).is_none(), "it is beside");
    }

    #[test]
    fn of_two_corners_that_pass_each_other_one_rests_at_least() {
        // Stones left and right of a joint, whose outer sides fall off from it.
        let right = [[0.0, 0.0], [0.0, -1.0], [1.0, -1.0], [1.0, -0.2]].map(Vec2::from);
        let left = [[0.0, 0.0], [-1.0, -0.2], [-1.0, -1.0], [0.0, -1.0]].map(Vec2::from);
        let [right, left] = [right, left].map(|points| Piece::polygon(&points, 1.0).unwrap());
        let cone = |stone: &[Piece]| {
            let upper = stone.iter().find(|p| p.corner && p.pose.position().norm() < 1e-12);
            upper.and_then(|corner| corner.cone).unwrap()
        };
        let depth = 1e-5;
        for k in -20_i32..=20 {
            // The left stone has come into the right one, and along the joint by up to its depth.
            let moved = Vec2::new(depth, 0.05 * f64::from(k) * depth);
            let on_right = right[0].facing(moved, cone(&left), 1.0);
            let on_left = left[0].facing(-moved, cone(&right), 1.0);
            let deepest = on_right.into_iter().chain(on_left).map(|(_, out)| -out).fold(0.0, f64::max);
            assert!((deepest - depth).abs() < 1e-9, "{k}: {on_right:?}, {on_left:?}");
            assert!(k.abs() <= 1 || on_right.is_some() != on_left.is_some(), "{k}: one of both");
        }
    }

    #[test]
    fn corners_meet_polygons_and_polygons_meet_discs() {
        let block = pieces_of(&PathShape::block(1.0, 2.0).unwrap());
        let disc = Piece::disc([0.0, 0.0], 1.0).unwrap();
        assert!(block[0].meets(&block[1]) && block[1].meets(&block[0]));
        assert!(!block[0].meets(&block[0]) && !block[1].meets(&block[2]));
        assert!(disc.meets(&block[0]) && !disc.meets(&block[1]) && disc.meets(&disc));
    }
}
