//! Point and ray queries of path bodies against their outlines, sampled finely.

#![expect(clippy::unwrap_used, reason = "the shapes of these tests are right by construction")]

use engine2d_geometry::{
    CollisionBody, PathShape, PathWorkspace, Pose, QueryError, Ray, path_distance, sizes,
};
use engine2d_math::random::Lcg32;
use engine2d_math::{Vec2, cross, trig};
use std::sync::Arc;

/// Largest distance of a sampled chord from its arc, of radius 2 at most.
const SAGITTA: f64 = 3e-5;

fn shapes() -> Vec<PathShape> {
    vec![
        PathShape::ball(0.7).unwrap(),
        PathShape::block(2.0, 0.6).unwrap(),
        PathShape::frame(sizes::Frame { width: 3.0, height: 2.0, thickness: 0.3 }).unwrap(),
        PathShape::pendulum(sizes::Pendulum { half_width: 0.2, length: 1.5, radius: 0.4 }).unwrap(),
        PathShape::round_block(0.8, 2.0).unwrap(),
        PathShape::round_corner_block(sizes::RoundCornerBlock { width: 2.0, height: 1.0, radius: 0.3 })
            .unwrap(),
        // A ring of half circles with a square hole, and a square with a quarter removed.
        PathShape::from_svg_path("M-2 0A2 2 0 0 1 2 0A2 2 0 0 1-2 0ZM-1-1V1H1V-1Z").unwrap(),
        PathShape::from_svg_path("M0 0H2V2H1A1 1 0 0 0 0 1Z").unwrap(),
        // More than half a circle, concave and convex.
        PathShape::from_svg_path("M0 0H3V3H2A1 1 0 1 0 0 2Z").unwrap(),
        PathShape::from_svg_path("M0 0H1A1 1 0 1 1 0 1Z").unwrap(),
    ]
}

fn body(shape: PathShape, generator: &mut Lcg32) -> CollisionBody {
    let mut body = CollisionBody::new(Arc::new(shape));
    let mut next = || 4.0 * generator.next_unit() - 2.0;
    body.pose = Pose::new(next(), next(), next());
    body
}

/// The chords of the sampled outline (world).
fn chords(body: &CollisionBody) -> Vec<(Vec2, Vec2)> {
    let outlines = body.shape.outlines(SAGITTA);
    let segments = outlines.iter().flat_map(|o| (0..o.len()).map(move |i| (o[i], o[(i + 1) % o.len()])));
    segments.map(|(p, q)| (body.to_world(p), body.to_world(q))).collect()
}

fn distance_to_chord((a, b): (Vec2, Vec2), p: Vec2) -> f64 {
    let along = b - a;
    (p - a - along * ((p - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0)).norm()
}

/// Winding parity by the sum of angles: another algorithm than crossings.
fn is_inside(chords: &[(Vec2, Vec2)], p: Vec2) -> bool {
    let turn: f64 =
        chords.iter().map(|&(a, b)| trig::atan2(cross(a - p, b - p), (a - p).dot(&(b - p)))).sum();
    (turn / std::f64::consts::TAU).round() as i64 % 2 != 0
}

#[test]
fn distances_and_containment_are_those_of_the_sampled_outline() {
    let mut generator = Lcg32::new(3);
    let (mut inside, mut outside) = (0, 0);
    for shape in shapes() {
        let body = body(shape, &mut generator);
        let chords = chords(&body);
        for _ in 0..400 {
            let mut next = || 5.0 * generator.next_unit() - 2.5;
            let point = body.to_world(Vec2::new(next(), next()));
            let near = body.distance_to_point(point).unwrap();
            let sampled = chords.iter().map(|&c| distance_to_chord(c, point)).fold(f64::INFINITY, f64::min);
            assert!((near.distance.abs() - sampled).abs() < 2.0 * SAGITTA, "{} {sampled}", near.distance);
            assert!((point - near.normal * near.distance - near.nearest).norm() < 1e-12);
            assert!((near.normal.norm() - 1.0).abs() < 1e-12);
            if sampled > 2.0 * SAGITTA {
                assert_eq!(near.distance < 0.0, is_inside(&chords, point), "{point}");
                assert_eq!(body.contains_point(point).unwrap(), near.distance < 0.0);
                if near.distance < 0.0 { inside += 1 } else { outside += 1 }
            }
            // The nearest point is on the boundary, and the normal leaves the material there.
            assert!(body.distance_to_point(near.nearest).unwrap().distance.abs() < 1e-12);
            let beyond = body.distance_to_point(near.nearest + near.normal * 1e-6).unwrap();
            assert!(beyond.distance > 0.0, "{point}: {}", beyond.distance);
        }
    }
    assert!(inside > 400 && outside > 400, "{inside} {outside}");
}

#[test]
fn the_seam_between_an_arc_and_its_chord_has_no_gap() {
    // Points on the chord of the removed quarter, and level with vertices.
    let shape = PathShape::from_svg_path("M0 0H3V3H2A1 1 0 1 0 0 2Z").unwrap();
    let chords: Vec<(Vec2, Vec2)> = chords(&CollisionBody::new(Arc::new(shape.clone())));
    let offset = shape.center_of_mass();
    for k in 1..100 {
        let t = f64::from(k) * 0.03;
        for point in [Vec2::new(t, -3.0), Vec2::new(t, -2.0), Vec2::new(t, -t), Vec2::new(2.0, -t)] {
            let near = shape.distance_to_point(point).unwrap();
            if near.distance.abs() > 2.0 * SAGITTA {
                assert_eq!(near.distance < 0.0, is_inside(&chords, point - offset), "{point}");
            }
        }
    }
}

#[test]
fn rays_hit_where_they_first_cross_the_sampled_outline() {
    let mut generator = Lcg32::new(9);
    let (mut hits, mut misses) = (0, 0);
    for shape in shapes() {
        let body = body(shape, &mut generator);
        let chords = chords(&body);
        for _ in 0..400 {
            let mut next = || 6.0 * generator.next_unit() - 3.0;
            let origin = body.to_world(Vec2::new(next(), next()));
            let (sin, cos) = trig::sin_cos(next());
            let ray = Ray { origin, direction: Vec2::new(cos, sin), reach: 4.0 };
            let hit = body.cast_ray(&ray).unwrap();
            let near = body.distance_to_point(origin).unwrap();
            if near.distance <= 0.0 {
                let hit = hit.unwrap();
                assert_eq!((hit.distance, hit.point, hit.normal), (0.0, origin, near.normal));
                continue;
            }
            let crossing = chords
                .iter()
                .filter_map(|&(a, b)| {
                    let (s, e) = (cross(ray.direction, a - origin), cross(ray.direction, b - origin));
                    let t = ((a - origin) + (b - a) * (s / (s - e))).dot(&ray.direction);
                    ((s < 0.0) != (e < 0.0) && t > 0.0).then_some(t)
                })
                .fold(f64::INFINITY, f64::min);
            match hit {
                Some(hit) => {
                    hits += 1;
                    // At a shallow angle the sagitta is stretched along the ray.
                    let closing = -hit.normal.dot(&ray.direction);
                    assert!(closing >= -1e-9, "{closing}");
                    if closing > 0.1 {
                        assert!((hit.distance - crossing).abs() < 20.0 * SAGITTA, "{hit:?} {crossing}");
                    }
                    assert!(body.distance_to_point(hit.point).unwrap().distance.abs() < 1e-12);
                }
                None => {
                    misses += 1;
                    assert!(crossing > 4.0 - 20.0 * SAGITTA, "{ray:?} {crossing}");
                }
            }
        }
    }
    assert!(hits > 500 && misses > 500, "{hits} {misses}");
}

#[test]
fn no_ray_slips_through_a_vertex() {
    for shape in shapes() {
        for vertex in shape.vertices().iter().filter(|v| v.is_end_point()) {
            for k in 0..60 {
                let (sin, cos) = trig::sin_cos(f64::from(k) * 0.1047);
                let direction = Vec2::new(cos, sin);
                let ray = Ray { origin: vertex.point() - direction * 7.3, direction, reach: 20.0 };
                let hit = shape.cast_ray(&ray).unwrap().unwrap();
                assert!(hit.distance <= 7.3 + 1e-12, "{hit:?}");
            }
        }
    }
}

#[test]
fn what_is_not_finite_is_an_error() {
    let ball = CollisionBody::new(Arc::new(PathShape::ball(1.0).unwrap()));
    let bad = Vec2::new(f64::NAN, 0.0);
    assert_eq!(ball.distance_to_point(bad), Err(QueryError::NotFinite { which: 1 }));
    let ray = Ray { origin: Vec2::zeros(), direction: bad, reach: 1.0 };
    assert_eq!(ball.cast_ray(&ray), Err(QueryError::NotFinite { which: 1 }));
    assert_eq!(ball.distance_to_point(Vec2::new(1e300, 0.0)), Err(QueryError::Range));
    // The centre of an arc has every direction: one is chosen.
    let center = ball.distance_to_point(Vec2::zeros()).unwrap();
    assert!(center.distance == -1.0 && (center.normal.norm() - 1.0).abs() < 1e-15);
}

#[test]
fn queries_allocate_nothing() {
    let bodies: Vec<CollisionBody> = shapes().into_iter().map(|s| CollisionBody::new(Arc::new(s))).collect();
    let ray = Ray { origin: Vec2::new(5.0, 4.0), direction: Vec2::new(-0.8, -0.6), reach: 9.0 };
    let counted = allocation_counter::measure(|| {
        for body in &bodies {
            assert!(body.distance_to_point(ray.origin).unwrap().distance > 0.0);
            assert!(body.cast_ray(&ray).is_ok());
        }
    });
    assert_eq!(counted.count_total, 0);
}

/// The distance of a disc is the distance of two outlines, apart and in overlap, wherever its centre is outside.
#[test]
fn a_disc_is_as_far_away_as_its_outline() {
    let mut generator = Lcg32::new(11);
    let mut workspace = PathWorkspace::default();
    let (mut apart, mut deep, mut within) = (0, 0, 0);
    for round in 0..400 {
        for shape in shapes() {
            let other = body(shape, &mut generator);
            let radius = 0.05 + 1.5 * generator.next_unit();
            let disc = body(PathShape::ball(radius).unwrap(), &mut generator);
            let center = disc.to_world(Vec2::zeros());
            let found =
                path_distance(&disc.placed(), &other.placed(), f64::INFINITY, &mut workspace).unwrap();
            let Some((gap, normal)) = other.disc_distance(center, radius) else {
                assert!(other.contains_point(center).unwrap(), "round {round}");
                within += 1;
                continue;
            };
            assert!((gap - found.gap).abs() < 1e-11, "round {round}: {gap} {}", found.gap);
            if gap > 1e-6 {
                assert!((normal - found.normal).norm() < 1e-6, "round {round}: {normal} {}", found.normal);
                apart += 1;
            } else {
                deep += 1;
            }
        }
    }
    assert!(apart > 1000 && deep > 300 && within > 300, "{apart} {deep} {within}");
}

#[test]
fn the_box_of_an_outline_holds_it_and_little_more() {
    let mut generator = Lcg32::new(12);
    for _ in 0..200 {
        for shape in shapes() {
            let body = body(shape, &mut generator);
            let (bounds, sampled) = (body.outline_bounds().inflated(1e-12), chords(&body));
            assert!(sampled.iter().all(|&(p, _)| bounds.contains_point(p)));
            let tight = sampled.iter().fold(engine2d_geometry::Bounds::EMPTY, |b, &(p, _)| {
                b.union(&engine2d_geometry::Bounds { min: p, max: p })
            });
            // The turned box of a shape is no wider than the box and the height of it together.
            let local = body.shape.bounds();
            assert!(bounds.width() <= local.width() + local.height() + 1e-9);
            let radius = body.shape.outline_circle().1;
            assert!(bounds.width() <= 2.0 * radius + 1e-9 && tight.width() <= bounds.width() + SAGITTA);
        }
    }
    let disc = CollisionBody::new(Arc::new(PathShape::ball(0.5).unwrap()));
    assert!((disc.outline_bounds().width() - 1.0).abs() < 1e-12);
}
