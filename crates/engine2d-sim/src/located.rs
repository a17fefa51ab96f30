//! The advance with located events: an adaptive integration that runs on by itself, events at the zeros of
//! functions along its dense output, results at the times asked for.
//!
//! The integrator's steps do not depend on where results are wanted: a state in between is read off the
//! interpolant, and the integration goes on from where it was. Between events closed contacts are held at their gap;
//! every other pair of bodies that could meet in a step is watched by its signed gap.

mod compliant;
mod graze;
mod opening;
mod user;
mod watch;

pub(crate) use opening::joint_place;
pub use user::UserEvent;

use crate::adaptive::{AdaptiveError, AdaptiveSettings, Crossing, CrossingLocator, DormandPrince};
use crate::after_move::MoveCause;
use crate::compliant::ContactLaw;
use crate::error::SimError;
use crate::report::{StepReport, Totals};
use crate::road::{Haste, HeldSet, project, report_forces, settle};
use crate::settings::{ContactModel, EventLocator, Fidelity, OdeMethod};
use crate::system::{PER_BODY, System, check_limit};
use engine2d_geometry::ContactHandler;
use engine2d_math::sampled_curve::CurvePosition;
use graze::Graze;
use opening::Opening;
use std::cell::RefCell;
use watch::{Functions, Watch};

/// Longest step of the integrator (time): functions of the user's are looked at several times in it.
const LONGEST_STEP: f64 = 1.0;

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
    state: Vec<f64>,
    rates: Vec<f64>,
    /// What the integration remembers while a state in between is shown.
    held: HeldSet,
    places: Vec<[Option<CurvePosition>; 2]>,
}

/// An event that has been located and waits until the time it happens is shown.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Pending {
    /// A compliant contact begins or ends.
    Compliant(f64),
    /// Bodies meet, a closed row opens or slides off its features, a motor reaches its speed.
    Rigid(f64),
    /// A function of the user's crosses zero.
    User(Crossing),
    /// A joint breaks.
    Break(f64, u32),
}

impl Pending {
    fn time(self) -> f64 {
        match self {
            Self::Compliant(time) | Self::Rigid(time) | Self::Break(time, _) => time,
            Self::User(hit) => hit.time,
        }
    }
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

impl System {
    /// Whether events are located by zero crossings: chosen, or by default where nothing asks for backtracking.
    pub(crate) fn is_located(&self) -> bool {
        self.settings.is_located()
            && !(self.ignores_edges && self.settings.event_locator == EventLocator::Automatic)
    }

    /// Accelerations of contacts and constraints while events are located, into rates that begin with the time's.
    pub(crate) fn located_rates(&mut self, rates: &mut [f64]) -> Result<(), SimError> {
        if matches!(self.settings.contact_model, ContactModel::Compliant(_)) {
            let before = self.ledger.as_ref().map(|_| self.power(&rates[1..]));
            self.compliant_rates(&mut rates[1..]);
            if let Some(before) = before {
                let slot = rates.len() - 2;
                rates[slot] = self.power(&rates[1..]) - before;
            }
        }
        crate::road::accelerations(self, &mut rates[1..])
    }

    /// Forgets all contacts of located events.
    pub(crate) fn forget_located(&mut self) {
        self.compliant.forget();
        self.road.forget();
        self.haste.clear();
    }
}

impl Located {
    /// Makes the next advance start anew from the state of the system.
    pub(crate) fn invalidate(&mut self) {
        self.running = false;
        self.pending = None;
    }

    /// What a snapshot keeps.
    pub(crate) fn save(&self, system: &System) -> LocatedState {
        LocatedState {
            integrator: self.integrator.clone(),
            pending: self.pending,
            running: self.running,
            touches: system.compliant.save(),
            held: system.road.held.clone(),
            haste: system.haste.clone(),
            lengths: system.road.lengths(),
        }
    }

    /// Goes on from a snapshot; the system is already at its state.
    pub(crate) fn load(&mut self, state: &LocatedState, system: &mut System) -> Result<(), SimError> {
        self.integrator = state.integrator.clone();
        self.pending = state.pending;
        self.running = state.running;
        system.forget_located();
        if let (ContactModel::Compliant(compliant), Some(touches)) =
            (&system.settings.contact_model, &state.touches)
        {
            system.compliant.prepare(&system.data, &system.bodies, compliant)?;
            system.compliant.load(touches.clone());
        }
        system.road.held.clone_from(&state.held);
        system.road.set_lengths(state.lengths);
        system.haste.clone_from(&state.haste);
        Ok(())
    }

    /// Advances to time `target`, or to an event of the user's, whose index is returned.
    pub(crate) fn run_to(
        &mut self,
        system: &mut System,
        target: f64,
        report: &mut StepReport,
        totals: &mut Totals,
    ) -> Result<Option<usize>, SimError> {
        let settings = tolerances(system)?;
        if !self.running {
            begin(system, report, totals)?;
            self.start(system);
        }
        loop {
            if let Some(event) = self.pending {
                if event.time() > target {
                    break;
                }
                tracing::debug!(?event, "event located");
                self.pending = None;
                self.running = false;
                system.write_state(self.integrator.state());
                if let Pending::User(hit) = event {
                    report.events.push(system.user_events[hit.index].event(hit));
                    return Ok(Some(hit.index));
                }
                happen(system, event, report, totals)?;
                system.moved(MoveCause::Handling);
                system.read_state(&mut self.state);
                self.integrator.resume(system.time, &self.state);
                self.running = true;
            } else if self.integrator.time() < target {
                self.step(system, settings, totals)?;
                report.highest_energy = report.highest_energy.max(system.energy().total());
            } else {
                break;
            }
        }
        self.show(system, target)?;
        Ok(None)
    }

    /// (Re)starts the integration at the state of the system.
    fn start(&mut self, system: &System) {
        system.read_state(&mut self.state);
        self.integrator.start(system.time, &self.state);
        self.running = true;
    }

    /// One step of the integrator, up to an event if there is one in it. The system stands at its end.
    fn step(
        &mut self,
        system: &mut System,
        settings: AdaptiveSettings,
        totals: &mut Totals,
    ) -> Result<(), SimError> {
        totals.steps += 1;
        check_limit("steps", totals.steps, system.settings.limits.steps, system.time)?;
        system.write_state(self.integrator.state());
        system.erase_old_poses();
        let longest = self.watch.longest_step(system).min(LONGEST_STEP);
        self.integrator.configure(AdaptiveSettings { max_step: longest, ..settings });
        let Self { integrator, locator, watch, graze, rates: scratch, .. } = self;
        // Rates and crossing functions take turns with the system.
        let shared = RefCell::new((&mut *system, scratch));
        let failure: RefCell<Option<SimError>> = RefCell::new(None);
        let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), SimError> {
            if let Some(error) = failure.borrow_mut().take() {
                return Err(error);
            }
            let (system, scratch) = &mut *shared.borrow_mut();
            system.evaluate(y, 0.0, scratch, &mut Vec::new())?;
            dy.copy_from_slice(scratch);
            Ok(())
        };
        integrator.step(&mut rates, f64::INFINITY).map_err(flatten)?;
        loop {
            let samples = watch.prepare(shared.borrow_mut().0, integrator)?;
            if let Some(samples) = samples {
                watch.direct(locator, shared.borrow().0.road.pairs.offsets());
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
            self.pending = self.open(system)?;
        }
        system.write_state(self.integrator.state());
        system.moved(MoveCause::Step);
        if self.pending.is_none() && system.booked(true, project)? {
            system.read_state(&mut self.state);
            self.integrator.adjust(self.integrator.time(), &self.state);
        }
        Ok(())
    }

    /// Whether a closed row opens within the last step, or a joint breaks: then the step ends there.
    fn open(&mut self, system: &mut System) -> Result<Option<Pending>, SimError> {
        let Some(opening) = Opening::at_end(system) else { return Ok(None) };
        let time = opening.locate(system, &self.integrator, &mut self.state, &mut self.rates)?;
        let scratch = &mut self.rates;
        let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), SimError> {
            system.evaluate(y, 0.0, scratch, &mut Vec::new())?;
            dy.copy_from_slice(scratch);
            Ok(())
        };
        if time < self.integrator.time() {
            let step = time - self.integrator.last_time();
            self.integrator.redo(&mut rates, step).map_err(flatten)?;
        }
        Ok(Some(opening.event(self.integrator.time())))
    }

    /// Moves the system to `target` within the last step, for those who look; the integration stays where it is.
    fn show(&mut self, system: &mut System, target: f64) -> Result<(), SimError> {
        system.erase_old_poses();
        self.integrator.interpolate(target, &mut self.state);
        self.state[0] = target;
        system.write_state(&self.state);
        // Forces of this moment, without a trace in what comes after.
        self.held.clone_from(&system.road.held);
        self.places.clear();
        self.places.extend(system.connectors.iter().map(|c| [c.position, c.old_position]));
        if target != self.integrator.time() {
            project(system)?;
        }
        system.read_state(&mut self.state);
        system.evaluate(&self.state, 0.0, &mut self.rates, &mut Vec::new())?;
        show_forces(system);
        system.road.held.clone_from(&self.held);
        for (connector, [now, old]) in system.connectors.iter_mut().zip(&self.places) {
            (connector.position, connector.old_position) = (*now, *old);
        }
        Ok(())
    }
}

/// The start of an integration: contacts as they are, collisions at this very moment resolved.
fn begin(system: &mut System, report: &mut StepReport, totals: &mut Totals) -> Result<(), SimError> {
    system.erase_old_poses();
    system.road.measure(&system.bodies);
    if let ContactModel::Compliant(compliant) = &system.settings.contact_model {
        if !system.compliant.is_prepared() {
            system.compliant.prepare(&system.data, &system.bodies, compliant)?;
        }
        system.touch_event(report)?;
    }
    if system.settings.fidelity == Fidelity::Contacts {
        system.booked(true, project)?;
    }
    settle(system, true, report, totals)
}

/// Accelerations of all bodies at the present state, `[a_x, a_y, α]` each, with what touches as it would settle; the
/// state stays as it is.
pub(crate) fn accelerations_now(system: &mut System) -> Result<Vec<[f64; 3]>, SimError> {
    let (mut before, mut y, mut rates) = (Vec::new(), Vec::new(), Vec::new());
    system.read_state(&mut before);
    let (held, haste) = (system.road.held.clone(), system.haste.clone());
    let began = begin(system, &mut StepReport::default(), &mut Totals::default());
    system.read_state(&mut y);
    let evaluated = began.and_then(|()| system.evaluate(&y, 0.0, &mut rates, &mut Vec::new()));
    show_forces(system);
    system.write_state(&before);
    (system.road.held, system.haste) = (held, haste);
    evaluated?;
    Ok(rates[1..1 + PER_BODY * system.bodies.len()]
        .chunks_exact(PER_BODY)
        .map(|r| [r[1], r[3], r[5]])
        .collect())
}

/// Puts the forces of the last evaluation where reports find them.
fn show_forces(system: &mut System) {
    let mut forces = std::mem::take(&mut system.contact_stage.forces);
    report_forces(system, &mut forces);
    let largest = forces.iter().fold(0.0, |most: f64, f| most.max(f.force.abs()));
    system.contact_stage.forces = forces;
    let stage = &mut system.contact_stage;
    stage.max_force = stage.max_force.max(largest);
    stage.recent_forces.rotate_right(1);
    stage.recent_forces[0] = largest;
}

/// What an event does.
fn happen(
    system: &mut System,
    event: Pending,
    report: &mut StepReport,
    totals: &mut Totals,
) -> Result<(), SimError> {
    match event {
        Pending::Compliant(_) => return system.touch_event(report),
        Pending::Break(_, joint) => opening::break_joint(system, joint, report),
        Pending::Rigid(_) | Pending::User(_) => {}
    }
    settle(system, false, report, totals)
}

/// The tolerances of the adaptive method, which located events need.
fn tolerances(system: &System) -> Result<AdaptiveSettings, SimError> {
    match system.settings.method {
        OdeMethod::DormandPrince { relative_tolerance, absolute_tolerance } => {
            Ok(AdaptiveSettings { relative_tolerance, absolute_tolerance, ..AdaptiveSettings::default() })
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
