//! The hot path allocates nothing after the first solve of a size.

use engine2d_lcp::{Lcp, Method, Row, Run, Solution, Solver, Workspace};
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
    // Blocks beside each other, pushed down and sideways: the first stick, the last slip. Few are solved by dense Newton
    // systems, many by sparse ones, separate rows of blocks apart.
    for (contacts, row) in [(12, 12), (40, 40), (96, 32)] {
        let n = 2 * contacts;
        let mut a = vec![0.0; n * n];
        let (mut b, mut rows) = (vec![0.0; n], Vec::new());
        for i in 0..n {
            a[i * n + i] = 2.0;
            let partner = (i + contacts) % n;
            a[i * n + partner] = 0.5;
            if i % contacts % row > 0 {
                a[i * n + i - 1] = -0.5;
                a[(i - 1) * n + i] = -0.5;
            }
            let normal = i.checked_sub(contacts);
            b[i] = normal.map_or(-10.0, |k| (k % row) as f64);
            rows.push(normal.map_or(Row::Unilateral, |normal| Row::Friction { normal, mu: 0.5 }));
        }
        let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
        let mut solve = || {
            let problem = Lcp::borrowed(&a, &b, &rows).unwrap();
            Solver::auto().solve_into(&problem, None, &mut workspace, &mut solution).unwrap();
        };
        solve();
        let counted = allocation_counter::measure(&mut solve);
        assert_eq!(counted.count_total, 0, "{contacts} contacts");
        assert!(solution.is_solved() && solution.method == Method::Friction);
        assert!(solution.stats.factorizations > 0);
        let apart = solution.reason.ends_with("in islands");
        assert_eq!(apart, row < contacts, "{}", solution.reason);
    }
}

#[test]
fn the_second_solve_of_a_dense_jacobian_allocates_nothing() {
    let mut rng = Lcg32::new(6);
    for n in [12, 90] {
        let m = n + 5;
        let jacobian = engine2d_lcp::SparseRows {
            start: (0..=n).map(|i| i * m).collect(),
            column: (0..n * m).map(|k| k % m).collect(),
            value: (0..n * m).map(|_| rng.next_unit() - 0.5).collect(),
        };
        let bias: Vec<f64> = (0..n).map(|_| rng.next_unit() - 0.7).collect();
        let problem = Lcp::jacobian(jacobian, vec![1.0; m], bias).unwrap();
        let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
        let mut solve = || Solver::auto().solve_into(&problem, None, &mut workspace, &mut solution).unwrap();
        for _ in 0..2 {
            solve();
        }
        assert_eq!(allocation_counter::measure(|| _ = solve()).count_total, 0, "n = {n}");
        assert!(solution.is_solved());
    }
}

#[cfg(feature = "reference")]
#[test]
fn the_recorded_solver_allocates_nothing_either() {
    use engine2d_lcp::{Policy, reference};

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

/// A stack of blocks on two contacts each, as a Jacobian; every third contact is given twice, and pairs of walls squeeze
/// the block at the bottom.
#[cfg(feature = "sparse")]
fn sparse_problem(blocks: usize, weight: f64) -> Lcp<'static> {
    stacks(1, blocks, weight)
}

/// Some such stacks beside each other.
#[cfg(feature = "sparse")]
fn stacks(count: usize, blocks: usize, weight: f64) -> Lcp<'static> {
    let mut j = engine2d_lcp::SparseRows { start: vec![0], ..Default::default() };
    let mut bias = Vec::new();
    let mut push = |entries: &[(usize, f64)]| {
        j.column.extend(entries.iter().map(|e| e.0));
        j.value.extend(entries.iter().map(|e| e.1));
        j.start.push(j.column.len());
        bias.push(entries.iter().map(|&(c, v)| if c % 3 == 1 { -weight * v } else { 0.0 }).sum::<f64>());
    };
    for block in 0..count * blocks {
        for arm in [-0.5, 0.5] {
            let mut row = vec![(3 * block + 1, 1.0), (3 * block + 2, arm)];
            if block % blocks > 0 {
                row.extend([(3 * block - 2, -1.0), (3 * block - 1, -arm)]);
            }
            push(&row);
            if block % 3 == 0 {
                push(&row);
            }
        }
    }
    push(&[(0, 1.0)]);
    push(&[(0, -1.0)]);
    Lcp::jacobian(j, vec![1.0; 3 * count * blocks], bias).expect("a valid problem")
}

#[cfg(feature = "sparse")]
#[test]
fn the_second_interior_solve_of_a_pattern_allocates_nothing() {
    let solver = Solver::with(Method::InteriorPoint);
    for blocks in [5, 60] {
        let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
        let problems = [10.0, 10.0, 7.0].map(|weight| sparse_problem(blocks, weight));
        for problem in &problems[..2] {
            solver.solve_into(problem, None, &mut workspace, &mut solution).unwrap();
        }
        let mut status = None;
        let counted = allocation_counter::measure(|| {
            status = solver.solve_into(&problems[2], None, &mut workspace, &mut solution).ok();
        });
        assert_eq!(status, Some(engine2d_lcp::Status::Solved), "{blocks} blocks");
        assert!(solution.certificate.residual < 1e-10);
        assert_eq!(counted.count_total, 0, "{blocks} blocks");
        // Another pattern is noticed and answered as well.
        solver.solve_into(&sparse_problem(blocks + 1, 10.0), None, &mut workspace, &mut solution).unwrap();
        assert!(solution.is_solved() && solution.f.len() > problems[0].len());
    }
}

#[cfg(feature = "sparse")]
#[test]
fn the_second_solve_of_a_heap_of_islands_allocates_nothing() {
    let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
    let heaps = [10.0, 10.0, 7.0].map(|weight| stacks(40, 6, weight));
    for heap in &heaps[..2] {
        Solver::auto().solve_into(heap, None, &mut workspace, &mut solution).unwrap();
    }
    let counted = allocation_counter::measure(|| {
        Solver::auto().solve_into(&heaps[2], None, &mut workspace, &mut solution).unwrap();
    });
    assert_eq!(solution.reason, "many rows in islands of few");
    assert!(solution.is_solved());
    assert_eq!(counted.count_total, 0);
}
