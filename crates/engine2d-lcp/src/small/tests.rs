//! The lean path of small problems against the other solvers.

use super::ROWS;
use crate::{Certificate, Lcp, Row, Set, Solution, Solver, Status, Workspace, infeasibility_bound};
use engine2d_math::random::Lcg32;

/// A random semidefinite problem of at most `rank`; every third has copies and opposites of rows, every second a `b` in the
/// range of the matrix.
fn problem(case: usize, rng: &mut Lcg32) -> Lcp<'static> {
    let mut unit = || 2.0 * rng.next_unit() - 1.0;
    let n = 1 + case % ROWS;
    let rank = 1 + case % (n + 3);
    let mut g: Vec<f64> = (0..n * rank).map(|_| unit()).collect();
    if case.is_multiple_of(3) {
        for row in 1..n / 2 {
            let sign = if row % 4 == 3 { -1.0 } else { 1.0 };
            let (from, to) = ((row - 1) * rank, (n - row) * rank);
            (0..rank).for_each(|k| g[to + k] = sign * g[from + k]);
        }
    }
    let motion: Vec<f64> = (0..rank).map(|_| unit()).collect();
    let row = |i: usize| &g[i * rank..(i + 1) * rank];
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let a: Vec<f64> = (0..n * n).map(|k| product(row(k / n), row(k % n))).collect();
    let b: Vec<f64> =
        (0..n).map(|i| if case.is_multiple_of(2) { product(row(i), &motion) } else { unit() }).collect();
    let kinds: Vec<Row> = (0..n)
        .map(|i| if (case / 2 + i).is_multiple_of(6) { Row::Bilateral } else { Row::Unilateral })
        .collect();
    Lcp::from_dense(a, b).and_then(|p| p.rows(kinds)).unwrap()
}

#[test]
fn the_lean_path_ends_as_the_general_one() {
    let mut rng = Lcg32::new(11);
    let (lean, general) =
        (Solver::pivoting(), Solver::pivoting().redundancy(crate::tolerance::ATTEMPTS[0].0));
    let (mut workspace, mut short, mut long) = (Workspace::new(), Solution::default(), Solution::default());
    let (mut solved, mut impossible, mut answered, mut regular) = (0, 0, 0, 0);
    for case in 0..6000 {
        let problem = problem(case, &mut rng);
        let n = problem.len();
        lean.solve_into(&problem, None, &mut workspace, &mut short).unwrap();
        general.solve_into(&problem, None, &mut workspace, &mut long).unwrap();
        answered += usize::from(short.stats.factorizations > 0);
        match long.status {
            Status::Solved if long.certificate.residual <= 1e-8 => solved += 1,
            Status::Infeasible => impossible += 1,
            // One attempt, without the others that the solver would make.
            _ => continue,
        }
        assert_eq!(short.status, long.status, "case {case}: {short}{long}");
        if short.status == Status::Infeasible {
            assert!(infeasibility_bound(&problem, &short.ray).is_some_and(|bound| bound > 1e-8));
            continue;
        }
        let mut again = vec![0.0; n];
        let certificate = Certificate::compute(&problem, &short.f, 1e-8, &mut again);
        assert_eq!((certificate, &again), (short.certificate, &short.a), "case {case}");
        assert!(certificate.residual <= 1e-9, "case {case}: {certificate}");
        // A bias that leaves the range of the matrix by rounding only shifts accelerations by as much.
        let scale = certificate.bias_scale;
        for (i, (x, y)) in short.a.iter().zip(&long.a).enumerate() {
            assert!((x - y).abs() <= 1e-7 * scale, "case {case} row {i}: {short}{long}");
        }
        // With a regular matrix of the rows that carry force or could, the forces and sets are unique too.
        let strict = |s: &Solution| s.f.iter().zip(&s.a).all(|(f, a)| f.abs() + a.abs() > 1e-6);
        let rank = 1 + case % (n + 3);
        if rank >= n && !case.is_multiple_of(3) && strict(&long) {
            regular += 1;
            assert_eq!(short.sets, long.sets, "case {case}: {short}{long}");
        }
    }
    assert!(
        solved > 3000 && impossible > 500 && answered > 2500 && regular > 300,
        "{solved} {impossible} {answered} {regular}"
    );
}

#[test]
fn its_sets_start_it_again() {
    let mut rng = Lcg32::new(12);
    let (mut workspace, mut first, mut again) = (Workspace::new(), Solution::default(), Solution::default());
    for case in (0..2000).step_by(2) {
        let problem = problem(case, &mut rng);
        Solver::auto().solve_into(&problem, None, &mut workspace, &mut first).unwrap();
        Solver::auto().solve_into(&problem, Some(&first.sets), &mut workspace, &mut again).unwrap();
        assert_eq!(again.status, Status::Solved, "case {case}: {again}");
        assert!(
            again.a.iter().zip(&first.a).all(|(x, y)| (x - y).abs() <= 1e-8),
            "case {case}: {first}{again}"
        );
    }
}

#[test]
fn rows_that_rest_get_no_force() {
    let problem = Lcp::dense([[2.0, 1.0], [1.0, 2.0]], [0.0, 0.0]).unwrap();
    let solution = Solver::auto().solve(&problem).unwrap();
    assert!(solution.is_solved() && solution.f == [0.0, 0.0]);
    assert!(!solution.sets.contains(&Set::Untreated));
}
