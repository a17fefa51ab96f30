//! A ragdoll: limbs on pins with limits of their angles, dropped onto a floor.
//!
//! `cargo run --release -p engine2d-sim --example ragdoll`

#![allow(clippy::print_stdout, reason = "an example tells what it finds")]

use engine2d_constraint::{AngleLimit, Revolute};
use engine2d_sim::{Body, BodyRef, Joint, SimError, World};

/// Name, width, height, place, and the pin: the body it hangs on, the place, and how far it turns to either side.
type Limb = (&'static str, [f64; 2], [f64; 2], Option<(u32, [f64; 2], [f64; 2])>);

const FLOOR: u32 = 0;
/// Angular velocity with which it is dropped (radians per second).
const TURN: f64 = 0.7;
const LIMBS: [Limb; 6] = [
    ("torso", [0.4, 0.9], [0.0, 3.0], None),
    ("head", [0.3, 0.3], [0.0, 3.6], Some((1, [0.0, 3.45], [-0.6, 0.6]))),
    ("left arm", [0.7, 0.15], [-0.55, 3.3], Some((1, [-0.2, 3.3], [-1.2, 1.4]))),
    ("right arm", [0.7, 0.15], [0.55, 3.3], Some((1, [0.2, 3.3], [-1.4, 1.2]))),
    ("left leg", [0.17, 0.9], [-0.1, 2.1], Some((1, [-0.1, 2.55], [-0.9, 0.5]))),
    ("right leg", [0.17, 0.9], [0.1, 2.1], Some((1, [0.1, 2.55], [-0.5, 0.9]))),
];

fn main() -> Result<(), SimError> {
    let others = |own: u32| (1..=LIMBS.len() as u32).filter(move |&k| k != own);
    let mut builder = World::builder()
        .gravity(9.81)
        .damping(0.5)
        .body(Body::block(12.0, 1.0).fixed().restitution(0.0).at(0.0, -0.5).named("floor"));
    for (k, (name, [w, h], [x, y], _)) in LIMBS.iter().enumerate() {
        // The limbs of one doll pass each other.
        let limb = Body::block(*w, *h).mass(60.0 * w * h).restitution(0.0).at(*x, *y).named(*name);
        let limb = limb.velocity(-TURN * (y - 3.0), TURN * x).spin(TURN);
        builder = builder.body(limb.ignoring_bodies(others(k as u32 + 1)));
    }
    for (k, (name, _, [x, y], pin)) in LIMBS.iter().enumerate() {
        let Some((on, [px, py], [low, high])) = pin else { continue };
        let (limb, parent) = (BodyRef::Body(k as u32 + 1), BodyRef::Body(*on));
        let [bx, by] = LIMBS[*on as usize - 1].2;
        let (here, there) = ([px - x, py - y], [px - bx, py - by]);
        builder = builder
            .joint(Joint::new(Revolute::new(limb, here, parent, there)).named(format!("{name}: pin")))
            .joint(Joint::new(AngleLimit::new(limb, parent, *low, *high)).named(format!("{name}: limits")));
    }
    let mut world = builder.build()?;
    let mut deepest = 0.0_f64;
    while world.time() < 4.0 {
        let report = world.advance(1.0 / 60.0)?;
        assert!(report.joint_error < 1e-9);
        deepest = deepest.max(report.penetration);
    }
    for (k, (name, _, _, pin)) in LIMBS.iter().enumerate() {
        let (body, parent) = (world.body(k + 1)?, world.body(pin.map_or(FLOOR, |p| p.0) as usize)?);
        let turn = body.angle() - parent.angle();
        println!("{name:10} at ({:6.3}, {:6.3}), turned {turn:7.4}", body.position().x, body.position().y);
        if let Some((_, _, [low, high])) = pin {
            assert!(low - 1e-9 <= turn && turn <= high + 1e-9, "{name} is within its limits");
        }
    }
    assert!(deepest < 1e-9, "nothing is deeper than {deepest:e}");
    Ok(())
}
