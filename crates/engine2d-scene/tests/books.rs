//! The energy books of the built-in scenes close: what is kinetic and potential, and what friction, impulses and joints have
//! taken or given, is one sum, to 1e-9 of what there is or what has been taken.

use engine2d_scene::catalogue::CATALOGUE;
use engine2d_scene::{BodyRef, Clock, ClockSettings, Connector, ContactModel, ForceLaw, Frame, Scene};
use engine2d_sim::World;

/// Whether anything but friction takes energy bit by bit.
fn is_damped(scene: &Scene) -> bool {
    scene.bodies.iter().any(|body| body.damping != 0.0)
        || scene.force_laws.iter().any(|law| match law {
            ForceLaw::Damping { .. } => true,
            ForceLaw::Spring { damping, .. } => *damping != 0.0,
            _ => false,
        })
        || scene.connectors.iter().any(|connector| match connector {
            Connector::Wheel(wheel) => wheel.damping != 0.0,
            _ => false,
        })
}

/// What forces have a potential that the world's energy does not count: constant ones, `−F·x` of the point on which they act.
fn constant_forces(scene: &Scene, world: &World) -> f64 {
    let mut potential = 0.0;
    for law in &scene.force_laws {
        match law {
            ForceLaw::Gravity { .. } | ForceLaw::InverseSquareGravity { .. } | ForceLaw::Spring { .. } => {}
            ForceLaw::ConstantForce {
                body: BodyRef::Name(name),
                location,
                location_frame: Frame::Body,
                force,
                force_frame: Frame::World,
                torque,
            } => {
                assert_eq!(*torque, 0.0, "a torque has the potential −τ φ: count it");
                let body = world.body(name).expect("a body");
                let (sin, cos) = body.angle().sin_cos();
                let point = [
                    body.position().x + cos * location[0] - sin * location[1],
                    body.position().y + sin * location[0] + cos * location[1],
                ];
                potential -= force[0] * point[0] + force[1] * point[1];
            }
            other => panic!("{:?}: what is the potential of {other:?}?", scene.name),
        }
    }
    potential
}

/// Every scene of the located clock with rigid friction and without damping, so that none is forgotten: a new one whose forces
/// have no potential here fails. Steps of a fixed length keep other books (`StepReport::corrections`).
#[test]
fn books_close_in_every_scene_without_damping() {
    let (mut seen, mut damped, mut stepped) = (0, Vec::new(), 0);
    for entry in CATALOGUE {
        let scene = entry.scene();
        let rough = scene.bodies.iter().any(|body| body.friction.is_some());
        if !rough || scene.settings.contact_model != ContactModel::Rigid {
            continue;
        }
        if let Some(clock) = scene.settings.clock {
            assert!(matches!(clock, Clock::Own(ClockSettings::TimeStepping { .. })), "{}", entry.name);
            stepped += 1;
            continue;
        }
        if is_damped(&scene) {
            damped.push(entry.name);
            continue;
        }
        let mut world = scene.to_world().expect("a sound scene");
        let settings = engine2d_sim::Settings { energy_ledger: true, ..world.settings().clone() };
        world.edit().set_settings(settings).expect("books");
        let of = |world: &World| world.energy().total() + constant_forces(&scene, world);
        let start = of(&world);
        let mut size = world.energy().total().abs();
        while world.time() < 10.0 - 1e-9 {
            world.advance(0.05).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            let (now, ledger) = (world.energy(), world.inspect().energy_ledger().expect("books"));
            let taken = ledger.friction + ledger.impulses + ledger.corrections + ledger.constraint_forces;
            size = size.max(now.kinetic()).max(ledger.friction.abs()).max(ledger.impulses.abs());
            let open = of(&world) - start - taken;
            assert!(open.abs() <= 1e-9 * size, "{} at {}: {open:e} of {size}", entry.name, world.time());
        }
        seen += 1;
    }
    assert_eq!((seen, stepped), (22, 10), "count a new scene here");
    assert_eq!(damped, ["suspended_car"], "what is damped keeps no such books");
}
