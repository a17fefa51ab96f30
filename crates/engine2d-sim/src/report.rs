//! What an advance reports.

use crate::contact_force::ContactForce;
use engine2d_geometry::{BodyRef, ContactId};
use engine2d_math::Vec2;
use serde::{Deserialize, Serialize};
use std::fmt;

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

/// Something that happened at an instant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// An impulse was applied.
    Collision {
        /// Simulated time.
        time: f64,
        /// Bodies and features.
        contact: ContactId,
        /// Where (world).
        point: Vec2,
        /// Direction of the impulse on the primary body.
        normal: Vec2,
        /// Size of the impulse.
        impulse: f64,
        /// Normal velocity before (negative: approaching).
        velocity_before: f64,
        /// Normal velocity after.
        velocity_after: f64,
    },
    /// A resting contact appeared.
    ContactBegin {
        /// Simulated time.
        time: f64,
        /// Bodies and features.
        contact: ContactId,
        /// Where (world).
        point: Vec2,
    },
    /// A resting contact ended.
    ContactEnd {
        /// Simulated time.
        time: f64,
        /// Bodies and features.
        contact: ContactId,
    },
}

impl Event {
    /// Simulated time of the event.
    #[must_use]
    pub fn time(&self) -> f64 {
        match self {
            Self::Collision { time, .. }
            | Self::ContactBegin { time, .. }
            | Self::ContactEnd { time, .. } => *time,
        }
    }

    /// Bodies and features concerned.
    #[must_use]
    pub fn contact(&self) -> ContactId {
        match self {
            Self::Collision { contact, .. }
            | Self::ContactBegin { contact, .. }
            | Self::ContactEnd { contact, .. } => *contact,
        }
    }

    /// The two bodies concerned.
    #[must_use]
    pub fn bodies(&self) -> [BodyRef; 2] {
        let id = self.contact();
        [id.primary, id.normal_body]
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Collision { time, contact, impulse, velocity_before, .. } => {
                write!(
                    f,
                    "{time:.6} s  collision      {contact}, impulse {impulse:.6} at {velocity_before:.6}"
                )
            }
            Self::ContactBegin { time, contact, .. } => write!(f, "{time:.6} s  contact begin  {contact}"),
            Self::ContactEnd { time, contact, .. } => write!(f, "{time:.6} s  contact end    {contact}"),
        }
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
    /// Work done in this advance.
    pub counters: Totals,
    /// Largest certificate of any answer of the complementarity solver in this advance.
    pub certificate: f64,
    /// Complementarity problems solved in this advance.
    pub lcp_solves: u64,
    /// Rows of the largest of them, over the world's life.
    pub lcp_size_max: usize,
    /// Deepest penetration at the end of an accepted step: `max(0, −smallest gap)` (length).
    pub penetration: f64,
    /// Largest gap of a bilateral connector at the end (length).
    pub joint_error: f64,
    /// Total energy at the end of each accepted sub-step never exceeded this.
    pub highest_energy: f64,
}

impl StepReport {
    /// Events in order of time.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }
}
