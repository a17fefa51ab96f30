//! Recorded trajectories of mechanisms: adaptive integration with projection onto the constraints.

use super::recorded::{AnyId, RecordedMechanism};
use crate::case::Difference;
use engine2d_constraint::Mechanism;
use engine2d_sim::{AdaptiveSettings, DormandPrince};
use serde::Deserialize;
use serde_json::Value;

/// Agreement of coordinates, velocities and multipliers.
const LIMITS: [f64; 3] = [1e-7, 1e-6, 1e-5];
/// Tolerance of the integration.
const TOLERANCE: f64 = 1e-12;

#[derive(Deserialize)]
struct Sample {
    t: f64,
    q: Vec<f64>,
    u: Vec<f64>,
    multipliers: Vec<Vec<f64>>,
    ke: f64,
    pe: f64,
}

#[derive(Deserialize)]
struct Trajectory {
    #[serde(flatten)]
    mechanism: RecordedMechanism,
    samples: Vec<Sample>,
}

pub(super) fn judge(value: &Value, d: &mut Difference) -> Result<(), String> {
    let case = Trajectory::deserialize(value).map_err(|e| e.to_string())?;
    let (mut m, ids) = case.mechanism.build()?;
    let settings = AdaptiveSettings {
        relative_tolerance: TOLERANCE,
        absolute_tolerance: TOLERANCE,
        ..AdaptiveSettings::default()
    };
    let mut integrator = DormandPrince::new(settings);
    let mut y = m.state();
    integrator.start(0.0, &y);
    for sample in &case.samples {
        while integrator.time() < sample.t {
            let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| m.rates(y, dy);
            integrator.step(&mut rates, sample.t).map_err(|e| e.to_string())?;
            // Back onto the constraints after every step.
            m.set_state(integrator.state()).map_err(|e| e.to_string())?;
            m.project().map_err(|e| e.to_string())?;
            y = m.state();
            let time = integrator.time();
            integrator.adjust(time, &y);
        }
        compare(&mut m, &ids, sample, &y, d)?;
    }
    Ok(())
}

fn compare(
    m: &mut Mechanism,
    ids: &[AnyId],
    sample: &Sample,
    y: &[f64],
    d: &mut Difference,
) -> Result<(), String> {
    m.set_state(y).map_err(|e| e.to_string())?;
    let answer = m.solve_accelerations().map_err(|e| e.to_string())?;
    let half = y.len() / 2;
    for (name, ours, theirs, limit) in
        [("q", &y[..half], &sample.q, LIMITS[0]), ("u", &y[half..], &sample.u, LIMITS[1])]
    {
        for (k, (o, t)) in ours.iter().zip(theirs).enumerate() {
            d.compare(*o, *t, limit * t.abs().max(1.0), || format!("{name}[{k}] at t = {:.3}", sample.t));
        }
    }
    // Constraints that share a load have no multipliers of their own.
    let shared = m.undetermined();
    for (i, (id, theirs)) in ids.iter().zip(&sample.multipliers).enumerate() {
        if shared.contains(&id.index()) {
            continue;
        }
        let ours = id.multipliers(m, &answer)?;
        d.require(ours.len() == theirs.len(), || format!("{} multipliers of {i}", ours.len()));
        for (o, t) in ours.iter().zip(theirs) {
            // Recorded with the opposite sign.
            d.compare(*o, -t, LIMITS[2] * t.abs().max(1.0), || {
                format!("multiplier of {i} at t = {:.3}", sample.t)
            });
        }
    }
    let energy = sample.ke + sample.pe;
    let ours = m.kinetic_energy() + m.potential_energy();
    d.compare(ours, energy, LIMITS[1] * energy.abs().max(1.0), || format!("energy at t = {:.3}", sample.t));
    Ok(())
}
