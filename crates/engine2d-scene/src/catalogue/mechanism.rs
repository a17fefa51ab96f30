//! Scenes about connectors and forces at a distance.

use crate::{Body, BodyRef, Connector, ForceLaw, Line, Scene, Shape, View};
use engine2d_math::{Vec2, trig};

/// Half the length of a bar between its pins (length).
const HALF: f64 = 1.0;

fn bar() -> Shape {
    Shape::RoundBlock { width: 0.2, height: 2.0 * HALF + 0.2 }
}

/// A row of bars hanging from the ground at the origin, pinned end to end, each at its angle from the
/// vertical.
fn add_bars(scene: &mut Scene, angles: &[f64]) {
    let mut pin = Vec2::zeros();
    let mut above = BodyRef::ground();
    let mut point = [0.0, 0.0];
    for (index, &angle) in angles.iter().enumerate() {
        let (sin, cos) = trig::sin_cos(angle);
        let down = Vec2::new(sin, -cos);
        let center = pin + down * HALF;
        let name = format!("bar{index}");
        scene.bodies.push(Body::new(bar()).named(&name).at(center.x, center.y).angle(angle));
        scene.connectors.push(Connector::pin(above, point, name.as_str(), [0.0, HALF]));
        pin += down * (2.0 * HALF);
        above = name.as_str().into();
        point = [0.0, -HALF];
    }
    // Bars do not collide: their ends cross at the pins.
    for index in 0..angles.len() {
        let others = (0..index).map(|other| BodyRef::Index(other as u32));
        scene.bodies[index].no_collide.extend(others);
    }
    scene.force_laws.push(ForceLaw::gravity(9.81));
    let reach = 2.0 * HALF * angles.len() as f64 + 0.5;
    scene.view = Some(View { left: -reach, bottom: -reach, right: reach, top: 0.5 * reach });
}

/// A bar on a pin, released at an angle from the vertical (radians).
#[must_use]
pub fn pendulum(angle: f64) -> Scene {
    let mut scene = Scene::new("pendulum");
    add_bars(&mut scene, &[angle]);
    scene
}

/// Two bars pinned end to end, released at an angle from the vertical (radians).
#[must_use]
pub fn double_pendulum(angle: f64) -> Scene {
    let mut scene = Scene::new("double_pendulum");
    scene.settings.time_step = 0.01;
    add_bars(&mut scene, &[angle, angle]);
    scene
}

/// A chain of links held at one end, level at the start.
#[must_use]
pub fn chain(links: u32) -> Scene {
    let mut scene = Scene::new("chain");
    scene.settings.time_step = 0.01;
    scene.duration = 6.0;
    add_bars(&mut scene, &vec![std::f64::consts::FRAC_PI_2; links as usize]);
    scene.force_laws.push(ForceLaw::Damping { coefficient: 0.1, rotate_ratio: 0.15, bodies: None });
    scene
}

/// A ball on a rope of some length that is slack at the start.
#[must_use]
pub fn rope_pendulum(length: f64) -> Scene {
    let mut scene = Scene::new("rope_pendulum");
    let reach = length + 1.0;
    scene.view = Some(View { left: -reach, bottom: -reach, right: reach, top: 1.0 });
    let ball = Body::new(Shape::Ball { radius: 0.4 }).named("ball").at(0.7 * length, 0.0).restitution(0.3);
    scene.bodies.push(ball);
    let rope = Line::new("ground", [0.0, 0.0], "ball", [0.0, 0.0]).length(length);
    scene.connectors.push(Connector::Rope(rope));
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// A block on a damped spring, released where the spring has its rest length.
#[must_use]
pub fn spring_block() -> Scene {
    let mut scene = Scene::new("spring_block");
    scene.view = Some(View { left: -3.0, bottom: -5.0, right: 3.0, top: 0.5 });
    scene.bodies.push(Body::new(Shape::Block { width: 1.0, height: 1.0 }).named("block").at(0.0, -2.5));
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene.force_laws.push(ForceLaw::Spring {
        name: Some("spring".to_owned()),
        body_a: BodyRef::ground(),
        point_a: [0.0, 0.0],
        body_b: "block".into(),
        point_b: [0.0, 0.5],
        rest_length: 2.0,
        stiffness: 20.0,
        damping: 0.5,
        compress_only: false,
    });
    scene
}

/// A pendulum with a ball on a spring at its end.
#[must_use]
pub fn pendulum_and_spring() -> Scene {
    let mut scene = Scene::new("pendulum_and_spring");
    scene.view = Some(View { left: -4.0, bottom: -5.0, right: 4.0, top: 1.0 });
    let bar = Body::new(Shape::Block { width: 0.15, height: 2.0 }).named("bar");
    // At rest to the side: the bar is level.
    scene.bodies.push(bar.at(1.0, 0.0).angle(std::f64::consts::FRAC_PI_2));
    let ball = Body::new(Shape::Ball { radius: 0.2 }).named("ball").mass(0.5).at(2.0, -1.2);
    scene.bodies.push(ball.no_collide("bar"));
    scene.connectors.push(Connector::pin("ground", [0.0, 0.0], "bar", [0.0, 1.0]));
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene.force_laws.push(ForceLaw::Spring {
        name: Some("spring".to_owned()),
        body_a: "bar".into(),
        point_a: [0.0, -1.0],
        body_b: "ball".into(),
        point_b: [0.0, 0.0],
        rest_length: 1.0,
        stiffness: 15.0,
        damping: 0.0,
        compress_only: false,
    });
    scene
}

/// A light ball on a circular orbit around a heavy one, both free.
#[must_use]
pub fn planet() -> Scene {
    const HEAVY: f64 = 100.0;
    const LIGHT: f64 = 1.0;
    const DISTANCE: f64 = 4.0;
    let mut scene = Scene::new("planet");
    scene.duration = 12.0;
    scene.view = Some(View { left: -5.0, bottom: -5.0, right: 5.0, top: 5.0 });
    // The two circle their common centre of mass at one angular velocity: ω² d³ = G (M + m), here G = 1.
    let total = HEAVY + LIGHT;
    let rate = (total / (DISTANCE * DISTANCE * DISTANCE)).sqrt();
    for (name, radius, mass, place) in
        [("planet", 1.0, HEAVY, -DISTANCE * LIGHT / total), ("moon", 0.3, LIGHT, DISTANCE * HEAVY / total)]
    {
        let ball = Body::new(Shape::Ball { radius }).named(name).mass(mass);
        scene.bodies.push(ball.at(place, 0.0).velocity(0.0, rate * place));
    }
    scene.force_laws.push(ForceLaw::InverseSquareGravity { strength: 1.0, bodies: None });
    scene
}
