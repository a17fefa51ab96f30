//! The most that a run may take, for descriptions that nobody vouches for.

use crate::error::WatchError;

/// Looks at something that grows: seconds by a clock, bytes in use. `None` where it cannot be told.
pub type Reading = fn() -> Option<f64>;

/// The most that a run may take. What it takes is counted from where it begins or goes on; a run within its limits is the
/// same to the bit as one without.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Steps of the run.
    pub steps: u64,
    /// Events told.
    pub events: u64,
    /// Contacts at the end of a step.
    pub contacts: usize,
    /// Time by [`clock`](Self::clock) (seconds); looked at between steps.
    pub wall_time: f64,
    /// Memory by [`memory_in_use`](Self::memory_in_use) (bytes); looked at between steps.
    pub memory: f64,
    /// Seconds since any fixed moment; this crate has no clock of its own.
    pub clock: Option<Reading>,
    /// Bytes that the program has in use.
    pub memory_in_use: Option<Reading>,
}

impl RunLimits {
    /// No limits.
    pub const NONE: Self = Self {
        steps: u64::MAX,
        events: u64::MAX,
        contacts: usize::MAX,
        wall_time: f64::INFINITY,
        memory: f64::INFINITY,
        clock: None,
        memory_in_use: None,
    };

    /// A run that begins now.
    pub(crate) fn open(&self) -> Spent {
        Spent { limits: *self, steps: 0, events: 0, began: read(self.clock) }
    }
}

impl Default for RunLimits {
    /// [`NONE`](Self::NONE).
    fn default() -> Self {
        Self::NONE
    }
}

/// What a run has taken so far.
pub(crate) struct Spent {
    limits: RunLimits,
    steps: u64,
    events: u64,
    began: Option<f64>,
}

impl Spent {
    /// Counts a step that ended at `time`.
    pub(crate) fn step(&mut self, events: usize, contacts: usize, time: f64) -> Result<(), WatchError> {
        self.steps += 1;
        self.events += events as u64;
        let RunLimits { clock, memory_in_use, .. } = self.limits;
        let spent = read(clock).zip(self.began).map_or(0.0, |(now, began)| now - began);
        // Bytes are looked up by the operating system: too slow for every short step.
        const LOOK_EVERY: u64 = 64;
        let bytes = if self.steps % LOOK_EVERY == 1 { read(memory_in_use) } else { None };
        let all = [
            ("steps", self.steps as f64, self.limits.steps as f64),
            ("events", self.events as f64, self.limits.events as f64),
            ("contacts", contacts as f64, self.limits.contacts as f64),
            ("seconds of wall time", spent, self.limits.wall_time),
            ("bytes of memory", bytes.unwrap_or(0.0), self.limits.memory),
        ];
        match all.into_iter().find(|(_, taken, limit)| taken > limit) {
            Some((what, _, limit)) => Err(WatchError::Limit { what, limit, time }),
            None => Ok(()),
        }
    }
}

fn read(reading: Option<Reading>) -> Option<f64> {
    reading.and_then(|reading| reading())
}
