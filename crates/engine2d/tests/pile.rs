//! The built-in pile comes to rest, certified, without penetration and without gaining energy.

use engine2d::record::{SummaryObserver, run};
use engine2d::scene::Scene;

#[test]
fn the_pile_comes_to_rest_under_certified_forces() {
    let scene = Scene::built_in("pile").unwrap();
    let mut world = scene.to_world().unwrap();
    let mut observer = SummaryObserver::new(&scene);
    run(&mut world, scene.duration, scene.settings.time_step, &mut [&mut observer]).unwrap();
    let summary = observer.summary();
    assert!(summary.kinetic_energy_end < 1e-6, "kinetic energy {:e}", summary.kinetic_energy_end);
    assert!(summary.worst_certificate <= 1e-9, "certificate {:e}", summary.worst_certificate);
    assert!(summary.worst_penetration <= 1e-9, "penetration {:e}", summary.worst_penetration);
    assert!(
        summary.energy_max <= summary.energy_start,
        "{} joule were gained",
        summary.energy_max - summary.energy_start
    );

    // At rest the floor carries the weight of all.
    let weight: f64 = world.bodies().filter(|body| !body.is_fixed()).map(|body| 9.81 * body.mass()).sum();
    let floor = world.body("floor").unwrap().index();
    let carried: f64 = world
        .contact_forces()
        .iter()
        .filter_map(|contact| {
            let force = contact.force * contact.normal.y;
            let of = |body: engine2d::sim::BodyRef| body.index() == Some(floor);
            if of(contact.id.normal_body) { Some(force) } else { of(contact.id.primary).then_some(-force) }
        })
        .sum();
    assert!((carried - weight).abs() < 1e-6 * weight, "{carried} carried of {weight}");
}
