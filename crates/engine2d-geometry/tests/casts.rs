//! Casts of path bodies, against closed forms and against outlines that are followed point by point.

#![expect(clippy::unwrap_used, reason = "the shapes of these tests are right by construction")]

use engine2d_geometry::{PathShape, PathWorkspace, PlacedPath, Pose, path_cast, path_distance, sizes};
use engine2d_math::{Vec2, random::Lcg32, trig};

/// What is pushed nearly along a side meets it where the angle says, however small it is.
#[test]
fn a_grazing_way_ends_where_its_angle_says() {
    let (ball, floor) = (PathShape::ball(0.5).unwrap(), PathShape::block(1000.0, 1.0).unwrap());
    let block = PathShape::block(1.0, 1.0).unwrap();
    let floor = PlacedPath::new(&floor, Pose::IDENTITY);
    let mut workspace = PathWorkspace::default();
    for shape in [&ball, &block] {
        for angle in [1.0, 0.1, 1e-2, 1e-3, 3e-4] {
            for height in [0.01, 0.1] {
                let (sin, cos) = trig::sin_cos(angle);
                let pushed = PlacedPath::new(shape, Pose::new(-300.0, 1.0 + height, 0.0));
                let way = Vec2::new(cos, -sin) * 500.0;
                let (distance, place) = path_cast(&pushed, way, &floor, &mut workspace)
                    .unwrap()
                    .unwrap_or_else(|| panic!("nothing met at {angle} from {height}"));
                let expected = height / sin;
                assert!((distance - expected).abs() < 1e-9, "{angle} {height}: {distance} {expected}");
                assert!(place.gap.abs() < 1e-9 && (place.normal.y - 1.0).abs() < 1e-9, "{place:?}");
            }
        }
    }
}

fn shapes() -> Vec<PathShape> {
    vec![
        PathShape::ball(0.45).unwrap(),
        PathShape::block(0.7, 1.1).unwrap(),
        PathShape::round_block(0.4, 1.2).unwrap(),
        PathShape::gear(sizes::Gear { teeth: 7, outer: 0.8, inner: 0.6, tip: 0.3 }).unwrap(),
        PathShape::frame(sizes::Frame { width: 1.5, height: 1.5, thickness: 0.2 }).unwrap(),
        PathShape::from_svg_path("M-1 0 A1 1 0 0 0 1 0 H0.8 A0.8 0.8 0 0 1 -0.8 0 Z").unwrap(),
        PathShape::from_svg_path("M0 0 L1 0 L0.2 0.1 L0.1 1 Z").unwrap(),
    ]
}

/// Where a cast ends the outlines touch, before it they are apart.
#[test]
fn casts_end_at_the_first_touch() {
    const LOOKS: u32 = 400;
    let shapes = shapes();
    let mut generator = Lcg32::new(5);
    let mut workspace = PathWorkspace::default();
    let (mut hits, mut misses) = (0, 0);
    for round in 0..1500 {
        let mut draw = |low: f64, high: f64| low + (high - low) * generator.next_unit();
        let pick = |u: f64| &shapes[(u * shapes.len() as f64) as usize % shapes.len()];
        let (a, b) = (pick(draw(0.0, 1.0)), pick(draw(0.0, 1.0)));
        let start = Pose::new(draw(-3.0, 3.0), draw(-3.0, 3.0), draw(-4.0, 4.0));
        let other = PlacedPath::new(b, Pose::new(draw(-0.5, 0.5), draw(-0.5, 0.5), draw(-4.0, 4.0)));
        let (sin, cos) = trig::sin_cos(draw(-4.0, 4.0));
        let (direction, length) = (Vec2::new(cos, sin), draw(0.0, 6.0));
        let met = path_cast(&PlacedPath::new(a, start), direction * length, &other, &mut workspace).unwrap();
        let mut gap = |along: f64| {
            let at = start.position() + direction * along;
            let placed = PlacedPath::new(a, Pose::new(at.x, at.y, start.angle()));
            path_distance(&placed, &other, f64::INFINITY, &mut workspace).unwrap().gap
        };
        let free = met.map_or(length, |met| met.0);
        for look in 0..LOOKS {
            let along = free * f64::from(look) / f64::from(LOOKS);
            assert!(free == 0.0 || gap(along) > -1e-12, "round {round}: {} at {along} of {free}", gap(along));
        }
        match met {
            Some((distance, place)) => {
                hits += 1;
                assert!(distance == 0.0 || gap(distance).abs() < 2e-9, "round {round}: {}", gap(distance));
                assert!(place.gap < 2e-9, "round {round}: {place:?}");
            }
            None => misses += 1,
        }
    }
    assert!(hits > 300 && misses > 300, "{hits} {misses}");
}
