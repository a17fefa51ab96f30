//! Random bodies in a box.

use super::contact::add_box;
use crate::{Body, ForceLaw, Scene, Shape, View};
use engine2d_math::random::Lcg32;
use std::f64::consts::PI;

/// Bodies side by side in a layer of the pile before it falls.
const PER_LAYER: u32 = 3;

/// Room for one body before the fall (length): its diagonal is at most 1.42.
const CELL: f64 = 1.5;

/// `count` random blocks and balls, dropped into a walled box; `seed` chooses sizes, angles and speeds.
///
/// Damping takes the energy away, so that the pile comes to rest.
#[must_use]
pub fn pile(count: u32, seed: u32) -> Scene {
    let mut scene = Scene::new("pile");
    let layers = count.div_ceil(PER_LAYER);
    let width = f64::from(PER_LAYER) * CELL;
    let height = (f64::from(layers) + 1.0) * CELL;
    scene.duration = 20.0;
    scene.view = Some(View { left: -width / 2.0 - 0.4, bottom: -0.4, right: width / 2.0 + 0.4, top: height });
    add_box(&mut scene, [0.0, height / 2.0], width, height);
    let mut generator = Lcg32::new(seed);
    let mut random = |low: f64, high: f64| low + (high - low) * generator.next_unit();
    for index in 0..count {
        let (column, layer) = (index % PER_LAYER, index / PER_LAYER);
        let x = (f64::from(column) + 0.5) * CELL - width / 2.0;
        let y = (f64::from(layer) + 1.0) * CELL;
        let is_ball = random(0.0, 1.0) < 0.4;
        let (a, b) = (random(0.5, 1.0), random(0.5, 1.0));
        let (shape, area) = if is_ball {
            (Shape::Ball { radius: 0.5 * a }, 0.25 * PI * a * a)
        } else {
            (Shape::Block { width: a, height: b }, a * b)
        };
        let name = if is_ball { format!("ball{index}") } else { format!("block{index}") };
        let body = Body::new(shape).named(name).mass(area).at(x, y).angle(random(0.0, PI));
        let (vx, vy, turn) = (random(-1.0, 1.0), random(-1.0, 0.0), random(-1.0, 1.0));
        scene.bodies.push(body.velocity(vx, vy).turning(turn).restitution(0.5));
    }
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene.force_laws.push(ForceLaw::Damping { coefficient: 0.5, rotate_ratio: 0.15, bodies: None });
    scene
}
