//! Steps against a solver, at rest, and over changes of the numbers.

use super::*;
use crate::{Row, SparseRows};

/// Columns of blocks with two contacts and friction on each interface, `count` of them, `width` bodies apart in the columns.
fn columns(count: usize, blocks: usize) -> (Lcp<'static>, Vec<[f64; 6]>) {
    let (mut jacobian, mut loads) = (SparseRows { start: vec![0], ..SparseRows::default() }, Vec::new());
    for body in 0..count * blocks {
        for arm in [-0.5, 0.5] {
            for row in [[0.0, 1.0, arm], [1.0, 0.0, 0.5]] {
                let mut entries: Vec<(usize, f64)> = (0..3).map(|c| (3 * body + c, row[c])).collect();
                if body % blocks > 0 {
                    let lever = if row[0] == 0.0 { -arm } else { 0.5 };
                    entries.extend([(3 * body - 3, -row[0]), (3 * body - 2, -row[1]), (3 * body - 1, lever)]);
                }
                jacobian.column.extend(entries.iter().map(|e| e.0));
                jacobian.value.extend(entries.iter().map(|e| e.1));
                jacobian.start.push(jacobian.column.len());
                let below = body % blocks > 0;
                let other = |c: usize| if below { row[c] } else { 0.0 };
                loads.push([row[0], row[1], row[2], other(0), other(1), 0.0]);
            }
        }
    }
    let n = 4 * count * blocks;
    let rows: Vec<Row> = (0..n)
        .map(|i| if i % 2 == 0 { Row::Unilateral } else { Row::Friction { normal: i - 1, mu: 0.5 } })
        .collect();
    let problem = Lcp::jacobian(jacobian, vec![1.0; 3 * count * blocks], vec![0.0; n]).unwrap();
    (problem.rows(rows).unwrap(), loads)
}

/// The accelerations of the rows by a weight turned by an angle.
fn turned(loads: &[[f64; 6]], angle: f64) -> Vec<f64> {
    let (s, c) = engine2d_math::trig::sin_cos(angle);
    loads.iter().map(|l| 10.0 * (s * (l[0] - l[3]) - c * (l[1] - l[4]))).collect()
}

#[test]
fn a_step_at_rest_factors_nothing_and_allocates_nothing_new() {
    let (problem, loads) = columns(1, 60);
    let mut stepper = Stepper::new(problem);
    stepper.set_bias(&turned(&loads, 0.01)).unwrap();
    let cold = stepper.solve().unwrap().clone();
    assert!(cold.is_solved() && cold.stats.factorizations > 0, "{:?} {}", cold.status, cold.certificate);
    let rest = stepper.solve().unwrap();
    assert!(rest.is_solved() && rest.stats.factorizations == 0, "{:?}", rest.stats);
    assert_eq!(rest.f, cold.f);
    // Another load with the same sets: the factorization at hand, if it is that of the sets, or one.
    stepper.set_bias(&turned(&loads, 0.0101)).unwrap();
    let warm = stepper.solve().unwrap();
    assert!(warm.is_solved() && warm.stats.factorizations <= 1, "{:?}", warm.stats);
}

#[test]
fn steps_answer_what_a_solver_answers_and_islands_keep_apart() {
    let (problem, loads) = columns(5, 12);
    let mut stepper = Stepper::new(problem.clone());
    for angle in [0.0, 0.02, 0.3, -0.1] {
        let bias = turned(&loads, angle);
        stepper.set_bias(&bias).unwrap();
        let solution = stepper.solve().unwrap();
        assert!(solution.is_solved(), "{angle}: {:?} {}", solution.status, solution.certificate);
        assert!(
            Certificate::compute(stepper.problem(), &stepper.solution().f, 1e-8, &mut vec![0.0; 240])
                .holds(1e-8)
        );
        // Five times the same column.
        let f = &stepper.solution().f;
        assert!(f.chunks(48).all(|island| island == &f[..48]), "{angle}");
    }
    stepper.set_friction(&vec![0.0; 120]).unwrap();
    assert!(stepper.solve().unwrap().f.iter().skip(1).step_by(2).all(|f| *f == 0.0));
    assert!(stepper.set_friction(&[0.1]).is_err());
    stepper.forget();
    assert!(stepper.solve().unwrap().is_solved());
}

/// Two tables on four legs each, the second with its weights in another order: the load goes to the legs by their weights, those of
/// the rows of each island.
#[test]
fn weights_of_forces_are_those_of_the_rows_of_each_island() {
    let arms = [-1.5, -0.5, 0.5, 1.5];
    let mut jacobian = SparseRows { start: vec![0], ..SparseRows::default() };
    for row in 0..8 {
        // The legs of both tables take turns.
        let (body, arm) = (row % 2, arms[row / 2]);
        jacobian.column.extend([2 * body, 2 * body + 1]);
        jacobian.value.extend([1.0, arm]);
        jacobian.start.push(jacobian.column.len());
    }
    let problem = Lcp::jacobian(jacobian, vec![1.0; 4], vec![-10.0; 8]).unwrap();
    let weights = vec![1.0, 3.0, 3.0, 1.0, 3.0, 1.0, 1.0, 3.0];
    let solver = |weights: &[f64]| Solver::auto().forces(crate::ForceSelection::Weighted(weights.to_vec()));
    let whole = solver(&weights).solve(&problem).unwrap();
    let mut stepper = Stepper::with(problem.clone(), solver(&weights));
    for _ in 0..2 {
        let steps = stepper.solve().unwrap();
        assert!(steps.is_solved(), "{:?}", steps.status);
        // By symmetry `f ∝ 1/w` on the outer and the inner legs.
        for (f, expected) in steps.f.iter().zip([3.75, 1.25, 1.25, 3.75, 1.25, 3.75, 3.75, 1.25]) {
            assert!((f - expected).abs() < 1e-9, "{:?} {:?}", steps.f, whole.f);
        }
    }
    for wrong in [&weights[..4], &[weights.clone(), vec![1.0]].concat()] {
        let refused = Stepper::with(problem.clone(), solver(wrong)).solve().unwrap_err();
        assert_eq!(refused, solver(wrong).solve(&problem).unwrap_err());
    }
}

/// Fails if islands share scratch: then what one leaves behind depends on which thread takes which.
#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let answers = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (problem, loads) = columns(7, 15);
        let mut stepper = Stepper::new(problem);
        let mut bits = Vec::new();
        for angle in [0.0, 0.05, 0.4, 0.1] {
            stepper.set_bias(&turned(&loads, angle)).unwrap();
            let solution = pool.install(|| stepper.solve().unwrap().clone());
            bits.extend(solution.f.iter().chain(&solution.a).map(|v| v.to_bits()));
        }
        bits
    });
    assert!(answers[0] == answers[1] && answers[0] == answers[2]);
}
