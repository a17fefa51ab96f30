//! The Delassus operator `A = J M⁻¹ Jᵀ`: change of each row's rate per unit multiplier of each row.

use crate::row::{ConstraintRow, InverseMass};

/// A dense Delassus matrix with its storage reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct Delassus {
    size: usize,
    entries: Vec<f64>,
}

impl Delassus {
    /// Number of rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The `size × size` entries, row-major; symmetric to the bit.
    #[must_use]
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// Entry of row `i` and column `j`.
    #[inline]
    #[must_use]
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.entries[i * self.size + j]
    }

    /// Makes it a zero matrix of the given size.
    pub(crate) fn clear(&mut self, size: usize) {
        self.size = size;
        self.entries.clear();
        self.entries.resize(size * size, 0.0);
    }

    pub(crate) fn set(&mut self, i: usize, j: usize, value: f64) {
        self.entries[i * self.size + j] = value;
    }

    /// Row `i`.
    #[inline]
    #[must_use]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.size..(i + 1) * self.size]
    }
}

/// Assembles `A_ij = Σ_bodies j_iᵀ M⁻¹ j_j` over the movable bodies that rows `i` and `j` share.
///
/// One triangle is computed and mirrored. Contact forces and collision impulses use this same function;
/// only the right-hand side differs.
pub fn delassus(rows: &[ConstraintRow], inverse_masses: &[InverseMass], out: &mut Delassus) {
    let n = rows.len();
    out.clear(n);
    for i in 0..n {
        for j in 0..=i {
            let value = coupling(&rows[i], &rows[j], inverse_masses);
            out.set(i, j, value);
            out.set(j, i, value);
        }
    }
}

/// `j_aᵀ M⁻¹ j_b` over the movable bodies that two rows share: an entry of the Delassus operator.
#[inline]
#[must_use]
pub fn coupling(a: &ConstraintRow, b: &ConstraintRow, inverse_masses: &[InverseMass]) -> f64 {
    let mut sum = 0.0;
    for (body_a, ja) in a.bodies.iter().zip(&a.jacobian) {
        let Some(index) = body_a.index() else { continue };
        for (body_b, jb) in b.bodies.iter().zip(&b.jacobian) {
            if body_a == body_b {
                let m = inverse_masses[index];
                sum += (ja[0] * jb[0] + ja[1] * jb[1]) * m.linear + ja[2] * jb[2] * m.angular;
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_geometry::BodyRef::{Body, Ground};
    use engine2d_math::Vec2;

    #[test]
    fn stacked_blocks_have_the_textbook_matrix() {
        let up = Vec2::new(0.0, 1.0);
        let zero = Vec2::zeros();
        let rows = [
            ConstraintRow::separation([Body(0), Ground], up, zero, zero),
            ConstraintRow::separation([Body(1), Body(0)], up, zero, zero),
        ];
        let masses = [InverseMass::new(1.0, 1.0), InverseMass::new(0.5, 1.0)];
        let mut a = Delassus::default();
        delassus(&rows, &masses, &mut a);
        assert_eq!(a.entries(), &[1.0, -1.0, -1.0, 3.0]);
    }

    #[test]
    fn immovable_bodies_couple_nothing() {
        let n = Vec2::new(1.0, 0.0);
        let rows = [
            ConstraintRow::separation([Body(0), Body(2)], n, Vec2::new(0.0, 1.0), n),
            ConstraintRow::separation([Body(1), Body(2)], n, n, n),
        ];
        let masses = [
            InverseMass::new(1.0, 2.0),
            InverseMass::new(1.0, 2.0),
            InverseMass::new(f64::INFINITY, f64::INFINITY),
        ];
        let mut a = Delassus::default();
        delassus(&rows, &masses, &mut a);
        assert_eq!(a.at(0, 1), 0.0);
        assert_eq!(a.at(0, 0), 1.5);
    }
}
