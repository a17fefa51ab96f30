//! Kind `evaluation`: contacts, matrix, right-hand side, forces and accelerations of one evaluation.

use crate::case::{CaseResult, Difference, Recording, judge_each};
use crate::contacts::{RecordedContact, compare_record};
use crate::recorded::{RecordedSetup, extra_acceleration};
use engine2d_sim::GroupView;
use serde::Deserialize;

/// Agreement of `A` and `b`, relative to the larger of 1 and the entry.
const MATRIX_LIMIT: f64 = 1e-9;
/// Agreement of accelerations, relative to the larger of 1 and the value.
const ACCELERATION_LIMIT: f64 = 1e-6;

#[derive(Deserialize)]
struct RecordedGroup {
    contacts: Vec<RecordedContact>,
    #[serde(rename = "A")]
    matrix: Vec<Vec<f64>>,
    b: Vec<f64>,
}

#[derive(Deserialize)]
struct Evaluation {
    id: String,
    case: String,
    segment: i64,
    t: f64,
    stage_dt: f64,
    rng_seed_before: u32,
    rng_seed_after: u32,
    state: Vec<[f64; 6]>,
    extra_accel: String,
    extra_accel_time_step: f64,
    groups: Vec<RecordedGroup>,
    accel_after: Vec<[f64; 3]>,
}

pub(crate) fn judge(recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    let judge = |e: &Evaluation, d: &mut Difference| judge_evaluation(recording, e, d);
    judge_each(recording, "evaluations", sink, |e: &Evaluation| e.id.clone(), judge);
}

/// The set-up of a segment of another recorded file; a negative number means the first.
pub(crate) fn setup_of(recording: &Recording<'_>, case: &str, segment: i64) -> Result<RecordedSetup, String> {
    let scenario = recording.siblings.load(case).ok_or_else(|| format!("{case} is missing"))?;
    let index = usize::try_from(segment).unwrap_or(0);
    let segment = scenario.get("segments").and_then(|s| s.get(index)).ok_or("the segment is missing")?;
    RecordedSetup::parse(segment)
}

fn judge_evaluation(recording: &Recording<'_>, e: &Evaluation, d: &mut Difference) -> Result<(), String> {
    let setup = setup_of(recording, &e.case, e.segment)?;
    let mode = extra_acceleration(&e.extra_accel)?;
    let mut world = setup.world_with(Some((e.t, &e.state, e.rng_seed_before)), |settings| {
        settings.extra_acceleration = mode;
        settings.extra_acceleration_step = Some(e.extra_accel_time_step);
    })?;
    let mut index = 0;
    let accelerations = world
        .probe()
        .accelerations(e.stage_dt, &mut |group| {
            match e.groups.get(index) {
                Some(recorded) => compare_group(group, recorded, index, d),
                None => d.fail(format!("group {index} was not recorded")),
            }
            index += 1;
        })
        .map_err(|e| e.to_string())?;
    d.require(index == e.groups.len(), || format!("{index} groups, recorded {}", e.groups.len()));
    for (body, (ours, theirs)) in accelerations.iter().zip(&e.accel_after).enumerate() {
        for k in 0..3 {
            let limit = ACCELERATION_LIMIT * theirs[k].abs().max(1.0);
            d.compare(ours[k], theirs[k], limit, || format!("acceleration {k} of body {body}"));
        }
    }
    let state = world.inspect().generator().recorded_state();
    d.require(state == Some(e.rng_seed_after), || {
        format!("generator state {state:?}, recorded {}", e.rng_seed_after)
    });
    Ok(())
}

fn compare_group(group: &GroupView<'_>, recorded: &RecordedGroup, index: usize, d: &mut Difference) {
    let (ours, theirs) = (group.contacts.len(), recorded.contacts.len());
    if ours != theirs {
        d.fail(format!("group {index} has {ours} contacts, recorded {theirs}"));
        return;
    }
    for (i, (f, e)) in group.contacts.iter().zip(&recorded.contacts).enumerate() {
        compare_record(f, e, MATRIX_LIMIT, i, d);
    }
    for (i, (row, b)) in recorded.matrix.iter().zip(&recorded.b).enumerate() {
        d.compare(group.bias[i], *b, MATRIX_LIMIT * b.abs().max(1.0), || format!("b[{i}] of group {index}"));
        for (j, a) in row.iter().enumerate() {
            let limit = MATRIX_LIMIT * a.abs().max(1.0);
            d.compare(group.matrix.at(i, j), *a, limit, || format!("A[{i}][{j}] of group {index}"));
        }
    }
}
