//! Single passes with corners: B1–B3, E1–E4, F1–F4, H1–H2, and blocks that pass through thin or fast.

use super::scene::*;
use engine2d_geometry::{PathShape, Side, sizes};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

const INFINITE: f64 = f64::INFINITY;

#[test]
fn b1_and_b2_both_lower_corners_of_a_block() {
    let found = records(at(block(1.0, 1.0), 0.3, 0.505, 0.0).velocity(0.0, -0.1, 0.0), floor(10.0), 0.0);
    check("B1", &found, &[(ve(0, 0, 2), 0.005), (ve(0, 1, 2), 0.005)]);
    near_vector("B1", "point", found[0].point, [-0.2, 0.0]);
    near_vector("B1", "point", found[1].point, [0.8, 0.0]);
    let falling = at(block(1.0, 1.0), 0.3, 0.49, 0.0).velocity(0.0, -1.0, 0.0).old(0.3, 0.515, 0.0);
    let found = records(falling, floor(10.0), 1.0);
    check("B2", &found, &[(ve(0, 0, 2), -0.01), (ve(0, 1, 2), -0.01)]);
    found.iter().for_each(|c| estimate("B2", c, 0.985));
}

#[test]
fn b3_a_turning_block_falls_on_one_corner() {
    let tumbling = at(block(1.0, 1.0), 0.3, 0.6, 0.3).velocity(0.5, -3.0, 1.0).old(0.28, 0.7, 0.27);
    let found = records(tumbling, floor(10.0), 1.0);
    check("B3", &found, &[(ve(0, 0, 2), -0.025428347893)]);
    near_vector("B3", "point", found[0].point, [-0.038819504689, 0.0]);
    near("B3", "velocity", found[0].velocity, -3.338819504689);
    estimate("B3", &found[0], 0.990886495107);
}

/// Two diamonds corner to corner, `gap` apart; the first comes from `old` apart.
fn diamonds(gap: f64, speed: f64, old: Option<f64>) -> [Placed; 2] {
    let diamond = |angle: f64| PathShape::diamond(sizes::Diamond { width: 1.0, height: 1.0, angle }).unwrap();
    let mut first = at(diamond(FRAC_PI_4), -FRAC_1_SQRT_2 - gap, 0.0, 0.0).velocity(speed, 0.0, 0.0);
    if let Some(old) = old {
        first = first.old(-FRAC_1_SQRT_2 - old, 0.0, 0.0);
    }
    [first, at(diamond(-FRAC_PI_4), FRAC_1_SQRT_2, 0.0, 0.0)]
}

#[test]
fn e1_and_e3_corner_against_corner() {
    let [first, second] = diamonds(0.0025, 0.1, None);
    let found = records(first, second, 0.0);
    check("E1", &found, &[(cc(1, 0, 1), 0.0025)]);
    near_vector("E1", "normal", found[0].normal, [1.0, 0.0]);
    near_vector("E1", "point", found[0].point, [-0.0025, 0.0]);
    near("E1", "normal radius", found[0].normal_radius, 0.0025);
    near("E1", "velocity", found[0].velocity, -0.1);
    let [first, second] = diamonds(0.0065, 0.1, None);
    check("E3", &records(first, second, 0.0), &[]);
}

#[test]
fn e4_corners_that_ran_into_each_other() {
    let [first, second] = diamonds(-0.01, 3.0, Some(0.02));
    let found = records(first, second, 1.0);
    check("E4", &found, &[(ve(1, 0, 0), -0.007071067812), (ve(0, 1, 0), -0.007071067812)]);
    near_vector("E4", "point", found[0].point, [0.01, 0.0]);
    near_vector("E4", "normal", found[0].normal, [FRAC_1_SQRT_2, -FRAC_1_SQRT_2]);
    near_vector("E4", "point", found[1].point, [0.0, 0.0]);
    near_vector("E4", "normal", found[1].normal, [-FRAC_1_SQRT_2, -FRAC_1_SQRT_2]);
    found.iter().for_each(|c| estimate("E4", c, 0.994309644063));
}

#[test]
fn f1_and_f2_a_corner_on_a_ball() {
    let corner = |gap: f64| at(block(1.0, 1.0), 0.0, 0.5 + FRAC_1_SQRT_2 + gap, FRAC_PI_4);
    let still = || at(ball(0.5), 0.0, 0.0, 0.0);
    let found = records(corner(0.004).velocity(0.0, -0.2, 0.0), still(), 0.0);
    check("F1", &found, &[(ve(0, 0, 0), 0.004)]);
    near_vector("F1", "point", found[0].point, [0.0, 0.504]);
    near("F1", "normal radius", found[0].normal_radius, 0.504);
    near_vector("F1", "U2", found[0].u2, [0.0, 0.0]);
    let falling = corner(-0.02).velocity(0.0, -2.0, 0.0).old(0.0, 0.5 + FRAC_1_SQRT_2 + 0.03, FRAC_PI_4);
    let found = records(falling, still(), 1.0);
    check("F2", &found, &[(ve(0, 0, 0), -0.02)]);
    near_vector("F2", "point", found[0].point, [0.0, 0.5]);
    near("F2", "normal radius", found[0].normal_radius, 0.5);
}

#[test]
fn f3_a_corner_that_crossed_an_arc_twice() {
    let y = 0.48 + FRAC_1_SQRT_2;
    let passing = at(block(1.0, 1.0), 0.3, y, FRAC_PI_4).velocity(20.0, 0.0, 0.0).old(-0.3, y, FRAC_PI_4);
    let found = records(passing, at(ball(0.5), 0.0, 0.0, 0.0), 1.0);
    check("F3", &found, &[(ve(1, 8, 0), -0.172359612642), (ve(0, 0, 0), 0.066038867923)]);
    near("F3", "velocity", found[0].velocity, -14.142135623731);
    near_vector("F3", "point", found[1].point, [-0.14, 0.48]);
    assert!(!found[1].is_colliding());
}

#[test]
fn f4_a_corner_that_leaves_a_block() {
    let x = 1.0 + FRAC_1_SQRT_2;
    let diamond = at(
        PathShape::diamond(sizes::Diamond { width: 1.0, height: 1.0, angle: FRAC_PI_4 }).unwrap(),
        x + 0.03,
        0.1,
        0.0,
    );
    let leaving = diamond.velocity(2.0, 0.0, 0.0).old(x - 0.02, 0.1, 0.0);
    let found = records(at(block(2.0, 2.0), 0.0, 0.0, 0.0), leaving, 0.0);
    check("F4", &found, &[(ve(1, 3, 1), 0.03)]);
    near("F4", "velocity", found[0].velocity, 2.0);
    near_vector("F4", "point", found[0].point, [1.0, 0.1]);
    near_vector("F4", "normal", found[0].normal, [1.0, 0.0]);
}

#[test]
fn h1_and_h2_blocks_on_blocks() {
    let high = |x: f64| at(block(1.0, 1.0), x, 1.005, 0.0);
    let found = records(at(block(2.0, 1.0), 0.0, 0.0, 0.0), high(0.2), 0.0);
    check("H1", &found, &[(ve(1, 0, 2), 0.005), (ve(1, 1, 2), 0.005)]);
    let found = records(at(block(1.0, 1.0), 0.0, 0.0, 0.0), high(0.0), 0.0);
    check("H2", &found, &[(ve(1, 0, 2), 0.005), (cc(1, 1, 2), 0.005)]);
    near_vector("H2", "point", found[1].point, [0.5, 0.5]);
    near("H2", "normal radius", found[1].normal_radius, 0.005);
    near("H2", "normal radius", found[0].normal_radius, INFINITE);
}

#[test]
fn a_fast_block_does_not_pass_a_thin_wall() {
    let falling = at(block(1.0, 1.0), 0.3, -2.0, 0.0).velocity(0.0, -200.0, 0.0).old(0.3, 3.0, 0.0);
    let wall = at(PathShape::wall(12.02, 0.01, Side::Top).unwrap(), 0.0, -0.005, 0.0).fixed();
    let found = records(falling, wall, 1.0);
    check("thin wall", &found, &[(ve(0, 0, 2), -2.5), (ve(0, 1, 2), -2.5)]);
    found.iter().for_each(|c| estimate("thin wall", c, 0.987475));
}

#[test]
fn a_fast_block_does_not_pass_another() {
    let fast = at(block(1.0, 1.0), 8.0, 0.0, FRAC_PI_4).velocity(100.0, 0.0, 0.0).old(-2.0, 0.0, FRAC_PI_4);
    let (found, _) = pass(fast, at(block(1.0, 1.3), 5.0, 0.0, 0.0), 0.4, 0.1);
    check(
        "fast block",
        &found,
        &[
            (ve(1, 0, 0), -2.515254326382),
            (ve(1, 3, 1), -2.515254326382),
            (ve(0, 1, 3), -4.207106781187),
            (ve(0, 3, 3), -2.792893218813),
        ],
    );
}
