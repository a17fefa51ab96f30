//! Sums of products with twice the digits of a number, by error-free transformations [Dekker 1971; Knuth, TAOCP 2, §4.2.2].

use crate::problem::Matrix;

/// A sum `head + tail`, with `|tail|` at most half a unit in the last place of `head`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Double {
    head: f64,
    tail: f64,
}

/// `2^27 + 1`, which splits a number into halves of 26 digits.
const SPLIT: f64 = 134_217_729.0;

impl Double {
    /// The sum with `x y`, which is exact up to the last digit of both parts.
    #[inline]
    pub(crate) fn add_product(self, x: f64, y: f64) -> Self {
        let p = x * y;
        let ((xh, xl), (yh, yl)) = (halves(x), halves(y));
        let error = ((xh * yh - p) + xh * yl + xl * yh) + xl * yl;
        let sum = self.head + p;
        let part = sum - self.head;
        let rest = (self.head - (sum - part)) + (p - part) + (self.tail + error);
        let head = sum + rest;
        Self { head, tail: rest - (head - sum) }
    }

    /// The nearest number.
    pub(crate) fn value(self) -> f64 {
        self.head + self.tail
    }
}

#[inline]
fn halves(x: f64) -> (f64, f64) {
    let c = SPLIT * x;
    let high = c - (c - x);
    (high, x - high)
}

/// `A x` and the sums of the sizes of its terms, row by row. Of a matrix given by its Jacobian these are the terms of `J M⁻¹ Jᵀ x`.
pub(crate) fn product(matrix: &Matrix<'_>, x: &[f64], image: &mut [(Double, f64)]) {
    let n = x.len();
    match matrix {
        Matrix::Dense(a) => {
            for (i, (exact, terms)) in image.iter_mut().enumerate() {
                let entries = a[i * n..(i + 1) * n].iter().zip(x);
                (*exact, *terms) = sum(entries.filter(|(_, x)| **x != 0.0).map(|(a, x)| (*a, *x)));
            }
        }
        Matrix::Sparse(a) => {
            for (i, (exact, terms)) in image.iter_mut().enumerate() {
                let (columns, values) = a.row(i);
                (*exact, *terms) = sum(columns.iter().zip(values).map(|(&j, a)| (*a, x[j])));
            }
        }
        Matrix::Jacobian { jacobian, inverse_mass } => {
            let mut motion = vec![(Double::default(), 0.0); inverse_mass.len()];
            for (i, &x) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                let (columns, values) = jacobian.row(i);
                for (&c, v) in columns.iter().zip(values) {
                    motion[c].0 = motion[c].0.add_product(*v, x);
                    motion[c].1 += (v * x).abs();
                }
            }
            for (i, (exact, terms)) in image.iter_mut().enumerate() {
                (*exact, *terms) = (Double::default(), 0.0);
                let (columns, values) = jacobian.row(i);
                for (&c, v) in columns.iter().zip(values) {
                    let (motion, size) = motion[c];
                    let weight = v * inverse_mass[c];
                    *exact = exact.add_product(weight, motion.head).add_product(weight, motion.tail);
                    *terms += weight.abs() * size;
                }
            }
        }
    }
}

/// The sum of products, and that of their sizes.
fn sum(products: impl Iterator<Item = (f64, f64)>) -> (Double, f64) {
    products.fold((Double::default(), 0.0), |(sum, size), (a, x)| (sum.add_product(a, x), size + (a * x).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_beyond_the_sixteenth_are_kept() {
        let parts = [(1e8, 1e8), (1.0, 1.0), (-1e8, 1e8), (0.1, 0.1), (-0.1, 0.1)];
        assert_eq!(sum(parts.into_iter()).0.value(), 1.0);
        let third = 1.0 / 3.0;
        // 3 · (1/3 rounded) − 1 is exactly −2^-54.
        assert_eq!(sum([(3.0, third), (-1.0, 1.0)].into_iter()).0.value(), -(2.0_f64.powi(-54)));
    }
}
