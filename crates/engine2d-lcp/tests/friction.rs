//! Heaps with Coulomb friction given by their Jacobian: what they cost, counted in factorizations.

use engine2d_lcp::{Lcp, Row, Solver, SparseRows};

/// Blocks on two blocks each, `levels` high, on a slope with tangent `slope`, all contacts with the same friction.
fn pyramid(levels: usize, slope: f64, mu: f64) -> Lcp<'static> {
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
    let inverse_mass = [1.0, 1.0, 6.0].repeat(bodies);
    Lcp::jacobian(j, inverse_mass, bias).and_then(|p| p.rows(kinds)).expect("a valid pyramid")
}

#[test]
fn a_pyramid_that_slides_as_one_is_solved_with_all_its_contacts_at_their_limits() {
    for levels in [12, 20, 28] {
        let problem = pyramid(levels, 0.27, 0.1);
        let solution = Solver::auto().solve(&problem).unwrap();
        assert!(solution.is_solved(), "{levels}: {:?} {}", solution.status, solution.certificate);
        let stats = solution.stats;
        assert!(stats.pivots == 0 && stats.factorizations <= 40, "{levels}: {stats:?}");
    }
}
