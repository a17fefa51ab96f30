//! What the stages of an advance share besides model and state: the solver, the counts of work, the forces found, and who
//! looks on. Without influence on the motion but for speed.

use crate::after_move::{AfterMove, MoveCause, Moved};
use crate::contact_force::ForceLog;
use crate::error::SimError;
use crate::lcp::LcpDriver;
use crate::model::Model;
use crate::stages::{Clock, StageMeter};
use crate::state::State;

/// Solver and counters of a world.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    pub(crate) lcp: LcpDriver,
    pub(crate) stages: StageMeter,
    /// Evaluations in the advance in progress.
    pub(crate) evaluations: u64,
    /// Number of islands among which the work of the advance is shared, each with limits of its own.
    pub(crate) shares: u64,
    pub(crate) forces: ForceLog,
    pub(crate) after_move: AfterMove,
    /// Reading of a clock at which the work ends with an error.
    pub(crate) deadline: Option<(Clock, f64)>,
}

impl Default for Work {
    fn default() -> Self {
        Self {
            lcp: LcpDriver::default(),
            stages: StageMeter::default(),
            evaluations: 0,
            shares: 1,
            forces: ForceLog::default(),
            after_move: AfterMove::default(),
            deadline: None,
        }
    }
}

impl Work {
    /// Shows the bodies to the one who asked for it.
    pub(crate) fn moved(&mut self, model: &Model, state: &State, cause: MoveCause) {
        if let Some(look) = self.after_move.look() {
            look(&Moved { data: &model.data, bodies: &state.bodies, time: state.time, cause });
        }
    }
}

impl Work {
    /// Ends an advance whose time on the clock is over.
    pub(crate) fn check_deadline(&self, time: f64) -> Result<(), SimError> {
        match self.deadline {
            Some((clock, deadline)) if clock() > deadline => Err(SimError::Deadline { time }),
            _ => Ok(()),
        }
    }
}

/// Ends an advance that took more work than it may.
pub(crate) fn check_limit(what: &'static str, count: u64, limit: u64, time: f64) -> Result<(), SimError> {
    if count > limit { Err(SimError::WorkLimit { what, limit, time }) } else { Ok(()) }
}
