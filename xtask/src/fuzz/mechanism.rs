//! Mechanisms of random bodies and joints: what the solver calls accelerations is judged by the motion itself. Positions a moment
//! later keep the joints to the third order, found by differences of position errors, and what the joints exert does no work on any
//! velocity that they allow.

use super::bytes::Bytes;
use super::verdict::Verdict;
use engine2d_constraint::tolerance::ASSEMBLED;
use engine2d_constraint::{
    BodyId, ConstantAngle, Line, Mass, Mechanism, MechanismError, PointOnLine, Pose, Prismatic, Revolute,
    Rod, Weld,
};
use engine2d_math::{Vec2, trig};

/// Half the time between the positions compared (time).
const MOMENT: f64 = 1e-3;

/// What second differences may be of the accelerations that take part, plus the third order of a moment.
const ACCEPTED: f64 = 2e-2;

/// Work of joints on an allowed velocity, relative to that of all forces on the velocity asked for.
const WORK: f64 = 1e-7;

/// Power (any unit) that is looked at at all.
const LEAST: f64 = 1e-3;

/// Sizes of velocities and accelerations (any unit) above which a mechanism is too near to a singular position to be judged.
const WILD: f64 = 1e3;

pub(super) fn judge(bytes: &mut Bytes<'_>) -> Verdict {
    match try_one(bytes) {
        Ok(verdict) => verdict,
        Err(_) => Verdict::Refused("error"),
    }
}

struct Body {
    id: BodyId,
    pose: Pose,
    mass: f64,
    moment: f64,
}

fn try_one(bytes: &mut Bytes<'_>) -> Result<Verdict, MechanismError> {
    let mut m = Mechanism::new();
    let gravity = [0.0, -9.81];
    m.set_gravity(gravity)?;
    let count = 1 + bytes.below(5);
    let mut bodies = Vec::new();
    for _ in 0..count {
        let pose = Pose::new(bytes.between(-3.0, 3.0), bytes.between(-3.0, 3.0), bytes.between(-3.0, 3.0));
        let (mass, moment) = ([0.1, 1.0, 1.0, 20.0][bytes.below(4)], bytes.between(0.05, 2.0));
        bodies.push(Body { id: m.add_body(Mass::new(mass, moment), pose)?, pose, mass, moment });
    }
    let mut joints = Vec::new();
    for k in 0..1 + bytes.below(count + 2) {
        joints.push(join(&mut m, &bodies, k, bytes)?);
    }
    let velocities: Vec<f64> = (0..3 * count).map(|_| bytes.between(-2.0, 2.0)).collect();
    m.set_velocities(&velocities)?;
    m.assemble()?;
    let answer = m.solve_accelerations()?;
    let (q, u, rates) = (m.coordinates(), m.velocities(), answer.accelerations().to_vec());
    if [&q, &u, &rates].iter().any(|list| list.iter().any(|x| !x.is_finite())) {
        return Ok(Verdict::Wrong("numbers that are none".to_owned()));
    }
    let largest = u.iter().chain(&rates).fold(0.0, |most: f64, x| most.max(x.abs()));
    if largest > WILD {
        return Ok(Verdict::Refused("nearly singular"));
    }
    let at =
        |t: f64| -> Vec<f64> { (0..q.len()).map(|i| q[i] + u[i] * t + 0.5 * rates[i] * t * t).collect() };
    // Third derivatives are of the order of the cubes and products of what moves.
    let speed = u.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let rate = rates.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let slack =
        ACCEPTED * (rate + speed * speed) + 4.0 * MOMENT * speed * (rate + speed * speed) * (1.0 + speed);
    for joint in &joints {
        let [far, near] = [MOMENT, 0.5 * MOMENT].map(|h| differences(&m, *joint, h, &at));
        for (k, (far, near)) in far?.into_iter().zip(near?).enumerate() {
            // Half the time has a quarter of the error of the differences, which goes so.
            let [drift, curvature] = [0, 1].map(|order| (4.0 * near[order] - far[order]) / 3.0);
            if curvature.abs() > slack || drift.abs() > MOMENT * slack {
                return Ok(Verdict::Wrong(format!(
                    "joint {:?}, equation {k}: rate {drift:e}, acceleration {curvature:e}, slack {slack:e}",
                    m.name(*joint)
                )));
            }
        }
    }
    let pressed: f64 = answer.multipliers().iter().map(|force| force.abs()).sum();
    work(&mut m, &bodies, (&rates, pressed), gravity, bytes)
}

/// First and second differences in time of the position errors of a joint, along the motion given.
fn differences(
    m: &Mechanism,
    joint: Name,
    h: f64,
    at: &impl Fn(f64) -> Vec<f64>,
) -> Result<Vec<[f64; 2]>, MechanismError> {
    let [before, now, after] = [-h, 0.0, h].map(|t| m.position_errors_at(joint, &at(t)));
    let (before, now, after) = (before?, now?, after?);
    let difference =
        |k: usize| [(after[k] - before[k]) / (2.0 * h), (before[k] - 2.0 * now[k] + after[k]) / (h * h)];
    Ok((0..now.len()).map(difference).collect())
}

/// Whether `M u̇ − F` does no work on velocities that the joints allow, but for that of all that is `pressed` on what assembly leaves
/// of them.
fn work(
    m: &mut Mechanism,
    bodies: &[Body],
    (rates, pressed): (&[f64], f64),
    gravity: [f64; 2],
    bytes: &mut Bytes<'_>,
) -> Result<Verdict, MechanismError> {
    for _ in 0..3 {
        let wanted: Vec<f64> = (0..3 * bodies.len()).map(|_| bytes.between(-1.0, 1.0)).collect();
        m.set_velocities(&wanted)?;
        m.assemble()?;
        let (mut power, mut size) = (0.0, LEAST);
        for (k, (v, asked)) in m.velocities().iter().zip(&wanted).enumerate() {
            let (body, axis) = (&bodies[k / 3], k % 3);
            let force = match axis {
                2 => body.moment * rates[k],
                _ => body.mass * (rates[k] - gravity[axis]),
            };
            power += force * v;
            size += force.abs() * asked.abs().max(v.abs());
        }
        if power.abs() > WORK * size + pressed * ASSEMBLED {
            return Ok(Verdict::Wrong(format!("joints do work: {power:e} of {size:e}")));
        }
    }
    let mobility = m.mobility()?;
    if mobility.rank + mobility.degrees_of_freedom != mobility.coordinates
        || mobility.rank > mobility.equations
    {
        return Ok(Verdict::Wrong(format!("{mobility:?}")));
    }
    Ok(Verdict::Sound)
}

/// The name of a constraint of any kind.
type Name = engine2d_constraint::ConstraintId<engine2d_constraint::Joint>;

/// Adds a joint that holds where the bodies are.
fn join(m: &mut Mechanism, bodies: &[Body], k: usize, bytes: &mut Bytes<'_>) -> Result<Name, MechanismError> {
    let ground = Body { id: BodyId::GROUND, pose: Pose::IDENTITY, mass: 1.0, moment: 1.0 };
    let a = &bodies[bytes.below(bodies.len())];
    let b = match bytes.below(bodies.len() + 1) {
        k if k < bodies.len() && bodies[k].id != a.id => &bodies[k],
        _ => &ground,
    };
    let place = Vec2::new(bytes.between(-3.0, 3.0), bytes.between(-3.0, 3.0));
    let other = Vec2::new(bytes.between(-3.0, 3.0), bytes.between(-3.0, 3.0));
    let seen = |body: &Body, p: Vec2| body.pose.rotate_inverse(p - body.pose.position());
    let turned = b.pose.angle() - a.pose.angle();
    let (sin, cos) = trig::sin_cos(bytes.between(-3.0, 3.0));
    let axis = Vec2::new(cos, sin);
    let named = |joint: engine2d_constraint::Joint| joint.named(format!("joint {k}"));
    let joint = match bytes.below(6) {
        0 => Weld::new((a.id, seen(a, place), 0.0), (b.id, seen(b, place), -turned)).into(),
        1 => Prismatic::new(a.id, seen(a, place), b.id, seen(b, place), axis, -turned).into(),
        2 => Rod::new(a.id, seen(a, place), b.id, seen(b, other), (place - other).norm().max(0.1)).into(),
        3 => ConstantAngle::new((a.id, 0.0), (b.id, 0.0), -turned).into(),
        4 => {
            PointOnLine::new(b.id, Line::new(seen(b, place), [-axis.y, axis.x]), a.id, seen(a, place)).into()
        }
        _ => Revolute::new(a.id, seen(a, place), b.id, seen(b, place)).into(),
    };
    m.add_joint(named(joint))
}
