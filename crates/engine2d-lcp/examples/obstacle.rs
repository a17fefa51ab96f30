//! A membrane over an obstacle, 316 × 316 points: `−Δu ≥ load`, `u ≥ ψ`, one of them an equation everywhere.
#![expect(clippy::print_stdout, reason = "an example tells what it found")]

use engine2d_lcp::{Error, Lcp, Solver};

fn main() -> Result<(), Error> {
    let n = 316;
    let h = 1.0 / (n + 1) as f64;
    let at = |i: usize, j: usize| i * n + j;
    let bump = |i: usize, j: usize| {
        let (x, y) = ((i + 1) as f64 * h - 0.5, (j + 1) as f64 * h - 0.5);
        0.2 - 2.0 * (x * x + y * y)
    };
    // The unknown is the height over the obstacle, u − ψ ≥ 0; its complement A u − h² load.
    let (mut entries, mut bias) = (Vec::new(), vec![0.0; n * n]);
    for i in 0..n {
        for j in 0..n {
            entries.push((at(i, j), at(i, j), 4.0));
            bias[at(i, j)] += 4.0 * bump(i, j) + h * h;
            for (k, l) in [(i + 1, j), (i, j + 1)].into_iter().filter(|(k, l)| *k < n && *l < n) {
                entries.push((at(i, j), at(k, l), -1.0));
                bias[at(i, j)] -= bump(k, l);
                bias[at(k, l)] -= bump(i, j);
            }
        }
    }
    let problem = Lcp::triplets(&entries, bias)?;
    let solution = Solver::auto().solve(&problem)?;
    let touching = solution.f.iter().filter(|height| **height <= 0.0).count();
    println!(
        "{:?}, certificate {}, {touching} of {} points touch",
        solution.status,
        solution.certificate,
        n * n
    );
    Ok(())
}
