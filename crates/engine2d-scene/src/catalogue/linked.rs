//! Scenes of chains and joints among loose bodies, in steps of a fixed length.

use super::driven::push_ragdoll;
use super::friction::{block, on_floor, rough};
use super::granular::in_fixed_steps;
use super::masonry::wall;
use crate::body::BodyRef;
use crate::connector::Connector;
use crate::force_law::ForceLaw;
use crate::scene::{Scene, View};
use crate::shape::Shape;
use engine2d_math::trig;

/// A bridge of planks pinned to each other hangs between two banks and carries blocks.
#[must_use]
pub fn chain_bridge(planks: u32, load: f64) -> Scene {
    const LENGTH: f64 = 0.8;
    const HEIGHT: f64 = 0.15;
    const SAG: f64 = 0.3;
    const FRICTION: f64 = 0.6;
    const CRATE: f64 = 0.7;
    let mut scene = Scene::new("chain_bridge");
    scene.duration = 6.0;
    scene.force_laws.push(ForceLaw::gravity(9.81));
    // Slopes grow evenly, as those of a hanging bridge do.
    let slope = |k: u32| SAG * (2.0 * (f64::from(k) + 0.5) / f64::from(planks) - 1.0);
    let (mut pin, mut last, mut on) = ([0.0; 2], BodyRef::ground(), [0.0; 2]);
    let mut lowest = 0.0_f64;
    for k in 0..planks {
        let (sin, cos) = trig::sin_cos(slope(k));
        let name = format!("plank{k}");
        let plank = rough(name.as_str(), block(LENGTH, HEIGHT), FRICTION).angle(slope(k));
        scene.bodies.push(plank.at(pin[0] + 0.5 * LENGTH * cos, pin[1] + 0.5 * LENGTH * sin));
        scene.connectors.push(Connector::pin(last, on, name.as_str(), [-0.5 * LENGTH, 0.0]));
        pin = [pin[0] + LENGTH * cos, pin[1] + LENGTH * sin];
        lowest = lowest.min(pin[1]);
        (last, on) = (BodyRef::Name(name), [0.5 * LENGTH, 0.0]);
    }
    let span = pin[0];
    scene.connectors.push(Connector::pin("ground", pin, last, on));
    for (name, x) in [("left_bank", -1.0), ("right_bank", span + 1.0)] {
        scene.bodies.push(rough(name, block(1.6, 2.0), FRICTION).fixed().at(x, -1.0 + 0.5 * HEIGHT));
    }
    for (name, [x, y]) in [("crate0", [-0.55, 0.0]), ("crate1", [0.55, 0.0]), ("crate2", [0.0, 1.0])] {
        let base = lowest + HEIGHT + 0.6 * CRATE;
        let crate_ = rough(name, block(CRATE, CRATE), FRICTION).mass(load / 3.0);
        scene.bodies.push(crate_.at(0.5 * span + x, base + 0.1 + 1.1 * CRATE * y));
    }
    scene.view = Some(View { left: -2.0, bottom: lowest - 2.5, right: span + 2.0, top: 2.0 });
    in_fixed_steps(scene)
}

/// A heavy ball on a chain swings into a wall of `rows` courses.
#[must_use]
pub fn wrecking_ball(rows: u32, mass: f64) -> Scene {
    const LINKS: u32 = 8;
    const RADIUS: f64 = 0.6;
    const LEAN: f64 = 1.2;
    let mut scene = wall(rows);
    scene.duration = 4.0;
    let half = 0.5 * f64::from(rows);
    let height = 0.5 * f64::from(rows);
    // The chain hangs so that the ball meets the wall at two thirds of its height, straight below the hook.
    let link = (0.8 * height.max(1.0) + 2.0) / f64::from(LINKS);
    let length = link * f64::from(LINKS) + RADIUS;
    let hook = [-half - RADIUS, height / 1.5 + length + 0.1];
    let (sin, cos) = trig::sin_cos(LEAN);
    // Along the chain, down to the left.
    let along = |way: f64| [hook[0] - way * sin, hook[1] - way * cos];
    let (mut last, mut on) = (BodyRef::ground(), hook);
    for k in 0..LINKS {
        let at = along(link * (f64::from(k) + 0.5));
        let name = format!("link{k}");
        // Links lie along their own first axis, which points down the chain.
        let body = rough(name.as_str(), block(link, 0.08), 0.4).mass(1.0).at(at[0], at[1]);
        scene.bodies.push(body.angle(-std::f64::consts::FRAC_PI_2 - LEAN));
        scene.connectors.push(Connector::pin(last, on, name.as_str(), [-0.5 * link, 0.0]));
        (last, on) = (BodyRef::Name(name), [0.5 * link, 0.0]);
    }
    let at = along(length);
    let turn = -std::f64::consts::FRAC_PI_2 - LEAN;
    let ball = rough("ball", Shape::Ball { radius: RADIUS }, 0.4).mass(mass).angle(turn);
    scene.bodies.push(ball.at(at[0], at[1]));
    scene.connectors.push(Connector::pin(last, on, "ball", [-RADIUS, 0.0]));
    let left = along(length)[0] - 1.5;
    scene.view = Some(View { left, bottom: -0.5, right: half + 5.0, top: hook[1] + 0.5 });
    in_fixed_steps(scene)
}

/// Ragdolls fall down a flight of stairs.
#[must_use]
pub fn ragdoll_stairs(ragdolls: u32, friction: f64) -> Scene {
    const STAIRS: u32 = 8;
    const TREAD: [f64; 2] = [0.8, 0.45];
    let [depth, rise] = TREAD;
    let run = depth * f64::from(STAIRS);
    let top = rise * f64::from(STAIRS);
    let high = top + 2.6 + 2.6 * f64::from(ragdolls);
    let mut scene = on_floor("ragdoll_stairs", friction, 6.0, [-2.0, -0.5, run + 6.0, high.min(12.0)]);
    for k in 0..STAIRS {
        let width = depth * f64::from(k + 1);
        let stair = rough(format!("stair{k}"), block(width, rise), friction).fixed();
        scene.bodies.push(stair.at(0.5 * width, top - rise * (f64::from(k) + 0.5)));
    }
    for k in 0..ragdolls {
        let at = [0.9, top + 2.0 + 2.6 * f64::from(k)];
        push_ragdoll(&mut scene, &format!("ragdoll{k}_"), at, [1.5, 0.0, -1.0 - 0.3 * f64::from(k)]);
    }
    scene.bodies.iter_mut().for_each(|body| body.friction = Some(friction.into()));
    in_fixed_steps(scene)
}

/// A pin between two bodies, at a place on the first and opposite to it on the second.
fn push_pin(scene: &mut Scene, [first, second]: [String; 2], [x, y]: [f64; 2]) {
    scene.connectors.push(Connector::pin(first.as_str(), [x, y], second.as_str(), [-x, -y]));
}

/// A square of `rows` rows of as many balls, each pinned half-way to its neighbours, hangs by the pin of one corner: more pins than
/// hold it in shape, and it can only fold and swing.
#[must_use]
pub fn joint_grid(rows: u32, pitch: f64) -> Scene {
    let mut scene = Scene::new("joint_grid");
    scene.duration = 5.0;
    let half = 0.5 * pitch;
    let diagonal = 1.5 * pitch * f64::from(rows);
    scene.view = Some(View { left: -diagonal, bottom: -diagonal, right: diagonal, top: 0.5 * diagonal });
    scene.force_laws.push(ForceLaw::gravity(9.81));
    let name = |row: u32, k: u32| format!("ball{row}_{k}");
    for row in 0..rows {
        for k in 0..rows {
            let ball = rough(name(row, k), Shape::Ball { radius: 0.25 * pitch }, 0.5);
            scene.bodies.push(ball.at(pitch * f64::from(k), -pitch * f64::from(row)));
            if k > 0 {
                push_pin(&mut scene, [name(row, k - 1), name(row, k)], [half, 0.0]);
            }
            if row > 0 {
                push_pin(&mut scene, [name(row - 1, k), name(row, k)], [0.0, -half]);
            }
        }
    }
    if rows > 0 {
        scene.connectors.push(Connector::pin("ground", [0.0; 2], name(0, 0).as_str(), [0.0; 2]));
    }
    in_fixed_steps(scene)
}
