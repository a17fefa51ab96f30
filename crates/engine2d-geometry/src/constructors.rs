//! The catalogue of path shapes. Vertex and edge order is part of each constructor's contract: ties between
//! simultaneous contacts are broken by it.

mod biarc;
pub(crate) mod ellipse;
pub(crate) mod fill;
mod meeting;
mod piece;
mod profile;
mod segment;
pub(crate) mod svg_file;
pub(crate) mod svg_path;
mod wall;

pub use wall::{RoomWall, Side};

use crate::builder::PathBuilder;
use crate::error::{ShapeError, check_point};
use crate::shape::PathShape;
use crate::sizes::{Diamond, Frame, Pendulum, RoundCornerBlock};
use crate::straight::is_vertical;
use crate::tolerance::{DEGENERATE_LENGTH, FACING, MAX_COORDINATE, SAME_POINT};
use engine2d_math::random::Lcg32;
use engine2d_math::{Vec2, cross, trig};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

#[inline(never)]
fn positive(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(ShapeError::NotPositive { what, value }) }
}

/// A size of a body: what is smaller has no direction, what is larger no area in numbers.
#[inline(never)]
fn size(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    within(what, positive(what, value)?, DEGENERATE_LENGTH, MAX_COORDINATE)
}

fn within(what: &'static str, value: f64, low: f64, high: f64) -> Result<f64, ShapeError> {
    if (low..=high).contains(&value) {
        Ok(value)
    } else {
        Err(ShapeError::OutOfRange { what, value, low, high })
    }
}

/// Whether the outside of the edge `p → q` of a counter-clockwise outline is up (right if vertical).
fn outside_is_up(p: Vec2, q: Vec2) -> bool {
    // The outward normal of a counter-clockwise edge is (d_y, −d_x).
    let d = q - p;
    if is_vertical(d) { d.y > 0.0 } else { d.x < 0.0 }
}

fn straight_outline(points: &[(f64, f64, bool)]) -> Result<PathShape, ShapeError> {
    let mut b = PathBuilder::new();
    add_outline(&mut b, points)?;
    b.finish()
}

/// Adds a closed path of straight edges; the flag belongs to the edge that leaves the point.
fn add_outline(b: &mut PathBuilder, points: &[(f64, f64, bool)]) -> Result<(), ShapeError> {
    b.start([points[0].0, points[0].1])?;
    for (i, &(_, _, up)) in points.iter().enumerate() {
        let next = points[(i + 1) % points.len()];
        b.line_to([next.0, next.1], up)?;
    }
    b.close()?;
    Ok(())
}

impl PathShape {
    /// A disc of radius `r` about the origin, its outline starting at `(−r, 0)`; moment factor `r²/2`.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] for sizes below 1e-10 or beyond 1e75.
    pub fn ball(r: f64) -> Result<Self, ShapeError> {
        size("radius", r)?;
        let mut b = PathBuilder::new();
        b.start([-r, 0.0])?;
        b.arc_to([-r, 0.0], [0.0, 0.0], false, true)?;
        Ok(b.finish()?.with_centroid(Vec2::zeros()).with_moment_factor(r * r / 2.0))
    }

    /// A rectangle of width `w` and height `h` centred on the origin; edges bottom, right, top, left.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] for sizes below 1e-10 or beyond 1e75.
    pub fn block(w: f64, h: f64) -> Result<Self, ShapeError> {
        let (x, y) = (size("width", w)? / 2.0, size("height", h)? / 2.0);
        let shape = straight_outline(&[(-x, -y, false), (x, -y, true), (x, y, true), (-x, y, false)])?;
        Ok(shape.with_centroid(Vec2::zeros()))
    }

    /// As [`block`](Self::block), with its lower left corner at the origin.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] for sizes below 1e-10 or beyond 1e75.
    pub fn block_corner_origin(w: f64, h: f64) -> Result<Self, ShapeError> {
        size("width", w)?;
        size("height", h)?;
        let shape = straight_outline(&[(0.0, 0.0, false), (w, 0.0, true), (w, h, true), (0.0, h, false)])?;
        Ok(shape.with_centroid(Vec2::new(w / 2.0, h / 2.0)))
    }

    /// A rectangle turned by `angle` in `[−π/2, π/2]` within its body frame.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`].
    pub fn diamond(sizes: Diamond) -> Result<Self, ShapeError> {
        let Diamond { width: w, height: h, angle } = sizes;
        let (x, y) = (size("width", w)? / 2.0, size("height", h)? / 2.0);
        within("angle", angle, -FRAC_PI_2, FRAC_PI_2)?;
        let (sin, cos) = trig::sin_cos(angle);
        let turn = |x: f64, y: f64, up: bool| (x * cos - y * sin, x * sin + y * cos, up);
        let shape = straight_outline(&[
            turn(-x, -y, false),
            turn(x, -y, angle >= 0.0),
            turn(x, y, true),
            turn(-x, y, angle < 0.0),
        ])?;
        Ok(shape.with_centroid(Vec2::zeros()).with_moment_factor((w * w + h * h) / 12.0))
    }

    /// A hollow rectangle. The inner path comes first.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] for a thickness that fills the frame.
    pub fn frame(sizes: Frame) -> Result<Self, ShapeError> {
        let Frame { width: w, height: h, thickness } = sizes;
        size("width", w)?;
        size("height", h)?;
        let t = size("thickness", thickness)?;
        // Both outlines must be told apart.
        within("thickness", t, w.max(h) * SAME_POINT, w.min(h) * (1.0 - f64::EPSILON))?;
        let (a, b) = ((w - t) / 2.0, (h - t) / 2.0);
        let (x, y) = ((w + t) / 2.0, (h + t) / 2.0);
        let mut path = PathBuilder::new();
        add_outline(&mut path, &[(a, b, false), (a, -b, true), (-a, -b, true), (-a, b, false)])?;
        add_outline(&mut path, &[(x, y, true), (-x, y, false), (-x, -y, false), (x, -y, true)])?;
        path.finish()
    }

    /// A regular hexagon of side `s` whose box starts at the origin. Its default moment factor is 3/8
    /// whatever the side; [`area_properties`](Self::area_properties) has the exact one.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] for sizes below 1e-10 or beyond 1e75.
    pub fn hexagon(s: f64) -> Result<Self, ShapeError> {
        size("side", s)?;
        let q = s * trig::sin(PI / 3.0);
        let shape = straight_outline(&[
            (s / 2.0, 0.0, false),
            (1.5 * s, 0.0, false),
            (2.0 * s, q, true),
            (1.5 * s, 2.0 * q, true),
            (s / 2.0, 2.0 * q, true),
            (0.0, q, false),
        ])?;
        Ok(shape.with_moment_factor(3.0 / 8.0))
    }

    /// A pendulum: a stick of half width `w` that ends at height `length + w`, on a disc of radius `√(w² + r²)` about the
    /// origin, which is its centre of mass.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] for a stick that ends within the disc.
    pub fn pendulum(sizes: Pendulum) -> Result<Self, ShapeError> {
        let Pendulum { half_width: w, length, radius: r } = sizes;
        size("width", w)?;
        size("radius", r)?;
        within("length", length, r, f64::MAX)?;
        let top = length + w;
        let mut b = PathBuilder::new();
        b.start([w, r])?;
        b.line_to([w, top], true)?;
        b.line_to([-w, top], true)?;
        b.line_to([-w, r], false)?;
        b.arc_to([w, r], [0.0, 0.0], false, true)?;
        let factor = (w * w + r * r) / 2.0;
        let disc = Vec2::zeros();
        let shape = b.finish()?.with_center_of_mass(disc).with_drag_points([disc]);
        Ok(shape.with_moment_factor(factor))
    }

    /// The polygon through `points`, in either winding; its centre of mass and moment are exact.
    ///
    /// # Errors
    /// [`ShapeError::TooFewPoints`], [`ShapeError::NotFinite`], [`ShapeError::OutOfRange`] for coordinates beyond 1e75,
    /// [`ShapeError::EmptyEdge`], [`ShapeError::NoArea`], [`ShapeError::SelfCrossing`].
    pub fn polygon(points: &[Vec2]) -> Result<Self, ShapeError> {
        check_outline(points)?;
        let flip = area_of(points) < 0.0;
        let flags: Vec<(f64, f64, bool)> =
            edges_of(points).map(|(p, q)| (p.x, p.y, outside_is_up(p, q) != flip)).collect();
        let shape = straight_outline(&flags)?;
        let exact = shape.area_properties();
        Ok(shape.with_center_of_mass(exact.centroid).with_moment_factor(exact.moment_factor))
    }

    /// A polygon of `n` corners on the circle of radius `r`, the first at angle 0, with angular steps
    /// between `π/n` and `3π/n` drawn from `generator`.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::TooFewPoints`].
    pub fn random_polygon(n: usize, r: f64, generator: &mut Lcg32) -> Result<Self, ShapeError> {
        size("radius", r)?;
        if n < 3 {
            return Err(ShapeError::TooFewPoints { count: n });
        }
        let (least, most) = (PI / n as f64, 3.0 * PI / n as f64);
        let mut corners = vec![(r, 0.0)];
        let mut used = 0.0;
        for i in 0..n - 1 {
            let rest = TAU - used;
            let raw = (0.5 + generator.next_unit()) * rest / (n - i) as f64;
            let step = raw.max(least).min(most.min(rest - least * (n - 1 - i) as f64));
            used = TAU.min(used + step);
            let (sin, cos) = trig::sin_cos(used);
            corners.push((r * cos, r * sin));
        }
        let flagged: Vec<(f64, f64, bool)> = (0..n)
            .map(|i| {
                let (x, y) = corners[i];
                // The closing edge is the last one; its outside is never up.
                (x, y, i + 1 < n && corners[i + 1].0 < x)
            })
            .collect();
        Ok(straight_outline(&flagged)?.with_moment_factor(r * r / 6.0))
    }

    /// A stadium: a rectangle `w` × `h` (`h ≥ w`) whose short sides are half circles.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] for `h < w`.
    pub fn round_block(w: f64, h: f64) -> Result<Self, ShapeError> {
        let r = size("width", w)? / 2.0;
        within("height", h, w, f64::MAX)?;
        let y = h / 2.0 - r;
        if y == 0.0 {
            return Self::ball(r);
        }
        let mut b = PathBuilder::new();
        b.start([-r, -y])?;
        b.arc_to([r, -y], [0.0, -y], false, true)?;
        b.line_to([r, y], true)?;
        b.arc_to([-r, y], [0.0, y], false, true)?;
        b.line_to([-r, -y], false)?;
        Ok(b.finish()?.with_centroid(Vec2::zeros()).with_moment_factor((w * w + h * h) / 12.0))
    }

    /// A rectangle whose corners are quarter circles.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] for a radius above half a side.
    pub fn round_corner_block(sizes: RoundCornerBlock) -> Result<Self, ShapeError> {
        let RoundCornerBlock { width: w, height: h, radius: r } = sizes;
        let (x, y) = (size("width", w)? / 2.0, size("height", h)? / 2.0);
        size("corner radius", r)?;
        within("corner radius", r, 0.0, x.min(y))?;
        let mut b = PathBuilder::new();
        b.start([-x + r, -y])?;
        let corners = [
            ([x - r, -y], false, [x, -y + r], [x - r, -y + r]),
            ([x, y - r], true, [x - r, y], [x - r, y - r]),
            ([-x + r, y], true, [-x, y - r], [-x + r, y - r]),
            ([-x, -y + r], false, [-x + r, -y], [-x + r, -y + r]),
        ];
        for (side_end, up, arc_end, center) in corners {
            // A radius of half a side leaves no straight part there.
            if b.last_point()? != Vec2::from(side_end) {
                b.line_to(side_end, up)?;
            }
            b.arc_to(arc_end, center, false, true)?;
        }
        Ok(b.finish()?.with_centroid(Vec2::zeros()).with_moment_factor((w * w + h * h) / 12.0))
    }
}

fn edges_of(points: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    points.iter().zip(points.iter().cycle().skip(1)).map(|(&p, &q)| (p, q))
}

/// The signed area, by triangles from the first point: from a far origin their areas would cancel.
fn area_of(points: &[Vec2]) -> f64 {
    edges_of(points).map(|(p, q)| cross(p - points[0], q - points[0])).sum::<f64>() / 2.0
}

/// Rejects outlines that bound no region.
fn check_outline(points: &[Vec2]) -> Result<(), ShapeError> {
    let n = points.len();
    if n < 3 {
        return Err(ShapeError::TooFewPoints { count: n });
    }
    points.iter().enumerate().try_for_each(|(index, p)| check_point(index, *p))?;
    if let Some(index) = edges_of(points).position(|(p, q)| (q - p).norm() < DEGENERATE_LENGTH) {
        return Err(ShapeError::EmptyEdge { index });
    }
    let edges: Vec<(Vec2, Vec2)> = edges_of(points).collect();
    for first in 0..n {
        for second in first + 2..n {
            if (first, second) != (0, n - 1) && properly_cross(edges[first], edges[second]) {
                return Err(ShapeError::SelfCrossing { first, second });
            }
        }
    }
    let area = area_of(points);
    let reach = edges.iter().map(|(p, q)| (q - p).norm_squared()).fold(0.0, f64::max);
    if area.abs() <= f64::EPSILON * reach {
        return Err(ShapeError::NoArea { area });
    }
    match second_round(&edges) {
        Some(second) => Err(ShapeError::SelfCrossing { first: 0, second }),
        None => Ok(()),
    }
}

/// The edge with which an outline begins to go round a second time. The directions of a simple outline turn by 2π, once round; of one
/// with edges that go back the way they came, where the turn has no sign, nothing is said.
fn second_round(edges: &[(Vec2, Vec2)]) -> Option<usize> {
    let mut turned = Vec::with_capacity(edges.len());
    let mut sum = 0.0_f64;
    for ((a, b), (_, c)) in edges.iter().zip(edges.iter().cycle().skip(1)) {
        let (before, after) = (b - a, c - b);
        let (sin, cos) = (cross(before, after), before.dot(&after));
        if sin == 0.0 && cos < 0.0 {
            return None;
        }
        sum += trig::atan2(sin, cos);
        turned.push(sum.abs());
    }
    let is_more = |turn: &f64| *turn > 1.5 * TAU;
    turned.last().filter(|turn| is_more(turn))?;
    turned.iter().position(|turn| *turn > TAU - FACING).map(|k| k + 1)
}

fn properly_cross((a, b): (Vec2, Vec2), (c, d): (Vec2, Vec2)) -> bool {
    let side = |p: Vec2, q: Vec2, r: Vec2| cross(q - p, r - p);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_of_a_polygon_point_outwards_in_both_windings() {
        let mut points = vec![
            Vec2::new(0.0, 0.0),
            Vec2::new(2.0, 0.0),
            Vec2::new(2.0, 1.0),
            Vec2::new(1.0, 0.4),
            Vec2::new(0.0, 1.0),
        ];
        for _ in 0..2 {
            let shape = PathShape::polygon(&points).unwrap();
            assert!((shape.area_properties().area - 1.4).abs() < 1e-14);
            for edge in shape.edges() {
                let middle = edge.proximity_circle().0;
                let inside = middle - edge.normal(middle).unwrap() * 1e-3;
                // Even–odd rule along a slightly tilted ray.
                let crossings = edges_of(&points)
                    .filter(|&e| properly_cross(e, (inside, inside + Vec2::new(10.0, 0.1234))))
                    .count();
                assert_eq!(crossings % 2, 1);
            }
            points.reverse();
        }
    }

    #[test]
    fn degenerate_outlines_are_errors() {
        let p = |x: f64, y: f64| Vec2::new(x, y);
        type Case<'a> = (&'a [Vec2], fn(&ShapeError) -> bool);
        let cases: [Case<'_>; 4] = [
            (&[p(0.0, 0.0), p(1.0, 0.0)], |e| matches!(e, ShapeError::TooFewPoints { count: 2 })),
            (&[p(0.0, 0.0), p(1.0, 0.0), p(2.0, 0.0)], |e| matches!(e, ShapeError::NoArea { .. })),
            (&[p(0.0, 0.0), p(1.0, 1.0), p(1.0, 0.0), p(0.0, 1.0)], |e| {
                matches!(e, ShapeError::SelfCrossing { first: 0, second: 2 })
            }),
            (&[p(0.0, 0.0), p(0.0, 0.0), p(1.0, 0.0)], |e| matches!(e, ShapeError::EmptyEdge { index: 0 })),
        ];
        for (points, expected) in cases {
            assert!(expected(&PathShape::polygon(points).unwrap_err()));
        }
    }
}
