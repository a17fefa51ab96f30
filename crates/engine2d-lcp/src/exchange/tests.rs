//! Exchanges against their definitions.

use crate::{Certificate, Lcp, Row, Set, Solution, Solver, SparseRows, Status, Workspace};
use engine2d_math::random::Lcg32;

/// A random row of bodies, each held to the next by joints, some of them doubled, and touching it, in shuffled order; dense,
/// with `b` in the range of the matrix.
fn mechanism(bodies: usize, case: usize, rng: &mut Lcg32) -> Lcp<'static> {
    let mut rows: Vec<(Row, Vec<(usize, f64)>)> = Vec::new();
    for body in 0..bodies {
        for k in 0..4 {
            // What holds or pushes one body does the opposite to the other, with another arm.
            let mut entries = Vec::new();
            for column in 3 * body..3 * body + 3 {
                let value = 2.0 * rng.next_unit() - 1.0;
                entries.push((column, value));
                if body > 0 {
                    let arm = if column % 3 == 2 { 0.5 * rng.next_unit() - value } else { -value };
                    entries.push((column - 3, arm));
                }
            }
            let kind = if k < 1 + case % 3 { Row::Bilateral } else { Row::Unilateral };
            if kind == Row::Bilateral && (body + case).is_multiple_of(5) {
                rows.push((kind, entries.clone()));
            }
            rows.push((kind, entries));
        }
    }
    for last in (1..rows.len()).rev() {
        rows.swap(last, (rng.next_unit() * (last + 1) as f64) as usize);
    }
    let motion: Vec<f64> = (0..3 * bodies).map(|_| 2.0 * rng.next_unit() - 1.0).collect();
    let b: Vec<f64> = rows.iter().map(|(_, row)| row.iter().map(|(c, v)| v * motion[*c]).sum()).collect();
    let mut jacobian = SparseRows { start: vec![0], ..SparseRows::default() };
    for (_, row) in &rows {
        jacobian.column.extend(row.iter().map(|(c, _)| c));
        jacobian.value.extend(row.iter().map(|(_, v)| v));
        jacobian.start.push(jacobian.column.len());
    }
    let mut dense = Vec::new();
    let sparse = Lcp::jacobian(jacobian, vec![1.0; 3 * bodies], b.clone()).unwrap();
    sparse.matrix().to_dense(&mut dense);
    let kinds: Vec<Row> = rows.into_iter().map(|(kind, _)| kind).collect();
    Lcp::from_dense(dense, b).and_then(|p| p.rows(kinds)).unwrap()
}

#[test]
fn mechanisms_move_as_by_the_general_method() {
    let mut rng = Lcg32::new(21);
    let (lean, general) = (Solver::auto(), Solver::pivoting().redundancy(crate::tolerance::ATTEMPTS[0].0));
    let (mut workspace, mut short, mut long) = (Workspace::new(), Solution::default(), Solution::default());
    let (mut compared, mut lean_ones) = (0, 0);
    for case in 0..240 {
        let problem = mechanism(7 + case % 40, case, &mut rng);
        lean.solve_into(&problem, None, &mut workspace, &mut short).unwrap();
        assert!(short.is_solved() && short.certificate.residual <= 1e-8, "case {case}: {short}");
        let again = Certificate::compute(&problem, &short.f, 1e-8, &mut vec![0.0; problem.len()]);
        assert!(again.residual <= 1e-8, "case {case}: {again}");
        general.solve_into(&problem, None, &mut workspace, &mut long).unwrap();
        if long.status != Status::Solved {
            continue; // one attempt, without the others that the solver would make
        }
        compared += 1;
        lean_ones += usize::from(short.stats.pivots < problem.len() / 4);
        let scale = again.bias_scale;
        for (i, (x, y)) in short.a.iter().zip(&long.a).enumerate() {
            assert!((x - y).abs() <= 1e-7 * scale, "case {case} row {i}: {x} {y}");
        }
    }
    assert!(compared > 200 && lean_ones > 15, "{compared} {lean_ones}");
}

#[test]
fn right_sets_take_one_factorization() {
    let mut rng = Lcg32::new(22);
    let (mut workspace, mut first, mut again) = (Workspace::new(), Solution::default(), Solution::default());
    let mut single = 0;
    for case in 0..120 {
        let problem = mechanism(8 + case % 30, case, &mut rng);
        Solver::auto().solve_into(&problem, None, &mut workspace, &mut first).unwrap();
        Solver::auto().solve_into(&problem, Some(&first.sets), &mut workspace, &mut again).unwrap();
        assert!(again.is_solved(), "case {case}: {again}");
        let off = again.a.iter().zip(&first.a).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
        assert!(off <= 1e-6 * first.certificate.bias_scale, "case {case}: {off:e}");
        single += usize::from(again.stats.factorizations == 1 && again.stats.pivots == 0);
    }
    assert!(single > 80, "{single}");
}

#[test]
fn wrong_sets_do_no_harm() {
    let mut rng = Lcg32::new(23);
    let (mut workspace, mut first, mut again) = (Workspace::new(), Solution::default(), Solution::default());
    for case in 0..120 {
        let problem = mechanism(8 + case % 30, case, &mut rng);
        Solver::auto().solve_into(&problem, None, &mut workspace, &mut first).unwrap();
        let draw = |_| if rng.next_unit() < 0.5 { Set::Clamped } else { Set::Lower };
        let sets: Vec<Set> = (0..problem.len()).map(draw).collect();
        Solver::auto().solve_into(&problem, Some(&sets), &mut workspace, &mut again).unwrap();
        assert!(again.is_solved(), "case {case}: {again}");
        assert!(again.a.iter().zip(&first.a).all(|(x, y)| (x - y).abs() <= 1e-7), "case {case}");
    }
}

#[test]
fn what_was_solved_before_leaves_no_trace() {
    let mut rng = Lcg32::new(24);
    let problems: Vec<Lcp<'_>> = (0..12).map(|case| mechanism(12, 3 * (case / 4), &mut rng)).collect();
    let (mut workspace, mut used, mut fresh) = (Workspace::new(), Solution::default(), Solution::default());
    for solver in [Solver::auto(), Solver::pivoting().redundancy(1e-11)] {
        for pass in 0..2 {
            for (i, problem) in problems.iter().enumerate() {
                solver.solve_into(problem, None, &mut workspace, &mut used).unwrap();
                solver.solve_into(problem, None, &mut Workspace::new(), &mut fresh).unwrap();
                assert_eq!((&used.f, &used.a, &used.sets), (&fresh.f, &fresh.a, &fresh.sets), "{pass} {i}");
            }
        }
    }
}

/// Joints written twice that contradict each other by less than what is asked for are an answer at once; by more, they are none.
#[test]
fn the_tolerance_that_was_set_decides_about_dependent_rows() {
    let (links, apart) = (20, 1e-9);
    let (mut jacobian, mut b) = (SparseRows { start: vec![0], ..SparseRows::default() }, Vec::new());
    for k in 0..2 * links {
        let link = k % links;
        jacobian.column.extend([link, link + 1]);
        jacobian.value.extend([1.0, -1.0]);
        jacobian.start.push(jacobian.column.len());
        b.push(0.1 * link as f64 - 1.0 + if k < links { 0.0 } else { apart });
    }
    let problem = Lcp::jacobian(jacobian, vec![1.0; links + 1], b).unwrap();
    let problem = problem.rows(vec![Row::Bilateral; 2 * links]).unwrap();
    let (sets, mut solution) = (vec![Set::Clamped; 2 * links], Solution::default());
    let mut solve = |tolerance: f64| {
        let solver = Solver::auto().tolerance(tolerance);
        solver.solve_into(&problem, Some(&sets), &mut Workspace::new(), &mut solution).unwrap();
        (solution.is_solved(), solution.stats.factorizations, solution.stats.pivots)
    };
    assert_eq!(solve(1e-7), (true, 1, 0));
    assert!(!solve(1e-11).0);
}
