//! The forces in a stack at rest are the weights above: found once by the complementarity solver alone, once
//! by the simulation.
//!
//! `cargo run --release -p engine2d --example stacked_weights`
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use engine2d::lcp::{Lcp, Solver};
use engine2d::prelude::*;
use engine2d::scene::catalogue::stack;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two unit blocks on each other, one force each: a = A f + b, f ≥ 0, a ≥ 0, f·a = 0. The lower block
    // is pushed up by the ground (row 0) and down by the upper one (row 1).
    let problem = Lcp::dense([[1.0, -1.0], [-1.0, 2.0]], [-9.81, 0.0])?;
    let solution = Solver::auto().solve(&problem)?;
    println!("{solution}");

    // The same in a simulation of five blocks: each contact line carries two forces, one at each corner.
    let mut world: World = stack(5).to_world()?;
    for _ in 0..40 {
        world.advance(0.025)?;
    }
    let mut by_height: Vec<(f64, f64)> =
        world.contact_forces().iter().map(|contact| (contact.point.y, contact.force)).collect();
    by_height.sort_by(|a, b| a.0.total_cmp(&b.0));
    for pair in by_height.chunks(2) {
        let sum: f64 = pair.iter().map(|(_, force)| force).sum();
        println!("at height {:.3}: {:.9} = {:.6} weights", pair[0].0, sum, sum / 9.81);
    }
    Ok(())
}
