//! What the rows of contact forces do not depend on.

use super::external_acceleration;
use crate::body::Body;
use crate::road::{force_row, velocity_terms};
use crate::world::World;
use crate::world::impact::ImpactRecord;
use engine2d_constraint::{ConstraintRow, Delassus, delassus};
use engine2d_geometry::Contact;
use engine2d_math::Vec2;
use engine2d_math::random::Lcg32;

fn number(lcg: &mut Lcg32) -> f64 {
    lcg.next_unit()
}

/// Blocks and discs that touch each other and a floor, with speeds and spins from a generator.
fn touching(lcg: &mut Lcg32, straight: bool, spin: f64) -> World {
    let mut builder = World::builder().body(Body::wall(20.0, 1.0).at(0.0, -0.5));
    for k in 0..3 {
        let size = 0.4 + number(lcg);
        let gap = 0.001 + 0.008 * number(lcg);
        let mut y = gap + 0.5 * size;
        for layer in 0..2 {
            let body = if straight || (k + layer) % 2 == 0 {
                Body::block(size, size)
            } else {
                Body::ball(0.5 * size)
            };
            let body = body.mass(0.5 + number(lcg)).at(3.0 * f64::from(k), y);
            builder = builder
                .body(body.velocity(0.2 * number(lcg), 0.2 * number(lcg)).spin(spin * (number(lcg) - 0.5)));
            y += size + gap;
        }
    }
    builder.build().expect("a sound scene")
}

fn contacts(world: &mut World) -> Vec<Contact> {
    let found = world.probe().find_contacts().expect("contacts");
    assert!(found.len() >= 6, "{} contacts", found.len());
    found
}

fn matrix(rows: &[ConstraintRow], world: &World) -> Vec<f64> {
    let mut out = Delassus::default();
    delassus(rows, &world.model.masses, &mut out);
    out.entries().to_vec()
}

fn assert_near(a: &[f64], b: &[f64], what: &str) {
    let scale = a.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= 1e-12 * scale, "{what}: {x} and {y}");
    }
}

#[test]
fn the_matrix_and_the_forces_are_those_of_either_lever_arm() {
    let mut lcg = Lcg32::new(7);
    for _ in 0..50 {
        let mut world = touching(&mut lcg, false, 2.0);
        let found = contacts(&mut world);
        let by_centres: Vec<_> = found.iter().map(force_row).collect();
        let by_points: Vec<_> = found
            .iter()
            .map(|c| ConstraintRow::separation([c.id.primary, c.id.normal_body], c.normal, c.r1, c.r2))
            .collect();
        assert_near(&matrix(&by_centres, &world), &matrix(&by_points, &world), "matrix");
        for (a, b) in by_centres.iter().zip(&by_points) {
            assert_near(a.jacobian.as_flattened(), b.jacobian.as_flattened(), "what a unit force exerts");
        }
    }
}

#[test]
fn the_point_of_a_straight_contact_may_move_along_its_normal() {
    let mut lcg = Lcg32::new(11);
    for round in 0..50 {
        // The matrix never depends on it; the right-hand side is compared without relative spin, which would move
        // the points in circles of different radii.
        let mut world = touching(&mut lcg, true, 0.0);
        let found = contacts(&mut world);
        let moved: Vec<Contact> = found
            .iter()
            .map(|c| {
                let shift = c.normal * (number(&mut lcg) - 0.5);
                let (point, normal_point) = (c.point + shift, c.normal_point + shift);
                Contact {
                    point,
                    normal_point,
                    r1: c.r1 + shift,
                    r2: c.r2 + shift,
                    u1: c.u1 + shift,
                    u2: c.u2 + shift,
                    ..*c
                }
            })
            .collect();
        let rows = |list: &[Contact]| list.iter().map(force_row).collect::<Vec<_>>();
        assert_near(&matrix(&rows(&found), &world), &matrix(&rows(&moved), &world), "matrix");
        let rates: Vec<f64> = (0..6 * world.state.bodies.len()).map(|_| number(&mut lcg)).collect();
        let bias = |list: &[Contact]| -> Vec<f64> {
            let bodies = &world.state.bodies;
            list.iter()
                .map(|c| external_acceleration(c, bodies, &rates) + velocity_terms(c, bodies))
                .collect()
        };
        assert_near(&bias(&found), &bias(&moved), "right-hand side");
        let impacts = |list: &[Contact]| -> Vec<ImpactRecord> {
            list.iter()
                .enumerate()
                .map(|(k, c)| ImpactRecord {
                    bodies: [c.id.primary, c.id.normal_body],
                    points: [c.point, c.normal_point],
                    normal: c.normal,
                    velocity: -0.1 * f64::from((k + round) as u32 % 4),
                    restitution: 0.5,
                    bilateral: false,
                    resting: false,
                })
                .collect()
        };
        let mut twin = world.clone();
        let first = world.probe().resolve_impacts(&impacts(&found)).expect("impulses");
        let second = twin.probe().resolve_impacts(&impacts(&moved)).expect("impulses");
        // Which focus comes first is drawn; both draw the same.
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-9);
        assert!(close(&first.impulses, &second.impulses), "{:?} and {:?}", first.impulses, second.impulses);
        assert!(close(&world.state(), &twin.state()));
        let straight = Vec2::new(0.0, 1.0);
        assert!(found.iter().all(|c| (c.normal.dot(&straight).abs() - 1.0).abs() < 1e-9));
    }
}
