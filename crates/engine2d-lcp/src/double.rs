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

    /// The sum with another one.
    pub(crate) fn add(self, other: Self) -> Self {
        self.add_product(other.head, 1.0).add_product(other.tail, 1.0)
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

/// `A x`, row by row.
pub(crate) fn product(matrix: &Matrix<'_>, x: &[f64], image: &mut [Double]) {
    let n = x.len();
    match matrix {
        Matrix::Dense(a) => {
            for (i, exact) in image.iter_mut().enumerate() {
                let terms = a[i * n..(i + 1) * n].iter().zip(x);
                *exact = sum(terms.filter(|(_, x)| **x != 0.0).map(|(a, x)| (*a, *x)));
            }
        }
        Matrix::Sparse(a) => {
            for (i, exact) in image.iter_mut().enumerate() {
                let (columns, values) = a.row(i);
                *exact = sum(columns.iter().zip(values).map(|(&j, a)| (*a, x[j])));
            }
        }
        Matrix::Jacobian { jacobian, inverse_mass, compliance } => {
            let mut motion = vec![Double::default(); inverse_mass.len()];
            for (i, &x) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                let (columns, values) = jacobian.row(i);
                for (&c, v) in columns.iter().zip(values) {
                    motion[c] = motion[c].add_product(*v, x);
                }
            }
            for (i, exact) in image.iter_mut().enumerate() {
                let (columns, values) = jacobian.row(i);
                let soft = compliance.get(i).map_or(0.0, |c| *c);
                let start = Double::default().add_product(soft, x[i]);
                *exact = columns.iter().zip(values).fold(start, |sum, (&c, v)| {
                    let weight = v * inverse_mass[c];
                    sum.add_product(weight, motion[c].head).add_product(weight, motion[c].tail)
                });
            }
        }
    }
}

fn sum(products: impl Iterator<Item = (f64, f64)>) -> Double {
    products.fold(Double::default(), |sum, (a, x)| sum.add_product(a, x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_beyond_the_sixteenth_are_kept() {
        let parts = [(1e8, 1e8), (1.0, 1.0), (-1e8, 1e8), (0.1, 0.1), (-0.1, 0.1)];
        assert_eq!(sum(parts.into_iter()).value(), 1.0);
        let third = 1.0 / 3.0;
        // 3 · (1/3 rounded) − 1 is exactly −2^-54.
        assert_eq!(sum([(3.0, third), (-1.0, 1.0)].into_iter()).value(), -(2.0_f64.powi(-54)));
    }
}
