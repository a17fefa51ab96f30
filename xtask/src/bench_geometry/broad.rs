//! Broad phase: balls that drift through a square, update and pair finding of each step.

use super::{beside, say_heading};
use crate::measure::{clock, within};
use crate::{TaskError, say};
use engine2d_geometry::{Bounds, BroadPhase, CollisionFilter};
use engine2d_math::Vec2;
use engine2d_math::random::Lcg32;
use serde_json::{Value, json};

/// Radius of the balls (length).
pub(super) const RADIUS: f64 = 0.5;
/// Steps that are timed.
pub(super) const STEPS: usize = 200;
/// Area of the square for each ball: they cover about half of it.
const AREA: f64 = 1.6;

/// Balls in a square, each at its own speed.
pub(super) struct Drift {
    side: f64,
    pub(super) positions: Vec<Vec2>,
    velocities: Vec<Vec2>,
}

impl Drift {
    /// `n` balls that travel up to `travel` (length) a step along each axis.
    pub(super) fn new(n: usize, travel: f64) -> Self {
        let mut random = Lcg32::new(n as u32);
        let side = (n as f64 * AREA).sqrt();
        let mut vectors = |low: f64, high: f64| -> Vec<Vec2> {
            (0..n)
                .map(|_| Vec2::new(within(&mut random, low, high), within(&mut random, low, high)))
                .collect()
        };
        Self { side, positions: vectors(0.0, side), velocities: vectors(-travel, travel) }
    }

    pub(super) fn step(&mut self) {
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

pub(super) fn run(records: &mut Vec<Value>) -> Result<(), TaskError> {
    say_heading("broad phase, update and pairs", "µs/step", "rapier");
    let mut per_body = Vec::new();
    for (n, travel) in [(1_000, 0.02), (10_000, 0.005), (10_000, 0.02), (10_000, 0.1), (100_000, 0.02)] {
        let (time, pairs) = ours(n, travel)?;
        let peer = peer_time(n, travel);
        let each = time * 1e3 / n as f64;
        let kind = format!("{n} balls, up to {travel} a step");
        say(&format!("{kind:40}{time:10.1}{}   {each:.1} ns a body, {pairs} pairs", beside(time, peer)));
        records.push(json!({
            "bench": "broad", "bodies": n, "travel": travel, "us": time, "peer_us": peer,
            "ns_per_body": each, "pairs": pairs,
        }));
        if travel == 0.02 {
            per_body.push(each);
        }
    }
    if let [small, .., large] = per_body[..] {
        say(&format!("time a body at 100,000 over that at 1,000: {:.2}", large / small));
    }
    Ok(())
}

/// Mean microseconds of a step, and the pairs at the end.
fn ours(n: usize, travel: f64) -> Result<(f64, usize), TaskError> {
    let mut drift = Drift::new(n, travel);
    let mut phase = BroadPhase::new();
    for p in &drift.positions {
        phase.insert(Bounds::of_circle(*p, RADIUS), CollisionFilter::default())?;
    }
    phase.update();
    let mut total = 0.0;
    for _ in 0..STEPS {
        drift.step();
        let start = clock();
        for (i, p) in drift.positions.iter().enumerate() {
            phase.set_bounds(i as u32, Bounds::of_circle(*p, RADIUS))?;
        }
        phase.update();
        total += clock() - start;
    }
    Ok((total / STEPS as f64, phase.pairs().len()))
}

/// Mean microseconds of a step of rapier's broad phase on the same motion, if it takes part.
#[cfg(feature = "peers")]
fn peer_time(n: usize, travel: f64) -> Option<f64> {
    Some(super::peers::broad_time(n, travel))
}

#[cfg(not(feature = "peers"))]
fn peer_time(_n: usize, _travel: f64) -> Option<f64> {
    None
}
