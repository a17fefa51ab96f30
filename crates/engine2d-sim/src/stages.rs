//! Where the work of an advance goes: calls of each stage, and the time they take if the world has a clock.

use crate::spans::{self, Span};
use std::fmt;

/// Reads a clock: seconds since any fixed moment. This crate has no clock of its own.
pub type Clock = fn() -> f64;

/// A part of the work of an advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stage {
    /// The integrator and everything that is no other stage.
    Integration,
    /// Force laws.
    ForceLaws,
    /// Contacts and collisions: broad phase, narrow phase, rows of connectors.
    Detection,
    /// Groups of contacts, their Delassus matrices and right-hand sides, application of forces.
    Assembly,
    /// The complementarity solver.
    Complementarity,
    /// Impulses of collisions, without their complementarity problems.
    Impacts,
    /// Projection onto joints and held contacts.
    Projection,
}

impl Stage {
    /// All stages, in the order of their work.
    pub const ALL: [Self; 7] = [
        Self::Integration,
        Self::ForceLaws,
        Self::Detection,
        Self::Assembly,
        Self::Complementarity,
        Self::Impacts,
        Self::Projection,
    ];

    /// Name of the stage.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Integration => "integration",
            Self::ForceLaws => "force laws",
            Self::Detection => "detection",
            Self::Assembly => "assembly",
            Self::Complementarity => "complementarity",
            Self::Impacts => "impacts",
            Self::Projection => "projection",
        }
    }
}

/// Work of one stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct StageWork {
    /// How often it was entered.
    pub calls: u64,
    /// Time spent in it and in no stage within it (seconds by the world's clock; 0 without one).
    pub seconds: f64,
}

/// Work of all stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct StageStatistics([StageWork; Stage::ALL.len()]);

impl StageStatistics {
    /// Work of one stage.
    #[must_use]
    pub fn of(&self, stage: Stage) -> StageWork {
        self.0[stage as usize]
    }

    /// Every stage with its work.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Stage, StageWork)> + '_ {
        Stage::ALL.iter().map(|&stage| (stage, self.of(stage)))
    }

    /// How often each stage was entered since some statistics.
    pub(crate) fn calls_since(&self, before: &Self) -> [u64; Stage::ALL.len()] {
        std::array::from_fn(|k| self.0[k].calls - before.0[k].calls)
    }

    /// Counts calls of stages whose work is known from before.
    pub(crate) fn repeat(&mut self, calls: [u64; Stage::ALL.len()]) {
        self.0.iter_mut().zip(calls).for_each(|(work, calls)| work.calls += calls);
    }

    /// Time of all stages (seconds).
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.0.iter().map(|work| work.seconds).sum()
    }
}

impl fmt::Display for StageStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:16} {:>10} {:>12}", "stage", "calls", "ms")?;
        for (stage, StageWork { calls, seconds }) in self.iter() {
            write!(f, "\n{:16} {calls:>10} {:>12.3}", stage.name(), 1e3 * seconds)?;
        }
        Ok(())
    }
}

/// Charges time to the stage that is at work, and shows it as a span.
#[derive(Clone, Debug)]
pub(crate) struct StageMeter {
    pub(crate) clock: Option<Clock>,
    current: Stage,
    since: f64,
    pub(crate) statistics: StageStatistics,
    /// The spans of the stages entered, if someone sees them.
    spans: Vec<Span>,
}

impl Default for StageMeter {
    fn default() -> Self {
        Self {
            clock: None,
            current: Stage::Integration,
            since: 0.0,
            statistics: StageStatistics::default(),
            spans: Vec::new(),
        }
    }
}

impl StageMeter {
    /// The start of an advance, whatever stage an error left the last one in.
    pub(crate) fn open(&mut self) {
        self.current = Stage::Integration;
        self.statistics.0[Stage::Integration as usize].calls += 1;
        if let Some(clock) = self.clock {
            self.since = clock();
        }
    }

    /// Enters a stage; returns the one to [`leave`](Self::leave) to.
    pub(crate) fn enter(&mut self, stage: Stage) -> Stage {
        self.statistics.0[stage as usize].calls += 1;
        let before = self.current;
        self.go(stage);
        let span = spans::stage(stage.name());
        if !span.is_disabled() {
            spans::begin(&span);
            self.spans.push(span);
        }
        before
    }

    /// Goes back to a stage from the one within it.
    pub(crate) fn leave(&mut self, to: Stage) {
        self.end_span();
        self.go(to);
    }

    /// The end of an advance, whatever stage an error left it in.
    pub(crate) fn close(&mut self) {
        while !self.spans.is_empty() {
            self.end_span();
        }
        self.go(Stage::Integration);
    }

    fn end_span(&mut self) {
        if let Some(span) = self.spans.pop() {
            spans::end(&span);
        }
    }

    /// Goes to a stage, and charges the time since the last change.
    fn go(&mut self, to: Stage) {
        if let Some(clock) = self.clock {
            let now = clock();
            self.statistics.0[self.current as usize].seconds += now - self.since;
            self.since = now;
        }
        self.current = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! { static NOW: Cell<f64> = const { Cell::new(0.0) }; }

    /// Each look at this clock takes a second.
    fn ticking() -> f64 {
        NOW.with(|now| now.replace(now.get() + 1.0))
    }

    #[test]
    fn time_goes_to_the_innermost_stage() {
        let mut meter = StageMeter { clock: Some(ticking), ..StageMeter::default() };
        meter.open();
        let before = meter.enter(Stage::Impacts);
        let impacts = meter.enter(Stage::Complementarity);
        meter.leave(impacts);
        meter.leave(before);
        meter.close();
        let seconds = |stage| meter.statistics.of(stage).seconds;
        assert_eq!(seconds(Stage::Integration), 2.0, "before the impacts and after them");
        assert_eq!(seconds(Stage::Impacts), 2.0, "before the solver and after it");
        assert_eq!(seconds(Stage::Complementarity), 1.0);
        assert_eq!(meter.statistics.seconds(), 5.0);
        assert_eq!(meter.statistics.of(Stage::Impacts).calls, 1);
    }
}
