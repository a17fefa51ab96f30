//! Round arches against the limits of equilibrium: they stand wherever forces in the joints exist that hold every stone, and fall
//! where none do.
//!
//! Across a joint stones press each other at its two ends, each with a force in the cone of friction: a sum of `λ (t + μ r)` and
//! `λ' (t − μ r)` with `λ, λ' ≥ 0`, the direction `t` across the joint and `r` along it. Each stone needs the sum of its forces,
//! of their moments and of its weight to vanish: `A λ = w`, `λ ≥ 0`, a linear program of which only the first phase matters
//! \[Livesley 1978\]. Stones do not slide before they must: no motion starts where such `λ` exist.

use engine2d_scene::catalogue::round_arch;
use engine2d_scene::{Clock, ClockSettings, Scene, SteppingSolver};
use std::f64::consts::PI;

const G: f64 = 9.81;
const RADIUS: f64 = 3.0;

/// Least sum of residuals of `A x = b`, `x ≥ 0`: the first phase of the simplex method, by the steepest column and the largest
/// pivot among equal ratios, which keeps rounding small.
fn least_residual(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> f64 {
    const ZERO: f64 = 1e-10;
    let (m, n) = (rows.len(), rows[0].len());
    for (row, b) in rows.iter_mut().zip(&mut right) {
        if *b < 0.0 {
            *b = -*b;
            row.iter_mut().for_each(|a| *a = -*a);
        }
    }
    // The residuals are the first basis; the cost of each column is what they lose by it.
    let mut basis: Vec<usize> = (n..n + m).collect();
    let mut cost: Vec<f64> = (0..n).map(|j| -rows.iter().map(|row| row[j]).sum::<f64>()).collect();
    for _ in 0..100 * n {
        let enter = (0..n).min_by(|&i, &j| cost[i].total_cmp(&cost[j])).filter(|&j| cost[j] < -ZERO);
        let Some(enter) = enter else { break };
        let pivots = || (0..m).filter(|&i| rows[i][enter] > ZERO);
        let ratio = |i: usize| right[i] / rows[i][enter];
        let least = pivots().map(ratio).fold(f64::INFINITY, f64::min);
        let out = pivots()
            .filter(|&i| ratio(i) <= least + ZERO)
            .max_by(|&i, &j| rows[i][enter].total_cmp(&rows[j][enter]))
            .expect("the sum of residuals is bounded");
        let pivot = rows[out][enter];
        rows[out].iter_mut().for_each(|a| *a /= pivot);
        right[out] /= pivot;
        let (row, b) = (rows[out].clone(), right[out]);
        for i in (0..m).filter(|&i| i != out) {
            let factor = rows[i][enter];
            rows[i].iter_mut().zip(&row).for_each(|(a, p)| *a -= factor * p);
            right[i] = (right[i] - factor * b).max(0.0);
        }
        let factor = cost[enter];
        cost.iter_mut().zip(&row).for_each(|(a, p)| *a -= factor * p);
        basis[out] = enter;
    }
    basis.iter().zip(&right).filter(|(k, _)| **k >= n).map(|(_, b)| b).sum()
}

/// Whether forces in the joints hold an arch of `stones` of unit mass.
fn has_equilibrium(stones: usize, thickness: f64, mu: f64) -> bool {
    let ends = [RADIUS * (1.0 - 0.5 * thickness), RADIUS * (1.0 + 0.5 * thickness)];
    let mut rows = vec![vec![0.0; 4 * (stones + 1)]; 3 * stones];
    let joint = |k: usize| (PI * k as f64 / stones as f64).sin_cos();
    let mut right = vec![0.0; 3 * stones];
    for k in 0..stones {
        let [(s0, c0), (s1, c1)] = [joint(k), joint(k + 1)];
        // The centroid of the stone: of the two triangles that a diagonal makes of it.
        let corner = |k: usize| {
            let (s, c) = if k < 2 { (s0, c0) } else { (s1, c1) };
            let end = ends[[0, 1, 1, 0][k]];
            [end * c, end * s]
        };
        let (mut area, mut center) = (0.0, [0.0; 2]);
        for [p, q, r] in [[0, 1, 2], [0, 2, 3]].map(|t| t.map(corner)) {
            let part = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
            area += part;
            (0..2).for_each(|i| center[i] += part * (p[i] + q[i] + r[i]) / 3.0);
        }
        let center = center.map(|x| x / area);
        // From the joint before it the stone is pressed forward, from the one behind it back.
        for (at, forward) in [(k, 1.0), (k + 1, -1.0)] {
            let (s, c) = joint(at);
            for (e, end) in ends.into_iter().enumerate() {
                for (g, side) in [mu, -mu].into_iter().enumerate() {
                    let column = 4 * at + 2 * e + g;
                    let force = [forward * (-s + side * c), forward * (c + side * s)];
                    let arm = [end * c - center[0], end * s - center[1]];
                    rows[3 * k][column] = force[0];
                    rows[3 * k + 1][column] = force[1];
                    rows[3 * k + 2][column] = arm[0] * force[1] - arm[1] * force[0];
                }
            }
        }
        right[3 * k + 1] = G;
    }
    least_residual(rows, right) < 1e-8
}

/// Where a property that holds above a limit ends, between two values.
fn limit(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    assert!(!holds(low) && holds(high));
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        *(if holds(middle) { &mut high } else { &mut low }) = middle;
    }
    high
}

/// Farthest that a stone moves in a time.
fn moved(mut scene: Scene, time: f64, clock: Option<SteppingSolver>) -> f64 {
    scene.settings.clock = clock.map(|solver| Clock::Own(ClockSettings::stepping(solver)));
    let mut world = scene.to_world().expect("a sound scene");
    let start: Vec<_> = world.bodies().map(|body| body.position()).collect();
    let step = if clock.is_some() { 1.0 / 60.0 } else { 0.1 };
    for _ in 0..(time / step).round() as usize {
        let report = world.advance(step).expect("a step");
        assert!(report.penetration <= 1e-9 && report.certificate <= 1e-9, "{report:?}");
    }
    world.bodies().zip(&start).map(|(body, start)| (body.position() - start).norm()).fold(0.0, f64::max)
}

const CLOCKS: [Option<SteppingSolver>; 2] = [None, Some(SteppingSolver::Exact)];

/// An arch of very many stones that do not slide stands from a thickness of 0.1075 of its radius on \[Heyman 1969, 0.106 by his
/// approximation; Ochsendorf 2006\].
#[test]
fn the_limit_of_many_stones_is_that_of_theory() {
    let thickness = limit(0.02, 0.3, |t| has_equilibrium(36, t, 3.0));
    assert!((thickness - 0.1075).abs() < 0.001, "{thickness}");
}

#[test]
fn arches_stand_down_to_the_least_thickness() {
    for stones in [4, 7, 12, 19] {
        let least = limit(0.02, 0.3, |t| has_equilibrium(stones, t, 0.6));
        for clock in CLOCKS {
            let inside = moved(round_arch(stones as u32, 1.001 * least, 0.6), 10.0, clock);
            assert!(inside <= 1e-8, "{stones} stones, {least}, {clock:?}: {inside}");
            let beyond = moved(round_arch(stones as u32, 0.999 * least, 0.6), 3.0, clock);
            assert!(beyond > 1e-3, "{stones} stones, {least}, {clock:?}: {beyond}");
        }
    }
}

#[test]
fn arches_stand_down_to_the_least_coefficient() {
    for stones in [3, 5, 8, 15] {
        let least = limit(0.05, 1.5, |mu| has_equilibrium(stones, 0.2, mu));
        for clock in CLOCKS {
            let inside = moved(round_arch(stones as u32, 0.2, 1.001 * least), 10.0, clock);
            assert!(inside <= 1e-8, "{stones} stones, {least}, {clock:?}: {inside}");
            let beyond = moved(round_arch(stones as u32, 0.2, 0.999 * least), 3.0, clock);
            assert!(beyond > 1e-3, "{stones} stones, {least}, {clock:?}: {beyond}");
        }
    }
}
