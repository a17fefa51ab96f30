//! The factor of a solved problem, reused for many right-hand sides.

use crate::tolerance::ATTEMPTS;
use crate::{Certificate, Error, Lcp, Row, Set};
use engine2d_math::kernel::dot;
use engine2d_math::ldlt::UpdatableLdlt;

/// The factored `A_CC` of a set of clamped rows. As long as the sets stay right, a new bias costs two triangular
/// solves; the certificate says whether they did.
///
/// ```
/// use engine2d_lcp::{FactoredSets, Lcp, Solver};
///
/// let mut problem = Lcp::dense([[2.0, 1.0], [1.0, 2.0]], [-1.0, -1.0])?;
/// let solution = Solver::auto().solve(&problem)?;
/// let factored = FactoredSets::new(&problem, &solution.sets)?;
/// problem.set_bias(&[-1.0, -1.5])?;
/// let (f, certificate) = factored.solve(&problem);
/// assert!(certificate.holds(1e-14) && f[1] > f[0]);
/// # Ok::<(), engine2d_lcp::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FactoredSets {
    sets: Vec<Set>,
    clamped: Vec<usize>,
    factor: UpdatableLdlt,
    dense: Vec<f64>,
}

impl FactoredSets {
    /// Factors the clamped rows of `sets`, leaving out those that depend on others.
    ///
    /// # Errors
    /// [`Error::Dimension`], or [`Error::Unsupported`] for friction rows, whose bounds move with the answer.
    pub fn new(problem: &Lcp<'_>, sets: &[Set]) -> Result<Self, Error> {
        let n = problem.len();
        crate::problem::check_length("sets", sets.len(), n)?;
        if problem.has_friction() {
            return Err(Error::Unsupported { solver: "a reused factor", what: "friction rows" });
        }
        let mut dense = Vec::new();
        problem.matrix().to_dense(&mut dense);
        let mut factor = UpdatableLdlt::new();
        factor.reset(n);
        let mut clamped: Vec<usize> = Vec::new();
        for i in (0..n).filter(|&i| sets[i] == Set::Clamped || problem.kinds()[i] == Row::Bilateral) {
            let row = &dense[i * n..(i + 1) * n];
            let mut y: Vec<f64> = clamped.iter().map(|&j| row[j]).collect();
            factor.forward(&mut y);
            let pivot = factor.pivot_of(row[i], &y);
            if pivot > ATTEMPTS[0].0 * row[i] {
                factor.push(&y, pivot);
                clamped.push(i);
            }
        }
        Ok(Self { sets: sets.to_vec(), clamped, factor, dense })
    }

    /// Forces for the problem's present bias with the sets unchanged, and how good they are.
    ///
    /// # Panics
    /// If the problem has another number of rows than the one that was factored.
    #[must_use]
    pub fn solve(&self, problem: &Lcp<'_>) -> (Vec<f64>, Certificate) {
        let n = problem.len();
        assert_eq!(n, self.sets.len(), "the problem must be the one that was factored");
        let mut f: Vec<f64> = (0..n)
            .map(|i| {
                let (lo, hi) = problem.kinds()[i].bounds(0.0);
                match self.sets[i] {
                    Set::Lower if lo.is_finite() => lo,
                    Set::Upper if hi.is_finite() => hi,
                    _ => 0.0,
                }
            })
            .collect();
        let mut x: Vec<f64> = self
            .clamped
            .iter()
            .map(|&i| -(problem.bias()[i] + dot(&self.dense[i * n..(i + 1) * n], &f)))
            .collect();
        self.factor.solve(&mut x);
        for (&i, x) in self.clamped.iter().zip(&x) {
            f[i] = *x;
        }
        let mut a = vec![0.0; n];
        let certificate = Certificate::compute(problem, &f, crate::tolerance::SOLVED, &mut a);
        (f, certificate)
    }
}
