//! Kind `hysteresis`: scripted sequences for the contact dictionary.

use crate::case::{CaseResult, Difference, Recording, judge_each};
use engine2d_geometry::{ContactHandler, PairId, PairSample};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Agreement of numbers (absolute).
const LIMIT: f64 = 1e-15;

#[derive(Deserialize)]
struct Step {
    mode: String,
    distance_org: BTreeMap<String, f64>,
    #[serde(default)]
    normal_velocity: BTreeMap<String, f64>,
    started: Option<Vec<u64>>,
    ended: Option<Vec<u64>>,
    contact: BTreeMap<String, bool>,
    contact_dict: BTreeMap<String, f64>,
    distance_with_hysteresis: BTreeMap<String, f64>,
    z1: Option<f64>,
    z2: Option<f64>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    z_eps: f64,
    pairs: Vec<u64>,
    steps: Vec<Step>,
}

pub(crate) fn judge(recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    let judge = |case: &Case, d: &mut Difference| {
        judge_sequence(case, d);
        Ok(())
    };
    judge_each(recording, "cases", sink, |case: &Case| case.id.clone(), judge);
}

fn judge_sequence(case: &Case, d: &mut Difference) {
    let mut handler = ContactHandler::new(case.pairs.iter().map(|&p| PairId(p))).with_z_eps(case.z_eps);
    for (i, step) in case.steps.iter().enumerate() {
        let evaluate = |pair: PairId| PairSample {
            distance: step.distance_org.get(&pair.0.to_string()).copied().unwrap_or(f64::NAN),
            normal_velocity: step.normal_velocity.get(&pair.0.to_string()).copied().unwrap_or(f64::NAN),
        };
        let crossing = match step.mode.as_str() {
            "event" => {
                let change = handler.on_event(evaluate);
                let same = |ours: &[PairId], theirs: &Option<Vec<u64>>| {
                    let mut theirs = theirs.clone().unwrap_or_default();
                    theirs.sort_unstable();
                    ours.iter().map(|p| p.0).eq(theirs)
                };
                d.require(same(&change.started, &step.started), || format!("started at step {i}"));
                d.require(same(&change.ended, &step.ended), || format!("ended at step {i}"));
                Some(change.crossing)
            }
            "zero_crossing" => Some(handler.crossing_functions(evaluate)),
            _ => {
                handler.update(evaluate);
                None
            }
        };
        if let Some(crossing) = crossing {
            for (name, ours, theirs) in [("z1", crossing.z1, step.z1), ("z2", crossing.z2, step.z2)] {
                d.require(ours.is_some() == theirs.is_some(), || format!("{name} at step {i} is {ours:?}"));
                if let (Some(ours), Some(theirs)) = (ours, theirs) {
                    d.compare(ours, theirs, LIMIT, || format!("{name} at step {i}"));
                }
            }
        }
        compare_state(&handler, step, i, d);
    }
}

fn compare_state(handler: &ContactHandler, step: &Step, i: usize, d: &mut Difference) {
    let number = |key: &String| PairId(key.parse().unwrap_or(u64::MAX));
    for (key, flag) in &step.contact {
        d.require(handler.contact(number(key)).is_some() == *flag, || format!("flag of {key} at step {i}"));
    }
    let size = (handler.contacts().len(), step.contact_dict.len());
    d.require(size.0 == size.1, || format!("{} contacts at step {i}, recorded {}", size.0, size.1));
    for (key, velocity) in &step.contact_dict {
        match handler.contact(number(key)) {
            Some(c) => {
                d.compare(c.start_velocity, *velocity, LIMIT, || format!("velocity of {key} at step {i}"))
            }
            None => d.fail(format!("{key} is not in contact at step {i}")),
        }
    }
    for (key, expected) in &step.distance_with_hysteresis {
        let distance = step.distance_org.get(key).copied().unwrap_or(f64::NAN);
        let ours = match handler.contact(number(key)) {
            Some(c) => c.distance,
            None => handler.distance_with_hysteresis(number(key), distance),
        };
        d.compare(ours, *expected, LIMIT, || format!("distance of {key} at step {i}"));
    }
}
