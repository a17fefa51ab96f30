//! Heaps of thirty and of a hundred discs and blocks that come to rest, as a simulation asks for a step of them: the sets and forces of
//! the step before are nearly right, and the forces hardly determined.
#![cfg(feature = "file")]

use engine2d_lcp::{Lcp, Set, Solver, Stepper};

/// What the simulation asks for, and what it has the digits improved to as long as that is cheap.
const ASKED: f64 = 1e-9;
const AIM: f64 = 1e-11;

/// What the fixed point on the normal forces takes here; Lemke's method comes to more than three hundred besides.
const PIVOTS_BEFORE_LEMKE: usize = 1100;

/// Lemke's method takes more than a thousand pivots, each of three hundred rows.
const FEW_PIVOTS: usize = 100;

/// Without a way to its end by the matrix, of fifty thousand pivots.
const FEW_OF_MANY: usize = 2000;

/// A problem with the sets and forces before it.
type Known = (Lcp<'static>, Vec<Set>, Vec<f64>);

fn problem() -> Result<Known, serde_json::Error> {
    serde_json::from_str(include_str!("heap/at_rest.json"))
}

/// Takes the step from the sets and forces before it; it must be solved, with fewer pivots than told.
fn assert_solved_within(
    problem: Lcp<'static>,
    (sets, forces): (&[Set], &[f64]),
    pivots: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut stepper = Stepper::with(problem, Solver::auto().tolerance(ASKED).aim(AIM));
    stepper.start_from(sets, forces)?;
    let solution = stepper.solve()?;
    assert!(solution.is_solved(), "{}", solution.certificate);
    assert!(solution.stats.pivots < pivots, "{:?}", solution.stats);
    Ok(())
}

#[test]
fn a_heap_at_rest_is_solved_from_the_step_before_without_long_ways() -> Result<(), Box<dyn std::error::Error>>
{
    let (problem, sets, forces) = problem()?;
    assert_solved_within(problem, (&sets, &forces), FEW_PIVOTS)
}

/// A point within the tolerance in the scale of the whole problem is none in those of its rows: who takes it for an answer leaves
/// the rest to the matrix, which does not solve it either.
#[test]
fn a_heap_that_settles_is_solved_in_the_scales_of_its_rows() -> Result<(), Box<dyn std::error::Error>> {
    let (problem, sets, forces): Known = serde_json::from_str(include_str!("heap/settling.json"))?;
    assert_solved_within(problem, (&sets, &forces), FEW_OF_MANY)
}

/// The matrix itself in place of the Jacobian: the dense way ends in an answer too, whose last digits are not worth Lemke's method.
#[test]
fn the_same_heap_given_by_its_matrix_is_not_followed_beyond_what_is_asked()
-> Result<(), Box<dyn std::error::Error>> {
    let (problem, sets, forces) = problem()?;
    let n = problem.len();
    let mut matrix = vec![0.0; n * n];
    let mut unit = vec![0.0; n];
    for (i, column) in matrix.chunks_exact_mut(n).enumerate() {
        unit[i] = 1.0;
        problem.matrix().product(&unit, column);
        unit[i] = 0.0;
    }
    let dense = Lcp::from_dense(matrix, problem.bias().to_vec())?.rows(problem.kinds().to_vec())?;
    assert_solved_within(dense, (&sets, &forces), PIVOTS_BEFORE_LEMKE)
}
