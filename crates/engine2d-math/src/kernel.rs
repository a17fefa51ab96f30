//! The inner loops of dense linear algebra: dot products and scaled sums over contiguous slices. Results do
//! not depend on the processor: four fixed partial sums, no fused operations. Those that are put in line always are so in loops of any
//! width of vectors.

/// Number of partial sums of [`dot`].
const LANES: usize = 4;

/// The larger of two numbers, `b` where `a` is none. `f64::max` minds both and is a call into a library in WebAssembly, which in inner
/// loops is felt; this is one comparison everywhere.
#[inline(always)]
#[must_use]
pub fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller of two numbers, `b` where `a` is none; as [`larger`].
#[inline(always)]
#[must_use]
pub fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// `Σ a_i b_i` over the shorter length.
#[inline(always)]
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let (a4, a1) = a.as_chunks::<LANES>();
    let (b4, b1) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (x, y) in a4.iter().zip(b4) {
        for k in 0..LANES {
            sums[k] += x[k] * y[k];
        }
    }
    let mut rest = 0.0;
    for (x, y) in a1.iter().zip(b1) {
        rest += x * y;
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// `Σ w_i a_i²` over the shorter length.
#[inline]
#[must_use]
pub fn weighted_square(a: &[f64], w: &[f64]) -> f64 {
    let n = a.len().min(w.len());
    let (a4, a1) = a[..n].as_chunks::<LANES>();
    let (w4, w1) = w[..n].as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (x, w) in a4.iter().zip(w4) {
        for k in 0..LANES {
            sums[k] += x[k] * x[k] * w[k];
        }
    }
    let rest: f64 = a1.iter().zip(w1).map(|(x, w)| x * x * w).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// `y += factor · x` over the shorter length.
#[inline(always)]
pub fn axpy(factor: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// `y += Σ factor_k x_k` for four vectors of the same length as `y`, in one pass.
#[inline]
pub fn axpy4(factor: [f64; 4], x: [&[f64]; 4], y: &mut [f64]) {
    let n = y.len();
    let [x0, x1, x2, x3] = x.map(|x| &x[..n]);
    for i in 0..n {
        y[i] += (factor[0] * x0[i] + factor[1] * x1[i]) + (factor[2] * x2[i] + factor[3] * x3[i]);
    }
}

/// `y += A x` for a symmetric row-major `A` of dimension `y.len()`, with `x` given by its nonzero entries.
#[inline]
pub fn symmetric_product_add(a: &[f64], support: &[usize], x: &[f64], y: &mut [f64]) {
    let n = y.len();
    let (fours, ones) = support.as_chunks::<4>();
    for &[i, j, k, l] in fours {
        let row = |r: usize| &a[r * n..(r + 1) * n];
        axpy4([x[i], x[j], x[k], x[l]], [row(i), row(j), row(k), row(l)], y);
    }
    for &i in ones {
        axpy(x[i], &a[i * n..(i + 1) * n], y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_agree_with_their_definitions() {
        for n in 0..13 {
            let a: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
            let b: Vec<f64> = (0..n).map(|i| 2.0 - i as f64).collect();
            let expected: f64 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
            assert_eq!(dot(&a, &b), expected);
            assert_eq!(weighted_square(&a, &b), a.iter().zip(&b).map(|(x, w)| x * x * w).sum::<f64>());
            let mut y = b.clone();
            axpy4([1.0, 2.0, 3.0, 4.0], [&a, &a, &a, &a], &mut y);
            assert!(y.iter().zip(&a).zip(&b).all(|((y, a), b)| *y == b + 10.0 * a));
        }
    }
}
