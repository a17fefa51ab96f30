//! Force analysis of a four-bar linkage: the torque that drives the crank at a constant speed, and the pin forces, over
//! one turn, without any simulation.

use engine2d_constraint::{Coordinate, Mass, Mechanism, MechanismError, Prescribed, Revolute};
use engine2d_geometry::BodyRef;
use engine2d_math::{Pose, trig};
use std::io::Write;

const CRANK: f64 = 0.3;
const COUPLER: f64 = 1.0;
const ROCKER: f64 = 0.8;
const BASE: f64 = 1.1;
const SPEED: f64 = 2.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:>8} {:>12} {:>12} {:>12}", "crank", "torque", "pin force", "power check")?;
    for degrees in (0..360).step_by(30) {
        let row = analyse(f64::from(degrees).to_radians())?;
        writeln!(out, "{degrees:>7}° {:>12.6} {:>12.6} {:>12.1e}", row[0], row[1], row[2])?;
    }
    Ok(())
}

/// Drive torque, force in the pin between crank and coupler, and the difference between the motor's power and the rate
/// of the energy, which must vanish.
fn analyse(angle: f64) -> Result<[f64; 3], MechanismError> {
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -9.81])?;
    let link =
        |length: f64| Mass::new(length, length * length * length / 12.0).centered_at([length / 2.0, 0.0]);
    let (sin, cos) = trig::sin_cos(angle);
    let crank = m.add_body(link(CRANK), Pose::new(0.0, 0.0, angle))?;
    let coupler = m.add_body(link(COUPLER), Pose::new(CRANK * cos, CRANK * sin, 0.7))?;
    let rocker = m.add_body(link(ROCKER), Pose::new(BASE, 0.0, 1.9))?;
    m.add(Revolute::to_ground(crank, [0.0, 0.0]))?;
    let pin = m.add(Revolute::new(coupler, [0.0, 0.0], crank, [CRANK, 0.0]))?;
    m.add(Revolute::new(coupler, [COUPLER, 0.0], rocker, [ROCKER, 0.0]))?;
    m.add(Revolute::new(rocker, [0.0, 0.0], BodyRef::Ground, [BASE, 0.0]))?;
    // The angle is held while the mechanism is assembled, then the speed.
    let hold = m.add(Prescribed::position((crank, Coordinate::Angle), angle))?;
    m.assemble()?;
    m.set_enabled(hold, false)?;
    let motor = m.add(Prescribed::speed((crank, Coordinate::Angle), SPEED))?;
    m.assemble()?;
    let answer = m.solve_accelerations()?;
    let torque = m.multipliers(motor, &answer)?[0];
    let [fx, fy, _] = m.force_on(pin, coupler, &answer)?;
    Ok([torque, fx.hypot(fy), torque * SPEED - energy_rate(&mut m, answer.accelerations())?])
}

/// Rate of the energy by central differences along the motion.
fn energy_rate(m: &mut Mechanism, udot: &[f64]) -> Result<f64, MechanismError> {
    const H: f64 = 1e-5;
    let (q, u) = (m.coordinates(), m.velocities());
    let mut energy = [0.0; 2];
    for (e, t) in energy.iter_mut().zip([-H, H]) {
        let place: Vec<f64> = (0..q.len()).map(|i| q[i] + u[i] * t + udot[i] * t * t / 2.0).collect();
        let speed: Vec<f64> = (0..u.len()).map(|i| u[i] + udot[i] * t).collect();
        m.set_coordinates(&place)?;
        m.set_velocities(&speed)?;
        *e = m.kinetic_energy() + m.potential_energy();
    }
    Ok((energy[1] - energy[0]) / (2.0 * H))
}
