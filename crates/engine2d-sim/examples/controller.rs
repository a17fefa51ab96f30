//! A controller on a motor: a pendulum is swung up by a motor of too little torque to lift it, which pushes with the motion, and
//! is caught upright.
//!
//! `cargo run --release -p engine2d-sim --example controller`
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use engine2d_constraint::{Joint, Motor, Revolute, SpeedDrive};
use engine2d_sim::{Body, BodyRef, SimError, World};
use std::f64::consts::PI;

const GRAVITY: f64 = 9.81;

/// Largest torque of the motor; holding the pendulum level would take twice as much.
const TORQUE: f64 = 2.5;

fn main() -> Result<(), SimError> {
    let pendulum = BodyRef::Body(0);
    let mut world = World::builder()
        .gravity(GRAVITY)
        .body(Body::block(0.05, 1.0).mass(1.0).at(0.0, -0.5).named("pendulum"))
        .joint(Revolute::new(pendulum, [0.0, 0.5], BodyRef::Ground, [0.0, 0.0]))
        .joint(
            Joint::new(Motor::rotary(pendulum, BodyRef::Ground, SpeedDrive { speed: 0.0, limit: TORQUE }))
                .named("drive"),
        )
        .build()?;
    let inertia = 1.0 / 3.0;
    let (mut upright, mut steps) = (0, 0);
    while upright < 200 && steps < 4000 {
        let body = world.body("pendulum")?;
        let (angle, spin) = (body.angle(), body.spin());
        // Energy above hanging; upright at rest it is g.
        let energy = 0.5 * inertia * spin * spin + GRAVITY * 0.5 * (1.0 - angle.cos());
        let off = (angle - PI).rem_euclid(2.0 * PI);
        let off = if off > PI { off - 2.0 * PI } else { off };
        let torque = if off.abs() < 0.35 {
            (-30.0 * off - 6.0 * spin).clamp(-TORQUE, TORQUE)
        } else if energy < GRAVITY {
            if spin >= 0.0 { TORQUE } else { -TORQUE }
        } else {
            0.0
        };
        // A motor that cannot reach its speed pushes with its limit: a torque.
        world.edit_joint("drive", |motor: &mut Motor| {
            motor.set_limit(torque.abs());
            motor.set_speed(if torque >= 0.0 { 1e3 } else { -1e3 });
        })?;
        world.advance(0.01)?;
        upright = if off.abs() < 0.05 { upright + 1 } else { 0 };
        steps += 1;
    }
    println!("upright since two seconds at t = {:.2} s", world.time());
    assert_eq!(upright, 200, "it stays up");
    Ok(())
}
