//! All places where two path bodies are near: the local minima of their distance, each with its features, signed
//! gap, normal and curvature. Nothing of it depends on earlier poses.

mod crossed;
mod edges;
mod vertices;

use super::corner::{Corner, Join};
use super::curve::PlacedEdge;
use super::frame::PlacedPath;
use super::placed::{Pair, PathFeature, PathFeatures, PathWorkspace, corners_of};
use crate::tolerance::{FACING, SAME_CONTACT, SAME_NORMAL};
use engine2d_math::kernel::{larger, smaller};
use engine2d_math::{Vec2, perp, trig};

/// Which places count as near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBand {
    /// Deepest penetration listed (length, not negative).
    pub depth: f64,
    /// Largest gap listed (length).
    pub reach: f64,
    /// Angle (radians, below π/2) by which an edge may come down towards the other body beyond a corner that is
    /// listed nevertheless. With 0 only local minima of the distance are listed, of sides face to face (within
    /// [`FACING`](crate::tolerance::FACING)) both ends of their overlap. A block that rocks needs more: its
    /// raised corner is no local minimum, but the next to meet the floor.
    pub tilt: f64,
}

/// The curve on which a contact point moves over its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactCurve {
    /// A vertex: the point is fixed in the body.
    Vertex,
    /// A straight edge.
    Line,
    /// A circular edge.
    Arc {
        /// Centre of the circle (world).
        center: Vec2,
        /// Radius, negative for a concave arc.
        radius: f64,
    },
}

/// What turns the normal of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalMotion {
    /// It is that of a straight edge of the first body and turns with it.
    WithA,
    /// It is that of a straight edge of the second body and turns with it.
    WithB,
    /// It points from one governing point to the other.
    BetweenPoints,
    /// None of these: two corners at one place, whose normal is the middle of all they share.
    Fixed,
}

/// One place where two bodies are near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathContact {
    /// The features that face each other: the identity of the contact while the bodies move.
    pub features: PathFeatures,
    /// Signed gap along the normal (length): positive apart, negative in penetration.
    pub gap: f64,
    /// Point on the outline of the first body (world).
    pub point_a: Vec2,
    /// Point on the outline of the second body (world).
    pub point_b: Vec2,
    /// Unit normal out of the second body into the first (world).
    pub normal: Vec2,
    /// The curve on which `point_a` moves.
    pub curve_a: ContactCurve,
    /// The curve on which `point_b` moves.
    pub curve_b: ContactCurve,
    /// What turns the normal.
    pub normal_motion: NormalMotion,
    /// Angle (radians) by which the place fails to be a local minimum of the distance; 0 if it is one.
    pub tilt: f64,
}

impl PathContact {
    /// The body-fixed points, of the first and of the second body (world), whose motion governs the gap: centres of
    /// arcs, vertices, and on a line the foot of the other's. With `n` the normal and `r` the radii (0 where there is
    /// none), `gap = n · (p_a − p_b) − r_a − r_b` and `d gap/dt = n · (ṗ_a − ṗ_b)`.
    #[must_use]
    pub fn governing_points(&self) -> [Vec2; 2] {
        let of = |curve: &ContactCurve, point: Vec2| match curve {
            ContactCurve::Arc { center, .. } => *center,
            ContactCurve::Vertex | ContactCurve::Line => point,
        };
        let (a, b) = (of(&self.curve_a, self.point_a), of(&self.curve_b, self.point_b));
        let foot = |p: Vec2, on_line: Vec2| p - self.normal * self.normal.dot(&(p - on_line));
        match self.normal_motion {
            NormalMotion::WithA => [foot(b, self.point_a), b],
            NormalMotion::WithB => [a, foot(a, self.point_b)],
            NormalMotion::BetweenPoints | NormalMotion::Fixed => [a, b],
        }
    }

    /// What the turning of the normal adds to the second derivative of the gap (length/time²):
    /// `d² gap/dt² = n · (p̈_a − p̈_b) +` this, for the governing points, their `relative` velocity `ṗ_a − ṗ_b` and
    /// the angular velocities of both bodies.
    #[must_use]
    pub fn turning(&self, relative: Vec2, angular_velocities: [f64; 2]) -> f64 {
        let [a, b] = self.governing_points();
        let apart = self.normal.dot(&(a - b));
        let with = |omega: f64| 2.0 * omega * perp(self.normal).dot(&relative) - omega * omega * apart;
        match self.normal_motion {
            NormalMotion::WithA => with(angular_velocities[0]),
            NormalMotion::WithB => with(angular_velocities[1]),
            // At one point no normal is defined: it is taken as it is.
            NormalMotion::BetweenPoints if apart == 0.0 => 0.0,
            NormalMotion::BetweenPoints => {
                let across = perp(self.normal).dot(&relative);
                across * across / apart
            }
            NormalMotion::Fixed => 0.0,
        }
    }

    /// The same contact with the bodies in the other order.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self {
            features: PathFeatures { a: self.features.b, b: self.features.a },
            point_a: self.point_b,
            point_b: self.point_a,
            normal: -self.normal,
            curve_a: self.curve_b,
            curve_b: self.curve_a,
            normal_motion: match self.normal_motion {
                NormalMotion::WithA => NormalMotion::WithB,
                NormalMotion::WithB => NormalMotion::WithA,
                other => other,
            },
            ..*self
        }
    }
}

/// Appends all places where two path bodies are near, as they stand.
///
/// Listed are corners on sides, on arcs and on corners, and arcs on lines and arcs (within concave ones too), where
/// the gap is within the band and, up to its tilt, a local minimum of the distance. Sides face to face make
/// two contacts: the ends of the interval in which they overlap. One place makes one contact, by the first body's
/// vertex where both have one; corners that meet in a point have the middle of their common normals. A penetration is
/// listed where the feature is the nearest to the point that is inside, so that no far side of a body is
/// mistaken for one that is penetrated; and of corners that have passed each other the one that a side
/// of the other parts from it by the least way. Where the place is at the smooth end of an arc and a line the arc is named,
/// flush or tilted.
///
/// Of a one-sided wall the active side is listed, whatever side the other body came from.
///
/// The order is that of the features, the same for the same poses. Poses must be finite.
///
/// ```
/// use engine2d_geometry::{ContactBand, PathShape, PathWorkspace, PlacedPath, Pose, path_contacts};
///
/// let (block, floor) = (PathShape::block(1.0, 1.0)?, PathShape::block(10.0, 1.0)?);
/// let block = PlacedPath::new(&block, Pose::new(0.3, 1.002, 0.0));
/// let floor = PlacedPath::new(&floor, Pose::IDENTITY);
/// let band = ContactBand { depth: 0.01, reach: 0.01, tilt: 0.1 };
/// let mut contacts = Vec::new();
/// path_contacts(&block, &floor, &band, &mut PathWorkspace::default(), &mut contacts);
/// assert_eq!(contacts.len(), 2);
/// assert!(contacts.iter().all(|c| (c.gap - 0.002).abs() < 1e-15 && c.normal.y == 1.0));
/// # Ok::<(), engine2d_geometry::ShapeError>(())
/// ```
pub fn path_contacts(
    a: &PlacedPath<'_>,
    b: &PlacedPath<'_>,
    band: &ContactBand,
    workspace: &mut PathWorkspace,
    contacts: &mut Vec<PathContact>,
) {
    let pair = Pair::new(a, b);
    if !(pair.apart() <= band.reach) {
        return;
    }
    let widest = band.reach.max(band.depth).max(pair.slack);
    pair.collect(widest, workspace);
    let PathWorkspace { near_a, near_b, corners_a, corners_b, .. } = workspace;
    corners_of(&pair.a, near_a, corners_a);
    corners_of(&pair.b, near_b, corners_b);
    let finder = Finder {
        pair: &pair,
        band,
        steepest: trig::sin(band.tilt).max(FACING),
        edges: [near_a, near_b],
        corners: [corners_a, corners_b],
    };
    let first = contacts.len();
    let mut found = Found { list: contacts, first, same: SAME_CONTACT * pair.slack };
    finder.vertices_on_edges(0, &mut found);
    finder.vertices_on_edges(1, &mut found);
    finder.edges_on_edges(&mut found);
    finder.vertices_on_vertices(&mut found);
    finder.crossed_corners(&mut found);
    let found = &mut contacts[first..];
    found.sort_unstable_by_key(|c| c.features);
    for contact in found {
        contact.point_a += pair.origin;
        contact.point_b += pair.origin;
        for curve in [&mut contact.curve_a, &mut contact.curve_b] {
            if let ContactCurve::Arc { center, .. } = curve {
                *center += pair.origin;
            }
        }
    }
}

/// The normals that two convex corners share if they are at one place: unit vectors out of the second body into the first,
/// the first and the last of them counterclockwise. `None` if they share none, as corners that overlap however they are
/// shifted onto each other, or if one is no convex corner.
///
/// Where two corners meet tip on tip no one of these normals is distinguished by the shapes.
#[must_use]
pub fn corner_normals(
    (a, vertex): (&PlacedPath<'_>, u32),
    (b, other): (&PlacedPath<'_>, u32),
) -> Option<[Vec2; 2]> {
    let pair = Pair::new(a, b);
    let exists = |path: &PlacedPath<'_>, vertex: u32| (vertex as usize) < path.shape.vertices().len();
    if !exists(a, vertex) || !exists(b, other) {
        return None;
    }
    let (a, b) = (Corner::new(&pair.a, vertex), Corner::new(&pair.b, other));
    if a.join != Join::Convex || b.join != Join::Convex {
        return None;
    }
    Corner::common_normals(&a, &b).map(|(low, high)| [low, high])
}

/// The two bodies, by index 0 and 1, and what is looked for.
struct Finder<'a> {
    pair: &'a Pair<'a>,
    band: &'a ContactBand,
    /// Sine of the largest tilt.
    steepest: f64,
    edges: [&'a [PlacedEdge]; 2],
    corners: [&'a [Corner]; 2],
}

impl Finder<'_> {
    fn in_band(&self, gap: f64) -> bool {
        // Touching within rounding is in every band.
        gap <= larger(self.band.reach, self.pair.slack) && gap >= -larger(self.band.depth, self.pair.slack)
    }

    /// Whether a point of the one body that is `gap` off a feature of body `other` penetrates that feature, if
    /// the gap is negative: it does if that is the nearest to it; or, of a point inside, if it faces none that is nearer,
    /// as a corner above the end of a side does not face what adjoins that side.
    fn is_met(&self, p: Vec2, gap: f64, other: usize, faces: impl Fn(&PlacedEdge, Vec2) -> bool) -> bool {
        let slack = self.pair.slack;
        let depth = -gap;
        if depth <= slack {
            return true;
        }
        let mut least = f64::INFINITY;
        for f in self.edges[other] {
            let limit = smaller(least, depth - slack);
            if (p - f.center).norm() - f.radius >= limit {
                continue;
            }
            let (gap, q, _) = f.nearest(p);
            least = smaller(gap, least);
            if gap < depth - slack && faces(f, q) {
                return false;
            }
        }
        let solid = if other == 0 { &self.pair.a } else { &self.pair.b };
        least >= depth - slack || least <= slack || solid.is_solid(p)
    }
}

/// The contacts of one pair so far.
struct Found<'a> {
    list: &'a mut Vec<PathContact>,
    first: usize,
    /// Length within which two contacts are at one place.
    same: f64,
}

impl Found<'_> {
    /// Adds a contact unless there is one at its place with its normal.
    fn add(&mut self, contact: PathContact) {
        let same = self.same;
        let known = self.list[self.first..].iter().any(|other| {
            (other.point_a - contact.point_a).norm() <= same
                && (other.point_b - contact.point_b).norm() <= same
                && other.normal.dot(&contact.normal) >= SAME_NORMAL
        });
        if !known {
            self.list.push(contact);
        }
    }

    /// Adds the contact of two vertices at one place instead of those of either with edges of the other there.
    fn replace(&mut self, contact: PathContact) {
        let (first, same) = (self.first, self.same);
        let mut place = 0;
        self.list.retain(|other| {
            place += 1;
            let here = (other.point_a - contact.point_a).norm() <= same;
            let of_these = other.features.a == contact.features.a || other.features.b == contact.features.b;
            place <= first || !(here && of_these)
        });
        self.list.push(contact);
    }
}

/// A contact of a feature of body `k` (0 or 1) with one of the other, in the order of the bodies.
fn ordered(k: usize, contact: PathContact) -> PathContact {
    if k == 0 { contact } else { contact.swapped() }
}

fn features(a: PathFeature, b: PathFeature) -> PathFeatures {
    PathFeatures { a, b }
}
