//! `cargo xtask bench orders FILE`: how the forces of redundant problems depend on the order of rows.

use crate::{TaskError, say};
use engine2d_lcp::{ForceSelection, Lcp, Policy, Row, Run, Solution, Solver, Workspace};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// File of recorded problems with many pivot orders (`unit_problems.json`).
    file: PathBuf,
    /// Random orders for each problem and limit.
    #[arg(long, default_value_t = 1000)]
    orders: u32,
}

/// Relative pivots at which a row counts as redundant, tried in turn.
const LIMITS: [f64; 4] = [1e-13, 1e-11, 1e-9, 1e-7];

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let value: Value = serde_json::from_slice(&std::fs::read(&options.file)?)?;
    let problems = value["problems"].as_array().ok_or("the file has no problems")?;
    say(&format!(
        "{:10} {:>7} {:>12} {:>12} {:>12} {:>9}",
        "problem", "limit", "max |f|", "max norm", "min norm", "unsolved"
    ));
    for entry in problems {
        let problem = read(entry)?;
        for limit in LIMITS {
            say(&line(entry["id"].as_str().unwrap_or("?"), &problem, limit, options.orders)?);
        }
        let least = Solver::auto().forces(ForceSelection::MinNorm).solve(&problem)?;
        let norm = engine2d_math::dense::length(&least.f);
        say(&format!(
            "{:10} {:>7} {:12.4e} {norm:12.4e}",
            "",
            "least",
            engine2d_math::dense::largest_magnitude(&least.f)
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn read(entry: &Value) -> Result<Lcp<'static>, TaskError> {
    let a: Vec<Vec<f64>> = serde_json::from_value(entry["A"].clone())?;
    let b: Vec<f64> = serde_json::from_value(entry["b"].clone())?;
    let joint: Vec<bool> = serde_json::from_value(entry["joint"].clone())?;
    let rows: Vec<Row> = joint.iter().map(|j| if *j { Row::Bilateral } else { Row::Unilateral }).collect();
    Ok(Lcp::from_dense(a.concat(), b)?.rows(rows)?)
}

/// The extremes over the orders for one limit.
fn line(name: &str, problem: &Lcp<'_>, limit: f64, orders: u32) -> Result<String, TaskError> {
    let solver = Solver::pivoting().policy(Policy::Random).redundancy(limit);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
    let (mut largest, mut longest, mut shortest, mut unsolved) = (0.0_f64, 0.0_f64, f64::INFINITY, 0);
    for _ in 0..orders {
        let mut run = Run { rng: Some(&mut rng), ..Run::default() };
        solver.run(problem, &mut run, &mut workspace, &mut solution)?;
        if !solution.is_solved() {
            unsolved += 1;
            continue;
        }
        let norm = engine2d_math::dense::length(&solution.f);
        largest = largest.max(engine2d_math::dense::largest_magnitude(&solution.f));
        longest = longest.max(norm);
        shortest = shortest.min(norm);
    }
    Ok(format!("{name:10} {limit:7.0e} {largest:12.4e} {longest:12.4e} {shortest:12.4e} {unsolved:9}"))
}
