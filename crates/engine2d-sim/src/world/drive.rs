//! Driving a world through time.

use super::{Consequence, World};
use crate::energy::{energy, ledger_fits};
use crate::error::SimError;
use crate::instrument::{joint_error, momentum};
use crate::lcp::LcpStatistics;
use crate::parallel;
use crate::report::StepReport;
use crate::settings::ClockKind;
use crate::spans;
use crate::time_stepping::EqualSteps;
use crate::work::check_limit;

/// Fewest bodies whose overlap is measured while others look what is near: of fewer it takes no longer than to begin it.
const MANY: usize = 2048;

impl World {
    /// Advances by `step` (time ≥ 0), locating and resolving collisions on the way. It ends early only at an event of the
    /// user's that [stops](crate::UserEvent::stopping), in fixed steps at the end of its step.
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
    pub(crate) fn advance_into(&mut self, step: f64, report: &mut StepReport) -> Result<(), SimError> {
        let span = spans::step(self.state.time, step, self.state.bodies.len());
        let result = span.in_scope(|| self.advance_within(step, report));
        if !span.is_disabled() {
            span.record("contacts", report.contacts.len() as u64);
            span.record("events", report.events.len() as u64);
            span.record("evaluations", self.work.evaluations);
            span.record("solves", report.lcp_solves);
            span.record("certificate", report.certificate);
            spans::ended(&span, &result);
        }
        result
    }

    fn advance_within(&mut self, step: f64, report: &mut StepReport) -> Result<(), SimError> {
        if !(step >= 0.0 && step.is_finite()) {
            let allowed = "the step must be a finite number >= 0";
            return Err(SimError::Value { path: "step".to_owned(), value: step, allowed });
        }
        let time = self.state.time;
        if step > 0.0 && time + step <= time {
            return Err(SimError::StepLost { time, step });
        }
        self.settle_departures();
        self.standing = None;
        report.clear();
        self.tell_presence(&mut report.events);
        report.highest_energy = energy(&self.model, &self.state).total();
        if !ledger_fits(&self.model, &self.state) {
            self.open_ledger();
        }
        self.work.stages.open();
        self.work.lcp.conflicts.clear();
        let before = std::mem::take(&mut self.work.lcp.statistics);
        let Self { model, state, work, .. } = self;
        let result = match model.clock() {
            ClockKind::Located => self.advance_located(step, report),
            ClockKind::Backtracking => self.backtracking.advance((model, state, work), step, report),
            ClockKind::TimeStepping => self.advance_in_fixed_steps(step, report),
        };
        self.totals.add(&report.counters);
        self.work.stages.close();
        let during = self.work.lcp.statistics;
        self.work.lcp.statistics = LcpStatistics {
            solves: before.solves + during.solves,
            largest: before.largest.max(during.largest),
            pivots: before.pivots + during.pivots,
            worst_certificate: before.worst_certificate.max(during.worst_certificate),
            softened: before.softened + during.softened,
        };
        self.end_passing_forces();
        self.note_presence(&report.events);
        let measured = self.instrument.take_measured();
        result?;
        report.time = self.state.time;
        report.evaluations = self.work.evaluations;
        report.certificate = during.worst_certificate;
        report.lcp_solves = during.solves;
        report.lcp_size_max = self.work.lcp.statistics.largest;
        report.conflicts.clone_from(&self.work.lcp.conflicts);
        report.touches.clone_from(&self.state.compliant.forces);
        report.contacts.clone_from(&self.work.forces.last);
        report.joint_error = joint_error(&self.model, &self.state, &mut self.instrument)?;
        let deepest = measured.unwrap_or_else(|| self.instrument.deepest(&self.state.bodies));
        report.penetration = deepest.depth;
        report.energy = energy(&self.model, &self.state).total();
        (report.momentum, report.angular_momentum) = momentum(&self.model.data, &self.state.bodies);
        Ok(())
    }

    /// The advance with located events; events of the user's act on the world in between.
    fn advance_located(&mut self, step: f64, report: &mut StepReport) -> Result<(), SimError> {
        let target = self.state.time + step;
        self.work.evaluations = 0;
        let result = loop {
            let mut located = std::mem::take(&mut self.located);
            let Self { model, state, work, .. } = self;
            let moved = located.run_to((model, state, work), target, report);
            // What is done at an event finds the motion as it is: it goes on if nothing is changed.
            self.located = located;
            match moved {
                Ok(None) => break Ok(()),
                Ok(Some(index)) => {
                    let consequence = (self.model.watched[index].name.clone(), self.actions[index].clone());
                    match self.follow(consequence, report) {
                        Ok(false) => {}
                        Ok(true) => break Ok(()),
                        Err(error) => break Err(error),
                    }
                }
                Err(error) => break Err(error),
            }
        };
        if result.is_err() {
            self.located.invalidate();
        }
        result
    }

    /// The advance in equal steps no longer than the time step; what events of the user's do comes after the step in which they
    /// fall.
    fn advance_in_fixed_steps(&mut self, requested: f64, report: &mut StepReport) -> Result<(), SimError> {
        self.work.evaluations = 0;
        let steps = EqualSteps::new(self.state.time, requested, self.model.settings.time_step);
        check_limit("steps", steps.count, self.model.settings.limits.steps, self.state.time)?;
        for (k, end) in (1..).zip(steps.ends()) {
            let Self { model, state, work, time_stepping, instrument, .. } = self;
            // Of the state at the end alone there is a report.
            let beside = parallel::is_wide() && k == steps.count && state.bodies.len() >= MANY;
            let length = (end, steps.length);
            time_stepping.step((model, state, work), length, beside.then_some(instrument), report)?;
            let crossed = time_stepping.crossed().iter();
            // What is done there may change the list.
            let follows: Vec<_> =
                crossed.map(|&k| (self.model.watched[k].name.clone(), self.actions[k].clone())).collect();
            let mut stops = false;
            for consequence in follows {
                stops |= self.follow(consequence, report)?;
            }
            if stops {
                break;
            }
        }
        Ok(())
    }

    /// Does what follows at an event of a name; returns whether the advance ends there.
    fn follow(
        &mut self,
        (name, Consequence { action, stops }): (String, Consequence),
        report: &mut StepReport,
    ) -> Result<bool, SimError> {
        if let Some(action) = action {
            // It may change what was measured.
            self.instrument.take_measured();
            (action.0)(self)?;
        }
        if stops && report.stopped_by.is_none() {
            report.stopped_by = Some(name);
        }
        Ok(stops)
    }
}
