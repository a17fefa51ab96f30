//! A world that is edited while it runs: bodies come and go, one is put elsewhere, a state is tried and taken back.
//!
//! `cargo run --release -p engine2d-sim --example editing`
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use engine2d_sim::{Body, BodyId, Preset, SimError, World};

fn main() -> Result<(), SimError> {
    let mut world = World::builder()
        .settings(Preset::Classroom.settings())
        .gravity(9.81)
        .body(Body::block(12.0, 1.0).fixed().at(0.0, -0.5).friction(0.5).named("floor"))
        .build()?;
    let mut blocks: Vec<BodyId> = Vec::new();
    for k in 0..6 {
        let block = Body::block(1.0, 0.5).at(0.0, 0.3 + 0.55 * f64::from(k)).friction(0.5).restitution(0.0);
        blocks.push(world.add_body(block.named(format!("block {k}")))?);
        world.advance(0.2)?;
    }
    world.advance(1.0)?;
    let top = world.body(blocks[5])?.position().y;
    println!("six blocks stand, the highest at {top:.3} m");
    // What stands inside another body is refused, and nothing has changed.
    let refused = world.add_body(Body::ball(0.3).at(0.0, 1.0).named("ball"));
    println!("a ball within them: {}", refused.err().map_or_else(String::new, |error| error.to_string()));
    // Try a blow; take it back.
    let before = world.snapshot();
    world.apply_impulse(blocks[2], [40.0, 0.0], [-0.5, 1.25])?;
    world.advance(1.0)?;
    println!("after a blow block 2 is at x = {:.2} m", world.body(blocks[2])?.position().x);
    world.restore(&before)?;
    // Take the lowest away instead: all others come down by its height, and keep their identities.
    world.remove_body(blocks[0])?;
    world.advance(1.5)?;
    let lower = world.body(blocks[5])?.position().y;
    println!("without the lowest the highest is at {lower:.3} m");
    assert!((top - lower - 0.5).abs() < 1e-2);
    world.set_pose(blocks[5], [3.0, 0.25], 0.0)?;
    world.advance(0.5)?;
    assert!((world.body("block 5")?.position().x - 3.0).abs() < 1e-6);
    Ok(())
}
