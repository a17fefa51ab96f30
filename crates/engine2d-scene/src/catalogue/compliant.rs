//! Scenes with compliant contact and located events.

use super::contact::push_floor;
use super::machine::toothed_wheel;
use crate::joint::{Ends, Fitting, Weld};
use crate::{
    Body, Connector, ContactModel, EventLocator, ForceLaw, Material, Piece, Point, PreciseMethod,
    PreciseSolver, Scene, Settings, Shape, Solver, View,
};

/// Young's modulus of soft goods (force/length²): contacts that last long enough to be watched.
const SOFT: f64 = 1e8;

pub(super) fn precise(tolerance: f64) -> Solver {
    Solver::Precise(PreciseSolver { method: PreciseMethod::DormandPrince, tolerance })
}

fn compliant(name: &str) -> Scene {
    let mut scene = Scene::new(name);
    scene.settings =
        Settings { contact_model: ContactModel::Compliant, solver: precise(1e-8), ..Settings::default() };
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}

/// Balls with restitutions from 0.1 to 0.9 dropped side by side from a height of their lowest points (length).
#[must_use]
pub fn restitution_sweep(height: f64) -> Scene {
    let mut scene = compliant("restitution_sweep");
    scene.duration = 4.0;
    scene.view = Some(View { left: -5.0, bottom: -0.6, right: 5.0, top: height + 1.0 });
    push_floor(&mut scene, 10.0);
    scene.bodies[0] = scene.bodies[0].clone().restitution(1.0);
    for k in 0..9_u8 {
        // A pair gets the mean of its materials: with a floor of 1 the ball has 2 e − 1 where that is possible.
        let restitution = 0.5 + 0.05 * f64::from(k);
        let ball = Body::new(Shape::Ball { radius: 0.3 }).named(format!("e{:.2}", restitution));
        let x = f64::from(k) - 4.0;
        scene.bodies.push(ball.at(x, height + 0.3).restitution(2.0 * restitution - 1.0));
    }
    scene
}

/// Newton's cradle with compliant balls: the blow takes its time from ball to ball.
#[must_use]
pub fn compliant_cradle(count: u32) -> Scene {
    let mut scene = super::contact::newtons_cradle(count);
    scene.name = Some("compliant_cradle".to_owned());
    scene.duration = 6.0;
    scene.settings.contact_model = ContactModel::Compliant;
    scene.settings.solver = precise(1e-9);
    let resin = crate::Material { elasticity: Some(1.0), young: Some(SOFT), ..crate::Material::default() };
    scene.materials.insert("resin".to_owned(), resin);
    for body in &mut scene.bodies {
        body.material = Some("resin".to_owned());
    }
    scene
}

/// A block pushed onto a slope of the given angle (radians) with a coefficient of friction: it slides to rest if the
/// angle is below that of friction.
#[must_use]
pub fn block_on_slope(angle: f64, friction: f64) -> Scene {
    let mut scene = compliant("block_on_slope");
    scene.duration = 3.0;
    scene.view = Some(View { left: -4.0, bottom: -2.5, right: 4.0, top: 2.5 });
    let soft =
        crate::Material { young: Some(SOFT), friction: Some(friction.into()), ..crate::Material::default() };
    scene.materials.insert("rubber".to_owned(), soft);
    let (sin, cos) = engine2d_math::trig::sin_cos(angle);
    let slope = Body::new(Shape::Wall { width: 8.0, height: 0.4, side: crate::Side::Top });
    scene.bodies.push(slope.named("slope").at(0.2 * sin, -0.2 * cos).angle(angle).material("rubber").fixed());
    let block = Body::new(Shape::Block { width: 0.8, height: 0.5 }).named("block").restitution(0.1);
    let (along, above) = (1.5, 0.25);
    let block = block.at(along * cos - above * sin, along * sin + above * cos).angle(angle);
    scene.bodies.push(block.velocity(-2.0 * cos, -2.0 * sin).material("rubber"));
    scene
}

/// A ball breaks a rack of three rows on a table seen from above, with friction between the balls.
#[must_use]
pub fn billiard_break() -> Scene {
    let mut scene = compliant("billiard_break");
    scene.force_laws = vec![ForceLaw::Damping { coefficient: 0.05, rotate_ratio: 0.01, bodies: None }];
    scene.duration = 3.0;
    scene.view = Some(View { left: -3.0, bottom: -2.0, right: 3.0, top: 2.0 });
    let phenolic = crate::Material {
        elasticity: Some(0.95),
        friction: Some(0.05.into()),
        young: Some(SOFT),
        ..crate::Material::default()
    };
    scene.materials.insert("phenolic".to_owned(), phenolic);
    let radius = 0.15;
    let ball = |name: String, x: f64, y: f64| {
        Body::new(Shape::Ball { radius }).named(name).at(x, y).mass(0.17).material("phenolic")
    };
    scene.bodies.push(ball("cue".to_owned(), -2.0, 0.02).velocity(4.0, 0.0));
    for row in 0..3_u8 {
        for k in 0..=row {
            let (x, y) =
                (f64::from(row) * radius * 1.75, (f64::from(k) - 0.5 * f64::from(row)) * radius * 2.02);
            scene.bodies.push(ball(format!("ball{row}{k}"), x, y));
        }
    }
    scene
}

/// Rigid wagons with rubber buffers run one after the other against a stop: the buffers yield, wheels and track do not.
#[must_use]
pub fn buffers(wagons: u32) -> Scene {
    let mut scene = compliant("buffers");
    scene.duration = 8.0;
    scene.view = Some(View { left: -10.0, bottom: -1.5, right: 3.0, top: 2.5 });
    let rubber = Material { young: Some(1e6), ..Material::default() };
    scene.materials.insert("rubber".to_owned(), rubber);
    let block = |width, height| Body::new(Shape::Block { width, height }).rigid();
    scene.bodies.push(block(16.0, 0.5).named("track").at(-4.0, -0.25).friction(0.02).fixed());
    scene.bodies.push(block(0.5, 1.5).named("stop").at(2.5, 0.75).fixed());
    for k in 0..wagons {
        let x = -2.2 * f64::from(k);
        let (wagon, buffer) = (format!("wagon{k}"), format!("buffer{k}"));
        let body = block(1.4, 0.7).named(&wagon).mass(2.0).at(x, 0.35).velocity(2.0, 0.0);
        scene.bodies.push(body.friction(0.02).restitution(0.0));
        let disc = Body::new(Shape::Ball { radius: 0.15 }).named(&buffer).mass(0.1).restitution(0.7);
        scene.bodies.push(disc.at(x + 0.85, 0.35).velocity(2.0, 0.0).material("rubber"));
        let ends = Ends::new(&*wagon, [0.85, 0.0], &*buffer, [0.0, 0.0]);
        scene.connectors.push(Connector::Weld(Weld { ends, angle: None, fitting: Fitting::default() }));
    }
    scene
}

/// A capped disc rocks on the floor until friction and rolling resistance bring it to rest.
#[must_use]
pub fn rocker() -> Scene {
    let mut scene = compliant("rocker");
    scene.duration = 4.0;
    scene.view = Some(View { left: -2.0, bottom: -0.4, right: 2.0, top: 2.0 });
    let surface = crate::Material {
        elasticity: Some(0.3),
        friction: Some(0.6.into()),
        young: Some(SOFT),
        rolling: Some(0.02),
        ..crate::Material::default()
    };
    scene.materials.insert("rubber".to_owned(), surface);
    push_floor(&mut scene, 6.0);
    scene.bodies[0] = scene.bodies[0].clone().material("rubber");
    let disc = Body::new(Shape::Ball { radius: 0.8 }).named("rocker").at(0.0, 0.8).angle(0.9);
    // The weight low in the disc makes it rock.
    scene.bodies.push(disc.center_of_mass(0.0, -0.4).material("rubber"));
    scene
}

/// A ball on the floor whose bounces are located to rounding, and end.
#[must_use]
pub fn located_bounces(elasticity: f64) -> Scene {
    let mut scene = super::contact::ball_on_floor(2.0, elasticity);
    scene.name = Some("located_bounces".to_owned());
    scene.settings.event_locator = EventLocator::ZeroCrossing;
    scene.settings.solver = precise(1e-10);
    scene
}

/// Two gears with backlash: an alternating torque of that size takes up the play on either side, and the teeth bounce.
#[must_use]
pub fn gear_backlash(torque: f64) -> Scene {
    const TEETH: u32 = 12;
    let (root, tip) = (2.0, 2.375);
    let half = 0.5 * (root + tip + 0.05);
    let mut scene = compliant("gear_backlash");
    scene.settings.solver = precise(1e-7);
    scene.settings.time_step = 0.01;
    scene.duration = 6.0;
    scene.view = Some(View { left: -2.5 * half, bottom: -1.4 * tip, right: 2.5 * half, top: 1.4 * tip });
    // Soft enough for contacts that last.
    scene.materials.insert("gear".to_owned(), Material { young: Some(SOFT), ..Material::default() });
    let pitch = std::f64::consts::TAU / f64::from(TEETH);
    for (name, x, angle) in [("driver", -half, 0.0), ("driven", half, std::f64::consts::PI + 0.5 * pitch)] {
        let wheel = Body::new(toothed_wheel(TEETH, root, tip, 0.2, 0.12)).named(name).mass(2.0).moment(4.0);
        let mut wheel =
            wheel.at(x, 0.0).angle(angle).center_of_mass(0.0, 0.0).restitution(0.4).material("gear");
        wheel.friction = Some(0.1.into());
        wheel.pieces = teeth(&wheel.shape).map(|points| Piece::Polygon { points }).collect();
        scene.bodies.push(wheel);
        scene.connectors.push(Connector::pin("ground", [x, 0.0], name, [0.0, 0.0]));
    }
    // Off its centre the force turns the driver to and fro.
    scene.force_laws.push(ForceLaw::RotatingForce {
        body: "driver".into(),
        location: [0.0, -0.5],
        magnitude: 2.0 * torque,
        rate: 3.0,
    });
    scene
}

/// The corners of each tooth of a toothed wheel.
fn teeth(wheel: &Shape) -> impl Iterator<Item = Vec<Point>> + '_ {
    let points = if let Shape::Polygon { points, .. } = wheel { &points[..] } else { &[] };
    points.chunks(4).map(<[Point]>::to_vec)
}
