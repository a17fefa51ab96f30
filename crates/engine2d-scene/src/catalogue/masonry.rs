//! Scenes of many blocks that only their weight and friction hold, as large as wanted.

use super::friction::{block, on_floor, rough};
use crate::scene::Scene;
use crate::shape::Shape;
use engine2d_math::trig;
use std::f64::consts::PI;

/// Coefficient of friction of stones.
const STONE: f64 = 0.6;

/// A pyramid of unit blocks with gaps between them; `rows` rows.
#[must_use]
pub fn pyramid(rows: u32) -> Scene {
    let half = 0.55 * f64::from(rows) + 1.0;
    let mut scene = on_floor("pyramid", STONE, 5.0, [-half, -0.5, half, f64::from(rows) + 0.5]);
    for row in 0..rows {
        for k in 0..rows - row {
            let x = (f64::from(k) - 0.5 * f64::from(rows - row - 1)) * 1.1;
            let stone = rough(format!("stone{row}_{k}"), block(1.0, 1.0), STONE);
            scene.bodies.push(stone.at(x, 0.5 + f64::from(row)));
        }
    }
    widen_floor(&mut scene, half);
    scene
}

/// A wall of `rows` courses in running bond, twice as long as high, with half stones at its ends.
#[must_use]
pub fn wall(rows: u32) -> Scene {
    let half = f64::from(rows) + 1.0;
    let mut scene = on_floor("wall", STONE, 5.0, [-half, -0.5, half, 0.5 * f64::from(rows) + 0.5]);
    for row in 0..rows {
        let y = 0.25 + 0.5 * f64::from(row);
        let shift = if row % 2 == 0 { 0.0 } else { 0.5 };
        let whole = rows - row % 2;
        for k in 0..whole {
            let x = f64::from(k) - 0.5 * f64::from(rows) + 0.5 + shift;
            scene.bodies.push(rough(format!("stone{row}_{k}"), block(1.0, 0.5), STONE).at(x, y));
        }
        if row % 2 == 1 {
            for (side, name) in [(-1.0, "left"), (1.0, "right")] {
                let x = side * (0.5 * f64::from(rows) - 0.25);
                scene.bodies.push(rough(format!("{name}{row}"), block(0.5, 0.5), STONE).at(x, y));
            }
        }
    }
    widen_floor(&mut scene, half);
    scene
}

/// A round arch of `stones` equal stones, a fifth of its radius thick, without mortar. Thinner than a ninth it would not stand
/// (\[Heyman 1969\]).
#[must_use]
pub fn arch(stones: u32) -> Scene {
    round_arch(stones, 0.2, STONE)
}

/// A round arch of a thickness, as a share of its mean radius, and of a coefficient of friction.
#[must_use]
pub fn round_arch(stones: u32, thickness: f64, friction: f64) -> Scene {
    const RADIUS: f64 = 3.0;
    let mut scene = on_floor("arch", friction, 5.0, [-4.5, -0.5, 4.5, 4.5]);
    let (inner, outer) = (RADIUS * (1.0 - 0.5 * thickness), RADIUS * (1.0 + 0.5 * thickness));
    for k in 0..stones {
        let ends = [k, k + 1].map(|k| PI * f64::from(k) / f64::from(stones));
        let [(s0, c0), (s1, c1)] = ends.map(trig::sin_cos);
        let corners = vec![
            [inner * c0, inner * s0],
            [outer * c0, outer * s0],
            [outer * c1, outer * s1],
            [inner * c1, inner * s1],
        ];
        let center = centroid(&corners);
        let points = corners.iter().map(|p| [p[0] - center[0], p[1] - center[1]]).collect();
        let stone = rough(format!("stone{k}"), Shape::Polygon { points, moment_factor: None }, friction);
        scene.bodies.push(stone.at(center[0], center[1]));
    }
    scene
}

/// A house of cards of `stories`: pairs that lean on each other, and cards across.
#[must_use]
pub fn card_house(stories: u32) -> Scene {
    const LENGTH: f64 = 1.0;
    const THICKNESS: f64 = 0.02;
    const LEAN: f64 = 0.3;
    let friction = 0.8;
    let (sin, cos) = trig::sin_cos(LEAN);
    // The tip of a card is above its foot by this, and beside it by that.
    let height = LENGTH * cos + THICKNESS * sin;
    let reach = 0.5 * (LENGTH * sin + THICKNESS * cos);
    let pitch = 4.0 * reach + 0.1;
    let half = 0.5 * pitch * f64::from(stories) + 1.0;
    let top = f64::from(stories) * (height + THICKNESS) + 0.5;
    let mut scene = on_floor("card_house", friction, 5.0, [-half, -0.3, half, top]);
    let card = |name: String| rough(name, block(THICKNESS, LENGTH), friction);
    for story in 0..stories {
        let pairs = stories - story;
        let y = f64::from(story) * (height + THICKNESS) + 0.5 * height;
        for k in 0..pairs {
            let x = (f64::from(k) - 0.5 * f64::from(pairs - 1)) * pitch;
            scene.bodies.push(card(format!("left{story}_{k}")).angle(-LEAN).at(x - reach, y));
            scene.bodies.push(card(format!("right{story}_{k}")).angle(LEAN).at(x + reach, y));
        }
        let y = y + 0.5 * height + 0.5 * THICKNESS;
        for k in 0..pairs.saturating_sub(1) {
            let x = (f64::from(k) - 0.5 * f64::from(pairs) + 1.0) * pitch;
            let flat = rough(format!("flat{story}_{k}"), block(pitch, THICKNESS), friction);
            scene.bodies.push(flat.at(x, y));
        }
    }
    scene
}

/// Centroid of a polygon.
fn centroid(corners: &[[f64; 2]]) -> [f64; 2] {
    let (mut area, mut sum) = (0.0, [0.0; 2]);
    for (k, p) in corners.iter().enumerate() {
        let q = corners[(k + 1) % corners.len()];
        let part = p[0] * q[1] - p[1] * q[0];
        area += 3.0 * part;
        sum = [sum[0] + part * (p[0] + q[0]), sum[1] + part * (p[1] + q[1])];
    }
    sum.map(|x| x / area)
}

/// A floor as wide as what stands on it.
fn widen_floor(scene: &mut Scene, half: f64) {
    if let Some(floor) = scene.bodies.first_mut() {
        floor.shape = block((4.0 * half).max(60.0), 1.0);
    }
}
