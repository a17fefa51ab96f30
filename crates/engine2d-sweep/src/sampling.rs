//! Samples of several parameters at once, in the unit cube.

use crate::error::SweepError;
use crate::sobol::{self, MOST_DIMENSIONS};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// How parameters with a range are sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Independent draws.
    Random,
    /// Each parameter's range in as many strata as samples, one draw in each.
    LatinHypercube,
    /// A sequence of low discrepancy, shifted by the seed; seed 0 leaves it as it is.
    Sobol,
}

impl Method {
    /// All methods with their words.
    pub(crate) const ALL: [(&'static str, Self); 3] =
        [("random", Self::Random), ("latin_hypercube", Self::LatinHypercube), ("sobol", Self::Sobol)];
}

/// A draw in [0, 1).
fn unit(rng: &mut ChaCha8Rng) -> f64 {
    /// Bits of a number's fraction.
    const FRACTION: u32 = 53;
    (rng.next_u64() >> (u64::BITS - FRACTION)) as f64 / (1u64 << FRACTION) as f64
}

/// `count` samples for each of `dimensions` parameters: one list a parameter.
pub(crate) fn samples(
    method: Method,
    dimensions: usize,
    count: usize,
    seed: u64,
) -> Result<Vec<Vec<f64>>, SweepError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut all = vec![Vec::with_capacity(count); dimensions];
    match method {
        Method::Random => {
            for _ in 0..count {
                all.iter_mut().for_each(|one| one.push(unit(&mut rng)));
            }
        }
        Method::LatinHypercube => {
            for one in &mut all {
                let mut strata: Vec<usize> = (0..count).collect();
                // The shuffle of Fisher and Yates.
                for last in (1..count).rev() {
                    strata.swap(last, (unit(&mut rng) * (last + 1) as f64) as usize);
                }
                one.extend(strata.into_iter().map(|k| (k as f64 + unit(&mut rng)) / count as f64));
            }
        }
        Method::Sobol => {
            if dimensions > MOST_DIMENSIONS {
                let problem = format!("sobol takes at most {MOST_DIMENSIONS} parameters with a range");
                return Err(SweepError::at("sampling.method", problem));
            }
            for (dimension, one) in all.iter_mut().enumerate() {
                let shift = if seed == 0 { 0 } else { rng.next_u32() };
                *one = sobol::points(dimension, count, shift);
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latin_hypercube_has_one_draw_in_each_stratum() {
        for one in samples(Method::LatinHypercube, 3, 50, 4).unwrap() {
            let mut strata: Vec<usize> = one.iter().map(|x| (x * 50.0) as usize).collect();
            assert_ne!(strata, (0..50).collect::<Vec<_>>(), "it is shuffled");
            strata.sort_unstable();
            assert_eq!(strata, (0..50).collect::<Vec<_>>());
        }
    }

    #[test]
    fn seeds_tell_samples_apart_and_repeat_them() {
        for (_, method) in Method::ALL {
            let of = |seed| samples(method, 2, 16, seed).unwrap();
            assert_eq!(of(1), of(1));
            assert_ne!(of(1), of(2));
            assert!(of(3).iter().flatten().all(|x| (0.0..1.0).contains(x)));
        }
        assert!(samples(Method::Sobol, MOST_DIMENSIONS + 1, 2, 0).is_err());
    }
}
