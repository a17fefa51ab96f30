//! Smallest circle that contains a set of points.

use engine2d_math::random::Lcg32;
use engine2d_math::{Vec2, cross};
use std::borrow::Cow;

/// Containment slack relative to the radius: absorbs the rounding of a circle through three points.
const RELATIVE_SLACK: f64 = 1e-13;

/// Number of points that are not worth scattering.
const SMALL_SET: usize = 1000;

/// Centre and radius of the smallest enclosing circle of `points`; the origin and 0 for none.
///
/// Incremental construction \[Welzl 1991, "Smallest enclosing disks"\]. Large sets are taken in a scattered
/// order, always the same, which keeps the time proportional to their size; small ones as they come.
pub(crate) fn enclosing_circle(points: &[Vec2]) -> (Vec2, f64) {
    let points = &*scattered(points);
    let Some(&first) = points.first() else { return (Vec2::zeros(), 0.0) };
    let mut circle = (first, 0.0);
    for (i, &p) in points.iter().enumerate() {
        if contains(circle, p) {
            continue;
        }
        circle = (p, 0.0);
        for (j, &q) in points[..i].iter().enumerate() {
            if contains(circle, q) {
                continue;
            }
            circle = through_two(p, q);
            for &r in &points[..j] {
                if !contains(circle, r) {
                    circle = through_three(p, q, r);
                }
            }
        }
    }
    circle
}

/// The points in random order if they are many \[Fisher, Yates 1938\].
fn scattered(points: &[Vec2]) -> Cow<'_, [Vec2]> {
    if points.len() <= SMALL_SET {
        return Cow::Borrowed(points);
    }
    let mut points = points.to_vec();
    let mut generator = Lcg32::new(1);
    for i in (1..points.len()).rev() {
        let other = ((i + 1) as f64 * generator.next_unit()) as usize;
        points.swap(i, other.min(i));
    }
    Cow::Owned(points)
}

fn contains((center, radius): (Vec2, f64), p: Vec2) -> bool {
    (p - center).norm() <= radius * (1.0 + RELATIVE_SLACK)
}

fn through_two(p: Vec2, q: Vec2) -> (Vec2, f64) {
    let center = (p + q) * 0.5;
    (center, (p - center).norm().max((q - center).norm()))
}

fn through_three(p: Vec2, q: Vec2, r: Vec2) -> (Vec2, f64) {
    let (a, b) = (q - p, r - p);
    let d = 2.0 * cross(a, b);
    if d == 0.0 {
        // Collinear: the farthest pair spans the circle.
        let pairs = [through_two(p, q), through_two(p, r), through_two(q, r)];
        return pairs.into_iter().fold(pairs[0], |best, c| if c.1 > best.1 { c } else { best });
    }
    let (aa, bb) = (a.norm_squared(), b.norm_squared());
    let offset = Vec2::new((b.y * aa - a.y * bb) / d, (a.x * bb - b.x * aa) / d);
    let center = p + offset;
    let radius = offset.norm().max((q - center).norm()).max((r - center).norm());
    (center, radius)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circle_of_a_triangle_and_of_collinear_points() {
        let (c, r) = enclosing_circle(&[Vec2::new(0.0, 0.0), Vec2::new(4.0, 0.0), Vec2::new(2.0, 0.5)]);
        assert!((c - Vec2::new(2.0, 0.0)).norm() < 1e-15 && (r - 2.0).abs() < 1e-15);
        let (c, r) = enclosing_circle(&[Vec2::new(1.0, 1.0), Vec2::new(3.0, 3.0), Vec2::new(2.0, 2.0)]);
        assert!((c - Vec2::new(2.0, 2.0)).norm() < 1e-15 && (r - 2f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn every_point_is_inside_and_two_are_on_the_rim() {
        for count in [40, 200_000] {
            let points: Vec<Vec2> = (0..count)
                .map(|i| {
                    let t = f64::from(i) * 1.7;
                    Vec2::new(3.0 * (t * 1.3).sin(), t.cos() * (0.4 * t).sin())
                })
                .collect();
            let (c, r) = enclosing_circle(&points);
            let rim = points.iter().filter(|p| ((*p - c).norm() - r).abs() < 1e-12).count();
            assert!(rim >= 2);
            assert!(points.iter().all(|p| (p - c).norm() <= r + 1e-12));
        }
    }
}
