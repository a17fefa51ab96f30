//! Kind `impulse`: one set of simultaneous collisions, handled by each method.

use crate::case::{CaseResult, Difference, Recording};
use crate::evaluation::setup_of;
use crate::recorded::handling;
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;
use engine2d_sim::ImpactRecord;
use serde::Deserialize;
use serde_json::Value;

/// Agreement of velocities (absolute).
const LIMIT: f64 = 1e-8;

#[derive(Deserialize)]
struct RecordedImpact {
    primary: i64,
    normal_body: i64,
    joint: bool,
    contact: bool,
    velocity: f64,
    elasticity: f64,
    normal: Vec2,
    impact1: Vec2,
    impact2: Option<Vec2>,
}

#[derive(Deserialize)]
struct RecordedResult {
    collision_handling: String,
    effective: bool,
    rounds: u64,
    rng_seed_after: u32,
    error: Option<Value>,
    body_velocities_after: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
struct Call {
    id: String,
    case: String,
    segment: i64,
    t: f64,
    rng_seed_before: u32,
    records: Vec<RecordedImpact>,
    poses: Vec<[f64; 6]>,
    results: Vec<RecordedResult>,
}

pub(crate) fn judge(recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    for value in recording.value.get("calls").and_then(Value::as_array).into_iter().flatten() {
        let call = match Call::deserialize(value) {
            Ok(call) => call,
            Err(e) => {
                let mut d = Difference::default();
                d.fail(e.to_string());
                sink(d.verdict(recording.name, "unreadable"));
                continue;
            }
        };
        for result in &call.results {
            let mut d = Difference::default();
            if let Err(reason) = judge_method(recording, &call, result, &mut d) {
                d.fail(reason);
            }
            sink(d.verdict(recording.name, format!("{} {}", call.id, result.collision_handling)));
        }
    }
}

fn judge_method(
    recording: &Recording<'_>,
    call: &Call,
    result: &RecordedResult,
    d: &mut Difference,
) -> Result<(), String> {
    let setup = setup_of(recording, &call.case, call.segment)?;
    let method = handling(&result.collision_handling)?;
    let at = Some((call.t, call.poses.as_slice(), call.rng_seed_before));
    let mut world = setup.world_with(at, |settings| settings.collision_handling = method)?;
    let body = |index: i64| u32::try_from(index).map_or(BodyRef::Ground, BodyRef::Body);
    let records: Vec<ImpactRecord> = call
        .records
        .iter()
        .map(|r| ImpactRecord {
            bodies: [body(r.primary), body(r.normal_body)],
            points: [r.impact1, r.impact2.unwrap_or(r.impact1)],
            normal: r.normal,
            velocity: r.velocity,
            restitution: r.elasticity,
            bilateral: r.joint,
            resting: r.contact,
        })
        .collect();
    let outcome = world.probe().resolve_impacts(&records);
    let recorded_error = result.error.as_ref().is_some_and(|e| !e.is_null());
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(_) if recorded_error => return Ok(()),
        Err(e) => return Err(e.to_string()),
    };
    d.require(!recorded_error, || format!("no error, recorded {:?}", result.error));
    d.require(outcome.rounds == result.rounds, || {
        format!("{} rounds, recorded {}", outcome.rounds, result.rounds)
    });
    d.require(outcome.effective == result.effective, || format!("effective is {}", outcome.effective));
    let state = world.inspect().generator().recorded_state();
    d.require(state == Some(result.rng_seed_after), || {
        format!("generator state {state:?}, recorded {}", result.rng_seed_after)
    });
    for (body, expected) in world.bodies().zip(&result.body_velocities_after) {
        let (v, name) = (body.velocity(), body.name());
        for (k, found) in [v.x, v.y, body.spin()].into_iter().enumerate() {
            d.compare(found, expected[k], LIMIT, || format!("velocity {k} of {name}"));
        }
    }
    Ok(())
}
