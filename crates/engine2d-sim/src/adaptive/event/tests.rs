//! Tests of the location of events.

use super::*;
use crate::adaptive::AdaptiveSettings;
use std::convert::Infallible;

#[test]
fn a_falling_ball_meets_the_ground_on_time() {
    let mut dp = DormandPrince::new(AdaptiveSettings::default());
    dp.start(0.0, &[1.0, 0.0]);
    let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), Infallible> {
        (dy[0], dy[1]) = (y[1], -9.81);
        Ok(())
    };
    let mut locator = CrossingLocator::new();
    let mut height = |_: f64, y: &[f64], g: &mut Vec<f64>| {
        g.clear();
        g.push(y[0]);
    };
    let hit = loop {
        if let Some(hit) = locator.step(&mut dp, &mut rates, &mut height, 10.0).unwrap() {
            break hit;
        }
    };
    assert!((hit.time - (2.0f64 / 9.81).sqrt()).abs() < 1e-13);
    assert!(!hit.rising && hit.index == 0);
    assert!(dp.state()[0] <= 0.0 && dp.state()[0] > -1e-12);
}

#[test]
fn the_earliest_of_several_crossings_is_reported() {
    let mut dp = DormandPrince::new(AdaptiveSettings::default());
    dp.start(0.0, &[0.0]);
    let mut rates = |_: f64, _: &[f64], dy: &mut [f64]| -> Result<(), Infallible> {
        dy[0] = 1.0;
        Ok(())
    };
    let mut functions = |_: f64, y: &[f64], g: &mut Vec<f64>| {
        g.clear();
        g.extend([y[0] - 0.7, 0.3 - y[0], y[0] - 0.5]);
    };
    let mut locator = CrossingLocator::new();
    let mut found = None;
    while dp.time() < 1.0 && found.is_none() {
        found = locator.step(&mut dp, &mut rates, &mut functions, 1.0).unwrap();
    }
    let hit = found.unwrap();
    assert_eq!(hit.index, 1);
    assert!((hit.time - 0.3).abs() < 1e-12);
}
