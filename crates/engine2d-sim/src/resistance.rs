//! How the force of a law changes with the motion of what it acts on.

use crate::force::{ForceContext, ForceLaw};
use crate::tolerance::SHORTEST;
use engine2d_geometry::BodyRef;
use engine2d_math::{Vec2, perp};

/// How the force between two points of bodies changes with their relative motion at a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resistance {
    pub(crate) bodies: [BodyRef; 2],
    /// Where they are (world).
    pub(crate) points: [Vec2; 2],
    /// Unit vectors: from the second point to the first, and across it.
    pub(crate) axes: [Vec2; 2],
    /// What the force changes by with the distance along each (force/length), at least 0.
    pub(crate) stiffness: [f64; 2],
    /// The same with its rate, along both (force·time/length).
    pub(crate) damping: f64,
    /// With which force the points are pushed apart, where they can be no more than let go.
    pub(crate) push: Option<f64>,
}

impl ForceContext<'_> {
    /// How much longer a spring is than its force, which only presses, reaches (length, negative where it presses): at its zeros the force has
    /// a kink. `None` for laws without.
    pub(crate) fn slack(&self, law: &ForceLaw) -> Option<f64> {
        match law {
            ForceLaw::Spring { ends, rest_length, compress_only: true, .. } if *rest_length > 0.0 => {
                Some((ends[0].position(self.bodies) - ends[1].position(self.bodies)).norm() - rest_length)
            }
            _ => None,
        }
    }

    /// How a spring resists; `None` where its force is none, or no spring's.
    pub(crate) fn resistance(&self, law: &ForceLaw) -> Option<Resistance> {
        let ForceLaw::Spring { ends, rest_length, stiffness, damping, compress_only } = law else {
            return None;
        };
        let bodies = [ends[0].body, ends[1].body];
        let points = ends.map(|end| end.position(self.bodies));
        let line = points[0] - points[1];
        let length = line.norm();
        let slack = *compress_only && (length >= *rest_length - SHORTEST || *rest_length == 0.0);
        if bodies[0] == bodies[1] || slack || *rest_length > 0.0 && length < SHORTEST {
            return None;
        }
        if *rest_length == 0.0 {
            let (axes, stiffness) = ([Vec2::x(), Vec2::y()], [*stiffness; 2]);
            return Some(Resistance { bodies, points, axes, stiffness, damping: *damping, push: None });
        }
        let axis = line / length;
        // A spring that is pressed gives way across its line, which no step need follow.
        let across = stiffness * (1.0 - rest_length / length).max(0.0);
        let rate = axis.dot(&(ends[0].velocity(self.bodies) - ends[1].velocity(self.bodies)));
        let push = compress_only.then_some(stiffness * (rest_length - length) - damping * rate);
        let (axes, stiffness) = ([axis, perp(axis)], [*stiffness, across]);
        Some(Resistance { bodies, points, axes, stiffness, damping: *damping, push })
    }
}
