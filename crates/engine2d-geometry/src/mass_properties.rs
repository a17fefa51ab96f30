//! Exact area, centroid and polar moment of a path shape, by Green's theorem over lines and arcs.

use crate::edge::Curve;
use crate::shape::PathShape;
use engine2d_math::{Vec2, cross, trig};

/// Area properties of a shape of uniform unit density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AreaProperties {
    /// Enclosed area (length²), holes subtracted.
    pub area: f64,
    /// Centre of area (body coordinates).
    pub centroid: Vec2,
    /// Polar second moment about the centroid divided by the area (length²): the moment of inertia per
    /// unit mass of a uniform body.
    pub moment_factor: f64,
}

/// Running integrals of 1, the position and its square over an area.
#[derive(Clone, Copy, Default)]
struct Integrals {
    area: f64,
    first: Vec2,
    polar: f64,
}

impl Integrals {
    fn add(&mut self, sign: f64, other: &Self) {
        self.area += sign * other.area;
        self.first += sign * other.first;
        self.polar += sign * other.polar;
    }

    /// The triangle of the origin and the segment `p → q`.
    fn triangle(p: Vec2, q: Vec2) -> Self {
        let c = cross(p, q);
        Self {
            area: c / 2.0,
            first: (p + q) * (c / 6.0),
            polar: c * (p.norm_squared() + p.dot(&q) + q.norm_squared()) / 12.0,
        }
    }

    /// The circular segment between a chord and its arc of signed angle `phi` (counter-clockwise positive)
    /// that starts at angle `from`, about `center`.
    fn circular_segment(center: Vec2, radius: f64, from: f64, phi: f64) -> Self {
        let (sin, cos) = trig::sin_cos(phi);
        let area = radius * radius / 2.0 * (phi - sin);
        let half = trig::sin(phi / 2.0);
        let (mid_sin, mid_cos) = trig::sin_cos(from + phi / 2.0);
        let about_center =
            Vec2::new(mid_cos, mid_sin) * (2.0 / 3.0 * radius * radius * radius * half * half * half);
        let polar = radius * radius * radius * radius * (phi / 4.0 - sin * (2.0 + cos) / 12.0);
        Self {
            area,
            first: about_center + center * area,
            polar: polar + 2.0 * center.dot(&about_center) + center.norm_squared() * area,
        }
    }
}

impl PathShape {
    /// Exact area, centroid and moment factor; beside the simple defaults of
    /// [`center_of_mass`](Self::center_of_mass) and [`moment_factor`](Self::moment_factor).
    ///
    /// Orientation is taken from each path's first edge: the material lies opposite its outside.
    #[must_use]
    pub fn area_properties(&self) -> AreaProperties {
        // About the middle of the box, as moments about a far origin cancel, and in a unit of its size, as their fourth powers
        // leave the range of numbers. A power of two rounds nothing.
        let (origin, unit) = (self.bounds().center(), self.unit());
        let local = |p: Vec2| (p - origin) / unit;
        let mut total = Integrals::default();
        let mut path = Integrals::default();
        let mut sign = 1.0;
        let mut current = None;
        for edge in self.edges() {
            if current != Some(edge.path) {
                total.add(sign, &path);
                path = Integrals::default();
                sign = if outside_is_right(&edge.curve) { 1.0 } else { -1.0 };
                current = Some(edge.path);
            }
            match &edge.curve {
                Curve::Straight(line) => {
                    path.add(1.0, &Integrals::triangle(local(line.start()), local(line.end())));
                }
                Curve::Circular(arc) => {
                    path.add(1.0, &Integrals::triangle(local(arc.start()), local(arc.end())));
                    let (low, high) = arc.interval();
                    let (from, phi) = if arc.clockwise() { (high, low - high) } else { (low, high - low) };
                    let (center, radius) = (local(arc.center()), arc.radius() / unit);
                    path.add(1.0, &Integrals::circular_segment(center, radius, from, phi));
                }
            }
        }
        total.add(sign, &path);
        let centroid = total.first / total.area;
        AreaProperties {
            area: total.area * unit * unit,
            centroid: origin + centroid * unit,
            moment_factor: (total.polar / total.area - centroid.norm_squared()) * unit * unit,
        }
    }

    /// The largest power of two that is at most the size of the box.
    fn unit(&self) -> f64 {
        const EXPONENT: u64 = 0x7ff << 52;
        let size = self.bounds().width().max(self.bounds().height());
        f64::from_bits(size.to_bits() & EXPONENT).max(f64::MIN_POSITIVE)
    }
}

/// Whether the outside lies to the right of the direction of travel.
fn outside_is_right(curve: &Curve) -> bool {
    match curve {
        Curve::Straight(line) => cross(line.end() - line.start(), line.normal()) < 0.0,
        Curve::Circular(arc) => arc.clockwise() != arc.is_convex(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn disc_frame_and_stadium_have_their_textbook_values() {
        let disc = PathShape::ball(0.5).unwrap().area_properties();
        assert!((disc.area - PI / 4.0).abs() < 1e-15);
        assert!(disc.centroid.norm() < 1e-15);
        assert!((disc.moment_factor - 0.125).abs() < 1e-15);

        let frame = PathShape::frame(crate::sizes::Frame { width: 2.0, height: 3.0, thickness: 0.2 })
            .unwrap()
            .area_properties();
        let (outer, inner) = (2.2 * 3.2, 1.8 * 2.8);
        assert!((frame.area - (outer - inner)).abs() < 1e-14);
        let polar =
            (outer * (2.2f64.powi(2) + 3.2f64.powi(2)) - inner * (1.8f64.powi(2) + 2.8f64.powi(2))) / 12.0;
        assert!((frame.moment_factor - polar / (outer - inner)).abs() < 1e-14);

        let stadium = PathShape::round_block(1.0, 3.0).unwrap().area_properties();
        assert!((stadium.area - (2.0 + PI / 4.0)).abs() < 1e-14);
        // Rectangle 1 × 2 about its centre plus two half discs by the parallel-axis theorem.
        let half = PI / 8.0;
        let offset = 4.0 * 0.5 / (3.0 * PI);
        let about_flat = half * 0.125;
        let about_own = about_flat - half * offset * offset;
        let polar = 2.0 * (1.0 + 4.0) / 12.0 + 2.0 * (about_own + half * (1.0 + offset) * (1.0 + offset));
        assert!((stadium.moment_factor - polar / stadium.area).abs() < 1e-14);
    }

    #[test]
    fn a_concave_arc_removes_area() {
        let mut b = crate::PathBuilder::new();
        b.start([0.0, -0.5]).unwrap();
        b.line_to([3.0, -0.5], false).unwrap();
        b.line_to([3.0, 1.0], true).unwrap();
        b.arc_of_radius_to([0.0, 1.0], 2.0, true, true, false).unwrap();
        b.line_to([0.0, -0.5], false).unwrap();
        let shape = b.finish().unwrap();
        let half_angle = (1.5f64 / 2.0).asin();
        let removed = 4.0 * half_angle - 1.5 * 2.0 * half_angle.cos();
        assert!((shape.area_properties().area - (4.5 - removed)).abs() < 1e-13);
        assert!((shape.area_properties().centroid.x - 1.5).abs() < 1e-13);
    }

    /// Where a shape lies in its coordinates, and in what unit they are, changes none of its digits.
    #[test]
    fn far_from_the_origin_and_in_any_unit_the_digits_stay() {
        let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 0.5], [0.0, 1.0]];
        let at = |offset: f64, unit: f64| {
            let points = corners.map(|[x, y]| Vec2::new((x + offset) * unit, (y - offset) * unit));
            PathShape::polygon(&points).unwrap().area_properties()
        };
        let here = at(0.0, 1.0);
        assert!((here.area - 1.5).abs() < 1e-15);
        // About the origin: 2 × 1 less the triangle on top, each by its moments of both axes.
        let (x, y) = (1.0, (1.0 - 0.5 * (1.0 - 0.5 / 3.0)) / 1.5);
        let polar =
            2.0 * 5.0 / 3.0 - (0.5 * (1.0 + 4.0 / 24.0) + 0.5 * ((5.0f64 / 6.0).powi(2) + 0.25 / 18.0));
        assert!((here.centroid - Vec2::new(x, y)).norm() < 1e-15);
        assert!((here.moment_factor - (polar / 1.5 - x * x - y * y)).abs() < 1e-15, "{here:?}");
        for offset in [1e2, 1e4, 1e6, 1e9] {
            let there = at(offset, 1.0);
            assert!((there.area - here.area).abs() < 1e-15, "{offset}: {there:?}");
            assert!((there.moment_factor - here.moment_factor).abs() < 1e-15, "{offset}: {there:?}");
            let moved = there.centroid - Vec2::new(offset, -offset);
            assert!((moved - here.centroid).norm() < 1e-15 * offset, "{offset}: {there:?}");
        }
        let huge = at(0.0, 1e70);
        assert!((huge.moment_factor / 1e70 / 1e70 - here.moment_factor).abs() < 1e-14, "{huge:?}");
    }
}
