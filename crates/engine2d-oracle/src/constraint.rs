//! Kind `constraint`: states, run-time changes and trajectories of planar mechanisms.

mod recorded;
mod steps;
mod trajectory;

use crate::case::{CaseResult, Difference, Recording};
use engine2d_constraint::{Answer, CircleOnLine, Equation, Level, Line, Mechanism, Stage};
use engine2d_geometry::BodyRef;
use recorded::{AnyId, RecordedConstraint, RecordedMechanism};
use serde::Deserialize;
use serde_json::Value;

/// Agreement of recorded quantities, relative to the scale of their row.
const LIMIT: f64 = 1e-9;

#[derive(Deserialize)]
struct RecordedResult {
    mp: usize,
    mv: usize,
    ma: usize,
    #[serde(default)]
    perr: Vec<f64>,
    #[serde(default)]
    verr: Vec<f64>,
    #[serde(rename = "P", default)]
    p: Vec<Vec<f64>>,
    #[serde(rename = "V", default)]
    v: Vec<Vec<f64>>,
    #[serde(rename = "A", default)]
    a: Vec<Vec<f64>>,
    #[serde(default)]
    aerr_given: Vec<f64>,
    #[serde(default)]
    abias: Vec<f64>,
    #[serde(default)]
    multipliers: Vec<f64>,
    body_forces: Option<Vec<[f64; 3]>>,
    ground_force: Option<[f64; 3]>,
    power: Option<f64>,
    contact_point: Option<[f64; 2]>,
    separation: Option<f64>,
    force_on_sphere: Option<[f64; 2]>,
}

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
    let redundant = m.mobility().map_err(|e| e.to_string())?.redundant.len() > 1;
    m.realize(Stage::Acceleration).map_err(|e| e.to_string())?;
    for (i, (id, result)) in ids.iter().zip(&state.results).enumerate() {
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

/// Compares vectors, relative to the largest entry recorded (at least 1).
fn compare_all(name: &str, ours: &[f64], theirs: &[f64], d: &mut Difference) {
    d.require(ours.len() == theirs.len(), || {
        format!("{name} has {} entries, recorded {}", ours.len(), theirs.len())
    });
    let scale = theirs.iter().fold(1.0, |m: f64, t| m.max(t.abs()));
    for (k, (o, t)) in ours.iter().zip(theirs).enumerate() {
        d.compare(*o, *t, LIMIT * scale, || format!("{name}[{k}]"));
    }
}

/// One constraint's part of a state.
struct ResultView<'a> {
    m: &'a Mechanism,
    id: &'a AnyId,
    answer: &'a Answer,
    u: &'a [f64],
    i: usize,
}

impl ResultView<'_> {
    fn equations(&self) -> Result<&[Equation], String> {
        self.id.equations(self.m)
    }

    /// Rows as full vectors over all coordinates.
    fn rows(&self, level: Level) -> Result<Vec<Vec<f64>>, String> {
        let n = self.u.len();
        Ok(self
            .equations()?
            .iter()
            .filter(|e| e.level == level)
            .map(|e| {
                let mut full = vec![0.0; n];
                for (body, jacobian) in e.row.bodies.iter().zip(&e.row.jacobian) {
                    if let Some(b) = body.index() {
                        for k in 0..3 {
                            full[3 * b + k] += jacobian[k];
                        }
                    }
                }
                full
            })
            .collect())
    }

    fn compare(
        &self,
        result: &RecordedResult,
        udot_given: &[f64],
        redundant: bool,
        d: &mut Difference,
    ) -> Result<(), String> {
        let i = self.i;
        let equations = self.equations()?;
        let counts = [Level::Position, Level::Velocity, Level::Acceleration]
            .map(|level| equations.iter().filter(|e| e.level == level).count());
        d.require(counts == [result.mp, result.mv, result.ma], || {
            format!("equations of constraint {i}: {counts:?}")
        });
        for (name, level, theirs) in [
            ("P", Level::Position, &result.p),
            ("V", Level::Velocity, &result.v),
            ("A", Level::Acceleration, &result.a),
        ] {
            for (ours, theirs) in self.rows(level)?.iter().zip(theirs) {
                compare_all(&format!("{name} of constraint {i}"), ours, theirs, d);
            }
        }
        let pick = |levels: &[Level], value: fn(&Equation) -> f64| -> Vec<f64> {
            equations.iter().filter(|e| levels.contains(&e.level)).map(value).collect()
        };
        compare_all("perr", &pick(&[Level::Position], |e| e.position_error), &result.perr, d);
        compare_all(
            "verr",
            &pick(&[Level::Position, Level::Velocity], |e| e.velocity_error),
            &result.verr,
            d,
        );
        let all = [Level::Position, Level::Velocity, Level::Acceleration];
        let bias = pick(&all, |e| e.acceleration_bias);
        compare_all("abias", &bias, &result.abias, d);
        let given: Vec<f64> = all
            .iter()
            .map(|&level| self.rows(level))
            .collect::<Result<Vec<_>, _>>()?
            .concat()
            .iter()
            .zip(&bias)
            .map(|(row, bias)| row.iter().zip(udot_given).map(|(j, a)| j * a).sum::<f64>() + bias)
            .collect();
        compare_all("aerr", &given, &result.aerr_given, d);
        self.compare_forces(result, redundant, d)
    }

    /// Multipliers (recorded with the opposite sign), forces on all bodies and the ground, power.
    fn compare_forces(
        &self,
        result: &RecordedResult,
        redundant: bool,
        d: &mut Difference,
    ) -> Result<(), String> {
        let multipliers = self.id.multipliers(self.m, self.answer)?;
        let recorded: Vec<f64> = result.multipliers.iter().map(|l| -l).collect();
        // Multipliers of redundant constraints depend on the choice of norm.
        if redundant {
            return Ok(());
        }
        compare_all("multipliers", &multipliers, &recorded, d);
        let mut power = 0.0;
        for (b, theirs) in result.body_forces.iter().flatten().enumerate() {
            let ours = self.id.force_on(self.m, BodyRef::Body(b as u32), self.answer)?;
            compare_all("body force", &ours, theirs, d);
            power += ours.iter().zip(&self.u[3 * b..]).map(|(f, u)| f * u).sum::<f64>();
        }
        if let Some(theirs) = result.ground_force {
            let ours = self.id.force_on(self.m, BodyRef::Ground, self.answer)?;
            compare_all("ground force", &ours, &theirs, d);
        }
        if let Some(theirs) = result.power {
            compare_all("power", &[power], &[theirs], d);
        }
        self.compare_circle(result, d)
    }

    fn compare_circle(&self, result: &RecordedResult, d: &mut Difference) -> Result<(), String> {
        let AnyId::CircleOnLine(id) = self.id else { return Ok(()) };
        let circle = self.m.constraint(*id).map_err(|e| e.to_string())?;
        if let Some(theirs) = result.separation {
            compare_all("separation", &[circle.separation(self.m.motions())], &[theirs], d);
        }
        if let Some(theirs) = result.contact_point {
            let point = circle.contact_point(self.m.motions());
            compare_all("contact point", &[point.x, point.y], &theirs, d);
        }
        if let Some(theirs) = result.force_on_sphere {
            let body = circle.circle_body();
            let ours = match body {
                // A circle on the ground: the force is the opposite of that on the line's body.
                BodyRef::Ground => {
                    let f = self.id.force_on(self.m, circle.line_body(), self.answer)?;
                    [-f[0], -f[1]]
                }
                BodyRef::Body(_) => {
                    let f = self.id.force_on(self.m, body, self.answer)?;
                    [f[0], f[1]]
                }
            };
            compare_all("force on the circle", &ours, &theirs, d);
        }
        Ok(())
    }
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
            view.compare_circle(&step.result, d)?;
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
        _ => {}
    }
    m.edit(id, |c| {
        c.set_line(Line::new(*plane_origin, *plane_normal));
        c.set_center(*sphere_center);
        c.set_radius(*radius);
    })
    .map_err(text)
}
