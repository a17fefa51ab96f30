//! The recorded system's own joints as constraints: its rows stand at other points than the library's and have
//! velocity-product terms of their own.

use engine2d_constraint::{
    BodyId, BodyRef, CircleOnLine, Constraint, ConstraintRow, Equation, FrameMotion, Motions, Pose, Vec2,
};
use engine2d_math::{perp, trig};

/// What a joint between frame C of the first body and frame D of the second leaves free.
#[derive(Clone, Copy, Debug)]
pub(super) enum Free {
    /// Turning.
    Angle,
    /// Sliding along the x axis of D.
    Axis,
}

/// A hinge or a slider between two frames.
#[derive(Clone, Debug)]
pub(super) struct FrameJoint {
    pub(super) bodies: [BodyRef; 2],
    pub(super) frames: [Pose; 2],
    pub(super) free: Free,
}

impl Constraint for FrameJoint {
    fn kind(&self) -> &'static str {
        "joint of frames"
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.bodies.map(BodyId::from).to_vec()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let [a, b] = self.bodies.map(|body| motions.of(body));
        let [c, d] = [(a, 0), (b, 1)].map(|(m, k)| m.position(self.frames[k].position()));
        let angles =
            [(a, 0), (b, 1)].map(|(m, k): (FrameMotion, usize)| m.pose.angle() + self.frames[k].angle());
        let axes = angles.map(|angle| {
            let (sin, cos) = trig::sin_cos(angle);
            [Vec2::new(cos, sin), Vec2::new(-sin, cos)]
        });
        // −ω_a × v_a + ω_b × v_b + ω_a × v_b(C) − ω_b × v_a(C).
        let at_c = |m: &FrameMotion| m.velocity_at(c - m.pose.position());
        let (wa, wb) = (a.angular_velocity, b.angular_velocity);
        let product =
            perp(b.velocity) * wb - perp(a.velocity) * wa + perp(at_c(&b)) * wa - perp(at_c(&a)) * wb;
        let row = |axis: Vec2, at: Vec2| {
            ConstraintRow::separation(self.bodies, axis, at - a.pose.position(), at - b.pose.position())
        };
        match self.free {
            Free::Angle => {
                for axis in axes[0] {
                    out.push(Equation::holonomic(
                        row(axis, d),
                        axis.dot(&(c - d)),
                        axis.dot(&product),
                        motions,
                    ));
                }
            }
            Free::Axis => {
                let [along, across] = axes[1];
                // The row acts at the point of D's axis nearest to C.
                let at = d + along * along.dot(&(c - d));
                let bias = axes[0][1].dot(&product);
                out.push(Equation::holonomic(row(across, at), across.dot(&(c - d)), bias, motions));
                let jacobian = [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
                let turn = ConstraintRow { bodies: self.bodies, jacobian };
                // Within half a turn.
                let error = trig::atan2(trig::sin(angles[0] - angles[1]), trig::cos(angles[0] - angles[1]));
                out.push(Equation::holonomic(turn, error, 0.0, motions));
            }
        }
    }
}

/// A circle on a line of the world, without the velocity-product terms, which the recorded system leaves out.
#[derive(Clone, Debug)]
pub(super) struct LinePoint(pub(super) CircleOnLine);

impl Constraint for LinePoint {
    fn kind(&self) -> &'static str {
        "point on a line"
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.0.bodies()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let first = out.len();
        self.0.equations(motions, out);
        out[first..].iter_mut().for_each(|e| e.acceleration_bias = 0.0);
    }
}
