//! Rigid contact with located events.
//!
//! A pair of features is free, its gap positive, or held: then the gap stays at zero and the force presses.
//! An event is the zero of the smallest free gap (collision, taut rope, end stop), or of the margin `f − a` of a
//! held contact, which turns negative the moment its force is spent and it begins to part. Both are exact: no
//! target gap, no extra acceleration.

use crate::collision::Collision;
use crate::compliant::CompliantStage;
use crate::contact_force::GroupObserver;
use crate::error::SimError;
use crate::report::{Event, StepReport, Totals};
use crate::settings::{ContactModel, Fidelity};
use crate::stages::Stage;
use crate::system::System;
use crate::tolerance::{EVENT_GAP, HELD_GAP, RELEASE_ACCELERATION};
use engine2d_geometry::{BodyRef, CollisionBody, Contact, ContactId, find_contacts};

/// Sweeps over touching pairs at the start; bodies stacked on each other take one a layer at most.
const PARTING_ROUNDS: usize = 64;

/// The held contacts of rigid bodies and what is needed to watch the free ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct RigidEvents {
    /// Contacts held at gap zero, sorted by identity.
    pub(crate) held: Vec<Collision>,
    /// Contacts that part after a collision: they are set off by twice the held gap, so that the next approach is
    /// a sign change however short the bounce.
    pub(crate) parting: Vec<Collision>,
    /// The gap at which contacts are held (length).
    pub(crate) gap: f64,
    /// Distances of bodies with convex pieces.
    gaps: CompliantStage,
    records: Vec<Collision>,
    /// Time of the old poses.
    pub(super) step_start: f64,
    /// Margin `f − a` of each held contact at the last evaluation.
    margins: Vec<f64>,
}

impl RigidEvents {
    pub(crate) fn forget(&mut self) {
        self.held.clear();
        self.gaps.forget();
    }

    fn position(&self, id: ContactId) -> Result<usize, usize> {
        self.held.binary_search_by_key(&id, |r| r.contact.id)
    }

    fn is_held(&self, id: ContactId) -> bool {
        self.position(id).is_ok()
    }

    /// Whether some contact of the two bodies is held.
    fn holds_pair(&self, a: u32, b: u32) -> bool {
        let pair = [BodyRef::Body(a), BodyRef::Body(b)];
        self.held.iter().any(|r| {
            let id = r.contact.id;
            pair == [id.primary, id.normal_body] || pair == [id.normal_body, id.primary]
        })
    }
}

impl System {
    fn has_rigid_contacts(&self) -> bool {
        self.settings.fidelity != Fidelity::Free && self.settings.contact_model == ContactModel::Rigid
    }

    /// Number of crossing functions: the smallest free gap, and a margin for each held contact.
    pub(super) fn rigid_functions(&self) -> usize {
        1 + self.located.held.len()
    }

    /// The contacts near by and the rows of all connectors; penetration shows by the motion since the old poses,
    /// which took the time `step`.
    fn find_located(&mut self, step: f64, records: &mut Vec<Collision>) -> Result<(), SimError> {
        records.clear();
        let before = self.stages.enter(Stage::Detection);
        let result = self.find_all_located(step, records);
        self.stages.leave(before);
        result
    }

    fn find_all_located(&mut self, step: f64, records: &mut Vec<Collision>) -> Result<(), SimError> {
        if self.has_rigid_contacts() {
            let tolerance = self.settings.tolerances.distance;
            find_contacts(&self.bodies, self.time, step, tolerance, &mut self.finder, records);
        }
        if self.settings.fidelity == Fidelity::Contacts {
            for (number, state) in self.connectors.iter_mut().enumerate() {
                let row = state.geometry(number as u32, &self.bodies, self.time)?;
                records.push(Collision::from(Contact::new(&row, &self.bodies, self.time)));
            }
        }
        Ok(())
    }

    /// Adds the forces of connectors and held contacts.
    pub(super) fn rigid_rates(
        &mut self,
        rates: &mut [f64],
        observer: Option<GroupObserver<'_>>,
    ) -> Result<(), SimError> {
        let mut rows = std::mem::take(&mut self.located.records);
        let result = self.held_rates(&mut rows, rates, observer);
        self.located.records = rows;
        result
    }

    fn held_rates(
        &mut self,
        rows: &mut Vec<Collision>,
        rates: &mut [f64],
        observer: Option<GroupObserver<'_>>,
    ) -> Result<(), SimError> {
        rows.clear();
        for (number, state) in self.connectors.iter_mut().enumerate() {
            if state.connector.is_bilateral() {
                let row = state.geometry(number as u32, &self.bodies, self.time)?;
                rows.push(Collision::from(Contact::new(&row, &self.bodies, self.time)));
            }
        }
        let mut held = std::mem::take(&mut self.located.held);
        for record in &mut held {
            self.update_record(record)?;
            rows.push(*record);
        }
        self.located.held = held;
        self.apply_contact_forces(rows, rates, observer)?;
        self.located.margins.clear();
        self.located.margins.resize(self.located.held.len(), 0.0);
        for (force, acceleration) in self.contact_stage.forces.iter().zip(&self.contact_stage.accelerations) {
            if let Ok(k) = self.located.position(force.id) {
                self.located.margins[k] = force.force - acceleration + RELEASE_ACCELERATION;
            }
        }
        Ok(())
    }

    /// The crossing functions at the state just evaluated. The margin of a held contact whose features have slid
    /// off each other is −1.
    pub(super) fn rigid_values(&mut self, values: &mut Vec<f64>) -> Result<(), SimError> {
        values.push(self.smallest_free_gap()?);
        let RigidEvents { held, margins, records, .. } = &self.located;
        for (record, margin) in held.iter().zip(margins) {
            let in_sight = records.iter().any(|r| r.contact.id == record.contact.id);
            values.push(if in_sight { *margin } else { -1.0 });
        }
        Ok(())
    }

    /// Smallest gap of what is not held: by convex distance between bodies without held contact, by the records
    /// of the finder otherwise, which see no farther than the distance tolerance.
    fn smallest_free_gap(&mut self) -> Result<f64, SimError> {
        let mut records = std::mem::take(&mut self.located.records);
        let found = self.find_located(self.time - self.located.step_start, &mut records);
        let located = &self.located;
        let convex = |i: usize| !self.data[i].pieces.is_empty();
        let by_distance = |id: ContactId| match (id.primary.index(), id.normal_body.index()) {
            (Some(a), Some(b)) => convex(a) && convex(b) && !located.holds_pair(a as u32, b as u32),
            _ => false,
        };
        let mut smallest = f64::INFINITY;
        for record in &records {
            let c = &record.contact;
            if !c.bilateral && !located.is_held(c.id) && !by_distance(c.id) {
                smallest = smallest.min(c.distance);
            }
        }
        if self.has_rigid_contacts() {
            smallest =
                smallest.min(located.gaps.smallest_gap(&self.bodies, |a, b| !located.holds_pair(a, b)));
            if !located.held.is_empty() || self.data.iter().any(|d| d.pieces.is_empty()) {
                // Continuous where a record comes into sight.
                smallest = smallest.min(self.settings.tolerances.distance);
            }
        }
        self.located.records = records;
        found?;
        Ok(smallest.min(f64::MAX) - self.located.gap)
    }

    /// The contacts at the start of an integration.
    pub(super) fn begin_rigid(
        &mut self,
        report: &mut StepReport,
        totals: &mut Totals,
    ) -> Result<(), SimError> {
        self.prepare_rigid();
        self.part_touching(EVENT_GAP);
        self.collide(None, report, totals)
    }

    /// Sets up the gap at which contacts are held and the candidate pairs.
    pub(super) fn prepare_rigid(&mut self) {
        let reach = |b: &CollisionBody| b.pose.position().amax();
        self.located.gap = HELD_GAP * self.bodies.iter().map(reach).fold(1.0, f64::max);
        if self.has_rigid_contacts() {
            self.located.gaps.collect_pairs(&self.data, &self.bodies, 0.0);
        }
    }

    /// Holds the contacts of these identities, which were held before at this very state.
    pub(super) fn hold_again(&mut self, ids: &[ContactId]) -> Result<(), SimError> {
        let mut records = Vec::new();
        self.find_located(0.0, &mut records)?;
        records.retain(|r| ids.contains(&r.contact.id));
        records.sort_by_key(|r| r.contact.id);
        self.located.held = records;
        Ok(())
    }

    /// Sets bodies that were placed in touch, to within rounding, off by the gap at which contacts are held:
    /// detection knows no gaps of zero. Penetration beyond `deepest` is left. Returns the smallest distance found.
    fn part_touching(&mut self, deepest: f64) -> f64 {
        let mut worst = f64::INFINITY;
        let (gap, gaps) = (self.located.gap, std::mem::take(&mut self.located.gaps));
        let targets = (-deepest, gap);
        for _ in 0..PARTING_ROUNDS {
            let free = |[a, b]: [usize; 2]| !self.located.holds_pair(a as u32, b as u32);
            let parted = gaps.visit_near(&self.bodies, targets, free, |[a, b], distance, normal| {
                let (wa, wb) = (self.inverse_masses[a].linear, self.inverse_masses[b].linear);
                let way = (2.0 * gap - distance) / (wa + wb);
                (distance, -normal * (way * wa), normal * (way * wb))
            });
            if parted.is_empty() {
                break;
            }
            for ([a, b], (distance, first, second)) in parted {
                worst = worst.min(distance);
                for (index, shift) in [(a, first), (b, second)] {
                    self.bodies[index].translate(shift);
                }
            }
        }
        self.located.gaps = gaps;
        worst
    }

    /// Sets free contacts whose gap has shrunk to nothing off again, before a step: the smallest gap is one function
    /// of all, and one that is not positive would hide the others. Returns whether bodies were moved.
    pub(super) fn clear_free_gaps(&mut self, penetration: &mut f64) -> Result<bool, SimError> {
        if !self.has_rigid_contacts() {
            return Ok(false);
        }
        // Whatever was overlooked in the last step is mended here, and reported.
        let nearest = self.part_touching(f64::INFINITY);
        let mut moved = nearest.is_finite();
        *penetration = penetration.max(-nearest);
        self.erase_old_poses();
        let mut records = std::mem::take(&mut self.located.records);
        let found = self.find_located(0.0, &mut records);
        let located = &mut self.located;
        let limit = located.gap;
        let free = |r: &&Collision| {
            let c = &r.contact;
            !c.bilateral && c.distance <= limit && located.held.iter().all(|h| h.contact.id != c.id)
        };
        let near: Vec<Collision> = records.iter().filter(free).copied().collect();
        located.records = records;
        found?;
        if !near.is_empty() {
            self.located.parting = near;
            moved = true;
            let result = self.set_off();
            self.located.parting.clear();
            result?;
        }
        Ok(moved)
    }

    /// An event by the index of its function.
    pub(super) fn rigid_event(
        &mut self,
        index: usize,
        report: &mut StepReport,
        totals: &mut Totals,
    ) -> Result<(), SimError> {
        let released = index.checked_sub(1).map(|k| self.located.held[k].contact.id);
        // Whatever is near now, be it the neighbour of an edge that was slid off, is looked at anew.
        self.collide(released, report, totals)
    }

    /// Resolves what approaches at gap zero, and decides which contacts are held from here on; `released` is not.
    fn collide(
        &mut self,
        released: Option<ContactId>,
        report: &mut StepReport,
        totals: &mut Totals,
    ) -> Result<(), SimError> {
        let mut records = std::mem::take(&mut self.located.records);
        let result = self.collide_records(&mut records, released, report, totals);
        self.located.records = records;
        result
    }

    fn collide_records(
        &mut self,
        records: &mut Vec<Collision>,
        released: Option<ContactId>,
        report: &mut StepReport,
        totals: &mut Totals,
    ) -> Result<(), SimError> {
        self.erase_old_poses();
        self.find_located(0.0, records)?;
        let located = &self.located;
        records.retain(|r| {
            r.contact.bilateral || r.contact.distance <= EVENT_GAP || located.is_held(r.contact.id)
        });
        let rest_speed = self.settings.rest_speed;
        let mut approaching = 0;
        for record in records.iter_mut() {
            if !record.contact.bilateral
                && record.contact.velocity < 0.0
                && !located.is_held(record.contact.id)
            {
                record.must_handle = true;
                approaching += 1;
                if record.contact.velocity > -rest_speed {
                    record.elasticity = Some(0.0);
                }
            }
        }
        if approaching > 0 {
            let handling = self.handle_collisions(records)?;
            totals.impulses += handling.rounds;
            totals.collisions += approaching;
            for record in records.iter_mut() {
                self.update_record(record)?;
                if record.impulse != 0.0 {
                    report.events.push(record.event(self.time));
                }
            }
        }
        self.hold(records, released, report)?;
        let located = &mut self.located;
        located.parting.clear();
        let free = records.iter().filter(|r| !r.contact.bilateral);
        located.parting.extend(free.filter(|r| located.held.iter().all(|h| h.contact.id != r.contact.id)));
        let result = self.project_joints().and_then(|()| self.set_off());
        self.located.parting.clear();
        result
    }

    /// Sets the bodies of parting contacts off by themselves where projecting all rows at once did not.
    fn set_off(&mut self) -> Result<(), SimError> {
        let gap = self.located.gap;
        let mut parting = std::mem::take(&mut self.located.parting);
        for record in &mut parting {
            self.update_record(record)?;
            let c = record.contact;
            let weight = |b: BodyRef| b.index().map_or(0.0, |i| self.inverse_masses[i].linear);
            let weights = [weight(c.id.primary), weight(c.id.normal_body)];
            let way = (2.0 * gap - c.distance) / (weights[0] + weights[1]);
            if way.is_finite() && c.distance < 1.5 * gap {
                let shifts = [c.normal * (way * weights[0]), -c.normal * (way * weights[1])];
                for (body, shift) in [c.id.primary, c.id.normal_body].into_iter().zip(shifts) {
                    if let Some(i) = body.index() {
                        self.bodies[i].translate(shift);
                    }
                }
            }
        }
        self.located.parting = parting;
        Ok(())
    }

    /// Holds the contacts that neither part nor are about to, and reports begin and end.
    fn hold(
        &mut self,
        records: &[Collision],
        released: Option<ContactId>,
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        if self.settings.fidelity != Fidelity::Contacts {
            return Ok(());
        }
        let rest_speed = self.settings.rest_speed;
        let before: Vec<ContactId> = self.located.held.iter().map(|r| r.contact.id).collect();
        self.located.held.clear();
        let resting = |r: &&Collision| {
            let c = &r.contact;
            !c.bilateral && c.velocity <= rest_speed && Some(c.id) != released
        };
        self.located.held.extend(records.iter().filter(resting));
        self.located.held.sort_by_key(|r| r.contact.id);
        self.located.held.dedup_by_key(|r| r.contact.id);
        self.release_spent()?;
        let time = self.time;
        for &contact in before.iter().filter(|id| !self.located.is_held(**id)) {
            report.events.push(Event::ContactEnd { time, contact });
        }
        for record in self.located.held.iter().filter(|r| !before.contains(&r.contact.id)) {
            let c = &record.contact;
            report.events.push(Event::ContactBegin { time, contact: c.id, point: c.point });
            if record.impulse != 0.0 {
                let (bodies, velocity) = ([c.id.primary, c.id.normal_body], record.velocity_before);
                report.events.push(Event::Sustained { time, bodies, velocity });
            }
        }
        Ok(())
    }

    /// Lets go of held contacts that part under the forces of this moment.
    fn release_spent(&mut self) -> Result<(), SimError> {
        let (mut y, mut rates) = (Vec::new(), Vec::new());
        while !self.located.held.is_empty() {
            self.read_state(&mut y);
            self.evaluate(&y, 0.0, &mut rates, &mut Vec::new())?;
            let held = self.located.held.len();
            let RigidEvents { held: list, margins, .. } = &mut self.located;
            let mut k = 0;
            list.retain(|_| {
                k += 1;
                margins[k - 1] > 0.0
            });
            if self.located.held.len() == held {
                break;
            }
        }
        Ok(())
    }
}
