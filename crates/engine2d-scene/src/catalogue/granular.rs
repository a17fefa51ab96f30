//! Scenes of many loose bodies in steps of a fixed length: grains in a drum, a hopper and a column, blocks in a tumbler and in
//! the way of a heavy one, wheels down a slope.

use super::driven::turning;
use super::friction::{block, on_floor, rough};
use crate::body::{Body, Origin};
use crate::connector::Connector;
use crate::force_law::ForceLaw;
use crate::scene::{Scene, View};
use crate::settings::{Clock, ClockSettings, SteppingSolver};
use crate::shape::{Edge, Path, Shape};
use engine2d_math::random::Lcg32;
use engine2d_math::trig;

/// Steps a second.
const STEPS: f64 = 60.0;

/// The scene in exact steps of a fixed length.
pub(super) fn in_fixed_steps(mut scene: Scene) -> Scene {
    scene.settings.time_step = 1.0 / STEPS;
    scene.settings.clock = Some(Clock::Own(ClockSettings::stepping(SteppingSolver::Exact)));
    scene
}

/// A scene with weight and nothing else.
fn empty(name: &str, duration: f64, view: [f64; 4]) -> Scene {
    let mut scene = Scene::new(name);
    let [left, bottom, right, top] = view;
    scene.duration = duration;
    scene.view = Some(View { left, bottom, right, top });
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// A hollow body about the origin, turned by a motor at a speed (radians/time).
fn push_turned(scene: &mut Scene, name: &str, paths: Vec<Path>, friction: f64, speed: f64) {
    let shape = Shape::Paths { paths, moment_factor: None };
    let body = rough(name, shape, friction).center_of_mass(0.0, 0.0).mass(10.0).moment(10.0);
    scene.bodies.push(body.turning(speed));
    scene.connectors.push(Connector::pin("ground", [0.0; 2], name, [0.0; 2]));
    scene.connectors.push(Connector::Motor(turning("ground", name, speed, None, "motor")));
}

/// Radii of the grains of the drum.
const DRUM_GRAINS: [f64; 2] = [0.1, 0.14];

/// A drum half full of grains, small ones on the left and large ones on the right, turns at a speed (radians/time) and mixes
/// them.
#[must_use]
pub fn mixing_drum(grains: u32, speed: f64) -> Scene {
    const FRICTION: f64 = 0.6;
    const THICKNESS: f64 = 0.15;
    let [small, large] = DRUM_GRAINS;
    let pitch = 2.1 * large;
    // The grains fill some 60 % of the circle in which a square lattice has room for them.
    let inner = pitch + (f64::from(grains) / 0.6 / std::f64::consts::PI).sqrt() * pitch;
    let outer = inner + THICKNESS;
    let half = outer + 0.2;
    let mut scene = empty("mixing_drum", 8.0, [-half, -half, half, half]);
    let ring = |radius: f64, outside_is_out: bool| {
        let start = [radius, 0.0];
        let clockwise = !outside_is_out;
        let edge = Edge::Arc { to: start, center: [0.0; 2], clockwise, outside_is_out };
        Path { start, edges: vec![edge] }
    };
    push_turned(&mut scene, "drum", vec![ring(outer, true), ring(inner, false)], FRICTION, speed);
    let columns = (inner / pitch) as i32;
    let inside = |(k, row): &(i32, i32)| {
        let (x, y) = (pitch * (f64::from(*k) + 0.5), pitch * (f64::from(*row) + 0.5));
        x.hypot(y) < inner - large
    };
    let places = (-columns..columns).flat_map(|row| (-columns..columns).map(move |k| (k, row)));
    for (index, (k, row)) in places.filter(inside).take(grains as usize).enumerate() {
        let (kind, radius) = if k < 0 { ("small", small) } else { ("large", large) };
        let grain = rough(format!("{kind}{index}"), Shape::Ball { radius }, FRICTION);
        let mass = (radius / large) * (radius / large);
        let at = [k, row].map(|k| pitch * (f64::from(k) + 0.5));
        scene.bodies.push(grain.mass(mass).at(at[0], at[1]));
    }
    in_fixed_steps(scene)
}

/// A square box that a motor turns at a speed (radians/time) tumbles the blocks in it.
#[must_use]
pub fn tumbler(blocks: u32, speed: f64) -> Scene {
    const SIDE: f64 = 0.3;
    const FRICTION: f64 = 0.5;
    let pitch = 1.15 * SIDE;
    // A row is two thirds as wide as the box.
    let per_row = f64::from(blocks).sqrt().ceil();
    let inner = 0.75 * pitch * per_row + SIDE;
    let outer = inner + 0.2;
    let half = 1.5 * outer;
    let mut scene = empty("tumbler", 8.0, [-half, -half, half, half]);
    let square = |half: f64, solid: bool| {
        let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
        let edges = (1..=4_usize).map(|k| Edge::Line {
            to: corners[k % 4],
            // Of the outer square the top looks up and the right side to the right, of the inner one the others.
            outside_is_up: ((k == 3) || (k == 2)) == solid,
        });
        Path { start: corners[0], edges: edges.collect() }
    };
    push_turned(&mut scene, "box", vec![square(outer, true), square(inner, false)], FRICTION, speed);
    for index in 0..blocks {
        let (row, k) = (f64::from(index) / per_row, f64::from(index) % per_row);
        let at = [k, row.floor()].map(|k| (k - 0.5 * (per_row - 1.0)) * pitch);
        let block = rough(format!("block{index}"), block(SIDE, SIDE), FRICTION);
        scene.bodies.push(block.at(at[0], at[1]));
    }
    in_fixed_steps(scene)
}

/// Grains run out of a hopper whose opening is `opening` of their mean diameters wide, until some of them make an arch over it.
#[must_use]
pub fn hopper(grains: u32, opening: f64) -> Scene {
    const RADIUS: f64 = 0.15;
    const FRICTION: f64 = 0.8;
    const PER_ROW: u32 = 8;
    // The walls lean by this against the vertical.
    const LEAN: f64 = 0.5;
    const WALL: f64 = 0.2;
    const OUTLET: f64 = 2.0;
    // A length: what has run out comes to rest on the floor.
    const ROLLING: f64 = 0.01;
    let half_opening = opening * RADIUS;
    let pitch = 2.4 * RADIUS;
    let half_width = 0.5 * pitch * f64::from(PER_ROW);
    let (sin, cos) = trig::sin_cos(LEAN);
    // The grains start where the hopper is as wide as their rows.
    let start = OUTLET + (half_width - half_opening) * cos / sin + 2.0 * RADIUS;
    let rows = f64::from(grains.div_ceil(PER_ROW));
    let top = start + pitch * rows + 0.5;
    let mut scene = on_floor("hopper", FRICTION, 4.0, [-3.5, -0.5, 3.5, top]);
    let length = (top - OUTLET) / cos;
    for (name, side) in [("left_wall", -1.0), ("right_wall", 1.0)] {
        let wall = rough(name, block(WALL, length), FRICTION).fixed().angle(-side * LEAN);
        let x = half_opening + 0.5 * (length * sin + WALL * cos);
        scene.bodies.push(wall.at(side * x, OUTLET + 0.5 * (length * cos - WALL * sin)));
    }
    let mut generator = Lcg32::new(3);
    let mut random = |low: f64, high: f64| low + (high - low) * generator.next_unit();
    for index in 0..grains {
        let radius = RADIUS * random(0.85, 1.15);
        let (row, k) = (f64::from(index / PER_ROW), f64::from(index % PER_ROW));
        let x = pitch * (k + 0.5) - half_width + random(-0.02, 0.02);
        let grain = rough(format!("grain{index}"), Shape::Ball { radius }, FRICTION);
        let mass = (radius / RADIUS) * (radius / RADIUS);
        let mut grain = grain.mass(mass).at(x, start + pitch * row);
        grain.rolling_resistance = Some(ROLLING);
        scene.bodies.push(grain);
    }
    in_fixed_steps(scene)
}

/// A column of grains, twice as high as wide, that nothing holds any longer falls apart and spreads over the floor.
#[must_use]
pub fn granular_column(rows: u32, friction: f64) -> Scene {
    const RADIUS: f64 = 0.15;
    let columns = rows.div_ceil(2);
    let pitch = [2.05 * RADIUS, 2.0 * RADIUS * 0.75_f64.sqrt() * 1.02];
    let reach = 1.2 * pitch[1] * f64::from(rows) + 1.0;
    let top = pitch[1] * f64::from(rows) + 0.5;
    let mut scene = on_floor("granular_column", friction, 3.0, [-reach, -0.3, reach, top]);
    let mut generator = Lcg32::new(1);
    for row in 0..rows {
        for k in 0..columns {
            let shift = if row % 2 == 0 { -0.25 } else { 0.25 };
            let x = pitch[0] * (f64::from(k) + shift - 0.5 * f64::from(columns - 1));
            let radius = RADIUS * (0.9 + 0.1 * generator.next_unit());
            let grain = rough(format!("grain{row}_{k}"), Shape::Ball { radius }, friction);
            let mass = (radius / RADIUS) * (radius / RADIUS);
            scene.bodies.push(grain.mass(mass).at(x, RADIUS + pitch[1] * f64::from(row)));
        }
    }
    in_fixed_steps(scene)
}

/// Wheels roll down a slope of an angle (radians): discs in front, hoops, which are slower, behind.
#[must_use]
pub fn rolling_wheels(wheels: u32, angle: f64) -> Scene {
    const FRICTION: f64 = 0.6;
    const PITCH: f64 = 1.2;
    // The discs roll so far in the three seconds.
    const WAY: f64 = 9.5;
    let (sin, cos) = trig::sin_cos(angle);
    let length = PITCH * (f64::from(wheels) + 1.0) + WAY;
    let (top, left) = (length * sin, -length * cos);
    let mut scene = on_floor("rolling_wheels", FRICTION, 3.0, [left - 1.0, -1.0, 1.0, top + 1.5]);
    let points = vec![[left, 0.0], [0.0, 0.0], [left, top]];
    let slope = rough("slope", Shape::Polygon { points, moment_factor: None }, FRICTION);
    scene.bodies.push(Body { origin: Origin::Shape, ..slope.fixed() });
    for k in 0..wheels {
        let (name, factor) = if k < wheels.div_ceil(2) { ("disc", 0.5) } else { ("hoop", 1.0) };
        let radius = [0.25, 0.4, 0.5][k as usize % 3];
        let along = WAY + PITCH * (f64::from(k) + 0.5);
        let wheel = rough(format!("{name}{k}"), Shape::Ball { radius }, FRICTION);
        let wheel = wheel.moment(factor * radius * radius);
        scene.bodies.push(wheel.at(-along * cos + radius * sin, along * sin + radius * cos));
    }
    in_fixed_steps(scene)
}

/// A heavy block at a speed (length/time) meets a square of small ones, without weight: `rows` rows of as many.
#[must_use]
pub fn smash(rows: u32, speed: f64) -> Scene {
    const SIDE: f64 = 0.4;
    const GAP: f64 = 0.02;
    const HEAVY: f64 = 2.0;
    const FRICTION: f64 = 0.3;
    let pitch = SIDE + GAP;
    let width = pitch * f64::from(rows);
    let half = 0.5 * width + 2.0;
    let mut scene = Scene::new("smash");
    scene.duration = 4.0;
    scene.view = Some(View { left: -5.0, bottom: -half - 1.0, right: width + 9.0, top: half + 1.0 });
    let body = |name: String, side: f64| -> Body { rough(name, block(side, side), FRICTION) };
    let heavy = (HEAVY / SIDE) * (HEAVY / SIDE);
    scene.bodies.push(body("heavy".to_owned(), HEAVY).mass(4.0 * heavy).at(-3.0, 0.3).velocity(speed, 0.0));
    for row in 0..rows {
        for k in 0..rows {
            let at = [f64::from(k), f64::from(row) - 0.5 * f64::from(rows - 1)].map(|k| pitch * k);
            scene.bodies.push(body(format!("block{row}_{k}"), SIDE).at(at[0], at[1]));
        }
    }
    in_fixed_steps(scene)
}
