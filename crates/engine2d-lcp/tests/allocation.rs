//! The hot path allocates nothing after the first solve of a size.

use engine2d_lcp::{Lcp, Method, Policy, Row, Run, Solution, Solver, Workspace, reference};
use engine2d_math::random::Lcg32;

/// A chain of blocks with a redundant row for each.
fn problem(n: usize) -> (Vec<f64>, Vec<f64>, Vec<Row>) {
    let mut a = vec![0.0; n * n];
    let mut b = vec![0.0; n];
    for i in 0..n {
        for j in 0..n {
            let distance = (i / 2).abs_diff(j / 2);
            a[i * n + j] = if distance == 0 {
                2.0
            } else if distance == 1 {
                -1.0
            } else {
                0.0
            };
        }
        b[i] = if i / 2 == n / 2 - 1 { -10.0 } else { 0.0 };
    }
    let rows = (0..n).map(|i| if i < 2 { Row::Bilateral } else { Row::Unilateral }).collect();
    (a, b, rows)
}

#[test]
fn the_second_solve_allocates_nothing() {
    for n in [4, 20, 60] {
        let (a, b, rows) = problem(n);
        let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
        let mut sets = Vec::new();
        let mut solve = |warm: bool| {
            let problem = Lcp::borrowed(&a, &b, &rows).unwrap();
            sets.clone_from(&solution.sets);
            let run = &mut Run { warm: warm.then_some(&sets[..]), ..Run::default() };
            Solver::auto().run(&problem, run, &mut workspace, &mut solution).unwrap();
        };
        // Buffers are exchanged between workspace and solution, so both need a first solve.
        for warm in [false, false, true, true] {
            solve(warm);
        }
        let counted = allocation_counter::measure(|| solve(false));
        assert_eq!(counted.count_total, 0, "n = {n}, cold");
        let counted = allocation_counter::measure(|| solve(true));
        assert_eq!(counted.count_total, 0, "n = {n}, warm");
        assert!(solution.is_solved());
    }
}

#[test]
fn the_second_friction_solve_allocates_nothing() {
    // Blocks beside each other, pushed down and sideways: the first stick, the last slip.
    let contacts = 12;
    let n = 2 * contacts;
    let mut a = vec![0.0; n * n];
    let (mut b, mut rows) = (vec![0.0; n], Vec::new());
    for i in 0..n {
        a[i * n + i] = 2.0;
        let partner = (i + contacts) % n;
        a[i * n + partner] = 0.5;
        if i % contacts > 0 {
            a[i * n + i - 1] = -0.5;
            a[(i - 1) * n + i] = -0.5;
        }
        let normal = i.checked_sub(contacts);
        b[i] = normal.map_or(-10.0, |k| k as f64);
        rows.push(normal.map_or(Row::Unilateral, |normal| Row::Friction { normal, mu: 0.5 }));
    }
    let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
    let mut solve = || {
        let problem = Lcp::borrowed(&a, &b, &rows).unwrap();
        Solver::auto().solve_into(&problem, None, &mut workspace, &mut solution).unwrap();
    };
    solve();
    let counted = allocation_counter::measure(&mut solve);
    assert_eq!(counted.count_total, 0);
    assert!(solution.is_solved() && solution.method == Method::Friction && solution.stats.factorizations > 0);
}

#[test]
fn the_recorded_solver_allocates_nothing_either() {
    let (a, b, rows) = problem(20);
    let joint: Vec<bool> = rows.iter().map(|row| *row == Row::Bilateral).collect();
    let request = reference::Problem {
        a: &a,
        b: &b,
        joint: &joint,
        policy: Policy::Hybrid,
        order: None,
        tolerance: Some(1e-4),
    };
    let mut solver = reference::Solver::new();
    let mut f = vec![0.0; 20];
    let mut rng = Lcg32::new(0);
    solver.solve(&request, &mut rng, &mut f).unwrap();
    let mut rng = Lcg32::new(0);
    let counted = allocation_counter::measure(|| {
        solver.solve(&request, &mut rng, &mut f).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
