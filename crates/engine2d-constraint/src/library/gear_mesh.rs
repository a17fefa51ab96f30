//! Gears in mesh whose axles may move: planetary trains.

use crate::body::BodyId;
use crate::constraint::{BadValue, Constraint, Stroke};
use crate::equation::Equation;
use crate::motion::Motions;
use crate::row::direction_row;
use engine2d_math::{Vec2, perp};
use std::f64::consts::TAU;

/// Two gears in mesh, by their pitch circles. The line of their centres may turn: with both axles on a carrier this is a
/// planetary train, with no need to name the carrier.
///
/// With the signed radii `r` (that of an internal gear negative), the gears' angles `θ` and the angle `φ` of the line from
/// the first centre to the second, the position error is the arc `r_1 θ_1 + r_2 θ_2 − (r_1 + r_2) φ − phase`: relative to the
/// line of centres both gears roll off the same length. As the line's angle is known up to whole turns, so is the error:
/// the value nearest to 0 counts, and meshing anew after a turn of the carrier makes no jump. The multiplier is the
/// tangential force of the teeth.
#[doc(alias = "planetary")]
#[doc(alias = "epicyclic")]
#[doc(alias = "Gear")]
#[derive(Clone, Debug, PartialEq)]
pub struct GearMesh {
    bodies: [BodyId; 2],
    centers: [Vec2; 2],
    /// Pitch radii.
    radii: [f64; 2],
    /// Whether the second gear is a ring about the first.
    is_internal: bool,
    phase: f64,
}

impl GearMesh {
    /// Outer gears: each is a body, the centre in it and the pitch radius.
    #[must_use]
    pub fn external(
        (body_1, center_1, radius_1): (impl Into<BodyId>, Vec2, f64),
        (body_2, center_2, radius_2): (impl Into<BodyId>, Vec2, f64),
    ) -> Self {
        Self {
            bodies: [body_1.into(), body_2.into()],
            centers: [center_1, center_2],
            radii: [radius_1, radius_2],
            is_internal: false,
            phase: 0.0,
        }
    }

    /// An outer gear inside a ring gear, the second, of larger pitch radius.
    #[must_use]
    pub fn internal(gear: (impl Into<BodyId>, Vec2, f64), ring: (impl Into<BodyId>, Vec2, f64)) -> Self {
        Self { is_internal: true, ..Self::external(gear, ring) }
    }

    /// Sets the phase: the arc (length) by which the teeth are offset where all angles are 0.
    #[must_use]
    pub fn with_phase(mut self, phase: f64) -> Self {
        self.phase = phase;
        self
    }

    /// Sets the phase so that the gears mesh as they stand at these motions.
    #[must_use]
    pub fn meshed_at(mut self, motions: Motions<'_>) -> Self {
        self.phase = 0.0;
        self.phase = self.arc(motions, self.line(motions));
        self
    }

    /// The pitch radii, that of a ring negative.
    fn signed_radii(&self) -> [f64; 2] {
        let [first, second] = self.radii;
        [first, if self.is_internal { -second } else { second }]
    }

    /// From the first centre to the second.
    fn line(&self, motions: Motions<'_>) -> Vec2 {
        let [c1, c2] = crate::constraint::world_points(self.bodies, self.centers, motions);
        c2 - c1
    }

    /// The error, before whole turns are taken off.
    fn arc(&self, motions: Motions<'_>, line: Vec2) -> f64 {
        let angle = |i: usize| motions.of(self.bodies[i]).pose.angle();
        let [r1, r2] = self.signed_radii();
        r1 * angle(0) + r2 * angle(1) - (r1 + r2) * engine2d_math::trig::atan2(line.y, line.x) - self.phase
    }
}

impl Constraint for GearMesh {
    fn kind(&self) -> &'static str {
        "gear mesh"
    }

    /// The pitch point: towards the other centre, within a ring away from it.
    fn anchor(&self, motions: Motions<'_>) -> Vec2 {
        let c1 = motions.of(self.bodies[0]).position(self.centers[0]);
        let line = self.line(motions);
        let distance = line.norm();
        let reach = if self.is_internal { -self.radii[0] } else { self.radii[0] };
        if distance > 0.0 { c1 + line * (reach / distance) } else { c1 }
    }

    fn check(&self) -> Result<(), BadValue> {
        let [first, second] = self.radii;
        crate::constraint::check_positive("first radius", first)?;
        crate::constraint::check_positive("second radius", second)?;
        if self.is_internal && second <= first {
            let allowed = "must be larger than that of the gear within it";
            return Err(BadValue { what: "radius of the ring", value: second, allowed });
        }
        Ok(())
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.bodies.to_vec()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let [m1, m2] = self.bodies.map(|b| motions.of(b));
        let arms = [m1.arm(self.centers[0]), m2.arm(self.centers[1])];
        let line = self.line(motions);
        let distance = line.norm();
        let n = if distance > 0.0 { line / distance } else { Vec2::new(1.0, 0.0) };
        let p = perp(n);
        let [r1, r2] = self.signed_radii();
        let (sum, inverse) = (r1 + r2, if distance > 0.0 { 1.0 / distance } else { 0.0 });
        let turn = TAU * sum.abs();
        let arc = self.arc(motions, line);
        let error = if turn > 0.0 { arc - turn * (arc / turn).round() } else { arc };
        // φ̇ = p·w/d with the relative velocity w of the centres, so that φ̈ = (p·ẇ − 2 φ̇ n·w)/d.
        let velocity = m2.velocity_at(arms[1]) - m1.velocity_at(arms[0]);
        let bias = m2.acceleration_bias_at(arms[1]) - m1.acceleration_bias_at(arms[0]);
        let turning = p.dot(&velocity) * inverse;
        let line_bias = (p.dot(&bias) - 2.0 * turning * n.dot(&velocity)) * inverse;
        let mut row = direction_row(self.bodies, p * (sum * inverse), arms);
        row.jacobian[0][2] += r1;
        row.jacobian[1][2] += r2;
        out.push(Equation::holonomic(row, error, -sum * line_bias, motions));
    }

    fn draw(&self, motions: Motions<'_>, out: &mut Vec<Stroke>) {
        let centers = crate::constraint::world_points(self.bodies, self.centers, motions);
        let circle = |(center, radius): (Vec2, f64)| Stroke::Circle { center, radius };
        out.extend(centers.into_iter().zip(self.radii).map(circle));
    }
}
