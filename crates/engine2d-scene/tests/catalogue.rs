//! Every built-in scene is sound, survives a file and can be simulated.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_scene::catalogue::CATALOGUE;
use engine2d_scene::{BodyRef, Connector, Scene};
use engine2d_sim::{Event, World};

#[test]
fn built_in_scenes_are_sound() {
    for entry in CATALOGUE {
        let scene = entry.scene();
        let text = scene.to_json().unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        assert!(Scene::from_json(&text).unwrap() == scene, "{}", entry.name);
        let mut world = scene.to_world().unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        for _ in 0..20 {
            world.advance(scene.settings.time_step).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        }
    }
}

#[test]
fn names_find_their_scenes() {
    assert_eq!(Scene::built_in("pile").unwrap().bodies.len(), 16);
    assert!(Scene::built_in("no such scene").is_none());
}

/// Half a tooth for each half period, and as wide a swing at the end as at the start.
#[test]
fn the_clock_keeps_time() {
    let scene = Scene::built_in("pendulum_clock").unwrap();
    let mut world = scene.to_world().unwrap();
    let (mut crossings, mut swing) = (Vec::new(), 0.0_f64);
    let mut last = world.body("pendulum").unwrap().angle();
    while world.time() < 20.0 {
        world.advance(0.01).unwrap();
        let angle = world.body("pendulum").unwrap().angle();
        if last * angle < 0.0 {
            crossings.push((world.time(), world.body("wheel").unwrap().angle()));
        }
        if world.time() > 15.0 {
            swing = swing.max(angle.abs());
        }
        last = angle;
    }
    assert!((12..=16).contains(&crossings.len()), "{} beats", crossings.len());
    for pair in crossings.windows(2) {
        let (beat, turn) = (pair[1].0 - pair[0].0, pair[0].1 - pair[1].1);
        assert!((1.3..1.5).contains(&beat), "a beat of {beat} s");
        assert!((turn - std::f64::consts::TAU / 24.0).abs() < 0.02, "half a tooth, not {turn}");
    }
    assert!((0.14..0.17).contains(&swing), "{swing}");
}

/// The world of a built-in scene after some time, and the worst of its penetration and joint error on the way.
fn after(name: &str, until: f64, mut look: impl FnMut(&World)) -> (World, f64) {
    let scene = Scene::built_in(name).unwrap();
    let mut world = scene.to_world().unwrap();
    let mut worst = 0.0_f64;
    while world.time() < until {
        let report = world.advance(scene.settings.time_step).unwrap();
        worst = worst.max(report.penetration).max(report.joint_error);
        look(&world);
    }
    (world, worst)
}

#[test]
fn the_suspended_car_is_over_its_bumps_at_its_speed() {
    let mut highest = 0.0_f64;
    let (world, worst) = after("suspended_car", 14.0, |world| {
        highest = highest.max(world.body("chassis").unwrap().position().y);
    });
    assert!(worst < 1e-9, "{worst:e}");
    let car = world.body("chassis").unwrap();
    assert!(car.position().x > 22.0 && (car.velocity().x - 2.0).abs() < 1e-3, "{:?}", car.velocity());
    assert!((1.13..1.4).contains(&highest), "the springs take the bumps: {highest}");
    let wheel = world.body("wheel0").unwrap();
    assert!((wheel.spin() - car.spin() + 5.0).abs() < 1e-9);
    assert!((wheel.velocity().x + 0.4 * wheel.spin()).abs() < 1e-9, "it rolls");
}

#[test]
fn the_crane_rests_at_its_limit() {
    let (world, worst) = after("crane", 10.0, |_| {});
    assert!(worst < 1e-9, "{worst:e}");
    assert!((world.body("jib").unwrap().angle() - 1.1).abs() < 1e-9);
    assert!(world.body("load").unwrap().position().y > 7.0);
}

#[test]
fn the_ragdoll_keeps_its_angles() {
    let scene = Scene::built_in("ragdoll").unwrap();
    let (world, worst) = after("ragdoll", 4.0, |world| {
        let angle = |name: &BodyRef| match name {
            BodyRef::Name(name) => world.body(name).unwrap().angle(),
            BodyRef::Index(_) => panic!("the catalogue uses names"),
        };
        for connector in &scene.connectors {
            if let Connector::AngleLimit(limit) = connector {
                let turned = angle(&limit.body_b) - angle(&limit.body_a);
                let (low, high) = (limit.low.unwrap(), limit.high.unwrap());
                assert!((low - 1e-9..=high + 1e-9).contains(&turned), "{turned}");
            }
        }
    });
    assert!(worst < 1e-9, "{worst:e}");
    assert!(world.body("torso").unwrap().position().y < 1.0, "it lies");
}

#[test]
fn the_bridge_breaks_under_the_ball() {
    let mut scene = Scene::built_in("breaking_bridge").unwrap();
    let broken = |scene: &Scene| {
        let mut world = scene.to_world().unwrap();
        let mut names = Vec::new();
        while world.time() < 4.0 {
            for event in world.advance(0.025).unwrap().events() {
                if let Event::Broken { name, .. } = event {
                    names.push(name.clone());
                }
            }
        }
        (names, world.body("ball").unwrap().position().y)
    };
    let (names, depth) = broken(&scene);
    assert!(!names.is_empty() && names.iter().all(|name| name.starts_with("pin")), "{names:?}");
    assert!(depth < -8.0, "the ball falls through: {depth}");
    // A stronger one holds.
    for connector in &mut scene.connectors {
        if let Connector::Pin { fitting, .. } = connector {
            fitting.break_force = Some(1e7);
        }
    }
    let (names, depth) = broken(&scene);
    assert!(names.is_empty() && depth > -5.0, "{names:?} {depth}");
}

/// With the ring at rest the carrier turns by `r_s / (2 (r_s + r_p))` of the sun's turn.
#[test]
fn the_planetary_gear_has_the_ratio_of_its_radii() {
    let (world, worst) = after("planetary_gear", 5.0, |_| {});
    assert!(worst < 1e-9, "{worst:e}");
    let of = |name: &str| world.body(name).unwrap().spin();
    assert!((of("sun") - 2.0).abs() < 1e-9);
    assert!((of("carrier") - 2.0 * 0.8 / 2.8).abs() < 1e-9, "{}", of("carrier"));
}

#[test]
fn the_walker_walks_upright_without_slipping_back() {
    let (mut highest_turn, mut farthest) = (0.0_f64, f64::NEG_INFINITY);
    let (world, worst) = after("walker", 12.0, |world| {
        let chassis = world.body("chassis").expect("a chassis");
        highest_turn = highest_turn.max(chassis.angle().abs());
        let x = chassis.position().x;
        assert!(x > farthest - 0.2, "it goes back from {farthest} to {x}");
        farthest = farthest.max(x);
    });
    let chassis = world.body("chassis").expect("a chassis");
    assert!(chassis.position().x > 3.0, "{}", chassis.position().x);
    assert!(highest_turn < 0.35, "{highest_turn}");
    assert!(worst < 1e-9, "{worst}");
}

#[test]
fn the_weight_runs_off_the_clock_by_half_a_tooth_a_beat() {
    let (mut beats, mut last) = (0, 1.0_f64);
    let (world, _) = after("weight_clock", 30.0, |world| {
        let side = world.body("pendulum").expect("a pendulum").angle().signum();
        beats += i32::from(side != last);
        last = side;
    });
    let wheel = world.body("wheel").expect("a wheel");
    let turned = 2.3445 - wheel.angle();
    let teeth = turned * 12.0 / std::f64::consts::TAU;
    assert!((teeth - 0.5 * f64::from(beats)).abs() < 1.0, "{teeth} teeth in {beats} beats");
    assert!((19..24).contains(&beats), "{beats}");
    let fallen = -1.1 - world.body("weight").expect("a weight").position().y;
    assert!((fallen - 0.16 * turned).abs() < 1e-3, "{fallen} {turned}");
    let swing = world.body("pendulum").expect("a pendulum");
    assert!(
        0.5 * swing.spin() * swing.spin() + 9.81 / 2.0 * (1.0 - swing.angle().cos()) > 1e-3,
        "it still goes"
    );
}

/// Bodies of many corners that come to rest on each other slide tip over tip.
#[test]
fn polygons_never_sink_into_each_other() {
    let (_, worst) = after("polygons", 6.0, |_| {});
    assert!(worst <= 1e-10, "{worst}");
}
