//! What an island knows while it goes on in fixed steps, and how fast its events follow each other.

use crate::road::Source;
use crate::road::held::HeldSet;
use crate::time_stepping::PartSteps;
use engine2d_math::trig;
use serde::{Deserialize, Serialize};

/// Steps between two looks at whether it has become calm, and events in a step up to which it is.
const PATIENCE: u32 = 16;
const CALM: f64 = 0.25;

/// Steps within which events count together.
const WINDOW: f64 = 16.0;

/// Events in that time from which fixed steps cost less than events: above one a step.
const MANY: f64 = 24.0;

/// Events of few contacts within [`BRIEF`] (time) from which they lead nowhere: bodies wedged between rough ones stop and slide by
/// turns without end, 40,000 times in a third of that, and a corner that slides off a flank opens and closes 1,500 times. Series of bounces end
/// far sooner, at the speed at which contacts rest.
const STALL: u32 = 1_000;
const BRIEF: f64 = 1e-6;

/// Steps within which sliding gets on by no more than a time before it goes on in fixed steps: its friction nearly jams, and forces a
/// billion times the weight settle in a billionth of a second, again and again.
const CRAWL: u32 = 20_000;
const CRAWLED: f64 = 1e-4;

/// Steps of a passage through a singular position before it is over anyway: what rests there is not waited for.
const PASSAGE: f64 = 1024.0;

/// Events for which sliding that jams counts: it has no reason to jam again at once.
const JAM: u32 = 100;

/// An island's fixed steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Chatter {
    pub(super) steps: PartSteps,
    /// Time since which it goes on so, and its energy then.
    pub(super) since: f64,
    pub(super) energy: f64,
    /// Length of a step (time).
    pub(super) length: f64,
    /// Energy with which forces let each body fall by its radius, once it is known of these bodies.
    pub(super) weight: Option<f64>,
    /// How much of each row of the joints must be left beside the others for their passage through a singular position to be over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) passage: Option<f64>,
    /// Steps before the next look, and events since the last one.
    left: u32,
    events: u32,
}

impl Chatter {
    /// Steps of a length, since a time and an energy.
    pub(super) fn new(steps: PartSteps, length: f64, (since, energy): (f64, f64)) -> Self {
        Self { steps, since, energy, length, weight: None, passage: None, left: PATIENCE, events: 0 }
    }

    /// Whether it can be that of a world of so many bodies: what a file says need not be.
    pub(super) fn fits(&self, bodies: usize) -> bool {
        self.length > 0.0 && self.length.is_finite() && self.steps.fits(bodies)
    }

    /// Whether so many steps were taken that it may have become calm.
    pub(super) fn is_to_be_looked_at(&self) -> bool {
        self.left == 0
    }

    /// Notes a step and how many events it had.
    pub(super) fn note_step(&mut self, events: usize) {
        self.events += events as u32;
        self.left -= 1;
    }

    /// Looks whether it has become calm, and begins to count anew.
    pub(super) fn is_calm(&mut self) -> bool {
        let calm = f64::from(self.events) <= CALM * f64::from(PATIENCE);
        (self.left, self.events) = (PATIENCE, 0);
        calm
    }

    /// Whether its joints are still on their way through a singular position, with so much `left` of their rows at a time.
    pub(super) fn passes(&self, time: f64, left: f64) -> bool {
        self.passage.is_some_and(|enough| left < enough) && time - self.since < PASSAGE * self.length
    }

    /// Whether it may fall apart in the next step: a step that does is taken in vain, and parts of a pile meet again soon.
    pub(super) fn may_part(&self) -> bool {
        self.left == PATIENCE
    }

    /// The same of some of the bodies, to which rows belong.
    pub(super) fn of_part(&self, belongs: impl Fn(Source) -> bool, began: (f64, f64)) -> Self {
        Self { passage: self.passage, ..Self::new(self.steps.of_part(belongs), self.length, began) }
    }

    /// Of the bodies of two islands, of which one at least goes on so and the other one may hold rows, from an energy together.
    pub(super) fn of_both(
        own: Option<&Self>,
        other: Option<&Self>,
        held: &HeldSet,
        (time, energy): (f64, f64),
    ) -> Option<Box<Self>> {
        let both = || own.into_iter().chain(other);
        let length = both().map(|c| c.length).reduce(f64::min)?;
        let since = both().map(|c| c.since).fold(time, f64::min);
        let of_held = PartSteps::of_held(held);
        let steps = PartSteps::of_all(both().map(|c| &c.steps).chain([&of_held]));
        // Joining others again and again does not put off the next look.
        let left = both().map(|c| c.left).fold(PATIENCE, u32::min).max(1);
        let events = both().map(|c| c.events).sum();
        let passage = both().find_map(|c| c.passage);
        Some(Box::new(Self { left, events, passage, ..Self::new(steps, length, (since, energy)) }))
    }
}

/// How fast the events of an island follow each other: a count that fades.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Pace {
    last: f64,
    count: f64,
    length: f64,
    #[serde(default)]
    brief: Brief,
    #[serde(default)]
    crawl: Brief,
}

/// The events, or steps, of a brief while.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Brief {
    since: f64,
    events: u32,
}

impl Pace {
    /// Whether nothing has been noted lately, so that the length of its steps is to be told.
    pub(super) fn is_new(&self) -> bool {
        self.count < 1.0
    }

    /// Takes steps of a length for the measure of time.
    pub(super) fn measure_by(&mut self, length: f64) {
        self.length = length;
    }

    /// Notes an event; returns whether they follow each other so fast that fixed steps cost less.
    pub(super) fn note(&mut self, time: f64) -> bool {
        let fading = trig::exp((self.last - time) / (WINDOW * self.length));
        (self.last, self.count) = (time, self.count * fading + 1.0);
        self.count >= MANY
    }

    /// Notes an event of any island; returns whether time hardly moves on any more.
    pub(super) fn stalls(&mut self, time: f64) -> bool {
        self.stalls_by(time, 1)
    }

    /// Notes sliding that jams; returns whether time hardly moves on any more.
    pub(super) fn jams(&mut self, time: f64) -> bool {
        self.stalls_by(time, JAM)
    }

    /// Notes a step in which surfaces slide; returns whether these hardly get on any more.
    pub(super) fn crawls(&mut self, time: f64) -> bool {
        self.crawl.count(time, 1, CRAWLED) >= CRAWL
    }

    fn stalls_by(&mut self, time: f64, events: u32) -> bool {
        self.brief.count(time, events, BRIEF) >= STALL
    }
}

impl Brief {
    /// Counts events at a time, anew where the while of a length is over.
    fn count(&mut self, time: f64, events: u32, length: f64) -> u32 {
        if (time - self.since).abs() > length {
            *self = Self { since: time, events: 0 };
        }
        self.events = self.events.saturating_add(events);
        self.events
    }
}
