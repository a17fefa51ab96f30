//! The fixed numbers of path-body detection: each with its unit and what it protects.
//!
//! The settable tolerances (distance, velocity, accuracy) belong to the bodies, see
//! [`Tolerances`](crate::Tolerances).

/// Length below which a coordinate difference makes an edge vertical or horizontal, and below which no
/// direction can be formed. Absolute (length): far below any modelled feature, far above rounding.
pub const DEGENERATE_LENGTH: f64 = 1e-10;

/// Difference of abscissae or of slopes below which two lines are exactly vertical or parallel. A larger
/// value lets bodies tunnel along shallow motions.
pub const PARALLEL: f64 = 1e-16;

/// Slack at the ends of crossing segments (length); zero lets acute corners slip past one another.
pub const END_SLACK: f64 = 1e-14;

/// Largest mismatch of the ends of a path that is closed (length).
pub const CLOSURE: f64 = 1e-8;

/// Angle (radians) within which an arc counts as a complete circle.
pub const COMPLETE_CIRCLE: f64 = 1e-6;

/// Equality of the radii, and of the angles, of an arc's two ends.
pub const ARC_END: f64 = 1e-10;

/// Largest spacing of auxiliary vertices along an arc (length).
pub const ARC_SPACING: f64 = 0.3;

/// Largest angle between auxiliary vertices of an arc (radians).
pub const ARC_STEP: f64 = std::f64::consts::FRAC_PI_4;

/// Shortest vertex–vertex distance that defines a normal (length).
pub const CORNER_MIN: f64 = 1e-6;

/// Longest vertex–vertex distance of a corner contact, as a fraction of the distance tolerance: keeps
/// corner contacts away from ordinary sliding.
pub const CORNER_FRACTION: f64 = 0.6;

/// Inflation of a straight edge's proximity circle: the corners of equal squares meeting face to face lie
/// exactly on the plain circle.
pub const STRAIGHT_INFLATION: f64 = 1.25;

/// Inflation of a concave arc's proximity circle.
pub const CONCAVE_INFLATION: f64 = 1.2;

/// Least travel distance assumed in vertex proximity tests (length).
pub const MIN_TRAVEL: f64 = 0.1;

/// Least `|n·n′|` for two records to describe one touch.
pub const SIMILAR_NORMALS: f64 = 0.9;

/// Detection times closer than this are equal (time).
pub const SAME_TIME: f64 = 1e-14;

/// Closing speed needed for an estimate of the collision time (length/time).
pub const ESTIMATE_SPEED: f64 = 0.001;

/// Shortest interval (time) and smallest acceleration for a refined estimate.
pub const ESTIMATE_MIN: f64 = 1e-12;

/// Distance from a vertex, relative to the coordinates, within which a ray hits it and an offset has no
/// direction: a few roundings. Zero would let rays slip between the edges that share a vertex.
pub const RAY_END: f64 = 8.0 * f64::EPSILON;

/// Angle (radians) between the contact normal and that of an edge within which the edge takes part as a whole:
/// a unit length then lifts off by less than the hysteresis of contacts. Smaller values let the last bits of an
/// angle change the features of a face at rest.
pub const FACING: f64 = 1e-8;

/// Growth of a bound that spares an exact test, relative to the coordinates: far above rounding, so that the exact
/// test would have said no, far below any distance that matters to speed.
pub const BOUND_ROUNDING: f64 = 1e-9;

/// Most vertices of one shape, auxiliary ones of arcs included: an arc of 300 km length has more.
pub const MAX_VERTICES: usize = 1 << 20;

/// Length, relative to the size of a pair of bodies, within which points of their outlines are the same: some
/// thousand roundings. Larger values merge corners that lie side by side, smaller ones let flush corners of equal
/// blocks pass each other by rounding.
pub const SAME_POINT: f64 = 1e-12;

/// Angle (radians) within which directions at the ends of arcs are the same: the ends of an arc are its own to
/// [`ARC_END`].
pub const SAME_DIRECTION: f64 = 1e-10;

/// Sine of the angle of two lines below which they have no crossing; where they overlap their ends do the work.
pub const PARALLEL_EDGES: f64 = 1e-14;

/// Length, relative to the size of a body, by which the depth of an overlap may be missed: about rounding.
pub const DEPTH_ACCURACY: f64 = 1e-14;

/// Least share of a piece that is split off by interpolation when the deepest point is searched: splits nearer to an
/// end would leave the piece as it was.
pub const DEPTH_SPLIT: f64 = 1e-3;

/// Largest distance of two corners that have passed each other, in the shortest of their sides: farther apart their sides cross
/// like those of bars laid over each other.
pub const PASSED_CORNERS: f64 = 0.1;

/// Length within which two contacts of a pair are at one place, in units of [`SAME_POINT`]: they are found by different
/// formulas, each with its own rounding.
pub const SAME_CONTACT: f64 = 10.0;

/// Least `n·n′` of contacts at one place that are one contact: about a thousandth of a radian.
pub const SAME_NORMAL: f64 = 1.0 - 1e-6;

/// Length within which two distances of a pair are equal, in units of [`SAME_POINT`]: a few roundings, below which the
/// nearer of a corner and a side is chance.
pub const TIED: f64 = 1e-3;

/// Largest angle (radians) of the chords that draw an arc, however coarse the tolerance: a circle keeps eight sides.
pub const CHORD_ANGLE: f64 = 0.8;

/// Distance, relative to the coordinates, at which points of convex shapes touch and their difference has no direction:
/// a few roundings.
pub const TOUCHING: f64 = 16.0 * f64::EPSILON;

/// Distance, relative to the coordinates, below which the direction between two corners has so few digits that it is
/// checked against the faces beside them; larger values only cost time.
pub const NEARLY_TOUCHING: f64 = 1e-5;

/// Largest half size of a convex shape (length): the difference of two corners is a number, and so are sums of some.
pub const MAX_HALF_SIZE: f64 = 1e307;

/// Largest coordinate of a corner (length), far above any unit: the fourth powers in moments of area would soon leave the range of
/// numbers, and squares in queries do.
pub const MAX_COORDINATE: f64 = 1e75;
