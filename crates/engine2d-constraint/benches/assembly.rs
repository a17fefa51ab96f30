//! Assembly of a chain of 1,000 bodies with 2,000 rows: equations, Delassus matrix, right-hand side.

use criterion::{Criterion, criterion_group, criterion_main};
use engine2d_constraint::constrainer::{Assembled, Update, assemble_rows_into};
use engine2d_constraint::{BodyId, Mass, Mechanism, Motions, Problem, Revolute};
use engine2d_math::Pose;

fn assembly(c: &mut Criterion) {
    let mut m = Mechanism::new();
    let mut before = (BodyId::GROUND, [0.0, 0.0]);
    for k in 0..1000 {
        let mass = Mass::new(1.0, 0.1).centered_at([0.1, 0.0]);
        let Ok(link) = m.add_body(mass, Pose::new(f64::from(k) + 0.5, 0.0, 0.0)) else { return };
        let joint = Revolute::new(link, [-0.5, 0.0], before.0, before.1);
        if m.add(joint).is_err() {
            return;
        }
        before = (link, [0.5, 0.0]);
    }
    let q = m.coordinates();
    let mut problem = Problem::new();
    c.bench_function("assemble 1000 bodies, 2000 rows", |b| {
        b.iter(|| {
            let placed = m.set_coordinates(&q);
            placed.and_then(|()| m.acceleration_problem(&mut problem)).is_ok()
        });
    });
    let mut motions: Vec<_> = m.bodies().map(|(_, motion)| motion).collect();
    let mut constrainers = m.constrainers();
    let mut rows = Assembled::default();
    c.bench_function("assemble_rows of 1000 bodies, 2000 rows", |b| {
        let mut time = 0.0;
        b.iter(|| {
            // Bodies move from pass to pass, so that every row is computed anew.
            time += 1.0;
            motions.iter_mut().for_each(|m| m.angular_velocity = time);
            let motions = Motions::new(&motions);
            constrainers.iter_mut().for_each(|c| {
                c.update(motions, time, Update::Refresh);
            });
            assemble_rows_into(&mut constrainers, motions, 1000, false, &mut rows).is_ok()
        });
    });
}

criterion_group!(benches, assembly);
criterion_main!(benches);
