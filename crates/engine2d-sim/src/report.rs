//! What an advance reports.

mod event;

pub use event::Event;

use crate::compliant::CompliantForce;
use crate::contact_force::ContactForce;
use crate::lcp::Conflict;
use engine2d_math::Vec2;
use serde::{Deserialize, Serialize};

/// Counts of work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Collisions resolved: for each handling, the records that approached and were located.
    pub collisions: u64,
    /// Simultaneous impulse problems solved.
    pub impulses: u64,
    /// Handlings reached by bisection, for want of a usable estimate.
    pub searches: u64,
    /// Integrator steps attempted.
    pub steps: u64,
    /// Returns to the state before a step.
    pub backups: u64,
}

impl Totals {
    /// Adds the counts of another period.
    pub(crate) fn add(&mut self, more: &Self) {
        self.collisions += more.collisions;
        self.impulses += more.impulses;
        self.searches += more.searches;
        self.steps += more.steps;
        self.backups += more.backups;
    }
}

/// What happened during one advance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// Simulated time at the end.
    pub time: f64,
    /// Events in order of time.
    pub events: Vec<Event>,
    /// Contact and joint forces of the last evaluation.
    pub contacts: Vec<ContactForce>,
    /// Compliant contacts of the last evaluation.
    pub touches: Vec<CompliantForce>,
    /// Work done in this advance.
    pub counters: Totals,
    /// Evaluations of the equations of motion in this advance.
    pub evaluations: u64,
    /// Largest certificate of any answer of the complementarity solver in this advance.
    pub certificate: f64,
    /// Complementarity problems solved in this advance.
    pub lcp_solves: u64,
    /// Rows of the largest of them, over the world's life.
    pub lcp_size_max: usize,
    /// Problems without solution that were answered by their softened form, the worst of each set of bodies.
    pub conflicts: Vec<Conflict>,
    /// Depth of the deepest overlap of two bodies at the end (length), by the exact signed distance of their outlines on
    /// the reported state; 0 if nothing overlaps.
    pub penetration: f64,
    /// Largest deviation of a bilateral connector or a rigid joint from its position at the end (length or radians).
    pub joint_error: f64,
    /// Total energy at the end.
    pub energy: f64,
    /// Momentum of the movable bodies at the end.
    pub momentum: Vec2,
    /// Their angular momentum about the origin at the end.
    pub angular_momentum: f64,
    /// Energy that bodies got by being put back on joints and contacts in steps of fixed length, which themselves add none: with
    /// it the books of a world under conservative forces close.
    #[serde(default, skip_serializing_if = "crate::contact_force::is_zero")]
    pub corrections: f64,
    /// Total energy at the end of each accepted sub-step never exceeded this.
    pub highest_energy: f64,
    /// Name of the event of the user's at which the advance ended early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<String>,
}

impl StepReport {
    /// Empties the report, keeping its storage.
    pub(crate) fn clear(&mut self) {
        let Self { events, contacts, touches, .. } = self;
        events.clear();
        contacts.clear();
        touches.clear();
        let (events, contacts) = (std::mem::take(events), std::mem::take(contacts));
        let touches = std::mem::take(touches);
        *self = Self { events, contacts, touches, ..Self::default() };
    }

    /// Events in order of time.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }
}
