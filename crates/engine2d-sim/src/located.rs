//! The advance with located events: an adaptive integration that runs on by itself, events at the zeros of
//! functions along its dense output, results at the times asked for.
//!
//! The integrator's steps do not depend on where results are wanted: a state in between is read off the
//! interpolant, and the integration goes on from where it was. Between events closed contacts are held at their gap;
//! every other pair of bodies that could meet in a step is watched by its signed gap.

mod compliant;
mod graze;
mod opening;
mod pending;
mod watch;

pub(crate) use opening::joint_place;

use crate::adaptive::{AdaptiveError, AdaptiveSettings, CrossingLocator, DormandPrince};
use crate::after_move::MoveCause;
use crate::compliant::ContactLaw;
use crate::connector::Place;
use crate::energy::{booked, energy};
use crate::error::SimError;
use crate::model::Model;
use crate::report::StepReport;
use crate::road::haste::Haste;
use crate::road::held::HeldSet;
use crate::road::{Road, evaluate, measure, project, report_forces, settle, unjam};
use crate::settings::{ContactModel, OdeMethod};
use crate::state::{PER_BODY, State};
use crate::work::{Work, check_limit};
use engine2d_geometry::ContactHandler;
use graze::Graze;
use opening::{Opening, overloaded};
use pending::Pending;
use std::cell::RefCell;
use watch::{Functions, Moving, Watch};

/// Longest step of the integrator (time): functions of the user's are looked at several times in it.
const LONGEST_STEP: f64 = 1.0;

/// How often a step is tried shorter when forces cannot be found within it.
const RETRIES: u32 = 8;

/// An integration with events in progress.
#[derive(Clone, Debug, Default)]
pub(crate) struct Located {
    integrator: DormandPrince,
    locator: CrossingLocator,
    watch: Watch,
    graze: Graze,
    /// The event at which the integration stands, not yet dealt with.
    pending: Option<Pending>,
    running: bool,
    road: Road,
    y: Vec<f64>,
    rates: Vec<f64>,
    /// What the integration remembers while a state in between is shown.
    held: HeldSet,
    places: Vec<Place>,
}

/// The part of an integration with events that a snapshot keeps.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct LocatedState {
    integrator: DormandPrince,
    pending: Option<Pending>,
    running: bool,
    touches: Option<(ContactHandler, Vec<ContactLaw>)>,
    held: HeldSet,
    haste: Vec<Haste>,
    lengths: [f64; 2],
}

impl Located {
    /// Makes the next advance start anew from the state of the world.
    pub(crate) fn invalidate(&mut self) {
        self.running = false;
        self.pending = None;
    }

    /// The rows of the last evaluation.
    pub(crate) fn road(&self) -> &Road {
        &self.road
    }

    /// What a snapshot keeps.
    pub(crate) fn save(&self, state: &State) -> LocatedState {
        LocatedState {
            integrator: self.integrator.clone(),
            pending: self.pending,
            running: self.running,
            touches: state.compliant.save(),
            held: state.held.clone(),
            haste: state.haste.clone(),
            lengths: [state.touch, state.exact],
        }
    }

    /// Goes on from a snapshot; the bodies are already where they were.
    pub(crate) fn load(
        &mut self,
        saved: &LocatedState,
        model: &Model,
        state: &mut State,
    ) -> Result<(), SimError> {
        self.integrator = saved.integrator.clone();
        self.pending = saved.pending;
        self.running = saved.running;
        state.forget_contacts();
        if let (ContactModel::Compliant(compliant), Some(touches)) =
            (&model.settings.contact_model, &saved.touches)
        {
            state.compliant.prepare(&model.data, &state.bodies, compliant)?;
            state.compliant.load(touches.clone());
        }
        state.held.clone_from(&saved.held);
        state.haste.clone_from(&saved.haste);
        [state.touch, state.exact] = saved.lengths;
        Ok(())
    }

    /// Advances to time `target`, or to an event of the user's, whose index is returned.
    pub(crate) fn run_to(
        &mut self,
        (model, state, work): (&mut Model, &mut State, &mut Work),
        target: f64,
        report: &mut StepReport,
    ) -> Result<Option<usize>, SimError> {
        let settings = tolerances(model)?;
        if !self.running {
            begin(model, state, &mut self.road, work, report)?;
            state.read(&mut self.y);
            self.integrator.start(state.time, &self.y);
            self.running = true;
            self.pending = self.broken(model, state);
        }
        loop {
            if let Some(event) = self.pending {
                if event.time() > target {
                    break;
                }
                tracing::debug!(?event, "event located");
                self.pending = None;
                self.running = false;
                state.write(self.integrator.state());
                if let Pending::User(hit) = event {
                    report.events.extend(model.watched[hit.index].event(hit));
                    return Ok(Some(hit.index));
                }
                happen(model, state, &mut self.road, work, event, report)?;
                work.moved(model, state, MoveCause::Handling);
                state.read(&mut self.y);
                self.integrator.resume(state.time, &self.y);
                self.running = true;
                self.pending = self.broken(model, state);
            } else if self.integrator.time() < target {
                match self.step((model, state, work), settings, report) {
                    Err(error @ SimError::Unsolved { .. }) => {
                        self.jam(model, state, work, report)?.then_some(()).ok_or(error)?;
                    }
                    other => other?,
                }
                report.highest_energy = report.highest_energy.max(energy(model, state).total());
            } else {
                break;
            }
        }
        self.show(model, state, work, target)?;
        Ok(None)
    }

    /// One step of the integrator, up to an event if there is one in it. The system stands at its end.
    fn step(
        &mut self,
        (model, state, work): (&Model, &mut State, &mut Work),
        settings: AdaptiveSettings,
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        report.counters.steps += 1;
        check_limit("steps", report.counters.steps, model.settings.limits.steps, state.time)?;
        state.write(self.integrator.state());
        state.erase_old_poses();
        let longest = self.watch.longest_step(model, &state.bodies).min(LONGEST_STEP);
        self.integrator.configure(AdaptiveSettings { max_step: longest, ..settings });
        let Self { integrator, locator, watch, graze, road, rates, .. } = self;
        let shared = RefCell::new(Moving { model, state: &mut *state, road, work: &mut *work, rates });
        let failure: RefCell<Option<SimError>> = RefCell::new(None);
        let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), SimError> {
            if let Some(error) = failure.borrow_mut().take() {
                return Err(error);
            }
            let Moving { model, state, road, work, rates } = &mut *shared.borrow_mut();
            evaluate(model, state, road, work, y, rates)?;
            dy.copy_from_slice(rates);
            Ok(())
        };
        integrator.step(&mut rates, f64::INFINITY).map_err(flatten)?;
        loop {
            let samples = {
                let Moving { model, state, road, .. } = &mut *shared.borrow_mut();
                watch.prepare(model, state, road, integrator)?
            };
            if let Some(samples) = samples {
                watch.direct(locator, shared.borrow().road.pairs.offsets());
                let mut crossing = Functions { watch, graze, shared: &shared, failure: &failure };
                let hit = locator.search(integrator, &mut rates, &mut crossing, samples).map_err(flatten)?;
                self.pending = hit.map(|hit| watch.event(hit));
                break;
            }
            // Too far for the looks a step has: a shorter one.
            let half = 0.5 * (integrator.time() - integrator.last_time());
            integrator.redo(&mut rates, half).map_err(flatten)?;
        }
        if let Some(error) = failure.into_inner() {
            return Err(error);
        }
        if self.integrator.state().iter().any(|v| !v.is_finite()) {
            let what = "the state after a step".to_owned();
            return Err(SimError::NotFinite { what, time: self.integrator.last_time() });
        }
        if self.pending.is_none() {
            self.pending = self.open(model, state, work)?;
        }
        state.write(self.integrator.state());
        work.moved(model, state, MoveCause::Step);
        let road = &mut self.road;
        if self.pending.is_none()
            && booked(model, state, true, |state| project(model, state, road, &mut work.stages))?
        {
            state.read(&mut self.y);
            self.integrator.adjust(self.integrator.time(), &self.y);
        }
        Ok(())
    }

    /// A joint that is beyond its strength from this moment on.
    fn broken(&self, model: &Model, state: &State) -> Option<Pending> {
        overloaded(model, state, &self.road).map(|joint| Pending::Break(state.time, joint))
    }

    /// Where forces have no answer ahead: ends sliding that jams; returns whether there was any.
    fn jam(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        report: &mut StepReport,
    ) -> Result<bool, SimError> {
        state.write(self.integrator.state());
        let held = state.held.clone();
        let jammed = unjam(model, state, &mut self.road, work, report, held)?;
        state.read(&mut self.y);
        self.integrator.resume(state.time, &self.y);
        Ok(jammed)
    }

    /// Whether a closed row opens within the last step, or a joint breaks: then the step ends there.
    fn open(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
    ) -> Result<Option<Pending>, SimError> {
        let Self { integrator, road, y, rates: scratch, .. } = self;
        let Some(opening) = Opening::at_end(model, state, road) else { return Ok(None) };
        let time = opening.locate((model, state, road, work), integrator, y, scratch)?;
        let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), SimError> {
            evaluate(model, state, road, work, y, scratch)?;
            dy.copy_from_slice(scratch);
            Ok(())
        };
        if time < self.integrator.time() {
            let step = time - self.integrator.last_time();
            self.integrator.redo(&mut rates, step).map_err(flatten)?;
        }
        Ok(Some(opening.event(self.integrator.time())))
    }

    /// Moves the bodies to `target` within the last step, for those who look; the integration stays where it is.
    fn show(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        target: f64,
    ) -> Result<(), SimError> {
        let Self { integrator, road, y, rates, held, places, .. } = self;
        state.erase_old_poses();
        integrator.interpolate(target, y);
        y[0] = target;
        state.write(y);
        // Forces of this moment, without a trace in what comes after.
        held.clone_from(&state.held);
        places.clone_from(&state.places);
        if target != integrator.time() {
            project(model, state, road, &mut work.stages)?;
        }
        state.read(y);
        evaluate(model, state, road, work, y, rates)?;
        show_forces(state, road, work);
        state.held.clone_from(held);
        state.places.clone_from(places);
        Ok(())
    }

    /// Accelerations of all bodies at the present state, `[a_x, a_y, α]` each, with what touches as it would settle; the
    /// state stays as it is.
    pub(crate) fn accelerations_now(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
    ) -> Result<Vec<[f64; 3]>, SimError> {
        let (mut before, mut y, mut rates) = (Vec::new(), Vec::new(), Vec::new());
        let road = &mut self.road;
        state.read(&mut before);
        let (held, haste) = (state.held.clone(), state.haste.clone());
        let began = begin(model, state, road, work, &mut StepReport::default());
        state.read(&mut y);
        let evaluated = began.and_then(|()| evaluate(model, state, road, work, &y, &mut rates));
        show_forces(state, road, work);
        state.write(&before);
        (state.held, state.haste) = (held, haste);
        evaluated?;
        Ok(rates[1..1 + PER_BODY * state.bodies.len()]
            .chunks_exact(PER_BODY)
            .map(|r| [r[1], r[3], r[5]])
            .collect())
    }
}

/// The start of an integration: contacts as they are, collisions at this very moment resolved.
fn begin(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
    report: &mut StepReport,
) -> Result<(), SimError> {
    state.erase_old_poses();
    measure(state);
    if let ContactModel::Compliant(compliant) = &model.settings.contact_model {
        if !state.compliant.is_prepared() {
            state.compliant.prepare(&model.data, &state.bodies, compliant)?;
        }
        compliant::touch(model, state, report)?;
    }
    if model.has_constraints() {
        booked(model, state, true, |state| project(model, state, road, &mut work.stages))?;
    }
    settle(model, state, road, work, true, report)
}

/// Puts the forces of the last evaluation where reports find them.
fn show_forces(state: &State, road: &Road, work: &mut Work) {
    report_forces(state, road, &mut work.forces.last);
    let largest = work.forces.last.iter().fold(0.0, |most: f64, f| most.max(f.force.abs()));
    work.forces.note(largest);
}

/// What an event does.
fn happen(
    model: &mut Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
    event: Pending,
    report: &mut StepReport,
) -> Result<(), SimError> {
    match event {
        Pending::Compliant(_) => return compliant::touch(model, state, report),
        Pending::Break(_, joint) => opening::break_joint(model, state, road, joint, report),
        Pending::Rigid(_) | Pending::User(_) => {}
    }
    settle(model, state, road, work, false, report)
}

/// The tolerances of the adaptive method, which located events need.
fn tolerances(model: &Model) -> Result<AdaptiveSettings, SimError> {
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

fn flatten(error: AdaptiveError<SimError>) -> SimError {
    match error {
        AdaptiveError::Rates(error) => error,
        AdaptiveError::StepTooSmall { time, step } => SimError::StepTooSmall { time, limit: step },
        AdaptiveError::TooManySteps { time, steps } => {
            SimError::WorkLimit { what: "steps", limit: steps, time }
        }
    }
}
