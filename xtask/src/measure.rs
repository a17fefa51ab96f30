//! Medians of processor time, and random numbers for what is measured.

use engine2d_math::random::Lcg32;

/// Shortest batch, in microseconds.
const BATCH: f64 = 1000.0;
/// Batches of a measurement, unless one takes longer than [`LONG`].
const BATCHES: usize = 7;
/// Microseconds from which one batch is enough.
const LONG: f64 = 300_000.0;

/// Median time of a call in microseconds of this thread's processor time.
pub(crate) fn median_time(mut call: impl FnMut()) -> f64 {
    let mut repetitions = 1_usize;
    let mut batch = |repetitions: usize| {
        let start = clock();
        for _ in 0..repetitions {
            call();
        }
        clock() - start
    };
    let mut elapsed = batch(repetitions);
    while elapsed < BATCH {
        repetitions *= if elapsed * 16.0 < BATCH { 8 } else { 2 };
        elapsed = batch(repetitions);
    }
    let mut samples = vec![elapsed / repetitions as f64];
    while samples.len() < BATCHES && elapsed < LONG {
        samples.push(batch(repetitions) / repetitions as f64);
    }
    median(&mut samples)
}

/// The middle one of some samples.
pub(crate) fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples.get(samples.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Microseconds of processor time of this thread.
pub(crate) fn clock() -> f64 {
    cpu_time::ThreadTime::now().as_duration().as_secs_f64() * 1e6
}

/// A number between `low` and `high`.
pub(crate) fn within(generator: &mut Lcg32, low: f64, high: f64) -> f64 {
    low + (high - low) * generator.next_unit()
}
