//! Medians of processor time and a small random generator.

/// Time of one call in microseconds: the median of many batches.
pub fn median_us(mut call: impl FnMut()) -> f64 {
    let mut repetitions = 1_usize;
    loop {
        let elapsed = batch(repetitions, &mut call);
        if elapsed > 2000.0 {
            break;
        }
        repetitions *= if elapsed < 200.0 { 8 } else { 2 };
    }
    let mut samples: Vec<f64> = (0..15).map(|_| batch(repetitions, &mut call) / repetitions as f64).collect();
    median(&mut samples)
}

pub fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn batch(repetitions: usize, call: &mut impl FnMut()) -> f64 {
    let start = clock_us();
    for _ in 0..repetitions {
        call();
    }
    clock_us() - start
}

pub fn clock_us() -> f64 {
    cpu_time::ThreadTime::now().as_duration().as_secs_f64() * 1e6
}

/// Numbers in [0, 1) from a linear congruential generator.
pub struct Random(pub u64);

impl Random {
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}
