//! A plank and a ball fall on a floor; everything that happens is told, and the energy at the end.
//!
//! `cargo run --release -p engine2d --example falling_plank`
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use engine2d::prelude::*;

fn main() -> Result<(), SimError> {
    let mut world = World::builder()
        .gravity(9.81)
        .damping(0.3)
        .body(Body::wall(12.0, 1.0).at(0.0, -0.5).named("floor"))
        .body(Body::block(1.0, 3.0).mass(2.0).at(0.0, 4.0).angle(0.3).named("plank"))
        .body(Body::ball(0.5).at(1.0, 8.0).restitution(0.8).named("ball"))
        .build()?;
    for _ in 0..400 {
        let report = world.advance(0.025)?;
        for event in report.events() {
            println!("{event}");
        }
    }
    println!("{world}");
    Ok(())
}
