//! The kernels in whose loops steps spend their time: dense and sparse factorizations, products, sines.

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use engine2d_math::block_cholesky::{Block, BlockCholesky};
use engine2d_math::dense_cholesky::DenseCholesky;
use engine2d_math::gram::weighted_gram;
use engine2d_math::kernel::{axpy, axpy4, dot, weighted_square};
use engine2d_math::ldlt::UpdatableLdlt;
use engine2d_math::minimum_degree::MinimumDegree;
use engine2d_math::random::Lcg32;
use engine2d_math::sparse_lu::SparseLu;
use engine2d_math::trig;
use std::hint::black_box;

/// Rows of the dense matrices: a small island, a large one, and where sparse methods take over.
const DENSE: [usize; 3] = [24, 96, 300];

/// Sides of the square grids of the sparse ones: 400 and 2,500 groups.
const SIDES: [usize; 2] = [20, 50];

/// Weight of a diagonal that outweighs its row in every matrix here.
const HEAVY: f64 = 40.0;

fn numbers(count: usize, seed: u32) -> Vec<f64> {
    let mut random = Lcg32::new(seed);
    (0..count).map(|_| random.next_unit() - 0.5).collect()
}

/// A symmetric positive definite matrix by rows.
fn definite(n: usize) -> Vec<f64> {
    let values = numbers(n * n, 1);
    let entry = |i: usize, j: usize| 0.5 * (values[i * n + j] + values[j * n + i]);
    let diagonal = |i: usize, j: usize| if i == j { n as f64 } else { 0.0 };
    (0..n * n).map(|k| entry(k / n, k % n) + diagonal(k / n, k % n)).collect()
}

/// The neighbours of larger number of each node of a square grid, and where those of a node begin.
fn grid(side: usize) -> (Vec<u32>, Vec<u32>) {
    let (mut start, mut neighbours) = (vec![0], Vec::new());
    for node in 0..side * side {
        if node % side + 1 < side {
            neighbours.push(node as u32 + 1);
        }
        if node + side < side * side {
            neighbours.push((node + side) as u32);
        }
        start.push(neighbours.len() as u32);
    }
    (start, neighbours)
}

fn vectors(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("vectors");
    for n in [16, 256] {
        let (a, b, c, d) = (numbers(n, 1), numbers(n, 2), numbers(n, 3), numbers(n, 4));
        let mut y = numbers(n, 5);
        group.bench_function(BenchmarkId::new("dot", n), |bench| bench.iter(|| dot(black_box(&a), &b)));
        group.bench_function(BenchmarkId::new("weighted_square", n), |bench| {
            bench.iter(|| weighted_square(black_box(&a), &b));
        });
        group.bench_function(BenchmarkId::new("axpy", n), |bench| {
            bench.iter(|| axpy(black_box(1e-9), &a, &mut y));
        });
        group.bench_function(BenchmarkId::new("axpy4", n), |bench| {
            bench.iter(|| axpy4(black_box([1e-9; 4]), [&a, &b, &c, &d], &mut y));
        });
    }
    group.finish();
}

fn dense(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dense");
    for n in DENSE {
        let matrix = definite(n);
        let mut cholesky = DenseCholesky::new();
        group.bench_function(BenchmarkId::new("cholesky factor", n), |bench| {
            bench.iter(|| {
                cholesky.load(n).copy_from_slice(&matrix);
                assert!(cholesky.factor());
            });
        });
        let right = numbers(n, 2);
        group.bench_function(BenchmarkId::new("cholesky solve", n), |bench| {
            bench.iter_batched_ref(|| right.clone(), |x| cholesky.solve(x), BatchSize::SmallInput);
        });
        let (full, weights) = (numbers(2 * n * n, 3), numbers(2 * n, 4));
        let (mut scaled, mut lower) = (Vec::new(), vec![0.0; n * n]);
        group.bench_function(BenchmarkId::new("J W Jᵀ", n), |bench| {
            bench.iter(|| weighted_gram(black_box(&full), &weights, &mut scaled, &mut lower));
        });
        let mut whole = UpdatableLdlt::new();
        whole.reset(n);
        for i in 0..n {
            let mut row = matrix[i * n..i * n + i].to_vec();
            whole.forward(&mut row);
            let pivot = whole.pivot_of(matrix[i * n + i], &row);
            whole.push(&row, pivot);
        }
        group.bench_function(BenchmarkId::new("ldlt remove the middle row", n), |bench| {
            bench.iter_batched_ref(|| whole.clone(), |ldlt| ldlt.remove(n / 2), BatchSize::SmallInput);
        });
    }
    group.finish();
}

fn sparse(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sparse");
    for side in SIDES {
        let nodes = side * side;
        let (start, neighbours) = grid(side);
        let pairs = || {
            let of = |i: usize| &neighbours[start[i] as usize..start[i + 1] as usize];
            (0..nodes).flat_map(move |i| of(i).iter().map(move |&j| (i, j as usize)))
        };
        let mut graph = MinimumDegree::default();
        group.bench_function(BenchmarkId::new("minimum degree", nodes), |bench| {
            bench.iter(|| {
                graph.reset(nodes);
                pairs().for_each(|(a, b)| graph.join(a, b));
                graph.eliminate();
            });
        });
        group.bench_function(BenchmarkId::new("block cholesky analyse", nodes), |bench| {
            bench.iter(|| BlockCholesky::analyse(black_box(&start), &neighbours));
        });
        if let Ok(mut cholesky) = BlockCholesky::analyse(&start, &neighbours) {
            let diagonal: Vec<usize> = (0..nodes).map(|i| cholesky.diagonal(i) as usize).collect();
            let between: Vec<usize> =
                pairs().filter_map(|(i, j)| Some(cholesky.find(i, j)?.index as usize)).collect();
            let [one, heavy] =
                [1.0, HEAVY].map(|w| -> Block { [[w, 0.0, 0.0], [0.0, w, 0.0], [0.0, 0.0, w]] });
            group.bench_function(BenchmarkId::new("block cholesky factor", nodes), |bench| {
                bench.iter(|| {
                    let values = cholesky.values();
                    diagonal.iter().for_each(|&at| values[at] = heavy);
                    between.iter().for_each(|&at| values[at] = one);
                    assert!(cholesky.factor().is_ok());
                });
            });
            let right = numbers(3 * nodes, 2);
            group.bench_function(BenchmarkId::new("block cholesky solve", nodes), |bench| {
                bench.iter_batched_ref(|| right.clone(), |x| cholesky.solve(x), BatchSize::SmallInput);
            });
        }
        // Two rows in each group, as normal force and friction of a contact.
        let rows: Vec<usize> = (0..2 * nodes).map(|i| i / 2).collect();
        let mut near = vec![Vec::new(); nodes];
        for (a, b) in pairs() {
            near[a].push(b);
            near[b].push(a);
        }
        let mut lu = SparseLu::default();
        group.bench_function(BenchmarkId::new("lu analyse", nodes), |bench| {
            bench.iter(|| lu.analyse(&rows, |link| pairs().for_each(|(a, b)| link(a, b))));
        });
        group.bench_function(BenchmarkId::new("lu factor", nodes), |bench| {
            bench.iter(|| {
                let done = lu.factor(|row, entries| {
                    entries.add(row, HEAVY);
                    entries.add(row ^ 1, 1.0);
                    for &other in &near[row / 2] {
                        entries.add(2 * other, 1.0);
                        entries.add(2 * other + 1, -0.5);
                    }
                });
                assert!(done);
            });
        });
        let right = numbers(2 * nodes, 3);
        group.bench_function(BenchmarkId::new("lu solve", nodes), |bench| {
            bench.iter_batched_ref(|| right.clone(), |x| lu.solve(x), BatchSize::SmallInput);
        });
    }
    group.finish();
}

fn sines(criterion: &mut Criterion) {
    let angles = numbers(256, 7);
    criterion.bench_function("sine and cosine of 256 angles", |bench| {
        bench.iter(|| angles.iter().map(|angle| trig::sin_cos(6.0 * black_box(angle)).0).sum::<f64>());
    });
    criterion.bench_function("arc tangent of 256 directions", |bench| {
        bench.iter(|| angles.windows(2).map(|pair| trig::atan2(pair[0], pair[1])).sum::<f64>());
    });
}

criterion_group!(benches, vectors, dense, sparse, sines);
criterion_main!(benches);
