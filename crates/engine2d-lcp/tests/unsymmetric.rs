//! Matrices that are not symmetric, and time limits.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_lcp::{
    Error, ForceSelection, Lcp, Method, Policy, Row, Run, Solution, Solver, SparseRows, Status, Workspace,
};
use engine2d_math::random::Lcg32;
use std::time::{Duration, Instant};

/// A matrix with positive principal minors, and not symmetric: `D + K + S Sᵀ` with `K` skew.
fn positive(n: usize, rng: &mut Lcg32) -> Vec<f64> {
    let mut a = vec![0.0; n * n];
    let s: Vec<f64> = (0..n * n).map(|_| rng.next_unit() - 0.5).collect();
    for i in 0..n {
        for j in 0..n {
            a[i * n + j] += (0..n).map(|k| s[i * n + k] * s[j * n + k]).sum::<f64>();
        }
        for j in 0..i {
            let skew = 4.0 * (rng.next_unit() - 0.5);
            a[i * n + j] += skew;
            a[j * n + i] -= skew;
        }
        a[i * n + i] += 0.1;
    }
    a
}

/// The conditions, looked at from the data alone.
fn violation(a: &[f64], b: &[f64], rows: &[Row], f: &[f64]) -> f64 {
    let n = b.len();
    (0..n).fold(0.0, |worst: f64, i| {
        let acceleration: f64 = b[i] + (0..n).map(|j| a[i * n + j] * f[j]).sum::<f64>();
        let normal = rows[i].normal().map_or(0.0, |normal| f[normal]);
        let (lo, hi) = rows[i].bounds(normal);
        worst.max((f[i] - (f[i] - acceleration).clamp(lo, hi)).abs())
    })
}

#[test]
fn random_problems_are_solved_and_certified() {
    let mut rng = Lcg32::new(7);
    for n in [1, 2, 5, 12, 40] {
        for _ in 0..20 {
            let a = positive(n, &mut rng);
            let b: Vec<f64> = (0..n).map(|_| 4.0 * (rng.next_unit() - 0.5)).collect();
            let rows: Vec<Row> = (0..n)
                .map(|_| match (rng.next_unit() * 4.0) as usize {
                    0 => Row::Bilateral,
                    1 => Row::Boxed { lo: -0.3, hi: 0.2 },
                    2 => Row::Boxed { lo: f64::NEG_INFINITY, hi: 0.1 },
                    _ => Row::Unilateral,
                })
                .collect();
            let entries: Vec<_> = (0..n * n).map(|k| (k / n, k % n, a[k])).collect();
            let dense = Lcp::unsymmetric(&a[..], &b[..]).unwrap().rows(&rows[..]).unwrap();
            let sparse = Lcp::unsymmetric_triplets(&entries, &b[..]).unwrap().rows(rows.clone()).unwrap();
            assert!(!dense.is_symmetric() && !sparse.is_symmetric());
            let mut forces = Vec::new();
            for problem in [&dense, &sparse] {
                for method in [Method::Auto, Method::BlockPivoting, Method::Lemke] {
                    let solution = Solver::with(method).solve(problem).unwrap();
                    assert!(solution.is_solved(), "{n} {method:?} {solution}");
                    assert!(violation(&a, &b, &rows, &solution.f) < 1e-8, "{n} {method:?}");
                    forces.push(solution.f);
                }
            }
            // All principal minors are positive: there is one answer.
            for f in &forces[1..] {
                assert!(f.iter().zip(&forces[0]).all(|(f, g)| (f - g).abs() < 1e-7), "{n}");
            }
        }
    }
}

#[test]
fn an_option_in_prices_needs_no_symmetric_form() {
    // The usual discretisation of Black's and Scholes' equation in the price itself.
    let (strike, rate, volatility, years) = (100.0, 0.05, 0.3, 1.0);
    let (points, steps, highest) = (901, 400, 300.0);
    let (ds, dt) = (highest / (points - 1) as f64, years / f64::from(steps));
    let n = points - 2;
    let mut entries = Vec::new();
    for i in 0..n {
        let k = (i + 1) as f64;
        let (diffusion, drift) = (0.5 * volatility * volatility * k * k, 0.5 * rate * k);
        entries.push((i, i, 1.0 + dt * (2.0 * diffusion + rate)));
        if i > 0 {
            entries.push((i, i - 1, -dt * (diffusion - drift)));
        }
        if i + 1 < n {
            entries.push((i, i + 1, -dt * (diffusion + drift)));
        }
    }
    let pays: Vec<f64> = (0..points).map(|i| (strike - i as f64 * ds).max(0.0)).collect();
    let mut problem = Lcp::unsymmetric_triplets(&entries, vec![0.0; n]).unwrap();
    let lowest = dt * 0.5 * (volatility * volatility - rate);
    let mut worth = pays.clone();
    let (mut workspace, mut solution, mut known) = (Workspace::new(), Solution::default(), None);
    let mut product = vec![0.0; n];
    for _ in 0..steps {
        // The unknown is what holding is worth beyond exercising.
        problem.matrix().product(&pays[1..=n], &mut product);
        let mut bias: Vec<f64> = (0..n).map(|i| product[i] - worth[i + 1]).collect();
        bias[0] -= lowest * strike;
        problem.set_bias(&bias).unwrap();
        let status = Solver::auto().solve_into(&problem, known.as_deref(), &mut workspace, &mut solution);
        assert_eq!(status, Ok(Status::Solved), "{solution}");
        assert!(solution.certificate.residual < 1e-10, "{}", solution.certificate);
        (1..=n).for_each(|i| worth[i] = pays[i] + solution.f[i - 1]);
        known = Some(solution.sets.clone());
    }
    let at_strike = worth[(strike / ds).round() as usize];
    // A binomial tree of 4000 steps says 9.8697; implicit steps and the grid err by a few thousandths.
    assert!((at_strike - 9.8697).abs() < 0.01, "{at_strike}");
}

#[test]
fn many_sparse_rows_cost_what_they_are_linked_to() {
    // A membrane over an obstacle in a wind: upwind differences, an M-matrix.
    let side = 60;
    let n = side * side;
    let mut entries = Vec::new();
    for i in 0..n {
        let (x, y) = (i % side, i / side);
        entries.push((i, i, 5.0));
        [(x > 0, 1, 2.0), (x + 1 < side, n, 1.0)].iter().filter(|one| one.0).for_each(|&(_, back, v)| {
            entries.push((i, if back == n { i + 1 } else { i - back }, -v));
        });
        if y > 0 {
            entries.push((i, i - side, -1.0));
        }
        if y + 1 < side {
            entries.push((i, i + side, -1.0));
        }
    }
    let b: Vec<f64> = (0..n).map(|i| if (i / 7) % 3 == 0 { -1.0 } else { 0.7 }).collect();
    let problem = Lcp::unsymmetric_triplets(&entries, b).unwrap();
    let start = Instant::now();
    let solution = Solver::auto().solve(&problem).unwrap();
    println!("{n} rows: {:?}, {:?}", start.elapsed(), solution.stats);
    assert!(solution.is_solved() && solution.certificate.residual < 1e-11, "{}", solution.certificate);
    assert_eq!(solution.method, Method::BlockPivoting);
}

#[test]
fn friction_and_singular_joints_go_to_lemke() {
    let a = vec![2.0, 0.3, 0.0, -0.1, 1.0, 0.0, 0.0, 0.0, 0.0];
    let rows = vec![Row::Unilateral, Row::Friction { normal: 0, mu: 0.4 }, Row::Bilateral];
    let problem = Lcp::unsymmetric(a.clone(), vec![-3.0, 2.0, 0.0]).unwrap().rows(rows.clone()).unwrap();
    let solution = Solver::auto().solve(&problem).unwrap();
    assert!(solution.is_solved() && solution.method == Method::Lemke, "{solution}");
    assert!(violation(&a, &[-3.0, 2.0, 0.0], &rows, &solution.f) < 1e-12);
    // Nothing can be done about the third row.
    let problem = Lcp::unsymmetric(a, vec![-3.0, 2.0, 1.0]).unwrap().rows(rows).unwrap();
    let solution = Solver::auto().solve(&problem).unwrap();
    assert!(!solution.is_solved() && solution.ray.is_empty() && solution.certificate.residual >= 0.5);
}

#[test]
fn where_blocks_circle_singles_or_lemke_end() {
    // [Murty 1988]: a matrix for which exchange of all wrong rows at once repeats itself.
    let a = vec![1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0];
    let problem = Lcp::unsymmetric(a.clone(), vec![-1.0; 3]).unwrap();
    for method in [Method::Auto, Method::BlockPivoting] {
        let solution = Solver::with(method).solve(&problem).unwrap();
        assert!(solution.is_solved(), "{solution}");
        assert!(solution.f.iter().all(|f| (f - 1.0 / 3.0).abs() < 1e-15));
    }
    // Symmetric and indefinite: pivoting refuses it, Lemke's method finds one of its answers.
    let a = vec![1.0, 3.0, 3.0, 1.0];
    let problem = Lcp::unsymmetric(a.clone(), vec![-1.0, -1.0]).unwrap();
    let solution = Solver::auto().solve(&problem).unwrap();
    assert!(solution.is_solved() && violation(&a, &[-1.0; 2], &[Row::Unilateral; 2], &solution.f) < 1e-12);
}

#[test]
fn what_needs_symmetry_is_refused() {
    let problem = Lcp::unsymmetric(vec![2.0, 1.0, -1.0, 2.0], vec![-5.0, -1.0]).unwrap();
    let refused = |solver: Solver| solver.solve(&problem).unwrap_err().to_string();
    for method in [Method::Pivoting, Method::InteriorPoint] {
        assert!(refused(Solver::with(method)).ends_with("does not support a matrix that is not symmetric"));
    }
    assert!(refused(Solver::auto().forces(ForceSelection::MinNorm)).contains("not symmetric"));
    assert!(refused(Solver::auto().policy(Policy::MinAccel)).contains("not symmetric"));
    assert!(refused(Solver::auto().psd_slack(0.1)).contains("not symmetric"));
    assert_eq!(engine2d_lcp::infeasibility_bound(&problem, &[1.0, -1.0]), None);
    let rows = SparseRows::from_compressed(vec![0, 2], vec![0, 1], vec![1.0]);
    assert!(matches!(rows, Err(Error::Dimension { .. })));
    assert!(matches!(Lcp::unsymmetric(vec![1.0; 3], vec![0.0; 2]), Err(Error::Dimension { .. })));
    assert!(matches!(Lcp::unsymmetric(vec![f64::NAN], vec![0.0]), Err(Error::NonFinite { .. })));
    let mut problem = problem;
    problem.set_values(&[2.0, 5.0, -1.0, 2.0]).unwrap();
    assert!(Solver::auto().solve(&problem).unwrap().is_solved());
}

#[test]
fn the_equilibria_of_games_are_found() {
    // Costs of two players, positive: the ray from no force is there at once, as neither's cost depends on his own choice.
    let mut rng = Lcg32::new(64);
    for (rows, columns) in [(1, 4), (2, 2), (3, 5), (8, 8), (20, 15)] {
        let n = rows + columns;
        for game in 0..20 {
            let mut a = vec![0.0; n * n];
            for i in 0..rows {
                for k in rows..n {
                    a[i * n + k] = 1.0 + (9.0 * rng.next_unit()).floor();
                    a[k * n + i] = 1.0 + (9.0 * rng.next_unit()).floor();
                }
            }
            let solution =
                Solver::auto().solve(&Lcp::unsymmetric(a.clone(), vec![-1.0; n]).unwrap()).unwrap();
            assert!(solution.is_solved(), "{rows} × {columns}, {game}: {:?}", solution.status);
            // Each player plays with some probability, and only what costs least.
            assert!(
                solution.f[..rows].iter().sum::<f64>() > 0.0 && solution.f[rows..].iter().sum::<f64>() > 0.0
            );
            for (i, f) in solution.f.iter().enumerate() {
                let cost: f64 = a[i * n..(i + 1) * n].iter().zip(&solution.f).map(|(a, f)| a * f).sum();
                assert!(
                    *f >= 0.0 && cost > 1.0 - 1e-9 && (*f < 1e-9 || cost < 1.0 + 1e-9),
                    "{i}: {f} {cost}"
                );
            }
        }
    }
}

#[test]
fn a_way_that_ends_on_a_ray_is_not_the_only_one() {
    let a = [[1.0, 2.0, 0.0, -1.0], [1.0, -2.0, -1.0, -1.0], [1.0, 2.0, -2.0, 0.0], [-2.0, 1.0, 0.0, 0.0]];
    let b = [2.0, 2.0, -2.0, 0.0];
    let solution = Solver::auto().solve(&Lcp::unsymmetric(a.concat(), b.to_vec()).unwrap()).unwrap();
    assert!(solution.is_solved(), "{solution}");
}

/// A membrane of `side²` rows over an obstacle.
fn membrane(side: usize) -> Lcp<'static> {
    let n = side * side;
    let beside = (1..n).filter(|i| i % side > 0).map(|i| (i, i - 1, -1.0));
    let below = (side..n).map(|i| (i, i - side, -1.0));
    let entries: Vec<_> = (0..n).map(|i| (i, i, 4.0)).chain(beside).chain(below).collect();
    let b: Vec<f64> = (0..n).map(|i| if (i * i) % 7 < 4 { 2.0 } else { -1.7 }).collect();
    Lcp::triplets(&entries, b).unwrap()
}

#[test]
fn a_time_limit_ends_every_method() {
    let problem = membrane(30);
    let none = Duration::ZERO;
    for method in [Method::Auto, Method::Pivoting, Method::GaussSeidel, Method::InteriorPoint] {
        let mut workspace = Workspace::new();
        let mut solution = Solution::default();
        let mut solve = |solver: Solver| {
            solver
                .run(&problem, &mut Run::default(), &mut workspace, &mut solution)
                .map(|status| (status, solution.f.len()))
        };
        assert_eq!(solve(Solver::with(method).time_limit(none)), Ok((Status::TimeLimit, 900)), "{method:?}");
        // The scratch is as good as new, and enough time changes nothing.
        if method != Method::GaussSeidel {
            assert_eq!(
                solve(Solver::with(method).time_limit(Duration::from_secs(600))),
                Ok((Status::Solved, 900))
            );
            let limited = solution.clone();
            Solver::with(method).solve_into(&problem, None, &mut Workspace::new(), &mut solution).unwrap();
            assert_eq!(limited.f, solution.f);
        }
    }
    let skew = Lcp::unsymmetric(positive(200, &mut Lcg32::new(3)), vec![-1.0; 200]).unwrap();
    for method in [Method::Auto, Method::BlockPivoting, Method::Lemke] {
        let solution = Solver::with(method).time_limit(none).solve(&skew).unwrap();
        assert_eq!(solution.status, Status::TimeLimit, "{method:?}");
        assert!(solution.f.iter().all(|f| f.is_finite()));
    }
    let start = Instant::now();
    let slow = Solver::with(Method::GaussSeidel)
        .sweeps(usize::MAX)
        .tolerance(0.0)
        .time_limit(Duration::from_millis(50));
    let contradictory = Lcp::dense([[1.0, -1.0], [-1.0, 1.0]], [-1.0, -1.0]).unwrap();
    assert_eq!(slow.solve(&contradictory).unwrap().status, Status::TimeLimit);
    assert!(start.elapsed() >= Duration::from_millis(50));
}
