//! Recorded constrained-Euler steps, run through the `Constrainer` trait.

use super::joints::{FrameJoint, Free, LinePoint};
use crate::case::Difference;
use engine2d_constraint::constrainer::{
    Assembled, Constrainer, FrictionInfo, LibraryConstrainer, Update, assemble_friction, assemble_rows,
};
use engine2d_constraint::{
    AngleLimit, BodyId, CircleOnLine, FrameMotion, Joint, Line, Mass, Motions, SpringDamper,
};
use engine2d_geometry::BodyRef;
use engine2d_math::{Pose, Vec2};
use engine2d_sim::ConstrainedEuler;
use serde::Deserialize;
use serde_json::Value;

/// Agreement of all recorded numbers, relative to the larger of 1 and the value.
const LIMIT: f64 = 1e-9;

#[derive(Deserialize)]
struct RecordedBody {
    mass: f64,
    inertia: f64,
    q: [f64; 3],
    u: [f64; 3],
}

#[derive(Deserialize)]
struct RecordedFrame {
    origin: Vec2,
    angle: f64,
}

#[derive(Deserialize)]
struct RecordedPoint {
    body: i64,
    local: Vec2,
    radius: f64,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum RecordedConstrainer {
    Hinge {
        body_a: i64,
        body_b: i64,
        frame_a: RecordedFrame,
        frame_b: RecordedFrame,
        compliance: Option<f64>,
        damping: Option<f64>,
        range_deg: Option<[f64; 2]>,
    },
    Slider {
        body_a: i64,
        body_b: i64,
        frame_a: RecordedFrame,
        frame_b: RecordedFrame,
    },
    LineContact {
        normal: Vec2,
        offset: f64,
        mu: f64,
        penetration_tol: f64,
        stiction_creep: Option<f64>,
        points: Vec<RecordedPoint>,
    },
}

#[derive(Deserialize)]
struct RecordedInfo {
    dist: Vec<f64>,
    compliance: Vec<f64>,
    damping: Vec<f64>,
}

#[derive(Deserialize)]
#[allow(non_snake_case, reason = "the recorded names of the matrices")]
struct Initial {
    G: Vec<Vec<f64>>,
    dg: Vec<f64>,
    bilateral_info: RecordedInfo,
    N: Vec<Vec<f64>>,
    dn: Vec<f64>,
    unilateral_info: RecordedInfo,
    #[serde(default)]
    D: Vec<Vec<f64>>,
    friction_info: Option<Vec<RecordedFriction>>,
}

#[derive(Deserialize)]
struct RecordedFriction {
    mu: f64,
    contact_index: usize,
    block_index: usize,
}

#[derive(Deserialize)]
struct Step {
    step: usize,
    q: Vec<f64>,
    u: Vec<f64>,
    bilateral_forces: Vec<f64>,
    unilateral_forces: Option<Vec<f64>>,
    engaged_in_solve: Option<Vec<f64>>,
    engaged_after: Option<Vec<f64>>,
    contact_forces: Option<Vec<f64>>,
    friction_forces: Option<Vec<f64>>,
}

#[derive(Deserialize)]
struct Scene {
    #[serde(rename = "type")]
    kind: String,
    h: f64,
    gravity: Vec2,
    implicit_friction: bool,
    bodies: Vec<RecordedBody>,
    constraints: Vec<RecordedConstrainer>,
    initial: Initial,
    steps: Vec<Step>,
}

fn body(index: i64) -> BodyRef {
    u32::try_from(index).map_or(BodyRef::Ground, BodyRef::Body)
}

fn frame(f: &RecordedFrame) -> Pose {
    Pose::new(f.origin.x, f.origin.y, f.angle)
}

impl RecordedConstrainer {
    /// The constrainers that it is here, in order.
    fn build(&self) -> Vec<Box<dyn Constrainer>> {
        match self {
            Self::Hinge { body_a, body_b, frame_a, frame_b, compliance, damping, range_deg } => {
                let hinge = joint(Free::Angle, [*body_a, *body_b], [frame_a, frame_b]);
                let (bodies, turned) = (hinge.bodies, frame_a.angle - frame_b.angle);
                let (compliance, damping) = (compliance.unwrap_or(0.0), damping.unwrap_or(0.0));
                let mut parts =
                    vec![boxed(Joint::new(hinge).compliant(SpringDamper { compliance, damping }))];
                if let Some(range) = range_deg {
                    let [low, high] = range.map(|degrees| degrees.to_radians() - turned);
                    parts.push(boxed(AngleLimit::new(bodies[0], bodies[1], low, high)));
                }
                parts
            }
            Self::Slider { body_a, body_b, frame_a, frame_b } => {
                vec![boxed(joint(Free::Axis, [*body_a, *body_b], [frame_a, frame_b]))]
            }
            Self::LineContact { normal, offset, mu, penetration_tol, stiction_creep, points } => {
                let line = Line::new(*normal * *offset, *normal);
                let contact = |p: &RecordedPoint| -> Box<dyn Constrainer> {
                    let circle = CircleOnLine::new(BodyId::GROUND, line, body(p.body), p.local, p.radius);
                    let law = LinePoint(circle.unilateral().with_friction(*mu));
                    let contact = LibraryConstrainer::new(law).with_tolerance(*penetration_tol);
                    Box::new(contact.with_stiction_creep(stiction_creep.unwrap_or(0.0)))
                };
                points.iter().map(contact).collect()
            }
        }
    }
}

fn joint(free: Free, bodies: [i64; 2], frames: [&RecordedFrame; 2]) -> FrameJoint {
    FrameJoint { bodies: bodies.map(body), frames: frames.map(frame), free }
}

fn boxed(joint: impl Into<Joint>) -> Box<dyn Constrainer> {
    Box::new(LibraryConstrainer::new(joint))
}

fn compare(name: &str, ours: &[f64], theirs: &[f64], d: &mut Difference) {
    d.require(ours.len() == theirs.len(), || {
        format!("{name} has {} entries, recorded {}", ours.len(), theirs.len())
    });
    for (k, (o, t)) in ours.iter().zip(theirs).enumerate() {
        d.compare(*o, *t, LIMIT * t.abs().max(1.0), || format!("{name}[{k}]"));
    }
}

pub(super) fn judge(value: &Value, d: &mut Difference) -> Result<(), String> {
    let scene = Scene::deserialize(value).map_err(|e| e.to_string())?;
    let bodies: Vec<(Mass, FrameMotion)> = scene
        .bodies
        .iter()
        .map(|b| {
            let motion = FrameMotion {
                pose: Pose::new(b.q[0], b.q[1], b.q[2]),
                velocity: Vec2::new(b.u[0], b.u[1]),
                angular_velocity: b.u[2],
            };
            (Mass::new(b.mass, b.inertia), motion)
        })
        .collect();
    check_bodies(&scene)?;
    judge_initial(&scene, &bodies, d)?;
    let constrainers = scene.constraints.iter().flat_map(RecordedConstrainer::build).collect();
    let mut system = ConstrainedEuler::new(bodies, constrainers, scene.gravity);
    if scene.implicit_friction {
        system = system.with_implicit_friction();
    }
    let mut taken = 0;
    for step in &scene.steps {
        while taken < step.step {
            system.step(scene.h).map_err(|e| e.to_string())?;
            taken += 1;
        }
        judge_step(&scene, &system, step, d);
    }
    Ok(())
}

/// Checks that all bodies that constraints name are there.
fn check_bodies(scene: &Scene) -> Result<(), String> {
    let mut named = Vec::new();
    let built = scene.constraints.iter().flat_map(RecordedConstrainer::build);
    built.for_each(|c| c.components(&mut named));
    let stray = named.iter().find(|b| b.index().is_some_and(|i| i >= scene.bodies.len()));
    stray.map_or(Ok(()), |b| Err(format!("{b} is named, but there are {} bodies", scene.bodies.len())))
}

/// The matrices of the first step, before any projection.
fn judge_initial(scene: &Scene, bodies: &[(Mass, FrameMotion)], d: &mut Difference) -> Result<(), String> {
    let motions: Vec<FrameMotion> = bodies.iter().map(|(_, m)| *m).collect();
    let motions = Motions::new(&motions);
    let mut constrainers: Vec<Box<dyn Constrainer>> =
        scene.constraints.iter().flat_map(RecordedConstrainer::build).collect();
    for c in &mut constrainers {
        c.update(motions, 0.0, Update::Compute);
    }
    let initial = &scene.initial;
    for (unilateral, matrix, rate, info) in [
        (false, &initial.G, &initial.dg, &initial.bilateral_info),
        (true, &initial.N, &initial.dn, &initial.unilateral_info),
    ] {
        let Assembled { transposed, rate: ours, info: infos, .. } =
            assemble_rows(&mut constrainers, motions, bodies.len(), unilateral).map_err(|e| e.to_string())?;
        let name = if unilateral { "N" } else { "G" };
        compare_matrix(name, &transposed.to_dense_transposed(), matrix, d);
        compare("velocity-product term", &ours, rate, d);
        let column = |f: fn(&engine2d_constraint::constrainer::RowInfo) -> f64| -> Vec<f64> {
            infos.iter().map(f).collect()
        };
        compare("distance", &column(|i| i.distance), &info.dist, d);
        compare("compliance", &column(|i| i.compliance), &info.compliance, d);
        compare("damping", &column(|i| i.damping), &info.damping, d);
    }
    let counts = [initial.G.len(), initial.N.len()];
    let friction = assemble_friction(&mut constrainers, motions, bodies.len(), counts, false)
        .map_err(|e| e.to_string())?;
    compare_matrix("D", &friction.transposed.to_dense_transposed(), &initial.D, d);
    if let Some(infos) = &initial.friction_info {
        compare_friction(&friction.sets, infos, d);
    }
    Ok(())
}

fn compare_friction(sets: &[FrictionInfo], recorded: &[RecordedFriction], d: &mut Difference) {
    d.require(sets.len() == recorded.len(), || {
        format!("{} friction sets, recorded {}", sets.len(), recorded.len())
    });
    for (k, (ours, theirs)) in sets.iter().zip(recorded).enumerate() {
        compare("coefficient of friction", &[ours.mu], &[theirs.mu], d);
        let places = (ours.contact, ours.block);
        d.require(places == (theirs.contact_index, Some(theirs.block_index)), || {
            format!("contact and block of friction set {k}: {places:?}")
        });
    }
}

fn compare_matrix(name: &str, ours: &[Vec<f64>], theirs: &[Vec<f64>], d: &mut Difference) {
    d.require(ours.len() == theirs.len(), || {
        format!("{name} has {} rows, recorded {}", ours.len(), theirs.len())
    });
    for (o, t) in ours.iter().zip(theirs) {
        compare(name, o, t, d);
    }
}

fn judge_step(scene: &Scene, system: &ConstrainedEuler, step: &Step, d: &mut Difference) {
    let q: Vec<f64> = system
        .motions()
        .iter()
        .flat_map(|m| [m.pose.position().x, m.pose.position().y, m.pose.angle()])
        .collect();
    let u: Vec<f64> =
        system.motions().iter().flat_map(|m| [m.velocity.x, m.velocity.y, m.angular_velocity]).collect();
    compare(&format!("q at step {}", step.step), &q, &step.q, d);
    compare(&format!("u at step {}", step.step), &u, &step.u, d);
    let mut sizes = Vec::new();
    system.constrainers().iter().for_each(|c| c.bilateral_sizes(&mut sizes));
    let mut forces = vec![0.0; sizes.iter().sum()];
    let mut index = 0;
    for c in system.constrainers() {
        index = c.bilateral_forces(&mut forces, index);
    }
    compare(&format!("bilateral forces at step {}", step.step), &forces, &step.bilateral_forces, d);
    if let Some(theirs) = &step.unilateral_forces {
        let ours = unilateral_forces(system, |c, out, index| c.unilateral_forces(out, index));
        compare(&format!("unilateral forces at step {}", step.step), &ours, theirs, d);
    }
    // Forces of rows that were released or found in the re-detection say nothing.
    if step.engaged_in_solve != step.engaged_after {
        return;
    }
    let Some(contact_forces) = &step.contact_forces else { return };
    let ours = unilateral_forces(system, |c, out, index| c.unilateral_forces(out, index));
    let engaged = |values: &[f64]| -> Vec<f64> {
        values
            .iter()
            .zip(step.engaged_after.iter().flatten())
            .filter(|(_, e)| **e != 0.0)
            .map(|(v, _)| *v)
            .collect()
    };
    compare(&format!("contact forces at step {}", step.step), &ours, &engaged(contact_forces), d);
    let unique = scene.implicit_friction
        || !(scene.kind.starts_with("box_on_incline") || scene.kind.starts_with("pendulum_dragging_point"));
    if let (true, Some(friction)) = (unique, &step.friction_forces) {
        let ours = unilateral_forces(system, |c, out, index| c.friction_forces(out, index));
        compare(&format!("friction forces at step {}", step.step), &ours, &engaged(friction), d);
    }
}

/// Forces of the engaged unilateral rows, or of friction at them: zero where there is none.
fn unilateral_forces(
    system: &ConstrainedEuler,
    write: impl Fn(&dyn Constrainer, &mut [f64], usize) -> usize,
) -> Vec<f64> {
    let mut sizes = Vec::new();
    system.constrainers().iter().for_each(|c| c.unilateral_sizes(&mut sizes));
    let mut forces = vec![0.0; sizes.iter().sum()];
    let mut index = 0;
    for c in system.constrainers() {
        index = write(c.as_ref(), &mut forces, index);
    }
    forces
}
