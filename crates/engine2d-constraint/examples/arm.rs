//! Inverse dynamics of an arm of two links: the torques in its joints while their angles follow given functions of time,
//! against the textbook's equations.

use engine2d_constraint::{BodyRef, Mass, Measure, Mechanism, Pose, Prescribed, Revolute};
use std::io::Write;

const LENGTHS: [f64; 2] = [0.5, 0.4];
const MASSES: [f64; 2] = [2.0, 1.5];
const GRAVITY: f64 = 9.81;

/// Angle of a joint at a time, with its two derivatives.
fn angle(joint: usize, time: f64) -> [f64; 3] {
    let (rate, height) = ([1.3, 2.1][joint], [0.8, 0.6][joint]);
    [
        height * (rate * time).sin(),
        height * rate * (rate * time).cos(),
        -height * rate * rate * (rate * time).sin(),
    ]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -GRAVITY])?;
    let link = |k: usize| {
        let (mass, length) = (MASSES[k], LENGTHS[k]);
        Mass::new(mass, mass * length * length / 12.0).centered_at([0.5 * length, 0.0])
    };
    let upper = m.add_body(link(0), Pose::IDENTITY)?;
    let lower = m.add_body(link(1), Pose::new(LENGTHS[0], 0.0, 0.0))?;
    m.add(Revolute::to_ground(upper, [0.0, 0.0]))?;
    m.add(Revolute::new(lower, [0.0, 0.0], upper, [LENGTHS[0], 0.0]))?;
    let shoulder = m.add(Prescribed::trajectory(Measure::angle(upper, BodyRef::Ground), |t| angle(0, t)))?;
    let elbow = m.add(Prescribed::trajectory(Measure::angle(lower, upper), |t| angle(1, t)))?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:>6} {:>12} {:>12} {:>10}", "time", "shoulder", "elbow", "error")?;
    for k in 0..8 {
        let time = 0.4 * f64::from(k);
        m.set_time(time)?;
        m.assemble()?;
        let answer = m.solve_accelerations()?;
        let found = [m.multipliers(shoulder, &answer)?[0], m.multipliers(elbow, &answer)?[0]];
        let expected = textbook(angle(0, time), angle(1, time));
        let error = (found[0] - expected[0]).abs().max((found[1] - expected[1]).abs());
        writeln!(out, "{time:>6.1} {:>12.6} {:>12.6} {error:>10.1e}", found[0], found[1])?;
        assert!(error < 1e-9);
    }
    Ok(())
}

/// Torques of a planar arm of two uniform links.
fn textbook([q1, v1, a1]: [f64; 3], [q2, v2, a2]: [f64; 3]) -> [f64; 2] {
    let ([l1, l2], [m1, m2]) = (LENGTHS, MASSES);
    let (c1, c2) = (0.5 * l1, 0.5 * l2);
    let (i1, i2) = (m1 * l1 * l1 / 12.0, m2 * l2 * l2 / 12.0);
    let couple = m2 * l1 * c2;
    let m11 = i1 + i2 + m1 * c1 * c1 + m2 * (l1 * l1 + c2 * c2) + 2.0 * couple * q2.cos();
    let m12 = i2 + m2 * c2 * c2 + couple * q2.cos();
    let m22 = i2 + m2 * c2 * c2;
    let h = couple * q2.sin();
    let g2 = m2 * GRAVITY * c2 * (q1 + q2).cos();
    let g1 = (m1 * c1 + m2 * l1) * GRAVITY * q1.cos() + g2;
    [m11 * a1 + m12 * a2 - h * (2.0 * v1 * v2 + v2 * v2) + g1, m12 * a1 + m22 * a2 + h * v1 * v1 + g2]
}
