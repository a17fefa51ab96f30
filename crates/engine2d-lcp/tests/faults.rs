//! Answers that were once wrong, each kept by what must hold of it.
#![cfg(feature = "file")]

use engine2d_lcp::file::ProblemFile;
use engine2d_lcp::{
    Certificate, Error, Lcp, Method, Policy, Row, Solution, Solver, Status, infeasibility_bound,
};

fn solve<const N: usize>(a: [[f64; N]; N], b: [f64; N], rows: [Row; N]) -> Result<Solution, Error> {
    Solver::auto().solve(&Lcp::dense(a, b).and_then(|p| p.rows(rows))?)
}

const UP: Row = Row::Unilateral;

#[test]
fn what_is_not_finite_has_no_certificate() {
    let problem = Lcp::dense([[1.0, 0.0], [0.0, 1.0]], [-1.0, -1.0]).unwrap();
    let free = Lcp::dense([[0.0, 0.0], [0.0, 1.0]], [0.0, -1.0]).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for f in [[bad, 1.0], [1.0, bad], [bad, bad], [bad, 0.0]] {
            for problem in [&problem, &free] {
                let certificate = Certificate::compute(problem, &f, 1e-8, &mut [0.0; 2]);
                assert_eq!(certificate.residual, f64::INFINITY, "{f:?}");
                assert!(!certificate.holds(1e-8) && !certificate.holds(1e300), "{f:?}");
            }
        }
    }
}

#[test]
fn a_certificate_is_that_of_the_forces_returned() {
    let files = [
        include_str!("faults/nearly_opposed_9.json"),
        include_str!("faults/nearly_opposed_13.json"),
        include_str!("faults/clusters.json"),
        include_str!("faults/mass_ratio.json"),
    ];
    for text in files {
        let problem = ProblemFile::read(text.as_bytes()).unwrap().problem().unwrap();
        for solver in [Solver::auto(), Solver::pivoting()] {
            let solution = solver.solve(&problem).unwrap();
            let mut a = vec![0.0; problem.len()];
            let again = Certificate::compute(&problem, &solution.f, 1e-8, &mut a);
            assert_eq!(solution.status == Status::Solved, again.holds(1e-8), "{solution}");
            let difference = a.iter().zip(&solution.a).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
            assert!(difference <= 1e-8 * again.bias_scale, "{difference:e}\n{solution}");
        }
    }
}

#[test]
fn what_large_forces_solve_is_not_refuted() {
    for t in [1e-4, 1e-5, 3e-6, 1e-6, 5e-7] {
        let a = [[1.0, -1.0], [-1.0, 1.0 + t * t]];
        let solution = solve(a, [-1.0, 1.0 - 1e-6], [UP; 2]).unwrap();
        assert_ne!(solution.status, Status::Infeasible, "{t}: {solution}");
        if t >= 1e-6 {
            assert_eq!(solution.status, Status::Solved, "{t}: {solution}");
        }
    }
}

#[test]
fn what_only_forces_at_the_edge_of_rounding_solve_is_solved() {
    // Two contacts opposed up to an angle of 5e-8: forces of 2e7 hold both, and their own rounding is 2e-9.
    let a = [[1.0, -1.0], [-1.0, 1.0 + 2.4e-15]];
    for row in [UP, Row::Bilateral] {
        let solution = solve(a, [-1.0, 1.0 - 5e-8], [row, row]).unwrap();
        assert!(solution.is_solved(), "{:?} {:?}", solution.status, solution.certificate);
        assert!(solution.certificate.residual <= 1e-8 && solution.f[0] > 1e6, "{:?}", solution.f);
    }
}

#[test]
fn a_light_body_apart_changes_no_verdict() {
    let text = include_str!("faults/light_body_apart.json");
    let problem = ProblemFile::read(text.as_bytes()).unwrap().problem().unwrap();
    let solution = Solver::auto().solve(&problem).unwrap();
    assert_eq!(solution.status, Status::Solved, "{solution}");
}

#[test]
fn rounding_excuses_no_more_than_a_hundred_tolerances() {
    // A wedge with an angle of 1e-6: the forces that hold it are lost in their own rounding.
    let (diagonal, beside) = (1.000_000_000_000_705_7, -0.999_999_999_999_294_5);
    let solution = solve([[diagonal, beside], [beside, diagonal]], [0.0, -0.7], [UP; 2]).unwrap();
    assert_eq!(solution.status, Status::IllConditioned, "{solution}");
    assert!(solution.certificate.condition > 1e8, "{:?}", solution.certificate);
}

#[test]
fn rows_of_another_unit_or_island_hide_nothing() {
    let a = [
        [2.349_043_808_349_843e23, 0.0, 0.0, 678_537_092.896_6],
        [0.0, 1.0, 0.0, -0.01],
        [0.0, 0.0, 1.0, -0.000_12],
        [678_537_092.896_6, -0.01, -0.000_12, 0.000_101_974_400_000_000_01],
    ];
    let problem = Lcp::dense(a, [-284_210_554_763.0, -1.0, 0.0, 0.0]).unwrap();
    let wrong = [1.209_9e-12, 1.0, 0.0, 0.0];
    assert!(!Certificate::compute(&problem, &wrong, 1e-8, &mut [0.0; 4]).holds(1e-8));
    let solution = Solver::auto().solve(&problem).unwrap();
    assert!(solution.is_solved() && solution.f[1] > 50.0, "{solution}");
    let apart = Lcp::dense([[1.0, 0.0], [0.0, 1.0]], [-1e13, -9.81]).unwrap();
    assert!(!Certificate::compute(&apart, &[1e13, 0.0], 1e-8, &mut [0.0; 2]).holds(1e-8));
    assert_eq!(Solver::auto().solve(&apart).unwrap().f, [1e13, 9.81]);
}

#[test]
fn numbers_out_of_range_are_errors_not_panics() {
    let free = Row::Boxed { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
    assert!(matches!(solve([[1e-310]], [-1.0], [UP]), Err(Error::Overflow { row: 0 })));
    assert!(matches!(solve([[1e-310]], [1.0], [free]), Err(Error::Overflow { row: 0 })));
    assert!(matches!(solve([[1e-308]], [-10.0], [UP]), Err(Error::Overflow { row: 0 })));
    assert!(matches!(solve([[1e200]], [-1.0], [UP]), Err(Error::OutOfRange { what: "A", .. })));
    assert!(matches!(solve([[1.0]], [-1e200], [UP]), Err(Error::OutOfRange { what: "b", .. })));
    let nothing = solve([[1e-310, 0.0], [0.0, 0.0]], [0.0, 0.0], [Row::Bilateral, UP]).unwrap();
    assert_eq!((nothing.status, nothing.f), (Status::Solved, vec![0.0, 0.0]));
    let tiny = Lcp::dense([[1e-308]], [-10.0]).unwrap();
    for method in [Method::Lemke, Method::BlockPivoting, Method::Pivoting, Method::InteriorPoint] {
        let answer = Solver::with(method).solve(&tiny);
        assert!(answer.map_or(true, |solution| !solution.is_solved()), "{method:?}");
    }
}

#[test]
fn an_order_is_refused_by_methods_without_one() {
    let problem = Lcp::dense([[1.0]], [-1.0]).unwrap();
    for method in [Method::Lemke, Method::GaussSeidel, Method::BlockPivoting, Method::InteriorPoint] {
        let answer = Solver::with(method).policy(Policy::MinAccel).solve(&problem);
        assert!(matches!(answer, Err(Error::Unsupported { .. })), "{method:?}");
    }
}

#[test]
fn the_tolerance_asked_for_decides() {
    let contradicting = |by: f64| {
        let problem = Lcp::dense([[1.0, 1.0], [1.0, 1.0]], [-0.5, -0.5 + by]).unwrap();
        problem.rows([Row::Bilateral; 2]).unwrap()
    };
    let strict = contradicting(4e-9);
    let solution = Solver::auto().tolerance(1e-10).solve(&strict).unwrap();
    assert_eq!(solution.status, Status::Infeasible, "{solution}");
    assert!(infeasibility_bound(&strict, &solution.ray).is_some_and(|bound| bound > 1e-10));
    let solution = Solver::auto().tolerance(1e-6).solve(&contradicting(1e-6)).unwrap();
    assert!(solution.is_solved() && solution.certificate.residual <= 6e-7, "{solution}");
}

#[test]
fn copies_that_contradict_each_other_by_the_tolerance_are_decided() {
    // A bilateral row, its copy and its opposite: the best answer misses by 3.7e-8, the bound of the copies' ray.
    let a = 0.799_344_698_404_802_7;
    let matrix = [[a, a, -a], [a, a, -a], [-a, -a, a]];
    let at = |gap: f64| {
        let b = [-3.656_711_264_642_039, -3.656_711_264_642_039 - gap, 3.656_711_264_642_039 - 0.4 * gap];
        solve(matrix, b, [Row::Bilateral, UP, UP]).unwrap().status
    };
    let critical = 2.0 * 3.656_711_3e-8 / 1.4;
    for share in [0.5, 0.9, 0.97, 0.99] {
        assert_eq!(at(share * critical), Status::Solved, "{share}");
    }
    for share in [1.01, 1.03, 1.2, 2.0] {
        assert_eq!(at(share * critical), Status::Infeasible, "{share}");
    }
}

#[test]
fn a_matrix_printed_with_six_digits_is_solved_within_the_slack_granted() {
    // Contacts on a few bodies: rank 6 of 30, entries rounded to six digits.
    let mut rng = engine2d_math::random::Lcg32::new(11);
    let (n, m) = (30, 6);
    let j: Vec<f64> = (0..n * m).map(|_| 2.0 * rng.next_unit() - 1.0).collect();
    let u: Vec<f64> = (0..m).map(|_| 2.0 * rng.next_unit() - 1.0).collect();
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let row = |i: usize| &j[i * m..(i + 1) * m];
    let printed = |x: f64| format!("{x:.5e}").parse::<f64>().unwrap();
    let a: Vec<f64> = (0..n * n).map(|k| printed(dot(row(k / n), row(k % n)))).collect();
    let b: Vec<f64> = (0..n).map(|i| printed(dot(row(i), &u))).collect();
    let problem = Lcp::from_dense(a, b).unwrap();
    let plain = Solver::auto().solve(&problem);
    assert!(!plain.as_ref().is_ok_and(Solution::is_solved), "{plain:?}");
    let solution = Solver::auto().psd_slack(1e-4).solve(&problem).unwrap();
    assert!(solution.is_solved() && solution.psd_shift == 1e-4, "{solution}");
    assert!(Solver::auto().psd_slack(f64::NAN).solve(&problem).is_err());
}
