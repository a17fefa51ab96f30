//! A crane: a motor of limited torque raises a jib until its limit stops it; the load hangs on a rope from its tip.
//!
//! `cargo run --release -p engine2d-sim --example crane`

#![allow(clippy::print_stdout, reason = "an example tells what it finds")]

use engine2d_constraint::{AngleLimit, Motor, Revolute, Rope, SpeedDrive};
use engine2d_sim::{Body, BodyRef, Joint, SimError, World};

fn main() -> Result<(), SimError> {
    let (jib, load) = (BodyRef::Body(0), BodyRef::Body(1));
    let top = 1.1;
    let mut world = World::builder()
        .gravity(9.81)
        .damping(0.3)
        .body(Body::block(6.0, 0.3).mass(300.0).at(3.0, 5.0).named("jib"))
        .body(Body::block(0.8, 0.8).mass(500.0).at(6.0, 2.0).named("load"))
        .joint(Joint::new(Revolute::new(jib, [-3.0, 0.0], BodyRef::Ground, [0.0, 5.0])).named("foot"))
        .joint(
            Joint::new(Motor::rotary(jib, BodyRef::Ground, SpeedDrive { speed: 0.25, limit: 6e4 }))
                .named("winch"),
        )
        .joint(Joint::new(AngleLimit::new(jib, BodyRef::Ground, -0.2, top)).named("stop"))
        .joint(Joint::new(Rope::new(jib, [3.0, 0.0], load, [0.0, 0.4], 2.6)).named("rope"))
        .build()?;
    let (foot, rope) = (world.joint("foot")?, world.joint("rope")?);
    println!("{:>5} {:>8} {:>8} {:>10} {:>10}", "s", "jib", "load y", "rope N", "foot N");
    for step in 1..=240 {
        let report = world.advance(0.05)?;
        assert!(report.joint_error < 1e-9);
        if step % 20 == 0 {
            println!(
                "{:5.1} {:8.4} {:8.3} {:10.1} {:10.1}",
                world.time(),
                world.body(0)?.angle(),
                world.body(1)?.position().y,
                world.reaction(rope)?.force.norm(),
                world.reaction(foot)?.force.norm()
            );
        }
    }
    assert!((world.body(0)?.angle() - top).abs() < 1e-9, "the jib rests at its stop");
    Ok(())
}
