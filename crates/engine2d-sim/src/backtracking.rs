//! The advance: integrator steps, a search for the time of each collision, and its handling.
//!
//! A step that ends in penetration is taken back; the estimated collision time, refined by what the step
//! showed, aims the next step at the target gap, where the collision is handled. When no estimate can be
//! had, the step is halved until the collision is located.

mod collision;
mod contact_force;
mod corner;
mod detect;
mod evaluate;
mod impulse;
mod ode;
mod placed;
mod progress;

pub(crate) use collision::Collision;
pub use contact_force::GroupView;

use crate::after_move::MoveCause;
use crate::energy::energy;
use crate::error::SimError;
use crate::model::Model;
use crate::report::{Event, StepReport};
use crate::road::Road;
use crate::settings::Fidelity;
use crate::state::State;
use crate::tolerance::{MIN_ADVANCE, PROGRESS_STEP, SEARCH_COUNT, STUCK_COUNT};
use crate::work::{Work, check_limit};
use collision::{Statistics, sort_by_estimate};
use contact_force::GroupObserver;
use detect::{find_collisions, update_record};
use engine2d_geometry::{BodyRef, Bounds, Contact, ContactId};
use engine2d_math::Vec2;
use engine2d_math::order::Order;
use evaluate::{Evaluation, Outcome};
use impulse::{Handling, ImpulseStage};
use ode::{Moving, OdeWorkspace};
use placed::{part, project_joints};
use progress::Progress;

/// The strategy's memory between advances and its scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backtracking {
    ode: OdeWorkspace,
    evaluation: Evaluation,
    impulses: ImpulseStage,
    road: Road,
    records: Vec<Collision>,
    removed: Vec<Collision>,
    saved: Vec<f64>,
    /// Resting contacts at the end of the last accepted step, sorted.
    resting: Vec<(ContactId, Vec2)>,
    resting_now: Vec<(ContactId, Vec2)>,
    /// Pairs of bodies whose collision was reported and not acted on.
    reported: Vec<[BodyRef; 2]>,
}

impl Backtracking {
    /// With the step that is taken unless an advance asks for another.
    pub(crate) fn new(step: f64) -> Self {
        let mut new = Self::default();
        new.set_step_length(step);
        new
    }

    /// Advances by `requested`, filling `report`.
    pub(crate) fn advance(
        &mut self,
        (model, state, work): (&Model, &mut State, &mut Work),
        requested: f64,
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        if requested < MIN_ADVANCE {
            return Ok(());
        }
        part(model, state, &mut self.road)?;
        self.evaluation.current_step = requested;
        work.evaluations = 0;
        let mut p = Progress::of(requested);
        while p.advanced < requested - MIN_ADVANCE {
            self.take_step(model, state, work, &mut p)?;
            if model.settings.aids.detect_only {
                self.only_report(state, &mut report.events);
                p.statistics = Statistics::of(&self.records);
            }
            let backed_up = self.records.iter().any(|r| r.must_handle);
            if backed_up {
                self.back_up(model, state, work, &mut p)?;
            }
            self.handle((model, state, work), &mut p, backed_up, report)?;
            if !backed_up {
                project_joints(model, state, &mut self.road, work)?;
                self.accept(model, state, &mut p, report);
            }
            p.choose_next_step(state.time, backed_up);
        }
        if model.settings.joint_small_impacts
            && !p.handled
            && p.statistics.joints > 0
            && !self.records.is_empty()
        {
            self.records.retain(|r| r.contact.is_touching());
            let handling = self.impulses.handle(model, state, work, &mut self.records)?;
            p.counters.impulses += handling.rounds;
        }
        report.counters = p.counters;
        Ok(())
    }

    /// One integrator step and the records at its end, in order of estimated time.
    fn take_step(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        p: &mut Progress,
    ) -> Result<(), SimError> {
        self.records.clear();
        state.read(&mut self.saved);
        state.save_old_poses();
        let mut bodies =
            Moving { model, state: &mut *state, evaluation: &mut self.evaluation, work: &mut *work };
        let outcome = self.ode.step(&mut bodies, model.settings.method, p.step, &mut self.records)?;
        p.counters.steps += 1;
        check_limit("steps", p.counters.steps, model.settings.limits.steps, state.time)?;
        if outcome == Outcome::Done && model.settings.fidelity != Fidelity::Free {
            self.find(model, state, work, p.step)?;
        }
        sort_by_estimate(&mut self.records);
        for record in &mut self.records {
            record.must_handle = record.contact.is_colliding();
        }
        p.statistics = Statistics::of(&self.records);
        work.moved(model, state, MoveCause::Step);
        Ok(())
    }

    /// Reports the collisions that have begun, each pair of bodies once as long as their boxes overlap, and drops
    /// all records but those of connectors.
    fn only_report(&mut self, state: &State, events: &mut Vec<Event>) {
        let bounds = |body: BodyRef| {
            let body = &state.bodies[body.index()?];
            let Bounds { min, max } = body.shape.bounds();
            let corners = [min, max, Vec2::new(min.x, max.y), Vec2::new(max.x, min.y)];
            Some(Bounds::of_points(corners.map(|corner| body.to_world(corner))))
        };
        self.reported.retain(|[a, b]| match (bounds(*a), bounds(*b)) {
            (Some(a), Some(b)) => a.overlaps(&b),
            _ => true,
        });
        for record in self.records.iter().filter(|r| r.must_handle && !r.is_connector()) {
            let id = record.contact.id;
            let pair = [id.primary.min(id.normal_body), id.primary.max(id.normal_body)];
            if !self.reported.contains(&pair) {
                events.push(record.event(state.time));
                self.reported.push(pair);
            }
        }
        self.records.retain(Collision::is_connector);
    }

    /// Appends what touches or crosses to the records.
    fn find(&mut self, model: &Model, state: &mut State, work: &mut Work, step: f64) -> Result<(), SimError> {
        let finder = &mut self.evaluation.finder;
        find_collisions(model, state, finder, &mut work.stages, step, &mut self.records)
    }

    /// The contacts, collisions and connector rows at the present state, in the order of detection.
    pub(crate) fn contacts_now(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
    ) -> Result<Vec<Contact>, SimError> {
        let mut records = Vec::new();
        find_collisions(model, state, &mut self.evaluation.finder, &mut work.stages, 0.0, &mut records)?;
        Ok(records.into_iter().map(|r| r.contact).collect())
    }

    /// Accelerations of all bodies at the present state, `offset` after the last complete one; each group of contacts is
    /// shown to `observer`.
    pub(crate) fn accelerations_now(
        &mut self,
        (model, state, work): (&Model, &mut State, &mut Work),
        offset: f64,
        observer: GroupObserver<'_>,
    ) -> Result<Vec<[f64; 3]>, SimError> {
        let (mut y, mut rates, mut records) = (Vec::new(), Vec::new(), Vec::new());
        part(model, state, &mut self.road)?;
        state.read(&mut y);
        let outcome = self.evaluation.rates(
            model,
            state,
            work,
            (&y, offset),
            &mut rates,
            &mut records,
            Some(observer),
        )?;
        if outcome == Outcome::Collided {
            return Err(SimError::Unsupported {
                path: "state".to_owned(),
                problem: "bodies penetrate: contact forces are defined only for separated bodies",
            });
        }
        Ok(rates[1..].chunks_exact(6).map(|r| [r[1], r[3], r[5]]).collect())
    }

    /// Resolves collisions that were not found but given.
    pub(crate) fn resolve(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        records: &mut [Collision],
    ) -> Result<Handling, SimError> {
        self.impulses.handle(model, state, work, records)
    }

    /// Length of the last advance, the default `h` of the extra acceleration.
    pub(crate) fn step_length(&self) -> f64 {
        self.evaluation.current_step
    }

    /// Takes that length from a snapshot.
    pub(crate) fn set_step_length(&mut self, step: f64) {
        self.evaluation.current_step = step;
    }

    /// Back to the state before the step, with the colliding records brought up to date and the static
    /// ones found anew.
    fn back_up(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        p: &mut Progress,
    ) -> Result<(), SimError> {
        state.write(&self.saved);
        state.erase_old_poses();
        work.moved(model, state, MoveCause::BackUp);
        p.counters.backups += 1;
        crate::spans::tell!(trace, time = state.time, step = p.step, attempt = p.stuck, "step taken back");
        check_limit("backups", p.counters.backups, model.settings.limits.backups, state.time)?;
        self.records.retain(|r| r.contact.is_colliding());
        for record in &mut self.records {
            update_record(model, state, record)?;
        }
        self.find(model, state, work, p.step)?;
        if model.settings.aids.detect_only {
            self.records.retain(Collision::is_connector);
        }
        p.statistics = Statistics::of(&self.records);
        p.stuck += 1;
        if p.stuck >= SEARCH_COUNT {
            p.searching = true;
        }
        if p.stuck >= STUCK_COUNT {
            return Err(self.stuck_error(state.time, p.stuck));
        }
        Ok(())
    }

    fn stuck_error(&self, time: f64, attempts: u32) -> SimError {
        let worst = self
            .records
            .iter()
            .filter(|r| r.must_handle)
            .min_by(|a, b| a.contact.distance.total_cmp(&b.contact.distance))
            .or_else(|| self.records.first());
        match worst {
            Some(r) => SimError::Stuck {
                time,
                contact: r.contact.id,
                distance: r.contact.distance,
                velocity: r.contact.velocity,
                attempts,
            },
            None => SimError::NotFinite { what: "the search for a collision".to_owned(), time },
        }
    }

    /// Resolves the collisions that are located, if any.
    fn handle(
        &mut self,
        (model, state, work): (&Model, &mut State, &mut Work),
        p: &mut Progress,
        backed_up: bool,
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        let located = |r: &Collision| r.is_imminent() && r.contact.is_close_enough(backed_up);
        let count = self.records.iter().filter(|r| located(r)).count();
        if count == 0 {
            return Ok(());
        }
        self.removed.clear();
        let removed = &mut self.removed;
        self.records.retain(|r| {
            let touching = r.contact.is_touching();
            if !touching {
                removed.push(*r);
            }
            touching
        });
        let handling = self.impulses.handle(model, state, work, &mut self.records)?;
        work.moved(model, state, MoveCause::Handling);
        crate::spans::tell!(
            debug,
            time = state.time,
            collisions = count,
            rounds = handling.rounds,
            "collisions resolved"
        );
        p.counters.impulses += handling.rounds;
        if handling.effective {
            for record in &mut self.records {
                update_record(model, state, record)?;
                if record.impulse != 0.0 {
                    report.events.push(record.event(state.time));
                }
            }
            if p.searching {
                p.counters.searches += 1;
            }
            p.counters.collisions += count as u64;
            p.searching = false;
            p.search_steps = 0;
            p.handled = true;
        } else {
            p.searching = true;
        }
        p.next_estimate = None;
        p.statistics = Statistics::of(&self.removed);
        Ok(())
    }

    /// The step stands: progress, contact begin and end, measurements.
    fn accept(&mut self, model: &Model, state: &State, p: &mut Progress, report: &mut StepReport) {
        if p.step > PROGRESS_STEP {
            p.stuck = 0;
        }
        p.advanced += p.step;
        if p.searching {
            p.search_steps += 1;
            if p.search_steps >= 2 {
                p.searching = false;
                p.search_steps = 0;
            }
        } else if p.next_estimate.is_some() {
            p.searching = true;
        }
        self.resting_now.clear();
        for record in &self.records {
            let c = &record.contact;
            if c.is_contact() && !record.is_connector() {
                self.resting_now.push((c.id, c.point));
            }
        }
        self.resting_now.order_by_key(|(id, _)| *id);
        compare_contacts(&self.resting, &self.resting_now, state.time, &mut report.events);
        std::mem::swap(&mut self.resting, &mut self.resting_now);
        report.highest_energy = report.highest_energy.max(energy(model, state).total());
    }

    /// Forgets which contacts were resting.
    pub(crate) fn forget_contacts(&mut self) {
        self.resting.clear();
        self.reported.clear();
        self.records.clear();
    }

    /// The contacts that were resting at the end of the last accepted step.
    pub(crate) fn resting(&self) -> &[(ContactId, Vec2)] {
        &self.resting
    }

    /// Replaces what is remembered of resting contacts.
    pub(crate) fn set_resting(&mut self, resting: &[(ContactId, Vec2)]) {
        self.forget_contacts();
        self.resting.extend_from_slice(resting);
    }
}

/// Reports the differences of two sorted lists of resting contacts.
fn compare_contacts(
    before: &[(ContactId, Vec2)],
    now: &[(ContactId, Vec2)],
    time: f64,
    events: &mut Vec<Event>,
) {
    let holds =
        |list: &[(ContactId, Vec2)], id: &ContactId| list.binary_search_by_key(id, |(i, _)| *i).is_ok();
    for (contact, _) in before.iter().filter(|(id, _)| !holds(now, id)) {
        events.push(Event::ContactEnd { time, contact: *contact, point: None });
    }
    for (contact, point) in now.iter().filter(|(id, _)| !holds(before, id)) {
        events.push(Event::ContactBegin { time, contact: *contact, point: *point });
    }
}
