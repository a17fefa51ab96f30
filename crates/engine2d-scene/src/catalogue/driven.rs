//! Scenes about motors, limits, wheels and joints that break.

use crate::body::{Body, BodyRef};
use crate::connector::{Connector, Line};
use crate::force_law::ForceLaw;
use crate::joint::{AngleLimit, Drive, Ends, Fitting, Gear, Motor, Wheel};
use crate::scene::{Scene, View};
use crate::shape::Shape;
use engine2d_math::trig;

/// A body that gives back nothing of a collision.
fn dead(name: impl Into<String>, shape: Shape) -> Body {
    Body::new(shape).named(name).restitution(0.0)
}

fn block(width: f64, height: f64) -> Shape {
    Shape::Block { width, height }
}

/// A hexagon about the origin.
fn hexagon(side: f64) -> Shape {
    let corner = |k: u32| {
        let (sin, cos) = trig::sin_cos(f64::from(k) * std::f64::consts::FRAC_PI_3);
        [side * cos, side * sin]
    };
    Shape::Polygon { points: (0..6).map(corner).collect(), moment_factor: None }
}

/// A motor that turns the second body against the first.
pub(super) fn turning(body_a: &str, body_b: &str, speed: f64, limit: Option<f64>, name: &str) -> Motor {
    Motor {
        ends: Ends::new(body_a, [0.0; 2], body_b, [0.0; 2]),
        drive: Drive::Angle,
        axis: None,
        speed: Some(speed),
        place: None,
        gain: None,
        top_speed: None,
        limit,
        fitting: Fitting::named(name),
    }
}

/// A car on four suspended wheels over bumps, at a speed (length/time): driven by the friction of its wheels, which motors
/// of limited torque turn.
#[must_use]
pub fn suspended_car(speed: f64) -> Scene {
    const RADIUS: f64 = 0.4;
    const BUMPS: u32 = 4;
    const GRIP: f64 = 0.9;
    let mut scene = Scene::new("suspended_car");
    scene.duration = 14.0;
    scene.view = Some(View { left: -4.0, bottom: -2.0, right: 26.0, top: 4.0 });
    scene.bodies.push(dead("road", block(60.0, 1.0)).fixed().at(20.0, -0.5));
    for k in 0..BUMPS {
        let bump = dead(format!("bump{k}"), Shape::Ball { radius: 1.0 });
        scene.bodies.push(bump.fixed().at(6.0 + 4.3 * f64::from(k), -0.87));
    }
    scene.bodies.push(dead("chassis", block(4.0, 0.5)).mass(800.0).at(0.0, 1.15));
    for (k, x) in [-1.6, -0.6, 0.6, 1.6].into_iter().enumerate() {
        let name = format!("wheel{k}");
        scene.bodies.push(dead(name.as_str(), Shape::Ball { radius: RADIUS }).mass(30.0).at(x, RADIUS));
        scene.connectors.push(Connector::Wheel(Wheel {
            ends: Ends::new("chassis", [x, RADIUS - 1.15], name.as_str(), [0.0; 2]),
            axis: [0.0, 1.0],
            stiffness: 6e4,
            damping: 4e3,
            rest: 0.0,
            speed: Some(-speed / RADIUS),
            limit: Some(400.0),
            name: Some(format!("axle{k}")),
            enabled: true,
        }));
    }
    for body in scene.bodies.iter_mut().filter(|b| b.name.as_deref() != Some("chassis")) {
        body.friction = Some(GRIP.into());
    }
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// A crane: a motor raises the jib until its limit, with a load on a rope.
#[must_use]
pub fn crane(top: f64) -> Scene {
    let mut scene = Scene::new("crane");
    scene.duration = 10.0;
    scene.view = Some(View { left: -2.0, bottom: 0.0, right: 8.0, top: 11.0 });
    scene.bodies.push(Body::new(block(6.0, 0.3)).named("jib").mass(300.0).at(3.0, 5.0));
    scene.bodies.push(Body::new(block(0.8, 0.8)).named("load").mass(500.0).at(6.0, 2.0));
    scene.connectors.push(Connector::pin("ground", [0.0, 5.0], "jib", [-3.0, 0.0]));
    scene.connectors.push(Connector::Motor(turning("ground", "jib", 0.25, Some(6e4), "winch")));
    scene.connectors.push(Connector::AngleLimit(AngleLimit {
        body_a: BodyRef::ground(),
        body_b: "jib".into(),
        low: Some(-0.2),
        high: Some(top),
        restitution: 0.0,
        fitting: Fitting::named("stop"),
    }));
    scene.connectors.push(Connector::Rope(Line::new("jib", [3.0, 0.0], "load", [0.0, 0.4]).length(2.6)));
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene.force_laws.push(ForceLaw::Damping { coefficient: 20.0, rotate_ratio: 0.15, bodies: None });
    scene
}

/// A limb: name, width and height, place; and if it hangs on the torso where, and how far it turns to either side.
type Limb = (&'static str, [f64; 2], [f64; 2], Option<([f64; 2], [f64; 2])>);

/// The torso is the first; the others hang on it.
const LIMBS: [Limb; 6] = [
    ("torso", [0.4, 0.9], [0.0, 3.0], None),
    ("head", [0.3, 0.3], [0.0, 3.6], Some(([0.0, 3.45], [-0.6, 0.6]))),
    ("left_arm", [0.7, 0.15], [-0.55, 3.3], Some(([-0.2, 3.3], [-1.2, 1.4]))),
    ("right_arm", [0.7, 0.15], [0.55, 3.3], Some(([0.2, 3.3], [-1.4, 1.2]))),
    ("left_leg", [0.17, 0.9], [-0.1, 2.1], Some(([-0.1, 2.55], [-0.9, 0.5]))),
    ("right_leg", [0.17, 0.9], [0.1, 2.1], Some(([0.1, 2.55], [-0.5, 0.9]))),
];

/// A ragdoll whose torso is at a place, with the names of its limbs after a prefix; it moves as a whole: velocity and turn
/// (radians/time).
pub(super) fn push_ragdoll(scene: &mut Scene, prefix: &str, at: [f64; 2], [vx, vy, turn]: [f64; 3]) {
    let (torso, _, [x0, y0], _) = LIMBS[0];
    for (k, (name, [width, height], [x, y], held)) in LIMBS.into_iter().enumerate() {
        let of = |name: &str| format!("{prefix}{name}");
        let (dx, dy) = (x - x0, y - y0);
        let limb = dead(of(name), block(width, height)).mass(60.0 * width * height);
        let limb = limb.at(x + (at[0] - x0), y + (at[1] - y0));
        let limb = limb.velocity(vx - turn * dy, vy + turn * dx).turning(turn);
        // The limbs pass each other.
        scene.bodies.push(LIMBS[..k].iter().fold(limb, |limb, other| limb.no_collide(of(other.0).as_str())));
        let Some(([px, py], [low, high])) = held else { continue };
        let (on_torso, on_limb) = ([px - x0, py - y0], [px - x, py - y]);
        scene.connectors.push(Connector::pin(of(torso).as_str(), on_torso, of(name).as_str(), on_limb));
        scene.connectors.push(Connector::AngleLimit(AngleLimit {
            body_a: of(torso).as_str().into(),
            body_b: of(name).as_str().into(),
            low: Some(low),
            high: Some(high),
            restitution: 0.0,
            fitting: Fitting::named(of(name)),
        }));
    }
}

/// A ragdoll of limbs whose angles are limited, dropped while it turns (radians/time).
#[must_use]
pub fn ragdoll(turn: f64) -> Scene {
    let mut scene = Scene::new("ragdoll");
    scene.duration = 4.0;
    scene.view = Some(View { left: -3.0, bottom: -1.0, right: 3.0, top: 4.5 });
    let (_, _, at, _) = LIMBS[0];
    push_ragdoll(&mut scene, "", at, [0.0, 0.0, turn]);
    scene.bodies.push(dead("floor", block(12.0, 1.0)).fixed().at(0.0, -0.5));
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene.force_laws.push(ForceLaw::Damping { coefficient: 0.5, rotate_ratio: 0.15, bodies: None });
    scene
}

/// A bridge of planks on pins that break above a force, onto which a ball falls.
#[must_use]
pub fn breaking_bridge(strength: f64) -> Scene {
    const PLANKS: u32 = 10;
    const SAG: f64 = 0.4;
    let mut scene = Scene::new("breaking_bridge");
    scene.duration = 4.0;
    scene.view = Some(View { left: -1.0, bottom: -8.0, right: 11.0, top: 4.0 });
    let (left, right) = ([-0.5, 0.0], [0.5, 0.0]);
    let (mut pin, mut before) = ([0.0, 0.0], BodyRef::ground());
    for k in 0..=PLANKS {
        let plank = BodyRef::Name(format!("plank{k}"));
        let on_before = if before.is_ground() { pin } else { right };
        // The last pin holds the far end.
        let ends = if k == PLANKS { (BodyRef::ground(), pin) } else { (plank.clone(), left) };
        scene.connectors.push(Connector::Pin {
            body_a: before,
            point_a: on_before,
            body_b: ends.0,
            point_b: ends.1,
            frame: crate::force_law::Frame::Body,
            fitting: Fitting::named(format!("pin{k}")).breaking_at(strength),
        });
        if k < PLANKS {
            // Slopes grow evenly, as those of a hanging bridge do.
            let slope = SAG * (2.0 * (f64::from(k) + 0.5) / f64::from(PLANKS) - 1.0);
            let (sin, cos) = trig::sin_cos(slope);
            let body = dead(format!("plank{k}"), block(1.0, 0.15)).mass(20.0).angle(slope);
            scene.bodies.push(body.at(pin[0] + 0.5 * cos, pin[1] + 0.5 * sin));
            pin = [pin[0] + cos, pin[1] + sin];
        }
        before = plank;
    }
    scene.bodies.push(dead("ball", Shape::Ball { radius: 0.6 }).mass(400.0).at(4.6, 3.0));
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// A planetary gear: the sun is driven at a speed (radians/time), the planets run in a ring that stands still and take
/// the carrier with them.
#[must_use]
pub fn planetary_gear(speed: f64) -> Scene {
    const SUN: f64 = 0.8;
    const PLANET: f64 = 0.6;
    const ARM: f64 = SUN + PLANET;
    let mut scene = Scene::new("planetary_gear");
    scene.view = Some(View { left: -2.5, bottom: -2.5, right: 2.5, top: 2.5 });
    let gear = |body_a: BodyRef, body_b: &str, radii: [f64; 2], internal: bool, name: String| {
        let [radius_a, radius_b] = radii;
        let ends = Ends { body_a, point_a: [0.0; 2], body_b: body_b.into(), point_b: [0.0; 2] };
        let fitting = Fitting::named(name);
        Connector::Gear(Gear { ends, radius_a, radius_b, internal, phase: None, fitting })
    };
    scene.bodies.push(Body::new(hexagon(SUN)).named("sun").mass(2.0));
    scene.bodies.push(Body::new(hexagon(0.3)).named("carrier").mass(1.0).no_collide("sun"));
    scene.connectors.push(Connector::pin("ground", [0.0; 2], "sun", [0.0; 2]));
    scene.connectors.push(Connector::pin("ground", [0.0; 2], "carrier", [0.0; 2]));
    for k in 0..3u32 {
        let (sin, cos) = trig::sin_cos(f64::from(k) * std::f64::consts::TAU / 3.0);
        let (name, at) = (format!("planet{k}"), [ARM * cos, ARM * sin]);
        let planet = Body::new(hexagon(PLANET)).named(name.as_str()).at(at[0], at[1]);
        scene.bodies.push(planet.no_collide("sun").no_collide("carrier"));
        scene.connectors.push(Connector::pin("carrier", at, name.as_str(), [0.0; 2]));
        scene.connectors.push(gear("sun".into(), &name, [SUN, PLANET], false, format!("mesh{k}")));
        let ring = SUN + 2.0 * PLANET;
        scene.connectors.push(gear(BodyRef::Name(name), "ground", [PLANET, ring], true, format!("ring{k}")));
    }
    scene.connectors.push(Connector::Motor(turning("ground", "sun", speed, Some(5.0), "motor")));
    scene
}
