//! The oil film of a journal bearing, 1000 × 100 points: the pressure of Reynolds' equation cannot fall below that of vapour,
//! `−∇·(h³ ∇p) + 6 ∂h/∂x ≥ 0`, `p ≥ 0`, one of them an equation everywhere [Cryer 1971].
#![expect(clippy::print_stdout, reason = "an example tells what it found")]

use engine2d_lcp::{Error, Lcp, Solver};
use std::f64::consts::TAU;

fn main() -> Result<(), Error> {
    let (around, along, eccentricity, width) = (1000, 100, 0.8, 1.0);
    let (dx, dy) = (TAU / around as f64, width / along as f64);
    let film = |i: f64| 1.0 + eccentricity * (i * dx).cos();
    let (mut entries, mut bias) = (Vec::new(), vec![0.0; around * along]);
    for i in 0..around {
        for j in 0..along {
            let row = i * along + j;
            let across = dx / dy * film(i as f64).powi(3);
            let next = dy / dx * film(i as f64 + 0.5).powi(3);
            let before = dy / dx * film(i as f64 - 0.5).powi(3);
            // At the rims the pressure is that of the surroundings.
            entries.push((row, row, next + before + 2.0 * across));
            entries.push((row, (i + 1) % around * along + j, -next));
            if j + 1 < along {
                entries.push((row, row + 1, -across));
            }
            bias[row] = 6.0 * dy * (film(i as f64 + 0.5) - film(i as f64 - 0.5));
        }
    }
    let solution = Solver::auto().solve(&Lcp::triplets(&entries, bias)?)?;
    let load: f64 = solution.f.iter().sum::<f64>() * dx * dy;
    let vapour = solution.f.iter().filter(|p| **p <= 0.0).count();
    println!("{:?}, certificate {}", solution.status, solution.certificate);
    println!("pressure in all {load:.6}, vapour in {vapour} of {} points", around * along);
    Ok(())
}
