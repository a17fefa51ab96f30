//! A pile with a sensor, a one-way platform, a motor, a ray, removal and a restored state, against the prelude alone.
//!
//! `cargo run --release -p engine2d --example playground`
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use engine2d::prelude::*;

fn main() -> Result<(), SimError> {
    let mut world = World::builder()
        .gravity(9.81)
        .body(Body::block(20.0, 1.0).fixed().at(0.0, -0.5).friction(0.5).named("floor"))
        .body(Body::block(3.0, 0.2).fixed().at(5.0, 2.0).one_way([0.0, 1.0]).named("platform"))
        .body(Body::block(2.0, 1.0).fixed().at(-9.0, 2.0).sensor().named("gate"))
        .body(Body::block(3.0, 0.2).at(-5.0, 4.0).named("paddle"))
        .joint(Revolute::new(BodyRef::Body(3), [0.0, 0.0], BodyRef::Ground, [-5.0, 4.0]))
        .joint(
            Joint::new(Motor::rotary(
                BodyRef::Body(3),
                BodyRef::Ground,
                SpeedDrive { speed: 1.0, limit: 50.0 },
            ))
            .named("drive"),
        )
        .build()?;
    let mut pile = Vec::new();
    for k in 0..4 {
        let block = Body::block(1.0, 1.0).at(0.0, 0.5 + f64::from(k)).friction(0.5);
        pile.push(world.add_body(block.named(format!("block {k}")))?);
    }
    let ball =
        world.add_body(Body::ball(0.2).at(5.0, 0.5).velocity(0.0, 8.0).restitution(0.2).named("ball"))?;
    let coin = world.add_body(Body::ball(0.1).at(-9.0, 4.0).gravity_scale(0.5).named("coin"))?;

    for _ in 0..40 {
        for event in world.advance(0.05)?.events() {
            if let (Event::SensorBegin { time, .. }, true) = (event, event.involves(coin)) {
                println!("{time:.3} s: the coin comes through the gate");
            }
        }
    }
    println!("the ball rests on the platform at {:.3} m", world.body(ball)?.position().y);
    assert!((world.body(ball)?.position().y - 2.3).abs() < 1e-3);

    world.edit_joint("drive", |motor: &mut Motor| motor.set_speed(-3.0))?;
    world.advance(0.5)?;
    println!("the paddle turns at {:.3} rad/s", world.body("paddle")?.spin());

    let hit = world.query().ray([0.0, 10.0], [0.0, -1.0], 20.0)?;
    let top = hit.ok_or(SimError::UnknownName { name: "pile".to_owned() })?.body;
    println!("from above one sees {}", world.body(top)?.name());
    assert_eq!(Some(&top), pile.last());

    let before = world.snapshot();
    world.apply_impulse(top, [3.0, 0.0], [0.0, 3.5])?;
    world.advance(1.0)?;
    println!("pushed, it is at x = {:.3} m", world.body(top)?.position().x);
    world.restore(&before)?;
    println!("restored, at x = {:.3} m", world.body(top)?.position().x);

    world.remove_body(pile[1])?;
    world.advance(1.0)?;
    println!("with one block less the top is at y = {:.3} m", world.body(top)?.position().y);
    assert!(world.body(pile[1]).is_err(), "an identity is never another's");
    Ok(())
}
