//! Single passes with balls and other arcs: A1–A7, C2–C4, D1–D3, I1–I2, the depth limit and the ends of arcs.

use super::scene::*;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, PI};

const INFINITE: f64 = f64::INFINITY;

fn ball_at(y: f64) -> Placed {
    at(ball(0.5), 0.3, y, 0.0)
}

#[test]
fn a1_a_ball_near_the_floor() {
    let found = records(ball_at(0.504).velocity(0.0, -0.1, 0.0), floor(10.0), 0.0);
    check("A1", &found, &[(ee(0, 0, 2), 0.004)]);
    let c = &found[0];
    near("A1", "velocity", c.velocity, -0.1);
    near_vector("A1", "point", c.point, [0.3, 0.0]);
    near_vector("A1", "normal", c.normal, [0.0, 1.0]);
    near("A1", "primary radius", c.primary_radius.unwrap(), 0.504);
    near("A1", "normal radius", c.normal_radius, INFINITE);
    estimate("A1", c, -0.01);
    assert!(c.is_contact());
}

#[test]
fn a2_and_a2b_the_start_vertex_of_a_ball_at_the_contact_and_beside_it() {
    let turned =
        |angle: f64| records(at(ball(0.5), 0.3, 0.504, angle).velocity(0.0, -0.1, 0.0), floor(10.0), 0.0);
    let found = turned(FRAC_PI_2);
    check("A2", &found, &[(ve(0, 0, 2), 0.004)]);
    near("A2", "primary radius", found[0].primary_radius.unwrap(), 0.5);
    near("A2", "normal radius", found[0].normal_radius, INFINITE);
    near_vector("A2", "U1", found[0].u1, [0.0, -0.504]);
    check("A2b", &turned(FRAC_PI_2 + 0.05), &[(ee(0, 0, 2), 0.004)]);
}

#[test]
fn a3_and_a4_a_ball_in_the_floor_is_found_by_its_motion_only() {
    let ball = || ball_at(0.48).velocity(0.0, -2.0, 0.0);
    check("A3", &records(ball(), floor(10.0), 0.0), &[]);
    let found = records(ball().old(0.3, 0.53, 0.0), floor(10.0), 1.0);
    check("A4", &found, &[(ee(0, 0, 2), -0.02)]);
    near_vector("A4", "point", found[0].point, [0.3, -0.02]);
    near("A4", "primary radius", found[0].primary_radius.unwrap(), 0.5);
    estimate("A4", &found[0], 0.9875);
    assert!(found[0].is_colliding());
}

#[test]
fn a5_a_fast_ball_has_an_auxiliary_vertex_beside_its_arc() {
    let ball = ball_at(0.40).velocity(0.0, -5.0, 0.0).old(0.3, 0.53, 0.0);
    let found = records(ball, floor(10.0), 1.0);
    check("A5", &found, &[(ve(0, 2, 2), -0.054815997677), (ee(0, 0, 2), -0.1)]);
    near_vector("A5", "point", found[0].point, [0.092292493499, 0.0]);
    estimate("A5", &found[0], 0.988036800465);
    near_vector("A5", "point", found[1].point, [0.3, -0.1]);
    estimate("A5", &found[1], 0.979);
}

#[test]
fn a6_and_a7_zones_of_the_gap_of_a_fast_ball() {
    let found = records(ball_at(0.506).velocity(0.0, -3.0, 0.0), floor(10.0), 1.0);
    check("A6", &found, &[(ee(0, 0, 2), 0.006)]);
    estimate("A6", &found[0], 1.000333333333);
    assert!(!found[0].is_colliding() && !found[0].is_contact());
    assert!(found[0].is_close_enough(false) && found[0].is_close_enough(true));
    let found = records(ball_at(0.5015).velocity(0.0, -3.0, 0.0), floor(10.0), 1.0);
    check("A7", &found, &[(ee(0, 0, 2), 0.0015)]);
    assert!(found[0].is_colliding());
    assert!(!found[0].is_close_enough(false) && found[0].is_close_enough(true));
}

#[test]
fn c2_two_balls_with_their_centres_of_mass_aside() {
    let first = at(ball(0.75), -0.754, -0.2, 0.0).center_of_mass(0.0, 0.2).velocity(0.0, 0.0, 1.0);
    let second = at(ball(1.0), 0.95, 0.3, PI).center_of_mass(0.0, -0.3);
    let (found, _) = pass(first, second, 0.0, 0.0);
    check("C2", &found, &[(ee(0, 0, 0), 0.0003188281)]);
    let c = &found[0];
    near_vector("C2", "point", c.point, [-0.023536919471, -0.228529793303]);
    near_vector("C2", "normal", c.normal, [-0.973536919471, -0.228529793303]);
    near("C2", "velocity", c.velocity, -0.194707383894);
    near("C2", "primary radius", c.primary_radius.unwrap(), 0.75015941405);
    near("C2", "normal radius", c.normal_radius, 1.00015941405);
    near_vector("C2", "U1", c.u1, [0.0, -0.2]);
    near_vector("C2", "U2", c.u2, [0.0, -0.3]);
}

#[test]
fn c3_and_c4_overlapping_balls_are_found_at_rest() {
    let second = |x: f64| {
        records(at(ball(0.5), 0.0, 0.0, 0.0).velocity(1.0, 0.0, 0.0), at(ball(0.5), x, 0.0, 0.0), 0.0)
    };
    let found = second(0.97);
    check("C3", &found, &[(ee(0, 0, 0), -0.03)]);
    near_vector("C3", "point", found[0].point, [0.47, 0.0]);
    near_vector("C3", "normal", found[0].normal, [-1.0, 0.0]);
    near("C3", "primary radius", found[0].primary_radius.unwrap(), 0.5);
    near("C3", "normal radius", found[0].normal_radius, 0.5);
    assert!(found[0].is_colliding());
    check("C4", &second(0.1), &[(ee(0, 0, 0), -0.9)]);
}

fn bowl() -> Placed {
    at(concave_circle(), 0.0, -2.3228757, 0.0)
}

#[test]
fn d1_and_d2_a_ball_in_a_bowl() {
    let found = records(bowl(), at(ball(0.5), 0.0, -1.496, 0.0), 0.0);
    check("D1", &found, &[(ee(1, 0, 2), 0.004000044468)]);
    near_vector("D1", "point", found[0].point, [0.0, -2.000000044468]);
    near_vector("D1", "normal", found[0].normal, [0.0, 1.0]);
    near("D1", "primary radius", found[0].primary_radius.unwrap(), 0.502000022234);
    near("D1", "normal radius", found[0].normal_radius, -1.997999977766);
    let found = records(bowl(), at(ball(0.5), 0.3, -1.491, 0.0).velocity(0.0, -1.0, 0.0), 0.0);
    check("D2", &found, &[(ee(1, 0, 2), -0.020881608606)]);
    near_vector("D2", "normal", found[0].normal, [-0.197254012608, 0.980352413426]);
    near_vector("D2", "point", found[0].point, [0.394508025217, -1.960704871319]);
    near("D2", "primary radius", found[0].primary_radius.unwrap(), 0.5);
    near("D2", "normal radius", found[0].normal_radius, -2.0);
}

#[test]
fn d3_the_corners_of_a_block_in_a_bowl() {
    let angle = PI / 16.0;
    let (sin, cos) = angle.sin_cos();
    let found = records(bowl(), at(block(1.0, 1.0), 1.43 * sin, -1.43 * cos, angle), 0.0);
    check("D3", &found, &[(ve(1, 0, 2), 0.006284919308), (ve(1, 1, 2), 0.006284914957)]);
    near("D3", "primary radius", found[0].primary_radius.unwrap(), INFINITE);
    near("D3", "normal radius", found[0].normal_radius, -1.993715080692);
    near_vector("D3", "point", found[0].point, [-0.11386831871, -1.990460752186]);
}

#[test]
fn i1_and_i2_rounded_blocks_on_the_floor() {
    let found = records(at(rounded(0.02), 0.0, 0.504, 0.0).velocity(0.0, -0.1, 0.0), floor(10.0), 0.0);
    check("I1", &found, &[(ve(0, 0, 2), 0.004), (ve(0, 1, 2), 0.004)]);
    near("I1", "primary radius", found[0].primary_radius.unwrap(), 0.02);
    near("I1", "primary radius", found[1].primary_radius.unwrap(), 0.02);
    let (sin, cos) = 0.3f64.sin_cos();
    let found = records(at(rounded(0.2), 0.0, 0.204 + 0.3 * (sin + cos), 0.3), floor(10.0), 0.0);
    check("I2", &found, &[(ee(0, 7, 2), 0.004)]);
    near("I2", "primary radius", found[0].primary_radius.unwrap(), 0.204);
    near_vector("I2", "point", found[0].point, [-0.197944884739, 0.0]);
}

#[test]
fn the_depth_limit_of_convex_arcs_is_their_sagitta() {
    let overlap = |depth: f64| {
        let x = 0.6 + (0.4 - depth) * FRAC_1_SQRT_2;
        records(at(rounded(0.2), 0.0, 0.0, 0.0), at(rounded(0.2), x, x, 0.0), 0.0)
    };
    check("depth 0.058", &overlap(0.058), &[(ee(0, 3, 7), -0.058)]);
    check("depth 0.06", &overlap(0.06), &[]);
}

#[test]
fn beyond_the_end_of_an_arc_its_end_vertex_meets_the_ball() {
    let radius = 1.6401219466856727;
    let meet = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        let reach = radius + 0.504;
        let shape = block_round_edge();
        let center = shape.center_of_mass();
        let placed = at(shape, center.x, center.y, 0.0);
        records(placed, at(ball(0.5), 1.0 + reach * cos, -0.3 + reach * sin, 0.0), 0.0)
    };
    let found = meet(0.916);
    check("arc end 0.916", &found, &[(ee(0, 2, 0), 0.004)]);
    near("arc end 0.916", "primary radius", found[0].primary_radius.unwrap(), 1.6421219466856727);
    near("arc end 0.916", "normal radius", found[0].normal_radius, 0.502);
    let found = meet(0.9);
    check("arc end 0.9", &found, &[(ve(0, 2, 0), 0.004794893024)]);
    near("arc end 0.9", "primary radius", found[0].primary_radius.unwrap(), radius);
    near("arc end 0.9", "normal radius", found[0].normal_radius, 0.5047948930);
}
