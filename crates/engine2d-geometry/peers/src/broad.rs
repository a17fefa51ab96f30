//! Broad phase: balls that drift through a square, update and pair finding of each step.

use crate::measure::{Random, clock_us, median};
use engine2d_geometry::{Bounds, BroadPhase, CollisionFilter};
use engine2d_math::Vec2;
use parry2d_f64::bounding_volume::Aabb;
use rapier2d_f64::prelude::{
    ActiveCollisionTypes, BroadPhaseBvh, ColliderBuilder, ColliderSet, IntegrationParameters, RigidBodySet,
    Vector,
};

const RADIUS: f64 = 0.5;
const STEPS: usize = 200;

/// Balls in a square where they cover about half of the area, each at its own speed.
struct Drift {
    side: f64,
    positions: Vec<Vec2>,
    velocities: Vec<Vec2>,
}

impl Drift {
    fn new(n: usize, travel: f64) -> Self {
        let mut random = Random(n as u64);
        let side = (n as f64 * 1.6).sqrt();
        let positions =
            (0..n).map(|_| Vec2::new(random.within(0.0, side), random.within(0.0, side))).collect();
        let velocities = (0..n)
            .map(|_| Vec2::new(random.within(-travel, travel), random.within(-travel, travel)))
            .collect();
        Self { side, positions, velocities }
    }

    fn step(&mut self) {
        for (p, v) in self.positions.iter_mut().zip(&mut self.velocities) {
            *p += *v;
            for k in 0..2 {
                if p[k] < 0.0 && v[k] < 0.0 || p[k] > self.side && v[k] > 0.0 {
                    v[k] = -v[k];
                }
            }
        }
    }
}

fn ours(n: usize, travel: f64) -> (f64, usize) {
    let mut drift = Drift::new(n, travel);
    let mut phase = BroadPhase::new();
    for p in &drift.positions {
        phase.insert(Bounds::of_circle(*p, RADIUS), CollisionFilter::default()).unwrap();
    }
    phase.update();
    let mut samples = Vec::new();
    for _ in 0..STEPS {
        drift.step();
        let start = clock_us();
        for (i, p) in drift.positions.iter().enumerate() {
            phase.set_bounds(i as u32, Bounds::of_circle(*p, RADIUS)).unwrap();
        }
        phase.update();
        samples.push(clock_us() - start);
    }
    let mean = samples.iter().sum::<f64>() / samples.len() as f64;
    let _ = median(&mut samples);
    (mean, phase.pairs().len())
}

fn rapier(n: usize, travel: f64) -> (f64, usize) {
    let mut drift = Drift::new(n, travel);
    let mut colliders = ColliderSet::new();
    let bodies = RigidBodySet::new();
    let parameters = IntegrationParameters::default();
    let handles: Vec<_> = drift
        .positions
        .iter()
        .map(|p| {
            let ball = ColliderBuilder::ball(RADIUS).translation(Vector::new(p.x, p.y));
            colliders.insert(ball.active_collision_types(ActiveCollisionTypes::all()))
        })
        .collect();
    let mut phase = BroadPhaseBvh::new();
    let mut events = Vec::new();
    let modified = colliders.take_modified();
    phase.update(&parameters, &colliders, &bodies, &modified, &[], &mut events);
    let mut pairs = pair_change(&events);
    let mut samples = Vec::new();
    for _ in 0..STEPS {
        drift.step();
        let start = clock_us();
        for (handle, p) in handles.iter().zip(&drift.positions) {
            let half = Vector::new(RADIUS, RADIUS);
            let center = Vector::new(p.x, p.y);
            phase.set_aabb(&parameters, *handle, Aabb::new(center - half, center + half));
        }
        events.clear();
        phase.update(&parameters, &colliders, &bodies, &[], &[], &mut events);
        samples.push(clock_us() - start);
        pairs += pair_change(&events);
    }
    let mean = samples.iter().sum::<f64>() / samples.len() as f64;
    (mean, pairs as usize)
}

fn pair_change(events: &[rapier2d_f64::geometry::BroadPhasePairEvent]) -> i64 {
    use rapier2d_f64::geometry::BroadPhasePairEvent::{AddPair, DeletePair};
    events
        .iter()
        .map(|e| match e {
            AddPair(_) => 1,
            DeletePair(_) => -1,
        })
        .sum()
}

pub fn run() {
    println!("broad phase, mean ms per step          ours  rapier  ratio   pairs ours, rapier");
    for (n, travel) in [(1_000, 0.02), (10_000, 0.005), (10_000, 0.02), (10_000, 0.1), (100_000, 0.02)] {
        let (mine, my_pairs) = ours(n, travel);
        let (peer, peer_pairs) = rapier(n, travel);
        println!(
            "{n:7} balls, up to {travel:5} a step {:10.3} {:7.3} {:6.2}   {my_pairs} {peer_pairs}   {:.1} ns per body",
            mine / 1e3,
            peer / 1e3,
            mine / peer,
            mine * 1e3 / n as f64
        );
    }
}
