//! Judging and building outlines.

use super::numbers::{At, Judge, Range};
use crate::mistake::MistakeKind;
use crate::outline::Outline;
use crate::shape::{Edge, FillRule, Path, Shape, Side};
use crate::shelf::Shelf;
use engine2d_geometry::{PathBuilder, PathShape, ShapeError, SvgOptions, sizes};
use engine2d_math::Vec2;
use engine2d_math::random::Lcg32;
use std::f64::consts::FRAC_PI_2;
use std::fmt::Display;
use std::sync::Arc;

/// Largest radius of an arc (length): arcs carry auxiliary vertices at a fixed distance, and more than some
/// hundred thousand of them are a wrong choice of units rather than a shape.
const LARGEST_RADIUS: f64 = 1e4;

/// Most corners of a random polygon.
const MOST_SIDES: u32 = 10_000;

/// How far the arcs of an ellipse may be from it, as a part of its shorter extent.
const ELLIPSE_PART: f64 = 1e-3;

/// Judges a shape; what it builds if it is sound.
pub(super) fn check_shape<'a>(
    path: &str,
    shape: &'a Shape,
    shelf: &mut Shelf<'a>,
    judge: &mut Judge<'_>,
) -> Option<Arc<PathShape>> {
    if !judge.is_clean(path) {
        check_numbers(path, shape, judge);
        return None;
    }
    let judged = shelf.outline(shape, || {
        check_numbers(path, shape, judge);
        if !judge.is_clean(path) {
            return Err(None);
        }
        let built = shape.build().map_err(|error| Some(error.to_string()))?;
        if matches!(shape, Shape::Paths { .. }) {
            Outline::new(&built).check().map_err(Some)?;
        }
        Ok(built)
    });
    judged
        .map_err(|reason| {
            if let Some(reason) = reason {
                judge.note(path, MistakeKind::Shape { reason });
            }
        })
        .ok()
}

fn check_numbers(path: &str, shape: &Shape, judge: &mut Judge<'_>) {
    let at = |field| At(path, field);
    let mut positive = |fields: &[(&str, f64)]| {
        for &(name, value) in fields {
            judge.number(At(path, name), value, Range::Positive);
        }
    };
    match shape {
        Shape::Ball { radius } => {
            positive(&[("radius", *radius)]);
            check_radius(at("radius"), *radius, judge);
        }
        Shape::Block { width, height }
        | Shape::BlockCornerOrigin { width, height }
        | Shape::Wall { width, height, .. } => positive(&[("width", *width), ("height", *height)]),
        Shape::Diamond { width, height, angle } => {
            positive(&[("width", *width), ("height", *height)]);
            judge.number(at("angle"), *angle, Range::Between(-FRAC_PI_2, FRAC_PI_2));
        }
        Shape::Frame { width, height, thickness } => {
            positive(&[("width", *width), ("height", *height), ("thickness", *thickness)]);
            let room = width.min(*height);
            if *thickness > 0.0 && room > 0.0 && *thickness >= room {
                let allowed = format!("it must be less than width and height, here {room:?}");
                judge.not_allowed(at("thickness"), format!("{thickness:?}"), allowed);
            }
        }
        Shape::Gear { outer, inner, tip, .. } => {
            positive(&[("outer", *outer), ("inner", *inner)]);
            judge.number(at("tip"), *tip, Range::Between(0.01, 0.49));
            check_radius(at("outer"), *outer, judge);
        }
        Shape::Terrain { points, bottom } => {
            for (k, &point) in points.iter().enumerate() {
                judge.point(format_args!("{path}.points[{k}]"), point);
            }
            judge.number(at("bottom"), *bottom, Range::Any);
        }
        Shape::Capsule { length, radius } => {
            positive(&[("length", *length), ("radius", *radius)]);
            check_radius(at("radius"), *radius, judge);
        }
        Shape::Ellipse { width, height, tolerance } => {
            positive(&[("width", *width), ("height", *height)]);
            judge.number_if(at("tolerance"), *tolerance, Range::Positive);
            let [a, b] = [0.5 * width, 0.5 * height];
            let flattest = a.max(b) * (a.max(b) / a.min(b));
            check_radius(at(if a > b { "width" } else { "height" }), flattest, judge);
        }
        Shape::SvgPath { scale, tolerance, .. } => {
            positive(&[("scale", *scale), ("tolerance", *tolerance)]);
        }
        Shape::Hexagon { side } => positive(&[("side", *side)]),
        Shape::Pendulum { width, length, radius } => {
            positive(&[("width", *width), ("length", *length), ("radius", *radius)]);
            check_radius(at("radius"), *radius, judge);
            check_radius(at("width"), *width, judge);
        }
        Shape::Polygon { points, moment_factor } => {
            if points.len() < 3 {
                let reason = format!("{} points found, at least 3 are needed", points.len());
                judge.note(at("points"), MistakeKind::Shape { reason });
            }
            for (k, &point) in points.iter().enumerate() {
                judge.point(format_args!("{path}.points[{k}]"), point);
            }
            judge.number_if(at("moment_factor"), *moment_factor, Range::Positive);
        }
        Shape::RandomPolygon { sides, radius, .. } => {
            positive(&[("radius", *radius)]);
            if *sides < 3 {
                judge.not_allowed(at("sides"), sides.to_string(), "at least 3 are needed".to_owned());
            }
            if *sides > MOST_SIDES {
                let allowed = format!("at most {MOST_SIDES} are supported");
                judge.not_allowed(at("sides"), sides.to_string(), allowed);
            }
        }
        Shape::RoundBlock { width, height } => {
            positive(&[("width", *width), ("height", *height)]);
            check_radius(at("width"), 0.5 * width, judge);
            if *height > 0.0 && height < width {
                let allowed = format!("it must not be less than width, {width:?}");
                judge.not_allowed(at("height"), format!("{height:?}"), allowed);
            }
        }
        Shape::RoundCornerBlock { width, height, radius } => {
            positive(&[("width", *width), ("height", *height), ("radius", *radius)]);
            check_radius(at("radius"), *radius, judge);
            let room = width.min(*height) / 2.0;
            if room > 0.0 && *radius > room {
                let allowed = format!("it must be at most half of width and height, here {room:?}");
                judge.not_allowed(at("radius"), format!("{radius:?}"), allowed);
            }
        }
        Shape::Paths { paths, moment_factor } => {
            if paths.is_empty() {
                let reason = "no path found, at least one is needed".to_owned();
                judge.note(at("paths"), MistakeKind::Shape { reason });
            }
            for (k, each) in paths.iter().enumerate() {
                check_path(&format!("{path}.paths[{k}]"), each, judge);
            }
            judge.number_if(at("moment_factor"), *moment_factor, Range::Positive);
        }
    }
}

fn check_path(path: &str, each: &Path, judge: &mut Judge<'_>) {
    judge.point(format_args!("{path}.start"), each.start);
    if each.edges.is_empty() {
        let reason = "no edge found, at least one is needed".to_owned();
        judge.note(format_args!("{path}.edges"), MistakeKind::Shape { reason });
    }
    for (k, edge) in each.edges.iter().enumerate() {
        judge.point(format_args!("{path}.edges[{k}].to"), edge.to());
        if let Edge::Arc { center, to, .. } = edge {
            let at = format!("{path}.edges[{k}].center");
            judge.point(&at, *center);
            check_radius(&at, (Vec2::from(*to) - Vec2::from(*center)).norm(), judge);
        }
    }
}

fn check_radius(path: impl Display, radius: f64, judge: &mut Judge<'_>) {
    if radius > LARGEST_RADIUS {
        let allowed =
            format!("the radius of an arc must be ≤ {LARGEST_RADIUS:?} (choose a larger unit of length)");
        judge.not_allowed(path, format!("{radius:?}"), allowed);
    }
}

impl Shape {
    /// The outline itself, in body coordinates.
    ///
    /// # Errors
    /// What is wrong with the shape.
    pub fn build(&self) -> Result<PathShape, ShapeError> {
        match self {
            Self::Ball { radius } => PathShape::ball(*radius),
            Self::Block { width, height } => PathShape::block(*width, *height),
            Self::BlockCornerOrigin { width, height } => PathShape::block_corner_origin(*width, *height),
            Self::Diamond { width, height, angle } => {
                PathShape::diamond(sizes::Diamond { width: *width, height: *height, angle: *angle })
            }
            Self::Frame { width, height, thickness } => {
                PathShape::frame(sizes::Frame { width: *width, height: *height, thickness: *thickness })
            }
            Self::Gear { teeth, outer, inner, tip } => {
                PathShape::gear(sizes::Gear { teeth: *teeth, outer: *outer, inner: *inner, tip: *tip })
            }
            Self::Terrain { points, bottom } => {
                let points: Vec<Vec2> = points.iter().map(|&p| p.into()).collect();
                PathShape::terrain(&points, *bottom)
            }
            Self::Capsule { length, radius } => {
                PathShape::capsule(sizes::Capsule { half_length: 0.5 * length, radius: *radius })
            }
            Self::Ellipse { width, height, tolerance } => {
                let tolerance = tolerance.unwrap_or(ELLIPSE_PART * width.min(*height));
                PathShape::ellipse([0.5 * width, 0.5 * height], tolerance)
            }
            Self::SvgPath { d, scale, tolerance, fill_rule } => {
                let (transform, tolerance) = ([*scale, 0.0, 0.0, *scale, 0.0, 0.0], *tolerance);
                let fill_rule = (*fill_rule).into();
                PathShape::from_svg_path_with(d, &SvgOptions { fill_rule, tolerance, transform })
            }
            Self::Hexagon { side } => PathShape::hexagon(*side),
            Self::Pendulum { width, length, radius } => {
                PathShape::pendulum(sizes::Pendulum { half_width: *width, length: *length, radius: *radius })
            }
            Self::Polygon { points, moment_factor } => {
                let points: Vec<Vec2> = points.iter().map(|&p| p.into()).collect();
                PathShape::polygon(&points).map(|shape| with_moment(shape, *moment_factor))
            }
            Self::RandomPolygon { sides, radius, seed } => {
                PathShape::random_polygon(*sides as usize, *radius, &mut Lcg32::new(*seed))
            }
            Self::RoundBlock { width, height } => PathShape::round_block(*width, *height),
            Self::RoundCornerBlock { width, height, radius } => {
                PathShape::round_corner_block(sizes::RoundCornerBlock {
                    width: *width,
                    height: *height,
                    radius: *radius,
                })
            }
            Self::Wall { width, height, side } => PathShape::wall(*width, *height, (*side).into()),
            Self::Paths { paths, moment_factor } => {
                build_paths(paths).map(|shape| with_moment(shape, *moment_factor))
            }
        }
    }
}

fn with_moment(shape: PathShape, moment_factor: Option<f64>) -> PathShape {
    match moment_factor {
        Some(factor) => shape.with_moment_factor(factor),
        None => shape,
    }
}

fn build_paths(paths: &[Path]) -> Result<PathShape, ShapeError> {
    let mut builder = PathBuilder::new();
    for path in paths {
        builder.start(path.start)?;
        for edge in &path.edges {
            match *edge {
                Edge::Line { to, outside_is_up } => builder.line_to(to, outside_is_up)?,
                Edge::Arc { to, center, clockwise, outside_is_out } => {
                    builder.arc_to(to, center, clockwise, outside_is_out)?
                }
            };
        }
        builder.close()?;
    }
    builder.finish()
}

impl From<FillRule> for engine2d_geometry::FillRule {
    fn from(rule: FillRule) -> Self {
        match rule {
            FillRule::NonZero => Self::NonZero,
            FillRule::EvenOdd => Self::EvenOdd,
        }
    }
}

impl From<Side> for engine2d_geometry::Side {
    fn from(side: Side) -> Self {
        match side {
            Side::Bottom => Self::Bottom,
            Side::Right => Self::Right,
            Side::Top => Self::Top,
            Side::Left => Self::Left,
        }
    }
}
