//! A clock: a weight's torque, an escapement, a pendulum.

use crate::body::Body;
use crate::catalogue::machine::toothed_wheel;
use crate::connector::Connector;
use crate::force_law::{ForceLaw, Frame};
use crate::joint::{Coordinate, Coupled, Coupler, Ends, Fitting, Prismatic};
use crate::scene::{Scene, View};
use crate::shape::Shape;
use engine2d_math::{Vec2, trig};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Teeth of the escape wheel.
const TEETH: u32 = 12;

/// Angle of each pallet from the upright (radians): the anchor spans two and a half teeth.
const SPAN: f64 = 1.25 * TAU / TEETH as f64;

/// Lean of the pallets' faces (radians): without friction it alone gives the pendulum its pushes.
const LEAN: f64 = 0.44;

/// How deep both pallets reach into the wheel when the pendulum hangs straight (length).
const DEPTH: f64 = 0.06;

/// A pendulum clock with a recoil escapement: the escape wheel turns by half a tooth for each beat. `torque` drives
/// the wheel.
#[must_use]
pub fn pendulum_clock(torque: f64) -> Scene {
    let mut scene = Scene::new("pendulum_clock");
    scene.settings.time_step = 0.01;
    scene.settings.distance_tolerance = 0.002;
    scene.settings.velocity_tolerance = 0.05;
    scene.duration = 20.0;
    scene.view = Some(View { left: -1.6, bottom: -1.3, right: 1.6, top: 1.7 });
    // The tangents at the pallets meet in the anchor's axis.
    let axis = 1.0 / trig::cos(SPAN);
    let swing = 0.16;

    let wheel = Body::new(toothed_wheel(TEETH, 0.72, 1.0, 0.16, 0.02)).named("wheel").mass(0.3).moment(0.05);
    // A tooth waits a little before the left pallet.
    let wheel = wheel.at(0.0, 0.0).center_of_mass(0.0, 0.0).angle(FRAC_PI_2 + SPAN + 0.12);
    scene.bodies.push(wheel.restitution(0.0));
    let anchor = Body::new(anchor(axis)).named("anchor").mass(0.1).moment(0.02);
    scene.bodies.push(anchor.at(0.0, axis).center_of_mass(0.0, 0.0).angle(swing).restitution(0.0));
    let length = 2.0;
    let bob = Body::new(Shape::Pendulum { width: 0.02, length, radius: 0.2 }).named("pendulum").mass(1.0);
    let (sin, cos) = trig::sin_cos(swing);
    let bob = bob.at(length * sin, axis - length * cos).center_of_mass(0.0, 0.0).moment(0.02).angle(swing);
    scene.bodies.push(bob.no_collide("wheel").no_collide("anchor"));

    scene.connectors.push(Connector::pin("ground", [0.0, 0.0], "wheel", [0.0, 0.0]));
    scene.connectors.push(Connector::pin("ground", [0.0, axis], "anchor", [0.0, 0.0]));
    // The pendulum is fixed to the anchor at two points.
    scene.connectors.push(Connector::pin("anchor", [0.0, 0.0], "pendulum", [0.0, length]));
    scene.connectors.push(Connector::pin("anchor", [0.0, -0.1], "pendulum", [0.0, length - 0.1]));
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene.force_laws.push(ForceLaw::ConstantForce {
        body: "wheel".into(),
        location: [0.0, 0.0],
        location_frame: Frame::Body,
        force: [0.0, 0.0],
        force_frame: Frame::World,
        torque: -torque,
    });
    scene.force_laws.push(ForceLaw::Damping { coefficient: 0.05, rotate_ratio: 0.3, bodies: None });
    scene
}

/// Radius of the drum that the cord of the weight runs off (length).
const DRUM: f64 = 0.16;

/// The clock of [`pendulum_clock`] driven by a weight of a mass that hangs from a drum on the escape wheel's axle.
#[must_use]
pub fn weight_clock(mass: f64) -> Scene {
    let mut scene = pendulum_clock(0.0);
    scene.duration = 30.0;
    scene.view = Some(View { left: -2.2, bottom: -2.6, right: 2.2, top: 1.7 });
    scene.force_laws.retain(|law| !matches!(law, ForceLaw::ConstantForce { .. }));
    let weight =
        Body::new(Shape::Block { width: 0.24, height: 0.36 }).named("weight").mass(mass).at(DRUM, -1.1);
    scene.bodies.push(["wheel", "anchor", "pendulum"].into_iter().fold(weight, Body::no_collide));
    scene.connectors.push(Connector::Prismatic(Prismatic {
        ends: Ends::new("ground", [DRUM, 0.0], "weight", [0.0; 2]),
        axis: [0.0, 1.0],
        angle: None,
        fitting: Fitting::named("guide"),
    }));
    // The wheel turns clockwise by the cord that runs off.
    scene.connectors.push(Connector::Coupler(Coupler {
        body_a: "weight".into(),
        coordinate_a: Coordinate::Y,
        factor_a: 1.0,
        body_b: "wheel".into(),
        coordinate_b: Coordinate::Angle,
        factor_b: -DRUM,
        of: Coupled::Positions,
        constant: None,
        fitting: Fitting::named("cord"),
    }));
    scene
}

/// Both pallets and what joins them, about the axis.
fn anchor(axis: f64) -> Shape {
    let (width, reach) = (0.12, 0.25);
    let (lean_sin, lean_cos) = trig::sin_cos(LEAN);
    let (sin, cos) = trig::sin_cos(SPAN);
    // Front tip, front heel, back heel, back tip: the wheel turns clockwise and meets the front.
    let pallet = |side: f64| {
        let at = Vec2::new(side * sin, cos - axis);
        let outwards = Vec2::new(side * sin, cos);
        let along = Vec2::new(cos, -side * sin);
        let normal = along * lean_cos + outwards * lean_sin;
        let face = outwards * lean_cos - along * lean_sin;
        let (tip, heel) = (at - face * DEPTH, at + face * reach);
        [tip, heel, heel + normal * width, tip + normal * width]
    };
    let ([left_tip, left_heel, _, left_back], [right_tip, right_heel, right_outer, right_back]) =
        (pallet(-1.0), pallet(1.0));
    let corners = [
        left_tip,
        left_back,
        Vec2::new(-0.22, -0.15),
        Vec2::new(0.22, -0.15),
        right_heel,
        right_tip,
        right_back,
        right_outer,
        Vec2::new(0.12, 0.12),
        Vec2::new(-0.12, 0.12),
        left_heel,
    ];
    Shape::Polygon { points: corners.iter().map(|p| [p.x, p.y]).collect(), moment_factor: None }
}
