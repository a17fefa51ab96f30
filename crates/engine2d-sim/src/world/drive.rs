//! Driving a world through time.

use super::World;
use crate::error::SimError;
use crate::instrument::{joint_error, momentum};
use crate::lcp::LcpStatistics;
use crate::observer::Notification;
use crate::report::{StepReport, Totals};
use crate::stages::Stage;

impl World {
    /// Advances by `step` (time ≥ 0), locating and resolving collisions on the way.
    ///
    /// # Errors
    /// [`SimError`] when a collision cannot be resolved, forces cannot be found or a value leaves the
    /// numbers; the world then stays at the last trial state.
    pub fn advance(&mut self, step: f64) -> Result<StepReport, SimError> {
        let mut report = StepReport::default();
        self.advance_into(step, &mut report)?;
        Ok(report)
    }

    /// As [`advance`](Self::advance), into a report whose storage is used again: once everything has been seen,
    /// nothing is allocated.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn advance_into(&mut self, step: f64, report: &mut StepReport) -> Result<(), SimError> {
        if !(step >= 0.0 && step.is_finite()) {
            let allowed = "the step must be a finite number >= 0";
            return Err(SimError::Value { path: "step".to_owned(), value: step, allowed });
        }
        report.clear();
        report.highest_energy = self.system.energy().total();
        if !self.system.ledger_fits() {
            self.open_ledger();
        }
        self.display.purge(self.system.time);
        self.system.stages.open();
        self.system.lcp.conflicts.clear();
        let before = std::mem::take(&mut self.system.lcp.statistics);
        let result = if self.system.is_located() {
            self.advance_located(step, report)
        } else {
            self.advance.advance(&mut self.system, step, report)
        };
        self.system.stages.leave(Stage::Integration);
        let during = self.system.lcp.statistics;
        self.system.lcp.statistics = LcpStatistics {
            solves: before.solves + during.solves,
            largest: before.largest.max(during.largest),
            pivots: before.pivots + during.pivots,
            worst_certificate: before.worst_certificate.max(during.worst_certificate),
            softened: before.softened + during.softened,
        };
        for event in &report.events {
            self.observers.notify(event.time(), &Notification::Event(event));
        }
        result?;
        report.time = self.system.time;
        report.evaluations = self.system.evaluations;
        report.certificate = during.worst_certificate;
        report.lcp_solves = during.solves;
        report.lcp_size_max = self.system.lcp.statistics.largest;
        report.conflicts.clone_from(&self.system.lcp.conflicts);
        report.touches.clone_from(&self.system.compliant.forces);
        report.contacts.clone_from(&self.system.contact_stage.forces);
        report.joint_error = joint_error(&mut self.system)?;
        report.penetration = self.system.instrument.deepest(&self.system.bodies).depth;
        report.energy = self.system.energy().total();
        (report.momentum, report.angular_momentum) = momentum(&self.system.data, &self.system.bodies);
        if self.system.settings.aids.display_forces {
            self.display.record(&self.system, &report.events);
        }
        self.tell_contact_count();
        Ok(())
    }

    /// The advance with located events; events of the user's act on the world in between.
    fn advance_located(&mut self, step: f64, report: &mut StepReport) -> Result<(), SimError> {
        let target = self.system.time + step;
        self.system.evaluations = 0;
        let mut counters = Totals::default();
        let mut located = std::mem::take(&mut self.located);
        let result = loop {
            match located.run_to(&mut self.system, target, report, &mut counters) {
                Ok(None) => break Ok(()),
                Ok(Some(index)) => {
                    let event = self.system.user_events[index].clone();
                    if let Err(error) = event.act(self) {
                        break Err(error);
                    }
                }
                Err(error) => break Err(error),
            }
        };
        if result.is_err() {
            located.invalidate();
        }
        self.located = located;
        report.counters = counters;
        self.advance.totals.add(&counters);
        result
    }

    /// Tells the number of contacts, at most once in the time set.
    fn tell_contact_count(&mut self) {
        let Some(interval) = self.system.settings.aids.count_contacts_every else { return };
        let now = self.system.time;
        if self.counted.is_some_and(|last| (last..last + interval).contains(&now)) {
            return;
        }
        self.counted = Some(now);
        let contacts = self.contact_forces().len() + self.compliant_forces().len();
        tracing::info!(time = now, contacts, "contacts");
        self.observers.notify(now, &Notification::ContactCount(contacts));
    }
}
