//! Import of the `d` attribute of an SVG path: straight lines and circular arcs.

use super::outside_is_up;
use crate::builder::PathBuilder;
use crate::error::ShapeError;
use crate::shape::PathShape;
use crate::tolerance::CLOSURE;
use engine2d_math::{Vec2, perp};

/// Difference of an arc's two radii, relative to them, that is still a circle.
const CIRCULAR: f64 = 1e-12;

/// An edge of the imported outline, y upwards.
struct Segment {
    start: Vec2,
    end: Vec2,
    /// Centre, and whether the arc runs clockwise.
    arc: Option<(Vec2, bool)>,
}

impl PathShape {
    /// The shape that the `d` attribute of an SVG path outlines. Commands `M L H V A Z`, absolute and
    /// relative; arcs must be circular. SVG's y axis points down: y changes its sign, so that the shape looks
    /// as in the picture. Paths left open are closed. The first path bounds material; of the others, those that
    /// run the opposite way are holes. Centre of mass and moment are exact.
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
    /// [`ShapeError::SvgPath`] with the place of what cannot be read; [`ShapeError::NoArea`];
    /// [`ShapeError::ArcRadii`] for arcs too large to be told from lines; [`ShapeError::NotPositive`] where
    /// coordinates are too large for their squares.
    pub fn from_svg_path(d: &str) -> Result<Self, ShapeError> {
        let paths = Reader { text: d.as_bytes(), position: 0 }.paths()?;
        let area = paths.first().map_or(0.0, |path| signed_area(path));
        if !(area.abs() > 0.0 && area.is_finite()) {
            return Err(ShapeError::NoArea { area });
        }
        let material_is_left = area > 0.0;
        let mut b = PathBuilder::new();
        for path in &paths {
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

/// Area to the left of the outline, arcs by their circular segments.
fn signed_area(path: &[Segment]) -> f64 {
    let mut twice = 0.0;
    for s in path {
        twice += engine2d_math::cross(s.start, s.end);
        if let Some((center, clockwise)) = s.arc {
            let (p, q) = (s.start - center, s.end - center);
            let (sin, cos) = (engine2d_math::cross(p, q), p.dot(&q));
            let mut turn = engine2d_math::trig::atan2(sin, cos);
            if clockwise && turn > 0.0 {
                turn -= std::f64::consts::TAU;
            } else if !clockwise && turn < 0.0 {
                turn += std::f64::consts::TAU;
            }
            twice += turn * p.norm_squared() - sin;
        }
    }
    twice / 2.0
}

/// The text and how far it is read.
struct Reader<'a> {
    text: &'a [u8],
    position: usize,
}

impl Reader<'_> {
    fn paths(mut self) -> Result<Vec<Vec<Segment>>, ShapeError> {
        let mut paths: Vec<Vec<Segment>> = Vec::new();
        let mut path: Vec<Segment> = Vec::new();
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
            match letter.to_ascii_uppercase() {
                b'M' => {
                    finish(&mut path, start, here, &mut paths);
                    here = origin + self.point()?;
                    start = here;
                    // Further pairs are lines.
                    command = Some(if letter == b'm' { b'l' } else { b'L' });
                }
                b'L' => here = line(&mut path, here, origin + self.point()?),
                b'H' => here = line(&mut path, here, Vec2::new(origin.x + self.number()?, here.y)),
                b'V' => here = line(&mut path, here, Vec2::new(here.x, origin.y - self.number()?)),
                b'A' => here = self.arc(&mut path, here, origin)?,
                b'Z' => {
                    finish(&mut path, start, here, &mut paths);
                    here = start;
                    // A number after Z belongs to nothing.
                    command = None;
                }
                _ => {
                    let what = "only the commands M, L, H, V, A, Z (and in lower case) are supported";
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
    fn arc(&mut self, path: &mut Vec<Segment>, start: Vec2, origin: Vec2) -> Result<Vec2, ShapeError> {
        self.skip_separators();
        let position = self.position;
        let (rx, ry) = (self.number()?.abs(), self.number()?.abs());
        if (rx - ry).abs() > CIRCULAR * rx.max(ry) {
            return Err(ShapeError::SvgPath {
                position,
                what: "the radii of an arc must be equal: circles only",
            });
        }
        self.number()?;
        let (large, sweep) = (self.flag()?, self.flag()?);
        let end = origin + self.point()?;
        let chord = end - start;
        let half = chord.norm() / 2.0;
        if rx == 0.0 || half == 0.0 {
            return Ok(line(path, start, end));
        }
        // A radius too small to join the ends is enlarged until it does.
        let offset = (rx * rx - half * half).max(0.0).sqrt();
        // Travelled counter-clockwise, a small arc has its centre to the left of its chord. A sweep in SVG
        // is clockwise when y points up.
        let left = if sweep == large { offset } else { -offset };
        let center = (start + end) * 0.5 + perp(chord) * (left / (2.0 * half));
        path.push(Segment { start, end, arc: Some((center, sweep)) });
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

/// Adds a line, unless it has no length.
fn line(path: &mut Vec<Segment>, start: Vec2, end: Vec2) -> Vec2 {
    if (end - start).norm() > 0.0 {
        path.push(Segment { start, end, arc: None });
        return end;
    }
    start
}

/// Closes a path with a line where its end is not its start, and keeps it if it has any edge.
fn finish(path: &mut Vec<Segment>, start: Vec2, here: Vec2, paths: &mut Vec<Vec<Segment>>) {
    if (here - start).norm() > CLOSURE {
        line(path, here, start);
    }
    if !path.is_empty() {
        paths.push(std::mem::take(path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn pictures_keep_their_look_and_area() {
        for (d, edges, area) in [
            ("M0 0h2v1h-2z", 4, 2.0),
            ("M0,0 L0,-1 2,-1 2,0", 4, 2.0),
            ("m-1-1H1A1 1 0 011 1H-1A1 1 0 01-1-1Z", 4, 4.0 + PI),
            // A quarter removed from a square; a disc of two half circles with a square hole.
            ("M0 0H2V2H1A1 1 0 0 0 0 1Z", 5, 4.0 - PI / 4.0),
            ("M-2 0A2 2 0 0 1 2 0A2 2 0 0 1-2 0ZM-1-1V1H1V-1Z", 6, 4.0 * PI - 4.0),
            (".5.5-.5.5", 0, 0.0),
        ] {
            match PathShape::from_svg_path(d) {
                Ok(shape) => {
                    assert_eq!(shape.edges().len(), edges, "{d}");
                    assert!((shape.area_properties().area - area).abs() < 1e-13, "{d}");
                }
                Err(e) => assert!(edges == 0, "{d}: {e}"),
            }
        }
        // Down in the text is down in the world.
        let low = PathShape::from_svg_path("M0 3h1v1h-1z").unwrap();
        assert_eq!((low.bounds().min.y, low.bounds().max.y), (-4.0, -3.0));
    }

    #[test]
    fn mistakes_name_their_place() {
        for (d, expected) in [
            ("L1 1", 0),
            ("M0 0 C1 1 2 2 3 3", 5),
            ("M0 0 L1", 7),
            ("M0 0 A1 2 0 0 1 2 0", 6),
            ("M0 0 A1 1 0 2 1 2 0", 12),
            ("M0 0 L1e999 1", 6),
            ("M0 0 H1 Z 5", 10),
        ] {
            match PathShape::from_svg_path(d) {
                Err(ShapeError::SvgPath { position, .. }) => assert_eq!(position, expected, "{d}"),
                other => panic!("{d}: {other:?}"),
            }
        }
        assert!(matches!(PathShape::from_svg_path(""), Err(ShapeError::NoArea { .. })));
        assert!(matches!(PathShape::from_svg_path("M0 0H1Z"), Err(ShapeError::NoArea { .. })));
    }
}
