//! Heaps of thirty and of a hundred discs and blocks that come to rest, as a simulation asks for a step of them: the sets and forces of
//! the step before are nearly right, and the forces hardly determined.
#![cfg(feature = "file")]

use engine2d_lcp::{Lcp, Method, Set, Solution, Solver, Stepper};

/// What the simulation asks for, and what it has the digits improved to as long as that is cheap.
const ASKED: f64 = 1e-9;
const AIM: f64 = 1e-11;

/// No digits of a number in double precision are these.
const NONE: f64 = 1e-18;

/// What the fixed point on the normal forces takes here; Lemke's method comes to more than three hundred besides.
const PIVOTS_BEFORE_LEMKE: usize = 1100;

/// Lemke's method takes more than a thousand pivots, each of three hundred rows.
const FEW_PIVOTS: usize = 100;

/// Without a way to its end by the matrix, of fifty thousand pivots.
const FEW_OF_MANY: usize = 2000;

/// A problem with the sets and forces before it.
type Known = (Lcp<'static>, Vec<Set>, Vec<f64>);

const AT_REST: &str = include_str!("heap/at_rest.json");
const NEARLY_DEPENDENT: &str = include_str!("heap/nearly_dependent.json");
const SETTLING: &str = include_str!("heap/settling.json");

/// Takes the step from the sets and forces before it, to what is asked for and aimed at.
fn solve(
    (problem, sets, forces): Known,
    (asked, aim): (f64, f64),
) -> Result<Solution, Box<dyn std::error::Error>> {
    let mut stepper = Stepper::with(problem, Solver::auto().tolerance(asked).aim(aim));
    stepper.start_from(&sets, &forces)?;
    Ok(stepper.solve()?.clone())
}

/// A step must be solved, with fewer pivots than told.
fn assert_solved_within(known: Known, aim: f64, pivots: usize) -> Result<(), Box<dyn std::error::Error>> {
    let solution = solve(known, (ASKED, aim))?;
    assert!(solution.is_solved(), "{}", solution.certificate);
    assert!(solution.stats.pivots < pivots, "{:?}", solution.stats);
    Ok(())
}

#[test]
fn a_heap_at_rest_is_solved_from_the_step_before_without_long_ways() -> Result<(), Box<dyn std::error::Error>>
{
    assert_solved_within(serde_json::from_str(AT_REST)?, AIM, FEW_PIVOTS)
}

/// A point within the tolerance in the scale of the whole problem is none in those of its rows: who takes it for an answer leaves
/// the rest to the matrix, which does not solve it either. However many digits more are aimed at.
#[test]
fn a_heap_that_settles_is_solved_in_the_scales_of_its_rows() -> Result<(), Box<dyn std::error::Error>> {
    for aim in [ASKED, AIM, 1e-3 * AIM] {
        assert_solved_within(serde_json::from_str(SETTLING)?, aim, FEW_OF_MANY)?;
    }
    Ok(())
}

/// Where neither the bodies nor the matrix lead to what is asked for, the better of their points is handed over: here that of the
/// bodies, which is off by rounding, while the matrix leads astray.
#[test]
fn the_matrix_does_not_lead_away_from_what_the_bodies_came_to() -> Result<(), Box<dyn std::error::Error>> {
    let solution = solve(serde_json::from_str(SETTLING)?, (NONE, NONE))?;
    assert!(!solution.is_solved() && solution.stats.pivots > FEW_OF_MANY, "{:?}", solution.stats);
    assert!(solution.certificate.residual < 1e-14, "{}", solution.certificate);
    Ok(())
}

/// Rows without friction that hold blocks in a square to the rates they have, nearly dependent on each other: pivoting alone leaves a
/// violation of 1e-5.
#[test]
fn nearly_dependent_rows_get_a_second_opinion_by_portable_methods_too()
-> Result<(), Box<dyn std::error::Error>> {
    let (problem, sets, forces): Known = serde_json::from_str(NEARLY_DEPENDENT)?;
    assert!(!Solver::pivoting().solve(&problem)?.is_solved());
    let mut stepper = Stepper::with(problem, Solver::auto().portable().tolerance(ASKED));
    stepper.start_from(&sets, &forces)?;
    let solution = stepper.solve()?;
    assert!(solution.is_solved(), "{}", solution.certificate);
    assert_eq!(solution.method, Method::Friction);
    Ok(())
}

/// The matrix itself in place of the Jacobian: the dense way ends in an answer too, whose last digits are not worth Lemke's method.
#[test]
fn the_same_heap_given_by_its_matrix_is_not_followed_beyond_what_is_asked()
-> Result<(), Box<dyn std::error::Error>> {
    let (problem, sets, forces): Known = serde_json::from_str(AT_REST)?;
    let n = problem.len();
    let mut matrix = vec![0.0; n * n];
    let mut unit = vec![0.0; n];
    for (i, column) in matrix.chunks_exact_mut(n).enumerate() {
        unit[i] = 1.0;
        problem.matrix().product(&unit, column);
        unit[i] = 0.0;
    }
    let dense = Lcp::from_dense(matrix, problem.bias().to_vec())?.rows(problem.kinds().to_vec())?;
    assert_solved_within((dense, sets, forces), AIM, PIVOTS_BEFORE_LEMKE)
}
