//! What can be wrong with a shape.

use crate::tolerance::MAX_COORDINATE;
use engine2d_math::Vec2;

/// An error if the point of that index is none that a shape can have.
pub(crate) fn check_point(index: usize, point: Vec2) -> Result<(), ShapeError> {
    if !(point.x.is_finite() && point.y.is_finite()) {
        return Err(ShapeError::NotFinite { index });
    }
    match [point.x, point.y].into_iter().find(|x| x.abs() > MAX_COORDINATE) {
        Some(value) => Err(ShapeError::OutOfRange {
            what: "a coordinate",
            value,
            low: -MAX_COORDINATE,
            high: MAX_COORDINATE,
        }),
        None => Ok(()),
    }
}

/// A shape that cannot be built: what is wrong, the value, and what is allowed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A length that must be positive and finite is not.
    #[error("{what} is {value}: it must be a finite number > 0")]
    NotPositive {
        /// Which dimension.
        what: &'static str,
        /// The value given.
        value: f64,
    },
    /// A dimension outside the range the others allow.
    #[error("{what} is {value}: it must lie in [{low}, {high}]")]
    OutOfRange {
        /// Which dimension.
        what: &'static str,
        /// The value given.
        value: f64,
        /// Least value allowed.
        low: f64,
        /// Largest value allowed.
        high: f64,
    },
    /// A coordinate is not a finite number.
    #[error("point {index} is not finite")]
    NotFinite {
        /// Index of the point in the order given.
        index: usize,
    },
    /// Too few points for an outline.
    #[error("an outline of {count} points has no inside: at least 3 are needed")]
    TooFewPoints {
        /// Number of points given.
        count: usize,
    },
    /// An edge of no length, or three points of a polygon on top of each other.
    #[error("edge {index} has no length: neighbouring points must differ")]
    EmptyEdge {
        /// Index of the edge.
        index: usize,
    },
    /// The outline encloses no area.
    #[error("the outline encloses no area (area {area})")]
    NoArea {
        /// The enclosed area found.
        area: f64,
    },
    /// Two edges of the outline cross.
    #[error("edges {first} and {second} of the outline cross")]
    SelfCrossing {
        /// Index of the first edge.
        first: usize,
        /// Index of the second edge.
        second: usize,
    },
    /// The ends of an arc are not at one distance from its centre, or no circle of the radius joins them.
    #[error("the arc's ends need one distance from its centre: {start} and {end} differ")]
    ArcRadii {
        /// Distance of the first end (or the radius asked for).
        start: f64,
        /// Distance of the second end (or half the chord).
        end: f64,
    },
    /// A path whose last point is not its first.
    #[error("the path is not closed: its ends are {gap} apart (at most 1e-8 is allowed)")]
    NotClosed {
        /// Distance between the ends.
        gap: f64,
    },
    /// More vertices than a shape may have, auxiliary ones of arcs included: lengths are in the wrong unit.
    #[error(
        "the shape needs {count} vertices, at most {limit} are allowed: arcs have one for each 0.3 of length"
    )]
    TooManyVertices {
        /// Vertices needed so far.
        count: usize,
        /// Most allowed.
        limit: usize,
    },
    /// The text of an SVG path that cannot be read or has no place here.
    #[error("the path data at byte {position}: {what}")]
    SvgPath {
        /// Byte offset in the text.
        position: usize,
        /// What is wrong there and what is allowed.
        what: &'static str,
    },
    /// A shape that has no counterpart in the other family of shapes.
    #[error("the shape cannot be converted: {what}")]
    NotConvertible {
        /// Why.
        what: &'static str,
    },
    /// The builder was used out of order.
    #[error("{what}")]
    BuilderOrder {
        /// What was attempted and what has to come first.
        what: &'static str,
    },
}
