//! Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations: slow (`n³` times about ten)
//! and accurate, for rank decisions and condition numbers, not for hot paths [Golub, Van Loan, §8.5].

/// Sweeps after which the rotations stop in any case; ten are usual.
const SWEEPS: usize = 60;

/// Eigenvalues (unsorted) and orthonormal eigenvectors (column `k` belongs to eigenvalue `k`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Eigen {
    /// The eigenvalues.
    pub values: Vec<f64>,
    /// The eigenvectors by rows: entry `i` of vector `k` is `vectors[k * n + i]`.
    pub vectors: Vec<f64>,
}

/// Decomposes the symmetric row-major `a` (`n × n`); only its lower triangle is read.
///
/// ```
/// let eigen = engine2d_math::eigen::symmetric(&[2.0, 1.0, 1.0, 2.0], 2);
/// let mut values = eigen.values.clone();
/// values.sort_by(f64::total_cmp);
/// assert!((values[0] - 1.0).abs() < 1e-15 && (values[1] - 3.0).abs() < 1e-15);
/// ```
///
/// # Panics
/// If `a` has fewer than `n²` entries.
#[must_use]
pub fn symmetric(a: &[f64], n: usize) -> Eigen {
    let mut m = vec![0.0; n * n];
    let mut vectors = vec![0.0; n * n];
    for i in 0..n {
        vectors[i * n + i] = 1.0;
        for j in 0..=i {
            m[i * n + j] = a[i * n + j];
            m[j * n + i] = a[i * n + j];
        }
    }
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                let off = m[p * n + q];
                let (d, e) = (m[p * n + p], m[q * n + q]);
                if off.abs() <= 0.5 * f64::EPSILON * (d.abs() * e.abs()).sqrt()
                    || off.abs() < f64::MIN_POSITIVE
                {
                    continue;
                }
                rotated = true;
                let theta = 0.5 * (e - d) / off;
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                rotate(&mut m, &mut vectors, n, (p, q), (c, t * c));
            }
        }
        if !rotated {
            break;
        }
    }
    Eigen { values: (0..n).map(|i| m[i * n + i]).collect(), vectors }
}

/// Applies the rotation `(cosine, sine)` in the plane `(p, q)` on both sides of `m`, and to the vectors.
fn rotate(m: &mut [f64], vectors: &mut [f64], n: usize, (p, q): (usize, usize), (c, s): (f64, f64)) {
    for matrix in [&mut *m, vectors] {
        let (low, high) = matrix.split_at_mut(q * n);
        for (x, y) in low[p * n..(p + 1) * n].iter_mut().zip(&mut high[..n]) {
            (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
        }
    }
    for row in m.chunks_exact_mut(n) {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    m[p * n + q] = 0.0;
    m[q * n + p] = 0.0;
}

/// Condition number `λ_max / λ_min` of a symmetric positive semidefinite matrix; infinite if it is singular to
/// rounding.
#[must_use]
pub fn condition(a: &[f64], n: usize) -> f64 {
    let values = symmetric(a, n).values;
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let smallest = values.iter().fold(f64::INFINITY, |m, v| m.min(*v));
    if smallest <= n as f64 * f64::EPSILON * largest { f64::INFINITY } else { largest / smallest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Lcg32;

    #[test]
    fn the_decomposition_multiplies_back() {
        let mut rng = Lcg32::new(11);
        let n = 9;
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                a[i * n + j] = rng.next_unit() - 0.5;
                a[j * n + i] = a[i * n + j];
            }
        }
        let eigen = symmetric(&a, n);
        for i in 0..n {
            for j in 0..n {
                let sum: f64 = (0..n)
                    .map(|k| eigen.values[k] * eigen.vectors[k * n + i] * eigen.vectors[k * n + j])
                    .sum();
                assert!((sum - a[i * n + j]).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn conditions_of_known_matrices() {
        assert!((condition(&[4.0, 0.0, 0.0, 0.5], 2) - 8.0).abs() < 1e-14);
        assert_eq!(condition(&[1.0, 1.0, 1.0, 1.0], 2), f64::INFINITY);
    }
}
