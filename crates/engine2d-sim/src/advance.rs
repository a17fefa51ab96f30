//! The advance: integrator steps, a search for the time of each collision, and its handling.
//!
//! A step that ends in penetration is taken back; the estimated collision time, refined by what the step
//! showed, aims the next step at the target gap, where the collision is handled. When no estimate can be
//! had, the step is halved until the collision is located.

use crate::after_move::MoveCause;
use crate::collision::{Collision, Statistics, sort_by_estimate};
use crate::error::SimError;
use crate::ode::OdeWorkspace;
use crate::report::{Event, StepReport, Totals};
use crate::settings::Fidelity;
use crate::system::{Outcome, System, check_limit};
use crate::tolerance::{MIN_ADVANCE, PROGRESS_STEP, SEARCH_COUNT, STUCK_COUNT};
use engine2d_geometry::{BodyRef, Bounds, ContactId};
use engine2d_math::Vec2;

/// The strategy's memory between advances and its scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Advance {
    ode: OdeWorkspace,
    records: Vec<Collision>,
    removed: Vec<Collision>,
    saved: Vec<f64>,
    /// Resting contacts at the end of the last accepted step, sorted.
    resting: Vec<(ContactId, Vec2)>,
    resting_now: Vec<(ContactId, Vec2)>,
    /// Pairs of bodies whose collision was reported and not acted on.
    reported: Vec<[BodyRef; 2]>,
    pub(crate) totals: Totals,
}

/// What one call remembers from iteration to iteration.
struct Progress {
    requested: f64,
    advanced: f64,
    step: f64,
    searching: bool,
    search_steps: u32,
    next_estimate: Option<f64>,
    stuck: u32,
    statistics: Statistics,
    handled: bool,
    counters: Totals,
}

impl Advance {
    /// Advances `system` by `requested`, filling `report`.
    pub(crate) fn advance(
        &mut self,
        system: &mut System,
        requested: f64,
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        if requested < MIN_ADVANCE {
            return Ok(());
        }
        system.part_placed()?;
        system.current_step = requested;
        system.evaluations = 0;
        let mut p = Progress {
            requested,
            advanced: 0.0,
            step: requested,
            searching: false,
            search_steps: 0,
            next_estimate: None,
            stuck: 0,
            statistics: Statistics::default(),
            handled: false,
            counters: Totals::default(),
        };
        while p.advanced < requested - MIN_ADVANCE {
            self.take_step(system, &mut p)?;
            if system.settings.aids.detect_only {
                self.only_report(system, &mut report.events);
                p.statistics = Statistics::of(&self.records);
            }
            let backed_up = self.records.iter().any(|r| r.must_handle);
            if backed_up {
                self.back_up(system, &mut p)?;
            }
            self.handle(system, &mut p, backed_up, report)?;
            if !backed_up {
                system.project_joints()?;
                self.accept(system, &mut p, report);
            }
            p.choose_next_step(system.time, backed_up);
        }
        if system.settings.joint_small_impacts
            && !p.handled
            && p.statistics.joints > 0
            && !self.records.is_empty()
        {
            self.records.retain(|r| r.contact.is_touching());
            let handling = system.handle_collisions(&mut self.records)?;
            self.totals.impulses += handling.rounds;
            p.counters.impulses += handling.rounds;
        }
        self.totals.collisions += p.counters.collisions;
        self.totals.steps += p.counters.steps;
        self.totals.backups += p.counters.backups;
        report.counters = p.counters;
        Ok(())
    }

    /// One integrator step and the records at its end, in order of estimated time.
    fn take_step(&mut self, system: &mut System, p: &mut Progress) -> Result<(), SimError> {
        self.records.clear();
        system.read_state(&mut self.saved);
        system.save_old_poses();
        let outcome = self.ode.step(system, system.settings.method, p.step, &mut self.records)?;
        p.counters.steps += 1;
        check_limit("steps", p.counters.steps, system.settings.limits.steps, system.time)?;
        if outcome == Outcome::Done && system.settings.fidelity != Fidelity::Free {
            system.find_collisions(p.step, &mut self.records)?;
        }
        sort_by_estimate(&mut self.records);
        for record in &mut self.records {
            record.must_handle = record.contact.is_colliding();
        }
        p.statistics = Statistics::of(&self.records);
        system.moved(MoveCause::Step);
        Ok(())
    }

    /// Reports the collisions that have begun, each pair of bodies once as long as their boxes overlap, and drops
    /// all records but those of connectors.
    fn only_report(&mut self, system: &System, events: &mut Vec<Event>) {
        let bounds = |body: BodyRef| {
            let body = &system.bodies[body.index()?];
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
                events.push(record.event(system.time));
                self.reported.push(pair);
            }
        }
        self.records.retain(Collision::is_connector);
    }

    /// Back to the state before the step, with the colliding records brought up to date and the static
    /// ones found anew.
    fn back_up(&mut self, system: &mut System, p: &mut Progress) -> Result<(), SimError> {
        system.write_state(&self.saved);
        system.erase_old_poses();
        system.moved(MoveCause::BackUp);
        p.counters.backups += 1;
        tracing::trace!(time = system.time, step = p.step, attempt = p.stuck, "step taken back");
        check_limit("backups", p.counters.backups, system.settings.limits.backups, system.time)?;
        self.records.retain(|r| r.contact.is_colliding());
        for record in &mut self.records {
            system.update_record(record)?;
        }
        system.find_collisions(p.step, &mut self.records)?;
        if system.settings.aids.detect_only {
            self.records.retain(Collision::is_connector);
        }
        p.statistics = Statistics::of(&self.records);
        p.stuck += 1;
        if p.stuck >= SEARCH_COUNT {
            p.searching = true;
        }
        if p.stuck >= STUCK_COUNT {
            return Err(self.stuck_error(system.time, p.stuck));
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
        system: &mut System,
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
        let handling = system.handle_collisions(&mut self.records)?;
        system.moved(MoveCause::Handling);
        tracing::debug!(
            time = system.time,
            collisions = count,
            rounds = handling.rounds,
            "collisions resolved"
        );
        self.totals.impulses += handling.rounds;
        p.counters.impulses += handling.rounds;
        if handling.effective {
            for record in &mut self.records {
                system.update_record(record)?;
                if record.impulse != 0.0 {
                    report.events.push(record.event(system.time));
                }
            }
            if p.searching {
                self.totals.searches += 1;
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
    fn accept(&mut self, system: &System, p: &mut Progress, report: &mut StepReport) {
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
        self.resting_now.sort_by_key(|(id, _)| *id);
        compare_contacts(&self.resting, &self.resting_now, system.time, &mut report.events);
        std::mem::swap(&mut self.resting, &mut self.resting_now);
        report.highest_energy = report.highest_energy.max(system.energy().total());
    }

    /// Forgets everything about the past, totals included.
    pub(crate) fn reset(&mut self) {
        self.totals = Totals::default();
        self.forget_contacts();
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

impl Progress {
    fn choose_next_step(&mut self, now: f64, backed_up: bool) {
        self.next_estimate = self.statistics.estimate;
        if !self.searching {
            let overdue = self.next_estimate.is_some_and(|t| t < now);
            let blind = self.statistics.needs_handling > 0 && self.next_estimate.is_none();
            self.searching = overdue || blind;
        }
        let rest = self.requested - self.advanced;
        let step = if self.searching {
            self.next_estimate = None;
            if backed_up {
                self.search_steps = 0;
                self.step / 2.0
            } else {
                self.step
            }
        } else {
            self.next_estimate.map_or(rest, |t| t - now)
        };
        self.step = step.min(rest);
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
        events.push(Event::ContactEnd { time, contact: *contact });
    }
    for (contact, point) in now.iter().filter(|(id, _)| !holds(before, id)) {
        events.push(Event::ContactBegin { time, contact: *contact, point: *point });
    }
}
