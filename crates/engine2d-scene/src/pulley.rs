//! A rope over two fixed rollers, as a constraint of the library: a sum of two distances.

use engine2d_constraint::{
    BadValue, BodyId, Constraint, ConstraintRow, Equation, Motions, Rod, RowKind, Stroke,
};
use engine2d_math::Vec2;

/// Keeps `|p_1 − r_1| + ratio · |p_2 − r_2| ≤ length` for a point of each of two bodies and two points of the world.
///
/// Error `length − |p_1 − r_1| − ratio · |p_2 − r_2|`, so that it is ≥ 0 and its multiplier is the tension on the first
/// side. Each distance is that of a rod, whose rows it adds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PulleyRope {
    pub(crate) bodies: [BodyId; 2],
    pub(crate) points: [Vec2; 2],
    pub(crate) rollers: [Vec2; 2],
    pub(crate) ratio: f64,
    pub(crate) length: f64,
}

impl PulleyRope {
    /// The length with which it is taut.
    pub(crate) fn taut(&self, motions: Motions<'_>) -> f64 {
        let [first, second] = [0, 1].map(|k| (self.place(k, motions) - self.rollers[k]).norm());
        first + self.ratio * second
    }

    fn place(&self, k: usize, motions: Motions<'_>) -> Vec2 {
        motions.of(self.bodies[k]).position(self.points[k])
    }

    /// The distance of a point from its roller, as the equation of a rod of no length.
    fn side(&self, k: usize, motions: Motions<'_>) -> Option<Equation> {
        let mut out = Vec::new();
        let rod = Rod::new(self.bodies[k], self.points[k], BodyId::GROUND, self.rollers[k], 0.0);
        rod.equations(motions, &mut out);
        out.pop()
    }
}

impl Constraint for PulleyRope {
    fn kind(&self) -> &'static str {
        "pulley"
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.bodies.to_vec()
    }

    fn anchor(&self, motions: Motions<'_>) -> Vec2 {
        self.place(0, motions)
    }

    fn check(&self) -> Result<(), BadValue> {
        for (what, value) in [("ratio", self.ratio), ("length", self.length)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(BadValue { what, value, allowed: "must be > 0 and finite" });
            }
        }
        Ok(())
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let (Some(first), Some(second)) = (self.side(0, motions), self.side(1, motions)) else { return };
        let jacobian = [first.row.jacobian[0].map(|j| -j), second.row.jacobian[0].map(|j| -self.ratio * j)];
        let row = ConstraintRow { bodies: self.bodies.map(Into::into), jacobian };
        let error = self.length - first.position_error - self.ratio * second.position_error;
        let bias = -first.acceleration_bias - self.ratio * second.acceleration_bias;
        out.push(Equation::holonomic(row, error, bias, motions).with_kind(RowKind::Unilateral));
    }

    fn draw(&self, motions: Motions<'_>, out: &mut Vec<Stroke>) {
        let [first, second] = [0, 1].map(|k| self.place(k, motions));
        let way = [first, self.rollers[0], self.rollers[1], second];
        out.extend(way.windows(2).map(|ends| Stroke::Segment { from: ends[0], to: ends[1] }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_constraint::FrameMotion;
    use engine2d_constraint::conformance::check_constraint;
    use engine2d_geometry::BodyRef;
    use engine2d_math::Pose;

    #[test]
    fn its_equation_is_what_it_says() {
        let rope = PulleyRope {
            bodies: [BodyRef::Body(0), BodyRef::Body(1)].map(Into::into),
            points: [Vec2::new(0.2, 0.5), Vec2::new(-0.1, 0.4)],
            rollers: [Vec2::new(-1.0, 4.0), Vec2::new(1.5, 4.0)],
            ratio: 2.0,
            length: 9.0,
        };
        let motion = |x, y, angle, velocity: [f64; 2], angular_velocity| FrameMotion {
            pose: Pose::new(x, y, angle),
            velocity: velocity.into(),
            angular_velocity,
        };
        let motions = [motion(-1.3, 0.4, 0.3, [0.7, -0.4], 1.1), motion(1.1, 1.2, -0.8, [-0.2, 0.9], -0.6)];
        check_constraint(&rope, Motions::new(&motions)).unwrap();
    }
}
