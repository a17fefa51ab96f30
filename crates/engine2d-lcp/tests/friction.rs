//! Heaps with Coulomb friction given by their Jacobian or their matrix: what they cost, counted in factorizations.

use engine2d_lcp::{Lcp, Row, Solver, SparseRows};

/// Blocks on two blocks each, `levels` high, on a slope with tangent `slope`, all contacts with the same friction.
fn pyramid(levels: usize, slope: f64, mu: f64) -> Heap {
    let (weight, first) = (10.0 / slope.hypot(1.0), |level: usize| level * (2 * levels + 1 - level) / 2);
    let mut j = SparseRows { start: vec![0], ..SparseRows::default() };
    let (mut bias, mut kinds) = (Vec::new(), Vec::new());
    for level in 0..levels {
        for (body, k) in (first(level)..).zip(0..levels - level) {
            for (side, arm) in [(0, -0.4), (1, 0.4)] {
                for (c, s) in [(0.0, 1.0), (-1.0, 0.0)] {
                    let below = (level > 0).then(|| first(level - 1) + k + side);
                    // A point at the bottom of the upper block and the top of the lower one.
                    let lever = |(x, y): (f64, f64)| x * s - y * c;
                    let mut entries = vec![(body, 1.0, lever((arm, -0.5)))];
                    entries.extend(below.map(|lower| (lower, -1.0, lever((-0.5 - arm, 0.5)))));
                    for (body, sign, lever) in &entries {
                        j.column.extend([3 * body, 3 * body + 1, 3 * body + 2]);
                        j.value.extend([sign * c, sign * s, sign * lever]);
                    }
                    j.start.push(j.column.len());
                    bias.push(if below.is_none() { weight * (c * slope - s) } else { 0.0 });
                }
                let normal = kinds.len();
                kinds.extend([Row::Unilateral, Row::Friction { normal, mu }]);
            }
        }
    }
    let bodies = levels * (levels + 1) / 2;
    Heap { j, inverse_mass: [1.0, 1.0, 6.0].repeat(bodies), bias, kinds }
}

/// Rows of contacts, and the bodies that they act on.
struct Heap {
    j: SparseRows,
    inverse_mass: Vec<f64>,
    bias: Vec<f64>,
    kinds: Vec<Row>,
}

impl Heap {
    fn by_jacobian(&self) -> Lcp<'static> {
        let Self { j, inverse_mass, bias, kinds } = self;
        let problem = Lcp::jacobian(j.clone(), inverse_mass.clone(), bias.clone());
        problem.and_then(|p| p.rows(kinds.clone())).expect("a valid heap")
    }

    /// Entries `A_ik`, `k ≤ i`, that are not zero.
    fn entries(&self) -> Vec<(usize, usize, f64)> {
        let mut scaled = vec![0.0; self.inverse_mass.len()];
        let row =
            |i: usize| (self.j.start[i]..self.j.start[i + 1]).map(|k| (self.j.column[k], self.j.value[k]));
        let mut entries = Vec::new();
        for i in 0..self.bias.len() {
            row(i).for_each(|(c, v)| scaled[c] = v * self.inverse_mass[c]);
            let products = (0..=i).map(|k| (i, k, row(k).map(|(c, v)| v * scaled[c]).sum()));
            entries.extend(products.filter(|entry| entry.2 != 0.0));
            row(i).for_each(|(c, _)| scaled[c] = 0.0);
        }
        entries
    }

    fn by_sparse_matrix(&self) -> Lcp<'static> {
        let problem = Lcp::triplets(&self.entries(), self.bias.clone());
        problem.and_then(|p| p.rows(self.kinds.clone())).expect("a valid heap")
    }

    fn by_dense_matrix(&self) -> Lcp<'static> {
        let n = self.bias.len();
        let mut a = vec![0.0; n * n];
        for (i, k, value) in self.entries() {
            (a[i * n + k], a[k * n + i]) = (value, value);
        }
        let problem = Lcp::from_dense(a, self.bias.clone());
        problem.and_then(|p| p.rows(self.kinds.clone())).expect("a valid heap")
    }
}

#[test]
fn a_pyramid_that_slides_as_one_is_solved_with_all_its_contacts_at_their_limits() {
    for levels in [12, 20, 28] {
        let problem = pyramid(levels, 0.27, 0.1).by_jacobian();
        let solution = Solver::auto().solve(&problem).unwrap();
        assert!(solution.is_solved(), "{levels}: {:?} {}", solution.status, solution.certificate);
        let stats = solution.stats;
        assert!(stats.pivots == 0 && stats.factorizations <= 40, "{levels}: {stats:?}");
    }
}

/// Contacts that two blocks share twice depend on each other, and at their limits each is held in one direction alone.
#[test]
fn a_heap_given_by_its_matrix_takes_as_many_steps_as_one_given_by_its_jacobian() {
    for (levels, slope) in [(9, 0.05), (12, 0.27), (16, 0.27), (20, 0.05), (20, 0.27)] {
        let heap = pyramid(levels, slope, 0.1);
        let steps = [heap.by_jacobian(), heap.by_sparse_matrix(), heap.by_dense_matrix()].map(|problem| {
            let solution = Solver::auto().solve(&problem).unwrap();
            assert!(solution.is_solved(), "{levels}: {:?} {}", solution.status, solution.certificate);
            assert_eq!(solution.stats.pivots, 0, "{levels} {slope}: {:?}", solution.stats);
            solution.stats.factorizations
        });
        assert!(steps.iter().all(|n| n.abs_diff(steps[0]) <= 6), "{levels} {slope}: {steps:?}");
    }
}
