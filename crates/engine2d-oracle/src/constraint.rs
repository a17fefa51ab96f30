//! Kind `constraint`: states, run-time changes and trajectories of planar mechanisms.

mod joints;
mod recorded;
mod result;
mod steps;
mod trajectory;

use crate::case::{CaseResult, Difference, Recording};
use engine2d_constraint::{CircleOnLine, Line, Mechanism, Stage};
use recorded::{AnyId, RecordedConstraint, RecordedMechanism};
use result::{RecordedResult, ResultView, compare_all};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct State {
    #[serde(flatten)]
    mechanism: RecordedMechanism,
    udot_given: Vec<f64>,
    results: Vec<RecordedResult>,
    udot: Vec<f64>,
    mass_matrix: Vec<Vec<f64>>,
    kinetic_energy: f64,
    potential_energy: f64,
}

#[derive(Deserialize)]
struct RunStep {
    action: String,
    stage_before_eval: String,
    disabled: bool,
    constraint: RecordedConstraint,
    result: RecordedResult,
    udot: Option<Vec<f64>>,
}

#[derive(Deserialize)]
struct RunTime {
    #[serde(flatten)]
    mechanism: RecordedMechanism,
    default_constraint: RecordedConstraint,
    udot_given: Vec<f64>,
    steps: Vec<RunStep>,
}

pub(crate) fn judge(recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    let kind = recording.value.get("kind").and_then(Value::as_str).unwrap_or_default();
    for value in recording.value.get("cases").and_then(Value::as_array).into_iter().flatten() {
        let mut d = Difference::default();
        let id = value.get("id").and_then(Value::as_str).unwrap_or("unnamed").to_owned();
        let outcome = match kind {
            "state" => {
                State::deserialize(value).map_err(|e| e.to_string()).and_then(|s| judge_state(&s, &mut d))
            }
            "runtime" => RunTime::deserialize(value)
                .map_err(|e| e.to_string())
                .and_then(|r| judge_run_time(&r, &mut d)),
            "trajectory" => trajectory::judge(value, &mut d),
            "artisynth_planar" => steps::judge(value, &mut d),
            other => Err(format!("{other} cases cannot be answered yet")),
        };
        if let Err(reason) = outcome {
            d.fail(reason);
        }
        sink(d.verdict(recording.name, id));
    }
}

fn judge_state(state: &State, d: &mut Difference) -> Result<(), String> {
    let (mut m, ids) = state.mechanism.build()?;
    let answer = m.solve_accelerations().map_err(|e| e.to_string())?;
    let shared = m.undetermined();
    m.realize(Stage::Acceleration).map_err(|e| e.to_string())?;
    d.require(ids.len() == state.results.len(), || {
        format!("{} constraints, {} recorded results", ids.len(), state.results.len())
    });
    for (i, (id, result)) in ids.iter().zip(&state.results).enumerate() {
        let redundant = shared.contains(&id.index());
        let view = ResultView { m: &m, id, answer: &answer, u: &state.mechanism.velocities(), i };
        view.compare(result, &state.udot_given, redundant, d)?;
    }
    compare_all("udot", answer.accelerations(), &state.udot, d);
    for (row, expected) in m.mass_matrix().iter().zip(&state.mass_matrix) {
        compare_all("mass matrix", row, expected, d);
    }
    compare_all("kinetic energy", &[m.kinetic_energy()], &[state.kinetic_energy], d);
    compare_all("potential energy", &[m.potential_energy()], &[state.potential_energy], d);
    Ok(())
}

fn judge_run_time(case: &RunTime, d: &mut Difference) -> Result<(), String> {
    let (mut m, _) = case.mechanism.build()?;
    let id = case.default_constraint.add_to(&mut m)?;
    let AnyId::CircleOnLine(circle) = id else { return Err("not a circle on a line".to_owned()) };
    m.realize(Stage::Model).map_err(|e| e.to_string())?;
    for step in &case.steps {
        if step.action != "initial" {
            apply(&mut m, circle, step)?;
        }
        let stage = format!("{:?}", m.stage());
        d.require(stage == step.stage_before_eval, || {
            format!("stage {stage} after {}, recorded {}", step.action, step.stage_before_eval)
        });
        let answer = m.solve_accelerations().map_err(|e| e.to_string())?;
        let view = ResultView { m: &m, id: &id, answer: &answer, u: &case.mechanism.velocities(), i: 0 };
        if step.disabled {
            let count = view.equations()?.len();
            d.require(count == 0, || format!("{count} equations while disabled"));
            view.compare_geometry(&step.result, d)?;
        } else {
            view.compare(&step.result, &case.udot_given, false, d)?;
        }
        if let Some(udot) = &step.udot {
            compare_all("udot", answer.accelerations(), udot, d);
        }
    }
    Ok(())
}

/// Carries out a recorded run-time action, leaving the mechanism where the action leaves it.
fn apply(
    m: &mut Mechanism,
    id: engine2d_constraint::ConstraintId<CircleOnLine>,
    step: &RunStep,
) -> Result<(), String> {
    let text = |e: engine2d_constraint::MechanismError| e.to_string();
    let RecordedConstraint::SphereOnPlane { plane_origin, plane_normal, sphere_center, radius, .. } =
        &step.constraint
    else {
        return Err("not a circle on a line".to_owned());
    };
    let was_enabled = !step.disabled;
    match step.action.as_str() {
        "disable" | "enable" => return m.set_enabled(id, was_enabled).map_err(text),
        "set_plane_frame" | "set_sphere_center" | "set_sphere_radius" => {}
        other => return Err(format!("the action {other} is not known")),
    }
    m.edit(id, |c| {
        c.set_line(Line::new(*plane_origin, *plane_normal));
        c.set_center(*sphere_center);
        c.set_radius(*radius);
    })
    .map_err(text)
}
