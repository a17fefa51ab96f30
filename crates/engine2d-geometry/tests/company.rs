//! Many path bodies, conversions, motion: each answer against one found by other means.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_geometry::{
    Approach, Company, Motion, PathImpact, PathShape, PathWorkspace, PlacedPath, Pose, QueryError, Ray,
    Shape, ShapeError, Vec2, path_cast, path_distance, path_time_of_impact, sizes, time_of_impact,
};
use engine2d_math::random::Lcg32;
use std::sync::Arc;

fn shapes() -> Vec<Arc<PathShape>> {
    [
        PathShape::ball(0.4),
        PathShape::block(1.0, 0.5),
        PathShape::gear(sizes::Gear { teeth: 7, outer: 0.6, inner: 0.4, tip: 0.25 }),
        PathShape::frame(sizes::Frame { width: 1.2, height: 1.0, thickness: 0.1 }),
        PathShape::capsule(sizes::Capsule { half_length: 0.4, radius: 0.2 }),
        PathShape::from_svg_path("M-1 0 A1 1 0 0 0 1 0 H.8 A.8 .8 0 0 1 -.8 0 Z"),
    ]
    .into_iter()
    .map(|shape| Arc::new(shape.unwrap()))
    .collect()
}

fn within(generator: &mut Lcg32, low: f64, high: f64) -> f64 {
    low + (high - low) * generator.next_unit()
}

#[test]
fn a_company_answers_as_looking_at_everybody_does() {
    let (shapes, mut generator) = (shapes(), Lcg32::new(4));
    let mut company = Company::new(0.3);
    let mut bodies: Vec<(u32, Arc<PathShape>, Pose)> = Vec::new();
    let mut total = 0;
    for round in 0..20 {
        for k in 0..12 {
            let shape = shapes[(round + k) % shapes.len()].clone();
            let pose = Pose::new(
                within(&mut generator, -6.0, 6.0),
                within(&mut generator, -6.0, 6.0),
                within(&mut generator, -3.0, 3.0),
            );
            if k < 4 && bodies.len() > 30 {
                let (id, ..) = bodies.swap_remove(k);
                company.remove(id).unwrap();
                assert!(company.placed(id).is_none() && company.set_pose(id, pose).is_err());
            } else if k < 6 && bodies.len() > 20 {
                company.set_pose(bodies[k].0, pose).unwrap();
                bodies[k].2 = pose;
            } else {
                bodies.push((company.insert(shape.clone(), pose).unwrap(), shape, pose));
            }
        }
        assert_eq!(company.len(), bodies.len());
        let mut workspace = PathWorkspace::default();
        bodies.sort_by_key(|(id, ..)| *id);
        let placed: Vec<_> =
            bodies.iter().map(|(id, shape, pose)| (*id, PlacedPath::new(shape, *pose))).collect();
        let mut expected = Vec::new();
        for (k, (a, first)) in placed.iter().enumerate() {
            for (b, second) in &placed[k + 1..] {
                expected.extend(path_distance(first, second, 0.3, &mut workspace).map(|d| (*a, *b, d.gap)));
            }
        }
        let found: Vec<_> = company.pairs().iter().map(|p| (p.a, p.b, p.distance.gap)).collect();
        assert_eq!(found, expected);
        total += found.len();
        let point = Vec2::new(within(&mut generator, -7.0, 7.0), within(&mut generator, -7.0, 7.0));
        let mut gaps: Vec<f64> = placed
            .iter()
            .map(|(_, p)| {
                let local = p.center_of_mass + p.pose.rotate_inverse(point - p.pose.position());
                p.shape.distance_to_point(local).unwrap().distance
            })
            .collect();
        gaps.sort_by(f64::total_cmp);
        for count in [0, 1, 4, 1000] {
            let near = company.nearest(point, count).unwrap();
            let found: Vec<f64> = near.iter().map(|near| near.distance.distance).collect();
            assert_eq!(found, gaps[..count.min(gaps.len())]);
        }
        let way = Vec2::new(within(&mut generator, -9.0, 9.0), within(&mut generator, -9.0, 9.0));
        let ball = PathShape::ball(0.2).unwrap();
        let start = Pose::new(point.x, point.y, 0.0);
        let cast = company.cast(&ball, start, way).unwrap();
        let each = placed
            .iter()
            .filter_map(|(_, p)| path_cast(&PlacedPath::new(&ball, start), way, p, &mut workspace).unwrap());
        assert_eq!(cast.map(|hit| hit.distance), each.map(|met| met.0).min_by(f64::total_cmp));
        // A ray is a cast of next to nothing.
        let dot = PathShape::ball(1e-7).unwrap();
        let ray = company.ray(&Ray::new(point, way, way.norm()).unwrap()).unwrap();
        let cast = company.cast(&dot, start, way).unwrap();
        if let (Some(ray), Some(cast)) = (ray, cast) {
            assert!((ray.distance - cast.distance).abs() < 1e-3, "{} {}", ray.distance, cast.distance);
        }
    }
    assert!(total > 100, "{total} pairs");
}

#[test]
fn degenerate_rays_and_ways_are_refused() {
    let ball = PathShape::ball(1.0).unwrap();
    for (ray, expected) in [
        (
            Ray { origin: Vec2::zeros(), direction: Vec2::zeros(), reach: 1.0 },
            QueryError::Direction { length: 0.0 },
        ),
        (
            Ray { origin: Vec2::zeros(), direction: Vec2::new(0.0, 2.0), reach: 1.0 },
            QueryError::Direction { length: 2.0 },
        ),
        (
            Ray { origin: Vec2::zeros(), direction: Vec2::new(0.0, 1.0), reach: -1.0 },
            QueryError::Reach { reach: -1.0 },
        ),
    ] {
        assert_eq!(ball.cast_ray(&ray), Err(expected.clone()));
        assert_eq!(Shape::circle(1.0).unwrap().cast_ray(&Pose::IDENTITY, &ray), Err(expected.clone()));
        assert_eq!(Company::new(0.0).ray(&ray), Err(expected));
    }
    let not_finite: Result<Ray, _> = Err(QueryError::NotFinite { which: 1 });
    assert_eq!(Ray::new([0.0, 0.0], [f64::NAN, 0.0], 1.0), not_finite);
    assert_eq!(Ray::new([0.0, 0.0], [f64::INFINITY, 0.0], 1.0), not_finite);
    assert!(Ray::new([0.0, 0.0], [1e-200, 1e-200], f64::INFINITY).is_ok());
    assert_eq!(Ray::new([0.0, 0.0], [1.0, 0.0], f64::NAN), not_finite);
    let placed = PlacedPath::new(&ball, Pose::IDENTITY);
    let cast = path_cast(&placed, [f64::INFINITY, 0.0], &placed, &mut PathWorkspace::default());
    assert_eq!(cast, Err(QueryError::NotFinite { which: 0 }));
}

#[test]
fn the_time_of_impact_is_the_first() {
    let (shapes, mut generator) = (shapes(), Lcg32::new(11));
    let mut workspace = PathWorkspace::default();
    let (mut met, within_one) = (0, Approach { tolerance: 1e-6, ..Approach::default() });
    for k in 0..200 {
        let (a, b) = (&shapes[k % shapes.len()], &shapes[k / 7 % shapes.len()]);
        let mut motion = |x: f64| Motion {
            start: Pose::new(x, within(&mut generator, -1.0, 1.0), within(&mut generator, -3.0, 3.0)),
            velocity: Vec2::new(-x * within(&mut generator, 0.2, 1.5), within(&mut generator, -1.0, 1.0)),
            angular_velocity: within(&mut generator, -5.0, 5.0),
        };
        let (here, there) = (motion(-2.5), motion(2.5));
        let found = path_time_of_impact((a, &here), (b, &there), &within_one, &mut workspace).unwrap();
        let mut gap = |t: f64| {
            let (p, q) = (PlacedPath::new(a, here.at(t)), PlacedPath::new(b, there.at(t)));
            path_distance(&p, &q, f64::INFINITY, &mut workspace).unwrap().gap
        };
        let end = match found {
            PathImpact::At { time, place } => {
                met += 1;
                assert!((0.0..=1e-6).contains(&place.gap), "{}", place.gap);
                time
            }
            PathImpact::Clear => 1.0,
            PathImpact::Unfinished { time } => panic!("{k}: undecided at {time}"),
        };
        assert!((0..500).all(|i| gap(end * f64::from(i) / 500.0) > 0.0), "{k}");
    }
    assert!(met > 50, "{met} meet");
    // Convex bodies as convex shapes.
    let (block, ball) = (Shape::rectangle(0.5, 0.25).unwrap(), Shape::circle(0.4).unwrap());
    let at = |x, vx, w| Motion {
        start: Pose::new(x, 0.1, 0.3),
        velocity: Vec2::new(vx, 0.0),
        angular_velocity: w,
    };
    let (one, two) = (at(-2.0, 3.0, 2.0), at(2.0, -1.0, 0.0));
    let by_path =
        path_time_of_impact((&shapes[1], &one), (&shapes[0], &two), &Approach::default(), &mut workspace);
    let by_convex = time_of_impact((&block, &one), (&ball, &two), &Approach::default(), &mut Vec::new());
    let (PathImpact::At { time, .. }, engine2d_geometry::Impact::At { time: other, .. }) =
        (by_path.unwrap(), by_convex.unwrap())
    else {
        panic!("both meet")
    };
    assert!((time - other).abs() < 1e-8, "{time} {other}");
}

#[test]
fn convex_shapes_and_path_bodies_stand_for_each_other() {
    let rounded =
        Shape::polygon([[0.0, 0.0], [2.0, 0.3], [1.5, 1.4], [0.2, 1.0]]).unwrap().rounded(0.25).unwrap();
    let convex = [
        Shape::circle(0.7).unwrap(),
        Shape::capsule(sizes::Capsule { half_length: 0.5, radius: 0.2 }).unwrap(),
        Shape::rectangle(1.0, 0.2).unwrap(),
        Shape::capsule(sizes::Capsule { half_length: 0.5, radius: 0.2 }).unwrap().rounded(0.1).unwrap(),
        rounded,
    ];
    for shape in &convex {
        let path = shape.to_path(1e-3).unwrap();
        let back = path.to_convex().unwrap();
        for k in 0..100 {
            let (sin, cos) = (0.1 * f64::from(k)).sin_cos();
            let n = Vec2::new(cos, sin);
            assert!((path.support(n) - shape.support(n).dot(&n)).abs() < 1e-12, "{shape}");
            assert!((back.support(n).dot(&n) - shape.support(n).dot(&n)).abs() < 1e-12, "{shape}");
        }
    }
    let path = |shape: Result<PathShape, ShapeError>| shape.unwrap().to_convex();
    assert!(path(PathShape::round_block(0.4, 2.0)).is_ok(), "a capsule along y");
    assert!(
        path(PathShape::round_corner_block(sizes::RoundCornerBlock { width: 2.0, height: 1.0, radius: 0.3 }))
            .is_ok()
    );
    for other in [
        PathShape::frame(sizes::Frame { width: 2.0, height: 1.0, thickness: 0.1 }),
        PathShape::pendulum(sizes::Pendulum { half_width: 0.1, length: 2.0, radius: 0.3 }),
        PathShape::polygon(&[[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]].map(Vec2::from)),
        PathShape::from_svg_path("M0 0H1A1 1 0 0 0 0 1Z"),
        PathShape::ellipse([2.0, 1.0], 1e-3),
    ] {
        assert!(matches!(path(other), Err(ShapeError::NotConvertible { .. })));
    }
    assert!(matches!(Shape::half_plane().to_path(1e-3), Err(ShapeError::NotConvertible { .. })));
    let off = path(PathShape::from_svg_path("M2 0A1 1 0 0 0 4 0A1 1 0 0 0 2 0Z")).unwrap();
    assert!((off.center() - Vec2::new(3.0, 0.0)).norm() < 1e-12, "a disc beside the origin");
}
