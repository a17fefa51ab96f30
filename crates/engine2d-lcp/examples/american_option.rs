//! An American put option by implicit steps of the heat equation that Black's and Scholes' becomes: holding it is worth at least
//! what exercising it pays. Each step starts from the sets of the one before.
#![expect(clippy::print_stdout, reason = "an example tells what it found")]

use engine2d_lcp::{Error, Lcp, Run, Set, Solution, Solver, Workspace};

fn main() -> Result<(), Error> {
    let (strike, rate, volatility, years) = (100.0, 0.05, 0.3, 1.0);
    let (points, steps, reach) = (2001, 200, 2.5);
    // Price = strike exp(x), time left = 2 τ/σ², worth = strike exp(−½(k−1)x − ¼(k+1)²τ) v, v_τ = v_xx.
    let k = 2.0 * rate / (volatility * volatility);
    let (dx, dt) = (2.0 * reach / (points - 1) as f64, 0.5 * volatility * volatility * years / steps as f64);
    let x = |i: usize| -reach + i as f64 * dx;
    let factor = |x: f64, tau: f64| (0.5 * (k - 1.0) * x + 0.25 * (k + 1.0) * (k + 1.0) * tau).exp();
    let payoff = |i: usize, tau: f64| factor(x(i), tau) * (1.0 - x(i).exp()).max(0.0);
    let ratio = dt / (dx * dx);
    let inner = points - 2;
    let diagonal = (0..inner).map(|i| (i, i, 1.0 + 2.0 * ratio));
    let entries: Vec<_> = diagonal.chain((1..inner).map(|i| (i, i - 1, -ratio))).collect();
    let mut problem = Lcp::triplets(&entries, vec![0.0; inner])?;
    let mut v: Vec<f64> = (0..points).map(|i| payoff(i, 0.0)).collect();
    let (mut workspace, mut solution, mut bias) = (Workspace::new(), Solution::default(), vec![0.0; inner]);
    let mut known: Option<Vec<Set>> = None;
    for step in 1..=steps {
        let tau = step as f64 * dt;
        let pays: Vec<f64> = (0..points).map(|i| payoff(i, tau)).collect();
        for i in 0..inner {
            // The unknown is what holding is worth beyond exercising.
            let spread = |v: &[f64]| v[i + 1] * (1.0 + 2.0 * ratio) - ratio * (v[i] + v[i + 2]);
            bias[i] = spread(&pays) - v[i + 1];
        }
        problem.set_bias(&bias)?;
        let mut run = Run { warm: known.as_deref(), ..Run::default() };
        Solver::auto().run(&problem, &mut run, &mut workspace, &mut solution)?;
        v.clone_from(&pays);
        v[1..=inner].iter_mut().zip(&solution.f).for_each(|(v, f)| *v += f);
        known = Some(solution.sets.clone());
    }
    let middle = points / 2;
    let worth = strike * v[middle] / factor(0.0, 0.5 * volatility * volatility * years);
    println!(
        "{:?}, certificate {}: at {strike} the put is worth {worth:.4}",
        solution.status, solution.certificate
    );
    Ok(())
}
