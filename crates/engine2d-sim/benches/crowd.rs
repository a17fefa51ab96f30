//! What it costs that bodies come and go while 10,000 others are at rest, and that they are looked up.

use criterion::{Criterion, criterion_group, criterion_main};
use engine2d_geometry::PathShape;
use engine2d_sim::{Body, BodyId, World};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

const CROWD: usize = 10_000;

/// Blocks at rest in a row on a floor.
#[expect(clippy::expect_used, reason = "a benchmark may panic")]
fn row(count: usize) -> World {
    let width = 2.0 * count as f64 + 10.0;
    let floor = Body::block(width, 1.0).fixed().at(0.5 * width, -0.5).named("floor");
    let mut builder = World::builder().gravity(10.0).body(floor);
    let shape = Arc::new(PathShape::block(1.0, 1.0).expect("a shape"));
    for k in 0..count {
        let x = 2.0 * k as f64 + 1.0;
        builder = builder.body(Body::new(shape.clone()).at(x, 0.5).named(format!("block {k}")));
    }
    let mut world = builder.build().expect("a world");
    world.advance(0.01).expect("it rests");
    world
}

/// Seconds that it takes to add so many one by one above the row, and to remove them, each by itself.
#[expect(clippy::expect_used, reason = "a benchmark may panic")]
fn crowd_comes_and_goes(world: &mut World) -> [Duration; 2] {
    let shape = Arc::new(PathShape::ball(0.4).expect("a shape"));
    let visitors: Vec<Body> = (0..CROWD)
        .map(|k| Body::new(shape.clone()).at(2.0 * k as f64 + 1.0, 3.0).named(format!("visitor {k}")))
        .collect();
    let start = Instant::now();
    let ids: Vec<BodyId> =
        visitors.into_iter().map(|visitor| world.add_body(visitor).expect("room")).collect();
    let added = start.elapsed();
    let start = Instant::now();
    for id in ids {
        world.remove_body(id).expect("it is there");
    }
    [added, start.elapsed()]
}

#[expect(clippy::expect_used, reason = "a benchmark may panic")]
fn crowd(criterion: &mut Criterion) {
    let mut world = row(CROWD);
    crowd_comes_and_goes(&mut world);
    let mut group = criterion.benchmark_group("10,000 at rest");
    group.sample_size(20);
    for (k, name) in ["one added", "one removed"].into_iter().enumerate() {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                let mut spent = Duration::ZERO;
                for _ in 0..times {
                    spent += crowd_comes_and_goes(&mut world)[k] / CROWD as u32;
                }
                spent
            });
        });
    }
    group.bench_function("looked up by name", |bencher| {
        bencher.iter(|| world.body(black_box("block 7777")).expect("it is there").index());
    });
    let id = world.body("block 7777").expect("it is there").id();
    group.bench_function("looked up by identity", |bencher| {
        bencher.iter(|| world.body(black_box(id)).expect("it is there").index());
    });
    group.finish();
}

criterion_group!(benches, crowd);
criterion_main!(benches);
