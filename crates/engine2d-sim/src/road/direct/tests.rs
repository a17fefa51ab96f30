//! Elimination without refinement against what it is to do.

use super::Direct;
use crate::road::row::Row;
use crate::road::row::Source;
use engine2d_constraint::{ConstraintRow, InverseMass, RowKind};
use engine2d_geometry::BodyRef::{Body, Ground};
use engine2d_math::Vec2;

fn number(k: u32) -> f64 {
    f64::from(k.wrapping_mul(2_654_435_761) >> 12) / f64::from(1_u32 << 20) - 0.5
}

/// Chains, a loop, the ground, a body that does not move, a row between a body and itself.
#[test]
fn rates_change_as_demanded() {
    let ends = [[0, 1], [1, 2], [2, 3], [3, 9], [0, 9], [3, 4], [5, 6], [7, 7], [2, 6], [6, 9], [0, 1]];
    let mut masses: Vec<_> = (0..8).map(|k| InverseMass::new(1.0 + f64::from(k), 0.3)).collect();
    masses[5] = InverseMass::default();
    let row = |(k, ends): (u32, [u32; 2])| {
        let entry = |n: u32| number(31 * k + n);
        let jacobian = [[entry(1), entry(2), entry(3)], [entry(4), entry(5), entry(6)]];
        let bodies = ends.map(|body| if body == 9 { Ground } else { Body(body) });
        let source = Source::Equation { constraint: k, equation: 0 };
        let row = ConstraintRow { bodies, jacobian };
        let (kind, point) = (RowKind::Bilateral, Vec2::zeros());
        Row { source, row, kind, error: 0.0, rate: 0.0, bias: 0.0, holonomic: true, point }
    };
    let rows: Vec<_> = (0..).zip(ends).map(row).collect();
    let active: Vec<u32> = (0..rows.len() as u32).filter(|k| *k != 4).collect();
    let mut direct = Direct::default();
    let mut velocities: Vec<[f64; 3]> = (0..8).map(|k| [number(k), number(k + 50), 1.0]).collect();
    velocities[5] = [0.0; 3];
    assert!(direct.factor(&rows, &active, &masses));
    let (mut before, mut after, mut multipliers) = (Vec::new(), Vec::new(), Vec::new());
    direct.rates(|k| velocities[k], &mut before);
    for (rate, &k) in before.iter().zip(&active) {
        let expected = super::along(&rows[k as usize].row, &velocities);
        assert!((rate - expected).abs() < 1e-14, "{k}: {rate} instead of {expected}");
    }
    let rhs: Vec<f64> = (0..active.len() as u32).map(|k| number(k + 900)).collect();
    direct.answer(&rhs, &mut multipliers);
    direct.apply(&multipliers, active.len(), |k, change| {
        (0..3).for_each(|i| velocities[k][i] += change[i]);
    });
    direct.rates(|k| velocities[k], &mut after);
    for k in 0..active.len() {
        let (changed, wanted) = (after[k] - before[k], rhs[k]);
        assert!((changed - wanted).abs() < 1e-10, "{k}: {changed} instead of {wanted}");
    }
    assert_eq!(velocities[5], [0.0; 3]);
}
