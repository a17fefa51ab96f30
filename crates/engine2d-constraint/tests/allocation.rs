//! Assembling and solving again allocates nothing.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_constraint::{BodyId, Mass, Mechanism, Problem, Revolute, Stage};
use engine2d_math::Pose;

fn chain(links: usize) -> Mechanism {
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -9.81]).unwrap();
    let mut before = (BodyId::GROUND, [0.0, 0.0]);
    for k in 0..links {
        let link = m.add_body(Mass::new(1.0, 0.1), Pose::new(k as f64 + 0.5, 0.0, 0.0)).unwrap();
        m.add(Revolute::new(link, [-0.5, 0.0], before.0, before.1)).unwrap();
        before = (link, [0.5, 0.0]);
    }
    m
}

#[test]
fn assembling_a_thousand_bodies_again_allocates_nothing() {
    let mut m = chain(1000);
    let mut problem = Problem::new();
    m.acceleration_problem(&mut problem).unwrap();
    assert_eq!(problem.len(), 2000);
    let q = m.coordinates();
    let info = allocation_counter::measure(|| {
        m.set_coordinates(&q).unwrap();
        m.acceleration_problem(&mut problem).unwrap();
        m.velocity_problem(0.01, &mut problem).unwrap();
    });
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[test]
fn solving_accelerations_again_allocates_nothing() {
    let mut m = chain(40);
    m.realize(Stage::Acceleration).unwrap();
    let q = m.coordinates();
    let info = allocation_counter::measure(|| {
        m.set_coordinates(&q).unwrap();
        m.realize(Stage::Acceleration).unwrap();
    });
    assert_eq!(info.count_total, 0, "{info:?}");
}
