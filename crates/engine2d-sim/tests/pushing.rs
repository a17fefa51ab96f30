//! Single bodies: pushed, placed, led, scaled gravity, damping of their own.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_sim::{Body, Settings, SimError, World};

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

fn free() -> World {
    World::builder().body(Body::block(2.0, 1.0).mass(4.0).named("block")).build().unwrap()
}

#[test]
fn impulses_forces_and_velocities_move_a_body_as_mechanics_has_it() {
    let mut world = free();
    let moment = world.body("block").unwrap().moment();
    world.apply_impulse("block", [2.0, 0.0], [0.0, 0.5]).unwrap();
    let body = world.body("block").unwrap();
    close(body.velocity().x, 0.5, 1e-15);
    close(body.spin(), -1.0 / moment, 1e-15);
    world.set_velocity("block", [0.0, 0.0], 0.0).unwrap();
    // A force acts for one advance, not longer; two add up.
    world.apply_force("block", [3.0, 0.0], [0.0, 0.0]).unwrap();
    world.apply_force("block", [5.0, 0.0], [0.0, 0.0]).unwrap();
    world.advance(0.5).unwrap();
    close(world.body("block").unwrap().velocity().x, 1.0, 1e-12);
    assert!(world.inspect().force_laws().is_empty());
    world.advance(0.5).unwrap();
    close(world.body("block").unwrap().velocity().x, 1.0, 1e-12);
}

#[test]
fn what_sticks_is_pushed_off_and_slides_to_a_stop() {
    let mut world = World::builder()
        .gravity(10.0)
        .body(Body::block(20.0, 1.0).fixed().at(0.0, -0.5).friction(0.5))
        .body(Body::block(1.0, 0.2).at(0.0, 0.1).friction(0.5).named("block"))
        .build()
        .unwrap();
    world.advance(0.5).unwrap();
    world.apply_impulse("block", [2.0, 0.0], [0.0, 0.1]).unwrap();
    world.advance(1.0).unwrap();
    // v²/(2 μ g).
    close(world.body("block").unwrap().position().x, 0.4, 1e-8);
    world.set_velocity("block", [-2.0, 0.0], 0.0).unwrap();
    world.advance(1.0).unwrap();
    close(world.body("block").unwrap().position().x, 0.0, 1e-8);
}

#[test]
fn a_body_is_not_placed_inside_another() {
    let mut world = World::builder()
        .body(Body::block(2.0, 1.0).named("a"))
        .body(Body::block(2.0, 1.0).at(5.0, 0.0).named("b"))
        .build()
        .unwrap();
    let error = world.set_pose("a", [4.0, 0.0], 0.0).unwrap_err();
    assert!(matches!(error, SimError::Overlap { other: 1, .. }), "{error}");
    close(world.body("a").unwrap().position().x, 0.0, 0.0);
    world.set_pose("a", [5.0, 3.0], 1.5).unwrap();
    let a = world.body("a").unwrap();
    assert_eq!((a.position().x, a.position().y, a.angle()), (5.0, 3.0, 1.5));
    assert!(matches!(world.set_pose("a", [f64::NAN, 0.0], 0.0), Err(SimError::Value { .. })));
}

#[test]
fn what_cannot_be_pushed_says_so() {
    let mut world = World::builder()
        .body(Body::block(2.0, 1.0).fixed().named("rock"))
        .body(Body::block(2.0, 1.0).at(5.0, 0.0).moving([1.0, 0.0], 0.0).named("lift"))
        .build()
        .unwrap();
    for name in ["rock", "lift"] {
        let error = world.apply_impulse(name, [1.0, 0.0], [0.0, 0.0]).unwrap_err();
        assert!(matches!(error, SimError::Unsupported { .. }), "{error}");
    }
    assert!(world.set_velocity("rock", [1.0, 0.0], 0.0).is_err());
    let still = World::builder().body(Body::wall(1.0, 1.0).velocity(1.0, 0.0)).build().unwrap_err();
    assert!(still.to_string().contains("`moving`"), "{still}");
    let clock = World::builder()
        .settings(Settings::backtracking())
        .body(Body::wall(1.0, 1.0).moving([1.0, 0.0], 0.0))
        .build()
        .unwrap_err();
    assert!(matches!(&clock, SimError::Unsupported { path, .. } if path == "bodies[0].motion"), "{clock}");
}

#[test]
fn a_platform_carries_what_lies_on_it_and_pushes_what_is_in_its_way() {
    let mut world = World::builder()
        .gravity(10.0)
        .body(Body::block(4.0, 1.0).at(0.0, -0.5).friction(0.5).moving([1.0, 0.0], 0.0).named("lift"))
        .body(Body::block(1.0, 1.0).at(0.0, 0.5).velocity(1.0, 0.0).friction(0.5).named("cargo"))
        .body(Body::ball(0.2).at(3.0, -0.5).restitution(0.0).gravity_scale(0.0).named("ball"))
        .build()
        .unwrap();
    world.advance(1.0).unwrap();
    close(world.body("lift").unwrap().position().x, 1.0, 1e-9);
    close(world.body("cargo").unwrap().position().x, 1.0, 1e-9);
    // The lift reaches the ball at x = 2.8 − 2 after 0.8 and pushes it on at its own speed.
    close(world.body("ball").unwrap().position().x, 3.2, 1e-8);
    world.set_velocity("lift", [1.0, 2.0], 0.0).unwrap();
    world.advance(1.0).unwrap();
    close(world.body("lift").unwrap().position().y, 1.5, 1e-9);
    close(world.body("cargo").unwrap().position().y, 2.5, 1e-7);
}

#[test]
fn a_led_body_follows_its_path_about_its_own_centre_of_mass() {
    let path = |t: f64| {
        let (sin, cos) = (3.0 * t).sin_cos();
        [[sin, 3.0 * cos, -9.0 * sin], [1.0, 0.0, 0.0], [2.0 * t, 2.0, 0.0]]
    };
    let mut world = World::builder()
        .gravity(10.0)
        .body(Body::block(2.0, 1.0).center_of_mass(0.4, 0.1).at(0.0, 1.0).led_by(path).named("arm"))
        .build()
        .unwrap();
    let arm = world.body("arm").unwrap();
    close((arm.velocity() - engine2d_sim::Vec2::new(3.0, 0.0)).norm(), 0.0, 1e-15);
    close(arm.angular_velocity(), 2.0, 1e-15);
    for k in 1..=8 {
        world.advance(0.25).unwrap();
        let (t, arm) = (0.25 * f64::from(k), world.body("arm").unwrap());
        close(arm.position().x, (3.0 * t).sin(), 1e-8);
        close(arm.position().y, 1.0, 1e-8);
        close(arm.angle(), 2.0 * t, 1e-8);
    }
}

#[test]
fn gravity_is_scaled_and_damping_is_of_one_body() {
    let mut world = World::builder()
        .gravity(10.0)
        .body(Body::ball(0.1).named("plain"))
        .body(Body::ball(0.1).at(3.0, 0.0).gravity_scale(-0.5).named("balloon"))
        .body(Body::ball(0.1).at(6.0, 0.0).gravity_scale(0.0).damping(2.0).velocity(1.0, 0.0).named("slow"))
        .build()
        .unwrap();
    let before = world.energy().total();
    world.advance(1.0).unwrap();
    let y = |name: &str| world.body(name).unwrap().position().y;
    close(y("plain"), -5.0, 1e-9);
    close(y("balloon"), 2.5, 1e-9);
    close(world.body("slow").unwrap().velocity().x, (-2.0_f64).exp(), 1e-8);
    let lost = 0.5 * (1.0 - (-4.0_f64).exp());
    close(world.energy().total(), before - lost, 1e-7);
    assert!(World::builder().body(Body::ball(1.0).damping(-1.0)).build().is_err());
}
