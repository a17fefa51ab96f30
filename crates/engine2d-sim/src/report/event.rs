//! What happens at an instant, with the bodies and features concerned.

use crate::world::identity::BodyId;
use engine2d_geometry::{BodyRef, ContactId, PairId};
use engine2d_math::Vec2;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that happened at an instant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
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
        /// Where the bodies part (world), if they are near enough to tell.
        point: Option<Vec2>,
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
        /// Normal acceleration per normal force of the contact as it was (1/mass): negative where its friction pressed it harder
        /// than it held.
        #[serde(default)]
        per_force: f64,
        /// Energy that the impact took, with all its contacts.
        #[serde(default)]
        energy: f64,
    },
    /// A sliding contact opened that pressed itself harder than it held: to slide on, to stop at once and to lift off were all answers, and
    /// it lifted off (\[Génot, Brogliato 1999\]).
    LiftOff {
        /// Simulated time.
        time: f64,
        /// Bodies and features.
        contact: ContactId,
        /// Where (world).
        point: Vec2,
        /// Normal acceleration per normal force while it slid (1/mass), negative.
        per_force: f64,
        /// Size of the normal impulse: of the answers the one without.
        impulse: f64,
    },
    /// An impact with friction would have gained energy, or Newton's law of it had no impulses, and it was resolved by Poisson's law
    /// with a share of its restitution instead.
    RestitutionReduced {
        /// Simulated time.
        time: f64,
        /// Bodies and features of its fastest approach.
        contact: ContactId,
        /// Where (world).
        point: Vec2,
        /// Share of the coefficients of restitution that was given back; 1: all of it, but by Poisson's law, or
        /// without its tangential part.
        share: f64,
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
    /// Bodies that touch went on in short steps of a fixed length from `since` to this moment: their events followed each other
    /// too closely, or no forces could be found.
    FixedSteps {
        /// Simulated time at which events are located again.
        time: f64,
        /// Simulated time of the first of these steps.
        since: f64,
        /// Energy that was dissipated in them.
        energy: f64,
        /// The movable bodies that went on so when they ended, in the order of their places.
        #[serde(default)]
        bodies: Vec<BodyId>,
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
            | Self::LiftOff { time, .. }
            | Self::RestitutionReduced { time, .. }
            | Self::Slide { time, .. }
            | Self::Broken { time, .. }
            | Self::SensorBegin { time, .. }
            | Self::SensorEnd { time, .. }
            | Self::FixedSteps { time, .. }
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
            Self::LiftOff { .. } => "lift_off",
            Self::RestitutionReduced { .. } => "restitution_reduced",
            Self::Slide { .. } => "slide",
            Self::Broken { .. } => "broken",
            Self::SensorBegin { .. } => "sensor_begin",
            Self::SensorEnd { .. } => "sensor_end",
            Self::FixedSteps { .. } => "fixed_steps",
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
            | Self::LiftOff { contact, .. }
            | Self::RestitutionReduced { contact, .. }
            | Self::Slide { contact, .. } => Some(*contact),
            _ => None,
        }
    }

    /// The two bodies concerned; `None` for an event of the user's, and for fixed steps, which name theirs.
    #[must_use]
    pub fn bodies(&self) -> Option<[BodyRef; 2]> {
        match self {
            Self::Collision { contact, .. }
            | Self::ContactBegin { contact, .. }
            | Self::ContactEnd { contact, .. }
            | Self::Accumulation { contact, .. }
            | Self::Stick { contact, .. }
            | Self::Jam { contact, .. }
            | Self::LiftOff { contact, .. }
            | Self::RestitutionReduced { contact, .. }
            | Self::Slide { contact, .. } => Some([contact.primary, contact.normal_body]),
            Self::TouchBegin { bodies, .. } | Self::TouchEnd { bodies, .. } => {
                Some(bodies.map(BodyRef::Body))
            }
            Self::Sustained { bodies, .. } => Some(*bodies),
            Self::SensorBegin { sensor, body, .. } | Self::SensorEnd { sensor, body, .. } => {
                Some([BodyRef::from(*sensor), BodyRef::from(*body)])
            }
            Self::Broken { .. } | Self::FixedSteps { .. } | Self::User { .. } => None,
        }
    }

    /// Whether a body is concerned, given by its identity or reference.
    #[must_use]
    pub fn involves(&self, body: impl Into<BodyRef>) -> bool {
        let body = body.into();
        if let Self::FixedSteps { bodies, .. } = self {
            return bodies.iter().any(|id| BodyRef::from(*id) == body);
        }
        self.bodies().is_some_and(|bodies| bodies.contains(&body))
    }

    /// Where it happened (world), of those that have a place.
    #[must_use]
    pub fn point(&self) -> Option<Vec2> {
        match self {
            Self::Collision { point, .. }
            | Self::ContactBegin { point, .. }
            | Self::TouchBegin { point, .. }
            | Self::RestitutionReduced { point, .. }
            | Self::LiftOff { point, .. }
            | Self::Jam { point, .. } => Some(*point),
            Self::ContactEnd { point, .. } => *point,
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
            Self::LiftOff { contact, per_force, .. } => {
                write!(f, "{time:.6} s  lift off       {contact}, {per_force:.6} per force")
            }
            Self::RestitutionReduced { contact, share, .. } => {
                write!(f, "{time:.6} s  restitution    {contact}, reduced to {share:.6}")
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
            Self::FixedSteps { since, energy, bodies, .. } => {
                let count = bodies.len();
                write!(
                    f,
                    "{time:.6} s  fixed steps    {count} bodies since {since:.6} s, energy {energy:.3e}"
                )
            }
            Self::User { name, rising, .. } => {
                let way = if *rising { "rises" } else { "falls" };
                write!(f, "{time:.6} s  user event     {name} {way} through zero")
            }
        }
    }
}
