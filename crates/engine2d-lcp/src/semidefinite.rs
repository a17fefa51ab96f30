//! Whether a symmetric matrix is semidefinite, decided stably.

use crate::tolerance::{NOT_PSD, RANK};

/// Whether the row-major `a` is clearly not positive semidefinite. Elimination with the largest scaled pivot first is
/// backward stable for semidefinite matrices [Higham 2002, §10.3]: what is left when only rounding is left has no
/// diagonal entry below `-NOT_PSD` and no entry larger than its diagonal allows, unless the matrix is indefinite.
pub(crate) fn indefinite(a: &[f64], n: usize) -> bool {
    let scale: Vec<f64> =
        (0..n).map(|i| if a[i * n + i] > 0.0 { 1.0 / a[i * n + i].sqrt() } else { 1.0 }).collect();
    let mut rest: Vec<f64> = (0..n * n).map(|k| a[k] * scale[k / n] * scale[k % n]).collect();
    let mut open: Vec<usize> = (0..n).collect();
    let mut pivot_row = vec![0.0; n];
    while !open.is_empty() {
        let best = (1..open.len())
            .fold(0, |best, k| if rest[open[k] * (n + 1)] > rest[open[best] * (n + 1)] { k } else { best });
        let i = open[best];
        let pivot = rest[i * (n + 1)];
        if !(pivot > RANK) {
            break;
        }
        open.swap_remove(best);
        pivot_row.copy_from_slice(&rest[i * n..(i + 1) * n]);
        for &j in &open {
            let factor = pivot_row[j] / pivot;
            if factor != 0.0 {
                let row = &mut rest[j * n..(j + 1) * n];
                row.iter_mut().zip(&pivot_row).for_each(|(r, p)| *r -= factor * p);
            }
        }
    }
    open.iter()
        .any(|&i| open.iter().any(|&j| rest[i * n + j].abs() > NOT_PSD && (i != j || rest[i * n + j] < 0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_direction_is_seen_and_a_missing_one_is_not_mistaken_for_it() {
        assert!(indefinite(&[1.0, 2.0, 2.0, 1.0], 2));
        assert!(indefinite(&[0.0, 1.0, 1.0, 0.0], 2));
        assert!(!indefinite(&[1.0, 1.0, 1.0, 1.0], 2));
        assert!(!indefinite(&[1e6, 1e-3, 1e-3, 1e-12], 2));
        assert!(!indefinite(&[0.0; 9], 3));
    }
}
