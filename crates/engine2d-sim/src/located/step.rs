//! One step of an island's integration, up to an event if there is one in it.

use super::graze::Graze;
use super::island::Island;
use super::opening::Opening;
use super::sea::{Around, Islands, Met, Sea, look_around};
use super::watch::{Functions, Moving, Watch};
use crate::adaptive::{AdaptiveError, AdaptiveSettings, CrossingLocator};
use crate::after_move::MoveCause;
use crate::energy::booked;
use crate::error::SimError;
use crate::model::Model;
use crate::report::StepReport;
use crate::road::{Road, evaluate, project};
use crate::settings::OdeMethod;
use crate::state::State;
use crate::time_stepping::Exact;
use crate::work::{Work, check_limit};
use std::cell::RefCell;

/// Longest step of the integrator (time): functions of the user's are looked at several times in it.
const LONGEST_STEP: f64 = 1.0;

/// How often a step is tried shorter when forces cannot be found within it.
const RETRIES: u32 = 8;

/// Scratch of steps, of use to every island.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    locator: CrossingLocator,
    pub(super) watch: Watch,
    graze: Graze,
    pub(super) road: Road,
    pub(super) y: Vec<f64>,
    pub(super) rates: Vec<f64>,
    pub(super) around: Around,
    pub(super) exact: Exact,
}

/// How a step has ended.
#[derive(Debug, PartialEq)]
pub(super) enum Stepped {
    /// It was taken.
    Taken,
    /// It was not: in it, bodies may meet those of islands of these numbers.
    Meets(Vec<u32>),
    /// A function of the user's of this number has crossed zero.
    Stopped(usize),
    /// It was not: the island falls apart, into the parts that the sea has noted.
    Parts,
}

/// Takes a step. The bodies stand at its end, the integration just past an event if there is one.
pub(super) fn step(
    island: &mut Island,
    (sea, others): (Option<&mut Sea>, &Islands),
    scratch: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
    settings: AdaptiveSettings,
    report: &mut StepReport,
) -> Result<Stepped, SimError> {
    report.counters.steps += 1;
    let limit = work.shares * model.settings.limits.steps;
    check_limit("steps", report.counters.steps, limit, island.time())?;
    state.write(island.integrator.state());
    let roams = sea.is_some();
    let longest = scratch.watch.longest_step(model, state).min(LONGEST_STEP).min(island.stride());
    let longest = if roams { longest.min(island.longest_step(state)) } else { longest };
    island.integrator.configure(AdaptiveSettings { max_step: longest, ..settings });
    let Scratch { locator, watch, graze, road, rates, around, .. } = scratch;
    let shared = RefCell::new(Moving { model, state: &mut *state, road, work: &mut *work, rates });
    let failure: RefCell<Option<SimError>> = RefCell::new(None);
    let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), SimError> {
        if let Some(error) = failure.borrow_mut().take() {
            return Err(error);
        }
        let Moving { model, state, road, work, rates } = &mut *shared.borrow_mut();
        rates_of((model, state, work), road, y, (rates, dy))
    };
    let integrator = &mut island.integrator;
    integrator.step(&mut rates, f64::INFINITY).map_err(flatten)?;
    watch.measure_ways(shared.borrow().state, integrator);
    if let Some(sea) = sea {
        let Moving { state, .. } = &mut *shared.borrow_mut();
        let may_part = integrator.last_time() > island.since;
        let met = look_around(state, watch, (sea, others), integrator, may_part, around);
        if met != Met::Nobody {
            integrator.rewind();
        }
        island.roamed(matches!(met, Met::Islands(_)));
        match met {
            Met::Nobody => {}
            Met::Islands(numbers) => return Ok(Stepped::Meets(numbers)),
            Met::Apart => return Ok(Stepped::Parts),
        }
    }
    let integrator = &mut island.integrator;
    loop {
        let samples = {
            let Moving { model, state, road, .. } = &mut *shared.borrow_mut();
            watch.prepare(model, state, road)?
        };
        if let Some(samples) = samples {
            if watch.is_empty() {
                break;
            }
            watch.direct(locator, shared.borrow().road.pairs.offsets());
            let mut crossing = Functions { watch, graze, shared: &shared, failure: &failure };
            let hit = locator.search(integrator, &mut rates, &mut crossing, samples).map_err(flatten)?;
            island.pending = hit.map(|hit| watch.event(hit));
            break;
        }
        // Too far for the looks a step has: a shorter one.
        let half = 0.5 * (integrator.time() - integrator.last_time());
        integrator.redo(&mut rates, half).map_err(flatten)?;
        watch.measure_ways(shared.borrow().state, integrator);
    }
    if let Some(error) = failure.into_inner() {
        return Err(error);
    }
    if integrator.state().iter().any(|v| !v.is_finite()) {
        let what = "the state after a step".to_owned();
        return Err(SimError::NotFinite { what, time: integrator.last_time() });
    }
    if island.pending.is_none() {
        open(island, scratch, (model, &mut *state, &mut *work))?;
    }
    island.advanced();
    state.write(island.integrator.state());
    work.moved(model, state, MoveCause::Step);
    let Scratch { road, y, .. } = scratch;
    if island.pending.is_none()
        && booked(model, state, true, |state| project(model, state, road, &mut work.stages))?
    {
        state.read(y);
        island.integrator.adjust(island.integrator.time(), y);
    }
    Ok(Stepped::Taken)
}

/// Where a closed row opens within the last step, or a joint breaks, the step ends there.
fn open(
    island: &mut Island,
    scratch: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
) -> Result<(), SimError> {
    let Scratch { road, y, rates: all, .. } = scratch;
    let integrator = &mut island.integrator;
    let Some(opening) = Opening::at_end(model, state, road) else { return Ok(()) };
    let time = opening.locate((model, state, road, work), integrator, y, all)?;
    let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), SimError> {
        rates_of((model, &mut *state, &mut *work), road, y, (all, dy))
    };
    if time < integrator.time() {
        integrator.go_back(&mut rates, time).map_err(flatten)?;
    }
    island.pending = Some(opening.event(integrator.time()));
    Ok(())
}

/// Takes an island back to a time within its last step, where it stands; it is what stages work on.
pub(super) fn retreat(
    island: &mut Island,
    time: f64,
    scratch: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
) -> Result<(), SimError> {
    let length = time - island.integrator.last_time();
    if time >= island.time() {
        return Ok(());
    }
    island.pending = None;
    let planned = island.integrator.next_step();
    if length <= 0.0 {
        island.integrator.rewind();
        return Ok(());
    }
    let Scratch { road, rates: all, .. } = scratch;
    let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), SimError> {
        rates_of((model, &mut *state, &mut *work), road, y, (all, dy))
    };
    island.integrator.go_back(&mut rates, time).map_err(flatten)?;
    let end = island.integrator.state().to_vec();
    island.integrator.start_with(time, &end, planned);
    Ok(())
}

/// The rates of the scope's variables at `y`; those of all bodies are left in `all`.
fn rates_of(
    (model, state, work): (&Model, &mut State, &mut Work),
    road: &mut Road,
    y: &[f64],
    (all, dy): (&mut Vec<f64>, &mut [f64]),
) -> Result<(), SimError> {
    evaluate(model, state, road, work, y, all)?;
    state.gather(all, dy);
    Ok(())
}

/// The integrator's failure as ours.
fn flatten(error: AdaptiveError<SimError>) -> SimError {
    match error {
        AdaptiveError::Rates(error) => error,
        AdaptiveError::StepTooSmall { time, step } => SimError::StepTooSmall { time, limit: step },
        AdaptiveError::TooManySteps { time, steps } => {
            SimError::WorkLimit { what: "steps", limit: steps, time }
        }
    }
}

/// The tolerances of the adaptive method, which located events need.
pub(super) fn tolerances(model: &Model) -> Result<AdaptiveSettings, SimError> {
    match model.settings.method {
        OdeMethod::DormandPrince { relative_tolerance, absolute_tolerance } => {
            // A stage far ahead may lie where forces have no answer, though the motion does not go there.
            let rest = AdaptiveSettings { retries: RETRIES, ..AdaptiveSettings::default() };
            Ok(AdaptiveSettings { relative_tolerance, absolute_tolerance, ..rest })
        }
        _ => Err(SimError::Unsupported {
            path: "settings.method".to_owned(),
            problem: "located events and compliant contact need the Dormand-Prince method",
        }),
    }
}
