//! A car on suspended wheels is pulled over bumps: axles that slide on springs with dampers, a motor of limited force.
//!
//! Rigid contact has no friction yet, so that wheels do not drive: the motor is a winch between car and ground.
//!
//! `cargo run --release -p engine2d-sim --example car`

#![allow(clippy::print_stdout, reason = "an example tells what it finds")]

use engine2d_constraint::{Measure, Motor, Prescribed, Slider, SpeedDrive, SpringDamper};
use engine2d_sim::{Body, BodyRef, Joint, SimError, World};

const BUMPS: u32 = 5;
const SPEED: f64 = 2.0;

fn main() -> Result<(), SimError> {
    let chassis = BodyRef::Body(BUMPS + 1);
    let mut builder = World::builder()
        .gravity(9.81)
        .body(Body::block(60.0, 1.0).fixed().restitution(0.0).at(20.0, -0.5).named("road"));
    for k in 0..BUMPS {
        let bump = Body::ball(1.0).fixed().restitution(0.0).at(6.0 + 4.0 * f64::from(k), -0.85);
        builder = builder.body(bump.named(format!("bump {k}")));
    }
    let wheels = [(BUMPS + 2, -1.0), (BUMPS + 3, 1.0)];
    let body = Body::block(3.0, 0.5).mass(800.0).restitution(0.0).at(0.0, 1.15).named("chassis");
    builder = builder.body(body.ignoring_bodies(wheels.map(|w| w.0)));
    for (k, x) in wheels {
        let wheel = Body::ball(0.4).mass(30.0).restitution(0.0).at(x, 0.4);
        builder = builder.body(wheel.named(format!("wheel {k}")));
    }
    for (k, x) in wheels {
        let (wheel, strut) = (BodyRef::Body(k), [x, -0.75]);
        let travel = Measure::travel((wheel, [0.0, 0.0]), (chassis, strut), [0.0, 1.0]);
        // 4 cm under the weight, damped to about half of the critical damping.
        let spring = SpringDamper { compliance: 1e-5, damping: 6e3 };
        builder = builder
            .joint(
                Joint::new(Slider::along_body(wheel, [0.0, 0.0], chassis, strut, [1.0, 0.0]))
                    .named(format!("axle {k}")),
            )
            .joint(
                Joint::new(Prescribed::position(travel, 0.0))
                    .compliant(spring)
                    .named(format!("suspension {k}")),
            );
    }
    let winch = Motor::linear(
        chassis,
        [0.0, 0.0],
        BodyRef::Ground,
        [1.0, 0.0],
        SpeedDrive { speed: SPEED, limit: 6e3 },
    );
    let mut world = builder.joint(Joint::new(winch).named("winch")).build()?;
    let mut highest = 0.0_f64;
    while world.time() < 14.0 {
        let report = world.advance(0.02)?;
        assert!(report.joint_error < 1e-9 && report.penetration < 1e-9);
        highest = highest.max(world.body("chassis")?.position().y);
    }
    let car = world.body("chassis")?;
    println!(
        "after {} s at x = {:.3} m, {:.3} m/s; highest {:.4} m",
        world.time(),
        car.position().x,
        car.velocity().x,
        highest
    );
    assert!(car.position().x > 25.0, "it is over the bumps");
    assert!((car.velocity().x - SPEED).abs() < 1e-6, "the winch holds its speed");
    assert!(highest < 1.4, "the springs take the bumps");
    Ok(())
}
