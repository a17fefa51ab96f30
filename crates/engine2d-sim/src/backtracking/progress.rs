//! How far an advance has come, and how long its next step is.

use super::collision::Statistics;
use crate::report::Totals;

/// What one call remembers from iteration to iteration.
pub(super) struct Progress {
    pub(super) requested: f64,
    pub(super) advanced: f64,
    pub(super) step: f64,
    pub(super) searching: bool,
    pub(super) search_steps: u32,
    pub(super) next_estimate: Option<f64>,
    pub(super) stuck: u32,
    pub(super) statistics: Statistics,
    pub(super) handled: bool,
    pub(super) counters: Totals,
}

impl Progress {
    /// The beginning of an advance.
    pub(super) fn of(requested: f64) -> Self {
        Self {
            requested,
            advanced: 0.0,
            step: requested,
            searching: false,
            search_steps: 0,
            next_estimate: None,
            stuck: 0,
            statistics: Statistics::default(),
            handled: false,
            counters: Totals::default(),
        }
    }

    /// The length of the next step.
    pub(super) fn choose_next_step(&mut self, now: f64, backed_up: bool) {
        self.next_estimate = self.statistics.estimate;
        if !self.searching {
            let overdue = self.next_estimate.is_some_and(|t| t < now);
            let blind = self.statistics.needs_handling > 0 && self.next_estimate.is_none();
            self.searching = overdue || blind;
        }
        let rest = self.requested - self.advanced;
        let step = if self.searching {
            self.next_estimate = None;
            if backed_up {
                self.search_steps = 0;
                self.step / 2.0
            } else {
                self.step
            }
        } else {
            self.next_estimate.map_or(rest, |t| t - now)
        };
        self.step = step.min(rest);
    }
}
