//! What must hold for any input: judged by the fuzz targets, and by a test on the corpus and mutations of it.

use engine2d_geometry::{
    CollisionBody, Contact, PathShape, PointDistance, Pose, QueryError, Ray, Shape, distance, mpr, sizes,
    test_pair,
};
use engine2d_math::{Vec2, trig};
use std::sync::Arc;

/// Rounding of a query, relative to the coordinates that take part.
const ROUNDING: f64 = 1e-9;

/// Reads any bytes as SVG path data: an error, or a shape whose numbers and answers are sound. Returns
/// whether it is a shape.
pub(crate) fn svg_path(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(shape) = PathShape::from_svg_path(text) else { return false };
    let area = shape.area_properties();
    assert!(area.area.is_finite() && area.area != 0.0, "{area:?}");
    assert!(is_finite(area.centroid) && area.moment_factor.is_finite(), "{area:?}");
    assert!(shape.bounds().is_finite() && shape.centroid_radius().is_finite());
    assert!(shape.vertices().iter().all(|v| is_finite(v.point())));
    let bounds = shape.bounds();
    let center = bounds.center();
    let size = bounds.width() + bounds.height();
    let outline = shape.outlines(1e-2 * size);
    assert!(outline.iter().flatten().all(|p| is_finite(*p)));
    for k in 0..8 {
        let (sin, cos) = trig::sin_cos(f64::from(k));
        let direction = Vec2::new(cos, sin);
        let point = center + direction * (size * f64::from(k) / 8.0);
        if let Ok(near) = shape.distance_to_point(point) {
            assert_nearest(&near, point, size);
        }
        if let Ok(Some(hit)) = shape.cast_ray(&Ray { origin: point, direction: -direction, reach: size }) {
            assert!((0.0..=size).contains(&hit.distance) && is_finite(hit.point) && is_unit(hit.normal));
        }
    }
    // Detection against a block: vertices are quadratic work, a few hundred show what is to be seen.
    if shape.vertices().len() < 500 {
        let mut found: Vec<Contact> = Vec::new();
        let mut other = CollisionBody::new(Arc::new(unit_block()));
        let mut body = CollisionBody::new(Arc::new(shape));
        (body.velocity, other.velocity) = (Vec2::new(1.0, -2.0), Vec2::new(0.5, 0.25));
        other.pose = Pose::new(0.4, 0.3, 0.2);
        for b in [&mut body, &mut other] {
            b.save_old_pose();
        }
        body.pose = Pose::new(0.1, 0.2, 0.3);
        test_pair(&[body, other], 0, 1, 0.0, &mut found);
        assert!(found.iter().all(|c| c.distance.is_finite() && is_unit(c.normal)), "{found:?}");
    }
    true
}

fn unit_block() -> PathShape {
    PathShape::block(1.0, 1.0).expect("a block of unit size is a shape")
}

/// Reads any bytes as two convex shapes at poses and a ray: errors, or answers that fit each other. Returns
/// whether both are shapes and their distance is known.
pub(crate) fn convex_pair(bytes: &[u8]) -> bool {
    let mut input = Input { bytes };
    let (Some(a), Some(b)) = (input.shape(), input.shape()) else { return false };
    let (pose_a, pose_b) = (input.pose(), input.pose());
    let size = |shape: &Shape, pose: &Pose| {
        pose.position().norm() + if shape.is_unbounded() { 0.0 } else { shape.reach() }
    };
    let tolerance = ROUNDING * (size(&a, &pose_a) + size(&b, &pose_b));
    let (there, back) = (distance(&a, &pose_a, &b, &pose_b), distance(&b, &pose_b, &a, &pose_a));
    for (shape, pose) in [(&a, &pose_a), (&b, &pose_b)] {
        point_and_ray(shape, pose, &mut input.clone());
    }
    if let Ok(portal) = mpr(&a, &pose_a, &b, &pose_b)
        && there.is_ok()
        && is_ordinary(tolerance)
    {
        let gap = portal.gap;
        assert!(gap.distance.is_finite() && is_unit(gap.normal), "{a} {b} {portal:?}");
    }
    let (Ok(there), Ok(back)) = (there, back) else { return false };
    assert!(there.distance.is_finite() && is_unit(there.normal), "{a} {b} {there:?}");
    // The boundary of a rounded half plane is as far out as its radius, which the answer shows.
    let is_unbounded = a.is_unbounded() || b.is_unbounded();
    let boundary = if is_unbounded { there.point_a.norm() + there.point_b.norm() } else { 0.0 };
    let tolerance = tolerance + ROUNDING * boundary;
    let apart = (there.point_a - there.point_b - there.normal * there.distance).norm();
    assert!(apart <= tolerance, "{a} at {pose_a:?}, {b} at {pose_b:?}: {there:?} {apart:e}");
    let difference = (there.distance - back.distance).abs();
    assert!(difference <= tolerance, "{a} at {pose_a:?}, {b} at {pose_b:?}: {there:?} {back:?}");
    true
}

/// Distance of a point and a ray to it.
fn point_and_ray(shape: &Shape, pose: &Pose, input: &mut Input<'_>) {
    let (point, (sin, cos)) = (input.vector(), trig::sin_cos(input.number()));
    let ray = Ray { origin: point, direction: Vec2::new(cos, sin), reach: input.number().abs() };
    let near = shape.distance_to_point(pose, point);
    if let Ok(near) = &near {
        assert_nearest(near, point, 0.0);
        let contains = shape.contains_point(pose, point).expect("the distance of the point is known");
        assert_eq!(contains, near.distance <= 0.0);
    }
    match shape.cast_ray(pose, &ray) {
        Ok(Some(hit)) => {
            assert!((0.0..=ray.reach).contains(&hit.distance), "{shape} {pose:?} {ray:?} {hit:?}");
            assert!(is_finite(hit.point) && is_unit(hit.normal), "{shape} {pose:?} {ray:?} {hit:?}");
        }
        Ok(None) => {}
        Err(QueryError::NotFinite { .. } | QueryError::Range) => {}
        Err(other) => panic!("{shape} {ray:?}: {other}"),
    }
}

fn assert_nearest(near: &PointDistance, point: Vec2, size: f64) {
    assert!(near.distance.is_finite() && is_unit(near.normal) && is_finite(near.nearest), "{near:?}");
    let error = (point - near.normal * near.distance - near.nearest).norm();
    assert!(error <= ROUNDING * (point.norm() + near.nearest.norm() + size), "{near:?} {point}: {error:e}");
}

fn is_finite(v: Vec2) -> bool {
    v.x.is_finite() && v.y.is_finite()
}

fn is_unit(v: Vec2) -> bool {
    (v.norm() - 1.0).abs() < 1e-6
}

/// Whether lengths are far enough from the ends of their range for squares of squares.
fn is_ordinary(length: f64) -> bool {
    (1e-70..1e70).contains(&length)
}

/// Bytes read as numbers; zeros when they are used up.
#[derive(Clone)]
struct Input<'a> {
    bytes: &'a [u8],
}

impl Input<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let mut taken = [0; N];
        let count = N.min(self.bytes.len());
        taken[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes = &self.bytes[count..];
        taken
    }

    /// Mostly an ordinary number, sometimes a special one or any.
    fn number(&mut self) -> f64 {
        const SPECIAL: [f64; 12] = [
            0.0,
            1.0,
            -1.0,
            0.5,
            1e-10,
            -1e-16,
            1e6,
            1e-100,
            1e100,
            std::f64::consts::PI,
            f64::INFINITY,
            f64::NAN,
        ];
        let [kind] = self.take();
        match kind {
            0xff => f64::from_le_bytes(self.take()),
            0xe0..=0xfe => SPECIAL[usize::from(kind) % SPECIAL.len()],
            0xc0..=0xdf => f64::from(i16::from_le_bytes(self.take())),
            _ => f64::from(i16::from_le_bytes(self.take())) / 8192.0,
        }
    }

    fn vector(&mut self) -> Vec2 {
        Vec2::new(self.number(), self.number())
    }

    fn pose(&mut self) -> Pose {
        let p = self.vector();
        Pose::new(p.x, p.y, self.number())
    }

    fn shape(&mut self) -> Option<Shape> {
        let [kind] = self.take();
        let plain = match kind % 6 {
            0 => Shape::circle(self.number()),
            1 => Shape::capsule(sizes::Capsule { half_length: self.number(), radius: self.number() }),
            2 => Shape::rectangle(self.number(), self.number()),
            3 => Shape::ellipse(self.number(), self.number()),
            4 => {
                let points: Vec<Vec2> = (0..3 + usize::from(kind / 6) % 8).map(|_| self.vector()).collect();
                Shape::polygon(points)
            }
            _ => Ok(Shape::half_plane()),
        };
        if kind < 128 { plain.ok() } else { plain.and_then(|s| s.rounded(self.number())).ok() }
    }
}
