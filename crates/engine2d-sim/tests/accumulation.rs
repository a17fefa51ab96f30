//! Series of ever shorter bounces, which end in a finite time.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::rig::{G, located, run};
use engine2d_sim::{Body, Event, World};

/// `n` bounces take `t0 (1 + 2 e + 2 e² + …)` with the time `t0 = √(2 h / g)` of the first fall: all of them
/// `t0 (1 + e) / (1 − e)`.
#[test]
fn bounces_accumulate_at_their_limit() {
    for e in [0.3, 0.5, 0.9] {
        for step in [0.25, 0.0125] {
            let mut world = World::builder()
                .gravity(G)
                .settings(located())
                .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
                .body(Body::ball(0.5).at(0.0, 1.5).velocity(0.1, 0.0).restitution(e))
                .build()
                .unwrap();
            let events = run(&mut world, step, (10.0 / step) as usize);
            let ends: Vec<&Event> =
                events.iter().filter(|e| matches!(e, Event::Accumulation { .. })).collect();
            let [end @ Event::Accumulation { since, .. }] = ends.as_slice() else {
                panic!("e = {e}: {ends:?}")
            };
            let expected = f64::sqrt(2.0 / G) * (1.0 + e) / (1.0 - e);
            assert!((end.time() - expected).abs() < 1e-9, "e = {e}: {:e}", end.time() - expected);
            assert!(*since < expected && expected - since < 0.01);
            let times: Vec<f64> = events.iter().map(Event::time).collect();
            assert!(times.is_sorted(), "e = {e}, steps of {step} s");
            assert!((world.body(1).unwrap().position().y - 0.5).abs() < 1e-10);
        }
    }
}

/// The work done on a block that lands flat is taken at both corners, and each tells of the same end.
#[test]
fn a_block_that_lands_flat_accumulates_at_both_corners() {
    let block = Body::block(1.0, 0.5).at(0.0, 1.25).restitution(0.5);
    let mut world = World::builder()
        .gravity(G)
        .settings(located())
        .body(Body::wall(10.0, 1.0).at(0.0, -0.5))
        .body(block)
        .build()
        .unwrap();
    let events = run(&mut world, 0.5, 8);
    let ends: Vec<f64> =
        events.iter().filter(|e| matches!(e, Event::Accumulation { .. })).map(Event::time).collect();
    let expected = f64::sqrt(2.0 / G) * 3.0;
    assert!(!ends.is_empty() && ends.iter().all(|t| (t - expected).abs() < 1e-9), "{ends:?}, {expected}");
}
