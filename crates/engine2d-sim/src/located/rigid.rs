//! Rigid contact with located events.
//!
//! A pair of features is free, its gap positive, or held: then the gap stays at zero and the force presses.
//! An event is the zero of a free gap (two bodies meet, a rope goes taut, an end stop is reached), or of the margin
//! `f − a` of a held contact, which turns negative the moment its force is spent and it begins to part. Both are
//! exact: no target gap, no extra acceleration.

use super::candidates::Candidates;
use super::chatter::Chatter;
use super::sight::features_face;
use crate::collision::Collision;
use crate::contact_force::GroupObserver;
use crate::error::SimError;
use crate::report::{Event, StepReport, Totals};
use crate::settings::{ContactModel, Fidelity};
use crate::stages::Stage;
use crate::system::System;
use crate::tolerance::{EVENT_GAP, HELD_GAP, RELEASE_ACCELERATION};
use engine2d_geometry::{BodyRef, CollisionBody, Contact, ContactId, PairId};

/// The held contacts of rigid bodies and what is needed to watch the free ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct RigidEvents {
    /// Contacts held at gap zero, sorted by identity.
    pub(crate) held: Vec<Collision>,
    /// Contacts that part after a collision: they are set off by at least twice the held gap, so that the next
    /// approach is a sign change however short the bounce.
    pub(crate) parting: Vec<Collision>,
    /// Pairs of pieces that are set off likewise.
    pub(crate) near: Vec<PairId>,
    /// The gap at which contacts are held (length).
    pub(crate) gap: f64,
    /// Number of unilateral connectors.
    ties: usize,
    /// The pairs of bodies that may meet in this step.
    pub(super) candidates: Candidates,
    /// Contacts that began lately.
    pub(super) chatter: Chatter,
    pub(super) records: Vec<Collision>,
    /// Time of the old poses.
    pub(super) step_start: f64,
    /// Margin `f − a` of each held contact at the last evaluation.
    margins: Vec<f64>,
}

impl RigidEvents {
    pub(crate) fn forget(&mut self) {
        self.held.clear();
        self.candidates.forget();
        self.chatter = Chatter::default();
    }

    fn position(&self, id: ContactId) -> Result<usize, usize> {
        self.held.binary_search_by_key(&id, |r| r.contact.id)
    }

    pub(super) fn is_held(&self, id: ContactId) -> bool {
        self.position(id).is_ok()
    }
}

impl System {
    pub(super) fn has_rigid_contacts(&self) -> bool {
        self.settings.fidelity != Fidelity::Free && self.settings.contact_model == ContactModel::Rigid
    }

    /// Number of crossing functions that stay between events: a margin for each held contact, and the gap of each
    /// unilateral connector.
    pub(super) fn rigid_functions(&self) -> usize {
        self.located.held.len() + self.located.ties
    }

    /// Number of crossing functions of this step: the gap of each pair of bodies that may meet.
    pub(super) fn candidate_functions(&self) -> usize {
        self.located.candidates.len()
    }

    /// The contacts near by and the rows of all connectors; penetration shows by the motion since the old poses,
    /// which took the time `step`.
    pub(super) fn find_located(&mut self, step: f64, records: &mut Vec<Collision>) -> Result<(), SimError> {
        records.clear();
        let before = self.stages.enter(Stage::Detection);
        let result = self.find_all_located(step, records);
        self.stages.leave(before);
        result
    }

    fn find_all_located(&mut self, step: f64, records: &mut Vec<Collision>) -> Result<(), SimError> {
        if self.has_rigid_contacts() {
            self.find_between_bodies(step, records);
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
        self.update_held()?;
        rows.extend_from_slice(&self.located.held);
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

    /// The margins of held contacts and gaps of unilateral connectors at the state just evaluated. The margin of a
    /// held contact whose features have slid off each other is −1.
    pub(super) fn rigid_values(&mut self, values: &mut Vec<f64>) -> Result<(), SimError> {
        let mut records = std::mem::take(&mut self.located.records);
        let found = self.find_located(self.time - self.located.step_start, &mut records);
        self.located.records = records;
        found?;
        let RigidEvents { held, margins, records, .. } = &self.located;
        for (record, margin) in held.iter().zip(margins) {
            let in_sight = records.iter().any(|r| r.contact.id == record.contact.id)
                || record.contact.distance < self.located.gap && features_face(record, &self.bodies);
            let kept = self.located.chatter.keeps(record.contact.id, self.time);
            values.push(match (in_sight, kept) {
                (false, _) => -1.0,
                (true, true) => 1.0,
                (true, false) => *margin,
            });
        }
        for record in records.iter().filter(|r| r.is_connector() && !r.contact.bilateral) {
            let held = self.located.is_held(record.contact.id);
            values.push(if held { 1.0 } else { record.contact.distance - self.located.gap });
        }
        Ok(())
    }

    /// The gap of each pair of bodies that may meet in this step: by the distance of the pieces that
    /// no held contact is at, or without such by the records of the finder, which see no farther than the distance
    /// tolerance.
    pub(super) fn candidate_values(&mut self, values: &mut Vec<f64>) {
        let located = &self.located;
        let start = values.len();
        let farthest = self.settings.tolerances.distance;
        for k in 0..located.candidates.len() {
            let gap = located.candidates.gap(k, &self.bodies);
            values.push(gap.unwrap_or(farthest).min(f64::MAX) - located.gap);
        }
        let values = &mut values[start..];
        for record in located.records.iter().filter(|r| !r.is_connector()) {
            let c = &record.contact;
            let (BodyRef::Body(a), BodyRef::Body(b)) = (c.id.primary, c.id.normal_body) else { continue };
            let candidate = located.candidates.find(a, b).filter(|&k| located.candidates.has_no_pieces(k));
            if let Some(k) = candidate
                && !located.is_held(c.id)
            {
                values[k] = values[k].min(c.distance - located.gap);
            }
        }
    }

    /// The contacts at the start of an integration.
    pub(super) fn begin_rigid(
        &mut self,
        report: &mut StepReport,
        totals: &mut Totals,
    ) -> Result<(), SimError> {
        self.prepare_rigid()?;
        self.part_touching(EVENT_GAP)?;
        self.collide(None, report, totals)
    }

    /// Finds the pairs of bodies that may meet while none goes farther than `way`.
    pub(super) fn collect_candidates(&mut self, way: f64) -> Result<(), SimError> {
        if self.has_rigid_contacts() {
            self.update_held()?;
            let RigidEvents { candidates, held, .. } = &mut self.located;
            candidates.collect(&self.data, &self.bodies, held, way);
        }
        Ok(())
    }

    /// Brings the records of held contacts up to date with the bodies.
    fn update_held(&mut self) -> Result<(), SimError> {
        let mut held = std::mem::take(&mut self.located.held);
        let result = held.iter_mut().try_for_each(|record| self.update_record(record));
        self.located.held = held;
        result
    }

    /// Sets up the gap at which contacts are held and the candidate pairs.
    pub(super) fn prepare_rigid(&mut self) -> Result<(), SimError> {
        let reach = |b: &CollisionBody| b.pose.position().amax();
        self.located.gap = HELD_GAP * self.bodies.iter().map(reach).fold(1.0, f64::max);
        let contacts = self.settings.fidelity == Fidelity::Contacts;
        let ties = self.connectors.iter().filter(|c| !c.connector.is_bilateral());
        self.located.ties = if contacts { ties.count() } else { 0 };
        self.collect_candidates(0.0)
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

    /// An event by the index of its function.
    pub(super) fn rigid_event(
        &mut self,
        index: usize,
        report: &mut StepReport,
        totals: &mut Totals,
    ) -> Result<(), SimError> {
        let released = self.located.held.get(index).map(|held| held.contact.id);
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
        // Detection sees no penetration without a motion.
        self.collect_candidates(0.0)?;
        self.part_touching(f64::INFINITY)?;
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
        let result = self.project_joints();
        self.located.parting.clear();
        result
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
        let located = &mut self.located;
        for record in located.held.iter().filter(|r| !before.contains(&r.contact.id)) {
            let c = &record.contact;
            located.chatter.begin(c.id, time);
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
            let time = self.time;
            let RigidEvents { held: list, margins, chatter, .. } = &mut self.located;
            let mut k = 0;
            list.retain(|record| {
                k += 1;
                margins[k - 1] > 0.0 || chatter.keeps(record.contact.id, time)
            });
            if self.located.held.len() == held {
                break;
            }
        }
        Ok(())
    }
}
