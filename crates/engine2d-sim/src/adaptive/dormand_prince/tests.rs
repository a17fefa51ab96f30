//! Order, error and dense output of the pair.

use super::*;
use std::convert::Infallible;

fn oscillator(_: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
    (dy[0], dy[1]) = (y[1], -y[0]);
    Ok(())
}

fn error_at_ten(tolerance: f64) -> (f64, u64) {
    let settings = AdaptiveSettings {
        relative_tolerance: tolerance,
        absolute_tolerance: tolerance,
        ..AdaptiveSettings::default()
    };
    let mut dp = DormandPrince::new(settings);
    dp.start(0.0, &[1.0, 0.0]);
    while dp.time() < 10.0 {
        dp.step(&mut oscillator, 10.0).unwrap();
    }
    ((dp.state()[0] - 10f64.cos()).abs(), dp.evaluations())
}

#[test]
fn the_error_follows_the_tolerance() {
    assert!(error_at_ten(1e-6).0 < 1e-5);
    assert!(error_at_ten(1e-12).0 < 1e-11);
}

#[test]
fn steps_of_half_length_have_an_error_32_times_smaller() {
    let error = |h: f64| {
        let settings = AdaptiveSettings {
            relative_tolerance: 1.0,
            absolute_tolerance: 1.0,
            max_step: h,
            ..AdaptiveSettings::default()
        };
        let mut dp = DormandPrince::new(settings);
        dp.start(0.0, &[1.0, 0.0]);
        while dp.time() < 4.0 {
            dp.step(&mut oscillator, 4.0).unwrap();
            dp.redo(&mut oscillator, h).unwrap();
        }
        (dp.state()[0] - 4f64.cos()).abs()
    };
    let order = (error(0.25) / error(0.125)).log2();
    assert!((4.7..5.6).contains(&order), "{order}");
}

#[test]
fn the_interpolant_is_accurate_within_the_step() {
    let mut dp = DormandPrince::new(AdaptiveSettings::default());
    dp.start(0.0, &[1.0, 0.0]);
    let mut y = Vec::new();
    while dp.time() < 5.0 {
        dp.step(&mut oscillator, 5.0).unwrap();
        for k in 0..=4 {
            let t = dp.last_time() + (dp.time() - dp.last_time()) * f64::from(k) / 4.0;
            dp.interpolate(t, &mut y);
            assert!((y[0] - t.cos()).abs() < 1e-7, "{t}");
        }
    }
}
