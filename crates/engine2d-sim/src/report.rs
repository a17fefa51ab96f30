//! What an advance reports.

use crate::compliant::CompliantForce;
use crate::contact_force::ContactForce;
use crate::lcp::Conflict;
use crate::world::identity::BodyId;
use engine2d_geometry::{BodyRef, ContactId, PairId};
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
    /// Two compliant surfaces came into contact.
    TouchBegin {
        /// Simulated time.
        time: f64,
        /// The two bodies by index.
        bodies: [u32; 2],
        /// The pair of pieces.
        pair: PairId,
        /// Where (world).
        point: Vec2,
        /// Normal velocity (negative: approaching).
        velocity: f64,
    },
    /// Two compliant surfaces parted.
    TouchEnd {
        /// Simulated time.
        time: f64,
        /// The two bodies by index.
        bodies: [u32; 2],
        /// The pair of pieces.
        pair: PairId,
    },
    /// A pair met so gently that its bounces ended: from here on the contact lasts.
    Sustained {
        /// Simulated time.
        time: f64,
        /// The two bodies.
        bodies: [BodyRef; 2],
        /// Normal velocity at which they met.
        velocity: f64,
    },
    /// A series of ever shorter bounces is over: `∞` of them end in a finite time. The last ones, too small to be seen, are
    /// not followed one by one; they would have gone on from `since` to this moment.
    Accumulation {
        /// Simulated time at which the series ends: that of the last bounce followed, `t`, plus `2 e v / (a (1 − e))` with
        /// the speed `v` at which the bodies met there and the acceleration `a` that brings them together.
        time: f64,
        /// Bodies and features.
        contact: ContactId,
        /// Simulated time of the last bounce followed; the bodies rest against each other since then.
        since: f64,
        /// Energy that the bounces not followed would have taken: `½ (e v)² / A` with the Delassus entry `A` of the contact.
        energy: f64,
    },
    /// The surfaces of a contact begin to stick to each other, or touch so.
    Stick {
        /// Simulated time.
        time: f64,
        /// Bodies and features.
        contact: ContactId,
    },
    /// The surfaces of a contact begin to slide, or touch so.
    Slide {
        /// Simulated time.
        time: f64,
        /// Bodies and features.
        contact: ContactId,
        /// Whether the primary body slides along the normal turned a quarter to the left.
        forward: bool,
    },
    /// A sliding contact pressed itself harder than it holds, and stopped at once: an impact without collision.
    Jam {
        /// Simulated time.
        time: f64,
        /// Bodies and features.
        contact: ContactId,
        /// Where (world).
        point: Vec2,
        /// Size of the normal impulse.
        impulse: f64,
    },
    /// A joint broke: its force or torque exceeded its strength, and it no longer acts.
    Broken {
        /// Simulated time.
        time: f64,
        /// Place of the joint in the world.
        joint: u32,
        /// Its name.
        name: String,
        /// Force on its first body at that moment (world).
        force: Vec2,
        /// Torque about its point.
        torque: f64,
    },
    /// A body came into a sensor.
    SensorBegin {
        /// Simulated time.
        time: f64,
        /// The sensor.
        sensor: BodyId,
        /// The body that came, or was there from the beginning.
        body: BodyId,
    },
    /// A body left a sensor.
    SensorEnd {
        /// Simulated time.
        time: f64,
        /// The sensor.
        sensor: BodyId,
        /// The body that left.
        body: BodyId,
    },
    /// A function of the user's crossed zero.
    User {
        /// Simulated time.
        time: f64,
        /// Name of the event.
        name: String,
        /// Whether the function rises.
        rising: bool,
    },
}

impl Event {
    /// Simulated time of the event.
    #[must_use]
    pub fn time(&self) -> f64 {
        match self {
            Self::Collision { time, .. }
            | Self::ContactBegin { time, .. }
            | Self::ContactEnd { time, .. }
            | Self::TouchBegin { time, .. }
            | Self::TouchEnd { time, .. }
            | Self::Sustained { time, .. }
            | Self::Accumulation { time, .. }
            | Self::Stick { time, .. }
            | Self::Jam { time, .. }
            | Self::Slide { time, .. }
            | Self::Broken { time, .. }
            | Self::SensorBegin { time, .. }
            | Self::SensorEnd { time, .. }
            | Self::User { time, .. } => *time,
        }
    }

    /// Short name of the kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Collision { .. } => "collision",
            Self::ContactBegin { .. } => "contact_begin",
            Self::ContactEnd { .. } => "contact_end",
            Self::TouchBegin { .. } => "touch_begin",
            Self::TouchEnd { .. } => "touch_end",
            Self::Sustained { .. } => "sustained",
            Self::Accumulation { .. } => "accumulation",
            Self::Stick { .. } => "stick",
            Self::Jam { .. } => "jam",
            Self::Slide { .. } => "slide",
            Self::Broken { .. } => "broken",
            Self::SensorBegin { .. } => "sensor_begin",
            Self::SensorEnd { .. } => "sensor_end",
            Self::User { .. } => "user",
        }
    }

    /// Bodies and features of a rigid contact concerned.
    #[must_use]
    pub fn contact(&self) -> Option<ContactId> {
        match self {
            Self::Collision { contact, .. }
            | Self::ContactBegin { contact, .. }
            | Self::ContactEnd { contact, .. }
            | Self::Accumulation { contact, .. }
            | Self::Stick { contact, .. }
            | Self::Jam { contact, .. }
            | Self::Slide { contact, .. } => Some(*contact),
            _ => None,
        }
    }

    /// The two bodies concerned; `None` for an event of the user's.
    #[must_use]
    pub fn bodies(&self) -> Option<[BodyRef; 2]> {
        match self {
            Self::Collision { contact, .. }
            | Self::ContactBegin { contact, .. }
            | Self::ContactEnd { contact, .. }
            | Self::Accumulation { contact, .. }
            | Self::Stick { contact, .. }
            | Self::Jam { contact, .. }
            | Self::Slide { contact, .. } => Some([contact.primary, contact.normal_body]),
            Self::TouchBegin { bodies, .. } | Self::TouchEnd { bodies, .. } => {
                Some(bodies.map(BodyRef::Body))
            }
            Self::Sustained { bodies, .. } => Some(*bodies),
            Self::SensorBegin { sensor, body, .. } | Self::SensorEnd { sensor, body, .. } => {
                Some([BodyRef::from(*sensor), BodyRef::from(*body)])
            }
            Self::Broken { .. } | Self::User { .. } => None,
        }
    }

    /// Whether a body is concerned, given by its identity or reference.
    #[must_use]
    pub fn involves(&self, body: impl Into<BodyRef>) -> bool {
        let body = body.into();
        self.bodies().is_some_and(|bodies| bodies.contains(&body))
    }

    /// Where it happened (world), of those that have a place.
    #[must_use]
    pub fn point(&self) -> Option<Vec2> {
        match self {
            Self::Collision { point, .. }
            | Self::ContactBegin { point, .. }
            | Self::TouchBegin { point, .. }
            | Self::Jam { point, .. } => Some(*point),
            _ => None,
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time();
        match self {
            Self::Collision { contact, impulse, velocity_before, .. } => {
                write!(
                    f,
                    "{time:.6} s  collision      {contact}, impulse {impulse:.6} at {velocity_before:.6}"
                )
            }
            Self::ContactBegin { contact, .. } => write!(f, "{time:.6} s  contact begin  {contact}"),
            Self::ContactEnd { contact, .. } => write!(f, "{time:.6} s  contact end    {contact}"),
            Self::Accumulation { contact, energy, .. } => {
                write!(f, "{time:.6} s  accumulation   {contact}, energy {energy:.3e}")
            }
            Self::Stick { contact, .. } => write!(f, "{time:.6} s  stick          {contact}"),
            Self::Jam { contact, impulse, .. } => {
                write!(f, "{time:.6} s  jam            {contact}, impulse {impulse:.6}")
            }
            Self::Slide { contact, .. } => write!(f, "{time:.6} s  slide          {contact}"),
            Self::TouchBegin { bodies: [a, b], velocity, .. } => {
                write!(f, "{time:.6} s  touch begin    body {a} and body {b} at {velocity:.6}")
            }
            Self::TouchEnd { bodies: [a, b], .. } => {
                write!(f, "{time:.6} s  touch end      body {a} and body {b}")
            }
            Self::Sustained { bodies: [a, b], velocity, .. } => {
                write!(f, "{time:.6} s  sustained      {a} and {b} at {velocity:.6}")
            }
            Self::Broken { name, force, .. } => {
                write!(f, "{time:.6} s  broken         {name} at a force of {:.6}", force.norm())
            }
            Self::SensorBegin { sensor, body, .. } => {
                write!(f, "{time:.6} s  sensor begin   {body} in {sensor}")
            }
            Self::SensorEnd { sensor, body, .. } => {
                write!(f, "{time:.6} s  sensor end     {body} in {sensor}")
            }
            Self::User { name, rising, .. } => {
                let way = if *rising { "rises" } else { "falls" };
                write!(f, "{time:.6} s  user event     {name} {way} through zero")
            }
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
