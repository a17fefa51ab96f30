//! Import of the `d` attribute of an SVG path: lines, circular and elliptic arcs, Bézier curves.

use super::biarc::{Bezier, Elliptic};
use super::fill::{FillRule, filled};
use super::outside_is_up;
use super::piece::{Affine, CIRCULAR, Piece};
use super::segment::{Segment, signed_area};
use crate::builder::PathBuilder;
use crate::error::ShapeError;
use crate::shape::PathShape;
use crate::tolerance::CLOSURE;
use engine2d_math::{Vec2, perp, trig};
use std::f64::consts::TAU;

/// Default tolerance of curves (length).
const DEFAULT_TOLERANCE: f64 = 1e-3;

/// How a path of an SVG picture becomes a shape.
///
/// ```
/// use engine2d_geometry::{FillRule, PathShape, SvgOptions};
///
/// // A heart of two Bézier curves, a thousandth of its drawn size.
/// let options = SvgOptions { transform: [1e-3, 0.0, 0.0, 1e-3, 0.0, 0.0], tolerance: 1e-5, ..SvgOptions::default() };
/// let heart = PathShape::from_svg_path_with("M0 300C-400 0-150-250 0-50 150-250 400 0 0 300Z", &options)?;
/// assert!(heart.bounds().height() < 0.5);
/// # Ok::<(), engine2d_geometry::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SvgOptions {
    /// What is within where paths lie in each other. Default [`FillRule::NonZero`], as in SVG.
    pub fill_rule: FillRule,
    /// Largest distance of Bézier curves and elliptic arcs from the circular arcs that stand for them, after the transform
    /// (length, > 0), but not below 1e-7 of a curve's size. Default 1e-3.
    pub tolerance: f64,
    /// The matrix `a b c d e f` of SVG: `x' = a x + c y + e`, `y' = b x + d y + f`, y down. Default: the identity.
    pub transform: [f64; 6],
}

impl Default for SvgOptions {
    fn default() -> Self {
        Self {
            fill_rule: FillRule::NonZero,
            tolerance: DEFAULT_TOLERANCE,
            transform: [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        }
    }
}

impl PathShape {
    /// The shape that the `d` attribute of an SVG path outlines. All commands: `M L H V C S Q T A Z`, absolute and relative.
    /// Bézier curves and elliptic arcs become circular arcs within a thousandth of a length unit
    /// ([`SvgOptions`] chooses). SVG's y axis points down: y changes its sign, so that the shape looks as in the picture.
    /// Paths left open are closed. What is within follows the fill rule "nonzero": an inner path that runs the opposite way is
    /// a hole, one of the same direction changes nothing. Centre of mass and moment are exact.
    ///
    /// ```
    /// use engine2d_geometry::PathShape;
    ///
    /// let stadium = PathShape::from_svg_path("M-1-1 H1 A1 1 0 0 1 1 1 H-1 A1 1 0 0 1 -1 -1 Z")?;
    /// assert!((stadium.area_properties().area - (4.0 + std::f64::consts::PI)).abs() < 1e-14);
    /// # Ok::<(), engine2d_geometry::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// [`ShapeError::SvgPath`] with the place of what cannot be read, and for paths that cross themselves or each other;
    /// [`ShapeError::NoArea`]; [`ShapeError::ArcRadii`] for arcs too large to be told from lines;
    /// [`ShapeError::NotPositive`] where coordinates are too large for their squares.
    pub fn from_svg_path(d: &str) -> Result<Self, ShapeError> {
        Self::from_svg_path_with(d, &SvgOptions::default())
    }

    /// As [`from_svg_path`](Self::from_svg_path), with a fill rule, a tolerance and a transform.
    ///
    /// # Errors
    /// As [`from_svg_path`](Self::from_svg_path); [`ShapeError::NotPositive`] for the tolerance,
    /// [`ShapeError::OutOfRange`] for a transform that is not finite.
    pub fn from_svg_path_with(d: &str, options: &SvgOptions) -> Result<Self, ShapeError> {
        let tolerance = super::positive("tolerance of curves", options.tolerance)?;
        if let Some(&value) = options.transform.iter().find(|value| !value.is_finite()) {
            return Err(ShapeError::OutOfRange { what: "transform", value, low: f64::MIN, high: f64::MAX });
        }
        let map = Affine::of(options.transform);
        let pieces = Reader { text: d.as_bytes(), position: 0 }.paths()?;
        let mut paths: Vec<Vec<Segment>> = Vec::new();
        for drawn in &pieces {
            let mut path = Vec::new();
            drawn.iter().for_each(|piece| piece.flatten(&map, tolerance, &mut path));
            if !path.is_empty() {
                paths.push(path);
            }
        }
        let area = paths.first().map_or(0.0, |path| signed_area(path));
        if !(area.abs() > 0.0 && area.is_finite()) {
            return Err(ShapeError::NoArea { area });
        }
        let mut b = PathBuilder::new();
        for (path, material_is_left) in filled(&paths, options.fill_rule)? {
            b.start(path[0].start)?;
            for segment in path {
                let (start, end) = (segment.start, segment.end);
                match segment.arc {
                    None => b.line_to(end, outside_is_up(start, end) == material_is_left)?,
                    Some((center, clockwise)) => {
                        b.arc_to(end, center, clockwise, clockwise != material_is_left)?
                    }
                };
            }
            b.close()?;
        }
        let shape = b.finish()?;
        let exact = shape.area_properties();
        if !(exact.area.abs() > 0.0 && exact.centroid.norm().is_finite()) {
            return Err(ShapeError::NoArea { area: exact.area });
        }
        let value = exact.moment_factor;
        if !(value > 0.0 && value.is_finite()) {
            return Err(ShapeError::NotPositive { what: "moment of inertia per unit mass", value });
        }
        Ok(shape.with_center_of_mass(exact.centroid).with_moment_factor(exact.moment_factor))
    }
}

/// The text and how far it is read.
struct Reader<'a> {
    text: &'a [u8],
    position: usize,
}

impl Reader<'_> {
    fn paths(mut self) -> Result<Vec<Vec<Piece>>, ShapeError> {
        let mut paths: Vec<Vec<Piece>> = Vec::new();
        let mut path: Vec<Piece> = Vec::new();
        // The last control points of a cubic and of a quadratic curve.
        let mut controls: [Option<Vec2>; 2] = [None; 2];
        let (mut start, mut here) = (Vec2::zeros(), Vec2::zeros());
        let (mut command, mut moved) = (None, false);
        loop {
            self.skip_separators();
            let Some(&byte) = self.text.get(self.position) else { break };
            let at = self.position;
            if byte.is_ascii_alphabetic() {
                self.position += 1;
                command = Some(byte);
            }
            let Some(letter) = command else {
                return Err(ShapeError::SvgPath { position: at, what: "a path begins with M or m" });
            };
            // Nothing is drawn before the first move.
            moved |= letter.eq_ignore_ascii_case(&b'M');
            if !moved {
                return Err(ShapeError::SvgPath { position: at, what: "a path begins with M or m" });
            }
            let origin = if letter.is_ascii_lowercase() { here } else { Vec2::zeros() };
            let before = std::mem::take(&mut controls);
            match letter.to_ascii_uppercase() {
                b'M' => {
                    finish(&mut path, start, here, &mut paths);
                    here = origin + self.point()?;
                    start = here;
                    // Further pairs are lines.
                    command = Some(if letter == b'm' { b'l' } else { b'L' });
                }
                b'L' => here = drawn_line(&mut path, here, origin + self.point()?),
                b'H' => here = drawn_line(&mut path, here, Vec2::new(origin.x + self.number()?, here.y)),
                b'V' => here = drawn_line(&mut path, here, Vec2::new(here.x, origin.y - self.number()?)),
                letter @ (b'C' | b'S') => {
                    let first = match letter {
                        b'C' => origin + self.point()?,
                        _ => before[0].map_or(here, |control| 2.0 * here - control),
                    };
                    let points = [here, first, origin + self.point()?, origin + self.point()?];
                    (controls[0], here) = (Some(points[2]), points[3]);
                    path.push(Piece::Curve(Bezier(points)));
                }
                letter @ (b'Q' | b'T') => {
                    let control = match letter {
                        b'Q' => origin + self.point()?,
                        _ => before[1].map_or(here, |control| 2.0 * here - control),
                    };
                    let end = origin + self.point()?;
                    let [first, second] = [here, end].map(|p| p + (control - p) * (2.0 / 3.0));
                    path.push(Piece::Curve(Bezier([here, first, second, end])));
                    (controls[1], here) = (Some(control), end);
                }
                b'A' => here = self.arc(&mut path, here, origin)?,
                b'Z' => {
                    finish(&mut path, start, here, &mut paths);
                    here = start;
                    // A number after Z belongs to nothing.
                    command = None;
                }
                _ => {
                    let what = "only the commands M, L, H, V, C, S, Q, T, A, Z (and in lower case) are known";
                    return Err(ShapeError::SvgPath { position: at, what });
                }
            }
            if !(here.x.is_finite() && here.y.is_finite()) {
                return Err(ShapeError::SvgPath { position: at, what: "the point reached is not finite" });
            }
        }
        finish(&mut path, start, here, &mut paths);
        Ok(paths)
    }

    /// Radii, rotation, flags and end of an arc.
    fn arc(&mut self, path: &mut Vec<Piece>, start: Vec2, origin: Vec2) -> Result<Vec2, ShapeError> {
        let (rx, ry) = (self.number()?.abs(), self.number()?.abs());
        let degrees = self.number()?;
        let (large, sweep) = (self.flag()?, self.flag()?);
        let end = origin + self.point()?;
        if rx == 0.0 || ry == 0.0 || (end - start).norm() == 0.0 {
            return Ok(drawn_line(path, start, end));
        }
        // Circles are measured without the rotation, to the last digit.
        let round = (rx - ry).abs() <= CIRCULAR * rx.max(ry);
        let (sin, cos) = if round { (0.0, 1.0) } else { trig::sin_cos(-degrees.to_radians()) };
        let axes = [Vec2::new(cos, sin) * rx, Vec2::new(-sin, cos) * ry];
        // In the frame where the ellipse is a circle of radius 1.
        let local = |v: Vec2| Vec2::new(v.dot(&axes[0]) / (rx * rx), v.dot(&axes[1]) / (ry * ry));
        let chord = local(end - start);
        let half = chord.norm() / 2.0;
        // Radii too small to join the ends are enlarged until they do.
        let grown = half.max(1.0);
        let offset = (grown * grown - half * half).max(0.0).sqrt();
        // Travelled counter-clockwise, a small arc has its centre to the left of its chord. A sweep in SVG
        // is clockwise when y points up.
        let left = if sweep == large { offset } else { -offset };
        let center = if round {
            let (chord, half) = (end - start, (end - start).norm() / 2.0);
            let offset = (rx * rx - half * half).max(0.0).sqrt();
            let left = if sweep == large { offset } else { -offset };
            (start + end) * 0.5 + perp(chord) * (left / (2.0 * half))
        } else {
            let middle = perp(chord) * (left / (2.0 * half));
            (start + end) * 0.5 + axes[0] * middle.x + axes[1] * middle.y
        };
        let angle = |p: Vec2| {
            let seen = local(p - center);
            trig::atan2(seen.y, seen.x)
        };
        let (from, mut to) = (angle(start), angle(end));
        if sweep && to >= from {
            to -= TAU;
        } else if !sweep && to <= from {
            to += TAU;
        }
        let axes = axes.map(|axis| axis * grown);
        path.push(Piece::Arc { ends: [start, end], ellipse: Elliptic { center, axes, angles: [from, to] } });
        Ok(end)
    }

    fn skip_separators(&mut self) {
        while self.text.get(self.position).is_some_and(|&b| is_separator(b)) {
            self.position += 1;
        }
    }

    fn point(&mut self) -> Result<Vec2, ShapeError> {
        let x = self.number()?;
        Ok(Vec2::new(x, -self.number()?))
    }

    fn flag(&mut self) -> Result<bool, ShapeError> {
        self.skip_separators();
        let position = self.position;
        self.position += 1;
        match self.text.get(position) {
            Some(b'0') => Ok(false),
            Some(b'1') => Ok(true),
            _ => Err(ShapeError::SvgPath { position, what: "an arc needs two flags, 0 or 1" }),
        }
    }

    /// A number ends where the next one or a command begins.
    fn number(&mut self) -> Result<f64, ShapeError> {
        self.skip_separators();
        let begin = self.position;
        let (mut dots, mut exponent) = (0, false);
        while let Some(&b) = self.text.get(self.position) {
            let after_exponent = exponent && matches!(self.text[self.position - 1], b'e' | b'E');
            let goes_on = match b {
                b'0'..=b'9' => true,
                b'+' | b'-' => self.position == begin || after_exponent,
                b'.' => {
                    dots += 1;
                    dots == 1 && !exponent
                }
                b'e' | b'E' => !std::mem::replace(&mut exponent, true),
                _ => false,
            };
            if !goes_on {
                break;
            }
            self.position += 1;
        }
        let text = std::str::from_utf8(&self.text[begin..self.position]).unwrap_or_default();
        let what = "a finite number is needed";
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(ShapeError::SvgPath { position: begin, what }),
        }
    }
}

fn is_separator(b: u8) -> bool {
    b.is_ascii_whitespace() || b == b','
}

/// Adds a line as it is drawn, unless it has no length.
fn drawn_line(path: &mut Vec<Piece>, start: Vec2, end: Vec2) -> Vec2 {
    if (end - start).norm() > 0.0 {
        path.push(Piece::Line(start, end));
        return end;
    }
    start
}

/// Closes a path with a line where its end is not its start, and keeps it if it has any edge.
fn finish(path: &mut Vec<Piece>, start: Vec2, here: Vec2, paths: &mut Vec<Vec<Piece>>) {
    if (here - start).norm() > CLOSURE {
        drawn_line(path, here, start);
    }
    if !path.is_empty() {
        paths.push(std::mem::take(path));
    }
}

#[cfg(test)]
mod tests;
