//! A motion in numbers: sampled states, events, statistics, and the bits of every step.

use crate::digest::Fingerprint;
use crate::digits;
use crate::events::body_name;
pub(super) use crate::trajectory::COLUMNS as FIELDS;
use crate::trajectory::columns;
use engine2d_scene::{Scene, SceneError};
use engine2d_sim::{Event, StepReport, World};
use engine2d_watch::{Course, Observer};
use std::io;

/// Parts into which the samples divide a motion.
const PARTS: f64 = 40.0;

/// Events that are listed; others are counted.
const LISTED: u64 = 1000;

/// Significant digits of a sample.
pub(super) const DIGITS: usize = 12;

/// Part of a sample's interval by which it may come early, so that rounding moves none.
const SLACK: f64 = 1e-6;

/// States of all movable bodies at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Simulated time.
    pub time: f64,
    /// Position and angle (length, radians), velocity and angular velocity of each body, with 12 significant digits.
    pub bodies: Vec<[f64; 6]>,
}

/// An event as it is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// Simulated time, with 12 significant digits.
    pub time: f64,
    /// Its kind, and whom it befalls.
    pub what: String,
    /// Impulse or velocity, with 12 significant digits, where it has one.
    pub size: Option<f64>,
}

/// How a scene moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionRecord {
    /// Simulated time of the end.
    pub until: f64,
    /// Simulated time between two samples; they are taken at the end of steps.
    pub interval: f64,
    /// Names of the bodies that can move.
    pub bodies: Vec<String>,
    /// The states, from the start on.
    pub samples: Vec<Sample>,
    /// The events, up to a thousand.
    pub events: Vec<Told>,
    /// What was counted, by name; the number of events among it, and why the run ended early if it did.
    pub statistics: Vec<(String, String)>,
    /// Fingerprint of all bits of each body's states at the ends of all steps.
    pub bits: Vec<String>,
}

/// The number with [`DIGITS`] significant digits, without a sign where it is zero.
pub(super) fn rounded(value: f64) -> f64 {
    digits::rounded(value + 0.0, DIGITS)
}

impl MotionRecord {
    /// Runs a scene for `horizon` (simulated time), or for its duration.
    ///
    /// # Errors
    /// [`SceneError`]; a run that cannot go on is a motion that ends early.
    pub fn of(scene: &Scene, horizon: Option<f64>) -> Result<Self, SceneError> {
        let horizon = horizon.unwrap_or(scene.duration);
        Self::sampled(scene, rounded(scene.start_time + horizon), rounded(horizon / PARTS))
    }

    /// Runs a scene until the time `until`, with samples every `interval`.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn sampled(scene: &Scene, until: f64, interval: f64) -> Result<Self, SceneError> {
        let mut world = scene.to_world()?;
        let mut taker = Taker {
            record: Self { until, interval, ..Self::default() },
            next: world.time() + interval,
            told: 0,
            bits: Vec::new(),
            contacts: 0,
        };
        let outcome = Course::new(until, scene.settings.time_step).run(&mut world, &mut [&mut taker]);
        let (totals, lcp) = (world.inspect().totals(), world.inspect().lcp_statistics());
        let Taker { mut record, told, bits, contacts, .. } = taker;
        record.bits = bits.iter().map(ToString::to_string).collect();
        let energy = world.energy();
        let number = |value: f64| format!("{:e}", rounded(value));
        let all = [
            ("events", told.to_string()),
            ("steps", totals.steps.to_string()),
            ("backups", totals.backups.to_string()),
            ("collisions", totals.collisions.to_string()),
            ("impulse problems", totals.impulses.to_string()),
            ("contacts at most", contacts.to_string()),
            ("contact problems", lcp.solves.to_string()),
            ("rows at most", lcp.largest.to_string()),
            ("pivots", lcp.pivots.to_string()),
            ("kinetic energy", number(energy.kinetic())),
            ("potential energy", number(energy.potential)),
        ];
        record.statistics = all.map(|(name, value)| (name.to_owned(), value)).to_vec();
        if let Err(error) = outcome {
            record.statistics.push(("ended early".to_owned(), error.to_string().replace('\n', " ")));
        }
        Ok(record)
    }
}

/// Takes down a motion while it happens.
struct Taker {
    record: MotionRecord,
    next: f64,
    told: u64,
    bits: Vec<Fingerprint>,
    contacts: usize,
}

impl Taker {
    fn sample(&mut self, world: &World) {
        let bodies = states(world).map(|state| state.map(rounded)).collect();
        self.record.samples.push(Sample { time: rounded(world.time()), bodies });
    }
}

/// The states of the bodies that can move.
fn states(world: &World) -> impl Iterator<Item = [f64; 6]> + '_ {
    world.bodies().filter(|body| !body.is_fixed()).map(|body| columns(&body))
}

impl Observer for Taker {
    fn start(&mut self, world: &World) -> io::Result<()> {
        let movable = world.bodies().filter(|body| !body.is_fixed());
        self.record.bodies = movable.map(|body| body.name().to_owned()).collect();
        self.bits = vec![Fingerprint::new(); self.record.bodies.len()];
        self.sample(world);
        Ok(())
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        for (bits, state) in self.bits.iter_mut().zip(states(world)) {
            state.into_iter().for_each(|value| bits.number(value));
        }
        for event in report.events() {
            self.told += 1;
            if self.told <= LISTED {
                self.record.events.push(told(world, event));
            }
        }
        self.contacts = self.contacts.max(report.contacts.len());
        let is_last = world.time() >= self.record.until;
        if world.time() >= self.next - SLACK * self.record.interval || is_last {
            self.sample(world);
            while self.next - SLACK * self.record.interval <= world.time() && self.record.interval > 0.0 {
                self.next += self.record.interval;
            }
        }
        Ok(())
    }
}

/// An event in words.
fn told(world: &World, event: &Event) -> Told {
    let mut what = event.kind().to_owned();
    if let Some(pair) = event.bodies() {
        let [a, b] = pair.map(|body| body_name(world, body));
        what += &format!(" of {a:?} and {b:?}");
    }
    if let Event::User { name, .. } | Event::Broken { name, .. } = event {
        what += &format!(" {name:?}");
    }
    let size = match event {
        Event::Collision { impulse, .. } | Event::Jam { impulse, .. } => Some(*impulse),
        Event::TouchBegin { velocity, .. } | Event::Sustained { velocity, .. } => Some(*velocity),
        _ => None,
    };
    Told { time: rounded(event.time()), what, size: size.map(rounded) }
}
