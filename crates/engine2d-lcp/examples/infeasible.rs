//! A block wedged between two walls that both close in: no forces exist, and the answer says which demands contradict.
#![expect(clippy::print_stdout, reason = "an example tells what it found")]

use engine2d_lcp::{Error, Lcp, Solver, SparseRows, Status, infeasibility_bound};

fn main() -> Result<(), Error> {
    // Rows of the Jacobian: left wall pushes right, right wall pushes left, the floor holds.
    let jacobian = SparseRows::from_triplets(&[(0, 0, 1.0), (1, 0, -1.0), (2, 1, 1.0)], 3)?;
    let masses = vec![0.5, 0.5, 1.0];
    let problem = Lcp::jacobian(jacobian.clone(), masses.clone(), vec![-0.2, -0.3, -9.81])?;
    let solution = Solver::auto().solve(&problem)?;
    assert_eq!(solution.status, Status::Infeasible);
    println!(
        "no forces miss by less than {:?} of the largest bias",
        infeasibility_bound(&problem, &solution.ray)
    );
    for row in (0..3).filter_map(|row| solution.explain(row)).filter(|row| row.in_ray) {
        println!("{row}");
    }
    // Walls that give way a little share the difference.
    let soft = Lcp::soft_jacobian(jacobian, masses, vec![1e-3, 1e-3, 0.0], vec![-0.2, -0.3, -9.81])?;
    println!("{}", Solver::auto().solve(&soft)?);
    Ok(())
}
