//! Kind `simulation`: whole scenarios, each segment from its recorded start.

use crate::case::{CaseResult, Difference, Recording};
use crate::recorded::RecordedSetup;
use engine2d_sim::{Profile, SimError, World};
use serde::Deserialize;
use serde_json::Value;

/// Agreement of states where the scenario has no tolerance of its own.
const DEFAULT_TOLERANCE: f64 = 1e-5;
/// Allowed multiple of the spread that rounding causes in the recorded system.
const SPREAD_FACTOR: f64 = 100.0;
/// A segment ends once its end time is this near.
const END_SLACK: f64 = 1e-7;

#[derive(Deserialize)]
struct Expectation {
    exception_expected: bool,
    vars: Option<Vec<Vec<Option<f64>>>>,
    vars_tolerance: Option<f64>,
    energy_diff: Option<f64>,
    energy_tolerance: Option<f64>,
    collisions: Option<u64>,
    searches: Option<u64>,
}

#[derive(Deserialize)]
struct Sample {
    t: f64,
    state: Vec<f64>,
}

#[derive(Deserialize)]
struct Totals {
    collisions: u64,
    searches: u64,
}

#[derive(Deserialize)]
struct Recorded {
    trajectory: Vec<Sample>,
    totals: Totals,
    exception: Option<Value>,
}

#[derive(Deserialize)]
struct Segment {
    index: usize,
    run_until: f64,
    expectation: Option<Expectation>,
    oracle: Recorded,
}

#[derive(Deserialize)]
struct CountsStable {
    collisions: bool,
    searches: bool,
    exception: bool,
}

#[derive(Deserialize)]
struct Sensitivity {
    spread: Vec<Option<f64>>,
    horizon: f64,
    horizon_sample: usize,
    chaotic: bool,
    counts_stable: CountsStable,
}

#[derive(Deserialize)]
struct ExtraCheck {
    kind: String,
    tolerance: f64,
    segment: usize,
    expected: Option<f64>,
    label: Option<String>,
}

/// What is known of a scenario beside its segments.
struct Scenario<'a> {
    file: &'a str,
    original_passed: bool,
    extra_checks: Vec<ExtraCheck>,
    sensitivities: Vec<Sensitivity>,
}

pub(crate) fn judge(recording: &Recording<'_>, sink: &mut dyn FnMut(CaseResult)) {
    let value = recording.value;
    let sensitivities = recording
        .siblings
        .load("sensitivity.json")
        .and_then(|s| s.get("cases")?.get(recording.name)?.get("segments").cloned())
        .and_then(|s| Vec::<Sensitivity>::deserialize(s).ok())
        .unwrap_or_default();
    let scenario = Scenario {
        file: recording.name,
        original_passed: value.get("original_checks_passed").and_then(Value::as_bool).unwrap_or(true),
        extra_checks: value
            .get("extra_checks")
            .and_then(|c| Vec::<ExtraCheck>::deserialize(c).ok())
            .unwrap_or_default(),
        sensitivities,
    };
    for value in value.get("segments").and_then(Value::as_array).into_iter().flatten() {
        let mut d = Difference::default();
        let case = match Segment::deserialize(value) {
            Ok(segment) => {
                if let Err(reason) = judge_segment(&scenario, &segment, value, &mut d) {
                    d.fail(reason);
                }
                format!("segment {}", segment.index)
            }
            Err(e) => {
                d.fail(e.to_string());
                "unreadable".to_owned()
            }
        };
        sink(d.verdict(scenario.file, case));
    }
}

/// The world of a scenario's segment at its recorded start, with the given profile; for benchmarks.
///
/// # Errors
/// A description of what is missing or wrong in the recording.
pub fn recorded_world(scenario: &Value, segment: usize, profile: Profile) -> Result<World, String> {
    let value = scenario.get("segments").and_then(|s| s.get(segment)).ok_or("the segment is missing")?;
    RecordedSetup::parse(value)?.world_with(None, |settings| settings.profile = profile)
}

fn judge_segment(
    scenario: &Scenario<'_>,
    segment: &Segment,
    value: &Value,
    d: &mut Difference,
) -> Result<(), String> {
    let sensitivity = scenario.sensitivities.get(segment.index);
    let chaotic = sensitivity.is_some_and(|s| s.chaotic);
    let setup = RecordedSetup::parse(value)?;
    let step = setup.advance.time_step;
    let mut world = setup.world(None)?;
    world.advance(0.0).map_err(|e| e.to_string())?;
    let start_energy = world.energy().total();
    let expected_error = segment.expectation.as_ref().is_some_and(|e| e.exception_expected);
    let last_sample = match sensitivity {
        Some(s) if s.chaotic => s.horizon_sample + 1,
        _ => usize::MAX,
    };
    let mut sample = 0;
    let mut error = None;
    loop {
        compare_samples(&world, segment, sensitivity, step, &mut sample, d);
        let judged_enough = sample > last_sample && !expected_error;
        if world.time() >= segment.run_until - END_SLACK || judged_enough {
            break;
        }
        if let Err(e) = world.advance(step) {
            error = Some((world.time(), e));
            break;
        }
    }
    judge_error(segment, sensitivity, error.as_ref(), step, d);
    if chaotic || error.is_some() {
        return Ok(());
    }
    let totals = world.inspect().totals();
    if let Some(s) = sensitivity {
        let pairs = [
            ("collisions", totals.collisions, segment.oracle.totals.collisions, s.counts_stable.collisions),
            ("searches", totals.searches, segment.oracle.totals.searches, s.counts_stable.searches),
        ];
        for (name, ours, theirs, stable) in pairs {
            d.require(!stable || ours == theirs, || format!("{ours} {name}, recorded {theirs}"));
        }
    }
    if scenario.original_passed {
        judge_expectation(&mut world, scenario, segment, start_energy, d);
    }
    Ok(())
}

/// Compares all samples that are due at the world's time.
fn compare_samples(
    world: &World,
    segment: &Segment,
    sensitivity: Option<&Sensitivity>,
    step: f64,
    next: &mut usize,
    d: &mut Difference,
) {
    let tolerance = segment.expectation.as_ref().and_then(|e| e.vars_tolerance).unwrap_or(DEFAULT_TOLERANCE);
    while let Some(sample) = segment.oracle.trajectory.get(*next).filter(|s| s.t <= world.time() + step / 4.0)
    {
        let index = *next;
        *next += 1;
        let limit = match sensitivity {
            Some(s) if index > s.horizon_sample + 1 => continue,
            Some(s) => match s.spread.get(index) {
                Some(Some(spread)) => tolerance.max(SPREAD_FACTOR * spread),
                _ => continue,
            },
            None => tolerance,
        };
        let state = world.state();
        for (k, (ours, theirs)) in state.iter().zip(&sample.state).enumerate() {
            d.compare(*ours, *theirs, limit, || {
                let variable = ["x", "vx", "y", "vy", "angle", "spin"][k % 6];
                format!("{variable} of body {} at t = {:.4}", k / 6, sample.t)
            });
        }
    }
}

fn judge_error(
    segment: &Segment,
    sensitivity: Option<&Sensitivity>,
    error: Option<&(f64, SimError)>,
    step: f64,
    d: &mut Difference,
) {
    let expected = segment.expectation.as_ref().is_some_and(|e| e.exception_expected);
    let recorded = segment.oracle.exception.as_ref();
    let recorded_time = recorded.and_then(|e| e.get("t").or_else(|| e.get("time"))).and_then(Value::as_f64);
    match error {
        Some((time, _)) if expected => {
            let timed = sensitivity.is_none_or(|s| s.counts_stable.exception);
            if let (true, Some(recorded)) = (timed, recorded_time) {
                d.require((time - recorded).abs() <= step * 1.001, || {
                    format!("stopped at {time}, recorded {recorded}")
                });
            }
        }
        None if expected => d.fail("an error was expected, none occurred"),
        Some((time, e)) if recorded.is_none() => {
            let horizon = sensitivity.map_or(f64::INFINITY, |s| s.horizon);
            d.require(*time > horizon, || format!("error before the horizon {horizon}: {e}"));
        }
        _ => {}
    }
}

fn judge_expectation(
    world: &mut World,
    scenario: &Scenario<'_>,
    segment: &Segment,
    start_energy: f64,
    d: &mut Difference,
) {
    let totals = world.inspect().totals();
    if let Some(e) = &segment.expectation {
        let tolerance = e.vars_tolerance.unwrap_or(DEFAULT_TOLERANCE);
        let state = world.state();
        for (body, vars) in e.vars.iter().flatten().enumerate() {
            for (k, expected) in vars.iter().enumerate() {
                if let Some(expected) = expected {
                    d.compare(state[6 * body + k], *expected, tolerance, || {
                        format!("expected variable {k} of body {body} at the end")
                    });
                }
            }
        }
        if let (Some(expected), Some(tolerance)) = (e.energy_diff, e.energy_tolerance) {
            let difference = world.energy().total() - start_energy;
            d.compare(difference, expected, tolerance, || "expected energy difference".to_owned());
        }
        for (name, ours, theirs) in
            [("collisions", totals.collisions, e.collisions), ("searches", totals.searches, e.searches)]
        {
            d.require(theirs.is_none_or(|t| t == ours), || format!("{ours} {name}, expected {theirs:?}"));
        }
    }
    for check in scenario.extra_checks.iter().filter(|c| c.segment == segment.index) {
        judge_extra(world, check, d);
    }
}

fn judge_extra(world: &mut World, check: &ExtraCheck, d: &mut Difference) {
    let worst = match check.kind.as_str() {
        "joint_tightness" => world
            .inspect()
            .connector_distances()
            .map(|gaps| gaps.iter().fold(0.0, |m: f64, g| m.max(g.abs())))
            .map_err(|e| e.to_string()),
        "contact_distance" => world
            .probe()
            .find_contacts()
            .map(|found| found.iter().fold(0.0, |m: f64, c| m.max(c.distance_to_target().abs())))
            .map_err(|e| e.to_string()),
        "value" => match (check.expected, check.label.as_deref()) {
            (Some(expected), Some("energy")) => Ok((world.energy().total() - expected).abs()),
            (_, label) => Err(format!("unknown value {label:?}")),
        },
        other => Err(format!("unknown check {other:?}")),
    };
    match worst {
        Ok(worst) => d.compare(worst, 0.0, check.tolerance, || check.kind.clone()),
        Err(reason) => d.fail(reason),
    }
}
