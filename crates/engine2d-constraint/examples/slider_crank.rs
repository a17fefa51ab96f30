//! A slider-crank at a constant speed of the crank: the piston's acceleration against the closed form, and the torque that
//! drives it.

use engine2d_constraint::{BodyRef, Coordinate, Mass, Mechanism, Pose, Prescribed, Prismatic, Revolute};
use std::io::Write;

const CRANK: f64 = 0.1;
const ROD: f64 = 0.35;
const SPEED: f64 = 20.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:>8} {:>14} {:>14} {:>12}", "crank", "acceleration", "closed form", "torque")?;
    for degrees in (10..360).step_by(50) {
        let angle = f64::from(degrees).to_radians();
        let mut m = Mechanism::new();
        let (sin, cos) = angle.sin_cos();
        let lean = (CRANK * sin / ROD).asin();
        let piston_at = CRANK * cos + ROD * lean.cos();
        let crank = m.add_body(Mass::new(1.0, 0.001), Pose::new(0.0, 0.0, angle))?;
        let rod = m.add_body(Mass::new(0.5, 0.005), Pose::new(CRANK * cos, CRANK * sin, -lean))?;
        let piston = m.add_body(Mass::new(0.8, 0.001), Pose::new(piston_at, 0.0, 0.0))?;
        m.add(Revolute::to_ground(crank, [0.0, 0.0]))?;
        m.add(Revolute::new(rod, [0.0, 0.0], crank, [CRANK, 0.0]))?;
        m.add(Revolute::new(rod, [ROD, 0.0], piston, [0.0, 0.0]))?;
        m.add(Prismatic::new(piston, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0], [1.0, 0.0], 0.0))?;
        let motor = m.add(Prescribed::speed((crank, Coordinate::Angle), SPEED))?;
        m.assemble()?;
        let answer = m.solve_accelerations()?;
        let [found, ..] = answer.acceleration(piston)?;
        // x = r cos φ + √(l² − r² sin² φ), twice differentiated at constant speed.
        let root = (ROD * ROD - CRANK * CRANK * sin * sin).sqrt();
        let part = CRANK * CRANK * (cos * cos - sin * sin) / root
            + CRANK.powi(4) * sin * sin * cos * cos / (root * root * root);
        let expected = -SPEED * SPEED * (CRANK * cos + part);
        let torque = m.multipliers(motor, &answer)?[0];
        writeln!(out, "{degrees:>7}° {found:>14.6} {expected:>14.6} {torque:>12.4}")?;
        assert!((found - expected).abs() < 1e-9 * SPEED * SPEED);
    }
    Ok(())
}
