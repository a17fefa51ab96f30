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
