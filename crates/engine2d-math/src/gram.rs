//! Products `J W Jᵀ` of a full matrix with its transpose.
//!
//! **Conditions.** `J` by rows without holes, `W` diagonal. **Cost.** `n² m / 2` multiplications; from 48 rows
//! and columns on with the feature `sparse` in faer's blocked kernels, several times faster than row by row. The last digits
//! depend on the processor there, never on anything else. The rows of a few bodies in many contacts have fewer columns, and the same
//! digits everywhere.

/// Rows and columns from which blocked kernels repay their set-up.
#[cfg(feature = "sparse")]
const BLOCKED: usize = 48;

/// The lower triangle of `J diag(weights) Jᵀ` into the row-major `lower`, whose upper triangle is left as it is. `full` is
/// `J` by rows, `weights.len()` entries each; `scaled` is scratch.
///
/// # Panics
/// If `full` is not as long as the rows of `lower` times the number of weights.
pub fn weighted_gram(full: &[f64], weights: &[f64], scaled: &mut Vec<f64>, lower: &mut [f64]) {
    let m = weights.len();
    let n = lower.len().isqrt();
    assert_eq!(full.len(), n * m, "entries of J");
    scaled.clear();
    let rows = full.chunks_exact(m.max(1));
    scaled.extend(rows.flat_map(|row| row.iter().zip(weights).map(|(v, w)| v * w)));
    #[cfg(feature = "sparse")]
    if n.min(m) >= BLOCKED {
        return blocked(full, scaled, (n, m), lower);
    }
    for i in 0..n {
        for j in 0..=i {
            lower[i * n + j] = crate::kernel::dot(&scaled[i * m..(i + 1) * m], &full[j * m..(j + 1) * m]);
        }
    }
}

#[cfg(feature = "sparse")]
fn blocked(full: &[f64], scaled: &[f64], (n, m): (usize, usize), lower: &mut [f64]) {
    use faer::linalg::matmul::triangular::{BlockStructure, matmul};
    use faer::{Accum, MatMut, MatRef, Par};
    matmul(
        MatMut::from_row_major_slice_mut(lower, n, n),
        BlockStructure::TriangularLower,
        Accum::Replace,
        MatRef::from_row_major_slice(scaled, n, m),
        BlockStructure::Rectangular,
        MatRef::from_row_major_slice(full, n, m).transpose(),
        BlockStructure::Rectangular,
        1.0,
        Par::Seq,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Lcg32;

    #[test]
    fn few_columns_have_the_digits_of_their_rows() {
        let mut rng = Lcg32::new(7);
        let (n, m) = (200, 18);
        let full: Vec<f64> = (0..n * m).map(|_| rng.next_unit() - 0.5).collect();
        let weights: Vec<f64> = (0..m).map(|_| rng.next_unit()).collect();
        let mut lower = vec![0.0; n * n];
        weighted_gram(&full, &weights, &mut Vec::new(), &mut lower);
        for i in 0..n {
            let scaled: Vec<f64> = full[i * m..][..m].iter().zip(&weights).map(|(v, w)| v * w).collect();
            for j in 0..=i {
                assert_eq!(lower[i * n + j], crate::kernel::dot(&scaled, &full[j * m..][..m]), "{i} {j}");
            }
        }
    }

    #[test]
    fn the_product_is_that_of_its_rows_and_the_upper_triangle_stays() {
        let mut rng = Lcg32::new(11);
        for (n, m) in [(0, 3), (1, 0), (3, 2), (47, 5), (60, 31), (48, 48), (70, 51)] {
            let full: Vec<f64> = (0..n * m).map(|_| rng.next_unit() - 0.5).collect();
            let weights: Vec<f64> = (0..m).map(|_| rng.next_unit()).collect();
            let mut lower = vec![7.0; n * n];
            weighted_gram(&full, &weights, &mut Vec::new(), &mut lower);
            for i in 0..n {
                for j in 0..n {
                    let exact: f64 = (0..m).map(|k| full[i * m + k] * weights[k] * full[j * m + k]).sum();
                    let expected = if j <= i { exact } else { 7.0 };
                    assert!(
                        (lower[i * n + j] - expected).abs() < 1e-14 * m as f64 + 1e-300,
                        "{n} {m} {i} {j}"
                    );
                }
            }
        }
    }
}
