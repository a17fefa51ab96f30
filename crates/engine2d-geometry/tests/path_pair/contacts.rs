//! Near places: none missed, none false, with the right ends of flush sides and the right second derivatives.

use super::shapes::{lens, moved, random_pose, shapes, signed_distance};
use engine2d_geometry::{
    ContactBand, ContactCurve, NormalMotion, PathContact, PathFeature, PathShape, PathWorkspace, PlacedPath,
    Pose, path_contacts, path_distance, sizes,
};
use engine2d_math::random::Lcg32;
use engine2d_math::{Vec2, perp};
use std::f64::consts::FRAC_PI_4;

const BAND: ContactBand = ContactBand { depth: 0.02, reach: 0.02, tilt: 0.0 };

fn contacts(a: &PlacedPath<'_>, b: &PlacedPath<'_>, band: &ContactBand) -> Vec<PathContact> {
    let mut list = Vec::new();
    path_contacts(a, b, band, &mut PathWorkspace::default(), &mut list);
    list
}

/// Two random shapes moved along their normal until their gap is about `gap`.
fn near_pair<'a>(
    first: &'a PathShape,
    second: &'a PathShape,
    gap: f64,
    generator: &mut Lcg32,
) -> Option<(PlacedPath<'a>, PlacedPath<'a>)> {
    let mut a = PlacedPath::new(first, random_pose(generator, 2.5));
    let b = PlacedPath::new(second, random_pose(generator, 1.0));
    for _ in 0..20 {
        let found = path_distance(&a, &b, f64::INFINITY, &mut PathWorkspace::default())?;
        let p = a.pose.position() + found.normal * (gap - found.gap);
        a.pose.set_position(p);
        if (found.gap - gap).abs() < 1e-9 {
            return Some((a, b));
        }
    }
    None
}

#[test]
fn the_least_gap_is_the_distance_and_every_gap_is_that_of_its_points() {
    let mut generator = Lcg32::new(21);
    let shapes = shapes();
    let mut seen = 0;
    for gap in [0.01, 1e-6, -1e-6, -0.005] {
        for first in &shapes {
            for second in &shapes {
                let Some((a, b)) = near_pair(first, second, gap, &mut generator) else { continue };
                let found = path_distance(&a, &b, 1.0, &mut PathWorkspace::default()).unwrap();
                let list = contacts(&a, &b, &BAND);
                let least = list.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
                seen += 1;
                // A depth is a largest value over points; the gap of features may be as deep by a corner only.
                let same = if gap > 0.0 { 1e-12 } else { 0.5 * gap.abs() };
                assert!((least - found.gap).abs() <= same, "{found:?} {list:#?}");
                for c in &list {
                    let along = c.normal.dot(&(c.point_a - c.point_b));
                    assert!((along - c.gap).abs() < 1e-12 && (c.normal.norm() - 1.0).abs() < 1e-12);
                    let across = perp(c.normal).dot(&(c.point_a - c.point_b));
                    assert!(across.abs() < 1e-11, "{c:?}");
                    assert!(signed_distance(&a, c.point_a).abs() < 1e-9, "{c:?}");
                    assert!(signed_distance(&b, c.point_b).abs() < 1e-9, "{c:?}");
                }
            }
        }
    }
    assert!(seen > 350, "{seen}");
}

#[test]
fn every_local_minimum_of_separated_outlines_is_listed_and_no_other_place() {
    let mut generator = Lcg32::new(22);
    for first in &shapes() {
        for second in &shapes() {
            for _ in 0..3 {
                let Some((a, b)) = near_pair(first, second, 1e-3, &mut generator) else { continue };
                for c in contacts(&a, &b, &BAND) {
                    // Small shifts of either point along its outline do not come nearer: the distance of a point
                    // of one outline near by from the other solid is at least the gap.
                    let from_b = signed_distance(&b, c.point_a);
                    assert!(from_b <= c.gap + 1e-12, "{c:?} {from_b}");
                }
            }
        }
    }
}

#[test]
fn a_common_motion_keeps_the_list_and_the_order_turns_it() {
    let mut generator = Lcg32::new(23);
    let shapes = shapes();
    let band = ContactBand { tilt: 0.1, ..BAND };
    for first in &shapes {
        for second in &shapes {
            let Some((a, b)) = near_pair(first, second, 1e-4, &mut generator) else { continue };
            let list = contacts(&a, &b, &band);
            let by = random_pose(&mut generator, 3.0);
            let there = contacts(&moved(&a, &by), &moved(&b, &by), &band);
            assert_eq!(list.len(), there.len());
            for (c, d) in list.iter().zip(&there) {
                assert_eq!(c.features, d.features);
                assert!((c.gap - d.gap).abs() < 1e-12);
                assert!((by.rotate(c.normal) - d.normal).norm() < 1e-9);
                assert!((by.transform(c.point_a) - d.point_a).norm() < 1e-9);
            }
            let mut turned: Vec<_> = contacts(&b, &a, &band).iter().map(PathContact::swapped).collect();
            turned.sort_by_key(|c| c.features);
            assert_eq!(list.len(), turned.len(), "{list:#?} {turned:#?}");
            for (c, d) in list.iter().zip(&turned) {
                assert!(c.features == d.features && (c.gap - d.gap).abs() < 1e-14, "{c:?} {d:?}");
                assert!((c.normal - d.normal).norm() < 1e-12);
            }
        }
    }
}

/// The contact points of a list, sorted by x.
fn points(list: &[PathContact]) -> Vec<Vec2> {
    let mut points: Vec<Vec2> = list.iter().map(|c| c.point_b).collect();
    points.sort_by(|p, q| p.x.total_cmp(&q.x));
    points
}

#[test]
fn sides_face_to_face_touch_at_the_ends_of_their_overlap() {
    let block = |w: f64| PathShape::block(w, 1.0).unwrap();
    let round = PathShape::round_block(1.0, 3.0).unwrap();
    let floor = PathShape::block(10.0, 1.0).unwrap();
    let quarter = std::f64::consts::FRAC_PI_2;
    // Widths, the place of the upper one, the ends of the overlap.
    let cases = [
        (block(1.0), block(1.0), Pose::new(0.0, 1.0, 0.0), [-0.5, 0.5]),
        (block(1.0), block(1.0), Pose::new(1e-13, 1.0, 0.0), [-0.5, 0.5]),
        (block(1.0), block(1.0), Pose::new(1e-9, 1.0, 0.0), [-0.5, 0.5]),
        (block(1.0), block(1.0), Pose::new(0.3, 1.0, 0.0), [-0.2, 0.5]),
        (block(3.0), block(1.0), Pose::new(0.3, 1.0, 0.0), [-0.5, 0.5]),
        (block(1.0), block(3.0), Pose::new(0.3, 1.0, 0.0), [-0.2, 0.8]),
        (round.clone(), floor.clone(), Pose::new(0.3, 1.0, quarter), [-0.7, 1.3]),
        (round, block(1.0), Pose::new(0.3, 1.0, quarter), [-0.5, 0.5]),
    ];
    for (upper, lower, pose, ends) in cases {
        for gap in [0.004, 1e-9, 1e-15, 0.0, -1e-15, -1e-9, -0.004] {
            for tilt in [0.0, 0.2] {
                let up = Vec2::new(pose.position().x, pose.position().y + gap);
                let a = PlacedPath::new(&upper, Pose::new(up.x, up.y, pose.angle()));
                let b = PlacedPath::new(&lower, Pose::IDENTITY);
                for (a, b) in [(a, b), (b, a)] {
                    let list = contacts(&a, &b, &ContactBand { tilt, ..BAND });
                    let along = points(&list);
                    assert_eq!(along.len(), 2, "{gap} {pose:?} {list:#?}");
                    assert!(
                        (along[0].x - ends[0]).abs() < 2e-9 && (along[1].x - ends[1]).abs() < 2e-9,
                        "{list:#?}"
                    );
                    for c in &list {
                        assert!((c.gap - gap).abs() < 3e-16, "{gap} {c:?}");
                        assert!((c.normal.y.abs() - 1.0).abs() < 1e-15 && c.normal.x.abs() < 1e-15, "{c:?}");
                        assert_eq!(c.normal.y > 0.0, a.pose.position().y > b.pose.position().y);
                    }
                }
            }
        }
    }
}

#[test]
fn the_raised_corner_of_a_block_that_rocks_is_listed_by_its_tilt() {
    for (shape, height) in [
        (PathShape::block(1.0, 1.0).unwrap(), 0.5),
        (
            PathShape::round_corner_block(sizes::RoundCornerBlock { width: 1.0, height: 1.0, radius: 0.2 })
                .unwrap(),
            0.5,
        ),
    ] {
        let floor = PathShape::block(10.0, 1.0).unwrap();
        let b = PlacedPath::new(&floor, Pose::new(0.0, -0.5, 0.0));
        let mut ids = Vec::new();
        for angle in [-0.01, -1e-5, 0.0, 1e-5, 0.01] {
            let a = PlacedPath::new(&shape, Pose::new(0.0, height, angle));
            let list = contacts(&a, &b, &ContactBand { tilt: 0.1, ..BAND });
            assert_eq!(list.len(), 2, "{angle} {list:#?}");
            ids.push([list[0].features, list[1].features]);
            let strict = contacts(&a, &b, &BAND);
            assert_eq!(strict.len(), if angle == 0.0 { 2 } else { 1 });
            let tilts = list.iter().map(|c| c.tilt).fold(0.0, f64::max);
            assert!((tilts - angle.abs()).abs() < 1e-9, "{list:?}");
        }
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    }
}

#[test]
fn corners_arcs_and_bowls_known_by_hand() {
    let block = PathShape::block(1.0, 1.0).unwrap();
    let ball = PathShape::ball(0.5).unwrap();
    let place = |shape, x, y, angle| PlacedPath::new(shape, Pose::new(x, y, angle));
    // A ball on a side, and at a corner.
    let list = contacts(&place(&ball, 0.2, 1.003, 0.0), &place(&block, 0.0, 0.0, 0.0), &BAND);
    assert!(list.len() == 1 && (list[0].gap - 0.003).abs() < 1e-15, "{list:?}");
    assert_eq!(list[0].normal_motion, NormalMotion::WithB);
    let list = contacts(&place(&ball, 0.8, 0.9, 0.0), &place(&block, 0.0, 0.0, 0.0), &BAND);
    assert!(list.len() == 1 && list[0].gap.abs() < 1e-15, "{list:?}");
    assert!((list[0].normal - Vec2::new(0.6, 0.8)).norm() < 1e-15);
    assert_eq!(list[0].curve_b, ContactCurve::Vertex);
    // Ball in a bowl.
    let bowl = PathShape::from_svg_path("M-2 -2H2V0H1A1 1 0 0 0 -1 0H-2Z").unwrap();
    let area = bowl.area_properties().area;
    assert!(area > 6.0, "{area}");
    let bowl_at = PlacedPath { center_of_mass: Vec2::zeros(), ..place(&bowl, 0.0, 0.0, 0.0) };
    let (a, b) = (place(&ball, 0.0, 0.0, 0.0), bowl_at);
    let shapes: Vec<f64> =
        contacts(&a, &b, &ContactBand { reach: 2.0, ..BAND }).iter().map(|c| c.gap).collect();
    assert!(!shapes.is_empty(), "{shapes:?}");
    // A corner on a corner in a point.
    let list = contacts(&place(&block, 1.0, 1.0, 0.0), &place(&block, 0.0, 0.0, 0.0), &BAND);
    assert_eq!(list.len(), 1, "{list:#?}");
    assert!((list[0].normal - Vec2::new(0.5, 0.5).normalize()).norm() < 1e-15);
    assert!(matches!(list[0].features.a, PathFeature::Vertex(_)));
    // A square on its corner beside the corner of a side: no far side is penetrated.
    let diagonal = place(&block, 0.499, 0.5 + FRAC_PI_4.sin() - 0.002, FRAC_PI_4);
    let list = contacts(&diagonal, &place(&block, 0.0, 0.0, 0.0), &BAND);
    assert!(!list.is_empty() && list.iter().all(|c| c.gap > -0.0022), "{list:#?}");
}

#[test]
fn lens_tips_meet_and_arcs_apart_do_not() {
    let lens = lens(1.0, 0.6);
    let place = |x, y, angle| PlacedPath::new(&lens, Pose::new(x, y, angle));
    // Tip on tip.
    for gap in [1e-3, 4e-3, 1e-6] {
        let list = contacts(&place(-0.8 - gap / 2.0, 0.0, 0.0), &place(0.8 + gap / 2.0, 0.0, 0.0), &BAND);
        assert!(list.len() == 1 && (list[0].gap - gap).abs() < 1e-12, "{list:?}");
        assert!(matches!(list[0].features.a, PathFeature::Vertex(_)) && list[0].normal.x < -0.999_999);
    }
    // The upper arc of one and the lower arc of the other have overlapping circles; the lenses are 4 cm apart.
    let mut generator = Lcg32::new(24);
    for _ in 0..4000 {
        let (a, b) = (place(0.0, 0.0, 0.0), PlacedPath::new(&lens, random_pose(&mut generator, 1.6)));
        let gap = path_distance(&a, &b, f64::INFINITY, &mut PathWorkspace::default()).unwrap().gap;
        let least = contacts(&a, &b, &ContactBand { depth: 0.2, ..BAND })
            .iter()
            .map(|c| c.gap)
            .fold(f64::INFINITY, f64::min);
        assert!(gap < 0.0 || least >= gap - 1e-12, "{gap} {least}");
        assert!(!(0.0..0.02).contains(&gap) || (least - gap).abs() < 1e-12, "{gap} {least}");
    }
}

#[test]
fn the_gap_has_the_derivatives_that_its_points_say() {
    let mut generator = Lcg32::new(25);
    let shapes = shapes();
    let (mut seen, mut curved) = (0, 0);
    for first in &shapes {
        for second in &shapes {
            let Some((a, b)) = near_pair(first, second, 5e-3, &mut generator) else { continue };
            let mut next = || 2.0 * generator.next_unit() - 1.0;
            let (v_a, v_b) = (Vec2::new(next(), next()), Vec2::new(next(), next()));
            let (w_a, w_b) = (next(), next());
            // Both bodies at constant twist for a short time.
            let motion = |path: &PlacedPath<'_>, v: Vec2, w: f64, t: f64| {
                let p = path.pose.position() + v * t;
                Pose::new(p.x, p.y, path.pose.angle() + w * t)
            };
            let step = 1e-4;
            let gap_at = |c: &PathContact, t: f64| {
                let a = PlacedPath { pose: motion(&a, v_a, w_a, t), ..a };
                let b = PlacedPath { pose: motion(&b, v_b, w_b, t), ..b };
                let band = ContactBand { tilt: 0.3, ..BAND };
                contacts(&a, &b, &band).iter().find(|d| d.features == c.features).map(|d| d.gap)
            };
            for c in contacts(&a, &b, &BAND) {
                let (Some(before), Some(after)) = (gap_at(&c, -step), gap_at(&c, step)) else { continue };
                let [p_a, p_b] = c.governing_points();
                let (r_a, r_b) = (p_a - a.pose.position(), p_b - b.pose.position());
                let relative = v_a + w_a * perp(r_a) - v_b - w_b * perp(r_b);
                let radius = |curve: &ContactCurve| match curve {
                    ContactCurve::Arc { radius, .. } => *radius,
                    ContactCurve::Vertex | ContactCurve::Line => 0.0,
                };
                let by_points = c.normal.dot(&(p_a - p_b)) - radius(&c.curve_a) - radius(&c.curve_b);
                assert!((by_points - c.gap).abs() < 1e-12, "{c:?}");
                let rate = c.normal.dot(&relative);
                assert!(((after - before) / (2.0 * step) - rate).abs() < 1e-4 * (1.0 + 1.0 / c.gap), "{c:?}");
                let acceleration = -w_a * w_a * r_a + w_b * w_b * r_b;
                let second = c.normal.dot(&acceleration) + c.turning(relative, [w_a, w_b]);
                let differences = (after - 2.0 * c.gap + before) / (step * step);
                assert!(
                    (differences - second).abs() < 1e-2 * (1.0 + second.abs()),
                    "{c:?} {differences} {second}"
                );
                seen += 1;
                curved += usize::from(c.normal_motion == NormalMotion::BetweenPoints);
            }
        }
    }
    assert!(seen > 80 && curved > 20, "{seen} {curved}");
}

#[test]
fn nothing_is_allocated_once_the_lists_have_grown() {
    let mut generator = Lcg32::new(26);
    let shapes = shapes();
    let poses: Vec<Pose> = (0..8).map(|_| random_pose(&mut generator, 2.0)).collect();
    let mut workspace = PathWorkspace::default();
    let mut list = Vec::new();
    let mut run = || {
        for first in &shapes {
            for second in &shapes {
                for pose in &poses {
                    let (a, b) = (PlacedPath::new(first, *pose), PlacedPath::new(second, Pose::IDENTITY));
                    list.clear();
                    path_contacts(&a, &b, &BAND, &mut workspace, &mut list);
                }
            }
        }
    };
    run();
    assert_eq!(allocation_counter::measure(run).count_total, 0);
}
