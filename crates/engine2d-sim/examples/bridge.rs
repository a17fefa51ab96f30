//! A bridge of planks on pins of limited strength, onto which a ball falls: the pins that carry too much break.
//!
//! `cargo run --release -p engine2d-sim --example bridge`

#![allow(clippy::print_stdout, reason = "an example tells what it finds")]

use engine2d_constraint::Revolute;
use engine2d_sim::{Body, BodyRef, Event, Joint, SimError, World};

const PLANKS: u32 = 10;
const LENGTH: f64 = 1.0;
/// Slope (radians) of the bridge at its ends.
const SAG: f64 = 0.4;
/// Force (newtons) that a pin stands.
const STRENGTH: f64 = 20_000.0;

fn main() -> Result<(), SimError> {
    let mut builder = World::builder().gravity(9.81);
    // The pins from end to end: planks whose slopes grow evenly, as those of a hanging bridge do.
    let mut pins = vec![[0.0, 0.0]];
    for k in 0..PLANKS {
        let slope = SAG * (2.0 * (f64::from(k) + 0.5) / f64::from(PLANKS) - 1.0);
        let [x, y] = pins[k as usize];
        let (sin, cos) = slope.sin_cos();
        pins.push([x + LENGTH * cos, y + LENGTH * sin]);
        // Neighbours overlap at their pins.
        let neighbours = (0..PLANKS).filter(move |&other| other.abs_diff(k) == 1);
        let plank = Body::block(LENGTH, 0.15).mass(20.0).restitution(0.0).angle(slope);
        let plank = plank.at(x + 0.5 * LENGTH * cos, y + 0.5 * LENGTH * sin);
        builder = builder.body(plank.named(format!("plank {k}")).ignoring_bodies(neighbours));
    }
    builder = builder.body(Body::ball(0.6).mass(400.0).restitution(0.0).at(4.6, 3.0).named("ball"));
    let (left, right) = ([-0.5 * LENGTH, 0.0], [0.5 * LENGTH, 0.0]);
    for k in 0..=PLANKS {
        let pin = match k {
            0 => Revolute::new(BodyRef::Body(0), left, BodyRef::Ground, pins[0]),
            PLANKS => Revolute::new(BodyRef::Body(k - 1), right, BodyRef::Ground, pins[k as usize]),
            _ => Revolute::new(BodyRef::Body(k), left, BodyRef::Body(k - 1), right),
        };
        builder = builder.joint(Joint::new(pin).named(format!("pin {k}")).break_force(STRENGTH));
    }
    let mut world = builder.build()?;
    let mut broken = 0;
    while world.time() < 3.0 {
        let report = world.advance(1.0 / 60.0)?;
        for event in &report.events {
            if let Event::Broken { time, name, force, .. } = event {
                println!("{time:.6} s: {name} breaks under {:.1} N", force.norm());
                broken += 1;
            }
        }
        assert!(report.joint_error < 1e-9, "the pins that are left hold");
    }
    assert!(broken > 0, "the ball is too much for the bridge");
    println!("{broken} pins are broken; the ball is at {:.3} m", world.body("ball")?.position().y);
    Ok(())
}
