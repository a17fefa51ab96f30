//! Scenes about Coulomb friction.

use super::compliant::precise;
use crate::body::{Body, Friction};
use crate::force_law::ForceLaw;
use crate::scene::{Scene, View};
use crate::shape::Shape;
use engine2d_math::trig;

/// A rough body that gives back nothing of a collision.
pub(super) fn rough(name: impl Into<String>, shape: Shape, friction: f64) -> Body {
    Body::new(shape).named(name).restitution(0.0).friction(friction)
}

pub(super) fn block(width: f64, height: f64) -> Shape {
    Shape::Block { width, height }
}

/// A scene with a floor whose top is at height 0.
pub(super) fn on_floor(name: &str, friction: f64, duration: f64, view: [f64; 4]) -> Scene {
    let mut scene = Scene::new(name);
    let [left, bottom, right, top] = view;
    scene.duration = duration;
    scene.view = Some(View { left, bottom, right, top });
    scene.bodies.push(rough("floor", block(60.0, 1.0), friction).fixed().at(0.0, -0.5));
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// Blocks of several coefficients on a slope of the given angle (radians): those with `μ > tan angle` stay.
#[must_use]
pub fn rough_slope(angle: f64) -> Scene {
    let mut scene = Scene::new("rough_slope");
    scene.duration = 2.0;
    scene.view = Some(View { left: -8.0, bottom: -7.0, right: 8.0, top: 7.0 });
    let (sin, cos) = trig::sin_cos(angle);
    // The slope takes what the blocks bring: the larger coefficient counts.
    scene.settings.friction_rule = crate::FrictionRule::Maximum;
    let slope = rough("slope", block(18.0, 1.0), 0.0).fixed().angle(angle);
    scene.bodies.push(slope.at(0.5 * sin, -0.5 * cos));
    for (k, share) in [0.5, 0.9, 0.999, 1.001, 1.5].into_iter().enumerate() {
        let along = 5.0 - 2.0 * k as f64;
        let at = [along * cos - 0.25 * sin, along * sin + 0.25 * cos];
        let body = rough(format!("block{k}"), block(1.0, 0.5), share * sin / cos);
        scene.bodies.push(body.angle(angle).at(at[0], at[1]));
    }
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// A disc, a hoop and a ball thrown along a rough floor slide until they roll; one is thrown with a turn that brings it back.
#[must_use]
pub fn rolling(friction: f64) -> Scene {
    let mut scene = on_floor("rolling", friction, 4.0, [-12.0, -1.0, 14.0, 6.0]);
    for (k, (name, factor, turning)) in
        [("disc", 0.5, 0.0), ("hoop", 1.0, 0.0), ("ball", 0.4, 0.0), ("returning", 0.5, 30.0)]
            .into_iter()
            .enumerate()
    {
        let radius = 0.5;
        let body = rough(name, Shape::Ball { radius }, friction).moment(factor * radius * radius);
        let body = body.at(-10.0 + 2.5 * k as f64, radius).velocity(4.0, 0.0).turning(turning);
        scene.bodies.push(body);
    }
    let names = ["disc", "hoop", "ball", "returning"];
    for (k, name) in names.iter().enumerate() {
        for other in &names[k + 1..] {
            if let Some(body) = scene.bodies.iter_mut().find(|b| b.name.as_deref() == Some(name)) {
                body.no_collide.push((*other).into());
            }
        }
    }
    scene
}

/// A ladder against a smooth wall at `share` of the tangent at which it slips: that of a ladder of length `l` and thickness `w` is
/// `1/(2 μ + w/l)`.
#[must_use]
pub fn ladder(friction: f64, share: f64) -> Scene {
    let mut scene = on_floor("ladder", friction, 4.0, [-1.5, -1.0, 4.0, 4.0]);
    let (length, width) = (3.0, 0.02);
    let (sin, cos) = trig::sin_cos(trig::atan2(share, 2.0 * friction + width / length));
    scene.bodies.push(rough("wall", block(1.0, 8.0), 0.0).fixed().at(-0.5, 4.0));
    let ladder = rough("ladder", block(length, width), friction).mass(10.0);
    let ladder = ladder.angle(std::f64::consts::PI - trig::atan2(sin, cos));
    scene.bodies.push(ladder.at(0.5 * (length * cos + width * sin), 0.5 * (length * sin + width * cos)));
    scene
}

/// A row of dominoes; the first is pushed.
#[must_use]
pub fn dominoes(count: u32) -> Scene {
    let mut scene = on_floor("dominoes", 0.5, 5.0, [-1.0, -0.5, 8.0, 2.5]);
    for k in 0..count {
        let piece = rough(format!("domino{k}"), block(0.15, 1.0), 0.4).at(0.45 * f64::from(k), 0.5);
        scene.bodies.push(if k == 0 { piece.turning(-1.5).velocity(0.75, 0.0) } else { piece });
    }
    scene
}

/// A tall block let go leaning on one corner rocks from corner to corner, less with each impact.
#[must_use]
pub fn rocking_block(lean: f64) -> Scene {
    let mut scene = on_floor("rocking_block", 1.0, 6.0, [-2.0, -0.5, 2.0, 3.0]);
    let (half_width, half_height) = (0.25, 1.0);
    let (sin, cos) = trig::sin_cos(lean);
    let at = [half_width * cos - half_height * sin, half_width * sin + half_height * cos];
    let body = rough("block", block(2.0 * half_width, 2.0 * half_height), 1.0);
    scene.bodies.push(body.angle(lean).at(at[0], at[1]));
    scene
}

/// A chalk pushed over a board: beyond the critical coefficient it jams (\[Painlevé 1895\]).
#[must_use]
pub fn chalk(friction: f64) -> Scene {
    let mut scene = on_floor("chalk", friction, 2.0, [-4.0, -0.5, 2.0, 3.0]);
    const WIDTH: f64 = 1e-3;
    let length = 2.0;
    let angle = trig::atan2(2.0, 1.0);
    let (sin, cos) = trig::sin_cos(angle);
    let chalk = rough("chalk", block(length, WIDTH), friction).angle(angle).velocity(-2.0, 0.0);
    scene.bodies.push(chalk.at(0.5 * length * cos, 0.5 * (length * sin + WIDTH * cos)));
    scene
}

/// A block that is thrown onto a stack: rough bodies come to rest on each other.
#[must_use]
pub fn rough_stack(friction: f64) -> Scene {
    let mut scene = on_floor("rough_stack", friction, 4.0, [-6.0, -0.5, 6.0, 6.0]);
    for row in 0..4_u32 {
        for k in 0..4 - row {
            let at = [1.1 * (f64::from(k) - 1.5 + 0.5 * f64::from(row)), 0.5 + f64::from(row)];
            scene.bodies.push(rough(format!("stone{row}{k}"), block(1.0, 1.0), friction).at(at[0], at[1]));
        }
    }
    let ball = rough("ball", Shape::Ball { radius: 0.4 }, friction).mass(3.0);
    scene.bodies.push(ball.at(-5.0, 3.0).velocity(8.0, 2.0));
    let both = Friction::Both { at_rest: 1.2 * friction, kinetic: friction };
    scene.bodies.iter_mut().for_each(|body| body.friction = Some(both));
    scene
}

/// Tolerance of the motion on a belt: what a spring stores and gives back is to agree over many strokes.
const MANY_STROKES: f64 = 1e-11;

/// A block on a spring on a belt sticks and slips.
#[must_use]
pub fn stick_slip(at_rest: f64, kinetic: f64) -> Scene {
    let speed = 0.4;
    let mut scene = on_floor("stick_slip", 0.0, 10.0, [-3.0, -1.5, 4.0, 2.0]);
    scene.settings.solver = precise(MANY_STROKES);
    let both = Friction::Both { at_rest, kinetic };
    if let Some(belt) = scene.bodies.first_mut() {
        belt.surface_speed = -speed;
    }
    let block = rough("block", block(1.5, 0.5), 0.0).at(0.0, 0.25).mass(1.5).velocity(speed, 0.0);
    scene.bodies.push(block);
    scene.bodies.iter_mut().for_each(|body| body.friction = Some(both));
    scene.force_laws.push(ForceLaw::Spring {
        name: Some("spring".to_owned()),
        body_a: "ground".into(),
        point_a: [-2.75, 0.0],
        body_b: "block".into(),
        point_b: [-0.75, -0.25],
        rest_length: 2.0,
        stiffness: 20.0,
        damping: 0.0,
        compress_only: false,
    });
    scene
}
