//! Constructors from a profile: gears, terrain, capsules, hulls.

use super::{outside_is_up, size, within};
use crate::builder::PathBuilder;
use crate::convex::convex_hull;
use crate::error::ShapeError;
use crate::shape::PathShape;
use crate::sizes::{Capsule, Gear};
use engine2d_math::{Vec2, trig};
use std::f64::consts::TAU;

impl PathShape {
    /// All points within `radius` of the segment from `(−half_length, 0)` to `(half_length, 0)`. Its moment
    /// factor is exact.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] for sizes below 1e-10 or beyond 1e75.
    pub fn capsule(sizes: Capsule) -> Result<Self, ShapeError> {
        let Capsule { half_length, radius } = sizes;
        let (x, r) = (size("half length", half_length)?, size("radius", radius)?);
        let mut b = PathBuilder::new();
        b.start([-x, -r])?;
        b.line_to([x, -r], false)?;
        b.arc_to([x, r], [x, 0.0], false, true)?;
        b.line_to([-x, r], true)?;
        b.arc_to([-x, -r], [-x, 0.0], false, true)?;
        let shape = b.finish()?.with_centroid(Vec2::zeros());
        let exact = shape.area_properties();
        Ok(shape.with_moment_factor(exact.moment_factor))
    }

    /// The convex hull of `points` as a polygon.
    ///
    /// # Errors
    /// Those of [`convex_hull`](crate::convex_hull) and [`polygon`](Self::polygon).
    pub fn hull(points: &[Vec2]) -> Result<Self, ShapeError> {
        Self::polygon(&convex_hull(points)?)
    }

    /// A gear about the origin: `teeth` tips on the circle of radius `outer`, gaps on that of radius `inner`,
    /// joined by straight flanks. Each tip covers the fraction `tip` of its tooth's angle, each gap as much,
    /// the flanks the rest. The first tip starts at angle 0; edges follow counter-clockwise as tip, flank,
    /// gap, flank.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] for an inner radius not below the outer one, a
    /// fraction outside `[0.01, 0.49]` or fewer than 3 teeth.
    pub fn gear(sizes: Gear) -> Result<Self, ShapeError> {
        let Gear { teeth, outer, inner, tip } = sizes;
        size("outer radius", outer)?;
        size("inner radius", inner)?;
        within("inner radius", inner, 0.0, outer * (1.0 - f64::EPSILON))?;
        within("fraction of a tip", tip, 0.01, 0.49)?;
        within("number of teeth", f64::from(teeth), 3.0, 10_000.0)?;
        let at = |tooth: u32, fraction: f64, radius: f64| {
            let turn = (f64::from(tooth) + fraction) / f64::from(teeth);
            // The last corner is the first one, to the bit.
            let turn = if turn >= 1.0 { turn - 1.0 } else { turn };
            let (sin, cos) = trig::sin_cos(TAU * turn);
            Vec2::new(radius * cos, radius * sin)
        };
        let mut b = PathBuilder::new();
        b.start(at(0, 0.0, outer))?;
        for tooth in 0..teeth {
            let center = Vec2::zeros();
            b.arc_to(at(tooth, tip, outer), center, false, true)?;
            let (from, to) = (at(tooth, tip, outer), at(tooth, 0.5, inner));
            b.line_to(to, outside_is_up(from, to))?;
            b.arc_to(at(tooth, 0.5 + tip, inner), center, false, true)?;
            let (from, to) = (at(tooth, 0.5 + tip, inner), at(tooth, 1.0, outer));
            b.line_to(to, outside_is_up(from, to))?;
        }
        let shape = b.finish()?.with_centroid(Vec2::zeros()).with_center_of_mass(Vec2::zeros());
        let exact = shape.area_properties();
        Ok(shape.with_moment_factor(exact.moment_factor))
    }

    /// Terrain: the region between the polyline through `points`, whose x increases, and the level `bottom`
    /// below all of them. Edge `i` runs from point `i` to point `i + 1`; right side, bottom and left side
    /// follow.
    ///
    /// # Errors
    /// [`ShapeError::TooFewPoints`] for fewer than 2, [`ShapeError::NotFinite`], [`ShapeError::OutOfRange`]
    /// for an x that does not increase and a bottom that is not below.
    pub fn terrain(points: &[Vec2], bottom: f64) -> Result<Self, ShapeError> {
        if points.len() < 2 {
            return Err(ShapeError::TooFewPoints { count: points.len() });
        }
        if let Some(index) = points.iter().position(|p| !(p.x.is_finite() && p.y.is_finite())) {
            return Err(ShapeError::NotFinite { index });
        }
        for pair in points.windows(2) {
            if !(pair[1].x > pair[0].x) {
                let (value, low) = (pair[1].x, pair[0].x);
                return Err(ShapeError::OutOfRange {
                    what: "x of the next point",
                    value,
                    low,
                    high: f64::MAX,
                });
            }
        }
        let lowest = points.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
        if !(bottom < lowest && bottom.is_finite()) {
            let low = f64::MIN;
            return Err(ShapeError::OutOfRange { what: "bottom", value: bottom, low, high: lowest });
        }
        let (first, last) = (points[0], points[points.len() - 1]);
        let mut b = PathBuilder::new();
        b.start(first)?;
        for &p in &points[1..] {
            b.line_to(p, true)?;
        }
        b.line_to([last.x, bottom], true)?;
        b.line_to([first.x, bottom], false)?;
        b.line_to(first, false)?;
        let shape = b.finish()?;
        let exact = shape.area_properties();
        Ok(shape.with_center_of_mass(exact.centroid).with_moment_factor(exact.moment_factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// Every normal points away from the material: into it the enclosed area is near, out of it not.
    fn check_normals(shape: &PathShape, inside: impl Fn(Vec2) -> bool) {
        for edge in shape.edges() {
            let (s, e) = (edge.start_vertex(), edge.end_vertex());
            // Off the middle of the chord, which is the centre of a half circle.
            let middle = shape.vertices()[s].point() * 0.6 + shape.vertices()[e].point() * 0.4;
            let normal = edge.normal(middle).unwrap();
            let on = middle - normal * edge.line_distance(middle);
            assert!(inside(on - normal * 1e-6) && !inside(on + normal * 1e-6));
        }
    }

    #[test]
    fn capsules_and_gears_have_their_areas_and_normals() {
        let capsule = PathShape::capsule(Capsule { half_length: 1.0, radius: 0.5 }).unwrap();
        assert!((capsule.area_properties().area - (2.0 + PI / 4.0)).abs() < 1e-14);
        check_normals(&capsule, |p| (p - Vec2::new(p.x.clamp(-1.0, 1.0), 0.0)).norm() < 0.5);

        let (teeth, outer, inner, tip) = (12, 1.0, 0.8, 0.25);
        let gear = PathShape::gear(Gear { teeth, outer, inner, tip }).unwrap();
        assert_eq!(gear.edges().len(), 48);
        let step = TAU / f64::from(teeth);
        let sectors = 0.5 * tip * step * (outer * outer + inner * inner);
        let flanks = outer * inner * (step * (0.5 - tip)).sin();
        let expected = f64::from(teeth) * (sectors + flanks);
        assert!((gear.area_properties().area - expected).abs() < 1e-12);
        assert!(gear.area_properties().centroid.norm() < 1e-12);
        assert!(
            PathShape::gear(Gear { teeth: 2, outer: 1.0, inner: 0.8, tip: 0.2 }).is_err()
                && PathShape::gear(Gear { teeth: 5, outer: 1.0, inner: 1.0, tip: 0.2 }).is_err()
        );
    }

    #[test]
    fn terrain_is_solid_below_its_profile() {
        let points = [[0.0, 0.0], [1.0, 0.5], [2.0, 0.2], [4.0, 1.0]].map(Vec2::from);
        let terrain = PathShape::terrain(&points, -1.0).unwrap();
        assert_eq!(terrain.edges().len(), 6);
        assert!((terrain.area_properties().area - (1.25 + 1.35 + 3.2)).abs() < 1e-14);
        let profile = |x: f64| {
            let k = points.iter().rposition(|p| p.x <= x).unwrap().min(2);
            let (p, q) = (points[k], points[k + 1]);
            p.y + (q.y - p.y) * (x - p.x) / (q.x - p.x)
        };
        check_normals(&terrain, |p| (0.0..4.0).contains(&p.x) && p.y > -1.0 && p.y < profile(p.x));
        assert!(matches!(PathShape::terrain(&points, 0.1), Err(ShapeError::OutOfRange { .. })));
        assert!(matches!(PathShape::terrain(&points[..1], -1.0), Err(ShapeError::TooFewPoints { .. })));
        let back = [points[1], points[0]];
        assert!(matches!(PathShape::terrain(&back, -1.0), Err(ShapeError::OutOfRange { .. })));
    }
}
