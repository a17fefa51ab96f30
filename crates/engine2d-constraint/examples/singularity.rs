//! A slider-crank on its way to the dead centre: how near it is to a singularity, and what the degrees of freedom are
//! there.

use engine2d_constraint::{BodyRef, Mass, Mechanism, Pose, Prismatic, Revolute};
use std::io::Write;

const CRANK: f64 = 1.0;
const ROD: f64 = 1.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:>10} {:>16}", "crank", "least singular")?;
    let mut before = f64::INFINITY;
    // With equal lengths the crank can stand upright, and the piston then stays while it turns: a second way to move.
    for degrees in [30.0, 60.0, 80.0, 89.0, 89.9, 90.0_f64] {
        let angle = degrees.to_radians();
        let (sin, cos) = angle.sin_cos();
        let mut m = Mechanism::new();
        let crank = m.add_body(Mass::new(1.0, 0.1), Pose::new(0.0, 0.0, angle))?;
        let rod = m.add_body(Mass::new(1.0, 0.1), Pose::new(CRANK * cos, CRANK * sin, -angle))?;
        let piston = m.add_body(Mass::new(1.0, 0.1), Pose::new((CRANK + ROD) * cos, 0.0, 0.0))?;
        m.add_named("axle", Revolute::to_ground(crank, [0.0, 0.0]))?;
        m.add_named("crank pin", Revolute::new(rod, [0.0, 0.0], crank, [CRANK, 0.0]))?;
        m.add_named("piston pin", Revolute::new(rod, [ROD, 0.0], piston, [0.0, 0.0]))?;
        m.add_named(
            "guide",
            Prismatic::new(piston, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0], [1.0, 0.0], 0.0),
        )?;
        m.assemble()?;
        let mobility = m.mobility()?;
        let least = m.least_singular_value();
        writeln!(out, "{degrees:>9.1}° {least:>16.3e}   {mobility:?}")?;
        assert!(least < before, "it comes nearer");
        before = least;
    }
    Ok(())
}
