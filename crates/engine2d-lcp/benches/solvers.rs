//! Stable benchmarks of the solvers on a stack of blocks and on a redundant wall.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use engine2d_lcp::{Lcp, Method, Solution, Solver, Workspace};
use std::hint::black_box;

/// A column of blocks, two contacts on each interface, pressed from the top.
fn stack(blocks: usize) -> (Vec<f64>, Vec<f64>) {
    let n = 2 * blocks;
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let side = if i % 2 == j % 2 { 1.75 } else { 0.25 };
            a[i * n + j] = match (i / 2).abs_diff(j / 2) {
                0 => {
                    if i / 2 == 0 {
                        side
                    } else {
                        2.0 * side
                    }
                }
                1 => -side,
                _ => 0.0,
            };
        }
    }
    let mut b = vec![0.0; n];
    b[0] = -10.0;
    b[1] = -10.0;
    (a, b)
}

fn solvers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stack");
    for blocks in [3, 10, 50] {
        let (a, b) = stack(blocks);
        let Ok(problem) = Lcp::from_dense(a, b) else { continue };
        for method in [Method::Auto, Method::Pivoting, Method::BlockPivoting, Method::InteriorPoint] {
            let solver = Solver::with(method);
            if !solver.applies(&problem) {
                continue;
            }
            let (mut workspace, mut solution) = (Workspace::new(), Solution::default());
            group.bench_function(BenchmarkId::new(method.name(), 2 * blocks), |bencher| {
                bencher.iter(|| {
                    black_box(solver.solve_into(black_box(&problem), None, &mut workspace, &mut solution))
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, solvers);
criterion_main!(benches);
