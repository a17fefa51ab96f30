//! A heap at rest from step to step: bodies with contacts at random angles, and a load that turns.

use engine2d_lcp::{Lcp, Row, Solver, SparseRows, Stepper};
use engine2d_math::{random::Lcg32, trig};

/// Bodies of unit mass on a grid of such a width, each with contacts with some of those beside and below it.
struct Heap {
    rows: Vec<Vec<(usize, f64)>>,
    bodies: usize,
}

impl Heap {
    fn new(width: usize, contacts: usize, seed: u32) -> Self {
        let mut rng = Lcg32::new(seed);
        let mut signed = move || 2.0 * rng.next_unit() - 1.0;
        let (mut rows, mut places) = (Vec::new(), Vec::<[f64; 2]>::new());
        while rows.len() < 2 * contacts {
            let k = places.len();
            let [x, y] = [(k % width) as f64 + 0.3 * signed(), (k / width) as f64 + 0.3 * signed()];
            places.push([x, y]);
            for (far, angle) in [(1, 0.0), (width, 1.57), (width + 1, 0.8), (width - 1, 2.3)] {
                if signed() >= 0.2 {
                    continue;
                }
                let (s, c) = trig::sin_cos(angle + 0.4 * signed());
                let point = [x + 0.5 * signed(), y - 0.5 + 0.2 * signed()];
                for [c, s] in [[c, s], [-s, c]] {
                    let mut row = Vec::new();
                    for (body, sign) in [(k.checked_sub(far), -1.0), (Some(k), 1.0)] {
                        let Some(body) = body else { continue };
                        let [x, y] = [point[0] - places[body][0], point[1] - places[body][1]];
                        row.extend(
                            [(0, c), (1, s), (2, x * s - y * c)].map(|(i, v)| (3 * body + i, sign * v)),
                        );
                    }
                    rows.push(row);
                }
            }
        }
        Self { rows, bodies: places.len() }
    }

    /// Accelerations of the rows by a weight turned by an angle.
    fn bias(&self, angle: f64) -> Vec<f64> {
        let (s, c) = trig::sin_cos(angle);
        let load = [10.0 * s, -10.0 * c, 0.0];
        self.rows.iter().map(|row| row.iter().map(|&(k, v)| v * load[k % 3]).sum()).collect()
    }

    fn problem(&self) -> Lcp<'static> {
        let mut jacobian = SparseRows { start: vec![0], ..SparseRows::default() };
        for row in &self.rows {
            jacobian.column.extend(row.iter().map(|entry| entry.0));
            jacobian.value.extend(row.iter().map(|entry| entry.1));
            jacobian.start.push(jacobian.column.len());
        }
        let mut rng = Lcg32::new(3);
        let mut kind = |i: usize| match i % 2 {
            0 => Row::Unilateral,
            _ => Row::Friction { normal: i - 1, mu: 0.1 + 0.5 * rng.next_unit() },
        };
        let kinds: Vec<Row> = (0..self.rows.len()).map(&mut kind).collect();
        let masses = (0..3 * self.bodies).map(|k| if k % 3 == 2 { 6.0 } else { 1.0 }).collect();
        let problem = Lcp::jacobian(jacobian, masses, self.bias(0.0));
        problem.and_then(|problem| problem.rows(kinds)).expect("a problem")
    }
}

/// From the forces before, ties alone come near but not to the end; windows go on from there.
#[test]
fn a_load_that_turns_a_little_costs_far_less_than_the_heap_anew() {
    for seed in [0, 3] {
        let heap = Heap::new(23, 1000, seed);
        let mut stepper = Stepper::with(heap.problem(), Solver::auto().tolerance(1e-9));
        let cold = stepper.solve().expect("an answer").stats;
        for step in 1..=5 {
            stepper.set_bias(&heap.bias(0.01 * f64::from(step))).expect("as many");
            let turned = stepper.solve().expect("an answer");
            assert!(turned.is_solved(), "heap {seed}, step {step}: {}", turned.certificate);
            // Where the search begins again from what sweeps come to, a third of those of the heap anew to as many.
            let count = turned.stats.factorizations;
            assert!(8 * count <= cold.factorizations, "heap {seed}, step {step}: {count} after {cold:?}");
        }
    }
}
