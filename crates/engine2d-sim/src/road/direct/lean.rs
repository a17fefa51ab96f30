//! A row as elimination needs it, with what its multiplier does to its bodies.

use crate::road::row::Row;
use engine2d_constraint::InverseMass;

/// No movable body on that side of a row.
pub(super) const NONE: u32 = u32::MAX;

/// A row with what its multiplier does to its bodies; [`NONE`] on sides without a movable one. A body that is on both sides is on the
/// first with the sum of both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lean {
    pub(super) bodies: [u32; 2],
    pub(super) jacobian: [[f64; 3]; 2],
    /// `M⁻¹ Jᵀ`.
    pub(super) response: [[f64; 3]; 2],
}

pub(super) fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Lean {
    pub(super) fn new(row: &Row, masses: &[InverseMass]) -> Self {
        let mut lean = Self { bodies: [NONE; 2], jacobian: [[0.0; 3]; 2], response: [[0.0; 3]; 2] };
        for (k, (body, j)) in row.row.bodies.iter().zip(&row.row.jacobian).enumerate() {
            let Some(index) = body.index().filter(|&i| masses[i].is_movable()) else { continue };
            let k = if lean.bodies[0] == index as u32 { 0 } else { k };
            let (own, m) = (&mut lean.jacobian[k], masses[index]);
            *own = [own[0] + j[0], own[1] + j[1], own[2] + j[2]];
            lean.response[k] = [own[0] * m.linear, own[1] * m.linear, own[2] * m.angular];
            lean.bodies[k] = index as u32;
        }
        lean
    }

    /// The rate `J v`.
    pub(super) fn rate(&self, velocity: &impl Fn(usize) -> [f64; 3]) -> f64 {
        let sides = self.bodies.iter().zip(&self.jacobian).filter(|(body, _)| **body != NONE);
        sides.map(|(&body, j)| dot(j, &velocity(body as usize))).sum()
    }
}
