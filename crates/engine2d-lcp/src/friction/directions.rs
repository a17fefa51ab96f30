//! Equations and unknowns of contacts along directions of their own: the blocks `F` and `G` of `(F + E W G) x = E g`.

use engine2d_math::sparse_lu::Entries;

/// One 2 × 2 block each of `F` and `G` for each contact; both one where a contact has no directions of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Directions {
    /// Entries of each row with itself, and with its partner.
    weight: [Vec<f64>; 2],
    basis: [Vec<f64>; 2],
    /// Whether a contact has directions of its own.
    own: bool,
}

impl Directions {
    /// Makes room for so many rows, without directions of their own.
    pub(super) fn resize(&mut self, rows: usize) {
        for v in self.weight.iter_mut().chain(&mut self.basis) {
            v.resize(rows, 0.0);
        }
        self.clear();
    }

    /// Takes the directions away.
    pub(super) fn clear(&mut self) {
        self.own = false;
        for [own, cross] in [&mut self.weight, &mut self.basis] {
            own.fill(1.0);
            cross.fill(0.0);
        }
    }

    /// Whether there are any.
    pub(super) fn are_there(&self) -> bool {
        self.own
    }

    /// Gives the contact of two rows its blocks of `F` and `G`.
    pub(super) fn set(&mut self, rows: [usize; 2], f: [[f64; 2]; 2], g: [[f64; 2]; 2]) {
        for ([own, cross], block) in [(&mut self.weight, f), (&mut self.basis, g)] {
            for k in 0..2 {
                (own[rows[k]], cross[rows[k]]) = (block[k][k], block[k][1 - k]);
            }
        }
        self.own = true;
    }

    /// Adds the row of `F`.
    pub(super) fn add_weights(&self, i: usize, partner: &[Option<u32>], target: &mut Entries<'_>) {
        target.add(i, self.weight[0][i]);
        if let Some(j) = partner[i].filter(|_| self.own) {
            target.add(j as usize, self.weight[1][i]);
        }
    }

    /// Adds an entry of `E W`, times `G`.
    #[inline]
    pub(super) fn add(&self, c: usize, value: f64, partner: &[Option<u32>], target: &mut Entries<'_>) {
        if !self.own {
            return target.add(c, value);
        }
        target.add(c, value * self.basis[0][c]);
        if let Some(j) = partner[c].filter(|_| self.basis[1][c] != 0.0) {
            target.add(j as usize, value * self.basis[1][c]);
        }
    }

    /// The forces `G x`.
    pub(super) fn forces(&self, x: &[f64], partner: &[Option<u32>], forces: &mut [f64]) {
        for (i, force) in forces.iter_mut().enumerate() {
            let other = partner[i].map_or(0.0, |j| self.basis[1][i] * x[j as usize]);
            *force = self.basis[0][i] * x[i] + other;
        }
    }
}
