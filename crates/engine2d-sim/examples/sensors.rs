//! A sorting machine: a belt that carries, sensors that tell who comes, a trapdoor that lets the light ones through.
//!
//! `cargo run --release -p engine2d-sim --example sensors`
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use engine2d_sim::{Body, Event, SimError, World};

fn main() -> Result<(), SimError> {
    let mut builder = World::builder()
        .gravity(9.81)
        .body(Body::block(8.0, 0.4).fixed().at(0.0, -0.2).friction(0.6).surface_speed(-1.0).named("belt"))
        .body(Body::block(1.6, 0.4).fixed().at(4.8, -0.2).friction(0.6).surface_speed(-1.0).named("trapdoor"))
        .body(
            Body::block(8.0, 0.4).fixed().at(9.6, -0.2).friction(0.6).surface_speed(-1.0).named("next belt"),
        )
        .body(Body::block(0.2, 1.0).fixed().at(4.2, 0.5).sensor().named("gate"))
        .body(Body::block(6.0, 0.5).fixed().at(4.8, -3.0).sensor().named("bin"));
    for (k, mass) in [5.0, 0.5, 4.0, 0.4].into_iter().enumerate() {
        let parcel = Body::block(0.5, 0.5).mass(mass).friction(0.6).restitution(0.0);
        builder = builder.body(parcel.at(2.5 - 1.8 * k as f64, 0.25).named(format!("parcel {k}")));
    }
    let mut world = builder.build()?;
    let mut binned = Vec::new();
    while world.time() < 12.0 {
        for event in world.advance(0.05)?.events() {
            let Event::SensorBegin { time, sensor, body } = *event else { continue };
            let parcel = world.body(body)?;
            if world.body(sensor)?.name() == "bin" {
                println!("{time:.3} s: {} falls into the bin", parcel.name());
                binned.push(parcel.name().to_owned());
            } else {
                let light = parcel.mass() < 1.0;
                println!("{time:.3} s: {} of {} kg comes to the gate", parcel.name(), parcel.mass());
                world.edit().set_colliding("trapdoor", body, !light)?;
            }
        }
    }
    assert_eq!(binned, ["parcel 1", "parcel 3"]);
    Ok(())
}
