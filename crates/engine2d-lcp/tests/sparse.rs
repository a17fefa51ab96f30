//! Problems given by their Jacobian: islands, bodies that do not come in threes, unequal masses, contradictions.

#![cfg(feature = "sparse")]

use engine2d_lcp::{
    Lcp, Method, Row, Set, Solution, Solver, SparseRows, Status, Workspace, infeasibility_bound,
};

/// Rows of a Jacobian, and `b = J u` for accelerations without contact.
#[derive(Default)]
struct Heap {
    jacobian: SparseRows,
    inverse_mass: Vec<f64>,
    u: Vec<f64>,
    bias: Vec<f64>,
    kinds: Vec<Row>,
}

impl Heap {
    fn new() -> Self {
        Self { jacobian: SparseRows { start: vec![0], ..Default::default() }, ..Default::default() }
    }

    fn row(&mut self, kind: Row, entries: &[(usize, f64)], excess: f64) {
        let j = &mut self.jacobian;
        j.column.extend(entries.iter().map(|e| e.0));
        j.value.extend(entries.iter().map(|e| e.1));
        j.start.push(j.column.len());
        self.bias.push(entries.iter().map(|&(c, v)| v * self.u[c]).sum::<f64>() + excess);
        self.kinds.push(kind);
    }

    /// A column of blocks, each on two contacts with the one below; `mass` of every second one.
    fn column(&mut self, blocks: usize, mass: f64, fall: f64) {
        let first = self.inverse_mass.len();
        for block in 0..blocks {
            let m = if block % 2 == 0 { 1.0 } else { mass };
            self.inverse_mass.extend([1.0 / m, 1.0 / m, 12.0 / m]);
            self.u.extend([0.3, fall, 0.1 * block as f64]);
        }
        for block in 0..blocks {
            for arm in [-0.5, 0.4] {
                let c = first + 3 * block;
                let mut entries = vec![(c + 1, 1.0), (c + 2, arm)];
                if block > 0 {
                    entries.extend([(c - 2, -1.0), (c - 1, -arm)]);
                }
                self.row(Row::Unilateral, &entries, 0.0);
            }
        }
    }

    fn problem(self) -> Lcp<'static> {
        let problem = Lcp::jacobian(self.jacobian, self.inverse_mass, self.bias);
        problem.and_then(|p| p.rows(self.kinds)).expect("a valid problem")
    }
}

/// Solves by `auto` and, densely, by pivoting: the accelerations must agree.
fn check(problem: &Lcp<'_>, tolerance: f64) -> Solution {
    let solution = Solver::auto().solve(problem).expect("a request that makes sense");
    assert_eq!(solution.status, Status::Solved, "{}", solution.certificate);
    let mut dense = Vec::new();
    problem.matrix().to_dense(&mut dense);
    let same = Lcp::from_dense(dense, problem.bias()).and_then(|p| p.rows(problem.kinds()));
    let other =
        Solver::pivoting().solve(&same.expect("a valid problem")).expect("a request that makes sense");
    assert!(other.is_solved());
    for (i, (a, b)) in solution.a.iter().zip(&other.a).enumerate() {
        assert!((a - b).abs() <= tolerance, "row {i}: {a} and {b}");
    }
    solution
}

#[test]
fn islands_are_solved_apart_and_those_at_rest_stay_untouched() {
    let mut heap = Heap::new();
    for k in 0..60 {
        heap.column(1 + k % 7, 3.0, if k % 3 == 0 { 1.0 } else { -10.0 });
    }
    // A joint that nothing pulls, and a motor that nothing loads.
    heap.inverse_mass.extend([1.0, 2.0]);
    heap.u.extend([0.0, 0.0]);
    let last = heap.u.len();
    heap.row(Row::Bilateral, &[(last - 2, 1.0)], 0.0);
    heap.row(Row::Boxed { lo: -1.0, hi: 1.0 }, &[(last - 1, 1.0)], 0.0);
    let problem = heap.problem();
    let solution = check(&problem, 1e-11);
    assert!(solution.reason.contains("islands"), "{}", solution.reason);
    assert!(solution.certificate.residual < 1e-13);
    assert_eq!(solution.sets[problem.len() - 2..], [Set::Clamped; 2]);
    assert!(solution.sets.iter().all(|set| *set != Set::Untreated));
}

#[test]
fn one_island_and_bodies_of_two_coordinates_are_solved_as_well() {
    let mut heap = Heap::new();
    heap.column(150, 2.0, -10.0);
    check(&heap.problem(), 1e-9);
    // Beads on a line, each pushed by its neighbours: two columns a body, one of them never used.
    let mut heap = Heap::new();
    heap.inverse_mass = vec![1.0; 401];
    heap.u = (0..401).map(|c| if c % 2 == 0 { (c as f64 * 0.37).sin() } else { 0.0 }).collect();
    for bead in 0..200 {
        heap.row(Row::Unilateral, &[(2 * bead, -1.0), (2 * bead + 2, 1.0)], 0.0);
    }
    let solution = check(&heap.problem(), 1e-11);
    assert_eq!(solution.method, Method::InteriorPoint);
}

/// Who asks for the same bits on every processor gets no method whose sums are as wide as the processor, and the same answer.
#[test]
fn portable_methods_answer_as_the_others() {
    for (columns, blocks, method) in
        [(1, 150, Method::Pivoting), (1, 600, Method::Pivoting), (2, 300, Method::Friction)]
    {
        let mut heap = Heap::new();
        (0..columns).for_each(|_| heap.column(blocks, 2.0, -10.0));
        let problem = heap.problem();
        let [wide, portable] = [Solver::auto(), Solver::auto().portable()]
            .map(|solver| solver.solve(&problem).expect("a request that makes sense"));
        assert_eq!((wide.method, portable.method), (Method::InteriorPoint, method));
        assert!(wide.is_solved() && portable.is_solved(), "{blocks}: {}", portable.certificate);
        for (i, (a, b)) in wide.a.iter().zip(&portable.a).enumerate() {
            assert!((a - b).abs() <= 1e-8, "{columns} of {blocks} blocks, row {i}: {a} and {b}");
        }
    }
}

/// Many rows whose sets are known but for a few: they are exchanged in blocks, by few factorizations, with no dense matrix.
#[test]
fn many_rows_start_from_the_sets_of_the_problem_before() {
    let two = |fall: [f64; 2]| {
        let mut heap = Heap::new();
        fall.into_iter().for_each(|fall| heap.column(300, 2.0, fall));
        heap.problem()
    };
    let solver = Solver::auto().portable();
    let mut workspace = Workspace::new();
    let before = solver.solve(&two([-10.0, -10.0])).expect("a request that makes sense");
    let mut then = Solution::default();
    let problem = two([-10.0, -9.9]);
    solver
        .solve_into(&problem, Some(&before.sets), &mut workspace, &mut then)
        .expect("a request that makes sense");
    assert_eq!(then.method, Method::Pivoting);
    assert!(then.is_solved() && then.stats.factorizations <= 3, "{}: {:?}", then.certificate, then.stats);
    let anew = solver.solve(&problem).expect("a request that makes sense");
    assert_eq!(anew.method, Method::Friction);
    for (i, (a, b)) in then.a.iter().zip(&anew.a).enumerate() {
        assert!((a - b).abs() <= 1e-8, "row {i}: {a} and {b}");
    }
}

#[test]
fn masses_that_differ_a_millionfold_are_solved_to_rounding() {
    let mut heap = Heap::new();
    heap.column(120, 1e6, -10.0);
    let problem = heap.problem();
    let solution = Solver::auto().solve(&problem).unwrap();
    assert_eq!((solution.status, solution.method), (Status::Solved, Method::InteriorPoint));
    // The foot carries the weight of all.
    let weight = 10.0 * 60.0 * (1.0 + 1e6);
    assert!(((solution.f[0] + solution.f[1]) / weight - 1.0).abs() < 1e-6);
}

#[test]
fn one_contradictory_island_proves_the_whole_infeasible() {
    let mut heap = Heap::new();
    for _ in 0..60 {
        heap.column(2, 1.0, -10.0);
    }
    let c = heap.u.len();
    heap.inverse_mass.push(1.0);
    heap.u.push(0.0);
    heap.row(Row::Unilateral, &[(c, 1.0)], -1.0);
    heap.row(Row::Unilateral, &[(c, -1.0)], -1.0);
    let problem = heap.problem();
    let solution = Solver::auto().solve(&problem).unwrap();
    assert_eq!(solution.status, Status::Infeasible);
    assert!(infeasibility_bound(&problem, &solution.ray).is_some_and(|bound| bound > 1e-3));
    let (last, rest) = solution.ray.split_at(problem.len() - 2);
    assert!(last.iter().all(|v| *v == 0.0) && rest.iter().all(|v| *v > 0.0));
}
