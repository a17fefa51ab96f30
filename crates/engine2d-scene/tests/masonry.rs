//! What only weight and friction hold stands where it was put, by the clock of events and by exact steps alike.

use engine2d_scene::catalogue::{SizeError, arch, card_house, pyramid, wall};
use engine2d_scene::{Clock, ClockSettings, Friction, Scene, SteppingSolver};

/// Farthest that a body moves in a second.
fn moved(mut scene: Scene, clock: Option<SteppingSolver>) -> f64 {
    scene.settings.clock = clock.map(|solver| Clock::Own(ClockSettings::stepping(solver)));
    let mut world = scene.to_world().expect("a sound scene");
    let start: Vec<_> = world.bodies().map(|body| body.position()).collect();
    while world.time() < 1.0 - 1e-9 {
        let report = world.advance(scene.settings.time_step).expect("a step");
        assert!(report.penetration <= 1e-9 && report.certificate <= 1e-9, "{report:?}");
    }
    world.bodies().zip(&start).map(|(body, start)| (body.position() - start).norm()).fold(0.0, f64::max)
}

#[test]
fn masonry_stands() {
    for scene in [pyramid(6), wall(5), arch(9), arch(25), card_house(3)] {
        let name = scene.name.clone().unwrap_or_default();
        let by_events = moved(scene.clone(), None);
        assert!(by_events <= 1e-9, "{name}: {by_events}");
        let by_steps = moved(scene, Some(SteppingSolver::Exact));
        assert!(by_steps <= 1e-9, "{name}: {by_steps}");
    }
}

/// With a coefficient of 0.1 stones slide off their supports, and cards from under each other.
#[test]
fn without_enough_friction_it_does_not() {
    for mut scene in [arch(9), card_house(2)] {
        scene.bodies.iter_mut().for_each(|body| body.friction = Some(Friction::Same(0.1)));
        for clock in [None, Some(SteppingSolver::Exact)] {
            let way = moved(scene.clone(), clock);
            assert!(way > 0.1, "{:?}: {way}", scene.name);
        }
    }
}

#[test]
fn sizes_that_make_no_sense_are_errors() {
    assert_eq!(Scene::built_in_sized("arch", 25).expect("an arch").bodies.len(), 26);
    assert_eq!(Scene::built_in_sized("ark", 5).expect_err("no such scene"), SizeError::Unknown);
    assert_eq!(Scene::built_in_sized("gears", 5).expect_err("no rows"), SizeError::Fixed);
    for rows in [0, 100_000] {
        let error = Scene::built_in_sized("pyramid", rows).expect_err("too many");
        assert!(error.to_string().contains("from 1 to 400"), "{error}");
    }
}
