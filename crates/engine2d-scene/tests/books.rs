//! The energy books of the built-in scenes close: what is kinetic and potential, and what friction, impulses and joints have
//! taken or given, is one sum, to 1e-9 of what there is or what has been taken.

use engine2d_scene::catalogue::CATALOGUE;
use engine2d_scene::{ContactModel, ForceLaw, Scene};

/// Whether all forces have a potential.
fn is_conservative(scene: &Scene) -> bool {
    scene.force_laws.iter().all(|law| match law {
        ForceLaw::Gravity { .. } | ForceLaw::InverseSquareGravity { .. } => true,
        ForceLaw::Spring { damping, .. } => *damping == 0.0,
        _ => false,
    }) && scene.bodies.iter().all(|body| body.damping == 0.0)
}

#[test]
fn books_close_in_every_scene_without_damping() {
    let mut seen = 0;
    for entry in CATALOGUE {
        let mut scene = entry.scene();
        let rough = scene.bodies.iter().any(|body| body.friction.is_some());
        let compliant = scene.settings.contact_model != ContactModel::Rigid;
        if !rough || compliant || !is_conservative(&scene) {
            continue;
        }
        scene.settings.clock = None;
        let mut world = scene.to_world().expect("a sound scene");
        let settings = engine2d_sim::Settings { energy_ledger: true, ..world.settings().clone() };
        world.edit().set_settings(settings).expect("books");
        let start = world.energy();
        let mut size = start.total().abs();
        while world.time() < 10.0 - 1e-9 {
            world.advance(0.05).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            let (now, ledger) = (world.energy(), world.inspect().energy_ledger().expect("books"));
            let taken = ledger.friction + ledger.impulses + ledger.corrections + ledger.constraint_forces;
            size = size.max(now.kinetic()).max(ledger.friction.abs()).max(ledger.impulses.abs());
            let open = now.total() - start.total() - taken;
            assert!(open.abs() <= 1e-9 * size, "{} at {}: {open:e} of {size}", entry.name, world.time());
        }
        seen += 1;
    }
    assert!(seen > 12, "{seen} scenes");
}
