//! Stable benchmarks: one convex pair of each kind of algorithm, a resting pair of blocks, a step of the broad phase.

use criterion::{Criterion, criterion_group, criterion_main};
use engine2d_geometry::{
    Bounds, BroadPhase, CollisionBody, CollisionFilter, Contact, PathShape, Pose, Shape, ShapeError,
    distance, sizes, test_pair,
};
use engine2d_math::{Vec2, trig};
use std::hint::black_box;
use std::sync::Arc;

fn regular(corners: u32) -> Result<Shape, ShapeError> {
    let corner = |k: u32| {
        let (sin, cos) = trig::sin_cos(f64::from(k) * std::f64::consts::TAU / f64::from(corners));
        [cos, sin]
    };
    Shape::polygon((0..corners).map(corner).collect::<Vec<[f64; 2]>>())
}

fn convex(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("distance");
    let block = Shape::rectangle(0.9, 0.6);
    let pairs = [
        ("disc and box", Shape::circle(0.8), block.clone()),
        ("boxes", block.clone(), block),
        ("32-gons", regular(32), regular(32)),
        ("ellipses", Shape::ellipse(0.9, 0.5), Shape::ellipse(0.7, 0.3)),
    ];
    for (name, a, b) in pairs {
        let (Ok(a), Ok(b)) = (a, b) else { continue };
        for (state, x) in [("apart", 2.3), ("overlapping", 0.6)] {
            let (here, there) = (Pose::new(x, 0.4, 0.5), Pose::new(0.0, 0.1, -0.2));
            group.bench_function(format!("{name} {state}"), |bencher| {
                bencher.iter(|| distance(black_box(&a), &here, black_box(&b), &there));
            });
        }
    }
    group.finish();
}

fn path_bodies(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("contacts of a resting pair");
    let shapes = [
        ("blocks", PathShape::block(1.0, 1.0)),
        (
            "rounded blocks",
            PathShape::round_corner_block(sizes::RoundCornerBlock { width: 1.0, height: 1.0, radius: 0.1 }),
        ),
    ];
    for (name, shape) in shapes {
        let Ok(shape) = shape.map(Arc::new) else { continue };
        let mut bodies = [CollisionBody::new(shape.clone()), CollisionBody::new(shape)];
        bodies[1].pose = Pose::new(0.2, 1.005, 0.001);
        let mut records: Vec<Contact> = Vec::new();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                records.clear();
                test_pair(black_box(&bodies), 0, 1, 0.0, &mut records);
            });
        });
    }
    group.finish();
}

fn broad_phase(criterion: &mut Criterion) {
    const SIDE: u32 = 100;
    let mut phase = BroadPhase::new();
    let place = |k: u32, shift: f64| {
        let center = Vec2::new(f64::from(k % SIDE), f64::from(k / SIDE)) * 0.9;
        Bounds::of_circle(center + Vec2::new(shift, 0.0), 0.5)
    };
    for k in 0..SIDE * SIDE {
        let _ = phase.insert(place(k, 0.0), CollisionFilter::default());
    }
    phase.update();
    let mut step = 0_u32;
    criterion.bench_function("broad phase of 10,000 drifting boxes", |bencher| {
        bencher.iter(|| {
            step += 1;
            // Rows drift to and fro against each other.
            let away = 0.02 * f64::from(100 - (step % 200).abs_diff(100));
            for k in 0..SIDE * SIDE {
                let shift = if (k / SIDE).is_multiple_of(2) { away } else { -away };
                let _ = phase.set_bounds(k, place(k, shift));
            }
            phase.update().len()
        });
    });
}

criterion_group!(benches, convex, path_bodies, broad_phase);
criterion_main!(benches);
