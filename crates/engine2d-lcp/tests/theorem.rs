//! What the theory promises, on random problems.

use engine2d_lcp::{
    Certificate, Error, ForceSelection, Lcp, Pivot, Policy, Reason, Row, Run, Set, Solution, Solver, Status,
    Workspace, infeasibility_bound,
};
use engine2d_math::random::Lcg32;

/// A random symmetric semidefinite matrix of rank at most `rank`, and a `b` in its range or not.
fn random_problem(n: usize, rank: usize, in_range: bool, rng: &mut Lcg32) -> (Vec<f64>, Vec<f64>) {
    let mut unit = || 2.0 * rng.next_unit() - 1.0;
    let g: Vec<f64> = (0..n * rank).map(|_| unit()).collect();
    let u: Vec<f64> = (0..rank).map(|_| unit()).collect();
    let mut a = vec![0.0; n * n];
    let mut b = vec![0.0; n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..rank).map(|k| g[i * rank + k] * g[j * rank + k]).sum();
            a[i * n + j] = sum;
            a[j * n + i] = sum;
        }
        b[i] = if in_range { (0..rank).map(|k| g[i * rank + k] * u[k]).sum() } else { unit() };
    }
    (a, b)
}

#[test]
fn a_redundant_problem_with_consistent_bias_is_always_solved() {
    let mut rng = Lcg32::new(1);
    let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
    for case in 0..3000 {
        let n = 2 + case % 19;
        let rank = 1 + case % n;
        let (a, b) = random_problem(n, rank, true, &mut rng);
        let rows: Vec<Row> =
            (0..n).map(|i| if (case + i) % 7 == 0 { Row::Bilateral } else { Row::Unilateral }).collect();
        let problem = Lcp::borrowed(&a, &b, &rows).unwrap();
        Solver::pivoting().solve_into(&problem, None, &mut workspace, &mut solution).unwrap();
        assert_eq!(solution.status, Status::Solved, "case {case}: {solution}");
        assert!(solution.certificate.residual < 1e-9, "case {case}: {}", solution.certificate);
    }
}

#[test]
fn any_problem_is_solved_or_proven_impossible() {
    let mut rng = Lcg32::new(2);
    let mut impossible = 0;
    for case in 0..3000 {
        let n = 1 + case % 15;
        let (a, b) = random_problem(n, 1 + case % n.max(2), false, &mut rng);
        let problem = Lcp::from_dense(a, b).unwrap();
        let solution = Solver::auto().solve(&problem).unwrap();
        match solution.status {
            Status::Solved => assert!(solution.certificate.residual <= 1e-8),
            Status::Infeasible => {
                impossible += 1;
                assert!(infeasibility_bound(&problem, &solution.ray).unwrap() > 1e-8);
            }
            other => panic!("case {case}: {other:?} {solution}"),
        }
    }
    assert!(impossible > 300, "{impossible}");
}

#[test]
fn accelerations_and_least_norm_forces_do_not_depend_on_the_order() {
    let mut rng = Lcg32::new(3);
    let n = 14;
    let (a, b) = random_problem(n, 6, true, &mut rng);
    let problem = Lcp::from_dense(a, b).unwrap();
    let expected = Solver::auto().forces(ForceSelection::MinNorm).solve(&problem).unwrap();
    let solver = Solver::pivoting().policy(Policy::Random).forces(ForceSelection::MinNorm);
    let mut workspace = Workspace::new();
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..1000 {
        let mut solution = Solution::default();
        let mut run = Run { rng: Some(&mut rng), ..Run::default() };
        solver.run(&problem, &mut run, &mut workspace, &mut solution).unwrap();
        assert_eq!(solution.status, Status::Solved);
        seen.insert(solution.order.clone());
        let (bs, fs) = (expected.certificate.bias_scale, expected.certificate.force_scale);
        for i in 0..n {
            assert!((solution.a[i] - expected.a[i]).abs() <= 1e-9 * bs);
            assert!((solution.f[i] - expected.f[i]).abs() <= 1e-8 * fs);
        }
    }
    assert!(seen.len() > 900);
}

#[test]
fn least_norm_forces_share_the_load() {
    // A block on four equal supports in a row: any two would do, equal stiffness uses all.
    let positions = [-1.5, -0.5, 0.5, 1.5];
    let entry = |x: f64, y: f64| 1.0 + x * y / 2.0;
    let a: Vec<f64> = positions.iter().flat_map(|&x| positions.map(|y| entry(x, y))).collect();
    let problem = Lcp::from_dense(a, vec![-10.0; 4]).unwrap();
    let solution = Solver::auto().forces(ForceSelection::MinNorm).solve(&problem).unwrap();
    for f in &solution.f {
        assert!((f - 2.5).abs() < 1e-12, "{solution}");
    }
    let weights = ForceSelection::Weighted(vec![1.0, 3.0, 3.0, 1.0]);
    let weighted = Solver::auto().forces(weights).solve(&problem).unwrap();
    assert!((weighted.f[0] / weighted.f[1] - 3.0).abs() < 1e-10);
}

#[test]
fn driving_a_redundant_row_makes_another_one_leave() {
    // Three supports of a rod in the plane: rank 2. All sag; the third is redundant when driven.
    let positions = [-1.0, 0.2, 1.0];
    let a: Vec<f64> = positions.iter().flat_map(|&x| positions.map(|y| 1.0 + x * y)).collect();
    // The bias sags most in the middle, so that the middle support must carry and an outer one must leave.
    let problem = Lcp::from_dense(a, vec![-1.0, -1.15, -1.2]).unwrap();
    let mut pivots: Vec<Pivot> = Vec::new();
    let mut solution = Solution::default();
    let order = [0, 2, 1];
    let mut run = Run { order: Some(&order), trace: Some(&mut pivots), ..Run::default() };
    let solver = Solver::pivoting().policy(Policy::PreOrdered);
    solver.run(&problem, &mut run, &mut Workspace::new(), &mut solution).unwrap();
    assert_eq!(solution.status, Status::Solved);
    let left = pivots.iter().position(|p| p.reason == Reason::Blocked).expect("some row leaves");
    assert_ne!(pivots[left].row, 1);
    assert_eq!((pivots[left + 1].row, pivots[left + 1].reason), (1, Reason::Solved));
    // It does not come straight back: its acceleration is of the allowed sign.
    assert_eq!(solution.sets[pivots[left].row], Set::Lower);
    assert!(solution.explain(1).unwrap().to_string().contains("clamped"));
}

#[test]
fn nearly_opposed_contacts_get_no_larger_forces_than_they_need() {
    // Two contacts whose normals are opposed up to a small angle; consistent demands need no force at all.
    for angle in [1e-3, 1e-5, 1e-6, 1e-7, 1e-9] {
        let (c, s) = (1.0 - 0.5 * angle * angle, angle);
        let jacobian = [[0.0, 1.0], [s, -c]];
        let external = [0.0, -1.0];
        let dot = |x: [f64; 2], y: [f64; 2]| x[0] * y[0] + x[1] * y[1];
        let a = jacobian.map(|x| jacobian.map(|y| dot(x, y)));
        let b = jacobian.map(|x| dot(x, external));
        let solution = Solver::auto().solve(&Lcp::dense(a, b).unwrap()).unwrap();
        assert_eq!(solution.status, Status::Solved);
        assert!(solution.certificate.force_scale <= 1.0 + 1e-9, "{angle}: {solution}");
    }
}

#[test]
fn zero_steps_are_steps() {
    // A chain of blocks at rest: every bias but the last is zero, and rows are visited from the wrong end.
    let n = 12;
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        a[i * n + i] = 2.0;
        if i > 0 {
            a[i * n + i - 1] = -1.0;
            a[(i - 1) * n + i] = -1.0;
        }
    }
    let mut b = vec![0.0; n];
    b[n - 1] = -1.0;
    let problem = Lcp::from_dense(a, b).unwrap();
    let order: Vec<usize> = (0..n).collect();
    let mut solution = Solution::default();
    let solver = Solver::pivoting().policy(Policy::PreOrdered);
    let mut run = Run { order: Some(&order), ..Run::default() };
    solver.run(&problem, &mut run, &mut Workspace::new(), &mut solution).unwrap();
    assert!(solution.is_solved() && solution.certificate.residual < 1e-14);
}

#[test]
fn senseless_requests_are_refused() {
    let problem = Lcp::dense([[1.0, 0.0], [0.0, 1.0]], [-1.0, -1.0]).unwrap();
    let run = |solver: Solver, order: Option<&[usize]>| {
        let mut run = Run { order, ..Run::default() };
        solver.run(&problem, &mut run, &mut Workspace::new(), &mut Solution::default()).unwrap_err()
    };
    let ordered = || Solver::pivoting().policy(Policy::PreOrdered);
    assert_eq!(run(ordered(), None), Error::MissingOrder);
    assert_eq!(run(ordered(), Some(&[0])), Error::OrderOmits { row: 1 });
    assert_eq!(run(ordered(), Some(&[0, 0])), Error::OrderRepeats { row: 0 });
    assert_eq!(run(ordered(), Some(&[0, 5])), Error::OrderRange { row: 5, rows: 2 });
    assert_eq!(run(Solver::pivoting().policy(Policy::Random), None), Error::MissingGenerator);
    let rubbing = Lcp::dense([[1.0, 0.0], [0.0, 1.0]], [-1.0, -1.0]).unwrap();
    let rubbing = rubbing.rows(vec![Row::Unilateral, Row::Friction { normal: 0, mu: 0.5 }]).unwrap();
    let least = Solver::auto().forces(ForceSelection::MinNorm).solve(&rubbing);
    assert!(matches!(least, Err(Error::Unsupported { what: "friction rows", .. })));
    assert!(matches!(Solver::pivoting().solve(&rubbing), Err(Error::Unsupported { .. })));
}

#[test]
fn a_matrix_that_is_not_semidefinite_is_reported() {
    let problem = Lcp::dense([[1.0, 2.0], [2.0, 1.0]], [-1.0, -3.0]).unwrap();
    assert_eq!(Solver::auto().solve(&problem), Err(Error::NotPsd { row: 1, pivot: -3.0 }));
}

#[test]
fn empty_and_single_problems_work() {
    let empty = Solver::auto().solve(&Lcp::from_dense(vec![], vec![]).unwrap()).unwrap();
    assert!(empty.is_solved() && empty.f.is_empty());
    for (row, b, f) in [
        (Row::Unilateral, -2.0, 1.0),
        (Row::Unilateral, 2.0, 0.0),
        (Row::Bilateral, 2.0, -1.0),
        (Row::Boxed { lo: -0.5, hi: 0.25 }, 2.0, -0.5),
        (Row::Boxed { lo: 1.0, hi: 3.0 }, 2.0, 1.0),
        (Row::Boxed { lo: f64::NEG_INFINITY, hi: 0.25 }, -2.0, 0.25),
    ] {
        let problem = Lcp::dense([[2.0]], [b]).unwrap().rows(vec![row]).unwrap();
        let solution = Solver::auto().solve(&problem).unwrap();
        assert_eq!((solution.f[0], solution.status), (f, Status::Solved), "{row:?} {b}");
    }
}

#[test]
fn boxed_rows_agree_between_the_solvers() {
    use engine2d_lcp::Method;
    let mut rng = Lcg32::new(9);
    for case in 0..200 {
        let n = 3 + case % 8;
        let (a, b) = random_problem(n, n, false, &mut rng);
        let rows: Vec<Row> = (0..n)
            .map(|i| match (case + i) % 4 {
                0 => Row::Bilateral,
                1 => Row::Boxed { lo: -0.3, hi: 0.5 },
                2 => Row::Boxed { lo: f64::NEG_INFINITY, hi: 0.2 },
                _ => Row::Unilateral,
            })
            .collect();
        let problem = Lcp::from_dense(a, b).unwrap().rows(rows).unwrap();
        let exact = Solver::pivoting().solve(&problem).unwrap();
        if exact.status != Status::Solved {
            continue;
        }
        for method in [Method::BlockPivoting, Method::Lemke, Method::InteriorPoint] {
            let solver = Solver::with(method);
            if !solver.applies(&problem) {
                continue;
            }
            let other = solver.solve(&problem).unwrap();
            assert_eq!(other.status, Status::Solved, "case {case} {method:?} {other}");
            for (x, y) in exact.a.iter().zip(&other.a) {
                assert!((x - y).abs() < 1e-7, "case {case} {method:?}");
            }
        }
    }
}

#[test]
fn a_sliding_and_a_sticking_block_have_the_forces_of_coulomb() {
    // A unit mass on a slope: gravity (0, -10) turned; normal row first, tangent second.
    for (slope, mu, sticks) in [(0.2_f64, 0.5, true), (0.2, 0.1, false)] {
        let (s, c) = engine2d_math::trig::sin_cos(slope);
        let problem = Lcp::dense([[1.0, 0.0], [0.0, 1.0]], [-10.0 * c, -10.0 * s])
            .unwrap()
            .rows(vec![Row::Unilateral, Row::Friction { normal: 0, mu }])
            .unwrap();
        let solution = Solver::auto().solve(&problem).unwrap();
        assert_eq!(solution.status, Status::Solved);
        let expected = if sticks { 10.0 * s } else { mu * 10.0 * c };
        assert!((solution.f[1] - expected).abs() < 1e-12);
        let mut a = [0.0; 2];
        assert!(Certificate::compute(&problem, &solution.f, 1e-8, &mut a).residual < 1e-12);
    }
}
