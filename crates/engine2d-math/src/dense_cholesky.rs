//! Cholesky factorization `A = L Lᵀ` of a dense symmetric positive definite matrix, for some hundred rows.
//!
//! **Conditions.** Positive definite in floating point; that it is not is an answer, not an error. **Cost.** `n³/6`
//! multiplications and additions. With the feature `sparse` in faer's blocked kernels, otherwise column by column.
//! **Stability.** Backward stable without interchanges. The last digits depend on the processor with faer's kernels.

#[cfg(feature = "sparse")]
use faer::dyn_stack::{MemBuffer, MemStack};

/// A factorization with its storage, which only grows.
#[derive(Default)]
pub struct DenseCholesky {
    len: usize,
    /// Column-major: the lower triangle of `A`, then `L`.
    lower: Vec<f64>,
    #[cfg(feature = "sparse")]
    memory: Option<MemBuffer>,
}

impl std::fmt::Debug for DenseCholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DenseCholesky").field("len", &self.len).finish_non_exhaustive()
    }
}

/// Scratch is not worth copying.
impl Clone for DenseCholesky {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl DenseCholesky {
    /// An empty factorization.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Storage for the lower triangle of an `n × n` matrix, by columns; its other half is not read.
    pub fn load(&mut self, n: usize) -> &mut [f64] {
        self.len = n;
        if self.lower.len() < n * n {
            self.lower.resize(n * n, 0.0);
        }
        &mut self.lower[..n * n]
    }

    /// Replaces `A` by `L`; `false` if a pivot is not positive.
    pub fn factor(&mut self) -> bool {
        let n = self.len;
        if n == 0 {
            return true;
        }
        #[cfg(feature = "sparse")]
        {
            use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
            let request = cholesky_in_place_scratch::<f64>(n, faer::Par::Seq, Default::default());
            let memory = match &mut self.memory {
                Some(memory) if memory.len() >= request.size_bytes() => memory,
                slot => match MemBuffer::try_new(request) {
                    Ok(memory) => slot.insert(memory),
                    Err(_) => return false,
                },
            };
            let matrix = faer::MatMut::from_column_major_slice_mut(&mut self.lower[..n * n], n, n);
            let stack = MemStack::new(memory);
            cholesky_in_place(matrix, Default::default(), faer::Par::Seq, stack, Default::default()).is_ok()
        }
        #[cfg(not(feature = "sparse"))]
        self.factor_by_columns()
    }

    /// Right-looking, one column at a time.
    #[cfg(any(test, not(feature = "sparse")))]
    fn factor_by_columns(&mut self) -> bool {
        let n = self.len;
        for k in 0..n {
            let (done, rest) = self.lower[k * n..n * n].split_at_mut(n);
            if !(done[k] > 0.0) {
                return false;
            }
            let root = done[k].sqrt();
            done[k] = root;
            done[k + 1..].iter_mut().for_each(|v| *v /= root);
            for (column, i) in rest.chunks_exact_mut(n).zip(k + 1..) {
                crate::kernel::axpy(-done[i], &done[i..], &mut column[i..]);
            }
        }
        true
    }

    /// The pivots of the elimination: the squared diagonal of `L`.
    pub fn pivots(&self) -> impl Iterator<Item = f64> {
        (0..self.len).map(|k| self.lower[k * (self.len + 1)].powi(2))
    }

    /// `x ← A⁻¹ x`.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.len;
        let column = |k: usize| &self.lower[k * n + k..(k + 1) * n];
        for k in 0..n {
            let value = x[k] / column(k)[0];
            x[k] = value;
            crate::kernel::axpy(-value, &column(k)[1..], &mut x[k + 1..n]);
        }
        for k in (0..n).rev() {
            let known = crate::kernel::dot(&column(k)[1..], &x[k + 1..n]);
            x[k] = (x[k] - known) / column(k)[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Lcg32;

    /// `(G Gᵀ + I, G Gᵀ x + x, x)` for random `G` and `x`.
    fn problem(n: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let mut rng = Lcg32::new(n as u32 + 1);
        let g: Vec<f64> = (0..n * n).map(|_| rng.next_unit() - 0.5).collect();
        let x: Vec<f64> = (0..n).map(|_| rng.next_unit() - 0.5).collect();
        let entry = |i: usize, j: usize| {
            let own = if i == j { 1.0 } else { 0.0 };
            (0..n).fold(own, |sum, k| sum + g[i * n + k] * g[j * n + k])
        };
        let a: Vec<f64> = (0..n * n).map(|k| entry(k % n, k / n)).collect();
        let b = (0..n).map(|i| (0..n).map(|j| a[i * n + j] * x[j]).sum()).collect();
        (a, b, x)
    }

    #[test]
    fn both_ways_of_factoring_solve() {
        for n in [0, 1, 2, 7, 80] {
            let (a, b, expected) = problem(n);
            let mut cholesky = DenseCholesky::new();
            for by_columns in [false, true] {
                cholesky.load(n).copy_from_slice(&a);
                assert!(if by_columns { cholesky.factor_by_columns() } else { cholesky.factor() });
                assert!(cholesky.pivots().all(|p| p >= 1.0 - 1e-12), "adding 1 keeps pivots above 1");
                let mut x = b.clone();
                cholesky.solve(&mut x);
                assert!(x.iter().zip(&expected).all(|(x, e)| (x - e).abs() < 1e-11));
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_is_told() {
        let mut cholesky = DenseCholesky::new();
        for by_columns in [false, true] {
            cholesky.load(2).copy_from_slice(&[1.0, 2.0, 2.0, 1.0]);
            assert!(!if by_columns { cholesky.factor_by_columns() } else { cholesky.factor() });
        }
    }
}
