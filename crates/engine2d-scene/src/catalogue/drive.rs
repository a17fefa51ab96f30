//! Scenes of bodies that friction drives: belts, wheels, a clutch, a ball that kicks off.

use super::compliant::precise;
use super::driven::turning;
use super::friction::{block, on_floor, rough};
use crate::connector::Connector;
use crate::force_law::ForceLaw;
use crate::joint::{Ends, Fitting, Prismatic};
use crate::scene::{Scene, View};
use crate::shape::{Edge, Path, Shape};

/// A guide along which a body slides without turning.
fn guide(carrier: &str, at: [f64; 2], body: &str, axis: [f64; 2]) -> Connector {
    let ends = Ends::new(carrier, at, body, [0.0; 2]);
    Connector::Prismatic(Prismatic {
        ends,
        axis,
        angle: None,
        fitting: Fitting::named(format!("guide of {body}")),
    })
}

/// Boxes of several coefficients are put onto a belt at a speed (length/time), which takes them along, and fall from its end onto
/// another one that runs back.
#[must_use]
pub fn conveyor(speed: f64) -> Scene {
    let mut scene = on_floor("conveyor", 0.8, 5.0, [-7.0, -4.0, 7.0, 3.0]);
    scene.settings.friction_rule = crate::FrictionRule::Minimum;
    if let Some(belt) = scene.bodies.first_mut() {
        belt.name = Some("belt".to_owned());
        belt.shape = block(10.0, 0.4);
        // The surfaces of a body run round it to the left: the upper side of one that goes backwards runs to the right.
        belt.surface_speed = -speed;
        *belt = belt.clone().at(-1.0, -0.2);
    }
    let mut returning = rough("returning_belt", block(8.0, 0.4), 0.8).fixed().at(3.0, -2.7);
    returning.surface_speed = speed;
    scene.bodies.push(returning);
    for (k, friction) in [0.15, 0.3, 0.6].into_iter().enumerate() {
        let parcel = rough(format!("box{k}"), block(0.6, 0.5), friction);
        scene.bodies.push(parcel.at(-5.0 + 2.5 * k as f64, 0.25));
    }
    scene
}

/// Radii of the driving and of the driven wheel of the friction drive.
const WHEELS: [f64; 2] = [0.3, 0.9];

/// Masses of the carriage, of the driving and of the driven wheel of the friction drive.
const WHEEL_MASSES: [f64; 3] = [4.0, 1.0, 6.0];

/// A motor on a carriage, whose weight presses its wheel onto a larger one: it slips until the larger one has come to its
/// speed.
#[must_use]
pub fn friction_drive(friction: f64, speed: f64) -> Scene {
    let mut scene = Scene::new("friction_drive");
    scene.duration = 4.0;
    scene.view = Some(View { left: -2.5, bottom: -1.2, right: 2.5, top: 2.2 });
    let [driving, driven] = WHEELS;
    let [carriage_mass, driving_mass, driven_mass] = WHEEL_MASSES;
    let top = driven + driving;
    let wheel = |name: &str, radius: f64| rough(name, Shape::Ball { radius }, friction);
    scene.bodies.push(wheel("driven", driven).mass(driven_mass));
    let mut carriage = rough("carriage", block(1.0, 0.2), 0.0).mass(carriage_mass).at(0.0, top + 0.5);
    carriage.no_collide = vec!["driven".into()];
    scene.bodies.push(carriage);
    scene.bodies.push(
        wheel("driving", driving).mass(driving_mass).at(0.0, top).turning(speed).no_collide("carriage"),
    );
    scene.connectors.push(Connector::pin("ground", [0.0; 2], "driven", [0.0; 2]));
    scene.connectors.push(guide("ground", [0.0, top + 0.5], "carriage", [0.0, 1.0]));
    scene.connectors.push(Connector::pin("carriage", [0.0, -0.5], "driving", [0.0; 2]));
    scene.connectors.push(Connector::Motor(turning("carriage", "driving", speed, None, "motor of driving")));
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// Inner radius of the drum of the clutch, and radius of its shoes.
const CLUTCH: [f64; 2] = [1.0, 0.2];

/// Mass of a shoe of the clutch, moment of inertia of its drum.
const CLUTCH_MASSES: [f64; 2] = [0.5, 4.0];

/// Stiffness of the springs that hold the shoes of the clutch back, and their length without force.
const CLUTCH_SPRING: [f64; 2] = [60.0, 0.4];

/// Tolerance of the motion of the clutch: in fast turns no energy is to be lost but by friction.
const FAST_TURNS: f64 = 1e-12;

/// A centrifugal clutch: shoes on a hub that turns at a speed (radians/time) are pressed against a drum and take it along.
#[must_use]
pub fn clutch(friction: f64, speed: f64) -> Scene {
    let mut scene = Scene::new("clutch");
    scene.duration = 4.0;
    scene.settings.solver = precise(FAST_TURNS);
    scene.view = Some(View { left: -1.8, bottom: -1.4, right: 1.8, top: 1.4 });
    let [inner, shoe] = CLUTCH;
    let [shoe_mass, drum_moment] = CLUTCH_MASSES;
    let [stiffness, rest_length] = CLUTCH_SPRING;
    let ring = |radius: f64, outside_is_out: bool| {
        let start = [radius, 0.0];
        // What is inside lies to the left of an edge.
        let clockwise = !outside_is_out;
        let edge = Edge::Arc { to: start, center: [0.0; 2], clockwise, outside_is_out };
        Path { start, edges: vec![edge] }
    };
    let paths = vec![ring(1.2 * inner, true), ring(inner, false)];
    let drum = rough("drum", Shape::Paths { paths, moment_factor: None }, friction);
    scene.bodies.push(drum.center_of_mass(0.0, 0.0).mass(3.0).moment(drum_moment));
    scene.connectors.push(Connector::pin("ground", [0.0; 2], "drum", [0.0; 2]));
    let hub = rough("hub", block(0.3, 0.3), 0.0).mass(2.0).turning(speed).no_collide("drum");
    scene.bodies.push(hub);
    scene.connectors.push(Connector::pin("ground", [0.0; 2], "hub", [0.0; 2]));
    scene.connectors.push(Connector::Motor(turning("ground", "hub", speed, None, "motor of hub")));
    for (name, side) in [("right_shoe", 1.0), ("left_shoe", -1.0)] {
        let at = side * (inner - shoe);
        let body = rough(name, Shape::Ball { radius: shoe }, friction).mass(shoe_mass).no_collide("hub");
        scene.bodies.push(body.at(at, 0.0).velocity(0.0, speed * at).turning(speed));
        scene.connectors.push(guide("hub", [0.0; 2], name, [1.0, 0.0]));
        scene.force_laws.push(ForceLaw::Spring {
            name: Some(format!("spring of {name}")),
            body_a: "hub".into(),
            point_a: [0.0; 2],
            body_b: name.into(),
            point_b: [0.0; 2],
            rest_length,
            stiffness,
            damping: 0.0,
            compress_only: false,
        });
    }
    scene
}

/// Balls that fall while they turn at a speed (radians/time) kick off the floor against their turning, until they roll: the scene
/// `spinning_ball`.
#[must_use]
pub fn kicking_ball(speed: f64) -> Scene {
    let mut scene = on_floor("spinning_ball", 0.5, 4.0, [-9.0, -1.0, 9.0, 4.0]);
    if let Some(floor) = scene.bodies.first_mut() {
        *floor = floor.clone().restitution(1.0);
    }
    for (name, x, speed) in [("left", -1.0, speed), ("right", 1.0, -speed)] {
        let ball = rough(name, Shape::Ball { radius: 0.3 }, 0.5).restitution(0.7);
        scene.bodies.push(ball.at(x, 2.3).turning(speed));
    }
    scene
}
