//! The advance with located events: an adaptive integration that runs on by itself, events at the zeros of
//! functions along its dense output, results at the times asked for.
//!
//! The integrator's steps do not depend on where results are wanted: a state in between is read off the
//! interpolant, and the integration goes on from where it was.

mod candidates;
mod chatter;
mod compliant;
mod parting;
mod rigid;
mod sight;
mod user;

use chatter::Chatter;
pub(crate) use rigid::RigidEvents;
pub use user::UserEvent;

use crate::adaptive::{AdaptiveError, AdaptiveSettings, Crossing, CrossingLocator, Direction, DormandPrince};
use crate::after_move::MoveCause;
use crate::compliant::ContactLaw;
use crate::error::SimError;
use crate::report::{StepReport, Totals};
use crate::settings::{ContactModel, EventLocator, Fidelity, OdeMethod};
use crate::system::{PER_BODY, System, check_limit};
use crate::tolerance::TRAVEL;
use engine2d_geometry::{ContactHandler, ContactId};
use std::cell::RefCell;

/// An integration with events in progress.
#[derive(Clone, Debug, Default)]
pub(crate) struct Located {
    integrator: DormandPrince,
    locator: CrossingLocator,
    /// The event at which the integration stands, not yet dealt with.
    pending: Option<Crossing>,
    running: bool,
    state: Vec<f64>,
    rates: Vec<f64>,
}

/// The part of an integration with events that a snapshot keeps.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct LocatedState {
    integrator: DormandPrince,
    pending: Option<Crossing>,
    running: bool,
    touches: Option<(ContactHandler, Vec<ContactLaw>)>,
    held: Vec<ContactId>,
    chatter: Chatter,
}

impl System {
    /// Whether events are located by zero crossings.
    pub(crate) fn is_located(&self) -> bool {
        self.settings.event_locator == EventLocator::ZeroCrossing
            || matches!(self.settings.contact_model, ContactModel::Compliant(_))
    }

    /// Accelerations of contacts and connectors while events are located, into rates that begin with the time's.
    pub(crate) fn located_rates(
        &mut self,
        rates: &mut [f64],
        observer: Option<crate::contact_force::GroupObserver<'_>>,
    ) -> Result<(), SimError> {
        if matches!(self.settings.contact_model, ContactModel::Compliant(_)) {
            let before = self.ledger.as_ref().map(|_| self.power(&rates[1..]));
            self.compliant_rates(&mut rates[1..]);
            if let Some(before) = before {
                let slot = rates.len() - 2;
                rates[slot] = self.power(&rates[1..]) - before;
            }
        }
        self.rigid_rates(&mut rates[1..], observer)
    }

    /// Forgets all contacts of located events.
    pub(crate) fn forget_located(&mut self) {
        self.compliant.forget();
        self.located.forget();
    }

    /// Longest step in which no body can go through another unseen, by the velocities and accelerations now: each
    /// goes a fraction of the thinnest one between two looks.
    fn longest_step(&self, rates: &[f64]) -> f64 {
        if self.settings.fidelity == Fidelity::Free || self.bodies.len() < 2 {
            return f64::INFINITY;
        }
        let (mut fastest, mut strongest) = (0.0_f64, 0.0_f64);
        let rates = rates.get(1..).unwrap_or_default();
        for (index, body) in self.bodies.iter().enumerate() {
            if !body.fixed {
                let reach = body.shape.centroid_radius();
                fastest = fastest.max(body.velocity.norm() + body.angular_velocity.abs() * reach);
                if let Some(r) = rates.get(PER_BODY * index..PER_BODY * (index + 1)) {
                    strongest = strongest.max(r[1].hypot(r[3]) + r[5].abs() * reach);
                }
            }
        }
        // v t + a t²/2 = way.
        let way = 0.5 * TRAVEL * self.thinnest();
        let time = 2.0 * way / (fastest + (fastest * fastest + 2.0 * strongest * way).sqrt());
        f64::from(crate::adaptive::SAMPLES_PER_STEP) * time
    }
}

impl System {
    /// Least width or height of any body.
    fn thinnest(&self) -> f64 {
        let sides = self.bodies.iter().map(|body| {
            let bounds = body.shape.bounds();
            bounds.width().min(bounds.height())
        });
        sides.fold(f64::INFINITY, f64::min)
    }

    /// What no body exceeds in a step as long as [`longest_step`](Self::longest_step) allows: twice the way between
    /// two looks times their number, for accelerations grow within a step.
    fn farthest_way(&self) -> f64 {
        TRAVEL * self.thinnest() * f64::from(crate::adaptive::SAMPLES_PER_STEP)
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
            held: system.located.held.iter().map(|r| r.contact.id).collect(),
            chatter: system.located.chatter.clone(),
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
        if state.running {
            system.prepare_rigid()?;
            system.hold_again(&state.held)?;
            system.located.chatter.clone_from(&state.chatter);
            self.direct(system);
        }
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
            system.begin_located(report, totals)?;
            self.start(system);
        }
        loop {
            if let Some(hit) = self.pending {
                if hit.time > target {
                    break;
                }
                tracing::debug!(time = hit.time, function = hit.index, rising = hit.rising, "event located");
                self.pending = None;
                self.running = false;
                system.write_state(self.integrator.state());
                let models = system.model_functions();
                let user = hit.index.checked_sub(models);
                if let Some(index) = user.filter(|&index| index < system.user_events.len()) {
                    report.events.push(system.user_events[index].event(hit));
                    return Ok(Some(index));
                }
                system.handle_located(hit.index, report, totals)?;
                system.moved(MoveCause::Handling);
                self.start(system);
            } else if self.integrator.time() < target {
                self.step(system, settings, &mut report.penetration, totals)?;
                // Looking for events leaves the system where it was last looked at.
                system.write_state(self.integrator.state());
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
        self.direct(system);
        self.running = true;
    }

    /// Tells the locator which sign changes count.
    fn direct(&mut self, system: &System) {
        let models = system.model_directions();
        let users = system.user_events.iter().map(|_| Direction::Any);
        let candidates = std::iter::repeat_n(Direction::Falling, system.candidate_functions());
        self.locator.set_directions(models.chain(users).chain(candidates));
    }

    /// One step of the integrator, up to an event if there is one in it.
    fn step(
        &mut self,
        system: &mut System,
        settings: AdaptiveSettings,
        penetration: &mut f64,
        totals: &mut Totals,
    ) -> Result<(), SimError> {
        totals.steps += 1;
        if system.settings.aids.detect_only {
            let problem =
                "collisions are reported without acting on them only where events are found by backtracking";
            return Err(SimError::Unsupported { path: "settings.aids.detect_only".to_owned(), problem });
        }
        check_limit("steps", totals.steps, system.settings.limits.steps, system.time)?;
        system.write_state(self.integrator.state());
        let settings = AdaptiveSettings { max_step: system.longest_step(&self.rates), ..settings };
        system.collect_candidates(system.farthest_way())?;
        if system.clear_free_gaps(penetration)? {
            system.read_state(&mut self.state);
            self.integrator.adjust(self.integrator.time(), &self.state);
        }
        system.save_old_poses();
        system.located.step_start = system.time;
        self.integrator.configure(settings);
        self.direct(system);
        let Self { integrator, locator, rates: scratch, .. } = self;
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
        let mut crossing = |_: f64, y: &[f64], values: &mut Vec<f64>| {
            let (system, scratch) = &mut *shared.borrow_mut();
            if let Err(error) = system.crossing_values(y, scratch, values) {
                failure.borrow_mut().get_or_insert(error);
            }
        };
        let hit = locator.step(integrator, &mut rates, &mut crossing, f64::INFINITY).map_err(flatten)?;
        if let Some(error) = failure.into_inner() {
            return Err(error);
        }
        if integrator.state().iter().any(|v| !v.is_finite()) {
            let what = "the state after a step".to_owned();
            return Err(SimError::NotFinite { what, time: integrator.last_time() });
        }
        self.pending = hit;
        if system.after_move.0.is_some() {
            system.write_state(self.integrator.state());
            system.moved(MoveCause::Step);
        }
        if hit.is_none() && system.has_rows_to_hold() {
            system.write_state(self.integrator.state());
            system.project_joints()?;
            system.read_state(&mut self.state);
            self.integrator.adjust(self.integrator.time(), &self.state);
        }
        Ok(())
    }

    /// Moves the system to `target` within the last step, for those who look; the integration stays where it is.
    fn show(&mut self, system: &mut System, target: f64) -> Result<(), SimError> {
        system.erase_old_poses();
        self.integrator.interpolate(target, &mut self.state);
        self.state[0] = target;
        system.write_state(&self.state);
        if target != self.integrator.time() {
            system.project_joints()?;
        }
        // Forces of this moment, without a trace in what comes after.
        let known = system.lcp.known_sets();
        system.read_state(&mut self.state);
        system.evaluate(&self.state, 0.0, &mut self.rates, &mut Vec::new())?;
        system.lcp.set_known(&known);
        Ok(())
    }
}

impl System {
    /// Number of functions by which the contact model announces its events.
    fn model_functions(&self) -> usize {
        self.model_directions().count()
    }

    fn model_directions(&self) -> impl Iterator<Item = Direction> + use<> {
        let compliant = matches!(self.settings.contact_model, ContactModel::Compliant(_));
        let touches = if compliant { &[Direction::Rising, Direction::Falling][..] } else { &[] };
        let rigid = self.rigid_functions();
        touches.iter().copied().chain(std::iter::repeat_n(Direction::Falling, rigid))
    }

    /// The values of all crossing functions at a state.
    fn crossing_values(
        &mut self,
        y: &[f64],
        rates: &mut Vec<f64>,
        values: &mut Vec<f64>,
    ) -> Result<(), SimError> {
        values.clear();
        self.evaluate(y, 0.0, rates, &mut Vec::new())?;
        if matches!(self.settings.contact_model, ContactModel::Compliant(_)) {
            let z = self.compliant.crossing_functions(&self.bodies);
            // Functions of empty sets never cross.
            values.extend([z.z1.unwrap_or(-1.0), z.z2.unwrap_or(1.0)]);
        }
        self.rigid_values(values)?;
        let bodies = crate::force::BodySet { context: self.force_context() };
        values.extend(self.user_events.iter().map(|event| event.value(&bodies)));
        self.candidate_values(values);
        if let Some(bad) = values.iter().position(|v| v.is_nan()) {
            return Err(SimError::NotFinite { what: format!("crossing function {bad}"), time: self.time });
        }
        Ok(())
    }

    /// The start of an integration: contacts as they are, collisions at this very moment resolved.
    fn begin_located(&mut self, report: &mut StepReport, totals: &mut Totals) -> Result<(), SimError> {
        self.erase_old_poses();
        if let ContactModel::Compliant(compliant) = &self.settings.contact_model {
            if !self.compliant.is_prepared() {
                self.compliant.prepare(&self.data, &self.bodies, compliant)?;
            }
            self.touch_event(report)?;
        }
        self.begin_rigid(report, totals)
    }

    /// An event of the contact model by the index of its function.
    fn handle_located(
        &mut self,
        index: usize,
        report: &mut StepReport,
        totals: &mut Totals,
    ) -> Result<(), SimError> {
        if matches!(self.settings.contact_model, ContactModel::Compliant(_)) {
            return match index.checked_sub(2) {
                None => self.touch_event(report),
                Some(index) => self.rigid_event(index, report, totals),
            };
        }
        self.rigid_event(index, report, totals)
    }
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
