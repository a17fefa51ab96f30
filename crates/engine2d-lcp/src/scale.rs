//! The scale of each row: what its acceleration is measured by.
//!
//! Rows may come in different units (the problem `D A D`, `D b` has the forces `D⁻¹ f`), and islands know nothing of each
//! other. So a row is measured by the largest bias of its island, taken to its own unit by the roots of the diagonal:
//! `bs_i = √A_ii max_j |b_j|/√A_jj`, at least 1 and at most the island's largest `|b_j|`. It depends on the data alone.

use crate::partition::Partition;
use crate::problem::Matrix;
use crate::{Lcp, Row};

/// The scales of the rows of a problem, with the scratch to find them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scales {
    partition: Partition,
    diagonal: Vec<f64>,
    /// The scale of the bias of each row.
    pub(crate) bias: Vec<f64>,
    /// The largest `|b|` in its island, at least 1.
    pub(crate) island: Vec<f64>,
    /// The scale of the force of each row.
    pub(crate) force: Vec<f64>,
    whole: Vec<f64>,
}

impl Scales {
    /// Scales of a problem.
    pub(crate) fn of(problem: &Lcp<'_>) -> Self {
        let mut scales = Self::default();
        scales.find(problem.matrix(), problem.kinds(), problem.bias());
        scales
    }

    /// Finds the scales of a problem.
    pub(crate) fn find(&mut self, matrix: &Matrix<'_>, kinds: &[Row], b: &[f64]) {
        let n = b.len();
        self.partition.find(matrix, kinds, n);
        for v in [&mut self.diagonal, &mut self.bias, &mut self.island] {
            v.clear();
            v.resize(n, 1.0);
        }
        matrix.diagonal(&mut self.diagonal);
        spread(&self.partition, &self.diagonal, b, false, &mut self.bias, &mut self.island);
    }

    /// Finds the scales of the forces `f` of a problem whose rows have been measured.
    pub(crate) fn find_forces(&mut self, f: &[f64]) {
        for v in [&mut self.force, &mut self.whole] {
            v.clear();
            v.resize(f.len(), 1.0);
        }
        spread(&self.partition, &self.diagonal, f, true, &mut self.force, &mut self.whole);
    }
}

/// For each row of each island the largest of `values` in the unit of the row, at least 1 and at most the largest of all.
/// Forces have the inverse unit of accelerations.
fn spread(
    partition: &Partition,
    diagonal: &[f64],
    values: &[f64],
    inverse: bool,
    own: &mut [f64],
    whole: &mut [f64],
) {
    let unit = |i: usize| if inverse { 1.0 / diagonal[i].sqrt() } else { diagonal[i].sqrt() };
    for k in 0..partition.len() {
        let rows = partition.rows(k);
        let (mut largest, mut scaled) = (1.0_f64, 0.0_f64);
        for &i in rows {
            largest = largest.max(values[i].abs());
            if diagonal[i] > 0.0 {
                scaled = scaled.max(values[i].abs() / unit(i));
            }
        }
        for &i in rows {
            let size = if diagonal[i] > 0.0 { scaled * unit(i) } else { largest };
            (own[i], whole[i]) = (size.max(1.0).min(largest), largest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_measured_in_their_own_unit_and_island() {
        let a = [[1e8, 1e3, 0.0], [1e3, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let problem = Lcp::dense(a, [-1e6, 0.5, -20.0]).unwrap();
        let mut scales = Scales::of(&problem);
        assert_eq!(scales.bias, [1e6, 100.0, 20.0]);
        assert_eq!(scales.island, [1e6, 1e6, 20.0]);
        scales.find_forces(&[1.0, 1e3, 2.0]);
        assert_eq!(scales.force, [1.0, 1e3, 2.0]);
    }
}
