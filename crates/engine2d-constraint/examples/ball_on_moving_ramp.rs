//! A disc rolls down a ramp that itself slides on the floor, against the analytic solution.
//!
//! With ramp mass `M`, disc mass `m`, slope `β`, and `I = m r²/2`: along the slope the disc moves with `a` against the
//! ramp, the ramp with `A` along the floor. Lagrange's equations are `(M + m) A − m a cos β = 0` (the ramp recoils) and
//! `(3/2) a − A cos β = g sin β`.

use engine2d_constraint::{
    CircleOnLine, Coordinate, Line, Mass, Mechanism, MechanismError, Prescribed, Slider,
};
use engine2d_geometry::BodyRef;
use engine2d_math::{Pose, Vec2, trig};
use std::io::Write;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:>6} {:>14} {:>14} {:>14} {:>9}",
        "slope", "ramp", "disc on ramp", "normal force", "error"
    )?;
    for degrees in [5.0_f64, 15.0, 30.0, 45.0, 60.0] {
        let ([ramp, disc, normal], error) = compare(degrees.to_radians())?;
        writeln!(out, "{degrees:>5}° {ramp:>14.9} {disc:>14.9} {normal:>14.9} {error:>9.1e}")?;
        assert!(error < 1e-12, "the analytic solution is missed");
    }
    Ok(())
}

fn compare(slope: f64) -> Result<([f64; 3], f64), MechanismError> {
    let (big, small, radius, g) = (4.0, 1.5, 0.25, 9.81);
    let (sin, cos) = trig::sin_cos(slope);
    let normal = Vec2::new(sin, cos);
    let mut m = Mechanism::new();
    m.set_gravity([0.0, -g])?;
    let ramp = m.add_body(Mass::new(big, 1.0), Pose::IDENTITY)?;
    let center = normal * radius;
    let disc = m.add_body(Mass::disc(small, radius), Pose::new(center.x, center.y, 0.0))?;
    // The ramp slides along the floor without turning.
    m.add(Slider::along_world(ramp, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0], [0.0, 1.0]))?;
    m.add(Prescribed::position((ramp, Coordinate::Angle), 0.0))?;
    let line = Line::new([0.0, 0.0], normal);
    let contact = m.add(CircleOnLine::new(ramp, line, disc, [0.0, 0.0], radius).rolling())?;
    m.assemble()?;
    let answer = m.solve_accelerations()?;
    let [ramp_x, _, _] = answer.acceleration(ramp)?;
    let [x, y, _] = answer.acceleration(disc)?;
    let down = (x - ramp_x) * cos - y * sin;
    let force = m.multipliers(contact, &answer)?[0];
    // The analytic solution; the ramp moves against the disc.
    let a = g * sin / (1.5 - small * cos * cos / (big + small));
    let recoil = -small * a * cos / (big + small);
    let pressed = small * (g * cos + recoil * sin);
    let error = [ramp_x - recoil, down - a, force - pressed].iter().fold(0.0, |w: f64, e| w.max(e.abs()));
    Ok(([ramp_x, down, force], error))
}
