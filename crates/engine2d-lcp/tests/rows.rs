//! Rows that follow other rows, rows that give way, and problems whose numbers change while their pattern stays.

use engine2d_lcp::{Certificate, Lcp, Method, Row, Set, Solution, Solver, SparseRows, Status, Workspace};

/// A chain of links of unit length, each pinned to the one before, the first to the world; some way into its swing.
fn chain(links: usize, time: f64) -> (SparseRows, Vec<f64>, Vec<f64>) {
    let angle = |k: usize| 0.7 * (0.37 * k as f64 + time).sin();
    let arm = |k: usize, end: f64| [end * 0.5 * angle(k).cos(), end * 0.5 * angle(k).sin()];
    let mut entries = Vec::new();
    let mut bias = Vec::new();
    for k in 0..links {
        for (axis, row) in [(0, 2 * k), (1, 2 * k + 1)] {
            let mut act = |body: usize, sign: f64, arm: [f64; 2]| {
                entries.push((row, 3 * body + axis, sign));
                entries.push((row, 3 * body + 2, sign * if axis == 0 { -arm[1] } else { arm[0] }));
            };
            act(k, 1.0, arm(k, -1.0));
            if k > 0 {
                act(k - 1, -1.0, arm(k - 1, 1.0));
            }
            bias.push(if k == 0 { [0.0, -9.81][axis] } else { 0.01 * (k as f64 + time).sin() });
        }
    }
    let jacobian = SparseRows::from_triplets(&entries, 2 * links).expect("rows in range");
    (jacobian, vec![[1.0, 1.0, 12.0]; links].concat(), bias)
}

fn chained(links: usize, time: f64) -> Lcp<'static> {
    let (jacobian, masses, bias) = chain(links, time);
    Lcp::jacobian(jacobian, masses, bias)
        .expect("a valid problem")
        .rows(vec![Row::Bilateral; 2 * links])
        .expect("a valid problem")
}

#[test]
fn chains_of_any_length_are_solved_by_their_jacobian() {
    for links in [1, 3, 20, 100, 1000, 10_000] {
        let solution = Solver::auto().solve(&chained(links, 0.3)).unwrap();
        assert!(
            solution.is_solved() && solution.certificate.residual < 1e-12,
            "{links}: {:?}",
            solution.status
        );
    }
}

#[test]
fn a_chain_that_moves_on_needs_no_allocation_and_one_factorization() {
    for links in [20, 100, 400] {
        let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
        let solver = Solver::auto();
        let mut problem = chained(links, 0.0);
        let frames: Vec<_> = (0..6).map(|k| chain(links, 0.01 * f64::from(k))).collect();
        let mut known: Vec<Set> = Vec::new();
        for (step, (jacobian, _, bias)) in frames.iter().enumerate() {
            let counted = allocation_counter::measure(|| {
                problem.set_values(&jacobian.value).unwrap();
                problem.set_bias(bias).unwrap();
                let warm = (step > 0).then_some(&known[..]);
                solver.solve_into(&problem, warm, &mut workspace, &mut solution).unwrap();
            });
            assert!(
                solution.is_solved() && solution.stats.factorizations <= 2,
                "{links}: {:?}",
                solution.stats
            );
            assert!(
                step < 2 || counted.count_total == 0,
                "{links} links, step {step}: {}",
                counted.count_total
            );
            known.clone_from(&solution.sets);
        }
    }
}

/// The same problem with `A` worked out.
fn dense(problem: &Lcp<'_>) -> Lcp<'static> {
    let mut a = Vec::new();
    problem.matrix().to_dense(&mut a);
    Lcp::from_dense(a, problem.bias().to_vec())
        .expect("a valid problem")
        .rows(problem.kinds().to_vec())
        .expect("a valid problem")
}

#[test]
fn rows_that_give_way_are_those_of_a_matrix_with_a_larger_diagonal() {
    for links in [4, 200] {
        let (jacobian, masses, bias) = chain(links, 0.2);
        let soft: Vec<f64> =
            (0..2 * links).map(|i| if i % 3 == 0 { 0.05 * i as f64 / links as f64 } else { 0.0 }).collect();
        let rows: Vec<Row> =
            (0..2 * links).map(|i| if i % 5 == 4 { Row::Unilateral } else { Row::Bilateral }).collect();
        let mut problem =
            Lcp::soft_jacobian(jacobian, masses, soft.clone(), bias).unwrap().rows(rows).unwrap();
        let whole = dense(&problem);
        for method in [Method::Auto, Method::Pivoting, Method::InteriorPoint] {
            let answer = Solver::with(method).solve(&problem).unwrap();
            let expected = Solver::pivoting().solve(&whole).unwrap();
            assert!(answer.is_solved() && expected.is_solved(), "{method:?} {:?}", answer.status);
            for (a, b) in answer.a.iter().zip(&expected.a) {
                assert!((a - b).abs() < 1e-9 * answer.certificate.bias_scale, "{method:?}");
            }
            let judged = Certificate::compute(&whole, &answer.f, 1e-8, &mut vec![0.0; 2 * links]);
            assert!(judged.holds(1e-10), "{method:?}");
        }
        problem.set_compliance(&[]).unwrap();
        assert_ne!(dense(&problem), whole);
        assert!(problem.set_compliance(&vec![-1.0; 2 * links]).is_err());
        assert!(problem.set_compliance(&[1.0]).is_err());
    }
}

#[test]
fn contradicting_joints_that_give_way_share_the_difference() {
    let jacobian = SparseRows::from_triplets(&[(0, 0, 1.0), (1, 0, 1.0)], 2).unwrap();
    let rows = [Row::Bilateral; 2];
    let hard = Lcp::jacobian(jacobian.clone(), vec![1.0], vec![-1.0, 1.0]).unwrap().rows(rows).unwrap();
    assert_eq!(Solver::auto().solve(&hard).unwrap().status, Status::Infeasible);
    let soft = Lcp::soft_jacobian(jacobian, vec![1.0], vec![0.5; 2], vec![-1.0, 1.0]).unwrap();
    let solution = Solver::auto().solve(&soft.rows(rows).unwrap()).unwrap();
    assert!(
        solution.is_solved() && (solution.f[0] - 2.0).abs() < 1e-12 && (solution.f[1] + 2.0).abs() < 1e-12
    );
}

/// A contact with its tangential row: `A = [[a, c], [c, d]]`, which presses with `press` and is drawn with `draw`.
fn contact(a: f64, c: f64, press: f64, draw: f64, tangential: Row) -> Lcp<'static> {
    let d = 2.0 + c * c / a;
    Lcp::dense([[a, c], [c, d]], [-press, draw])
        .expect("a valid problem")
        .rows([Row::Unilateral, tangential])
        .expect("a valid problem")
}

#[test]
fn a_sliding_contact_follows_its_normal_force() {
    for (c, mu, sign) in [(0.0, 0.3, 1.0), (0.4, 0.5, 1.0), (0.4, 0.5, -1.0), (-0.9, 0.8, 1.0)] {
        let problem = contact(1.0, c, 9.81, 0.2, Row::Sliding { normal: 0, mu, sign });
        let normal = 9.81 / (1.0 + sign * mu * c);
        for method in [Method::Auto, Method::Friction, Method::Lemke] {
            let solution = Solver::with(method).solve(&problem).unwrap();
            assert!(solution.is_solved(), "{method:?} {solution}");
            assert!((solution.f[0] - normal).abs() < 1e-9, "{method:?} {solution}");
            assert!((solution.f[1] - sign * mu * normal).abs() < 1e-9, "{method:?} {solution}");
        }
    }
}

#[test]
fn a_sliding_rod_that_digs_in_has_no_solution_and_none_is_claimed() {
    // The normal acceleration falls with the normal force [Painlevé 1895].
    let problem = contact(1.0, -3.0, 1.0, 0.0, Row::Sliding { normal: 0, mu: 0.5, sign: 1.0 });
    for method in [Method::Auto, Method::Lemke] {
        let solution = Solver::with(method).solve(&problem).unwrap();
        assert!(!solution.is_solved(), "{method:?} {solution}");
    }
}

#[test]
fn friction_may_depend_on_the_direction() {
    let limits = Row::FrictionLimits { normal: 0, mu_minus: 0.2, mu_plus: 0.6 };
    // A normal force of 10: drawn against the smooth side it slips at 2, against the rough one at 6.
    for (draw, force, slips) in
        [(5.0, -2.0, true), (-3.0, 1.5, false), (-20.0, 6.0, true), (0.5, -0.25, false)]
    {
        let problem = contact(1.0, 0.0, 10.0, draw, limits);
        for method in [Method::Auto, Method::Lemke] {
            let solution = Solver::with(method).solve(&problem).unwrap();
            assert!(solution.is_solved(), "{method:?} {solution}");
            assert!((solution.f[1] - force).abs() < 1e-9, "{draw} {method:?} {solution}");
            assert_eq!(solution.a[1].abs() > 1e-9, slips, "{draw} {method:?} {solution}");
        }
    }
    let one_way = Row::FrictionLimits { normal: 0, mu_minus: 0.0, mu_plus: 0.5 };
    let solution = Solver::with(Method::Lemke).solve(&contact(1.0, 0.0, 10.0, 3.0, one_way)).unwrap();
    assert!(solution.is_solved() && solution.f[1] == 0.0);
}

#[test]
fn a_wheel_rolls_on_against_a_resistance_that_grows_with_its_load() {
    // A disc of mass 2 and moment 1 on the ground: normal row, turning row with a lever of 0.05.
    let mut problem = Lcp::dense([[0.5, 0.0], [0.0, 1.0]], [-9.81, -3.0]).unwrap();
    problem = problem.rows([Row::Unilateral, Row::Friction { normal: 0, mu: 0.05 }]).unwrap();
    let solution = Solver::auto().solve(&problem).unwrap();
    assert!(solution.is_solved() && (solution.f[1] - 0.05 * 19.62).abs() < 1e-12, "{solution}");
}

#[test]
fn rows_that_cannot_follow_are_refused() {
    let with =
        |row: Row| Lcp::dense([[1.0, 0.0], [0.0, 1.0]], [-1.0; 2]).unwrap().rows([Row::Unilateral, row]);
    assert!(with(Row::Sliding { normal: 1, mu: 0.1, sign: 1.0 }).is_err());
    assert!(with(Row::Sliding { normal: 0, mu: 0.1, sign: 0.5 }).is_err());
    assert!(with(Row::Sliding { normal: 0, mu: f64::NAN, sign: 1.0 }).is_err());
    assert!(with(Row::FrictionLimits { normal: 0, mu_minus: 0.1, mu_plus: -0.1 }).is_err());
    assert!(with(Row::FrictionLimits { normal: 0, mu_minus: 0.1, mu_plus: 0.1 }).is_ok());
}

#[test]
fn values_of_the_same_pattern_are_replaced_and_checked() {
    let mut problem = Lcp::triplets(&[(0, 0, 2.0), (1, 1, 2.0), (0, 1, -1.0)], vec![-1.0, 0.0]).unwrap();
    problem.set_values(&[4.0, -1.0, -1.0, 4.0]).unwrap();
    assert_eq!(dense(&problem), Lcp::dense([[4.0, -1.0], [-1.0, 4.0]], [-1.0, 0.0]).unwrap());
    assert!(problem.set_values(&[1.0; 3]).is_err());
    assert!(problem.set_values(&[4.0, -1.0, -2.0, 4.0]).is_err());
    assert!(problem.set_values(&[4.0, f64::NAN, f64::NAN, 4.0]).is_err());
    let mut full = Lcp::dense([[1.0]], [-1.0]).unwrap();
    full.set_values(&[2.0]).unwrap();
    assert_eq!(Solver::auto().solve(&full).unwrap().f, [0.5]);
}

/// A problem of many rows that the first guess does not answer leaves nothing behind that the next one, which is small, takes for its own.
#[test]
fn a_small_problem_after_a_large_one_in_the_same_workspace() {
    let bodies = 1600;
    let chain = |ends: usize, contradicts: bool| {
        let mut rows = SparseRows { start: vec![0], ..SparseRows::default() };
        let mut row = |entries: &[(usize, f64)]| {
            rows.column.extend(entries.iter().map(|entry| entry.0));
            rows.value.extend(entries.iter().map(|entry| entry.1));
            rows.start.push(rows.column.len());
        };
        let links = ends - 1;
        (0..links).map(|k| 37 * k % links).for_each(|k| row(&[(k, -1.0), (k + 1, 1.0)]));
        row(&[(0, 1.0)]);
        row(&[(0, 1.0)]);
        let mut bias = vec![-0.1; links];
        bias.extend(if contradicts { [0.0, 1.0] } else { [0.0, 0.0] });
        let mut kinds = vec![Row::Unilateral; links];
        kinds.extend([Row::Bilateral; 2]);
        let problem = Lcp::jacobian(rows, vec![1.0; ends], bias).expect("a problem");
        problem.rows(kinds).expect("rows")
    };
    let solver = Solver::auto().portable();
    let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
    for (ends, contradicts) in [(bodies, false), (6, true), (bodies, false), (9, false)] {
        let problem = chain(ends, contradicts);
        let status = solver.solve_into(&problem, None, &mut workspace, &mut solution).expect("an end");
        assert_eq!(status == Status::Solved, !contradicts, "{ends}: {status:?}");
    }
}
