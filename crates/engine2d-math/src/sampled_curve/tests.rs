//! Sampled curves against circles, whose answers are known.

use super::*;
use crate::trig;
use std::f64::consts::{FRAC_PI_2, TAU};

fn circle() -> SampledCurve {
    let at = |t: f64| Vec2::new(3.0 * trig::cos(t), 3.0 * trig::sin(t));
    SampledCurve::new(at, -3.0 * FRAC_PI_2, FRAC_PI_2, 9000, true).unwrap()
}

#[test]
fn a_circle_has_its_length_normals_and_curvature() {
    let c = circle();
    assert!((c.length() - 3.0 * TAU).abs() < 1e-6);
    for k in 0..50 {
        let s = f64::from(k) * 0.37 + 0.1;
        let p = c.at(s);
        assert!((p.point.norm() - 3.0).abs() < 1e-9);
        // Counter-clockwise travel: the normal points inwards and turns at 1/r.
        assert!((p.normal + p.point / 3.0).norm() < 1e-5);
        assert!((p.normal_rate + p.tangent / 3.0).norm() < 1e-3);
    }
}

#[test]
fn the_local_search_follows_a_moving_point_over_the_seam() {
    let c = circle();
    let mut position = c.nearest_table_point(Vec2::new(0.1, 2.0));
    let start = position.s;
    for k in 1..=400 {
        let angle = FRAC_PI_2 + f64::from(k) * 0.02;
        position = c.nearest_local(Vec2::new(2.5 * trig::cos(angle), 2.5 * trig::sin(angle)), position);
    }
    let travelled = position.s - start;
    assert!((travelled - (3.0 * 8.0 + 0.15)).abs() < 0.3, "{travelled}");
}

#[test]
fn a_point_at_a_distance_is_found() {
    let c = circle();
    let from = c.nearest_table_point(Vec2::new(3.0, 0.0));
    let guess = c.nearest_table_point(Vec2::new(2.0, 2.0));
    let there = c.at_distance(from, guess, 1.5).unwrap();
    assert!(((c.at(there.s).point - c.at(from.s).point).norm() - 1.5).abs() < 1e-9);
}

#[test]
fn the_spline_of_few_points_is_a_circle_with_its_arc_length() {
    let at = |t: f64| Vec2::new(3.0 * trig::cos(t), 3.0 * trig::sin(t));
    let c = SampledCurve::new(at, -FRAC_PI_2, 1.5 * std::f64::consts::PI, 201, true).unwrap();
    // A lap further the length is that of a lap more.
    let lap = c.smooth(1.3 + c.length()).1 - c.smooth(1.3).1;
    assert!((lap - 3.0 * TAU).abs() < 1e-7, "{lap}");
    for k in 0..200 {
        let (s, step) = (f64::from(k) * 0.37 - 20.0, 1e-4);
        let (p, length) = c.smooth(s);
        assert!((p.point.norm() - 3.0).abs() < 1e-8, "{s}: {}", p.point.norm());
        assert!((p.normal + p.point / 3.0).norm() < 1e-6, "{s}");
        assert!((p.normal_rate + p.tangent / 3.0).norm() < 1e-3, "{s}");
        // What is told as derivatives by the arc length are its differences, across the points and the seam too.
        let ((a, before), (b, after)) = (c.smooth(s - step), c.smooth(s + step));
        let turned = (b.normal - a.normal) / (after - before);
        assert!((turned - p.normal_rate).norm() < 1e-5, "{s}");
        let along = (b.point - a.point) / (after - before);
        assert!((along - p.tangent).norm() < 1e-8 && before < length && length < after, "{s}");
    }
}

#[test]
fn the_nearest_place_of_the_spline_is_found_to_rounding() {
    let parabola = SampledCurve::new(|x| Vec2::new(x, x * x), -2.0, 2.0, 300, false).unwrap();
    for k in -15..=15 {
        let target = Vec2::new(0.13 * f64::from(k), 0.4 + 0.01 * f64::from(k));
        let place = parabola.smooth_nearest(target, parabola.nearest_table_point(target));
        let p = parabola.smooth(place.s).0;
        assert!((target - p.point).dot(&p.tangent).abs() < 1e-13, "{k}");
    }
    // Beyond an end it goes on straight.
    let end = parabola.smooth(parabola.length()).0;
    let beyond = end.point + end.tangent * 0.7 + end.normal * 0.1;
    let place = parabola.smooth_nearest(beyond, parabola.nearest_table_point(beyond));
    let (p, length) = parabola.smooth(place.s);
    assert!((beyond - p.point - p.normal * 0.1).norm() < 1e-12 && p.normal_rate.norm() == 0.0);
    assert!((length - parabola.smooth(parabola.length()).1 - 0.7).abs() < 1e-12);
}
