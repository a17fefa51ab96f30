//! Machines: bodies that joints, springs, curves and teeth make move together.

use super::contact::push_floor;
use crate::{Body, BodyRef, Connector, Curve, ForceLaw, Frame, Scene, Shape, View};
use engine2d_math::trig;
use std::f64::consts::{PI, TAU};

/// Joints that let a body slide along a direction without turning: two points held across it.
fn push_slider(scene: &mut Scene, body: &str, at: [f64; 2], normal: [f64; 2]) {
    const HALF_BASE: f64 = 0.3;
    for side in [-HALF_BASE, HALF_BASE] {
        // The two points lie along the track, which is across the normal.
        let offset = [side * normal[1], -side * normal[0]];
        scene.connectors.push(Connector::Joint {
            body_a: BodyRef::ground(),
            point_a: [at[0] + offset[0], at[1] + offset[1]],
            body_b: body.into(),
            point_b: offset,
            normal,
            frame: Frame::World,
        });
    }
}

fn spring(body_a: &str, point_a: [f64; 2], body_b: &str, point_b: [f64; 2], rest_length: f64) -> ForceLaw {
    ForceLaw::Spring {
        name: None,
        body_a: body_a.into(),
        point_a,
        body_b: body_b.into(),
        point_b,
        rest_length,
        stiffness: 60.0,
        damping: 0.0,
        compress_only: false,
    }
}

/// A car whose wheels slide up and down on damped springs rolls over bumps at a speed (length/time).
#[must_use]
pub fn car(speed: f64) -> Scene {
    let mut scene = Scene::new("car");
    scene.settings.time_step = 0.01;
    scene.duration = 6.0;
    scene.view = Some(View { left: -7.0, bottom: -1.2, right: 13.0, top: 4.5 });
    push_floor(&mut scene, 60.0);
    for (k, x) in [0.0, 3.0, 4.5].into_iter().enumerate() {
        let points = vec![[-0.8, 0.0], [0.8, 0.0], [0.3, 0.2], [-0.3, 0.2]];
        let bump =
            Body::new(Shape::Polygon { points, moment_factor: None }).named(format!("bump{k}")).fixed();
        // The centre of mass of the outline is the middle of its bounds.
        let mut bump = bump.at(x, 0.1).restitution(0.0);
        bump.no_collide = vec!["floor".into()];
        scene.bodies.push(bump);
    }
    let chassis =
        Body::new(Shape::RoundCornerBlock { width: 3.6, height: 0.8, radius: 0.2 }).named("chassis");
    scene.bodies.push(chassis.mass(2.0).at(-5.0, 1.25).velocity(speed, 0.0).restitution(0.2));
    for (name, x) in [("rear_wheel", -1.2), ("front_wheel", 1.2)] {
        let wheel = Body::new(Shape::Ball { radius: 0.45 }).named(name).mass(0.3);
        scene.bodies.push(wheel.at(-5.0 + x, 0.455).velocity(speed, 0.0).restitution(0.0));
        scene.connectors.push(Connector::Joint {
            body_a: name.into(),
            point_a: [0.0, 0.0],
            body_b: "chassis".into(),
            point_b: [x, 0.0],
            normal: [1.0, 0.0],
            frame: Frame::Body,
        });
        let mut suspension = spring("chassis", [x, 0.3], name, [0.0, 0.0], 1.25);
        if let ForceLaw::Spring { damping, .. } = &mut suspension {
            *damping = 4.0;
        }
        scene.force_laws.push(suspension);
    }
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// A cart on a level track, held by a spring, with a pendulum hanging from it at an angle (radians).
#[must_use]
pub fn cart_pendulum(angle: f64) -> Scene {
    let mut scene = Scene::new("cart_pendulum");
    scene.settings.time_step = 0.01;
    scene.view = Some(View { left: -4.5, bottom: -3.0, right: 4.5, top: 1.5 });
    let cart = Body::new(Shape::Block { width: 1.4, height: 0.7 }).named("cart").mass(2.0);
    scene.bodies.push(cart);
    push_slider(&mut scene, "cart", [0.0, 0.0], [0.0, 1.0]);
    let (sin, cos) = trig::sin_cos(angle);
    let mut bar =
        Body::new(Shape::Block { width: 0.15, height: 2.0 }).named("pendulum").at(sin, -cos).angle(angle);
    bar.no_collide = vec!["cart".into()];
    scene.bodies.push(bar);
    scene.connectors.push(Connector::pin("cart", [0.0, 0.0], "pendulum", [0.0, 1.0]));
    let mut hold = spring("ground", [-4.0, 0.0], "cart", [-0.7, 0.0], 3.3);
    if let ForceLaw::Spring { stiffness, .. } = &mut hold {
        *stiffness = 8.0;
    }
    scene.force_laws.push(hold);
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// The trammel of Archimedes: two shuttles on crossed tracks, and a handle that one force turns.
#[must_use]
pub fn do_nothing_grinder() -> Scene {
    let mut scene = Scene::new("do_nothing_grinder");
    scene.settings.time_step = 0.01;
    scene.duration = 15.0;
    scene.view = Some(View { left: -4.5, bottom: -3.0, right: 4.5, top: 4.5 });
    let handle = Body::new(Shape::RoundBlock { width: 0.3, height: 4.3 }).named("handle");
    scene.bodies.push(handle.at(0.0, 2.0));
    for (name, y) in [("level_shuttle", 0.0), ("upright_shuttle", 1.0)] {
        let (width, height) = if y == 0.0 { (0.8, 0.4) } else { (0.4, 0.8) };
        let mut shuttle = Body::new(Shape::Block { width, height }).named(name).mass(0.5).at(0.0, y);
        shuttle.no_collide = vec!["handle".into(), "level_shuttle".into()];
        if y == 0.0 {
            shuttle.no_collide.pop();
        }
        scene.bodies.push(shuttle);
    }
    push_slider(&mut scene, "level_shuttle", [0.0, 0.0], [0.0, 1.0]);
    push_slider(&mut scene, "upright_shuttle", [0.0, 1.0], [1.0, 0.0]);
    scene.connectors.push(Connector::pin("level_shuttle", [0.0, 0.0], "handle", [0.0, -2.0]));
    scene.connectors.push(Connector::pin("upright_shuttle", [0.0, 0.0], "handle", [0.0, -1.0]));
    scene.force_laws.push(ForceLaw::ConstantForce {
        body: "handle".into(),
        location: [0.0, 2.0],
        location_frame: Frame::Body,
        force: [0.6, 0.0],
        force_frame: Frame::Body,
        torque: 0.0,
    });
    scene.force_laws.push(ForceLaw::Damping { coefficient: 0.2, rotate_ratio: 0.5, bodies: None });
    scene
}

/// A ball on a track with a hump, released high enough to pass it.
#[must_use]
pub fn roller_coaster() -> Scene {
    const START: f64 = -2.9;
    let mut scene = Scene::new("roller_coaster");
    scene.settings.time_step = 0.005;
    scene.view = Some(View { left: -4.0, bottom: -0.5, right: 4.0, top: 6.5 });
    let hump = Curve::Polynomial {
        x: vec![0.0, 1.0],
        y: vec![3.0, 0.0, -7.0 / 6.0, 0.0, 1.0 / 6.0],
        from: -3.0,
        to: 3.0,
        table_length: Curve::DEFAULT_TABLE_LENGTH,
    };
    let square = START * START;
    let height = 3.0 - 7.0 / 6.0 * square + square * square / 6.0;
    scene.curves.insert("hump".to_owned(), hump);
    scene.bodies.push(Body::new(Shape::Ball { radius: 0.3 }).named("ball").at(START, height));
    scene.connectors.push(Connector::PathJoint {
        body: "ball".into(),
        point: [0.0, 0.0],
        curve: "hump".to_owned(),
    });
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// Two gears of the same size on fixed axles, one of them driven.
#[must_use]
pub fn gears(teeth: u32) -> Scene {
    let mut scene = Scene::new("gears");
    scene.settings.time_step = 0.005;
    scene.duration = 6.0;
    let (root, tip) = (2.0, 2.0 + 4.5 / f64::from(teeth));
    // The tips reach not quite to the roots of the other gear.
    let half = 0.5 * (root + tip + 0.05);
    scene.view = Some(View { left: -2.5 * half, bottom: -1.4 * tip, right: 2.5 * half, top: 1.4 * tip });
    for (name, x, angle) in [("driver", -half, 0.0), ("driven", half, PI)] {
        // A tooth of one points at a gap of the other.
        let angle = if name == "driven" { angle + PI / f64::from(teeth) } else { angle };
        let gear = Body::new(toothed_wheel(teeth, root, tip, 0.24, 0.10))
            .named(name)
            .mass(2.0)
            .at(x, 0.0)
            .angle(angle);
        scene.bodies.push(gear.center_of_mass(0.0, 0.0).restitution(0.1));
        scene.connectors.push(Connector::pin("ground", [x, 0.0], name, [0.0, 0.0]));
    }
    scene.force_laws.push(ForceLaw::ConstantForce {
        body: "driver".into(),
        location: [0.0, 0.0],
        location_frame: Frame::Body,
        force: [0.0, 0.0],
        force_frame: Frame::World,
        torque: 3.0,
    });
    scene.force_laws.push(ForceLaw::Damping { coefficient: 0.2, rotate_ratio: 5.0, bodies: None });
    scene
}

/// A wheel about the origin with tapered teeth, the first one along x; `wide` and `narrow` are half a tooth at its root
/// and tip, as parts of the pitch.
pub(super) fn toothed_wheel(teeth: u32, root: f64, tip: f64, wide: f64, narrow: f64) -> Shape {
    let pitch = TAU / f64::from(teeth);
    let (wide, narrow) = (wide * pitch, narrow * pitch);
    let mut points = Vec::new();
    for tooth in 0..teeth {
        let middle = f64::from(tooth) * pitch;
        for (radius, angle) in
            [(root, middle - wide), (tip, middle - narrow), (tip, middle + narrow), (root, middle + wide)]
        {
            let (sin, cos) = trig::sin_cos(angle);
            points.push([radius * cos, radius * sin]);
        }
    }
    Shape::Polygon { points, moment_factor: Some(0.5 * root * root) }
}
