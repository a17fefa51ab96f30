//! Assembling and solving again allocates nothing.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "table/chain.rs"]
mod chain;

use chain::chain;
use engine2d_constraint::{Problem, Stage};

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
    // Nor does an integrator that asks for rates of change.
    let state = m.state();
    let mut rates = vec![0.0; state.len()];
    let info = allocation_counter::measure(|| m.rates(&state, &mut rates).unwrap());
    assert!(rates[..120].iter().all(|v| *v == 0.0) && rates[121] < 0.0);
    assert!(m.rates(&state[1..], &mut rates).is_err() && m.rates(&state, &mut rates[1..]).is_err());
    assert_eq!(info.count_total, 0, "{info:?}");
}
