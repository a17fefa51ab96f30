//! Impacts in small rough piles, as a simulation asks for them: compression, then expansion by Poisson's law.

mod pile;

use engine2d_lcp::{Certificate, Lcp, Solution, Solver, Workspace};
use engine2d_math::random::Lcg32;
use pile::Pile;

/// What a simulation asks of an answer with friction, and what it takes where rounding leaves no more.
const SOUGHT: f64 = 1e-11;
const TAKEN: f64 = 1e-9;

/// Solves an impact problem; what is wrong with the answer, if anything.
fn solve(problem: &Lcp<'_>, workspace: &mut Workspace, solution: &mut Solution) -> Result<(), String> {
    let status = Solver::auto().tolerance(SOUGHT).solve_into(problem, None, workspace, solution);
    let status = status.map_err(|e| e.to_string())?;
    let certificate = Certificate::compute(problem, &solution.f, TAKEN, &mut vec![0.0; problem.len()]);
    if certificate.holds(TAKEN) {
        return Ok(());
    }
    let Certificate { excess, force_scale, .. } = certificate;
    Err(format!("{status:?} {certificate}, {excess:.1e} beyond rounding, forces of {force_scale:.0e}"))
}

/// Both problems of impacts in random piles; the complaints, and how many problems there were.
fn impacts(seeds: u32) -> (Vec<String>, usize) {
    let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
    let (mut complaints, mut count) = (Vec::new(), 0);
    for seed in 0..seeds {
        let pile = Pile::new(&mut Lcg32::new(seed));
        let compression = pile.compression();
        count += 1;
        if let Err(complaint) = solve(&compression, &mut workspace, &mut solution) {
            complaints.push(format!("{seed}, compression of {} rows: {complaint}", compression.len()));
            continue;
        }
        let Some(expansion) = pile.expansion(&solution.f) else { continue };
        count += 1;
        if let Err(complaint) = solve(&expansion, &mut workspace, &mut solution) {
            complaints.push(format!("{seed}, expansion of {} rows: {complaint}", expansion.len()));
        }
    }
    (complaints, count)
}

#[test]
fn impacts_in_small_rough_piles_are_all_solved() {
    let seeds = if cfg!(feature = "stress") { 51_000 } else { 600 };
    let (complaints, count) = impacts(seeds);
    assert!(!cfg!(feature = "stress") || count >= 100_000, "{count} problems");
    assert!(complaints.is_empty(), "{} of {count}:\n{}", complaints.len(), complaints.join("\n"));
}
