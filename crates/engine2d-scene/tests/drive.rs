//! What friction drives comes to its speed when the law says so.

use engine2d_scene::catalogue::{clutch, conveyor, friction_drive, kicking_ball};
use engine2d_sim::{Event, World};

const G: f64 = 9.81;

fn spin(world: &World, name: &str) -> f64 {
    world.body(name).expect("a body").spin()
}

/// Time of the first event of a kind that concerns a body.
fn first(events: &[Event], kind: &str, world: &World, name: &str) -> f64 {
    let body = world.body(name).expect("a body").id();
    let found =
        events.iter().find(|event| event.kind() == kind && event.time() > 0.0 && event.involves(body));
    found.unwrap_or_else(|| panic!("no {kind} of {name}: {events:?}")).time()
}

/// A box put onto a belt at `v` slides back by `v²/(2 μ g)` against it, and has its speed after `v/(μ g)`.
#[test]
fn boxes_come_to_the_speed_of_their_belt() {
    let speed = 2.0;
    let mut w = conveyor(speed).to_world().expect("a sound scene");
    let start: Vec<f64> = (0..3).map(|k| w.body(&format!("box{k}")).expect("a box").position().x).collect();
    let time = 1.45;
    let report = w.advance(time).expect("belts");
    for (k, mu) in [0.15, 0.3, 0.6].into_iter().enumerate() {
        let name = format!("box{k}");
        let slide = speed / (mu * G);
        let way = speed * time - 0.5 * speed * slide;
        let x = w.body(&name).expect("a box").position().x - start[k];
        assert!((x - way).abs() < 1e-9, "{name}: {x} {way}");
        let stick = first(report.events(), "stick", &w, &name);
        assert!((stick - slide).abs() < 1e-9, "{name}: {stick} {slide}");
    }
}

/// The weight `W` of the carriage and its wheel presses the wheels together; friction `μ W` at the radius `r` gives the larger
/// one, of moment `m r²/2`, the speed of the driving surface, `ω r₁`, after `ω r₁ m/(2 μ W)`.
#[test]
fn a_wheel_drives_another_by_the_weight_on_it() {
    let (mu, speed, [small, large]): (f64, f64, [f64; 2]) = (0.3, -12.0, [0.3, 0.9]);
    let (weight, mass) = (5.0 * G, 6.0);
    let mut w = friction_drive(mu, speed).to_world().expect("a sound scene");
    let slip = f64::abs(speed) * small * mass / (2.0 * mu * weight);
    let report = w.advance(slip + 0.5).expect("wheels");
    let stick = first(report.events(), "stick", &w, "driven");
    assert!((stick - slip).abs() < 1e-9, "{stick} {slip}");
    let last = -speed * small / large;
    assert!((spin(&w, "driven") - last).abs() < 1e-9, "{} {last}", spin(&w, "driven"));
    let angle = w.body("driven").expect("a wheel").angle();
    assert!((angle - (0.5 * last * slip + 0.5 * last)).abs() < 1e-9, "{angle}");
}

/// Each shoe, of mass `m` at the radius `ρ`, is pressed against the drum by `N = m ω² ρ − k (ρ − l)`; both turn the drum of
/// moment `I` and inner radius `R` with `2 μ N R`, and it has their speed after `I ω/(2 μ N R)`.
#[test]
fn a_clutch_takes_its_drum_along() {
    let (mu, speed, outer, shoe): (f64, f64, f64, f64) = (0.4, 12.0, 1.0, 0.2);
    let (mass, moment, stiffness, rest) = (0.5, 4.0, 60.0, 0.4);
    let at = outer - shoe;
    let force = mass * speed * speed * at - stiffness * (at - rest);
    let slip = moment * speed / (2.0 * mu * force * outer);
    let mut w = clutch(mu, speed).to_world().expect("a sound scene");
    w.advance(0.5 * slip).expect("a clutch");
    assert!((spin(&w, "drum") - 0.5 * speed).abs() < 1e-8, "{}", spin(&w, "drum"));
    let report = w.advance(slip).expect("a clutch");
    let stick = first(report.events(), "stick", &w, "drum");
    assert!((stick - slip).abs() < 1e-8, "{stick} {slip}");
    assert!((spin(&w, "drum") - speed).abs() < 1e-9, "{}", spin(&w, "drum"));
    // Too slow a hub does not reach it: the springs hold the shoes back.
    let mut slow = clutch(mu, 5.0).to_world().expect("a sound scene");
    slow.advance(2.0).expect("a clutch");
    assert_eq!(spin(&slow, "drum"), 0.0);
}

/// A ball with the spin `ω` that meets the floor at `v` leaves with the tangential impulse `min(μ (1 + e) m v, m r ω/3)`: a disc
/// takes a third of its surface speed (`1/(1/m + r²/I) = m/3`). Both balls do so to their sides.
#[test]
fn balls_kick_off_against_their_spin() {
    let (mu, e, r, turning): (f64, f64, f64, f64) = (0.5, 0.7, 0.3, 30.0);
    let mut w = kicking_ball(turning).to_world().expect("a sound scene");
    let fall = f64::sqrt(2.0 * 2.0 / G);
    w.advance(fall + 0.1).expect("a bounce");
    let sideways = f64::min(mu * (1.0 + e) * G * fall, turning * r / 3.0);
    for (name, side) in [("left", -1.0), ("right", 1.0)] {
        let ball = w.body(name).expect("a ball");
        assert!(
            (ball.velocity().x - side * sideways).abs() < 1e-9,
            "{name}: {:?} {sideways}",
            ball.velocity()
        );
        let left = turning - 2.0 * sideways / r;
        assert!((ball.spin() + side * left).abs() < 1e-9, "{name}: {} {left}", ball.spin());
        assert!((ball.velocity().y - (e * G * fall - G * 0.1)).abs() < 1e-9);
    }
}
