//! Scenes of bodies that friction holds up to a limit: of each two, one inside the limit and one beyond it.

use super::friction::{block, on_floor, rough};
use crate::body::{Body, Origin};
use crate::connector::Connector;
use crate::force_law::{ForceLaw, Frame};
use crate::joint::{Ends, Fitting, Prismatic};
use crate::scene::{Scene, View};
use crate::shape::Shape;
use engine2d_math::trig;

/// A rough body between corners given in the world.
fn drawn(name: &str, points: &[[f64; 2]], friction: f64) -> Body {
    let mut body = rough(name, Shape::Polygon { points: points.to_vec(), moment_factor: None }, friction);
    body.origin = Origin::Shape;
    body
}

/// Length of the drawers in their guides, and their width.
const DRAWER: [f64; 2] = [1.2, 0.6];

/// How far drawers turn in their guides before they touch on both sides (radians).
const DRAWER_TURN: f64 = 0.03;

/// Force on the handle of a drawer of unit mass.
const DRAWER_PULL: f64 = 5.0;

/// Eccentricity of the pull beyond which a drawer jams: it touches at two opposite corners, `l` apart along the guide, and jams
/// from `l/(2 μ)` on.
fn drawer_limit(friction: f64) -> f64 {
    let [length, width] = DRAWER;
    let (sin, cos) = trig::sin_cos(DRAWER_TURN);
    (length * cos - width * sin) / (2.0 * friction)
}

/// Two drawers pulled beside their middle, seen from above: one at `share` of the eccentricity at which it jams, which
/// comes, and one at the inverse of that, which does not.
#[must_use]
pub fn drawer(friction: f64, share: f64) -> Scene {
    let mut scene = Scene::new("drawer");
    scene.duration = 1.4;
    scene.view = Some(View { left: -1.5, bottom: -4.5, right: 4.5, top: 4.5 });
    let [length, width] = DRAWER;
    let (sin, cos) = trig::sin_cos(DRAWER_TURN);
    let opening = length * sin + width * cos;
    for (name, side, share) in [("sliding", 1.0, share), ("jammed", -1.0, 1.0 / share)] {
        // The handle is on a bar in front of the guide, and the pull along the guide.
        let (from, to, half) = (2.0, 2.2, 0.1);
        let reach = (share * drawer_limit(friction) + to * sin) / cos;
        let (x, y) = (0.5 * length, 0.5 * width);
        let outline = [
            [-x, -y],
            [x, -y],
            [x, -half],
            [from, -half],
            [from, -reach],
            [to, -reach],
            [to, half],
            [x, half],
            [x, y],
            [-x, y],
        ];
        let middle = side * 1.5;
        let body = drawn(name, &outline.map(|[x, y]| [x, -side * y]), friction);
        let body = body.center_of_mass(0.0, 0.0).angle(-side * DRAWER_TURN).at(0.0, middle);
        scene.bodies.push(body);
        for (rail, up) in [("left", 1.0), ("right", -1.0)] {
            let rail = rough(format!("{name}_{rail}"), block(2.4, 0.2), friction);
            scene.bodies.push(rail.fixed().at(0.4, middle + up * (0.5 * opening + 0.1)));
        }
        scene.force_laws.push(ForceLaw::ConstantForce {
            body: name.into(),
            location: [to, side * reach],
            location_frame: Frame::Body,
            force: [DRAWER_PULL, 0.0],
            force_frame: Frame::World,
            torque: 0.0,
        });
    }
    scene
}

/// Masses of a wedge and of the load on it.
const WEDGE: [f64; 2] = [0.5, 2.0];

/// A wedge on the floor, from `left` on, of an angle (radians), and the load that it carries and that only moves up and down.
fn push_wedge(scene: &mut Scene, names: [&str; 2], left: f64, angle: f64, friction: f64) {
    const LENGTH: f64 = 2.0;
    const EDGE: f64 = 0.1;
    let (sin, cos) = trig::sin_cos(angle);
    let level = |x: f64| EDGE + (x - left) * sin / cos;
    let right = left + LENGTH;
    let wedge = [[left, 0.0], [right, 0.0], [right, level(right)], [left, EDGE]];
    let (from, to) = (left + 0.6, left + 1.4);
    let load = [[from, level(from)], [to, level(to)], [to, level(to) + 0.5], [from, level(to) + 0.5]];
    let [wedge_mass, load_mass] = WEDGE;
    scene.bodies.push(drawn(names[0], &wedge, friction).mass(wedge_mass));
    scene.bodies.push(drawn(names[1], &load, friction).mass(load_mass));
    let guide = [left + 1.0, level(to)];
    scene.connectors.push(Connector::Prismatic(Prismatic {
        ends: Ends::new("ground", guide, names[1], guide),
        axis: [0.0, 1.0],
        angle: None,
        fitting: Fitting::named(format!("guide of {}", names[1])),
    }));
}

/// Angle up to which the wedge of mass `m` under a load of mass `M` holds itself, rough on both sides: `φ + atan(μ (1 + m/M))`
/// with the angle of friction `φ`, twice that for a light wedge.
fn wedge_limit(friction: f64) -> f64 {
    let [wedge, load] = WEDGE;
    trig::atan2(friction, 1.0) + trig::atan2(friction * (1.0 + wedge / load), 1.0)
}

/// Two wedges under loads: one of `share` of the angle up to which it holds itself, one of the inverse of that, which is driven
/// out.
#[must_use]
pub fn wedge(friction: f64, share: f64) -> Scene {
    let mut scene = on_floor("wedge", friction, 2.0, [-3.5, -0.5, 4.5, 3.5]);
    push_wedge(&mut scene, ["holding", "load"], -3.0, share * wedge_limit(friction), friction);
    push_wedge(&mut scene, ["driven_out", "falling"], 1.0, wedge_limit(friction) / share, friction);
    scene
}

/// A nut on the thread of a screw, unrolled, that runs on a smooth bearing: with `share` of the angle of friction as its lead
/// it locks itself, with the inverse of that the load turns it.
#[must_use]
pub fn screw(friction: f64, share: f64) -> Scene {
    let mut scene = on_floor("screw", 0.0, 2.0, [-3.5, -0.5, 4.5, 2.5]);
    let limit = trig::atan2(friction, 1.0);
    push_wedge(&mut scene, ["locking", "nut"], -3.0, share * limit, friction);
    push_wedge(&mut scene, ["turning", "falling"], 1.0, limit / share, friction);
    scene
}

/// Radius of the drums of the brake, and the places on its levers, from the pivot along the lever: the drum and the centre of
/// mass; then how high the pivot is above where the lever touches.
const BRAKE: [f64; 4] = [0.6, 0.5, 1.0, 0.4];

/// Mass of the levers of the brake, and of its drums.
const BRAKE_MASSES: [f64; 2] = [3.0, 5.0];

/// Two drums that turn at a speed (radians/time) under levers: friction draws one lever down onto its drum and lifts the other,
/// so that the first one stops earlier.
#[must_use]
pub fn brake(friction: f64, speed: f64) -> Scene {
    const THICKNESS: f64 = 0.1;
    let mut scene = Scene::new("brake");
    scene.duration = 2.0;
    scene.view = Some(View { left: -2.5, bottom: -1.0, right: 4.0, top: 2.0 });
    let [radius, drum_at, center_at, height] = BRAKE;
    let [lever_mass, drum_mass] = BRAKE_MASSES;
    for (name, x, speed) in [("drawn", -1.5, speed), ("lifted", 1.5, -speed)] {
        let (drum, lever) = (format!("{name}_drum"), format!("{name}_lever"));
        let body = rough(drum.as_str(), Shape::Ball { radius }, friction).mass(drum_mass);
        scene.bodies.push(body.at(x, 0.0).turning(speed));
        let pivot = [x - drum_at, radius + height];
        let center = [pivot[0] + center_at, radius + 0.5 * THICKNESS];
        let body = rough(lever.as_str(), block(2.0 * center_at, THICKNESS), friction).mass(lever_mass);
        scene.bodies.push(body.at(center[0], center[1]));
        scene.connectors.push(Connector::pin("ground", [x, 0.0], drum.as_str(), [0.0; 2]));
        let on_lever = [pivot[0] - center[0], pivot[1] - center[1]];
        scene.connectors.push(Connector::pin("ground", pivot, lever.as_str(), on_lever));
    }
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// Length of the bricks of the leaning towers.
const BRICK: f64 = 1.0;

/// Two towers of `bricks`, each brick shifted against the one below: by `share` of the shift at which the tower tips, and by
/// the inverse of that. The bricks above the lowest one tip about its edge once their common centre of mass is beyond it: from a
/// shift of `w/n` on for `n` bricks of length `w`.
#[must_use]
pub fn leaning_tower(bricks: u32, share: f64) -> Scene {
    let height = 0.25;
    let top = height * f64::from(bricks) + 0.5;
    let mut scene = on_floor("leaning_tower", 0.7, 3.0, [-2.5, -0.5, 4.5, top.max(2.5)]);
    let limit = BRICK / f64::from(bricks.max(1));
    for (name, left, shift) in [("leaning", -1.5, share * limit), ("tipping", 1.5, limit / share)] {
        for k in 0..bricks {
            let brick = rough(format!("{name}{k}"), block(BRICK, height), 0.7);
            let k = f64::from(k);
            scene.bodies.push(brick.at(left + k * shift, height * (k + 0.5)));
        }
    }
    scene
}
