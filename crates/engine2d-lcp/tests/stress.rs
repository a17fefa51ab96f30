//! A million random problems: no panic, no NaN, no wrong "solved". Two minutes in release; behind a feature:
//! `cargo test --release -p engine2d-lcp --features stress stress::`.
#![cfg(feature = "stress")]

use engine2d_lcp::{Certificate, Lcp, Row, Solution, Solver, Status, Workspace, infeasibility_bound};
use engine2d_math::random::Lcg32;
use rand_core::Rng;

#[test]
fn a_million_random_problems() {
    let mut rng = Lcg32::new(2024);
    let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
    let mut undecided = 0_usize;
    for case in 0..1_000_000_u32 {
        let n = 1 + (rng.next_u32() >> 8) as usize % 9;
        let rank = 1 + (rng.next_u32() >> 8) as usize % n;
        let style = (rng.next_u32() >> 8) % 6;
        let scale = |rng: &mut Lcg32| {
            if style == 1 { 10_f64.powi((rng.next_u32() >> 8) as i32 % 7 - 3) } else { 1.0 }
        };
        let entry = |rng: &mut Lcg32| match style {
            2 => f64::from((rng.next_u32() >> 8) % 3) - 1.0,
            _ => 2.0 * rng.next_unit() - 1.0,
        };
        let g: Vec<f64> = (0..n * rank).map(|_| entry(&mut rng)).collect();
        let weights: Vec<f64> = (0..n).map(|_| scale(&mut rng)).collect();
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let sum: f64 = (0..rank).map(|k| g[i * rank + k] * g[j * rank + k]).sum();
                a[i * n + j] = sum * weights[i] * weights[j];
                a[j * n + i] = a[i * n + j];
            }
        }
        let b: Vec<f64> = (0..n).map(|i| entry(&mut rng) * weights[i]).collect();
        let rows: Vec<Row> = (0..n)
            .map(|i| match (rng.next_u32() >> 8) % 8 {
                0 => Row::Bilateral,
                1 => Row::Boxed { lo: -0.5, hi: 0.5 },
                2 if style == 5 && i > 0 => Row::Friction { normal: 0, mu: 0.4 },
                _ => Row::Unilateral,
            })
            .collect();
        let problem = match Lcp::borrowed(&a, &b, &rows) {
            Ok(problem) => problem,
            Err(_) => continue, // a friction row without its normal row
        };
        let Ok(status) = Solver::auto().solve_into(&problem, None, &mut workspace, &mut solution) else {
            panic!("case {case}: not semidefinite?");
        };
        assert!(solution.f.iter().all(|f| f.is_finite()), "case {case}");
        let mut found = vec![0.0; n];
        let certificate = Certificate::compute(&problem, &solution.f, 1e-8, &mut found);
        match status {
            Status::Solved => assert!(certificate.holds(1e-8), "case {case}: {certificate}"),
            Status::Infeasible => {
                assert!(
                    infeasibility_bound(&problem, &solution.ray).is_some_and(|b| b > 1e-8),
                    "case {case}"
                );
            }
            other => {
                assert!(problem.has_friction(), "case {case}: {other:?} {a:?} {b:?} {rows:?}");
                undecided += 1;
            }
        }
    }
    assert!(undecided < 20_000, "{undecided} friction problems without an answer");
}
